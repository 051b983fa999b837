// A geometry that somebody sent → the same in the system of a layer, in SQL. Pure.

import type { GeoGeometry } from '../../geo/geojson.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { sql } from '../../sql/index.ts';
import type { KnownCrs } from './known-crs.ts';
import { gisOf } from './layer-sql.ts';
import { type Sql, text, whole } from './value.ts';

export function geometryValue(geometry: GeoGeometry, layer: VectorLayer, crs: KnownCrs): Sql {
  const gis = gisOf(layer);
  const read = sql`${gis('st_geomfromgeojson')}(${text(JSON.stringify(plainGeometry(geometry)))})`;
  const turned = crs.isNorthFirst ? sql`${gis('st_flipcoordinates')}(${read})` : read;
  const placed = sql`${gis('st_setsrid')}(${turned}, ${whole(crs.srid)})`;
  return crs.srid === layer.srid ? placed : sql`${gis('st_transform')}(${placed}, ${whole(layer.srid)})`;
}

/** Without members that say more, such as another system. */
function plainGeometry(geometry: GeoGeometry): GeoGeometry {
  if (geometry.type === 'GeometryCollection')
    return { type: geometry.type, geometries: geometry.geometries.map(plainGeometry) };
  return { type: geometry.type, coordinates: geometry.coordinates } as GeoGeometry;
}
