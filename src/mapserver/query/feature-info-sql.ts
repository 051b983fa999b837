// A layer and a small box in its own system → the statement that finds what lies there. Pure.

import type { Box, Crs } from '../../geo/projection.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';
import { timeColumnsOf } from '../layers/time-columns.ts';
import { gisOf, overlaps, tableOf } from './layer-sql.ts';
import { meetsSpan } from './time-sql.ts';
import { isCurved, type TimeSpan } from './view-sql.ts';

/** The geometry that is wanted beside the columns. */
export type GeometryWanted = {
  readonly crs: Crs;
  /** In the layer's system: only what of it lies in here. Undefined: all of it. */
  readonly within: Box | undefined;
};

/** Rows of key, geometry (GeoJSON in the wanted system, x first; or null) and columns (a JSON object). */
export function featureInfoStatement(
  layer: VectorLayer,
  place: Box,
  count: number,
  time: TimeSpan | undefined,
  geometry: GeometryWanted | undefined,
): Statement {
  const gis = gisOf(layer);
  const source = `f.${quoteIdent(layer.geometry.column)}`;
  const around = envelope(layer, place);
  const columns = layer.columns
    .filter(({ type }) => columnClass(type) !== 'bytes')
    .map(({ name }) => `f.${quoteIdent(name)}`);
  const key = `f.${quoteIdent(layer.primaryKey)}`;
  const [moment] = time === undefined || layer.timeColumn === undefined ? [] : timeColumnsOf(layer);
  const timed = moment === undefined ? '' : ` and ${meetsSpan(moment, '$1::timestamptz', '$2::timestamptz')}`;
  // The nearest last in drawing, hence first here: what was drawn on top.
  return {
    text: `select ${key}::text, ${geometry === undefined ? 'null' : geometryText(layer, source, geometry)}, (select row_to_json(p) from (select ${columns.join(', ')}) p)
  from ${tableOf(layer)} as f where ${overlaps(layer, source, around)} and ${gis('st_intersects')}(${source}, ${around})${timed}
 order by ${key} desc limit ${count}`,
    params: timed === '' || time === undefined ? [] : [time.from, time.to],
  };
}

function geometryText(layer: VectorLayer, source: string, { crs, within }: GeometryWanted): string {
  const gis = gisOf(layer);
  const straight = isCurved(layer.geometry.type) ? `${gis('st_curvetoline')}(${source})` : source;
  const part =
    within === undefined
      ? straight
      : `${gis('st_clipbybox2d')}(${straight}, ${envelope(layer, within)}::${gis('box2d')})`;
  const placed = layer.srid === crs.srid ? part : `${gis('st_transform')}(${part}, ${crs.srid})`;
  // A tenth of a millimetre. No options: the system is named once, for all features.
  return `${gis('st_asgeojson')}(${gis('st_force2d')}(${placed}), ${crs.isGeographic ? 9 : 4}, 0)`;
}

function envelope(layer: VectorLayer, [xmin, ymin, xmax, ymax]: Box): string {
  return `${gisOf(layer)('st_makeenvelope')}(${xmin}, ${ymin}, ${xmax}, ${ymax}, ${layer.srid})`;
}
