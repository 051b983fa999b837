// Config → text of a configuration file with every setting in it, one per line in the order of the table, families last.
// Loading that text alone gives the same config, and dumping that gives the same text. It contains the secrets.

import { guardReference } from './follow-references.ts';
import { type AnyOption, type OptionTable, optionsOf } from './option.ts';
import { quoteText } from './quote-text.ts';

/** `isDumped`: undefined dumps all. */
export function dumpConfig<C>(
  table: OptionTable<C>,
  config: C,
  isDumped: (option: AnyOption) => boolean = () => true,
): string {
  const values = config as { readonly [field: string]: unknown }; // the table has exactly the config's fields
  const singles: string[] = [];
  const members: string[] = [];
  for (const [field, each] of optionsOf(table)) {
    if (!isDumped(each)) continue;
    const value = values[field];
    if (each.kind === 'family') {
      for (const [name, text] of value as ReadonlyMap<string, string>) members.push(`${name} = ${quoteText(text)}`);
    } else {
      const guarded = each.fileReference && typeof value === 'string' ? guardReference(value) : value;
      singles.push(`${each.name} = ${each.type.print(guarded)}`);
    }
  }
  return `${[...singles, ...members].join('\n')}\n`;
}
