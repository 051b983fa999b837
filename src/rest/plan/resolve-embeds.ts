// Every embed of the draft finds its relationship; then the rules that need to know both ends are checked, in the order
// in which their errors win: related orders, filters on embeds, aggregates.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Filter, JoinType, LogicTree, OrderTerm } from '../request/api-request.ts';
import { MAX_RETURNS } from '../request/limits.ts';
import type { Relationship, SchemaCache, Table } from '../schema-cache/schema-cache.ts';
import { type ColumnItem, type Draft, outputName } from './draft.ts';
import { columnsOf, type KnownColumns } from './field-ref.ts';
import { findRelationship } from './find-relationship.ts';
import type { PlanError } from './plan-error.ts';

/** A draft whose embeds know their relationship. */
export type Resolved = {
  readonly draft: Draft;
  readonly columns: KnownColumns | undefined;
  readonly embeds: readonly ResolvedEmbed[];
};
export type ResolvedEmbed = {
  readonly name: string;
  readonly target: string;
  readonly spread: boolean;
  readonly join: JoinType | undefined;
  readonly relationship: Relationship;
  readonly toOne: boolean;
  readonly inside: Resolved;
};

export type EmbedContext = {
  readonly cache: SchemaCache;
  readonly schema: string;
  readonly aggregatesEnabled: boolean;
};

/** `table` has the relationships, `columns` the columns; a function's own rows have only the latter. */
type Origin = { readonly name: string; readonly table: Table | undefined; readonly columns: KnownColumns | undefined };

export function resolveEmbeds(draft: Draft, origin: Origin, context: EmbedContext): Result<Resolved, PlanError> {
  const resolved = resolve(draft, origin, context, { seen: [keyOf(origin)], returns: 0 });
  if (!resolved.ok) return resolved;
  const problem =
    findBadRelatedOrder(resolved.value, origin.name) ??
    findBadEmbedFilter(resolved.value) ??
    findForbiddenAggregate(resolved.value, context.aggregatesEnabled);
  return problem === undefined ? resolved : err(problem);
}

/** The relations from the root to here, and how often many rows of one of them were embedded again. */
type Way = { readonly seen: readonly string[]; readonly returns: number; readonly last?: Relationship };

/** Children of children are no rows that were there before: a tree is walked down as far as it goes. */
function isDescent(relationship: Relationship, { last }: Way): boolean {
  return relationship.isSelf && relationship.kind !== 'many-to-many' && (last === undefined || last === relationship);
}

function keyOf({ table, name }: Origin): string {
  return JSON.stringify([table?.schema, table?.name ?? name]);
}

function resolve(draft: Draft, origin: Origin, context: EmbedContext, way: Way): Result<Resolved, PlanError> {
  const embeds: ResolvedEmbed[] = [];
  for (const { item, draft: inner } of draft.embeds) {
    const found = findRelationship(context.cache, context.schema, origin, { target: item.name, hint: item.hint });
    if (!found.ok) return found;
    const { foreign } = found.value;
    const table = context.cache.table(foreign.schema, foreign.name);
    const columns = table === undefined ? undefined : columnsOf(table);
    const next: Origin = { name: foreign.name, table, columns };
    const isReturn = !isToOne(found.value) && !isDescent(found.value, way) && way.seen.includes(keyOf(next));
    const returns = way.returns + (isReturn ? 1 : 0);
    if (returns > MAX_RETURNS) return err({ kind: 'embed-returns', name: item.name, most: MAX_RETURNS });
    const inside = resolve(inner, next, context, {
      seen: [...way.seen, keyOf(next)],
      returns,
      last: found.value,
    });
    if (!inside.ok) return inside;
    embeds.push({
      name: outputName(item),
      target: item.name,
      spread: item.kind === 'spread',
      join: item.join,
      relationship: found.value,
      toOne: isToOne(found.value),
      inside: inside.value,
    });
  }
  return ok({ draft, columns: origin.columns, embeds });
}

function isToOne(relationship: Relationship): boolean {
  return relationship.kind === 'computed'
    ? relationship.toOne
    : relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one';
}

