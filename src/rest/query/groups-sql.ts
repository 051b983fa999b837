// Aggregates with their filters, conditions on groups, and window functions as SQL.

import { empty, join, raw } from '../../sql/index.ts';
import type { Condition, Having, OrderBy, WindowRows } from '../plan/plan.ts';
import type { Aggregate, Neighbour } from '../request/api-request.ts';
import { type Sql, sql } from './bind.ts';
import { conditionSql, negate, operationSql } from './condition-sql.ts';
import { fieldSql } from './field-sql.ts';

type AggregateParts = {
  readonly aggregate?: Aggregate | 'rows' | undefined;
  readonly distinct?: boolean;
  readonly filter?: readonly Condition[];
};

/** Without a value the rows are counted. */
export function aggregateSql(
  value: Sql | undefined,
  { aggregate, distinct, filter }: AggregateParts,
  alias: string,
): Sql {
  const call =
    value === undefined || aggregate === undefined || aggregate === 'rows'
      ? sql`count(*)`
      : sql`${raw(aggregate)}(${raw(distinct === true ? 'distinct ' : '')}${value})`;
  if (filter === undefined || filter.length === 0) return call;
  const conditions = filter.map((condition) => conditionSql(condition, alias, noEmbeds));
  return sql`${call} filter (where ${join(conditions, ' and ')})`;
}

/** The parser and the planner make conditions on columns alone here. */
function noEmbeds(): never {
  throw new Error('an aggregate is filtered by columns');
}

const PLAIN_VALUE = { baseType: undefined, path: [], representation: undefined };

export function havingSql(having: readonly Having[], alias: string): Sql {
  return sql`having ${join(
    having.map((one) => havingConditionSql(one, alias)),
    ' and ',
  )}`;
}

function havingConditionSql(having: Having, alias: string): Sql {
  if (having.kind === 'group') {
    const children = having.children.map((child) => havingConditionSql(child, alias));
    return negate(having.negated, sql`(${join(children, having.operator === 'and' ? ' and ' : ' or ')})`);
  }
  if (having.kind === 'filter') return conditionSql(having, alias, noEmbeds);
  const { measure, negated, operation } = having;
  const value = measure.field === undefined ? undefined : fieldSql(alias, measure.field);
  const aggregate = aggregateSql(value, { ...measure, aggregate: measure.fn }, alias);
  return negate(negated, operationSql({ field: PLAIN_VALUE, operation }, aggregate));
}

export function neighbourSql(value: Sql, { fn, offset }: Neighbour): Sql {
  return offset === undefined ? sql`${raw(fn)}(${value})` : sql`${raw(fn)}(${value}, ${raw(String(offset))})`;
}

type Windowed = { readonly kind: string; readonly over?: WindowRows; readonly neighbour?: Neighbour };

/** ` over (…)`, or nothing. Running aggregates take in row after row, also where rows are equal in the order. */
export function overSql(output: Windowed, alias: string): Sql {
  const { over, kind, neighbour } = output;
  if (over === undefined) return empty;
  const terms = over.order.map((term) => windowOrderSql(term, alias));
  const isRunning = terms.length > 0 && kind !== 'window' && neighbour === undefined;
  const isWhole = neighbour?.fn === 'last_value';
  const parts = [
    ...(over.partition.length === 0
      ? []
      : [sql`partition by ${join(over.partition.map((field) => fieldSql(alias, field)))}`]),
    ...(terms.length === 0 ? [] : [sql`order by ${join(terms)}`]),
    ...(isRunning ? [raw('rows unbounded preceding')] : []),
    ...(isWhole ? [raw('rows between unbounded preceding and unbounded following')] : []),
  ];
  return sql` over (${join(parts, ' ')})`;
}

function windowOrderSql({ by, direction, nulls }: OrderBy, alias: string): Sql {
  if (by.kind !== 'own') throw new Error('a window is ordered by columns');
  return join([fieldSql(alias, by.field), raw(direction ?? ''), raw(nulls === undefined ? '' : `nulls ${nulls}`)], ' ');
}
