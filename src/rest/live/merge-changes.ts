// Changes of many statements and transactions → one for each table, so that each group of listeners is told once.

import type { Change } from '../../pg/change-log/change-log.ts';

export function mergeChanges(changes: readonly Change[]): readonly Change[] {
  const merged = new Map<string, { readonly first: Change; keys: string[] | undefined }>();
  for (const change of changes) {
    const name = change.columns === undefined ? change.relation : JSON.stringify([change.relation, ...change.columns]);
    const known = merged.get(name);
    if (known === undefined)
      merged.set(name, { first: change, keys: change.keys === undefined ? undefined : [...change.keys] });
    else if (change.keys === undefined) known.keys = undefined;
    else if (known.keys !== undefined) for (const key of change.keys) known.keys.push(key);
  }
  return [...merged.values()].map(({ first, keys }) => ({ ...first, keys }));
}
