// Batches of columns → a Parquet file: a row group for each of them, then what they are. Geometries are told by the metadata of GeoParquet.

import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { assertNever } from '../kernel/assert-never.ts';
import { type CellValue, cellValue } from './cell-value.ts';
import type { ColumnType } from './column-type.ts';
import type { BatchWriter, CellStore, Column } from './columnar-rows.ts';
import { ScratchBytes } from './scratch-bytes.ts';

/** Readers like row groups large. Values that live as long as those of larger ones are written outlast the quick collections, and wait for a slow one. */
const GROUP_BYTES = 2 * 1024 * 1024;

/**
 * Cells as they came, their lengths beside them. The library takes values, which need many times the memory: they are made of one column while that is
 * written, and not of all when they come.
 */
class ParquetCells implements CellStore {
  readonly #type: ColumnType;
  readonly #data = new ScratchBytes();
  readonly #lengths = new ScratchBytes();

  constructor(type: ColumnType) {
    this.#type = type;
  }

  add(bytes: Buffer, from: number, to: number): void {
    const data = this.#data;
    data.reserve(to - from);
    bytes.copy(data.bytes, data.at, from, to);
    data.at += to - from;
    this.#tell(to - from);
  }

  addNull(): void {
    this.#tell(NULL);
  }

  clear(): void {
    this.#data.clear();
    this.#lengths.clear();
  }

  values(): CellValue[] {
    const { bytes } = this.#data;
    const { view, at: end } = this.#lengths;
    const values: CellValue[] = [];
    let from = 0;
    for (let at = 0; at < end; at += 4) {
      const length = view.getInt32(at, true);
      values.push(length === NULL ? null : cellValue(this.#type, bytes, from, from + length));
      from += Math.max(0, length);
    }
    return values;
  }

  #tell(length: number): void {
    const lengths = this.#lengths;
    lengths.reserve(4);
    lengths.view.setInt32(lengths.at, length, true);
    lengths.at += 4;
  }
}

const NULL = -1;

export function parquetWriter(): BatchWriter<ParquetCells> {
  const bytes = new ByteWriter();
  let file: ParquetWriter | undefined;
  const opened = (columns: readonly Column[]): ParquetWriter => {
    file ??= new ParquetWriter({ writer: bytes, schema: schemaOf(columns) });
    return file;
  };
  /** The writer goes on to count where in the file it is. */
  const taken = (): Uint8Array => {
    const part = bytes.getBytes();
    bytes.index = 0;
    return part;
  };
  return {
    batchBytes: GROUP_BYTES,
    cells: (type) => new ParquetCells(type),
    batch(columns, rows, out) {
      const columnData = columns.map(({ name, type, cells }) => ({
        name,
        // Asked for when the column is written, and forgotten behind it.
        get data() {
          return written(type, cells.values());
        },
      }));
      const pending = opened(columns).write({ columnData, rowGroupSize: rows });
      if (pending !== undefined) throw new Error('nothing is waited for in memory');
      out.append(taken());
    },
    end(columns, out) {
      const parquet = opened(columns);
      const geo = geoMetadata(columns);
      if (geo !== undefined) parquet.kvMetadata = [{ key: 'geo', value: JSON.stringify(geo) }];
      parquet.schema = withJsonTold(parquet.schema);
      const pending = parquet.finish();
      if (pending !== undefined) throw new Error('nothing is waited for in memory');
      const last = taken();
      out.append(parquet.row_groups.length === 0 ? withoutGroups(last) : last);
    },
  };
}

/** No rows (a long 0), and an empty list of no type: the library takes the type of a list from its first element. */
const EMPTY_LIST = Buffer.from([0x16, 0x00, 0x19, 0x00]);
const STRUCTS = 0x0c;

/** Strict readers want a list of structs, be it empty or not. Behind it there is only text that cannot be taken for it. */
function withoutGroups(file: Uint8Array): Uint8Array {
  const at = Buffer.from(file.buffer, file.byteOffset, file.length).lastIndexOf(EMPTY_LIST);
  if (at < 0) throw new Error('a file without rows has an empty list of row groups');
  file[at + 3] = STRUCTS;
  return file;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...elementOf(type) })),
  ];
}

/** JSON by its older name, too: DuckDB knows it by no other. Only when all rows are written, as the library would make JSON of the text that they are. */
function withJsonTold(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map((element) =>
    element.logical_type?.type === 'JSON' ? { ...element, converted_type: 'JSON' } : element,
  );
}

/** Decimals of more digits do not fit in 64 bits. */
const LONG_DIGITS = 18;

function elementOf(type: ColumnType): Omit<SchemaElement, 'name'> {
  switch (type.kind) {
    case 'boolean':
      return { type: 'BOOLEAN' };
    case 'int16':
      return { type: 'INT32', converted_type: 'INT_16' };
    case 'int32':
      return { type: 'INT32' };
    case 'int64':
      return { type: 'INT64' };
    case 'float32':
      return { type: 'FLOAT' };
    case 'float64':
      return { type: 'DOUBLE' };
    case 'date':
      return { type: 'INT32', converted_type: 'DATE' };
    case 'time':
      return { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } };
    case 'timestamp':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: type.isUtc, unit: 'MICROS' } };
    case 'decimal': {
      const { precision, scale } = type;
      const stored: Omit<SchemaElement, 'name'> =
        precision <= LONG_DIGITS ? { type: 'INT64' } : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 };
      return {
        ...stored,
        converted_type: 'DECIMAL',
        logical_type: { type: 'DECIMAL', precision, scale },
        precision,
        scale,
      };
    }
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case 'json':
      return { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } };
    case 'bytes':
    case 'geometry':
      return { type: 'BYTE_ARRAY' };
    default:
      return assertNever(type);
  }
}

/** JSON as the text that it is: the library would write it once more. */
function written({ kind }: ColumnType, values: CellValue[]): CellValue[] {
  return kind === 'json' ? values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value)) : values;
}

const LONGITUDE_LATITUDE = 4326;

/** GeoParquet 1.1; undefined: there are no geometries. A coordinate system of its own is told by its SRID alone, and so is none to readers. */
function geoMetadata(columns: readonly Column[]): object | undefined {
  const spatial = columns.filter(({ type }) => type.kind === 'geometry');
  const [first] = spatial;
  if (first === undefined) return undefined;
  return {
    version: '1.1.0',
    primary_column: first.name,
    columns: Object.fromEntries(spatial.map((column) => [column.name, geometryColumn(column)])),
  };
}

function geometryColumn({ type, srids, shapes }: Column): object {
  const [srid, another] = srids;
  const isLongLat = another === undefined && (srid === undefined || srid === LONGITUDE_LATITUDE);
  return {
    encoding: 'WKB',
    geometry_types: shapes.has('Geometry') ? [] : [...shapes].sort(),
    // Left out it is longitude and latitude, as the specification has it.
    ...(isLongLat ? {} : { crs: null }),
    ...(srid !== undefined && another === undefined ? { srid } : {}),
    ...(type.kind === 'geometry' && type.isGeography ? { edges: 'spherical' } : {}),
  };
}
