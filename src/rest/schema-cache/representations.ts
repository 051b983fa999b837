// How values of domains are shown and read: implicit casts → functions by domain.

import type { RepresentationRow } from './catalogue-rows.ts';
import type { Representation } from './schema-cache.ts';

export type Representations = {
  /** By the domain's name as format_type prints it. */
  readonly byName: ReadonlyMap<string, Representation>;
  /** The key into `byName` for a type, or null. */
  readonly nameOf: (type: number) => string | null;
};

export function makeRepresentations(rows: readonly RepresentationRow[]): Representations {
  const byName = new Map<string, Representation>();
  const names = new Map<number, string>();
  for (const { domain, name, cast, function: by } of rows) {
    names.set(domain, name);
    const known = byName.get(name) ?? { toJson: null, fromText: null, fromJson: null };
    byName.set(name, { ...known, [cast]: by });
  }
  return { byName, nameOf: (type) => names.get(type) ?? null };
}
