// Work that is not saved yet. Whoever holds some says so with `useUnsaved`; whatever would lose it goes through `leave`, which asks
// first; the browser asks by itself before the tab is closed or loaded anew.

import { useEffect, useId, useMemo, useSyncExternalStore } from 'react';

const holders = new Set<string>();
const listeners = new Set<() => void>();
let question: LeaveQuestion | undefined;

/** What has to be asked before work is lost. */
export type LeaveQuestion = { stay(): void; leave(): void };

function ask(next: LeaveQuestion | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function hold(id: string): void {
  holders.add(id);
  window.addEventListener('beforeunload', warn);
}

function release(id: string): void {
  holders.delete(id);
  if (holders.size === 0) window.removeEventListener('beforeunload', warn);
}

export function hasUnsaved(): boolean {
  return holders.size > 0;
}

/** Does what loses the work of all on the page: at once where there is none, else when somebody has agreed. */
export function leave(to: () => void): void {
  askAbout([...holders], to);
}

function askAbout(lost: readonly string[], to: () => void): void {
  if (lost.length === 0) {
    to();
    return;
  }
  ask({
    stay: () => ask(undefined),
    leave: () => {
      ask(undefined);
      for (const id of lost) release(id);
      to();
    },
  });
}

export type Unsaved = {
  /** It is saved, and the page is about to be left for that. */
  release(): void;
  /** Does what loses this work, and no other on the page. */
  leave(to: () => void): void;
};

/** While `isUnsaved`, leaving asks. */
export function useUnsaved(isUnsaved: boolean): Unsaved {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    hold(id);
    return () => release(id);
  }, [isUnsaved, id]);
  return useMemo(
    () => ({
      release: () => release(id),
      leave: (to) => askAbout(holders.has(id) ? [id] : [], to),
    }),
    [id],
  );
}

/** Undefined: there is nothing to ask. */
export function useLeaveQuestion(): LeaveQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => question,
  );
}
