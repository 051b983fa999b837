// Conditions as SQL. Operators come from a closed map; what the client sent is only ever a parameter.

import { assertNever } from '../../kernel/assert-never.ts';
import { ident, join, raw } from '../../sql/index.ts';
import type { Condition, EmbedNode } from '../plan/plan.ts';
import type { CompareOperator, IsWord, Operation, TextSearchOperator } from '../request/api-request.ts';
import { type Sql, slot, sql } from './bind.ts';
import { fieldSql } from './field-sql.ts';
import { onceSql } from './once-sql.ts';
import { bboxSql, dwithinSql, relatedSql } from './spatial-sql.ts';
import { configurationSql } from './text-search-sql.ts';

/** Writes the test whether an embed has a row; the embed's rows are another file's business. */
export type ExistsSql = (embed: EmbedNode) => Sql;

export function conditionSql(condition: Condition, alias: string, exists: ExistsSql): Sql {
  switch (condition.kind) {
    case 'filter':
      return negate(condition.negated, filterSql(condition, alias));
    case 'exists':
      return negate(condition.negated, exists(condition.embed));
    case 'group': {
      const children = condition.children.map((child) => conditionSql(child, alias, exists));
      return negate(condition.negated, sql`(${join(children, condition.operator === 'and' ? ' and ' : ' or ')})`);
    }
    default:
      return assertNever(condition);
  }
}

function filterSql(filter: Extract<Condition, { kind: 'filter' }>, alias: string): Sql {
  const column = fieldSql(alias, filter.field);
  const { operation, other, schema = 'public' } = filter;
  const spatial = { schema, type: filter.field.spatial ?? UNKNOWN_GEOMETRY };
  switch (operation.kind) {
    case 'column':
      if (other === undefined) throw new Error('the planner finds the other column');
      return sql`${column} ${raw(operatorText(operation.operator, filter.field))} ${fieldSql(alias, other)}`;
    case 'spatial':
      return relatedSql(column, operation.relation, operation.geometry, spatial);
    case 'dwithin':
      return dwithinSql(column, operation.geometry, operation.distance, spatial);
    case 'bbox':
      return bboxSql(column, operation.bounds, operation.srid, spatial);
    case 'similar':
      return sql`${column} operator(${ident(schema)}.%) ${slot(operation.value)}::text`;
    default:
      return operationSql({ field: filter.field, operation, configuration: filter.configuration }, column);
  }
}

/** Of a view's expression, or of what a function returns. */
const UNKNOWN_GEOMETRY = { kind: 'geometry', srid: undefined } as const;

export function negate(negated: boolean, condition: Sql): Sql {
  return negated ? sql`not (${condition})` : condition;
}

const OPERATORS = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
  isdistinct: 'is distinct from',
} as const satisfies Record<CompareOperator, string>;

const IS_WORDS = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const satisfies Record<IsWord, string>;

const TO_QUERY = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const satisfies Record<TextSearchOperator, string>;

/** Operators whose operand is a value of the column's type, so that a domain's own reading of text applies. */
const TYPED: ReadonlySet<CompareOperator> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct']);

const OF_RANGES: ReadonlySet<CompareOperator> = new Set(['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj']);
const READ_AS_GEOMETRY: ReadonlySet<string> = new Set(['text', 'character varying', 'character', 'name', 'bytea']);

/**
 * PostGIS reads any text or bytes as a geometry where only an operator of geometries fits, and calls what is none an internal
 * error. With the operators of PostgreSQL alone the database says that text has no such operator.
 */
function operatorText(
  operator: CompareOperator,
  { baseType, path }: { readonly baseType: string | undefined; readonly path: readonly unknown[] },
): string {
  const text = OPERATORS[operator];
  const isText = path.length > 0 || (baseType !== undefined && READ_AS_GEOMETRY.has(baseType));
  return isText && OF_RANGES.has(operator) ? `operator(pg_catalog.${text})` : text;
}

export function operationSql(
  {
    field,
    operation,
    configuration,
  }: {
    readonly field: {
      readonly baseType: string | undefined;
      readonly path: readonly unknown[];
      readonly representation: { readonly fromText: string | null } | undefined;
    };
    readonly operation: Operation;
    readonly configuration?: string | undefined;
  },
  column: Sql,
): Sql {
  const fromText = field.representation?.fromText ?? undefined;
  switch (operation.kind) {
    case 'compare': {
      const value = slot(operation.value);
      const operator = raw(operatorText(operation.operator, field));
      if (operation.quantifier !== undefined) return sql`${column} ${operator} ${raw(operation.quantifier)} (${value})`;
      if (fromText !== undefined && TYPED.has(operation.operator))
        return sql`${column} ${operator} ${onceSql(sql`${raw(fromText)}(${value}::text)`)}`;
      return sql`${column} ${operator} ${value}`;
    }
    case 'in': {
      // Some types have no `=`; nothing is in an empty list all the same.
      if (operation.empty) return sql`false`;
      const values = slot(operation.values);
      if (fromText !== undefined)
        return sql`${column} = any (array(select ${raw(fromText)}(v) from unnest(${values}::text[]) as v))`;
      return sql`${column} = any (${values})`;
    }
    case 'is':
      return sql`${column} ${raw(IS_WORDS[operation.word])}`;
    case 'search': {
      const language = operation.language === undefined ? raw('') : sql`${configurationSql(operation.language)}, `;
      // Of a function in the extra search path the type is not known; `@@` takes its text as well as its vector.
      const isVector = field.path.length === 0 && (field.baseType === undefined || field.baseType === 'tsvector');
      const vector = isVector ? column : sql`to_tsvector(${language}${column})`;
      return sql`${vector} @@ ${searchSql(operation.operator, operation.language ?? configuration, sql`${slot(operation.value)}`)}`;
    }
    case 'column':
    case 'spatial':
    case 'dwithin':
    case 'bbox':
    case 'similar':
      throw new Error('only columns are compared like that');
    default:
      return assertNever(operation);
  }
}

/**
 * With its configuration the function is immutable: PostgreSQL computes it while it plans, once, and knows how many rows the words have, so that it
 * takes the index of words and not that of the order (a page of 10 among 20,000 rows: 0.03 ms instead of 22). Without, it would be computed for
 * every row.
 */
function searchSql(operator: TextSearchOperator, configuration: string | undefined, words: Sql): Sql {
  const name = raw(TO_QUERY[operator]);
  return configuration === undefined
    ? onceSql(sql`${name}(${words})`)
    : sql`${name}(${configurationSql(configuration)}, ${words})`;
}
