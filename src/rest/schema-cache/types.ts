// Types by oid and modifier: catalogue rows in, one lookup out. Which types are asked for is collected first, because
// 100,000 columns have only a few hundred different ones.

import type { Stage } from '../../kernel/in-slices.ts';
import type { TypeRow } from './catalogue-rows.ts';
import { getOrMake } from './name-map.ts';

export type Types = {
  /** Modifier -1: none. Undefined: the catalogue has no such type, whoever is said to be of it. */
  readonly get: (oid: number, modifier: number) => TypeRow | undefined;
};

/** Distinct pairs of type and modifier. */
export type WantedTypes = {
  readonly add: (oid: number, modifier: number) => void;
  readonly oids: () => readonly number[];
  readonly modifiers: () => readonly number[];
};

export function makeWantedTypes(): WantedTypes {
  const wanted = new Map<number, Set<number>>();
  return {
    add: (oid, modifier) => getOrMake(wanted, oid, () => new Set<number>()).add(modifier),
    oids: () => [...wanted].flatMap(([oid, modifiers]) => [...modifiers].map(() => oid)),
    modifiers: () => [...wanted.values()].flatMap((modifiers) => [...modifiers]),
  };
}

export function* makeTypes(rows: Iterable<TypeRow>): Stage<Types> {
  const plain = new Map<number, TypeRow>();
  const modified = new Map<number, Map<number, TypeRow>>();
  for (const row of rows) {
    if (row.modifier === -1) plain.set(row.oid, row);
    else getOrMake(modified, row.oid, () => new Map<number, TypeRow>()).set(row.modifier, row);
    yield;
  }
  return { get: (oid, modifier) => (modifier === -1 ? plain.get(oid) : modified.get(oid)?.get(modifier)) };
}
