// Statistics of a column over all rows that the caller may see: count, range, mean, histogram, most frequent values, class breaks. What
// the style editor and the plots of a layer are made of. Of very large tables a sample is looked at, and its size is said.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { CLASS_METHODS, type ClassMethod, classBreaks, type NumberGroup } from '../../geo/style/class-breaks.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { empty, type Fragment, ident, raw, render, sql } from '../../sql/index.ts';
import { columnClass } from '../layers/column-class.ts';
import type { MapFailure } from '../map-context.ts';
import { timeLimit } from '../query/layer-sql.ts';

export type StatisticsRequest = {
  readonly column: LayerColumn;
  /** Undefined: no classes are wanted. */
  readonly method: ClassMethod | undefined;
  readonly classes: number;
  /** Most frequent values; 0: none are wanted. */
  readonly categories: number;
  /** Bars of the histogram. */
  readonly bins: number;
};

export type ColumnStatistics = {
  readonly column: string;
  readonly kind: 'number' | 'other';
  /** Rows that were looked at. */
  readonly rows: number;
  /** How many there are, about, where only some were looked at; null: all were. */
  readonly sampled_from: number | null;
  /** Rows that have a value; of numbers, one that can be counted with. */
  readonly values: number;
  readonly distinct: number;
  readonly min: number | string | null;
  readonly max: number | string | null;
  readonly average: number | null;
  readonly median: number | null;
  readonly stddev: number | null;
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly categories: readonly { readonly value: string | number; readonly count: number }[];
  /** Limits between classes; a limit belongs to the class above it. */
  readonly breaks: readonly number[];
  /** Of each class. */
  readonly counts: readonly number[];
};

type Query = Readonly<Record<string, unknown>>;
type Sql = Fragment<string>;

const MAX_MS = 20_000;
/** Rows from which on a sample is looked at. */
const MAX_ROWS = 2_000_000;
/** Sums of squares stay numbers below this; it also leaves out NaN and the infinities. */
const MAX_NUMBER = '1e140';
/** Natural breaks are looked for among so many groups of neighbouring values, so many by number and so many by width. */
const GROUPS = { byCount: 300, byWidth: 200 } as const;

export function parseStatistics(layer: VectorLayer, query: Query): Result<StatisticsRequest, MapFailure> {
  const column = layer.columns.find(({ name }) => name === query['column']);
  if (column === undefined) return bad('column: the layer has no such column.');
  if (columnClass(column.type) === 'bytes') return bad('column: a column of bytes has no statistics.');
  const method = CLASS_METHODS.find((one) => one === query['method']);
  if (query['method'] !== undefined && method === undefined) return bad(`method: ${CLASS_METHODS.join(', ')}.`);
  if (method !== undefined && !isNumber(column)) return bad('method: only numbers have classes.');
  const [classes, categories, bins] = [
    wholeNumber(query['classes'], 5, 1, 20),
    wholeNumber(query['categories'], 0, 0, 100),
    wholeNumber(query['bins'], 12, 1, 100),
  ];
  if (classes === undefined) return bad('classes: a number from 1 to 20.');
  if (categories === undefined) return bad('categories: a number from 0 to 100.');
  if (bins === undefined) return bad('bins: a number from 1 to 100.');
  return ok({ column, method, classes, categories, bins });
}

export async function columnStatistics(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
  asked: StatisticsRequest,
): Promise<Result<ColumnStatistics, MapFailure>> {
  const { column, method, classes } = asked;
  const read = async <T>(...statements: readonly Sql[]): Promise<Result<readonly T[], MapFailure>> => {
    const flown = await db.read(caller, info, [timeLimit(MAX_MS), ...statements.map(toStatement)]);
    if (!flown.ok) return err({ kind: 'database', error: flown.error });
    return ok(flown.value.slice(1).map(({ rows }) => JSON.parse(rows[0]?.[0]?.toString() ?? 'null') as T));
  };
  const isSample = layer.estimatedRows > MAX_ROWS;
  const categories = asked.categories === 0 ? [] : [categoriesSql(layer, column, asked.categories)];
  const summarised = await read<unknown>(
    isNumber(column) ? numbersSql(layer, asked) : textsSql(layer, column),
    ...categories,
  );
  if (!summarised.ok) return summarised;
  const [summary, frequent] = summarised.value as [Summary, ColumnStatistics['categories'] | null];
  const breaks =
    method === undefined || summary.min === null || typeof summary.min === 'string'
      ? []
      : classBreaks(method, classes, {
          min: summary.min,
          max: Number(summary.max),
          average: summary.average ?? 0,
          deviation: summary.stddev ?? 0,
          quantiles: summary.quantiles ?? [],
          groups: summary.groups ?? [],
        });
  const counted = breaks.length === 0 ? ok([[summary.values]]) : await read<number[]>(countsSql(layer, column, breaks));
  if (!counted.ok) return counted;
  return ok({
    column: column.name,
    kind: isNumber(column) ? 'number' : 'other',
    rows: summary.rows,
    sampled_from: isSample ? Math.round(layer.estimatedRows) : null,
    values: summary.values,
    distinct: summary.distinct,
    min: summary.min,
    max: summary.max,
    average: summary.average ?? null,
    median: summary.median ?? null,
    stddev: summary.stddev ?? null,
    histogram: histogramOf(summary, asked.bins),
    categories: frequent ?? [],
    breaks,
    counts: counted.value[0] ?? [],
  });
}

