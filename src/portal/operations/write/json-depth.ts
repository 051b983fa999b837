// How deep JSON is nested. What is deeper than any document needs would break the tools that write it.

export const MAX_DEPTH = 200;

export function isTooDeep(value: unknown, most: number = MAX_DEPTH): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= most; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const inside of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof inside === 'object' && inside !== null) next.push(inside);
      }
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
