// Edits between two texts, as long as they are few.

/** Insertions, deletions and replacements that make `a` into `b`; undefined when they are more than `most`. */
export function levenshtein(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let row = new Uint16Array(b.length + 1).map((_, i) => i);
  let next = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const edits = Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1);
      next[j] = edits;
      if (edits < least) least = edits;
    }
    // No later row can have less than the least of this one.
    if (least > most) return undefined;
    [row, next] = [next, row];
  }
  const edits = at(row, b.length);
  return edits > most ? undefined : edits;
}

function at(row: Uint16Array, index: number): number {
  return row[index] ?? 0;
}
