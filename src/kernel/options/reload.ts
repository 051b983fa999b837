// The config in force and a newly loaded one → the config after a reload: settings that need a restart keep their value.

import { type OptionTable, optionsOf, type SingleOption } from './option.ts';

export type Reloaded<C> = {
  readonly config: C;
  /** Settings that now have another value. */
  readonly changed: readonly string[];
  /** Settings that were given another value but wait for a restart. */
  readonly pending: readonly string[];
};

export function applyReload<C>(table: OptionTable<C>, inForce: C, loaded: C): Reloaded<C> {
  const before = inForce as { readonly [field: string]: unknown };
  const after = loaded as { readonly [field: string]: unknown };
  const fields: { [field: string]: unknown } = {};
  const changed: string[] = [];
  const pending: string[] = [];
  for (const [field, each] of optionsOf(table)) {
    const same =
      each.kind === 'family'
        ? sameMembers(before[field] as ReadonlyMap<string, string>, after[field] as ReadonlyMap<string, string>)
        : sameValue(each, before[field], after[field]);
    fields[field] = same || !each.reloadable ? before[field] : after[field];
    if (!same) (each.reloadable ? changed : pending).push(each.kind === 'family' ? `${each.prefix}*` : each.name);
  }
  return { config: fields as C, changed, pending };
}

/** Two values are the same setting when they are written the same. */
function sameValue(single: SingleOption<unknown>, a: unknown, b: unknown): boolean {
  return a === b || single.type.print(a) === single.type.print(b);
}

function sameMembers(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
