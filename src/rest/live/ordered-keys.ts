// Keys of a change, each value under the name of its column → in the order in which a read asks for them.

import type { Change } from '../../pg/change-log/change-log.ts';

/** Undefined: any row may have changed. `primaryKey`: as the read has it. */
export function orderedKeys({ keys, columns }: Change, primaryKey: readonly string[]): readonly string[] | undefined {
  // The change log has them in this order already.
  if (keys === undefined || columns === undefined) return keys;
  const places = primaryKey.map((name) => columns.indexOf(name));
  // It is known by another index than that of the primary key, or the key has changed since.
  if (places.includes(-1)) return undefined;
  if (columns.length === places.length && places.every((place, i) => place === i)) return keys;
  return keys.map((key) => {
    const values: unknown = JSON.parse(key);
    return JSON.stringify(Array.isArray(values) ? places.map((place) => values[place]) : []);
  });
}
