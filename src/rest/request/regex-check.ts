// Which regular expressions of `match` and `imatch` PostgreSQL is trusted with. The values are in their slots already; in: the
// conditions and the values. Out: the first complaint.

import { LENIENT, regexComplaint } from '../../sql/regex-limits.ts';
import type { At, Filter, LogicTree } from './api-request.ts';
import type { RequestError } from './request-error.ts';

export function refusedRegex(
  filters: readonly At<Filter>[],
  logic: readonly At<LogicTree>[],
  values: readonly string[],
): RequestError | undefined {
  for (const { value } of filters) {
    const refused = refusedIn(value, values);
    if (refused !== undefined) return refused;
  }
  for (const { value } of logic) {
    const refused = refusedInTree(value, values);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function refusedInTree(tree: LogicTree, values: readonly string[]): RequestError | undefined {
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

function refusedIn({ operation }: Filter, values: readonly string[]): RequestError | undefined {
  if (operation.kind !== 'compare') return undefined;
  if (operation.operator !== 'match' && operation.operator !== 'imatch') return undefined;
  const text = values[operation.value] ?? '';
  const why = regexComplaint(operation.quantifier === undefined ? text : unescaped(text), LENIENT);
  return why === undefined ? undefined : { kind: 'regex-refused', why };
}
