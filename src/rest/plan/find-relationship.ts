// Which relationship an embed means: by the related table's name, a foreign key's name or its column, and a hint where
// several would fit.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Relationship, SchemaCache, Table } from '../schema-cache/schema-cache.ts';
import type { PlanError } from './plan-error.ts';

export type EmbedName = { readonly target: string; readonly hint: string | undefined };

export function findRelationship(
  cache: SchemaCache,
  schema: string,
  origin: { readonly name: string; readonly table: Table | undefined },
  asked: EmbedName,
): Result<Relationship, PlanError> {
  const reachable = origin.table === undefined ? [] : cache.relationshipsOf(origin.table);
  const matches = reachable.filter((relationship) => isMeant(relationship, asked));
  const [only, another] = matches;
  if (only !== undefined && another === undefined) return ok(only);
  if (only !== undefined) {
    return err({
      kind: 'ambiguous-embed',
      origin: origin.name,
      target: asked.target,
      candidates: matches,
    });
  }
  return err({
    kind: 'relationship-not-found',
    schema,
    origin: origin.name,
    target: asked.target,
    hint: asked.hint,
    near: nearestNames(cache, schema, origin.name, reachable, asked.target),
  });
}

function isMeant(relationship: Relationship, { target, hint }: EmbedName): boolean {
  if (relationship.kind === 'computed') return relationship.routine.name === target;
  const namesTable = relationship.foreign.name === target;
  if (relationship.isSelf) {
    // The table's name means its children, the key's column means the parent: both sides have the same name.
    if (hint !== undefined)
      return (
        namesTable &&
        relationship.kind === 'one-to-many' &&
        (singleColumn(relationship, 'foreign') === hint || relationship.constraint === hint)
      );
    if (namesTable) return relationship.kind === 'one-to-many';
    return relationship.kind === 'many-to-one' && singleColumn(relationship, 'own') === target;
  }
  if (hint === undefined) {
    if (namesTable) return true;
    // A key or its column names the table the key points at, never a view of it: the views would all fit.
    if (relationship.foreignIsView || relationship.kind === 'many-to-many') return false;
    return relationship.constraint === target || singleColumn(relationship, 'own') === target;
  }
  if (!namesTable) return false;
  if (relationship.kind === 'many-to-many') return relationship.junction.name === hint;
  return (
    relationship.constraint === hint ||
    singleColumn(relationship, 'own') === hint ||
    singleColumn(relationship, 'foreign') === hint
  );
}

function singleColumn(
  relationship: Exclude<Relationship, { kind: 'computed' }>,
  side: 'own' | 'foreign',
): string | undefined {
  const [pair, another] = relationship.columns;
  if (pair === undefined || another !== undefined || relationship.kind === 'many-to-many') return undefined;
  return side === 'own' ? pair[0] : pair[1];
}

function nearestNames(
  cache: SchemaCache,
  schema: string,
  origin: string,
  reachable: readonly Relationship[],
  target: string,
): { instead: 'origin' | 'target'; name: string } | undefined {
  if (reachable.length === 0) {
    const name = cache.nearestRelatedTable(schema, origin);
    return name === undefined || name === origin ? undefined : { instead: 'origin', name };
  }
  const names = new Set(
    reachable.map((relationship) =>
      relationship.kind === 'computed' ? relationship.routine.name : relationship.foreign.name,
    ),
  );
  const name = cache.nearestOf([...names], target);
  // The name is right, so the hint beside it is wrong, and another name would only mislead. PostgREST compares without regard to case.
  if (name?.toLowerCase() === target.toLowerCase()) return undefined;
  return name === undefined ? undefined : { instead: 'target', name };
}
