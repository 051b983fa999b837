// The change log, read: which rows of followed tables were changed by transactions that have ended since a position.
//
// A position is a snapshot of the database. Transactions end in another order than they begin, so that neither a number nor a time would
// do: what committed late would be passed over.

import { readFileSync } from 'node:fs';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../driver.ts';
import { textRows } from '../rows.ts';

/** What somebody changed in one table: by a statement that was recorded, or by a transaction that was decoded. */
export type Change = {
  /** The table's OID. */
  readonly relation: string;
  /** Keys of the rows, each a JSON array of texts; undefined: any row may have changed. */
  readonly keys: readonly string[] | undefined;
  /** What the texts of a key are of; absent: columns of the primary key, in its order. */
  readonly columns?: readonly string[];
};

export type ChangeBatch = {
  /** Where to read on. */
  readonly position: string;
  readonly changes: readonly Change[];
  /** There were more entries than are read at once: anything may have changed in any table. */
  readonly overflow: boolean;
  /** Of the oldest entry; 0 where there is none. */
  readonly ageMs: number;
};

/** Notified at the end of every transaction that has written into the log. */
export const CHANGE_CHANNEL = 'survest_live';

/** Entries, not rows: each stands for a statement. */
const MAX_ENTRIES = 5000;

const READ = readFileSync(new URL('./sql/read.sql', import.meta.url), 'utf8');

type Asked = Pick<Driver, 'execute'>;

export async function currentPosition(driver: Asked): Promise<Result<string, DbError>> {
  const executed = await driver.execute([{ text: 'select pg_catalog.pg_current_snapshot()::text', params: [] }]);
  if (!executed.ok) return executed;
  const position = executed.value[0]?.rows[0]?.[0]?.toString();
  return position === undefined ? err({ kind: 'lost', message: 'the database told no snapshot' }) : ok(position);
}

export async function readChanges(
  driver: Asked,
  position: string,
  most: number = MAX_ENTRIES,
): Promise<Result<ChangeBatch, DbError>> {
  const executed = await driver.execute([
    { text: READ, params: [position, String(most + 1)], name: 'survest_live_read' },
  ]);
  if (!executed.ok) return executed;
  const [result] = executed.value;
  const rows = result === undefined ? [] : textRows(result);
  const changes: Change[] = [];
  let ageMs = 0;
  for (const [, relation, keys, age] of rows) {
    if (relation == null) continue;
    ageMs = Math.max(ageMs, Number(age ?? 0));
    changes.push({ relation, keys: keys == null ? undefined : keyTexts(keys) });
  }
  return ok({ position: rows[0]?.[0] ?? position, changes, overflow: changes.length > most, ageMs });
}

function keyTexts(json: string): readonly string[] {
  const keys: unknown = JSON.parse(json);
  return Array.isArray(keys) ? keys.map((key) => JSON.stringify(key)) : [];
}

/** A number that no transaction has that has begun before, and that those which begin later are beyond. */
export async function transactionFence(driver: Asked): Promise<Result<bigint, DbError>> {
  const executed = await driver.execute([{ text: 'select pg_catalog.pg_current_xact_id()::text', params: [] }]);
  if (!executed.ok) return executed;
  return ok(BigInt(executed.value[0]?.rows[0]?.[0]?.toString() ?? '0'));
}

/**
 * Removes entries of transactions that had ended at that position. Whoever reads has read them, if its own position is no older.
 * Returns how many.
 */
export async function pruneChanges(driver: Asked, before: string): Promise<Result<number, DbError>> {
  // By age, too: what a restored backup brought along never ends.
  const text = `delete from survest_live.change
    where xid < pg_catalog.pg_snapshot_xmin($1::pg_snapshot) or at < pg_catalog.now() - interval '1 day'`;
  const executed = await driver.execute([{ text, params: [before] }]);
  if (!executed.ok) return executed;
  return ok(Number((executed.value[0]?.tag ?? '').split(' ').at(-1) ?? 0));
}

/** The position now; undefined where there is no change log. */
export async function positionOfLog(driver: Asked): Promise<Result<string | undefined, DbError>> {
  const text = `select case when pg_catalog.to_regclass('survest_live.change') is not null then pg_catalog.pg_current_snapshot()::text end`;
  const executed = await driver.execute([{ text, params: [] }]);
  return executed.ok ? ok(executed.value[0]?.rows[0]?.[0]?.toString()) : executed;
}
