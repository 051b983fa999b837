// Functions of a column's value as SQL: each name of the closed list becomes a function of PostgreSQL or of an extension, in
// whatever schema that is. Units, time zones and numbers
// stand in the text, so that the same expression is the same to GROUP BY and to an index.

import { assertNever } from '../../kernel/assert-never.ts';
import { empty, ident, literal, raw } from '../../sql/index.ts';
import type { PlannedCall } from '../plan/plan.ts';
import type { CallArgument, GeometryValue } from '../request/api-request.ts';
import { type Sql, slot, sql } from './bind.ts';
import { onceSql } from './once-sql.ts';
import { distanceSql, nearestSql, onGroundSql, planarSql } from './spatial-sql.ts';
import { configurationSql } from './text-search-sql.ts';

export function columnCallSql(value: Sql, planned: PlannedCall): Sql {
  const { name, args, schema = 'public', baseType } = planned;
  const [first, second] = args;
  const spatial = { schema, type: planned.spatial ?? UNKNOWN_GEOMETRY };
  switch (name) {
    case 'trunc':
      return second === undefined
        ? sql`pg_catalog.date_trunc(${wordOf(first)}, ${value})`
        : sql`pg_catalog.date_trunc(${wordOf(first)}, ${value}, ${wordOf(second)})`;
    case 'part':
      return second === undefined
        ? sql`pg_catalog.date_part(${wordOf(first)}, ${value})`
        : sql`pg_catalog.date_part(${wordOf(first)}, ${value} at time zone ${wordOf(second)})`;
    case 'bucket':
      return sql`(pg_catalog.floor(${value} / ${numberOf(first)}::numeric) * ${numberOf(first)}::numeric)`;
    case 'round':
      return first === undefined
        ? sql`pg_catalog.round(${value})`
        : sql`pg_catalog.round(${value}::numeric, ${numberOf(first)})`;
    case 'floor':
    case 'ceil':
    case 'abs':
    case 'lower':
    case 'upper':
    case 'length':
      return sql`${raw(`pg_catalog.${name}`)}(${value})`;
    case 'ts_rank':
    case 'ts_rank_cd':
      return sql`${raw(`pg_catalog.${name}`)}(${vectorSql(value, baseType, second)}, ${querySql(first, second)})`;
    case 'ts_headline':
      return sql`pg_catalog.ts_headline(${languageSql(second)}${value}::text, ${querySql(first, second)})`;
    case 'similarity':
    case 'word_similarity':
      // Of a word in a text, the word comes first.
      return name === 'similarity'
        ? sql`${ident(schema, name)}(${value}, ${valueOfArgument(first)}::text)`
        : sql`${ident(schema, name)}(${valueOfArgument(first)}::text, ${value})`;
    case 'trgm_distance':
      return sql`(${value} operator(${ident(schema)}.<->) ${valueOfArgument(first)}::text)`;
    case 'l2_distance':
      return sql`(${value} operator(${ident(schema)}.<->) ${valueOfArgument(first)})`;
    case 'cosine_distance':
      return sql`(${value} operator(${ident(schema)}.<=>) ${valueOfArgument(first)})`;
    case 'inner_product':
      return sql`(- (${value} operator(${ident(schema)}.<#>) ${valueOfArgument(first)}))`;
    case 'st_area':
    case 'st_length':
    case 'st_perimeter':
      return sql`${ident(schema, name)}(${onGroundSql(value, spatial)})`;
    case 'st_centroid':
    case 'st_astext':
      return sql`${ident(schema, name)}(${value})`;
    case 'st_envelope':
    case 'st_x':
    case 'st_y':
      return sql`${ident(schema, name)}(${planarSql(value, spatial)})`;
    case 'st_simplify':
    case 'st_transform':
      return sql`${ident(schema, name)}(${planarSql(value, spatial)}, ${numberOf(first)})`;
    case 'st_asgeojson':
      return first === undefined
        ? sql`${ident(schema, name)}(${value})::json`
        : sql`${ident(schema, name)}(${value}, ${numberOf(first)})::json`;
    case 'st_distance':
      return distanceSql(value, geometryOf(first), spatial);
    case 'nearest':
      return sql`(${nearestSql(value, geometryOf(first), spatial)})`;
    default:
      return assertNever(name);
  }
}

const UNKNOWN_GEOMETRY = { kind: 'geometry', srid: undefined } as const;

function geometryOf(argument: CallArgument | undefined): GeometryValue {
  if (argument?.kind !== 'geometry') throw new Error('the parser sees to geometries');
  return argument.geometry;
}

function valueOfArgument(argument: CallArgument | undefined): Sql {
  if (argument?.kind !== 'value') throw new Error('the parser sees to values');
  return sql`${slot(argument.value)}`;
}

function languageSql(argument: CallArgument | undefined): Sql {
  return argument?.kind === 'word' ? sql`${configurationSql(argument.word)}, ` : empty;
}

function querySql(query: CallArgument | undefined, language: CallArgument | undefined): Sql {
  return onceSql(sql`pg_catalog.websearch_to_tsquery(${languageSql(language)}${valueOfArgument(query)}::text)`);
}

/** As in a filter: what is no vector becomes one. */
function vectorSql(value: Sql, baseType: string | undefined, language: CallArgument | undefined): Sql {
  const isVector = baseType === undefined || baseType === 'tsvector';
  return isVector ? value : sql`pg_catalog.to_tsvector(${languageSql(language)}${value})`;
}

function wordOf(argument: CallArgument | undefined): Sql {
  if (argument?.kind !== 'word') throw new Error('the parser sees to words');
  return literal(argument.word);
}

function numberOf(argument: CallArgument | undefined): Sql {
  if (argument?.kind !== 'number') throw new Error('the parser sees to numbers');
  return raw(argument.number);
}
