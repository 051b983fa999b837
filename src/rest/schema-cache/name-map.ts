// Two-level map by schema and name: found without joining the two into a key.

import type { Stage } from '../../kernel/in-slices.ts';
import type { Identifier } from './schema-cache.ts';

export type NameMap<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

export function findNamed<T>(map: NameMap<T>, schema: string, name: string): T | undefined {
  return map.get(schema)?.get(name);
}

/** One entry per item; where two have the same name, the first stays. */
export function* mapByName<T extends Identifier>(items: Iterable<T>): Stage<NameMap<T>> {
  const map = new Map<string, Map<string, T>>();
  for (const item of items) {
    const names = getOrMake(map, item.schema, () => new Map<string, T>());
    if (!names.has(item.name)) names.set(item.name, item);
    yield;
  }
  return map;
}

/** All items of each name, in their order. */
export function* groupByName<T>(items: Iterable<T>, nameOf: (item: T) => Identifier): Stage<NameMap<readonly T[]>> {
  const map = new Map<string, Map<string, T[]>>();
  for (const item of items) {
    const { schema, name } = nameOf(item);
    const names = getOrMake(map, schema, () => new Map<string, T[]>());
    getOrMake(names, name, () => []).push(item);
    yield;
  }
  return map;
}

export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
