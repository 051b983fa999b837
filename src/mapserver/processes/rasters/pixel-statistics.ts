// Numbers of pixels, added one run after the other → what is told of them. Pure.

export type PixelStatistics = {
  readonly count: number;
  readonly sum: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Of all pixels there are, so by their number and not by one less. */
  readonly stddev: number;
  /** The most frequent number, the least of several; undefined: it was not counted. */
  readonly majority: number | undefined;
};

export type PixelTally = {
  /** Numbers `from` to before `to` of these; NaN is nothing. */
  add(numbers: Float32Array | Float64Array, from: number, to: number): void;
  /** Undefined: there was nothing. */
  told(): PixelStatistics | undefined;
};

/** More different numbers than any classification has. */
export const MAX_DISTINCT = 100_000;

export class TooManyDistinct extends Error {}

export function pixelTally(isCounted: boolean): PixelTally {
  const seen = isCounted ? new Map<number, number>() : undefined;
  let [count, sum, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // Sums of differences from the first number: squares of large numbers that hardly differ would lose the difference.
  let [first, differences, squares] = [0, 0, 0];
  return {
    add(numbers, from, to) {
      for (let i = from; i < to; i++) {
        const number = numbers[i] ?? Number.NaN;
        if (Number.isNaN(number)) continue;
        if (count === 0) first = number;
        count += 1;
        sum += number;
        if (number < min) min = number;
        if (number > max) max = number;
        const difference = number - first;
        differences += difference;
        squares += difference * difference;
        if (seen === undefined) continue;
        seen.set(number, (seen.get(number) ?? 0) + 1);
        if (seen.size > MAX_DISTINCT) throw new TooManyDistinct();
      }
    },
    told() {
      if (count === 0) return undefined;
      const shift = differences / count;
      const variance = Math.max(0, squares / count - shift * shift);
      const majority = seen === undefined ? undefined : mostFrequent(seen);
      return { count, sum, mean: first + shift, min, max, stddev: Math.sqrt(variance), majority };
    },
  };
}

function mostFrequent(seen: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const [number, times] of seen) {
    if (times < most || (times === most && best !== undefined && number > best)) continue;
    [best, most] = [number, times];
  }
  return best;
}
