// A column's name → the query parameter that filters by it: quoted where the plain name would mean something else.

const PLAIN = /^(?! )(?:[\p{L}\p{N}_$ ]|-(?!>))+(?<! )$/u;

/** Parameters that steer a request; none of them can be the bare name of a filter or argument. */
const RESERVED: ReadonlySet<string> = new Set([
  'select',
  'columns',
  'on_conflict',
  'order',
  'limit',
  'offset',
  'and',
  'or',
]);

export function isReservedParameter(name: string): boolean {
  return RESERVED.has(name.slice(name.lastIndexOf('.') + 1));
}

export function filterKey(column: string): string {
  if (PLAIN.test(column) && !RESERVED.has(column)) return column;
  return `"${column.replace(/["\\]/g, '\\$&')}"`;
}
