// Statistics of an attribute → bars of a plot: classes of numbers, or the most frequent words. Pure.

import type { ColumnStatistics } from '../api/statistics.ts';
import { dataNumber } from './data-number.ts';
import type { Text } from './i18n/text.ts';

export type Bar = { readonly label: string; readonly n: number };

const COMPACT_FROM = 10_000_000;

/** Categories that the statistics have to have. */
export const WORDS = 12;

export function barsOf(
  t: Pick<Text, 'number'>,
  column: string,
  { kind, distinct, values, histogram, categories }: ColumnStatistics,
  other: string,
): readonly Bar[] {
  if (kind === 'number' && distinct > WORDS)
    return histogram.map(({ from, count }) => ({ label: short(t, from, column), n: count }));
  const rest = values - categories.reduce((sum, { count }) => sum + count, 0);
  return [
    ...categories.map(({ value, count }) => ({ label: String(value), n: count })),
    ...(rest > 0 ? [{ label: other, n: rest }] : []),
  ];
}

/** Classes of years and ids are told apart by their last digits; larger numbers by their first ones. */
function short(t: Pick<Text, 'number'>, n: number, column: string): string {
  return Math.abs(n) < COMPACT_FROM
    ? dataNumber(t, n, column, Math.abs(n) < 100 ? 2 : 1)
    : t.number(n, { notation: 'compact', maximumSignificantDigits: 3 });
}
