// What a dialog asks for → an expression in CQL2 as JSON, and the rows that are meant as a condition. Pure.

export const CLEANINGS = ['replace', 'replace-cell', 'trim', 'upper', 'lower', 'empty'] as const;
export type Cleaning = (typeof CLEANINGS)[number];

/** Whether something is looked for, and whether something is put in its place. */
export const ASKS: Readonly<Record<Cleaning, { readonly find: boolean; readonly by: boolean }>> = {
  replace: { find: true, by: true },
  'replace-cell': { find: true, by: true },
  trim: { find: false, by: false },
  upper: { find: false, by: false },
  lower: { find: false, by: false },
  empty: { find: true, by: false },
};

/** Undefined: something is missing. */
export function cleanExpression(column: string, how: Cleaning, find: string, by: string): unknown {
  const cell = { property: column };
  if (column === '' || (ASKS[how].find && find === '')) return undefined;
  switch (how) {
    case 'replace':
      return { op: 'replace', args: [cell, find, by] };
    case 'replace-cell':
      return { op: 'if', args: [{ op: '=', args: [cell, find] }, by, cell] };
    case 'empty':
      return { op: 'nullif', args: [cell, find] };
    default:
      return { op: how, args: [cell] };
  }
}

export type RowTarget =
  /** Those that were chosen one by one. */
  | { readonly kind: 'some'; readonly key: string; readonly names: readonly (string | number)[] }
  /** All that are shown, on whatever page. */
  | {
      readonly kind: 'all';
      readonly filter: unknown;
      /** Undefined: wherever they lie. */
      readonly extent: readonly [number, number, number, number] | undefined;
    };

/** Undefined: every row. */
export function targetFilter(target: RowTarget): unknown {
  if (target.kind === 'some') return { op: 'in', args: [{ property: target.key }, target.names] };
  const { filter, extent } = target;
  const inside =
    extent === undefined ? undefined : { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: extent }] };
  const parts = [filter, inside].filter((part) => part !== undefined);
  return parts.length > 1 ? { op: 'and', args: parts } : parts[0];
}

/** How a column is written in an expression. */
export function columnWord(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !RESERVED.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

const RESERVED: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'is',
  'null',
  'like',
  'between',
  'in',
  'true',
  'false',
  'div',
]);

/** Functions to choose from, as they are written. */
export const FUNCTION_CALLS: readonly string[] = [
  'upper()',
  'lower()',
  'trim()',
  "replace(, '', '')",
  'concat(, )',
  'substring(, 1, 3)',
  "split(, ' ', 1)",
  'length()',
  'round(, 2)',
  'floor()',
  'abs()',
  'coalesce(, 0)',
  "nullif(, '')",
  'if( > 0, , )',
  'to_text()',
  'to_number()',
  'to_integer()',
  'to_date()',
  'year()',
  'month()',
  'day()',
  'days_between(, today())',
  'area(geometry)',
  'length(geometry)',
  'perimeter(geometry)',
  'centroid_x(geometry)',
  'centroid_y(geometry)',
  'distance(geometry, POINT(0 0))',
];
