// Class breaks of numbers (quantiles, equal width, natural breaks by Jenks, standard deviations), from what the database says of all
// of them. A break belongs to the class above it. Pure.

export const CLASS_METHODS = ['quantile', 'equal', 'natural', 'deviation'] as const;
export type ClassMethod = (typeof CLASS_METHODS)[number];

export type Numbers = {
  readonly min: number;
  readonly max: number;
  readonly average: number;
  readonly deviation: number;
  /** Limits between parts that hold as many values each, one part for each class. */
  readonly quantiles: readonly number[];
  /** Neighbouring values put together, ascending; for natural breaks alone. */
  readonly groups: readonly NumberGroup[];
};

export type NumberGroup = { readonly low: number; readonly mean: number; readonly count: number };

/** At most one fewer than the classes: where values are few, so are the classes. */
export function classBreaks(method: ClassMethod, classes: number, numbers: Numbers): readonly number[] {
  const { min, max } = numbers;
  const edges = rawBreaks(method, classes, numbers).filter((edge) => edge > min && edge <= max);
  return readableBreaks(
    [...new Set(edges)].sort((a, b) => a - b),
    min,
    max,
  );
}

function rawBreaks(method: ClassMethod, classes: number, numbers: Numbers): readonly number[] {
  const { min, max, average, deviation, quantiles, groups } = numbers;
  const inner = Array.from({ length: classes - 1 }, (_, i) => i);
  switch (method) {
    case 'quantile':
      return quantiles;
    case 'equal':
      return inner.map((i) => min + ((max - min) * (i + 1)) / classes);
    case 'deviation':
      return deviation > 0 ? inner.map((i) => average + (i - (classes - 2) / 2) * deviation) : [];
    case 'natural':
      return naturalBreaks(groups, classes);
  }
}

/**
 * Breaks with as few digits as people need: moved by no more than a hundredth of the way to their neighbours, so that classes stay
 * what they are.
 */
export function readableBreaks(edges: readonly number[], min: number, max: number): readonly number[] {
  const rounded = edges.map((edge, i) => {
    const below = edge - (edges[i - 1] ?? min);
    const above = (edges[i + 1] ?? max) - edge;
    const gap = above > 0 ? Math.min(below, above) : below;
    for (let digits = 1; digits < 16; digits++) {
      const short = Number(edge.toPrecision(digits));
      if (Math.abs(short - edge) <= gap / 100) return short;
    }
    return edge;
  });
  return [...new Set(rounded)];
}

/**
 * The classes whose values differ least from their means (Fisher and Jenks), by dynamic programming over the groups: classes × groups²
 * steps, which the number of groups keeps small.
 */
export function naturalBreaks(groups: readonly NumberGroup[], classes: number): readonly number[] {
  const n = groups.length;
  const k = Math.min(classes, n);
  if (k < 2) return [];
  // Sums up to a group, of counts, values and squares; relative to the middle, so that squares stay exact.
  const middle = groups[n >> 1]?.mean ?? 0;
  const counts = new Float64Array(n + 1);
  const sums = new Float64Array(n + 1);
  const squares = new Float64Array(n + 1);
  groups.forEach(({ mean, count }, i) => {
    const value = mean - middle;
    counts[i + 1] = at(counts, i) + count;
    sums[i + 1] = at(sums, i) + value * count;
    squares[i + 1] = at(squares, i) + value * value * count;
  });
  const cost = (from: number, to: number): number => {
    const sum = at(sums, to) - at(sums, from);
    return at(squares, to) - at(squares, from) - (sum * sum) / (at(counts, to) - at(counts, from));
  };
  let best = Float64Array.from({ length: n + 1 }, (_, to) => (to === 0 ? 0 : cost(0, to)));
  const starts: Int32Array[] = [];
  for (let classNumber = 2; classNumber <= k; classNumber++) {
    const next = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
    const start = new Int32Array(n + 1);
    for (let to = classNumber; to <= n; to++) {
      for (let from = classNumber - 1; from < to; from++) {
        const total = at(best, from) + cost(from, to);
        if (total < at(next, to)) {
          next[to] = total;
          start[to] = from;
        }
      }
    }
    starts.push(start);
    best = next;
  }
  const breaks: number[] = [];
  for (let end = n, i = starts.length - 1; i >= 0; i--) {
    end = starts[i]?.[end] ?? 0;
    breaks.unshift(groups[end]?.low ?? 0);
  }
  return breaks;
}

function at(array: Float64Array, i: number): number {
  return array[i] ?? 0;
}
