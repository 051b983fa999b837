// What of a recipe is shown before it is run, and which columns of a layer the caller may read. Pure.

import type { VectorLayer } from '../../../layer-ports/layer.ts';
import type { Statement } from '../../../pg/driver.ts';
import { ident, join, sql } from '../../../sql/index.ts';
import { GEOMETRY } from '../../import/load-table.ts';
import { gisOf } from '../../query/layer-sql.ts';
import { type Sql, text, whole } from '../../query/value.ts';
import type { Recipe } from './recipe.ts';

/** One row, one cell: features as JSON, or null. */
export function previewSql({ srid, columns }: Recipe, rows: Sql, layer: VectorLayer, most: number): Sql {
  const gis = gisOf(layer);
  const place = sql`x.${ident(GEOMETRY)}`;
  const shown = srid === 4326 ? place : sql`${gis('st_transform')}(${place}, 4326)`;
  const named = join(columns.map(({ name }) => sql<never>`x.${ident(name)}`));
  const properties: Sql =
    columns.length === 0 ? sql`'{}'::json` : sql`(select row_to_json(p) from (select ${named}) p)`;
  return sql`select json_agg(json_build_object('type', ${text('Feature')}, 'geometry', ${gis('st_asgeojson')}(${shown}, 7, 0)::json, 'properties', ${properties}))
    from (select * from (${rows}) r limit ${whole(most)}) x`;
}

/** A row for each column that the caller may read. */
export function readableColumns({ table }: Pick<VectorLayer, 'table'>): Statement {
  return {
    name: 'process_columns',
    text: `select a.attname from pg_catalog.pg_attribute a
            where a.attrelid = to_regclass('layers.' || quote_ident($1)) and a.attnum > 0 and not a.attisdropped
              and has_column_privilege(a.attrelid, a.attnum, 'select')`,
    params: [table],
  };
}
