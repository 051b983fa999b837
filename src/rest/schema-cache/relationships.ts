// Foreign keys and the views that show them → every relationship between exposed relations, both ways, and those that
// meet in a junction. Computed relationships come in ready; they replace the detected ones they are named like.

import type { Stage } from '../../kernel/in-slices.ts';
import { sorted } from '../../kernel/sort-in-slices.ts';
import { fairShare } from './fair-share.ts';
import { endsOfKey, type KeyEnd, MAX_WAYS, makeKeyRelationship, type Related } from './key-ends.ts';
import type { ForeignKey, Keys } from './keys.ts';
import { countPairs, type JunctionKey, joinThroughJunction } from './many-to-many.ts';
import { findNamed, getOrMake, groupByName } from './name-map.ts';
import type { Omission } from './omission.ts';
import { compareRelationships } from './relationship-order.ts';
import type { Identifier, Relationship } from './schema-cache.ts';
import type { ViewKeys } from './view-keys.ts';

export type RelationshipSources = {
  /** Exposed relations by oid. Others take no part, except as tables under exposed views. */
  readonly relations: ReadonlyMap<number, Related>;
  readonly keys: Keys;
  readonly viewKeys: ViewKeys;
  readonly computed: readonly ComputedRelationship[];
};

export type ComputedRelationship = Extract<Relationship, { kind: 'computed' }>;

export type Relationships = {
  readonly relationships: readonly Relationship[];
  readonly omissions: readonly Omission[];
};

/**
 * Views multiply: a key between two tables with a thousand views each gives a million relationships, a table with a thousand
 * keys as many. So many can be had, about 300 MB of them, and where it is not enough, keys and junctions get equal shares.
 */
const MAX_RELATIONSHIPS = 1_000_000;

export function* makeRelationships(
  { relations, keys, viewKeys, computed }: RelationshipSources,
  most: number = MAX_RELATIONSHIPS,
): Stage<Relationships> {
  const omissions: Omission[] = [];
  const detected = new Map<Related, Relationship[]>();
  // There are no embeds across schemas. A junction may stand in another one.
  const add = (from: Related, relationship: Relationship) => {
    if (relationship.table.schema !== relationship.foreign.schema) return;
    getOrMake(detected, from, () => []).push(relationship);
  };

  const related = yield* relatedKeys(keys, relations, viewKeys, omissions);
  // Junctions are left half of it, and what keys do not need.
  const keyShare = fairShare(
    related.map(({ count }) => count),
    most / 2,
  );
  const junctions = new Map<Related, JunctionKey[]>();
  let made = 0;
  for (const { key, count } of related) {
    if (count > keyShare) omissions.push(cutKey(key, relations, count, keyShare));
    let left = keyShare;
    const owners = yield* endsOfKey(key.relation, key.columns, relations, viewKeys);
    const targets = yield* endsOfKey(key.foreignRelation, key.foreignColumns, relations, viewKeys);
    for (const owner of owners.ends) {
      const canJoin = !key.isUnique && isInPrimaryKey(owner, keys, viewKeys);
      for (const target of targets.ends) {
        if (left < 2) break;
        left -= 2;
        made += 2;
        add(owner.relation, makeKeyRelationship(key, 'owner', owner, target));
        add(target.relation, makeKeyRelationship(key, 'target', target, owner));
        if (canJoin) getOrMake(junctions, owner.relation, () => []).push({ key, owner, target });
        yield;
      }
    }
  }

  const meetings = [...junctions].map(([junction, joined]) => ({ junction, joined, count: countPairs(joined) }));
  const junctionShare = fairShare(
    meetings.map(({ count }) => count),
    most - made,
  );
  for (const { junction, joined, count } of meetings) {
    if (count > junctionShare) omissions.push(cutJunction(junction, count, junctionShare));
    let left = junctionShare;
    for (const { from, relationship } of joinThroughJunction(junction, joined)) {
      if (left < 1) break;
      left -= 1;
      add(from, relationship);
      yield;
    }
  }

  return { relationships: yield* inOrder(relations, detected, computed), omissions };
}

/** `count`: of its relationships, from both sides. */
type RelatedKey = { readonly key: ForeignKey; readonly count: number };

/** Only counts: the ends of all keys together may be more than fit into memory. */
function* relatedKeys(
  keys: Keys,
  relations: ReadonlyMap<number, Related>,
  viewKeys: ViewKeys,
  omissions: Omission[],
): Stage<RelatedKey[]> {
  const found: RelatedKey[] = [];
  const cut = new Set<Related>();
  for (const key of keys.foreign) {
    yield;
    const owners = yield* endsOfKey(key.relation, key.columns, relations, viewKeys);
    if (owners.ends.length === 0) continue;
    const targets = yield* endsOfKey(key.foreignRelation, key.foreignColumns, relations, viewKeys);
    if (targets.ends.length === 0) continue;
    for (const view of owners.cut) cut.add(view);
    for (const view of targets.cut) cut.add(view);
    found.push({ key, count: 2 * owners.ends.length * targets.ends.length });
  }
  for (const { identifier } of cut) {
    const why = `it shows the columns of a foreign key in more than ${MAX_WAYS} ways; ${MAX_WAYS} of them can be embedded`;
    omissions.push({ what: `the view ${identifier.schema}.${identifier.name}`, why });
  }
  return found;
}

function cutKey(key: ForeignKey, relations: ReadonlyMap<number, Related>, count: number, share: number): Omission {
  const table = relations.get(key.relation)?.identifier;
  const on = table === undefined ? '' : ` of ${table.schema}.${table.name}`;
  const why = `views make ${count} relationships of it, of which ${share} can be embedded`;
  return { what: `the foreign key ${key.name}${on}`, why };
}

function cutJunction({ identifier: { schema, name } }: Related, count: number, share: number): Omission {
  const why = `its foreign keys join tables in ${count} ways, of which ${share} can be embedded`;
  return { what: `the junction ${schema}.${name}`, why };
}

function* inOrder(
  relations: ReadonlyMap<number, Related>,
  detected: ReadonlyMap<Related, readonly Relationship[]>,
  computed: readonly ComputedRelationship[],
): Stage<Relationship[]> {
  const computedOf = yield* groupByName(computed, ({ table }) => table);
  const all: Relationship[] = [];
  for (const relation of relations.values()) {
    const own = findNamed(computedOf, relation.identifier.schema, relation.identifier.name) ?? [];
    const overridden = new Set(own.map(({ routine }) => identity(routine)));
    const kept =
      overridden.size === 0
        ? detected.get(relation)
        : detected.get(relation)?.filter(({ foreign }) => !overridden.has(identity(foreign)));
    for (const relationship of yield* sorted(kept ?? [], compareRelationships)) all.push(relationship);
    for (const relationship of yield* sorted(own, compareRelationships)) all.push(relationship);
    yield;
  }
  return all;
}

/** No name of PostgreSQL's contains a NUL. */
function identity({ schema, name }: Identifier): string {
  return `${schema}\0${name}`;
}

/** Extra columns in the junction's key are fine; a key outside it is not: its rows could join the same two rows twice. */
function isInPrimaryKey(owner: KeyEnd, keys: Keys, viewKeys: ViewKeys): boolean {
  const primary = (owner.relation.isView ? viewKeys.primary : keys.primary).get(owner.relation.oid) ?? [];
  return owner.columns.every((column) => primary.includes(column));
}
