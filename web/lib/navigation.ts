// The address bar as a store: reading it, changing it, hearing of changes. A page with unsaved work is left only by who agrees; the
// browser's own back and forward are undone until then, and lead to where one was on the page.

import { useSyncExternalStore } from 'react';
import { pageWithLink } from './share-link.ts';
import { hasUnsaved, leave } from './unsaved.ts';

type Visit = {
  /** As the pages were told. */
  readonly address: string;
  /** Counts pages: another number is another page, also at the same path. */
  readonly n: number;
  /** Where on the page one begins; undefined: where one is. */
  readonly scroll: number | undefined;
};

const addressNow = (): string => window.location.pathname + window.location.search + window.location.hash;
const pathOf = (address: string): string => address.split(/[?#]/, 1)[0] ?? '';
const pageOf = (address: string): string => address.split('#', 1)[0] ?? '';

let visit: Visit = { address: '', n: 0, scroll: undefined };
/** What the address bar shows; a page may write something into it that the others need not hear of. */
let shown = '';
/** Where in the tab's history we are, as its entries tell. */
let index = 0;
/** How far down one was, by entry. The browser's own memory does not wait until a page is drawn. */
const scrolled = new Map<number, number>();
/** The same of now: when a link within the page is told of, one is already there. */
let scrollNow = 0;
const listeners = new Set<() => void>();

const indexIn = (state: unknown): number | undefined => {
  const at = (state as { readonly at?: unknown } | null)?.at;
  return typeof at === 'number' ? at : undefined;
};

function tell(to: string, scroll: number | undefined): void {
  visit = { address: to, n: visit.n + (pathOf(to) === pathOf(shown) ? 0 : 1), scroll };
  shown = to;
  for (const listener of listeners) listener();
}

function popped(): void {
  const to = addressNow();
  const at = indexIn(window.history.state);
  // A new entry that the browser made by itself: it did so for a link within the page.
  if (at === undefined) {
    scrolled.set(index, scrollNow);
    index += 1;
    window.history.replaceState({ at: index }, '', to);
    tell(to, undefined);
    return;
  }
  const by = at - index;
  if (by === 0) return;
  if (hasUnsaved() && pageOf(to) !== pageOf(shown)) {
    window.history.go(-by);
    leave(() => window.history.go(by));
    return;
  }
  scrolled.set(index, window.scrollY);
  index = at;
  tell(to, scrolled.get(at) ?? 0);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', popped);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', popped);
  };
}

function visitNow(): Visit {
  if (shown === '') {
    shown = addressNow();
    visit = { address: shown, n: 0, scroll: undefined };
    index = indexIn(window.history.state) ?? 0;
    window.history.replaceState({ at: index }, '', shown);
    window.addEventListener(
      'scroll',
      () => {
        scrollNow = window.scrollY;
      },
      { passive: true },
    );
    // What is loaded anew as a whole is the browser's again.
    window.addEventListener('pagehide', () => {
      window.history.scrollRestoration = 'auto';
    });
  }
  return visit;
}

export function navigate(where: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const to = pageWithLink(where);
  if (to === addressNow()) return;
  leave(() => {
    scrolled.set(index, window.scrollY);
    window.history.scrollRestoration = 'manual';
    if (!replace) index += 1;
    if (replace) window.history.replaceState({ at: index }, '', to);
    else window.history.pushState({ at: index }, '', to);
    tell(to, pathOf(to) === pathOf(shown) ? undefined : 0);
  });
}

/** Another address for what is shown already: nobody is told, and nothing is left. */
export function rename(to: string): void {
  window.history.replaceState({ at: index }, '', to);
  shown = to;
}

export type Place = {
  readonly path: string;
  readonly search: string;
  readonly hash: string;
  /** Counts pages. */
  readonly n: number;
  readonly visit: Visit;
};

export function usePlace(): Place {
  const now = useSyncExternalStore(subscribe, visitNow);
  const { address, n } = now;
  const [beforeHash = '', hash = ''] = address.split('#', 2);
  const [path = '/', search = ''] = beforeHash.split('?', 2);
  return { path, search, hash, n, visit: now };
}
