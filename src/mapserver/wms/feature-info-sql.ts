// A layer and a small box in its own system → the statement that finds what lies there. Pure.

import type { Box } from '../../geo/projection.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/index.ts';
import { columnClass, gisOf, overlaps, tableOf } from '../layers/layer-sql.ts';
import type { TimeSpan } from '../render/feature-sql.ts';

/** Rows of key, geometry (GeoJSON in degrees) and columns (a JSON object). */
export function featureInfoStatement(
  layer: VectorLayer,
  [xmin, ymin, xmax, ymax]: Box,
  count: number,
  time: TimeSpan | undefined,
): Statement {
  const gis = gisOf(layer);
  const source = `f.${quoteIdent(layer.geometry.column)}`;
  const place = `${gis('st_makeenvelope')}(${xmin}, ${ymin}, ${xmax}, ${ymax}, ${layer.srid})`;
  const columns = layer.columns
    .filter(({ type }) => columnClass(type) !== 'bytes')
    .map(({ name }) => `f.${quoteIdent(name)}`);
  const key = `f.${quoteIdent(layer.primaryKey)}`;
  const degrees = layer.srid === 4326 ? source : `${gis('st_transform')}(${source}, 4326)`;
  const timed =
    time === undefined || layer.timeColumn === undefined
      ? ''
      : ` and f.${quoteIdent(layer.timeColumn)} between $1::timestamptz and $2::timestamptz`;
  // The nearest last in drawing, hence first here: what was drawn on top.
  return {
    text: `select ${key}::text, ${gis('st_asgeojson')}(${gis('st_force2d')}(${degrees}), 7), (select row_to_json(p) from (select ${columns.join(', ')}) p)
  from ${tableOf(layer)} as f where ${overlaps(layer, source, place)} and ${gis('st_intersects')}(${source}, ${place})${timed}
 order by ${key} desc limit ${count}`,
    params: timed === '' || time === undefined ? [] : [time.from, time.to],
  };
}
