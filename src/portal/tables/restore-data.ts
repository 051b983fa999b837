// A replacement or addition of a layer's rows by a file, undone: the rows that were there come back, or those that came go. What a restored
// replacement takes away is kept in turn, so that this is undone as well. What was done to one column is undone in files of their own.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Session } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { keepAll } from '../uploads/publish/keep-data.ts';
import { updateExtent } from '../uploads/publish/publish-into.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { accountName, bulkChange, serviceWork, statement } from '../uploads/service-transaction.ts';
import { type ColumnError, columnsOf, execute } from './change-columns.ts';
import type { RestoredRows } from './restored-rows.ts';
import { undoRetyping } from './retype-column.ts';
import { undoCalculation } from './undo-calculation.ts';

export async function restoreData(
  db: CallerDb,
  caller: Caller,
  target: number,
  kept: number,
): Promise<Result<RestoredRows, ColumnError>> {
  return serviceWork(db, (session) => restoreIn(session, caller, target, String(kept)));
}

async function restoreIn(
  session: Session,
  caller: Caller,
  target: number,
  kept: string,
): Promise<Result<RestoredRows, ColumnError>> {
  const asked = await execute(session, [
    asCaller(caller),
    // Whoever undoes the same at the same moment finds nothing to undo any more.
    statement('select portal.hold_table($1)', String(target)),
    statement('select portal.changeable_table($1), portal.kept_kind($1, $2)', String(target), kept),
    AS_LOGIN,
  ]);
  if (!asked.ok) return asked;
  const [table, kind] = asked.value[2]?.[0] ?? [];
  if (typeof table === 'string' && (kind === 'calculate' || kind === 'type'))
    return restoreColumnChange(session, caller, target, kept, kind);
  if (typeof table !== 'string' || (kind !== 'replace' && kind !== 'append')) return err({ kind: 'no-column' });
  const into = `layers.${quoteIdent(table)}`;
  const read = await execute(session, [
    // From here on nobody else changes its rows.
    statement(`alter table ${into} no force row level security`),
    columnsOf(into),
  ]);
  if (!read.ok) return read;
  const columns = read.value[1] ?? [];
  const key = columns.find(([, , isKey]) => isKey === 't');
  const geometry = columns.find(([, , , isGeometry]) => isGeometry === 't')?.[0] ?? undefined;
  if (key === undefined) return err({ kind: 'refused', said: 'The table has no key of one column.' });
  const count = statement(`select count(*) from ${into}`);
  const begin = [bulkChange('undo', caller), count];
  const names = columns.map(([name]) => quoteIdent(name ?? ''));
  const undone =
    kind === 'append'
      ? await removeAdded(session, caller, into, key, kept, begin)
      : await replaceBy(session, target, into, names, geometry, kept, accountName(caller), begin);
  if (!undone.ok) return undone;
  const ended = await execute(session, [
    statement(`alter table ${into} force row level security`),
    statement('select portal.forget_kept($1)', kept),
  ]);
  if (!ended.ok) return ended;
  if (geometry !== undefined) {
    const placed = await updateExtent(session, into, geometry, target);
    if (!placed.ok) return placed.error.kind === 'database' ? err(placed.error) : err({ kind: 'no-column' });
  }
  const counted = (cells: (typeof undone.value)[number] | undefined): number => Number(cells?.[0]?.[0] ?? 0);
  return ok({ before: counted(undone.value[1]), after: counted(undone.value.at(-1)) });
}

function restoreColumnChange(
  session: Session,
  caller: Caller,
  target: number,
  kept: string,
  kind: 'calculate' | 'type',
): Promise<Result<RestoredRows, ColumnError>> {
  return kind === 'calculate'
    ? undoCalculation(session, caller, target, kept)
    : undoRetyping(session, caller, target, kept);
}

/** As the caller: only truncating is for the owner alone. */
async function removeAdded(
  session: Session,
  caller: Caller,
  into: string,
  [name, type]: readonly (string | null)[],
  kept: string,
  begin: Parameters<typeof execute>[1],
): ReturnType<typeof execute> {
  const keys = await execute(session, [
    statement(`select coalesce(json_agg(r ->> 'key'), '[]') from portal.kept_rows($1) r`, kept),
  ]);
  if (!keys.ok) return keys;
  return execute(session, [
    ...begin,
    asCaller(caller),
    statement(
      `delete from ${into} t using json_array_elements_text($1::json) k where t.${quoteIdent(name ?? '')} = k::${type}`,
      keys.value[0]?.[0]?.[0] ?? '[]',
    ),
    AS_LOGIN,
    statement(`select count(*) from ${into}`),
  ]);
}

async function replaceBy(
  session: Session,
  target: number,
  into: string,
  names: readonly string[],
  geometry: string | undefined,
  kept: string,
  by: string | null,
  begin: Parameters<typeof execute>[1],
): ReturnType<typeof execute> {
  const next = await execute(session, [
    statement('select portal.keep_data($1, $2, $3)', String(target), 'replace', by),
  ]);
  if (!next.ok) return next;
  return execute(session, [
    ...begin,
    keepAll(into, geometry, next.value[0]?.[0]?.[0] ?? ''),
    statement(`truncate ${into}`),
    statement(
      `insert into ${into} (${names.join(', ')}) overriding system value
       select ${names.map((name) => `v.${name}`).join(', ')} from portal.kept_rows($1) r, jsonb_populate_record(null::${into}, r) v`,
      kept,
    ),
    statement(`select count(*) from ${into}`),
  ]);
}
