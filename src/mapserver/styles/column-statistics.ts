// Statistics of a column over all rows that the caller may see, or those of them that pass a filter: count, range, mean, histogram, most frequent values, class breaks. What
// the style editor and the plots of a layer are made of. Of very large tables a sample is looked at, and its size is said.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { CLASS_METHODS, classBreaks, type NumberGroup } from '../../geo/style/class-breaks.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import type { DbError } from '../../pg/driver.ts';
import { columnClass } from '../columns/column-class.ts';
import type { MapFailure } from '../map-context.ts';
import { filterInQuery } from '../parse-filter.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { shownRows } from '../query/shown-rows.ts';
import {
  categoriesSql,
  countsSql,
  isNumber,
  MAX_ROWS,
  missingSql,
  numbersSql,
  type StatisticsRequest,
  textsSql,
} from '../query/statistics-sql.ts';
import { type Sql, toStatement } from '../query/value.ts';
import { queryFailure } from '../query-failure.ts';

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

const MAX_MS = 20_000;
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
  const passing = parsePassing(layer, query);
  return passing.ok ? ok({ column, method, classes, categories, bins, passing: passing.value }) : passing;
}

/** The condition of `filter=`; undefined: there is none. */
export function parsePassing(layer: VectorLayer, query: Query): Result<Sql | undefined, MapFailure> {
  const filter = filterInQuery(query);
  if (!filter.ok) return filter;
  const passing = shownRows(layer, undefined, filter.value?.filter);
  return passing.ok ? ok(passing.value[0]) : bad(`filter: ${passing.error.said}.`);
}

/** What a filter asks of values may fail when they are looked at: then the filter is wrong, and not the database. */
const failed = (error: DbError, passing: Sql | undefined): Result<never, MapFailure> =>
  err(passing === undefined ? { kind: 'database', error } : queryFailure(error));

/** As many as a style can follow at once. */
const MAX_MISSING = 12;

/** `missing=a&missing=b`: columns of which is asked whether rows have no value there; undefined: of none. */
export function parseMissing(layer: VectorLayer, query: Query): Result<readonly LayerColumn[] | undefined, MapFailure> {
  const asked = query['missing'];
  if (asked === undefined) return ok(undefined);
  const names: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
  if (names.length > MAX_MISSING) return bad(`missing: at most ${MAX_MISSING} columns.`);
  const columns = names.map((name) => layer.columns.find((column) => column.name === name));
  return columns.every((column) => column !== undefined) ? ok(columns) : bad('missing: the layer has no such column.');
}

/** Those of the columns in which rows that the caller may see have no value. */
export async function missingValues(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
  columns: readonly LayerColumn[],
  passing: Sql | undefined,
): Promise<Result<readonly string[], MapFailure>> {
  if (columns.length === 0) return ok([]);
  const executed = await db.read(caller, info, [timeLimit(MAX_MS), toStatement(missingSql(layer, columns, passing))]);
  if (!executed.ok) return failed(executed.error, passing);
  const some = JSON.parse(executed.value[1]?.rows[0]?.[0]?.toString() ?? '[]') as readonly boolean[];
  return ok(columns.filter((_, i) => some[i] === true).map(({ name }) => name));
}

export async function columnStatistics(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
  asked: StatisticsRequest,
): Promise<Result<ColumnStatistics, MapFailure>> {
  const { column, method, classes, passing } = asked;
  const read = async <T>(...statements: readonly Sql[]): Promise<Result<readonly T[], MapFailure>> => {
    const executed = await db.read(caller, info, [timeLimit(MAX_MS), ...statements.map(toStatement)]);
    if (!executed.ok) return failed(executed.error, passing);
    return ok(executed.value.slice(1).map(({ rows }) => JSON.parse(rows[0]?.[0]?.toString() ?? 'null') as T));
  };
  const isSample = layer.estimatedRows > MAX_ROWS;
  const categories = asked.categories === 0 ? [] : [categoriesSql(layer, asked)];
  const summarised = await read<unknown>(
    isNumber(column) ? numbersSql(layer, asked) : textsSql(layer, asked),
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
  const counted = breaks.length === 0 ? ok([[summary.values]]) : await read<number[]>(countsSql(layer, asked, breaks));
  if (!counted.ok) return counted;
  return ok({
    column: column.name,
    kind: isNumber(column) ? 'number' : 'other',
    rows: summary.rows,
    sampled_from: isSample
      ? Math.round(passing === undefined ? layer.estimatedRows : (summary.rows * layer.estimatedRows) / MAX_ROWS)
      : null,
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

function wholeNumber(value: unknown, otherwise: number, least: number, most: number): number | undefined {
  if (value === undefined) return otherwise;
  const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

function bad(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}
