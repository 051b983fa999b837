// A misspelt word and the known ones → the one that was probably meant.

const LONGEST_COMPARED = 64; // hostile names must not cost a quadratic table

/** The known name closest to `word`, if any is close enough to be worth suggesting. */
export function nearestName(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted.length < 2 || wanted.length > LONGEST_COMPARED) return undefined;
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  let contained: string | undefined;
  for (const name of known) {
    const candidate = name.toLowerCase();
    const distance = editDistance(wanted, candidate, bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
    // `schemas` for `db-schemas`, `db-pool-size` for `db-pool`: the longest such name says most.
    const overlaps =
      Math.min(wanted.length, candidate.length) > 3 && (candidate.includes(wanted) || wanted.includes(candidate));
    if (overlaps && name.length > (contained?.length ?? 0)) contained = name;
  }
  return best ?? contained;
}

/** Insertions, deletions, substitutions and swaps of neighbours; gives up with `limit` once it cannot be less. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    if (Math.min(...row) >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return Math.min(at(last, b.length), limit);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
