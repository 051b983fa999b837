// Geometries as hexadecimal digits → GeoJSON in degrees, as a statement. Pure.

import type { Statement } from '../../../pg/driver.ts';
import { ident, sql } from '../../../sql/index.ts';
import { gisOf } from '../../query/layer-sql.ts';
import { list, toStatement } from '../../query/value.ts';

/** A row for each of them, in their order: null where there is none. */
export function shapesSql(gis: string, shapes: readonly string[]): Statement {
  const call = gisOf({ gis });
  const shape = sql<never>`g.hex::${ident(gis, 'geometry')}`;
  return toStatement(
    sql`select ${call('st_asgeojson')}(${call('st_transform')}(${shape}, 4326), 7, 0) from unnest(${list(shapes)}::text[]) with ordinality as g(hex, n) order by g.n`,
  );
}