function findBadRelatedOrder(node: Resolved, origin: string): PlanError | undefined {
  for (const term of node.draft.order) {
    if (term.relation === undefined) continue;
    const embed = embedNamed(node.embeds, term.relation);
    if (embed === undefined) return { kind: 'not-embedded', name: term.relation };
    if (!embed.toOne && !countsRows(term)) return { kind: 'related-order-not-to-one', origin, name: term.relation };
  }
  return firstOf(node.embeds, (embed) => findBadRelatedOrder(embed.inside, embed.relationship.foreign.name));
}

/** An embed can be asked only whether it has rows; a column of the same name can be asked anything. */
function findBadEmbedFilter(node: Resolved): PlanError | undefined {
  const bad = [...node.draft.filters, ...node.draft.logic.flatMap(filtersOf)].find(
    (filter) =>
      filter.field.path.length === 0 &&
      !isNullTest(filter) &&
      node.columns !== undefined &&
      !node.columns.columns.has(filter.field.name) &&
      node.embeds.some((embed) => embed.name === filter.field.name),
  );
  if (bad !== undefined) return { kind: 'bad-embed-filter', name: bad.field.name };
  return firstOf(node.embeds, (embed) => findBadEmbedFilter(embed.inside));
}

function findForbiddenAggregate(root: Resolved, enabled: boolean): PlanError | undefined {
  const hasAggregate = (node: Resolved): boolean =>
    usesAggregates(node) || node.embeds.some((embed) => hasAggregate(embed.inside));
  if (!enabled && hasAggregate(root)) return { kind: 'aggregates-disabled' };
  // In a spread an aggregate belongs to the row it is spread into, which to-many rows do not have.
  const spreadAggregate = (node: Resolved): boolean =>
    node.draft.columns.some(isAggregate) || node.embeds.some((embed) => embed.spread && spreadAggregate(embed.inside));
  const misplaced = (node: Resolved): boolean =>
    node.embeds.some(
      (embed) => (embed.spread && !embed.toOne && spreadAggregate(embed.inside)) || misplaced(embed.inside),
    );
  const isRefined = (item: ColumnItem): boolean =>
    item.kind === 'window' ||
    ((item.kind === 'field' || item.kind === 'count') && (item.over ?? item.filter) !== undefined) ||
    (item.kind === 'field' && item.distinct === true);
  const refined = (node: Resolved): boolean =>
    node.embeds.some((embed) => (embed.spread && embed.inside.draft.columns.some(isRefined)) || refined(embed.inside));
  if (refined(root))
    return {
      kind: 'not-implemented',
      feature: 'Window functions, and aggregates with a filter or distinct, are not implemented in spreads.',
    };
  return misplaced(root)
    ? { kind: 'not-implemented', feature: 'Aggregates are not implemented for one-to-many or many-to-many spreads.' }
    : undefined;
}

/** Of a group, not over a window. */
function isAggregate(item: ColumnItem): boolean {
  if (item.kind !== 'count' && item.kind !== 'field') return false;
  return item.over === undefined && (item.kind === 'count' || item.aggregate !== undefined);
}

/** Whether rows become groups. */
export function isGrouped({ columns, having, order }: Draft): boolean {
  return columns.some(isAggregate) || having.length > 0 || order.some(({ aggregate }) => aggregate !== undefined);
}

/** Everything that `db-aggregates-enabled` is about: what looks at many rows to show one. */
function usesAggregates({ draft, embeds }: Resolved): boolean {
  return (
    isGrouped(draft) ||
    draft.distinct !== undefined ||
    draft.columns.some(
      (item) =>
        item.kind === 'window' ||
        (item.kind === 'field' && item.over !== undefined) ||
        (item.kind === 'count' && item.over !== undefined),
    ) ||
    draft.order.some((term) => countsRows(term) && embeds.some((embed) => embed.name === term.relation && !embed.toOne))
  );
}

/** `embed(count)` */
export function countsRows({ relation, field, calls }: OrderTerm): boolean {
  return relation !== undefined && field.name === 'count' && field.path.length === 0 && calls === undefined;
}

function filtersOf(tree: LogicTree): readonly Filter[] {
  return tree.kind === 'filter' ? [tree.filter] : tree.children.flatMap(filtersOf);
}

export function isNullTest(filter: Filter): boolean {
  return filter.operation.kind === 'is' && filter.operation.word === 'null';
}

function embedNamed<T extends { readonly name: string }>(embeds: readonly T[], name: string): T | undefined {
  return embeds.find((embed) => embed.name === name);
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
