// Values in statements about layers, as parameters; and the ends of such statements: one that runs, and one that is copied.
//
// A value is an object, so that equal texts at two places stay two parameters: `limit 5` and `"year" = 5` have different types. None of
// these statements has a name: PostgreSQL plans each with its values, as it would with literals, and finds the same indexes.

import type { Statement } from '../../pg/driver.ts';
import { type Fragment, inline, join, render, sql } from '../../sql/index.ts';

type Value = { readonly text: string };
export type Sql = Fragment<Value>;

/** Takes the type of what it is compared with. */
export function value(text: string): Sql {
  return sql<Value>`${{ text }}`;
}

export function text(words: string): Sql {
  return sql`${value(words)}::text`;
}

/** A number of any size: a coordinate, a distance. */
export function number(of: number): Sql {
  return sql`${value(String(of))}::double precision`;
}

/** A number that PostGIS wants as an integer: of a coordinate system, of digits. */
export function whole(of: number): Sql {
  return sql`${value(String(of))}::integer`;
}

/** A list, for `= any(…)`: one parameter however long it is. */
export function list(texts: readonly string[]): Sql {
  return value(`{${texts.map((one) => `"${one.replace(/["\\]/g, '\\$&')}"`).join(',')}}`);
}

/** Conditions that all have to hold. */
export function allOf(conditions: readonly Sql[]): Sql {
  return join(conditions, ' and ');
}

/** The condition that always holds. */
export const EVERY_ROW: Sql = sql`true`;

export function toStatement(fragment: Sql): Statement {
  const { text: words, params } = render(fragment);
  return { text: words, params: params.map((param) => param.text) };
}

export type CopyFormat = 'binary' | 'csv' | 'text';

/** `copy (…) to stdout`: the one statement without parameters. `hasHeader`: of CSV, the names of its columns come first. */
export function toCopy(select: Sql, format: CopyFormat, hasHeader = true): string {
  const options = format === 'csv' && hasHeader ? 'format csv, header' : `format ${format}`;
  return `copy (${inline(select, (param) => param.text)}) to stdout (${options})`;
}
