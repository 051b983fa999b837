// Whether an account has room for a result, as statements. Pure.

import type { Statement } from '../../../pg/driver.ts';

/** One cell: what a table in `staging` takes. */
export function stagedBytes(table: string): Statement {
  return { text: `select pg_total_relation_size(to_regclass('staging.' || quote_ident($1)))`, params: [table] };
}

/** Raises where the caller has no room for so much more. */
export function spaceFor(bytes: string): Statement {
  return { text: 'select portal.check_storage($1::bigint)', params: [bytes] };
}
