// A window of a list, or an item, whose records follow from stamps: what is kept is taken, the rest is asked for.

import { ok, type Result } from '../../kernel/result.ts';
import type { BatchResult, DbError, Row } from '../../pg/driver.ts';
import type { Sql } from '../fields/bound-value.ts';
import { type ListSql, listSql, type ReadPlan } from '../query/catalogue-sql.ts';
import { stampedRecordsSql, stampSql, stampsSql } from '../query/stamped-sql.ts';
import type { RecordCache, Stamped } from './record-cache.ts';

export type Records = { readonly total: number /** A JSON array. */; readonly records: Uint8Array };

/** Statements as the caller, in one batch; only their own results. */
export type ExecuteAsCaller = (statements: readonly Sql[]) => Promise<BatchResult>;

export async function readStamped(
  kept: RecordCache,
  shape: number,
  plan: ReadPlan,
  execute: ExecuteAsCaller,
): Promise<Result<Records, DbError>> {
  const executed = await execute(statementsOf(listSql(plan, stampsSql)));
  if (!executed.ok) return executed;
  const [total, page] = executed.value.flatMap(({ rows }) => rows[0] ?? []);
  const items = stampedItems(page);
  const records = new Map<number, Buffer>();
  for (const item of items) {
    const record = kept.get(shape, item);
    if (record !== undefined) records.set(item.id, record);
  }
  const missing = items.filter(({ id }) => !records.has(id)).map(({ id }) => id);
  if (missing.length > 0) {
    const made = await makeRecords(kept, shape, missing, plan, execute);
    if (!made.ok) return made;
    for (const [id, record] of made.value) records.set(id, record);
  }
  // One that is gone since it was listed is left out.
  const shown = items.flatMap(({ id }) => records.get(id) ?? []);
  return ok({ total: Number(total?.toString() ?? 0), records: jsonArray(shown) });
}

/** Undefined: it is not there for the caller. */
export async function readStampedItem(
  kept: RecordCache,
  shape: number,
  id: number,
  plan: ReadPlan,
  execute: ExecuteAsCaller,
): Promise<Result<Buffer | undefined, DbError>> {
  const executed = await execute([stampSql(id, plan)]);
  if (!executed.ok) return executed;
  const item = stampedOf(executed.value.at(-1)?.rows[0]);
  if (item === undefined) return ok(undefined);
  const record = kept.get(shape, item);
  if (record !== undefined) return ok(record);
  const made = await makeRecords(kept, shape, [id], plan, execute);
  return made.ok ? ok(made.value.get(id)) : made;
}

/** Each with the stamp of its own snapshot. */
async function makeRecords(
  kept: RecordCache,
  shape: number,
  ids: readonly number[],
  plan: ReadPlan,
  execute: ExecuteAsCaller,
): Promise<Result<ReadonlyMap<number, Buffer>, DbError>> {
  const made = await execute([stampedRecordsSql(ids, plan)]);
  if (!made.ok) return made;
  const records = new Map<number, Buffer>();
  for (const row of made.value.at(-1)?.rows ?? []) {
    const item = stampedOf(row);
    const record = row[3];
    if (item === undefined || record == null) continue;
    kept.set(shape, item, record);
    records.set(item.id, record);
  }
  return ok(records);
}

/** Id, stamp and extent in front of a row. */
function stampedOf([id, stamp, extent]: Row = []): Stamped | undefined {
  if (id == null || stamp == null) return undefined;
  return { id: Number(id.toString()), stamp: stamp.toString(), extent: extent?.toString() ?? null };
}

export function statementsOf(list: ListSql): readonly Sql[] {
  return list.kind === 'apart' ? [list.total, list.page] : [list.both];
}

function stampedItems(json: Buffer | null | undefined): readonly Stamped[] {
  const rows = JSON.parse(json?.toString() ?? '[]') as readonly (readonly [number, string, string | null])[];
  return rows.map(([id, stamp, extent]) => ({ id, stamp, extent }));
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
/** As `json_agg` writes it. */
const BETWEEN = Buffer.from(', \n ');

function jsonArray(records: readonly Buffer[]): Buffer {
  const pieces = records.flatMap((record, n) => (n === 0 ? [record] : [BETWEEN, record]));
  return Buffer.concat([OPEN, ...pieces, CLOSE]);
}
