// Statistics of an attribute → bars of a plot: classes of numbers, or the most frequent words. Pure.

import type { ColumnStatistics } from '../api/statistics.ts';

export type Bar = { readonly label: string; readonly n: number };

/** Categories that the statistics have to have. */
export const WORDS = 12;

export function barsOf(
  { kind, distinct, values, histogram, categories }: ColumnStatistics,
  other: string,
): readonly Bar[] {
  if (kind === 'number' && distinct > WORDS)
    return histogram.map(({ from, count }) => ({ label: short(from), n: count }));
  const rest = values - categories.reduce((sum, { count }) => sum + count, 0);
  return [
    ...categories.map(({ value, count }) => ({ label: String(value), n: count })),
    ...(rest > 0 ? [{ label: other, n: rest }] : []),
  ];
}

function short(n: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(n);
}
