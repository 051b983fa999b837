// Short messages (toasts): "saved", "copied". They come and go, and may offer one thing to do, such as undo; what failed stays until it is
// dismissed. Also read out by screen readers.

import { useSyncExternalStore } from 'react';
import { useText } from '../lib/i18n/text.ts';
import { IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';

export type Offer = { readonly label: string; readonly act: () => Promise<void> | void };

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  readonly offer: Offer | undefined;
};

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const SHOWN_MS = 5000;
/** Long enough to be reached by keyboard; where it leads is elsewhere on the pages as well. */
const OFFERED_MS = 20_000;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

function show(toast: Omit<Toast, 'id'>): number {
  last += 1;
  const id = last;
  set([...toasts.slice(-2), { id, ...toast }]);
  return id;
}

export function say(text: string, offer?: Offer): void {
  const id = show({ text, kind: 'done', offer });
  window.setTimeout(() => dismiss(id), offer === undefined ? SHOWN_MS : OFFERED_MS);
}

/** A failure that belongs to no place on the page any more; it stays until somebody dismisses it. */
export function complain(text: string): void {
  show({ text, kind: 'failed', offer: undefined });
}

export function Toasts() {
  const t = useText();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind, offer }) => (
        <div className={kind === 'failed' ? 'toast bad' : 'toast'} key={id}>
          <Icon name={kind === 'failed' ? 'warning' : 'check'} />
          <span className="grow">{text}</span>
          {offer !== undefined && (
            <button
              type="button"
              className="toast-offer"
              onClick={() => {
                dismiss(id);
                void offer.act();
              }}
            >
              {offer.label}
            </button>
          )}
          {(kind === 'failed' || offer !== undefined) && (
            <IconButton small icon="close" name={t('action.close')} onClick={() => dismiss(id)} />
          )}
        </div>
      ))}
    </div>
  );
}
