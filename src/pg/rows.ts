// Results as bytes → values, for the statements whose rows the program itself reads. Bodies that only pass through on
// their way to a client stay bytes and do not come here.

import type { ResultField, StatementResult } from './driver.ts';

/** Every cell as text. */
export function textRows(result: StatementResult): (string | null)[][] {
  return result.rows.map((row) => row.map((cell) => (cell === null ? null : cell.toString())));
}

/** The JSON in the first cell of the first row; undefined when there is no row or the cell is NULL. */
export function jsonRow(result: StatementResult): unknown {
  const cell = result.rows[0]?.[0];
  return cell === null || cell === undefined ? undefined : JSON.parse(cell.toString());
}

/**
 * A record per row, by column name, of a statement sent with `describe: true`. Whoever wrote the statement knows what
 * it selects and says so as `T`.
 *
 * Numbers up to eight bytes are numbers (a bigint too large for one stays text), json is parsed, bytea is a Buffer;
 * everything else, numeric and times included, stays the text PostgreSQL sent.
 */
export function objects<T = Record<string, unknown>>(result: StatementResult): T[] {
  const { fields } = result;
  if (fields === undefined) throw new Error('a statement has to be described for its rows to become objects');
  return result.rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (const [i, field] of fields.entries()) object[field.name] = decode(row[i] ?? null, field);
    return object as T;
  });
}

function decode(cell: Buffer | null, { type }: ResultField): unknown {
  if (cell === null) return null;
  const text = cell.toString();
  switch (type) {
    case 16: // bool
      return text === 't';
    case 21: // int2
    case 23: // int4
    case 26: // oid
    case 700: // float4
    case 701: // float8
      return Number(text);
    case 20: // int8
      return Number.isSafeInteger(Number(text)) ? Number(text) : text;
    case 114: // json
    case 3802: // jsonb
      return JSON.parse(text);
    case 17: // bytea
      return Buffer.from(text.slice(2), 'hex');
    default:
      return text;
  }
}
