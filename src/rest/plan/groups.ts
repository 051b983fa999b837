// Groups, windows and distinct rows of the request as parts of the plan.

import type { AggregateCall, HavingFilter, LogicTree, OrderTerm, Over, Value } from '../request/api-request.ts';
import { plainCondition } from './conditions.ts';
import type { ColumnItem, Draft } from './draft.ts';
import { type FieldTypes, fieldOutputName, type KnownColumns, valueRef } from './field-ref.ts';
import type { FieldRef, Having, Measure, OrderBy, WindowRows } from './plan.ts';

type Known = KnownColumns | undefined;

function measureOf(
  value: Value | undefined,
  { fn, distinct, filter }: AggregateCall,
  known: Known,
  cache: FieldTypes,
): Measure {
  return {
    field: value === undefined || fn === 'rows' ? undefined : valueRef(value, known, cache),
    fn,
    distinct: distinct === true,
    filter: (filter ?? []).map((tree) => plainCondition(tree, known, cache)),
  };
}

/** The aggregate that an item of select shows. */
function measureOfItem(item: ColumnItem, known: Known, cache: FieldTypes): Measure | undefined {
  if (item.kind === 'count')
    return item.over === undefined
      ? measureOf(undefined, { fn: 'rows', ...withFilter(item) }, known, cache)
      : undefined;
  if (item.kind !== 'field' || item.aggregate === undefined || item.over !== undefined) return undefined;
  const call = { fn: item.aggregate, ...(item.distinct && { distinct: item.distinct }), ...withFilter(item) };
  return measureOf(item, call, known, cache);
}

function withFilter({ filter }: { readonly filter?: readonly LogicTree[] }): Pick<AggregateCall, 'filter'> {
  return filter === undefined ? {} : { filter };
}

function shownAs(item: ColumnItem): string | undefined {
  if (item.kind === 'count') return item.alias ?? 'count';
  if (item.kind !== 'field') return undefined;
  return item.alias ?? item.aggregate ?? fieldOutputName(item.field);
}

function itemNamed(name: string, draft: Draft, known: Known, cache: FieldTypes): Measure | undefined {
  for (const item of draft.columns) {
    const measure = shownAs(item) === name ? measureOfItem(item, known, cache) : undefined;
    if (measure !== undefined) return measure;
  }
  return undefined;
}

/** An order by an aggregate: one that the term calls, or the one that select shows under its name, where no column has that. */
export function measureOfTerm(term: OrderTerm, draft: Draft, known: Known, cache: FieldTypes): Measure | undefined {
  if (term.relation !== undefined) return undefined;
  if (term.aggregate !== undefined) return measureOf(term, term.aggregate, known, cache);
  const isBare = term.calls === undefined && term.cast === undefined && term.field.path.length === 0;
  if (!isBare || known?.columns.has(term.field.name) === true) return undefined;
  return itemNamed(term.field.name, draft, known, cache);
}

/** Whether the term is the name that select shows a function or a window by, where no column has that. */
export function isShownName(term: OrderTerm, draft: Draft, known: Known): boolean {
  if (term.relation !== undefined || term.calls !== undefined || term.cast !== undefined) return false;
  const { name, path } = term.field;
  if (path.length > 0 || known?.columns.has(name) === true) return false;
  return draft.columns.some((item) => {
    if (item.kind === 'window') return (item.alias ?? item.fn) === name;
    if (item.kind === 'count') return item.over !== undefined && (item.alias ?? 'count') === name;
    return item.kind === 'field' && item.alias === name && (item.calls ?? item.over) !== undefined;
  });
}

/** A name that select shows no aggregate by is that of a column. */
export function havingOf(draft: Draft, known: Known, cache: FieldTypes): readonly Having[] {
  const leaf = ({ of, negated, operation }: HavingFilter): Having => {
    const measure =
      'name' in of ? itemNamed(of.name, draft, known, cache) : measureOf(of.value, of.aggregate, known, cache);
    if (measure !== undefined) return { kind: 'measure', measure, negated, operation };
    const name = 'name' in of ? of.name : '';
    return { kind: 'filter', field: valueRef({ field: { name, path: [] } }, known, cache), negated, operation };
  };
  const walk = (tree: LogicTree<HavingFilter>): Having =>
    tree.kind === 'filter'
      ? leaf(tree.filter)
      : { kind: 'group', operator: tree.operator, negated: tree.negated, children: tree.children.map(walk) };
  return draft.having.map(walk);
}

export function windowRows({ partition, order }: Over, known: Known, cache: FieldTypes): WindowRows {
  return {
    partition: partition.map((value) => valueRef(value, known, cache)),
    order: order.map((term) => ({
      by: { kind: 'own', field: valueRef(term, known, cache) },
      direction: term.direction,
      nulls: term.nulls,
    })),
  };
}

/** DISTINCT ON takes the first row of each, so the order has to begin with its values: those terms move to the front, or are put there. */
export function distinctFirst(distinct: readonly FieldRef[], order: readonly OrderBy[]): readonly OrderBy[] {
  if (distinct.length === 0) return order;
  const wanted = new Map(distinct.map((field) => [identity(field), field]));
  const isWanted = ({ by }: OrderBy): boolean => by.kind === 'own' && wanted.has(identity(by.field));
  const first = order.filter(isWanted);
  const given = new Set(first.map(({ by }) => (by.kind === 'own' ? identity(by.field) : '')));
  const added = [...wanted].filter(([key]) => !given.has(key));
  return [
    ...first,
    ...added.map(([, field]): OrderBy => ({ by: { kind: 'own', field }, direction: undefined, nulls: undefined })),
    ...order.filter((term) => !isWanted(term)),
  ];
}

function identity({ column, path, cast, calls }: FieldRef): string {
  return JSON.stringify([column, path, cast, calls]);
}
