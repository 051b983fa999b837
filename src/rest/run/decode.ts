// What came back → what the reply is made of. The body stays the bytes that PostgreSQL sent.

import type { StatementResult } from '../../pg/driver.ts';
import { RESULT_COLUMNS } from '../query/main-query.ts';

export type Found = {
  /** Rows on the page, or written. */
  readonly page: number;
  readonly total: number | undefined;
  readonly body: Buffer;
  /** See `HttpReply`. */
  readonly onSent?: () => void;
  /** `response.headers` and `response.status`, as set. */
  readonly headers: string | undefined;
  readonly status: string | undefined;
  /** Key of the one inserted row, column by column. */
  readonly location: readonly (string | null)[] | undefined;
  readonly inserted: number | undefined;
  /** What a write counted of what it could not do. */
  readonly problem?: Readonly<Record<string, number>>;
  /** Of a full keyset page: what the last row is ordered by, column by column. */
  readonly last?: readonly (string | null)[] | undefined;
};

const EMPTY = Buffer.alloc(0);
const BYTEA = 17;

export function decodeResult(result: StatementResult): Found {
  const row = result.rows[0] ?? [];
  const body = row[RESULT_COLUMNS.body] ?? EMPTY;
  const isBytea = result.fields?.[RESULT_COLUMNS.body]?.type === BYTEA;
  const location = textAt(row[RESULT_COLUMNS.location]);
  const problem = textAt(row[RESULT_COLUMNS.problem]);
  const last = textAt(row[RESULT_COLUMNS.last]);
  return {
    page: numberAt(row[RESULT_COLUMNS.page]) ?? 0,
    total: numberAt(row[RESULT_COLUMNS.total]),
    body: isBytea ? bytesOfHex(body) : body,
    headers: textAt(row[RESULT_COLUMNS.headers]),
    status: textAt(row[RESULT_COLUMNS.status]),
    location: location === undefined ? undefined : (JSON.parse(location) as (string | null)[]),
    inserted: numberAt(row[RESULT_COLUMNS.inserted]),
    ...(problem !== undefined && { problem: JSON.parse(problem) as Record<string, number> }),
    ...(last !== undefined && { last: JSON.parse(last) as (string | null)[] }),
  };
}

/** An EXPLAIN in place of the rows: one line, or one JSON document, a row. */
export function decodePlan(result: StatementResult): Found {
  const lines = result.rows.map((row) => row[0] ?? EMPTY);
  const body = lines.length === 1 ? (lines[0] ?? EMPTY) : Buffer.from(lines.map((line) => line.toString()).join('\n'));
  return {
    page: 0,
    total: undefined,
    body,
    headers: undefined,
    status: undefined,
    location: undefined,
    inserted: undefined,
  };
}

/** The planner's guess of how many rows there are. */
export function decodeEstimate(result: StatementResult): number | undefined {
  const text = textAt(result.rows[0]?.[0]);
  const plans: unknown = text === undefined ? undefined : JSON.parse(text);
  const rows = Array.isArray(plans)
    ? (plans[0] as { Plan?: { 'Plan Rows'?: unknown } } | undefined)?.Plan?.['Plan Rows']
    : undefined;
  return typeof rows === 'number' ? rows : undefined;
}

function textAt(cell: Buffer | null | undefined): string | undefined {
  return cell == null ? undefined : cell.toString();
}

function numberAt(cell: Buffer | null | undefined): number | undefined {
  return cell == null ? undefined : Number(cell.toString('latin1'));
}

/** bytea in text form: `\x` and two digits a byte. */
function bytesOfHex(text: Buffer): Buffer {
  return Buffer.from(text.toString('latin1', 2), 'hex');
}
