// A window of a list whose records follow from stamps: what is kept is taken, the rest is asked for.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, FlightResult } from '../../pg/driver.ts';
import type { Sql } from '../fields/bound-value.ts';
import { type ListSql, listSql, type ReadPlan } from '../query/catalogue-sql.ts';
import { stampedRecordsSql, stampsSql } from '../query/stamped-sql.ts';
import type { KeptRecords, Stamped } from './kept-records.ts';

export type Records = { readonly total: number /** A JSON array. */; readonly records: Uint8Array };

/** Statements as the caller, in one flight; only their own results. */
export type FlyAsCaller = (statements: readonly Sql[]) => Promise<FlightResult>;

export async function readStamped(
  kept: KeptRecords,
  shape: number,
  plan: ReadPlan,
  fly: FlyAsCaller,
): Promise<Result<Records, DbError>> {
  const flown = await fly(statementsOf(listSql(plan, stampsSql)));
  if (!flown.ok) return flown;
  const [total, page] = flown.value.flatMap(({ rows }) => rows[0] ?? []);
  const items = stampedItems(page);
  const records = new Map<number, Buffer>();
  for (const item of items) {
    const record = kept.get(shape, item);
    if (record !== undefined) records.set(item.id, record);
  }
  const missing = items.filter(({ id }) => !records.has(id)).map(({ id }) => id);
  if (missing.length > 0) {
    const made = await fly([stampedRecordsSql(missing, plan)]);
    if (!made.ok) return made;
    for (const [id, stamp, extent, record] of made.value.at(-1)?.rows ?? []) {
      if (id == null || stamp == null || record == null) continue;
      const item = { id: Number(id.toString()), stamp: stamp.toString(), extent: extent?.toString() ?? null };
      kept.set(shape, item, record);
      records.set(item.id, record);
    }
  }
  // One that is gone since it was listed is left out.
  const shown = items.flatMap(({ id }) => records.get(id) ?? []);
  return ok({ total: Number(total?.toString() ?? 0), records: jsonArray(shown) });
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
