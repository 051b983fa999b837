// Which regular expressions of `match` and `imatch` PostgreSQL is trusted with. The values are in their slots already; in: the
// conditions and the values. Out: the first complaint.

import { LENIENT, regexComplaint } from '../../sql/regex-limits.ts';
import type { At, Filter, HavingFilter, LogicTree, Operation, OrderTerm, SelectItem } from './api-request.ts';
import type { RequestError } from './request-error.ts';

type Parsed = {
  readonly select: readonly SelectItem[];
  readonly filters: readonly At<Filter>[];
  readonly logic: readonly At<LogicTree>[];
  readonly order: readonly At<readonly OrderTerm[]>[];
  readonly having: readonly At<LogicTree<HavingFilter>>[];
};

export function refusedRegex(parsed: Parsed, values: readonly string[]): RequestError | undefined {
  for (const { value } of parsed.filters) {
    const refused = refusedIn(value, values);
    if (refused !== undefined) return refused;
  }
  for (const { value } of parsed.logic) {
    const refused = refusedInTree(value, values);
    if (refused !== undefined) return refused;
  }
  // Aggregates have conditions of their own, which hold values; most requests have none.
  for (const tree of aggregateConditions(parsed)) {
    const refused = refusedInTree(tree, values);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function* aggregateConditions({ select, order, having }: Parsed): Generator<LogicTree<Conditioned>> {
  yield* conditionsOfItems(select);
  for (const { value } of order) for (const { aggregate } of value) yield* aggregate?.filter ?? [];
  for (const { value } of having) {
    yield value;
    yield* conditionsOfHaving(value);
  }
}

function* conditionsOfItems(items: readonly SelectItem[]): Generator<LogicTree> {
  for (const item of items) {
    if (item.kind === 'embed' || item.kind === 'spread') yield* conditionsOfItems(item.items);
    else if (item.kind === 'field' || item.kind === 'count') yield* item.filter ?? [];
  }
}

function* conditionsOfHaving(tree: LogicTree<HavingFilter>): Generator<LogicTree> {
  if (tree.kind === 'group') for (const child of tree.children) yield* conditionsOfHaving(child);
  else if ('aggregate' in tree.filter.of) yield* tree.filter.of.aggregate.filter ?? [];
}

type Conditioned = { readonly operation: Operation };

function refusedInTree(tree: LogicTree<Conditioned>, values: readonly string[]): RequestError | undefined {
  if (tree.kind === 'filter') return refusedIn(tree.filter, values);
  for (const child of tree.children) {
    const refused = refusedInTree(child, values);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Of several (`match(any)`) the list is judged as one, as it reads without the backslashes of an array's text. */
function unescaped(array: string): string {
  return array.replace(/\\(.)/gs, '$1');
}

function refusedIn({ operation }: Conditioned, values: readonly string[]): RequestError | undefined {
  if (operation.kind !== 'compare') return undefined;
  if (operation.operator !== 'match' && operation.operator !== 'imatch') return undefined;
  const text = values[operation.value] ?? '';
  const why = regexComplaint(operation.quantifier === undefined ? text : unescaped(text), LENIENT);
  return why === undefined ? undefined : { kind: 'regex-refused', why };
}
