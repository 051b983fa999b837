// Values that begin with `@` → the text of the file they name. Only for options that allow it, and only for the values
// that won: a broken reference in a weaker source harms nobody.

import type { ConfigError } from './config-error.ts';
import { type OptionTable, optionsOf } from './option.ts';
import type { Given } from './origin.ts';
import { rawText } from './raw-value.ts';
import type { ReadText } from './read-text.ts';

export type Followed = { readonly singles: ReadonlyMap<string, Given>; readonly errors: readonly ConfigError[] };

export async function followReferences<C>(
  table: OptionTable<C>,
  singles: ReadonlyMap<string, Given>,
  readText: ReadText,
): Promise<Followed> {
  const followed = new Map(singles);
  const errors: ConfigError[] = [];
  for (const [, each] of optionsOf(table)) {
    if (each.kind !== 'single' || !each.fileReference) continue;
    const given = singles.get(each.name);
    if (given?.value.kind !== 'text' || !given.value.text.startsWith('@')) continue;
    const path = given.value.text.slice(1);
    if (path.startsWith('@')) {
      followed.set(each.name, { ...given, value: rawText(path) });
      continue;
    }
    const read = path === '' ? undefined : await readText(path);
    if (read?.ok) followed.set(each.name, { ...given, value: rawText(read.value.replace(/\r?\n$/, '')) });
    else {
      followed.delete(each.name);
      errors.push({
        kind: 'unreadable-reference',
        option: each.name,
        origin: given.origin,
        reason: read === undefined ? 'missing' : read.error,
      });
    }
  }
  return { singles: followed, errors };
}

/** How a value that was loaded must be written so that it is not taken for a reference. */
export function guardReference(text: string): string {
  return text.startsWith('@') ? `@${text}` : text;
}