type Summary = Pick<ColumnStatistics, 'rows' | 'values' | 'distinct' | 'min' | 'max'> &
  Partial<Pick<ColumnStatistics, 'average' | 'median' | 'stddev'>> & {
    readonly quantiles?: readonly number[] | null;
    readonly groups?: readonly NumberGroup[] | null;
    /** By the number of the bar. */
    readonly bars?: Readonly<Record<string, number>> | null;
  };

function histogramOf({ min, max, bars }: Summary, bins: number): ColumnStatistics['histogram'] {
  if (typeof min !== 'number' || typeof max !== 'number' || bars === undefined || bars === null) return [];
  const width = (max - min) / bins;
  return Array.from({ length: bins }, (_, i) => ({
    from: min + i * width,
    to: i === bins - 1 ? max : min + (i + 1) * width,
    count: bars[i + 1] ?? 0,
  }));
}

function isNumber({ type }: LayerColumn): boolean {
  return columnClass(type) === 'integer' || columnClass(type) === 'number';
}

/** The rows that are looked at, as `t`: the same ones in every statement. */
function rowsSql(layer: VectorLayer): Sql {
  const share = (100 * MAX_ROWS) / Math.max(1, layer.estimatedRows);
  const sample = share < 100 ? raw(` tablesample system (${share.toFixed(6)}) repeatable (1)`) : empty;
  return sql`${ident('layers', layer.table)} as t${sample}`;
}

/** Numbers that can be counted with, as `x`. */
function numbersOf(layer: VectorLayer, column: LayerColumn): Sql {
  const value = sql<string>`${ident('t', column.name)}::double precision`;
  return sql`select ${value} as x from ${rowsSql(layer)} where ${value} between -${raw(MAX_NUMBER)}::double precision and ${raw(MAX_NUMBER)}::double precision`;
}

function numbersSql(layer: VectorLayer, { column, method, classes, bins }: StatisticsRequest): Sql {
  const shares = sql<string>`array(select i / ${String(classes)}::double precision from generate_series(1, ${String(classes)}::integer - 1) i)`;
  const quantiles =
    method === 'quantile'
      ? sql<string>`(select percentile_cont(${shares}) within group (order by x) from v)`
      : raw('null::double precision[]');
  // Equal values are always in one group, and one far from all others is never lost among them.
  const groups =
    method === 'natural'
      ? sql<string>`(select json_agg(json_build_object('low', low, 'mean', mean, 'count', n) order by low) from (
          select min(x) as low, sum(x * n) / sum(n) as mean, sum(n) as n from (
            select d.x, d.n, floor((sum(d.n) over (order by d.x) - 1) * ${raw(String(GROUPS.byCount))} / s.values) as by_count,
                   case when s.min < s.max then width_bucket(d.x, s.min, s.max, ${raw(String(GROUPS.byWidth))}) end as by_width
              from (select x, count(*) as n from v group by x) d, s) p
           group by by_count, by_width) g)`
      : raw('null');
  return sql`with v as materialized (${numbersOf(layer, column)}),
       s as (select count(*) as values, count(distinct x) as distinct, min(x) as min, max(x) as max, avg(x) as average,
                    stddev_pop(x) as stddev, percentile_cont(0.5) within group (order by x) as median from v)
  select json_build_object('rows', (select count(*) from ${rowsSql(layer)}), 'values', s.values, 'distinct', s.distinct,
         'min', s.min, 'max', s.max, 'average', s.average, 'stddev', s.stddev, 'median', s.median,
         'quantiles', to_json(${quantiles}), 'groups', ${groups},
         'bars', (select json_object_agg(bar, n) from (
            select case when s.min < s.max then least(width_bucket(x, s.min, s.max, ${String(bins)}::integer), ${String(bins)}::integer) else 1 end as bar,
                   count(*) as n from v group by 1) b))
    from s`;
}

function textsSql(layer: VectorLayer, column: LayerColumn): Sql {
  const value = ident('t', column.name);
  const hasOrder = columnClass(column.type) === 'date' || columnClass(column.type) === 'time';
  const edge = (name: string): Sql =>
    hasOrder ? sql<string>`to_json(${raw(name)}(${value})) #>> '{}'` : raw('null::text');
  return sql`select json_build_object('rows', count(*), 'values', count(${value}), 'distinct', count(distinct ${value}::text),
         'min', ${edge('min')}, 'max', ${edge('max')}) from ${rowsSql(layer)}`;
}

function categoriesSql(layer: VectorLayer, column: LayerColumn, most: number): Sql {
  const value = ident('t', column.name);
  const shown = isNumber(column) ? value : sql<string>`${value}::text`;
  return sql`select json_agg(json_build_object('value', value, 'count', n) order by n desc, value) from (
    select ${shown} as value, count(*) as n from ${rowsSql(layer)} where ${value} is not null group by 1 order by 2 desc, 1
     limit ${String(most)}::integer) c`;
}

function countsSql(layer: VectorLayer, column: LayerColumn, breaks: readonly number[]): Sql {
  const limits = sql<string>`${`{${breaks.join(',')}}`}::double precision[]`;
  return sql`with v as (${numbersOf(layer, column)}),
       c as (select width_bucket(x, ${limits}) as class, count(*) as n from v group by 1)
  select json_agg(coalesce(c.n, 0) order by i) from generate_series(0, ${String(breaks.length)}::integer) i left join c on c.class = i`;
}

function toStatement(fragment: Sql): Statement {
  const { text, params } = render(fragment);
  return { text, params: [...params] };
}

function wholeNumber(value: unknown, otherwise: number, least: number, most: number): number | undefined {
  if (value === undefined) return otherwise;
  const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

function bad(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}
