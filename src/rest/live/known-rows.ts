// What the listeners of a group know: for each row a hash of its text, by its key. What was read anew is compared with it, and the
// difference is what they are told. A row that they were never told of is not told as gone either.

import { createHash } from 'node:crypto';
import type { LiveRow } from '../run/live-rows.ts';

export type RowChange =
  | { readonly kind: 'row'; readonly key: string; readonly row: string }
  | { readonly kind: 'gone'; readonly key: string };

export class KnownRows {
  #known = new Map<string, string>();

  get size(): number {
    return this.#known.size;
  }

  /** All rows there are. Undefined: two of them have the same key, which is none then. `keys`: of the rows, in their order. */
  replace(
    rows: readonly LiveRow[],
  ): { readonly changes: readonly RowChange[]; readonly keys: readonly string[] } | undefined {
    const next = new Map<string, string>();
    const alike = new Map<string, number>();
    const shown: RowChange[] = [];
    for (const one of rows) {
      const row = one.row ?? 'null';
      const hash = hashOf(row);
      const key = one.key ?? contentKey(hash, alike);
      if (next.has(key)) return undefined;
      next.set(key, hash);
      if (this.#known.get(key) !== hash) shown.push({ kind: 'row', key, row });
    }
    const gone: RowChange[] = [];
    for (const key of this.#known.keys()) if (!next.has(key)) gone.push({ kind: 'gone', key });
    this.#known = next;
    return { changes: [...gone, ...shown], keys: [...next.keys()] };
  }

  /** Some rows looked at again by their keys. */
  update(rows: readonly LiveRow[]): readonly RowChange[] {
    const changes: RowChange[] = [];
    for (const { key, row } of rows) {
      if (key === undefined) continue;
      if (row === undefined) {
        if (this.#known.delete(key)) changes.push({ kind: 'gone', key });
        continue;
      }
      const hash = hashOf(row);
      if (this.#known.get(key) === hash) continue;
      this.#known.set(key, hash);
      changes.push({ kind: 'row', key, row });
    }
    return changes;
  }
}

/** The key, as JSON, of a row that has none: what it shows, and which of those that show the same. */
function contentKey(hash: string, alike: Map<string, number>): string {
  const nth = (alike.get(hash) ?? 0) + 1;
  alike.set(hash, nth);
  return `"${hash}.${nth}"`;
}

/** Ninety-six bits: no two versions of a row are ever taken for the same. */
function hashOf(row: string): string {
  return createHash('sha1').update(row).digest('base64url').slice(0, 16);
}
