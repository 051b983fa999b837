// Keyset pages as SQL: the condition that a row comes behind another in an order, written so that an index can begin there.
//
// Where all columns go in one direction it is one comparison of rows, `(a, b) > ($1, $2)`. Where they do not, or where nulls come last
// and there may be some, it is taken apart column by column, with a bound on the first column that an index can still begin at.

import { ident, join, raw } from '../../sql/index.ts';
import type { Output, Seek, SeekKey } from '../plan/plan.ts';
import { type Sql, slot, sql } from './bind.ts';
import { fieldSql } from './field-sql.ts';

/** Conditions of the rows of the page; none for the first page. */
export function seekSql({ keys, behind }: Seek, alias: string): readonly Sql[] {
  if (behind === undefined) return [];
  return [behindSql(keys.map((key, i) => place(key, behind[i] ?? null, alias)))];
}

/** What a row is ordered by, as texts that read back as the same values. */
export function keyTextsSql({ keys }: Seek, alias: string): Sql {
  return sql`json_build_array(${join(keys.map(({ field }) => sql`${parenthesized(fieldSql(alias, field), field.path.length > 0)}::text`))})`;
}

/** The columns `o1`, `o2` … of a page under the names that they are shown by. */
export function shownColumnsSql(outputs: readonly Output[], page: string): Sql {
  return join(
    outputs.map((output, i) => {
      if (output.kind === 'star') throw new Error('the columns of a keyset page have names');
      return sql`${ident(page, `o${i + 1}`)} as ${ident(output.name)}`;
    }),
  );
}

type Place = { readonly key: SeekKey; readonly column: Sql; readonly value: Sql | undefined };

function place(key: SeekKey, value: number | null, alias: string): Place {
  const column = parenthesized(fieldSql(alias, key.field), key.field.path.length > 0);
  return { key, column, value: value === null ? undefined : sql`${slot(value)}` };
}

function parenthesized(value: Sql, isExpression: boolean): Sql {
  return isExpression ? sql`(${value})` : value;
}

/** Nulls that would come behind the value are found by no comparison. */
function hasNullsBehind({ key }: Place): boolean {
  return key.nullable && key.nulls === 'last';
}

function behindSql(places: readonly Place[]): Sql {
  const [first, ...rest] = places;
  if (first === undefined) return sql`false`;
  const { key, column, value } = first;
  if (isOneComparison(places)) return comparisonSql(places);
  if (value === undefined) {
    // Among nulls that come last nothing but nulls follows; behind those that come first, everything else.
    const among = sql`${column} is null and ${behindSql(rest)}`;
    return key.nulls === 'last' ? sql`(${among})` : sql`(${column} is not null or ${among})`;
  }
  const operator = raw(key.direction === 'asc' ? '>' : '<');
  if (hasNullsBehind(first))
    return rest.length === 0
      ? sql`(${column} ${operator} ${value} or ${column} is null)`
      : sql`(${column} ${operator} ${value} or ${column} is null or ${column} = ${value} and ${behindSql(rest)})`;
  return sql`(${column} ${operator}= ${value} and (${column} ${operator} ${value} or ${behindSql(rest)}))`;
}

function isOneComparison(places: readonly Place[]): boolean {
  const direction = places[0]?.key.direction;
  return places.every((one) => one.value !== undefined && one.key.direction === direction && !hasNullsBehind(one));
}

function comparisonSql(places: readonly Place[]): Sql {
  const operator = raw(places[0]?.key.direction === 'desc' ? '<' : '>');
  const columns = places.map(({ column }) => column);
  const values = places.map(({ value }) => value ?? sql`null`);
  return places.length === 1
    ? sql`${join(columns)} ${operator} ${join(values)}`
    : sql`(${join(columns)}) ${operator} (${join(values)})`;
}
