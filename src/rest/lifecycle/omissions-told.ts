// What the log says of objects that the schema cache does without: each once for as long as it is so, and a bounded number of
// them. A database can have as many odd objects as others; the log is for people.

import type { Omission } from '../schema-cache/omission.ts';

const MAX = 20;

export function freshOmissions(before: readonly Omission[], now: readonly Omission[]): readonly Omission[] {
  const told = new Set(before.map(({ what }) => what));
  const fresh = now.filter(({ what }) => !told.has(what));
  if (fresh.length <= MAX) return fresh;
  return [...fresh.slice(0, MAX), { what: `${fresh.length - MAX} more`, why: 'as odd as those' }];
}
