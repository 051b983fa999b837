// Filters of the request as conditions of the plan.

import type { Filter, LogicTree, QueryParams } from '../request/api-request.ts';
import { extensionOfOperation } from './extensions.ts';
import { type FieldTypes, fieldRef, type KnownColumns } from './field-ref.ts';
import type { Condition } from './plan.ts';

export function filterCondition(filter: Filter, table: KnownColumns | undefined, cache: FieldTypes): Condition {
  const { operation } = filter;
  const extension = extensionOfOperation(operation);
  const schema = extension === undefined ? undefined : cache.extensions.get(extension);
  return {
    kind: 'filter',
    field: fieldRef(filter.field, table, cache),
    negated: filter.negated,
    operation,
    ...(operation.kind === 'column' && { other: fieldRef(operation.other, table, cache) }),
    ...(schema !== undefined && { schema }),
    ...(operation.kind === 'search' && cache.textSearch !== undefined && { configuration: cache.textSearch }),
  };
}

/** A tree of conditions on columns alone. */
export function plainCondition(tree: LogicTree, table: KnownColumns | undefined, cache: FieldTypes): Condition {
  if (tree.kind === 'filter') return filterCondition(tree.filter, table, cache);
  const { operator, negated } = tree;
  return { kind: 'group', operator, negated, children: tree.children.map((one) => plainCondition(one, table, cache)) };
}

/** Filters and logic of a write's own rows: nothing is embedded yet, so every name is a column. */
export function rootConditions(query: QueryParams, table: KnownColumns, cache: FieldTypes): readonly Condition[] {
  return [
    ...query.filters.filter(({ at }) => at.length === 0).map(({ value }) => filterCondition(value, table, cache)),
    ...query.logic.filter(({ at }) => at.length === 0).map(({ value }) => plainCondition(value, table, cache)),
  ];
}
