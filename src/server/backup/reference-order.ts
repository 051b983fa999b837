// Tables in an order in which each comes after those that it refers to, so that foreign keys hold while rows are loaded.

type Reference = { readonly from: string; readonly to: string };

/** Those that refer to each other in a circle come last, in the order they were given. */
export function inOrderOfReference<T extends { readonly oid: string }>(
  tables: readonly T[],
  references: readonly Reference[],
): readonly T[] {
  const known = new Set(tables.map(({ oid }) => oid));
  const waitsFor = new Map<string, Set<string>>(tables.map(({ oid }) => [oid, new Set()]));
  const wanted = new Map<string, string[]>();
  for (const { from, to } of references) {
    if (!known.has(from) || !known.has(to)) continue;
    waitsFor.get(from)?.add(to);
    wanted.set(to, [...(wanted.get(to) ?? []), from]);
  }
  const byOid = new Map(tables.map((table) => [table.oid, table]));
  const ready = tables.filter(({ oid }) => waitsFor.get(oid)?.size === 0);
  const ordered: T[] = [];
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    ordered.push(next);
    for (const oid of wanted.get(next.oid) ?? []) {
      const waiting = waitsFor.get(oid);
      if (waiting === undefined || !waiting.delete(next.oid) || waiting.size > 0) continue;
      const free = byOid.get(oid);
      if (free !== undefined) ready.push(free);
    }
  }
  const done = new Set(ordered);
  return [...ordered, ...tables.filter((table) => !done.has(table))];
}
