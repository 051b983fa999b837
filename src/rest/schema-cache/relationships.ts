// Foreign keys and the views that show them → every relationship between exposed relations, both ways, and those that
// meet in a junction. Computed relationships come in ready; they replace the detected ones they are named like.

import type { Stage } from '../../kernel/in-slices.ts';
import { endsOfKey, type KeyEnd, makeKeyRelationship, type Related } from './key-ends.ts';
import type { Keys } from './keys.ts';
import { type JunctionKey, meetInJunction } from './many-to-many.ts';
import { findNamed, getOrMake, groupByName } from './name-map.ts';
import { compareRelationships } from './relationship-order.ts';
import type { Relationship } from './schema-cache.ts';
import type { ViewKeys } from './view-keys.ts';

export type RelationshipSources = {
  /** Exposed relations by oid. Others take no part, except as tables under exposed views. */
  readonly relations: ReadonlyMap<number, Related>;
  readonly keys: Keys;
  readonly viewKeys: ViewKeys;
  readonly computed: readonly ComputedRelationship[];
};

export type ComputedRelationship = Extract<Relationship, { kind: 'computed' }>;

export function* makeRelationships(sources: RelationshipSources): Stage<Relationship[]> {
  const { relations, keys, viewKeys } = sources;
  const detected = new Map<Related, Relationship[]>();
  const junctions = new Map<Related, JunctionKey[]>();
  // There are no embeds across schemas. A junction may stand in another one.
  const add = (from: Related, relationship: Relationship) => {
    if (relationship.table.schema !== relationship.foreign.schema) return;
    getOrMake(detected, from, () => []).push(relationship);
  };

  for (const key of keys.foreign) {
    const owners = endsOfKey(key.relation, key.columns, relations, viewKeys);
    const targets = owners.length === 0 ? [] : endsOfKey(key.foreignRelation, key.foreignColumns, relations, viewKeys);
    for (const owner of owners) {
      const canJoin = !key.isUnique && isInPrimaryKey(owner, keys, viewKeys);
      for (const target of targets) {
        add(owner.relation, makeKeyRelationship(key, 'owner', owner, target));
        add(target.relation, makeKeyRelationship(key, 'target', target, owner));
        if (canJoin) getOrMake(junctions, owner.relation, () => []).push({ key, owner, target });
        yield;
      }
    }
  }
  for (const [junction, joined] of junctions) {
    for (const { from, relationship } of meetInJunction(junction, joined)) {
      add(from, relationship);
      yield;
    }
  }

  const computedOf = yield* groupByName(sources.computed, ({ table }) => table);
  const all: Relationship[] = [];
  for (const relation of relations.values()) {
    const computed = findNamed(computedOf, relation.identifier.schema, relation.identifier.name) ?? [];
    const kept = detected.get(relation)?.filter((it) => !computed.some((other) => overrides(other, it))) ?? [];
    for (const relationship of kept.sort(compareRelationships)) all.push(relationship);
    for (const relationship of computed.toSorted(compareRelationships)) all.push(relationship);
    yield;
  }
  return all;
}

/** Extra columns in the junction's key are fine; a key outside it is not: its rows could join the same two rows twice. */
function isInPrimaryKey(owner: KeyEnd, keys: Keys, viewKeys: ViewKeys): boolean {
  const primary = (owner.relation.isView ? viewKeys.primary : keys.primary).get(owner.relation.oid) ?? [];
  return owner.columns.every((column) => primary.includes(column));
}

function overrides(computed: ComputedRelationship, detected: Relationship): boolean {
  return computed.routine.name === detected.foreign.name && computed.routine.schema === detected.foreign.schema;
}
