// The coordinate system that somebody named → whether it can be one of data: asked before the import, so that a slip of the pen is
// mended and not its end.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { first, statement } from './service-transaction.ts';

/** What is wrong with it, as a sentence; undefined: nothing. */
export async function crsFault(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  crs: string | undefined,
): Promise<Result<string | undefined, DbError>> {
  if (crs === undefined) return ok(undefined);
  const found = await db.read(caller, info, [
    statement('select proj4text, srtext from spatial_ref_sys where srid = $1', crs.slice('EPSG:'.length)),
  ]);
  if (!found.ok) return found;
  const [row] = textRows(first(found.value));
  if (row === undefined) return ok(`There is no coordinate system ${crs}. A code like EPSG:4326 is required.`);
  // Metres from the middle of the earth are no place on a map.
  const isMap = !/\+proj=geocent/.test(row[0] ?? '') && !/^GEOCCS/.test(row[1] ?? '');
  return ok(isMap ? undefined : `${crs} is no coordinate system of maps. A code like EPSG:4326 is required.`);
}
