// Shapes cut along a line, and several made one, by PostGIS in the system of the layer: for who edits, before anything is written.
// Only for who may change the layer's rows. Pure.

import type { GeoGeometry } from '../../geo/geojson.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { join, sql } from '../../sql/index.ts';
import { transformed } from './box-sql.ts';
import { ALL_DIGITS } from './feature-query.ts';
import { geometryValue } from './geometry-sql.ts';
import { WGS84 } from './known-crs.ts';
import { gisOf, mayCondition } from './layer-sql.ts';
import { type Sql, toStatement, whole } from './value.ts';

/**
 * A row per piece, the largest first: whether the line cuts the part that it is of, and its GeoJSON in degrees. No row: the caller may
 * not change the layer.
 */
export function splitStatement(layer: VectorLayer, shape: GeoGeometry, line: GeoGeometry): Statement {
  const gis = gisOf(layer);
  const flat = sql`${gis('st_force2d')}(${geometryValue(line, layer, WGS84)})`;
  return toStatement(sql`with cut as materialized (select ${flat} as line),
  part as (select (d).geom as shape from (select ${gis('st_dump')}(${geometryValue(shape, layer, WGS84)}) as d) x where ${mayCondition(layer, 'change_layer_data')}),
  piece as (
    select ${gis('st_crosses')}(p.shape, c.line) as is_cut, (${gis('st_dump')}(case when ${gis('st_crosses')}(p.shape, c.line)
      then ${gis('st_split')}(p.shape, c.line) else p.shape end)).geom as shape from part p, cut c)
  select is_cut, ${geoJson(layer, sql`shape`)} from piece
    order by ${gis('st_area')}(shape) desc, ${gis('st_length')}(shape) desc`);
}

/** One row, one cell: the GeoJSON of all together, in degrees. No row: the caller may not change the layer. */
export function mergeStatement(layer: VectorLayer, shapes: readonly GeoGeometry[]): Statement {
  const gis = gisOf(layer);
  const all = sql`array[${join(shapes.map((shape) => geometryValue(shape, layer, WGS84)))}]`;
  const one = sql`${gis('st_union')}(${all})`;
  // Lines that meet end to end are one line then.
  const joined = layer.geometry.kind === 'line' ? sql`${gis('st_linemerge')}(${one})` : one;
  return toStatement(
    sql`select ${geoJson(layer, sql`shape`)} from (select ${joined} as shape) x where ${mayCondition(layer, 'change_layer_data')}`,
  );
}

function geoJson(layer: VectorLayer, shape: Sql): Sql {
  return sql`${gisOf(layer)('st_asgeojson')}(${transformed(layer, shape, WGS84.srid)}, ${whole(ALL_DIGITS)}, 0)`;
}
