// A stable sort that can be interrupted (merge sort): the engine's own sort of a million items lets nobody else through until
// it is done.

import type { Stage } from './in-slices.ts';

/** So many are sorted at once. */
const RUN = 256;

export function* sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Stage<T[]> {
  if (items.length <= RUN) return items.toSorted(compare);
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Stage<T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] as T, b[j] as T];
    if (compare(y, x) < 0) {
      merged.push(y);
      j++;
    } else {
      merged.push(x);
      i++;
    }
    yield;
  }
  for (; i < a.length; i++) merged.push(a[i] as T);
  for (; j < b.length; j++) merged.push(b[j] as T);
  yield;
  return merged;
}
