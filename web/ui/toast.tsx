// Short messages that come and go: "saved", "copied". Also read out by screen readers.

import { useSyncExternalStore } from 'react';
import { Icon } from './Icon.tsx';

type Toast = { readonly id: number; readonly text: string };

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const SHOWN_MS = 5000;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function say(text: string): void {
  last += 1;
  const id = last;
  set([...toasts.slice(-2), { id, text }]);
  window.setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div className="toast" key={id}>
          <Icon name="check" />
          {text}
        </div>
      ))}
    </div>
  );
}
