// Ids of events: which group of listeners told it, as its how-manieth, and up to where in the change log that group had heard. The last part is
// for another copy of the program, which knows nothing of the group but has the same log; `tag` stands for what is asked by whom, since it
// would mean nothing for another read.

import { KEPT_MS } from './change-pruner.ts';

/** With many transactions under way a position is long; then the id does without. */
const LONGEST_POSITION = 120;
/** Entries of the log that are younger are all there. */
const MAX_AWAY_MS: number = KEPT_MS / 2;
/** By how much the clocks of two copies may differ. */
const SKEW_MS = 10_000;

export type Heard = { readonly tag: string; readonly position: string | undefined; readonly now: number };

export function eventId(epoch: string, seq: number, { tag, position, now }: Heard): string {
  const id = `${epoch}-${seq}`;
  return position === undefined || position.length > LONGEST_POSITION
    ? id
    : `${id}~${tag}~${now.toString(36)}~${position}`;
}

/** Undefined: it is of another group. */
export function placeIn(epoch: string, id: string | undefined): number | undefined {
  if (id === undefined || !id.startsWith(`${epoch}-`)) return undefined;
  const [number = ''] = id.slice(epoch.length + 1).split('~', 1);
  const place = Number(number);
  return number !== '' && Number.isSafeInteger(place) && place >= 0 ? place : undefined;
}

/** Up to where whoever had the id has heard; undefined: it does not say, or that is too long ago. */
export function positionIn(id: string | undefined, { tag, now }: Pick<Heard, 'tag' | 'now'>): string | undefined {
  const [, of, at = '', position] = (id ?? '').split('~', 4);
  const away = now - Number.parseInt(at, 36);
  return of === tag && away <= MAX_AWAY_MS && away >= -SKEW_MS ? position : undefined;
}
