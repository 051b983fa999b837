// Batches of columns → an Arrow IPC stream: the schema, a record batch for each of them, the end. The library writes the schema; record batches are
// written from buffers that are ready (`make-arrow-cells.ts`, `arrow-message.ts`).

import {
  binary,
  bool,
  type DataType,
  dateDay,
  decimal,
  Endianness,
  field,
  float32,
  float64,
  int16,
  int32,
  int64,
  Table,
  TimeUnit,
  tableToIPC,
  timeMicrosecond,
  timestamp,
  utf8,
  Version,
} from '@uwdata/flechette';
import { assertNever } from '../kernel/assert-never.ts';
import type { ArrowCells } from './arrow-cells.ts';
import { STREAM_END, writeRecordBatch } from './arrow-message.ts';
import type { ColumnType } from './column-type.ts';
import type { BatchWriter, Column } from './columnar-rows.ts';
import { makeArrowCells } from './make-arrow-cells.ts';

const BATCH_BYTES = 1024 * 1024;

export function arrowWriter(): BatchWriter<ArrowCells> {
  let hasSchema = false;
  return {
    batchBytes: BATCH_BYTES,
    cells: makeArrowCells,
    batch(columns, rows, out) {
      if (!hasSchema) out.append(schemaMessage(columns));
      hasSchema = true;
      const written = columns.map(({ cells }) => {
        const { presence } = cells;
        return { rows: presence.rows, nulls: presence.nulls, buffers: [presence.written(), ...cells.buffers()] };
      });
      writeRecordBatch(rows, written, out);
    },
    end(columns, out) {
      if (!hasSchema) out.append(schemaMessage(columns));
      out.append(STREAM_END);
    },
  };
}

/** A stream without batches is its schema and its end. */
function schemaMessage(columns: readonly Column[]): Uint8Array {
  const stream = tableToIPC(new Table(schemaOf(columns), []), { format: 'stream' });
  if (stream === null) throw new Error('a stream in memory is handed over');
  return stream.subarray(0, -STREAM_END.length);
}

type Schema = Table['schema'];

function schemaOf(columns: readonly Column[]): Schema {
  return {
    version: Version.V5,
    endianness: Endianness.Little,
    fields: columns.map((column) => field(column.name, arrowType(column.type), true, extensionOf(column))),
    metadata: null,
  };
}

function arrowType(type: ColumnType): DataType {
  switch (type.kind) {
    case 'boolean':
      return bool();
    case 'int16':
      return int16();
    case 'int32':
      return int32();
    case 'int64':
      return int64();
    case 'float32':
      return float32();
    case 'float64':
      return float64();
    case 'date':
      return dateDay();
    case 'time':
      return timeMicrosecond();
    case 'timestamp':
      return timestamp(TimeUnit.MICROSECOND, type.isUtc ? 'UTC' : null);
    case 'decimal':
      return decimal(type.precision, type.scale, 128);
    case 'text':
    case 'json':
      return utf8();
    case 'bytes':
    case 'geometry':
      return binary();
    default:
      return assertNever(type);
  }
}

/** Extension types of Arrow, which readers that do not know them take for what they are stored as. */
function extensionOf({ type, srids }: Column): Map<string, string> | null {
  if (type.kind === 'json') return extension('arrow.json', '');
  if (type.kind !== 'geometry') return null;
  const [srid, another] = srids;
  const crs =
    srid === undefined || srid === 0 || another !== undefined
      ? {}
      : { crs: `EPSG:${srid}`, crs_type: 'authority_code' };
  return extension('geoarrow.wkb', JSON.stringify({ ...crs, ...(type.isGeography ? { edges: 'spherical' } : {}) }));
}

function extension(name: string, metadata: string): Map<string, string> {
  return new Map([
    ['ARROW:extension:name', name],
    ['ARROW:extension:metadata', metadata],
  ]);
}
