// Values of an attribute → bars of a plot: classes of numbers, or the most frequent words. Pure.

export type Bar = { readonly label: string; readonly n: number };

const CLASSES = 12;
const WORDS = 12;

export function barsOf(values: readonly unknown[], other: string): readonly Bar[] {
  const known = values.filter((value) => value !== null && value !== undefined && value !== '');
  const numbers = known.map((value) => (typeof value === 'number' ? value : Number.NaN));
  return known.length > 0 && numbers.every(Number.isFinite) && new Set(numbers).size > WORDS
    ? histogram(numbers)
    : frequencies(known, other);
}

function histogram(numbers: readonly number[]): readonly Bar[] {
  const [min, max] = numbers.reduce(
    ([low, high], n) => [Math.min(low, n), Math.max(high, n)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const width = (max - min) / CLASSES;
  const counts = new Array<number>(CLASSES).fill(0);
  for (const n of numbers) {
    const at = Math.min(CLASSES - 1, Math.floor((n - min) / width));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((n, i) => ({ label: short(min + i * width), n }));
}

function short(n: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(n);
}

function frequencies(values: readonly unknown[], other: string): readonly Bar[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const rest = sorted.slice(WORDS).reduce((sum, [, n]) => sum + n, 0);
  return [
    ...sorted.slice(0, WORDS).map(([label, n]) => ({ label, n })),
    ...(rest > 0 ? [{ label: other, n: rest }] : []),
  ];
}
