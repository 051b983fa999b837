// Rows → body: the expressions that turn the rows `_survest_t` of the outermost SELECT into what the client gets.

import { assertNever } from '../../kernel/assert-never.ts';
import { ident, raw } from '../../sql/index.ts';
import type { BodyFormat } from '../plan/plan.ts';
import { type Sql, sql } from './bind.ts';

/** Alias of the rows in the outermost SELECT; a name no user column has. */
export const ROWS = '_survest_t';
/** The one column of a function's scalar result. Clients see it in CSV and can filter by it, so it has the model's name. */
export const SCALAR = 'pgrst_scalar';

// With the star: a bare name would mean a column of that name first, here or in an enclosing SELECT.
const rows = sql`${ident(ROWS)}.*`;
const scalar = ident(ROWS, SCALAR);

/** What a row is: columns, or one value of a function. `one`: not a set, so the body is the row itself. */
export type RowShape = { readonly kind: 'columns' | 'scalar'; readonly one: boolean };

export const TABLE_ROWS: RowShape = { kind: 'columns', one: false };

/** `csvSource`: name of the rows' CTE, needed once more for the header line. */
export function bodySql(format: BodyFormat, shape: RowShape, csvSource: string): Sql {
  const all = shape.kind === 'scalar' ? scalar : rows;
  switch (format.kind) {
    case 'none':
      return sql`''`;
    case 'array':
      return shape.one
        ? firstSql(strip(sql`json_agg(${all})`, format.nullsStripped))
        : sql`coalesce(${strip(sql`json_agg(${all})`, format.nullsStripped)}, '[]')`;
    case 'object':
      return firstSql(strip(sql`json_agg(${all})`, format.nullsStripped));
    case 'csv':
      return csvSql(csvSource);
    case 'geojson':
      return sql`json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(${rows})::json), '[]'))`;
    case 'geojson-seq':
      return sql`coalesce(string_agg(E'\x1e' || ST_AsGeoJSON(${rows}) || E'\n', ''), '')`;
    // Never sent as a body of one of these: it has the same rows, for a plan or a check of privileges.
    case 'arrow':
    case 'parquet':
    case 'ndjson':
      return sql`coalesce(string_agg(${shape.kind === 'scalar' ? sql`coalesce(to_json(${scalar})::text, 'null')` : sql`row_to_json(${rows})`} || E'\n', ''), '')`;
    case 'handler': {
      const { aggregate, relation } = format.handler;
      const row =
        shape.kind === 'scalar'
          ? scalar
          : relation === undefined
            ? rows
            : sql`${rows}::${ident(relation.schema, relation.name)}`;
      return sql`${ident(aggregate.schema, aggregate.name)}(${row})`;
    }
    case 'value':
      return sql`(array_agg(${scalar}))[1]`;
    case 'events':
      throw new Error('events are no body of one statement');
    default:
      return assertNever(format);
  }
}

/** How the database writes one row of a body that is put together row by row; `orCells`: the same can be written here of the columns. */
export type RowText = 'cells' | { readonly sql: Sql; readonly orCells: boolean };

/** Undefined: the body is made of all rows at once. */
export function rowTextSql(format: BodyFormat, shape: RowShape['kind']): RowText | undefined {
  const isScalar = shape === 'scalar';
  const json = isScalar ? sql`to_json(${scalar})` : sql`row_to_json(${rows})`;
  switch (format.kind) {
    case 'array':
      return { sql: strip(json, format.nullsStripped), orCells: !isScalar && !format.nullsStripped };
    case 'ndjson':
      return { sql: json, orCells: !isScalar };
    case 'csv':
    case 'arrow':
    case 'parquet':
      return 'cells';
    case 'geojson':
    case 'geojson-seq':
      return { sql: sql`ST_AsGeoJSON(${rows})`, orCells: false };
    case 'none':
    case 'object':
    case 'handler':
    case 'value':
    case 'events':
      return undefined;
    default:
      return assertNever(format);
  }
}

function strip(json: Sql, nullsStripped: boolean): Sql {
  return nullsStripped ? sql`json_strip_nulls(${json})` : json;
}

function firstSql(array: Sql): Sql {
  return sql`coalesce(${array}->0, 'null')`;
}

/** A header line from the first row's keys, then the rows in PostgreSQL's record form without its parentheses. */
function csvSql(source: string): Sql {
  const key = raw(`case when k ~ '[",\\r\\n]' then '"' || replace(k, '"', '""') || '"' else k end`);
  const header = sql`(select coalesce(string_agg(${key}, ','), '') from json_object_keys((select row_to_json(h.*) from ${ident(source)} as h limit 1)) as k)`;
  return sql`${header} || E'\n' || coalesce(string_agg(substring(${rows}::text, 2, length(${rows}::text) - 2), E'\n'), '')`;
}
