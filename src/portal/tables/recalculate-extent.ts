// The extent of a layer computed from its rows: it grows by itself where rows lie outside of it, and shrinks when somebody who may change the rows
// asks.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { quoteIdent } from '../../sql/index.ts';
import { updateExtent } from '../uploads/publish/publish-into.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { serviceWork, statement } from '../uploads/service-transaction.ts';
import { type ColumnError, execute } from './change-columns.ts';

export async function recalculateExtent(
  db: CallerDb,
  caller: Caller,
  target: number,
): Promise<Result<undefined, ColumnError>> {
  return serviceWork<undefined, ColumnError>(db, async (session) => {
    const kind = await execute(session, [
      asCaller(caller),
      statement(
        `select r.resource_id from portal.raster r where r.resource_id = $1 and portal.may(r.resource_id, 'change_resourcebase')`,
        String(target),
      ),
    ]);
    if (!kind.ok) return kind;
    // The extent of a raster is that of its file, and never another.
    if (kind.value[1]?.[0] !== undefined) return ok(undefined);
    const asked = await execute(session, [
      statement('select portal.hold_table($1)', String(target)),
      statement('select portal.changeable_table($1)', String(target)),
      AS_LOGIN,
    ]);
    if (!asked.ok) return asked;
    const into = `layers.${quoteIdent(asked.value[1]?.[0]?.[0] ?? '')}`;
    const place = await execute(session, [
      statement(
        `select a.attname from pg_attribute a join pg_type t on t.oid = a.atttypid
          where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and t.typname = 'geometry' order by a.attnum limit 1`,
        into,
      ),
      statement(`alter table ${into} no force row level security`),
      statement(`select exists (select from ${into})`),
      statement(`alter table ${into} force row level security`),
    ]);
    if (!place.ok) return place;
    const [geometry] = place.value[0]?.[0] ?? [];
    if (typeof geometry !== 'string') return err({ kind: 'refused', said: 'Its rows have no places.' });
    // Without rows there is nothing to compute; the extent stays as it was.
    if (place.value[2]?.[0]?.[0] !== 't') return ok(undefined);
    const updated = await updateExtent(session, into, geometry, target);
    if (updated.ok) return updated;
    const { error } = updated;
    return err(error.kind === 'database' ? error : { kind: 'refused', said: 'The extent could not be computed.' });
  });
}
