// Boxes in statements: as a geometry, as a condition on a layer, and as what geometries are cut to. Pure.

import { type Box, meeting, toMercator } from '../../geo/bbox.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { sql } from '../../sql/index.ts';
import { geometryOf, gisOf } from './layer-sql.ts';
import { number, type Sql, whole } from './value.ts';

type Placed = Pick<VectorLayer, 'gis'>;

/** A box as a geometry; without a system where none is said. */
export function envelope(layer: Placed, [xmin, ymin, xmax, ymax]: Box, srid = 0): Sql {
  return sql`${gisOf(layer)('st_makeenvelope')}(${number(xmin)}, ${number(ymin)}, ${number(xmax)}, ${number(ymax)}, ${whole(srid)})`;
}

/** What of a geometry lies in a box; lines along its edge are not exact, and need not be: they lie outside of what is seen. */
export function clipped(layer: Placed, geometry: Sql, box: Sql): Sql {
  const gis = gisOf(layer);
  return sql`${gis('st_clipbybox2d')}(${geometry}, ${box}::${gis('box2d')})`;
}

/** The geometry in another system. */
export function transformed(layer: Pick<VectorLayer, 'gis' | 'srid'>, geometry: Sql, srid: number): Sql {
  return srid === layer.srid ? geometry : sql`${gisOf(layer)('st_transform')}(${geometry}, ${whole(srid)})`;
}

/**
 * The part of a box (in degrees) in which the layer can be, as a geometry in the layer's own system, given to a condition. Few systems are
 * defined everywhere: only where the layer is, the box can be told in its own.
 */
export function inDegrees(layer: VectorLayer, degrees: Box, condition: (box: Sql) => Sql): Sql {
  if (layer.srid === 4326) return condition(envelope(layer, degrees, 4326));
  if (layer.srid === 3857) return condition(envelope(layer, toMercator(degrees), 3857));
  const box = meeting(degrees, layer.extent?.wgs84);
  if (box === undefined) return sql`false`;
  if (box === 'everything') return sql`${geometryOf(layer)} is not null`;
  const gis = gisOf(layer);
  // Straight edges are curves elsewhere.
  const step = Math.max(box[2] - box[0], box[3] - box[1], 1e-9) / 8;
  return condition(
    sql`${gis('st_transform')}(${gis('st_segmentize')}(${envelope(layer, box, 4326)}, ${number(step)}), ${whole(layer.srid)})`,
  );
}

/** How much of an extent lies in a box; all of it where that is not known. */
export function shareOf(extent: Box | undefined, [west, south, east, north]: Box): number {
  if (extent === undefined) return 1;
  const [xmin, ymin, xmax, ymax] = extent;
  const part = (low: number, high: number, from: number, to: number): number =>
    high - low < 1e-9 ? 1 : Math.max(0, Math.min(high, to) - Math.max(low, from)) / (high - low);
  return part(xmin, xmax, west, east) * part(ymin, ymax, south, north);
}
