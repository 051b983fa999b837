// A layer and a small box in its own system → the statement that finds what lies there. Pure.

import type { Box, Crs } from '../../geo/projection.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { join, sql, where } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { clipped, envelope, transformed } from './box-sql.ts';
import { columnOf, geometryOf, gisOf, keyOf, looked, overlaps } from './layer-sql.ts';
import { type Sql, toStatement, whole } from './value.ts';
import { withoutCurves } from './view-sql.ts';

/** The geometry that is wanted beside the columns. */
export type GeometryWanted = {
  readonly crs: Crs;
  /** In the layer's system: only what of it lies in here. Undefined: all of it. */
  readonly within: Box | undefined;
};

/** Rows of key, geometry (GeoJSON in the wanted system, x first; or null) and columns (a JSON object). `passing`: what rows have to meet besides. */
export function featureInfoStatement(
  layer: VectorLayer,
  place: Box,
  count: number,
  passing: readonly Sql[],
  geometry: GeometryWanted | undefined,
): Statement {
  const source = geometryOf(layer);
  const around = envelope(layer, place, layer.srid);
  const columns = layer.columns.filter(({ type }) => columnClass(type) !== 'bytes').map(({ name }) => columnOf(name));
  const conditions = [
    overlaps(layer, source, around),
    sql`${gisOf(layer)('st_intersects')}(${source}, ${around})`,
    ...passing,
  ];
  const shape = geometry === undefined ? NOTHING : geometryJson(layer, geometry);
  // The nearest last in drawing, hence first here: what was drawn on top.
  return toStatement(
    sql`select ${keyOf(layer)}::text, ${shape}, (select row_to_json(p) from (select ${join(columns)}) p)
  from ${looked(layer, undefined)}${where(conditions)}
 order by ${keyOf(layer)} desc limit ${whole(count)}`,
  );
}

const NOTHING: Sql = sql`null`;

function geometryJson(layer: VectorLayer, { crs, within }: GeometryWanted): Sql {
  const gis = gisOf(layer);
  const straight = withoutCurves(layer, geometryOf(layer));
  const part = within === undefined ? straight : clipped(layer, straight, envelope(layer, within, layer.srid));
  // A tenth of a millimetre. No options: the system is named once, for all features.
  return sql`${gis('st_asgeojson')}(${gis('st_force2d')}(${transformed(layer, part, crs.srid)}), ${whole(crs.isGeographic ? 9 : 4)}, 0)`;
}
