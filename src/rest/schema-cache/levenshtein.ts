// Edits between two texts, as long as they are few.

/** One row of the table of distances, used again: texts are compared by the dozen. */
let row = new Uint16Array(128);

/** Insertions, deletions and replacements that make `a` into `b`; undefined when they are more than `most`. */
export function levenshtein(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  if (row.length <= b.length) row = new Uint16Array(2 * b.length);
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let diagonal = i - 1;
    let left = i;
    let least = i;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      let edits = letter === b.charCodeAt(j - 1) ? diagonal : diagonal + 1;
      if (above < edits) edits = above + 1;
      if (left < edits) edits = left + 1;
      row[j] = edits;
      diagonal = above;
      left = edits;
      if (edits < least) least = edits;
    }
    // No later row can have less than the least of this one.
    if (least > most) return undefined;
  }
  const edits = row[b.length] ?? 0;
  return edits > most ? undefined : edits;
}
