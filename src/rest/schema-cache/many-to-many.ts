// Tables that meet in a junction: the keys of one junction that lie inside its primary key, two by two.

import { columnPairs, type KeyEnd, type Related } from './key-ends.ts';
import type { ForeignKey } from './keys.ts';
import { getOrMake } from './name-map.ts';
import type { Relationship } from './schema-cache.ts';

/** A key of the junction, between the junction's end and the one it points at. */
export type JunctionKey = { readonly key: ForeignKey; readonly owner: KeyEnd; readonly target: KeyEnd };

/** How many relationships `joinThroughJunction` makes: of each key with each other. */
export function countPairs(joined: readonly JunctionKey[]): number {
  let own = 0;
  for (const ofKey of byKey(joined)) own += ofKey.length ** 2;
  return joined.length ** 2 - own;
}

/** Those between tables come first: where not all can be had, views are done without. */
export function* joinThroughJunction(
  junction: Related,
  joined: readonly JunctionKey[],
): Generator<{ readonly from: Related; readonly relationship: Relationship }> {
  for (const [near, far] of pairs(byKey(joined)))
    yield { from: near.target.relation, relationship: meeting(junction, near, far) };
}

/** Every pair of two keys' ends, without looking at others: nobody would be let through meanwhile. */
function* pairs(keys: readonly (readonly JunctionKey[])[]): Generator<readonly [near: JunctionKey, far: JunctionKey]> {
  const parted = keys.map((all) => ({
    all,
    tables: all.filter(({ target }) => !target.relation.isView),
    views: all.filter(({ target }) => target.relation.isView),
  }));
  const withTables = parted.filter(({ tables }) => tables.length > 0);
  const withViews = parted.filter(({ views }) => views.length > 0);
  for (const near of withTables)
    for (const far of withTables) if (near !== far) yield* product(near.tables, far.tables);
  for (const near of withTables) for (const far of withViews) if (near !== far) yield* product(near.tables, far.views);
  for (const near of withViews) for (const far of parted) if (near !== far) yield* product(near.views, far.all);
}

function* product<T>(near: readonly T[], far: readonly T[]): Generator<readonly [T, T]> {
  for (const one of near) for (const other of far) yield [one, other];
}

function byKey(joined: readonly JunctionKey[]): readonly (readonly JunctionKey[])[] {
  const keys = new Map<number, JunctionKey[]>();
  for (const one of joined) getOrMake(keys, one.key.oid, () => []).push(one);
  return [...keys.values()];
}

function meeting(junction: Related, near: JunctionKey, far: JunctionKey): Relationship {
  return {
    table: near.target.relation.identifier,
    tableIsView: near.target.relation.isView,
    foreign: far.target.relation.identifier,
    foreignIsView: far.target.relation.isView,
    isSelf: near.target.relation === far.target.relation,
    kind: 'many-to-many',
    junction: junction.identifier,
    constraint: near.key.name,
    foreignConstraint: far.key.name,
    columns: columnPairs(near.target, near.owner),
    foreignColumns: columnPairs(far.target, far.owner),
  };
}
