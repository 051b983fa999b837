// Batches of columns → an Arrow IPC stream: the schema, a record batch for each of them, the end.
//
// The library encodes tables as whole streams, and a stream is its messages one after the other: of all batches but the first the schema is
// cut off again, and the end of all of them.

import {
  type Column as ArrowColumn,
  binary,
  bool,
  columnFromArray,
  type DataType,
  dateDay,
  decimal,
  Endianness,
  field,
  fixedSizeBinary,
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
import { assertNever } from '../../../kernel/assert-never.ts';
import type { CellValue } from './cell-value.ts';
import type { ColumnType } from './column-type.ts';
import type { BatchWriter, Column } from './columnar-rows.ts';

const BATCH_BYTES = 1024 * 1024;

export function arrowWriter(): BatchWriter {
  let schema: Schema | undefined;
  const encode = (columns: readonly Column[], data: readonly ArrowColumn<unknown>[]): Buffer => {
    schema ??= schemaOf(columns);
    const bytes = tableToIPC(new Table(schema, [...data]), { format: 'stream' });
    if (bytes === null) throw new Error('a stream in memory is handed over');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return {
    batchBytes: BATCH_BYTES,
    batch(columns) {
      const isFirst = schema === undefined;
      const bytes = encode(columns, columns.map(storedColumn));
      return bytes.subarray(isFirst ? 0 : schemaLength(bytes), -END_LENGTH);
    },
    end(columns) {
      if (schema === undefined) return encode(columns, []);
      return encode(columns, []).subarray(-END_LENGTH);
    },
  };
}

/** A continuation mark and a length of 0. */
const END_LENGTH = 8;

/** A message begins with a mark and the length of its head; a schema has no body. */
function schemaLength(stream: Buffer): number {
  return 8 + stream.readInt32LE(4);
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

/** As it lies in memory: the builders of the library for dates and times take those of JavaScript, which are less exact. */
function storedColumn({ type, values }: Column): ArrowColumn<unknown> {
  switch (type.kind) {
    case 'date':
      return columnFromArray(values, int32());
    case 'time':
    case 'timestamp':
      return columnFromArray(values, int64());
    case 'decimal':
      return columnFromArray(values.map(sixteenBytes), fixedSizeBinary(16));
    default:
      return columnFromArray(values, arrowType(type));
  }
}

function sixteenBytes(value: CellValue): Uint8Array | null {
  if (typeof value !== 'bigint') return null;
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeBigInt64LE(BigInt.asIntN(64, value), 0);
  bytes.writeBigInt64LE(BigInt.asIntN(64, value >> 64n), 8);
  return bytes;
}
