// The rows of a statement in SQL of an administrator → a layer, or a table where no column is a shape. The database judges the statement, and runs it by
// a function that no change of role leads out of; what it says of the columns is what the result has. Pure.

import type { ProcessDescription } from '../../../layer-ports/process.ts';
import type { Statement } from '../../../pg/driver.ts';
import { ident, join, sql } from '../../../sql/index.ts';
import { GEOMETRY } from '../../import/load-table.ts';
import { type Sql, text, whole } from '../../query/value.ts';
import { named, type Recipe } from './recipe.ts';

const MAX_STATEMENT = 20_000;

export const SQL_RESULT: ProcessDescription = {
  id: 'sql',
  title: 'Result of SQL',
  description:
    'The rows of a statement in SQL that only reads, as a layer or, without a shape among its columns, as a table. For administrators.',
  inputs: {
    statement: {
      kind: 'text',
      most: MAX_STATEMENT,
      title: 'Statement',
      description: 'SELECT, VALUES, TABLE or WITH, as in the SQL console.',
    },
  },
};

export function noteSql(statement: string): Statement {
  return { text: `select portal.note_sql($1, 'layer', false)`, params: [statement] };
}

/** A row for each column, with its name and its type; the last one has the schema of PostGIS and no type. None at all: the result has no rows. */
export function sqlColumns(statement: string): Statement {
  return {
    text: `select c.c[1], c.c[2] from portal.sql_rows($1, 'columns', 1) as c(c)
           union all
           select n.nspname, null from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'`,
    params: [statement],
  };
}

export type SqlColumn = { readonly name: string; readonly type: string };

const SHAPE = /(?:^|\.)geo(?:metry|graphy)$/;

/** The first shape is that of the row; further ones are left out. */
export function sqlRecipe(statement: string, found: readonly SqlColumn[], gis: string, mostRows: number): Recipe {
  const place = found.findIndex(({ type }) => SHAPE.test(type));
  const columns = found.flatMap(({ name, type }, i) => (SHAPE.test(type) ? [] : [{ label: name, type, at: i + 1 }]));
  const cell = (at: number): Sql => sql`r.c[${whole(at)}]`;
  const cells = columns.map(({ at }) => cell(at));
  const geometry: Sql = place < 0 ? sql`null::text` : cell(place + 1);
  return {
    title: 'SQL',
    columns: named(columns.map(({ label, type }) => ({ label, type, value: sql<never>`null` }))),
    srid: 4326,
    suffix: '',
    parts: [],
    statement: {
      gis,
      isPlain: place < 0,
      select: sql`select ${join([...cells, sql`${geometry} as ${ident(GEOMETRY)}`])} from portal.sql_rows(${text(statement)}, 'rows', ${whole(mostRows + 1)}) as r(c)`,
    },
  };
}
