// Features → GeoParquet in longitude and latitude, a group of rows after the other as they come. What writes it is loaded with the first file.

import type { ResultField } from '../../pg/driver.ts';
import type { RowStream } from '../features/row-stream.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import { columnarSelect, withKey } from '../query/row-selects.ts';

/** Of the types that columns of Parquet have; all others are texts. */
const OIDS: ReadonlyMap<string, number> = new Map([
  ['boolean', 16],
  ['bytea', 17],
  ['bigint', 20],
  ['smallint', 21],
  ['integer', 23],
  ['json', 114],
  ['real', 700],
  ['double precision', 701],
  ['date', 1082],
  ['time without time zone', 1083],
  ['timestamp without time zone', 1114],
  ['timestamp with time zone', 1184],
  ['numeric', 1700],
  ['jsonb', 3802],
]);
const TEXT = 25;
/** Any number that no other type has: here geometries are known by their place. */
const GEOMETRY = 0xffff_ffff;

export async function parquetRows(query: FeatureQuery): Promise<RowStream> {
  const [{ ColumnarRows }, { parquetWriter }] = await Promise.all([
    import('../../columnar/columnar-rows.ts'),
    import('../../columnar/parquet-writer.ts'),
  ]);
  const rows = new ColumnarRows({ geometry: GEOMETRY, geography: undefined }, parquetWriter);
  rows.begin([
    ...withKey(query).map(({ name, type }) => fieldOf(name, type)),
    ...(query.hasGeometry ? [{ name: 'geometry', type: GEOMETRY }] : []),
  ]);
  return {
    query,
    select: columnarSelect,
    head: '',
    row(cells) {
      const message = dataRow(cells);
      rows.row(message, 0, message.length);
      return rows.out.at === 0 ? undefined : rows.out.take();
    },
    tail() {
      rows.finish();
      return rows.out.take();
    },
  };
}

/** `type` as `format_type` writes it: `numeric(12,3)`, `timestamp(3) with time zone`. */
function fieldOf(name: string, type: string): ResultField {
  const [, precision, scale = '0'] = /^numeric\((\d+)(?:,(\d+))?\)$/.exec(type) ?? [];
  if (precision !== undefined) return { name, type: 1700, modifier: ((Number(precision) << 16) | Number(scale)) + 4 };
  return { name, type: OIDS.get(type.replace(/\(\d+\)/, '')) ?? TEXT };
}

/** The cells as the protocol has them in a row: how many, and each behind its length. */
function dataRow(cells: readonly (Buffer | null)[]): Buffer {
  const row = Buffer.allocUnsafe(cells.reduce((sum, cell) => sum + 4 + (cell?.length ?? 0), 2));
  row.writeInt16BE(cells.length, 0);
  let at = 2;
  for (const cell of cells) {
    at = row.writeInt32BE(cell?.length ?? -1, at);
    if (cell !== null) at += cell.copy(row, at);
  }
  return row;
}
