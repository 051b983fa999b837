// Label points of areas, made by the database on whole geometries: one per feature, inside it, whatever a tile or a picture cuts off. Pure.

import type { VectorLayer } from '../../layer-ports/layer.ts';
import { join, sql } from '../../sql/index.ts';
import { geometryOf, gisOf } from './layer-sql.ts';
import { number, type Sql, whole } from './value.ts';

/** A name that no column of the layer has. */
export function labelName(layer: Pick<VectorLayer, 'columns' | 'geometry'>): string {
  let name = 'label_point';
  while (name === layer.geometry.column || layer.columns.some((column) => column.name === name)) name = `_${name}`;
  return name;
}

/** Only areas have parts that are cut off; points are where they are, and lines have their names along them. */
export function hasLabelPoints({ geometry }: Pick<VectorLayer, 'geometry'>): boolean {
  return geometry.kind === 'polygon' || geometry.kind === 'mixed';
}

export function labelPoint(layer: Pick<VectorLayer, 'gis'>, shape: Sql): Sql {
  return sql`${gisOf(layer)('st_pointonsurface')}(${shape})`;
}

/** Pixels that an area has to be wide or high to get a name. */
const LEAST_PIXELS = 6;
/** A tile has room for fewer. */
const MAX_LABELS = 2000;

/** The largest areas of some rows, as `f`; `pixel`: in units of the layer's system, undefined: all of them have room. */
export function labelledRows(layer: VectorLayer, from: Sql, where: Sql, pixel: number | undefined): Sql {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const span = sql`greatest(${gis('st_xmax')}(${shape}) - ${gis('st_xmin')}(${shape}), ${gis('st_ymax')}(${shape}) - ${gis('st_ymin')}(${shape}))`;
  const isLarge = pixel === undefined ? [] : [sql`${span} >= ${number(pixel * LEAST_PIXELS)}`];
  return sql`select f.* from ${from} where ${join([where, ...isLarge], ' and ')} order by ${span} desc limit ${whole(MAX_LABELS)}`;
}
