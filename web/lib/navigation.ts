// The address bar as a store: reading it, changing it, hearing of changes.

import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', notify);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', notify);
  };
}

const address = (): string => window.location.pathname + window.location.search + window.location.hash;

export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === address()) return;
  if (replace) window.history.replaceState(null, '', to);
  else window.history.pushState(null, '', to);
  notify();
}

export type Place = { readonly path: string; readonly search: string; readonly hash: string };

export function usePlace(): Place {
  const now = useSyncExternalStore(subscribe, address);
  const [beforeHash = '', hash = ''] = now.split('#', 2);
  const [path = '/', search = ''] = beforeHash.split('?', 2);
  return { path, search, hash };
}
