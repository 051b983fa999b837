// Thinning: which features of a crowd are drawn. Where a picture would hold more than it can show, features smaller than a pixel are dust:
// of the dust in one pixel one grain is taken. Of very many features only some pages of the table are looked at, the same ones each
// time. Tiles and maps thin by the same statements. Pure.

import type { VectorLayer } from '../../layers/layer.ts';
import { empty, join, sql } from '../../sql/index.ts';
import { geometryOf, gisOf, keyOf, tableOf } from './layer-sql.ts';
import { number, type Sql, value, whole } from './value.ts';

/** The rows of a layer that are looked at, as `f`. `percent` of its pages; undefined: all of them. */
export function looked(layer: Pick<VectorLayer, 'table'>, percent: number | undefined): Sql {
  const sample =
    percent === undefined ? empty : sql` tablesample system (${value(percent.toFixed(6))}::real) repeatable (1)`;
  return sql`${tableOf(layer)} as f${sample}`;
}

export type ThinningInput = {
  readonly layer: VectorLayer;
  /** Rows that are looked at. */
  readonly from: Sql;
  readonly where: Sql;
  /** What of the row `f` is needed. */
  readonly columns: Sql;
  /** Width and height of a pixel, in units of the layer's system. */
  readonly pixel: readonly [number, number];
  /** So many of each at most; undefined: all. */
  readonly most: number | undefined;
};

/** Both are selects of `columns`. Points are all dust. */
export type Thinned = { readonly large: Sql | undefined; readonly grains: Sql };

export function thinned({ layer, from, where, columns, pixel, most }: ThinningInput): Thinned {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const key = keyOf(layer);
  const [px, py] = [number(pixel[0]), number(pixel[1])];
  const cells = sql`floor(${gis('st_xmin')}(${shape}) / ${px}), floor(${gis('st_ymin')}(${shape}) / ${py})`;
  const limit = most === undefined ? empty : sql` limit ${whole(most)}`;
  // The grain with the smallest key, so that the same one is shown each time. Where there are more grains than may be drawn, any of them are left
  // out: in their own order the picture would end somewhere on its right.
  const grainsOf = (condition: Sql): Sql => {
    const grains = sql`select distinct on (${cells}) ${columns} from ${from} where ${condition} order by ${cells}, ${key}`;
    return most === undefined ? grains : sql`select * from (${grains}) f order by hashtext(${key}::text)${limit}`;
  };
  if (layer.geometry.kind === 'point') return { large: undefined, grains: grainsOf(where) };
  const isDust = sql`(${gis('st_xmax')}(${shape}) - ${gis('st_xmin')}(${shape}) < ${px} and ${gis('st_ymax')}(${shape}) - ${gis('st_ymin')}(${shape}) < ${py})`;
  const order = most === undefined ? empty : sql` order by hashtext(${key}::text)${limit}`;
  return {
    large: sql`select ${columns} from ${from} where ${join([where, sql`not ${isDust}`], ' and ')}${order}`,
    grains: grainsOf(join([where, isDust], ' and ')),
  };
}
