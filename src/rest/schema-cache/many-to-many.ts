// Tables that meet in a junction: the keys of one junction that lie inside its primary key, two by two.

import { columnPairs, type KeyEnd, type Related } from './key-ends.ts';
import type { ForeignKey } from './keys.ts';
import type { Relationship } from './schema-cache.ts';

/** A key of the junction, between the junction's end and the one it points at. */
export type JunctionKey = { readonly key: ForeignKey; readonly owner: KeyEnd; readonly target: KeyEnd };

export function* meetInJunction(
  junction: Related,
  joined: readonly JunctionKey[],
): Generator<{ readonly from: Related; readonly relationship: Relationship }> {
  for (const near of joined) {
    for (const far of joined) {
      if (near.key.oid === far.key.oid) continue;
      const relationship: Relationship = {
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
      yield { from: near.target.relation, relationship };
    }
  }
}
