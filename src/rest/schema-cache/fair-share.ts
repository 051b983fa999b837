// A bound for many that share it: how much each of them may have so that all have together no more than so much. Those that
// want little get all of it; only those that want more than the others is cut.

/** Infinity: there is enough for all. */
export function fairShare(wanted: readonly number[], most: number): number {
  let left = most;
  for (const [i, one] of wanted.toSorted((a, b) => a - b).entries()) {
    const share = left / (wanted.length - i);
    if (one > share) return Math.floor(share);
    left -= one;
  }
  return Number.POSITIVE_INFINITY;
}
