// The rows of a layer kept before a file replaces them, and the keys of those that a file adds, as statements: what is undone later. They run as
// the owner of the table, while its policies do not hold it back. Pure.

import type { Statement } from '../../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../../sql/index.ts';
import { statement } from '../service-transaction.ts';

/** More are not kept: they would be written twice for every file. */
export const MAX_KEPT = 1_000_000;

const AT_ONCE = 1000;

/** A row as JSON; geometries whole, as hexadecimal EWKB. */
function rowText(alias: string, geometry: string | undefined): string {
  const row = `to_jsonb(${alias}.*)`;
  if (geometry === undefined) return row;
  return `${row} || jsonb_build_object(${quoteLiteral(geometry)}, ${alias}.${quoteIdent(geometry)}::text)`;
}

/** `kept`: the number that `portal.keep_data` gave. */
export function keepAll(into: string, geometry: string | undefined, kept: string): Statement {
  return statement(
    `select portal.keep_rows($1, array_agg(x.content)) from (
       select ${rowText('t', geometry)} as content, row_number() over () / ${AT_ONCE} as part from ${into} t) x group by x.part`,
    kept,
  );
}

/** An insert whose new keys are kept. */
export function keepAdded(insert: string, key: string, kept: string): Statement {
  return statement(
    `with added as (${insert} returning ${quoteIdent(key)} as k)
     select portal.keep_rows($1, array_agg(jsonb_build_object('key', x.k))) from (
       select a.k, row_number() over () / ${AT_ONCE} as part from added a) x group by x.part`,
    kept,
  );
}
