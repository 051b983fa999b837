// Words for embeds that cannot be made: no relationship (SVRST200) or more than one (SVRST201).

import type { PlanError } from '../plan/plan-error.ts';
import type { Relationship } from '../schema-cache/schema-cache.ts';
import type { ErrorMessage } from './error-message.ts';

type Of<K extends PlanError['kind']> = Extract<PlanError, { readonly kind: K }>;

export function relationshipNotFoundMessage(error: Of<'relationship-not-found'>): ErrorMessage {
  const { origin, target, schema, hint, near } = error;
  const using = hint === undefined ? '' : ` using the hint '${hint}'`;
  return {
    status: 400,
    code: 'SVRST200',
    message: `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${origin}' and '${target}'${using} in the schema '${schema}', but no matches were found.`,
    hint:
      near === undefined
        ? null
        : `Perhaps you meant '${near.name}' instead of '${near.instead === 'origin' ? origin : target}'.`,
  };
}

export function ambiguousEmbedMessage({ origin, target, candidates }: Of<'ambiguous-embed'>): ErrorMessage {
  const sorted = candidates.toSorted(compareRelationships);
  const choices = sorted.map((relationship) => `'${relationship.foreign.name}!${hintOf(relationship)}'`).join(', ');
  return {
    status: 300,
    code: 'SVRST201',
    message: `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
    details: sorted.map(describeRelationship),
    hint: `Try changing '${target}' to one of the following: ${choices}. Find the desired relationship in the 'details' key.`,
  };
}

function describeRelationship(relationship: Relationship): object {
  const { table, foreign } = relationship;
  return {
    cardinality: cardinality(relationship),
    embedding: `${table.name} with ${foreign.name}`,
    relationship: describeKeys(relationship),
  };
}

function cardinality(relationship: Relationship): string {
  if (relationship.kind !== 'computed') return relationship.kind;
  return relationship.toOne ? 'many-to-one' : 'one-to-many';
}

function describeKeys(relationship: Relationship): string {
  if (relationship.kind === 'computed') return `computed by ${relationship.routine.name}`;
  if (relationship.kind === 'many-to-many') {
    const { junction, constraint, columns, foreignConstraint, foreignColumns } = relationship;
    return `${junction.name} using ${constraint}${list(columns, 1)} and ${foreignConstraint}${list(foreignColumns, 1)}`;
  }
  const { constraint, table, foreign, columns } = relationship;
  return `${constraint} using ${table.name}${list(columns, 0)} and ${foreign.name}${list(columns, 1)}`;
}

function list(pairs: readonly (readonly [string, string])[], side: 0 | 1): string {
  return `(${pairs.map((pair) => pair[side]).join(', ')})`;
}

/** What goes behind the `!` to choose this one. */
function hintOf(relationship: Relationship): string {
  if (relationship.kind === 'computed') return relationship.routine.name;
  return relationship.kind === 'many-to-many' ? relationship.junction.name : relationship.constraint;
}

const KIND_ORDER: { readonly [K in Relationship['kind']]: string } = {
  'one-to-many': '1',
  'many-to-one': '2',
  'one-to-one': '3',
  'many-to-many': '4',
  computed: '5',
};

/** A fixed order, so that the same question has the same answer after every reload. */
function compareRelationships(a: Relationship, b: Relationship): number {
  const left = sortKey(a);
  const right = sortKey(b);
  for (const [i, word] of left.entries()) {
    const other = right[i] ?? '';
    if (word !== other) return word < other ? -1 : 1;
  }
  return 0;
}

function sortKey(relationship: Relationship): readonly string[] {
  const { table, foreign, kind } = relationship;
  const constraints =
    kind === 'computed'
      ? ''
      : kind === 'many-to-many'
        ? `${relationship.constraint}\0${relationship.foreignConstraint}`
        : relationship.constraint;
  return [
    table.schema,
    table.name,
    foreign.schema,
    foreign.name,
    KIND_ORDER[kind],
    hintOf(relationship),
    constraints,
    describeKeys(relationship),
  ];
}
