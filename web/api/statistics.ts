// Statistics of a column as the map server counts them: over all rows that whoever asks may see, or those that pass a filter.

import { type Guard, isEither, isListOf, isNumber, isOneOf, isRecordOf, isText } from '../lib/guard.ts';

export type ColumnStatistics = {
  readonly kind: 'number' | 'other';
  /** Rows that were looked at. */
  readonly rows: number;
  /** How many there are, about, where only some were looked at. */
  readonly sampled_from: number | null;
  readonly values: number;
  readonly distinct: number;
  readonly max: number | string | null;
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly categories: readonly { readonly value: string | number; readonly count: number }[];
  /** Limits between classes; a limit belongs to the class above it. */
  readonly breaks: readonly number[];
  /** Of each class. */
  readonly counts: readonly number[];
};

export const isColumnStatistics: Guard<ColumnStatistics> = isRecordOf<ColumnStatistics>({
  kind: isOneOf('number', 'other'),
  rows: isNumber,
  sampled_from: isEither(isNumber, isOneOf(null)),
  values: isNumber,
  distinct: isNumber,
  max: isEither(isEither(isNumber, isText), isOneOf(null)),
  histogram: isListOf(
    isRecordOf<ColumnStatistics['histogram'][number]>({ from: isNumber, to: isNumber, count: isNumber }),
  ),
  categories: isListOf(
    isRecordOf<ColumnStatistics['categories'][number]>({ value: isEither(isText, isNumber), count: isNumber }),
  ),
  breaks: isListOf(isNumber),
  counts: isListOf(isNumber),
});

export const CLASS_METHODS = ['quantile', 'equal', 'natural', 'deviation'] as const;
export type ClassMethod = (typeof CLASS_METHODS)[number];

export type StatisticsQuery = {
  readonly method?: ClassMethod;
  readonly classes?: number;
  readonly categories?: number;
};

/** Of the rows alone that the map shows, in CQL2; undefined: of all. */
export type StatisticsRows = { readonly name: string; readonly filter: unknown };

export function statisticsPath({ name, filter }: StatisticsRows, column: string, query: StatisticsQuery): string {
  const params = new URLSearchParams({ column });
  for (const [key, value] of Object.entries(query)) params.set(key, String(value));
  if (filter !== undefined) params.set('filter', JSON.stringify(filter));
  return `/styles/${encodeURIComponent(name)}/statistics.json?${params}`;
}
