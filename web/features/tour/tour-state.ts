// Where the reader is in the tour through the pages. It goes on from page to page, so it is kept beside them. That it was taken, or is not
// wanted, the account remembers; this browser does, too, so that not every page asks.

import { useSyncExternalStore } from 'react';
import { get, send } from '../../api/client.ts';
import { keepValue, readKept } from '../../lib/kept.ts';

/** Undefined: no tour. */
let step: number | undefined;
const listeners = new Set<() => void>();

function tell(next: number | undefined): void {
  step = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTourStep = (): number | undefined => useSyncExternalStore(subscribe, () => step);

export const goToStep = (next: number): void => tell(next);

export const startTour = (): void => tell(0);

/** `account`: whose; undefined: a visitor's, which nobody remembers. */
export function endTour(account: number | undefined): void {
  tell(undefined);
  if (account === undefined) return;
  keepValue(keptAs(account), 'done');
  void send('PATCH', '/api/v2/preferences/', { body: { tour: 'done' } });
}

const keptAs = (account: number): string => `tour.${account}`;

/** Whether the account has neither taken the tour nor refused it. */
export async function isTourWanted(account: number, signal: AbortSignal): Promise<boolean> {
  if (readKept(keptAs(account)) === 'done') return false;
  const reply = await get('/api/v2/preferences/', signal);
  if (!reply.ok) return false;
  const isDone = reply.value.preferences.tour === 'done';
  if (isDone) keepValue(keptAs(account), 'done');
  return !isDone;
}
