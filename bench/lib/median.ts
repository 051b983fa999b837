// The middle of a few measurements: a noisy machine spoils one or two of them, seldom most.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Round by round: what was measured, of its reference directly before or after it. */
export function ratios(measured: readonly number[], reference: readonly number[]): number[] {
  return measured.map((value, round) => value / (reference[round] ?? Number.NaN));
}
