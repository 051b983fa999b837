// Whether administrators run SQL, told to the database, which refuses it where they do not.

import type { CallerDb } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';

export async function setSqlConsole(db: CallerDb, isOn: boolean): Promise<Result<void, DbError>> {
  const set = await db.service([{ text: 'select portal.set_sql_console($1::boolean)', params: [String(isOn)] }]);
  return set.ok ? ok(undefined) : set;
}
