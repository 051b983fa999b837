// Geometries in conditions and functions as SQL, by PostGIS in whatever schema it is. What a client sends is brought into the column's
// coordinate system, so that the column itself stays as it is and its index answers. In longitude and latitude (4326) distances, lengths
// and areas are measured on the ground, in metres.

import { ident, join, raw } from '../../sql/index.ts';
import type { SpatialType } from '../plan/plan.ts';
import type { GeometryValue, SpatialRelation } from '../request/api-request.ts';
import { type Sql, slot, sql } from './bind.ts';
import { onceSql } from './once-sql.ts';

const WGS84 = 4326;

/** The schema of PostGIS, and what the column is. */
type SpatialContext = { readonly schema: string; readonly type: SpatialType };

function call(schema: string, name: string, ...args: readonly Sql[]): Sql {
  return sql`${ident(schema, name)}(${join(args)})`;
}

function geometrySql(geometry: GeometryValue, spatial: SpatialContext): Sql {
  return onceSql(givenSql(geometry, spatial));
}

/** The client's geometry in the coordinate system of the column. WKT that names none is taken to be in it. */
function givenSql({ format, value }: GeometryValue, { schema, type }: SpatialContext): Sql {
  const text = sql`${slot(value)}::text`;
  const given = call(schema, format === 'geojson' ? 'st_geomfromgeojson' : 'st_geomfromewkt', text);
  return call(schema, type.kind, inSystem(given, format === 'wkt', schema, type.srid));
}

function inSystem(given: Sql, mayHaveNone: boolean, schema: string, srid: number | undefined): Sql {
  if (srid === undefined) return given;
  const system = raw(String(srid));
  const transformed = call(schema, 'st_transform', given, system);
  if (!mayHaveNone) return transformed;
  return sql`case when ${call(schema, 'st_srid', given)} = 0 then ${call(schema, 'st_setsrid', given, system)} else ${transformed} end`;
}

export function relatedSql(
  column: Sql,
  relation: SpatialRelation,
  geometry: GeometryValue,
  spatial: SpatialContext,
): Sql {
  return call(spatial.schema, relation, column, geometrySql(geometry, spatial));
}

export function dwithinSql(column: Sql, geometry: GeometryValue, distance: number, spatial: SpatialContext): Sql {
  const { schema, type } = spatial;
  const value = givenSql(geometry, spatial);
  const metres = sql`${slot(distance)}::float8`;
  if (type.kind === 'geography' || type.srid !== WGS84)
    return call(schema, 'st_dwithin', column, onceSql(value), metres);
  const box = boxAroundSql(value, metres, schema);
  return sql`(${column} operator(${ident(schema)}.&&) ${box} and ${call(schema, 'st_dwithin', call(schema, 'geography', column), onceSql(call(schema, 'geography', value)), metres)})`;
}

/**
 * A box of degrees that holds everything so many metres around a geometry: what an index of geometries can look for before the distance
 * is measured. A degree of latitude is 110.5 km at least; near a pole, or across the antimeridian, it is all longitudes.
 */
function boxAroundSql(value: Sql, metres: Sql, schema: string): Sql {
  const bound = (name: string): Sql => call(schema, name, sql`g`);
  const envelope = call(
    schema,
    'st_makeenvelope',
    sql`case when fits then x0 - dx else -180 end`,
    sql`greatest(y0 - dy, -90)`,
    sql`case when fits then x1 + dx else 180 end`,
    sql`least(y1 + dy, 90)`,
    raw(String(WGS84)),
  );
  const bounds = sql`select ${bound('st_xmin')} as x0, ${bound('st_xmax')} as x1, ${bound('st_ymin')} as y0, ${bound('st_ymax')} as y1, ${metres} / 110000 as dy from (select ${value} as g) as given`;
  const widths = sql`select *, case when greatest(abs(y0), abs(y1)) + dy < 89 then dy / cosd(greatest(abs(y0), abs(y1)) + dy) end as dx from (${bounds}) as bounds`;
  return sql`(select ${envelope} from (select *, coalesce(x0 - dx >= -180 and x1 + dx <= 180, false) as fits from (${widths}) as widths) as box)`;
}

export function bboxSql(
  column: Sql,
  bounds: readonly [number, number, number, number],
  srid: number | undefined,
  { schema, type }: SpatialContext,
): Sql {
  const edges = bounds.map((edge) => sql`${slot(edge)}::float8`);
  const envelope = call(schema, 'st_makeenvelope', ...edges, raw(String(srid ?? type.srid ?? 0)));
  const isForeign = srid !== undefined && type.srid !== undefined && srid !== type.srid;
  const inside = isForeign ? call(schema, 'st_transform', envelope, raw(String(type.srid))) : envelope;
  const box = call(schema, type.kind, inside);
  // Of four numbers it costs nothing, even for every row; and the planner has to know it: of a box that holds everything, it reads the index of the
  // order (10 of 50,000 rows: 0.02 ms instead of 17).
  return sql`${column} operator(${ident(schema)}.&&) ${isForeign ? onceSql(box) : box}`;
}

/** On the ground where the column is in longitude and latitude. */
export function onGroundSql(value: Sql, { schema, type }: SpatialContext): Sql {
  return type.kind === 'geometry' && type.srid === WGS84 ? call(schema, 'geography', value) : value;
}

export function distanceSql(value: Sql, geometry: GeometryValue, spatial: SpatialContext): Sql {
  return call(
    spatial.schema,
    'st_distance',
    onGroundSql(value, spatial),
    onceSql(onGroundSql(givenSql(geometry, spatial), spatial)),
  );
}

/** In units of the column, and by its index. */
export function nearestSql(value: Sql, geometry: GeometryValue, spatial: SpatialContext): Sql {
  return sql`${value} operator(${ident(spatial.schema)}.<->) ${geometrySql(geometry, spatial)}`;
}

/** Functions that know geometries alone. */
export function planarSql(value: Sql, { schema, type }: SpatialContext): Sql {
  return type.kind === 'geography' ? call(schema, 'geometry', value) : value;
}
