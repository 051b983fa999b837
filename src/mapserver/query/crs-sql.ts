// Coordinate systems as the database has them. Pure.

import type { Statement } from '../../pg/driver.ts';
import { ident, sql } from '../../sql/index.ts';
import { toStatement, whole } from './value.ts';

/** One row at most: the definition for PROJ, and the well-known text. `gis`: the schema in which PostGIS stands. */
export function crsStatement(gis: string, srid: number): Statement {
  return toStatement(sql`select proj4text, srtext from ${ident(gis, 'spatial_ref_sys')} where srid = ${whole(srid)}`);
}

/** One row, one cell: the schema in which PostGIS stands. */
export const GIS_SCHEMA: Statement = {
  text: `select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'`,
  params: [],
};
