// Statistics of a column → the statements that count them, over the rows that the caller may see. Pure.

import type { ClassMethod } from '../../geo/style/class-breaks.ts';
import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import { join, raw, sql } from '../../sql/index.ts';
import { columnClass } from '../columns/column-class.ts';
import { columnOf, looked } from './layer-sql.ts';
import { list, number, type Sql, whole } from './value.ts';

export type StatisticsRequest = {
  readonly column: LayerColumn;
  /** Undefined: no classes are wanted. */
  readonly method: ClassMethod | undefined;
  readonly classes: number;
  /** Most frequent values; 0: none are wanted. */
  readonly categories: number;
  /** Bars of the histogram. */
  readonly bins: number;
  /** Of the rows alone that pass; undefined: of all. */
  readonly passing: Sql | undefined;
};

/** Rows from which on a sample is looked at. */
export const MAX_ROWS = 2_000_000;
/** Sums of squares stay numbers below this; it also leaves out NaN and the infinities. */
const MAX_NUMBER = 1e140;
/** Natural breaks are looked for among so many groups of neighbouring values, so many by number and so many by width. */
const GROUPS = { byCount: 300, byWidth: 200 } as const;

export function isNumber({ type }: LayerColumn): boolean {
  return columnClass(type) === 'integer' || columnClass(type) === 'number';
}

/** The rows that are looked at, as `f`: the same ones in every statement. */
function rowsSql(layer: VectorLayer, passing: Sql | undefined): Sql {
  const share = (100 * MAX_ROWS) / Math.max(1, layer.estimatedRows);
  const rows = looked(layer, share < 100 ? share : undefined);
  return passing === undefined ? rows : sql`(select f.* from ${rows} where ${passing}) as f`;
}

/** Numbers that can be counted with, as `x`. */
function numbersOf(layer: VectorLayer, column: LayerColumn, passing: Sql | undefined): Sql {
  const of = sql`${columnOf(column.name)}::double precision`;
  const most = number(MAX_NUMBER);
  return sql`select ${of} as x from ${rowsSql(layer, passing)} where ${of} between -${most} and ${most}`;
}

export function numbersSql(layer: VectorLayer, { column, method, classes, bins, passing }: StatisticsRequest): Sql {
  const shares = sql`array(select i / ${number(classes)} from generate_series(1, ${whole(classes)} - 1) i)`;
  const quantiles: Sql =
    method === 'quantile'
      ? sql`(select percentile_cont(${shares}) within group (order by x) from v)`
      : sql`null::double precision[]`;
  // Equal values are always in one group, and one far from all others is never lost among them.
  const groups: Sql =
    method === 'natural'
      ? sql`(select json_agg(json_build_object('low', low, 'mean', mean, 'count', n) order by low) from (
          select min(x) as low, sum(x * n) / sum(n) as mean, sum(n) as n from (
            select d.x, d.n, floor((sum(d.n) over (order by d.x) - 1) * ${whole(GROUPS.byCount)} / s.values) as by_count,
                   case when s.min < s.max then width_bucket(d.x, s.min, s.max, ${whole(GROUPS.byWidth)}) end as by_width
              from (select x, count(*) as n from v group by x) d, s) p
           group by by_count, by_width) g)`
      : sql`null`;
  return sql`with v as materialized (${numbersOf(layer, column, passing)}),
       s as (select count(*) as values, count(distinct x) as distinct, min(x) as min, max(x) as max, avg(x) as average,
                    stddev_pop(x) as stddev, percentile_cont(0.5) within group (order by x) as median from v)
  select json_build_object('rows', (select count(*) from ${rowsSql(layer, passing)}), 'values', s.values, 'distinct', s.distinct,
         'min', s.min, 'max', s.max, 'average', s.average, 'stddev', s.stddev, 'median', s.median,
         'quantiles', to_json(${quantiles}), 'groups', ${groups},
         'bars', (select json_object_agg(bar, n) from (
            select case when s.min < s.max then least(width_bucket(x, s.min, s.max, ${whole(bins)}), ${whole(bins)}) else 1 end as bar,
                   count(*) as n from v group by 1) b))
    from s`;
}

export function textsSql(layer: VectorLayer, { column, passing }: StatisticsRequest): Sql {
  const value = columnOf(column.name);
  const hasOrder = columnClass(column.type) === 'date' || columnClass(column.type) === 'time';
  const edge = (name: 'min' | 'max'): Sql =>
    hasOrder ? sql`to_json(${raw(name)}(${value})) #>> '{}'` : sql`null::text`;
  return sql`select json_build_object('rows', count(*), 'values', count(${value}), 'distinct', count(distinct ${value}::text),
         'min', ${edge('min')}, 'max', ${edge('max')}) from ${rowsSql(layer, passing)}`;
}

/** Whether rows have no value in each of the columns; of numbers, none that can be drawn. */
export function missingSql(layer: VectorLayer, columns: readonly LayerColumn[], passing: Sql | undefined): Sql {
  const some = columns.map((column) => {
    const value = columnOf(column.name);
    const isNone =
      columnClass(column.type) === 'number' ? sql`(${value} is null or ${value} = 'NaN')` : sql`${value} is null`;
    return sql`exists (select from ${rowsSql(layer, passing)} where ${isNone})`;
  });
  return sql`select json_build_array(${join(some)})`;
}

export function categoriesSql(layer: VectorLayer, { column, categories, passing }: StatisticsRequest): Sql {
  const value = columnOf(column.name);
  const shown = isNumber(column) ? value : sql`${value}::text`;
  return sql`select json_agg(json_build_object('value', value, 'count', n) order by n desc, value) from (
    select ${shown} as value, count(*) as n from ${rowsSql(layer, passing)} where ${value} is not null group by 1 order by 2 desc, 1
     limit ${whole(categories)}) c`;
}

export function countsSql(layer: VectorLayer, { column, passing }: StatisticsRequest, breaks: readonly number[]): Sql {
  const limits = sql`${list(breaks.map(String))}::double precision[]`;
  return sql`with v as (${numbersOf(layer, column, passing)}),
       c as (select width_bucket(x, ${limits}) as class, count(*) as n from v group by 1)
  select json_agg(coalesce(c.n, 0) order by i) from generate_series(0, ${whole(breaks.length)}) i left join c on c.class = i`;
}
