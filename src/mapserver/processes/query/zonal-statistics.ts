// Areas and a raster → the areas with what its pixels tell. The rows are read with their area in the coordinate system of the raster behind their
// columns; the pixels are read on their way into the result (rasters/). Pure.

import { meeting } from '../../../geo/bbox.ts';
import { err, ok } from '../../../kernel/result.ts';
import type { Bbox, RasterLayer, VectorLayer } from '../../../layer-ports/layer.ts';
import { sql } from '../../../sql/index.ts';
import { clipped, envelope, transformed } from '../../query/box-sql.ts';
import { geometryOf, gisOf } from '../../query/layer-sql.ts';
import { number, type Sql, whole } from '../../query/value.ts';
import { AREAS, BAND, conditionsOf, layerInput, RASTER, ROWS } from './common-inputs.ts';
import type { Process } from './process.ts';
import { COUNT, columnsOf, mayRead, named, type ResultColumn, selectPlaced, sound } from './recipe.ts';

export const ZONAL_STATISTICS: Process = {
  id: 'zonal-statistics',
  title: 'Zonal statistics',
  description:
    'Areas with what a raster has there: how many pixels, their sum, mean, least and greatest value and standard deviation. A pixel belongs to the area in which its centre lies.',
  inputs: {
    layer: layerInput('Areas', 'Its rows stay as they are, and get columns.', AREAS),
    raster: RASTER,
    band: BAND,
    majority: {
      kind: 'flag',
      title: 'Most frequent value',
      description: 'Told, too: for classes, such as those of land cover. Of whole numbers.',
      isOptional: true,
    },
    filter: ROWS,
  },
  compile(given) {
    const [layer, raster] = [given.layer('layer'), given.raster('raster')];
    const [band, isCounted] = [given.number('band'), given.flag('majority')];
    if (isCounted && raster.bands[band - 1]?.type.startsWith('Float') === true)
      return err({ majority: 'The values of this band are no whole numbers: none of them is frequent.' });
    const conditions = conditionsOf(given, layer);
    if (!conditions.ok) return conditions;
    const columns = columnsOf(layer);
    const read = [...columns, { value: zoneIn(layer, raster), label: 'survest zone', type: 'text' }];
    const shape = sql`${gisOf(layer)('st_force2d')}(${geometryOf(layer)})`;
    return ok({
      title: `${layer.title}: ${raster.title}`,
      columns: named([...columns, ...zoneColumns(isCounted)]),
      srid: layer.srid,
      suffix: '',
      pixels: { kind: 'zones', raster, band, isCounted },
      parts: [
        {
          layer,
          conditions: [...conditions.value, mayRead(raster)],
          isWhole: false,
          select: (rows) => selectPlaced(layer, read, rows, shape),
        },
      ],
    });
  },
};

function zoneColumns(isCounted: boolean): readonly ResultColumn[] {
  const told = ['sum', 'mean', 'min', 'max', 'stddev', ...(isCounted ? ['majority'] : [])];
  const value = sql<never>`null`;
  return [{ ...COUNT, value }, ...told.map((label) => ({ label, type: 'double precision', value }))];
}

/** The area in the coordinate system of the raster: few systems are defined everywhere, so what lies far from the raster is cut off before. */
function zoneIn(layer: VectorLayer, raster: RasterLayer): Sql {
  const shape = sound(layer, geometryOf(layer));
  if (layer.srid === raster.srid || raster.extent === undefined) return transformed(layer, shape, raster.srid);
  const box = meeting(grown(raster.extent.wgs84), layer.extent?.wgs84);
  if (box === undefined) return sql`null::text`;
  if (box === 'everything') return transformed(layer, shape, raster.srid);
  const gis = gisOf(layer);
  const step = Math.max(box[2] - box[0], box[3] - box[1], 1e-9) / 8;
  const degrees = envelope(layer, box, 4326);
  const place =
    layer.srid === 4326
      ? degrees
      : sql`${gis('st_transform')}(${gis('st_segmentize')}(${degrees}, ${number(step)}), ${whole(layer.srid)})`;
  return transformed(layer, clipped(layer, shape, place), raster.srid);
}

/** Straight edges are curves elsewhere: a raster reaches a little beyond the box of its corners. */
function grown([xmin, ymin, xmax, ymax]: Bbox): Bbox {
  const by = Math.max(xmax - xmin, ymax - ymin) * 0.02 + 1e-6;
  return [xmin - by, Math.max(-90, ymin - by), xmax + by, Math.min(90, ymax + by)];
}
