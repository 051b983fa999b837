// One row that is here already → JSON, as `json-rows.ts` writes rows off the wire.

import type { ResultField, Row } from '../../pg/driver.ts';
import { JsonRows, type RowFrame } from './json-rows.ts';
import { cellKind } from './row-kinds.ts';

const NOTHING = Buffer.alloc(0);
const BARE: RowFrame = { open: NOTHING, between: NOTHING, before: NOTHING, after: NOTHING, close: NOTHING };

/** Whether rows of such columns can be written here, always: dates may be in any style, which only their transaction knows. */
export function isWrittenHere(fields: readonly ResultField[]): boolean {
  const kinds = fields.map(({ type }) => cellKind(type));
  return kinds.length > 0 && kinds.every((kind) => kind !== undefined && kind !== 'time');
}

/** Undefined: the database has to write it. */
export function rowJson(fields: readonly ResultField[], row: Row): Buffer | undefined {
  const rows = new JsonRows(BARE, false);
  const wire = wireOf(row);
  rows.begin(fields);
  rows.row(wire, 0, wire.length);
  return rows.isUnfit ? undefined : rows.out.take();
}

/** As DataRow has it: see `RowSink`. */
function wireOf(row: Row): Buffer {
  const wire = Buffer.allocUnsafe(row.reduce((sum, cell) => sum + 4 + (cell?.length ?? 0), 2));
  let at = wire.writeInt16BE(row.length);
  for (const cell of row) {
    at = wire.writeInt32BE(cell === null ? -1 : cell.length, at);
    if (cell !== null) at += cell.copy(wire, at);
  }
  return wire;
}
