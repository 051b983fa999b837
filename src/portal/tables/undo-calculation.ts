// A calculation undone as one step, as the caller: each value that is still the one that was calculated becomes what it was before. A column that was
// made for it goes, as others do that are dropped.

import type { Caller } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Session } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { AS_LOGIN, asCaller } from '../uploads/service-scope.ts';
import { bulkChange, statement } from '../uploads/service-transaction.ts';
import { type ColumnError, changeIn, columnsOf, execute, PLAIN_TEXTS } from './change-columns.ts';
import type { RestoredRows } from './restored-rows.ts';

export async function undoCalculation(
  session: Session,
  caller: Caller,
  target: number,
  kept: string,
): Promise<Result<RestoredRows, ColumnError>> {
  const asked = await execute(session, [
    asCaller(caller),
    statement('select portal.kept_details($1, $2)', String(target), kept),
    statement('select portal.changeable_table($1)', String(target)),
  ]);
  if (!asked.ok) return asked;
  const { column, created } = JSON.parse(asked.value[1]?.[0]?.[0] ?? '{}') as {
    readonly column?: string;
    readonly created?: boolean;
  };
  const table = asked.value[2]?.[0]?.[0];
  if (column === undefined || typeof table !== 'string') return err({ kind: 'no-column' });
  const into = `layers.${quoteIdent(table)}`;
  const read = await execute(session, [AS_LOGIN, columnsOf(into)]);
  if (!read.ok) return read;
  const columns = read.value[1] ?? [];
  const type = columns.find(([name]) => name === column)?.[1];
  const [key, keyType] = columns.find(([, , isKey]) => isKey === 't') ?? [];
  if (typeof type !== 'string') return err({ kind: 'refused', said: `The column "${column}" is not there any more.` });
  if (typeof key !== 'string' || typeof keyType !== 'string')
    return err({ kind: 'refused', said: 'The table has no key of one column.' });
  const cell = quoteIdent(column);
  const undone = await execute(session, [
    ...PLAIN_TEXTS,
    bulkChange('undo', caller),
    asCaller(caller),
    statement(
      `with was as materialized (select k.key, k.old_value, k.new_value from portal.kept_changed($1, $2) k),
         back as (
           update ${into} t set ${cell} = w.old_value::${type} from was w
            where t.${quoteIdent(key)} = w.key::${keyType} and t.${cell}::text is not distinct from w.new_value returning 1)
       select (select count(*) from was), (select count(*) from back), (select count(*) from ${into})`,
      String(target),
      kept,
    ),
    AS_LOGIN,
    statement('select portal.forget_kept($1)', kept),
  ]);
  if (!undone.ok) return undone;
  const [all = 0, restored = 0, rows = 0] = (undone.value.at(-3)?.[0] ?? []).map(Number);
  if (created === true && restored === all) {
    const dropped = await changeIn(session, caller, target, { kind: 'drop', column });
    if (!dropped.ok) return dropped;
  }
  return ok({ before: rows, after: rows, restored, stayed: all - restored });
}
