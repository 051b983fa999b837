// Option table → a commented sample file: every setting with what it does, each commented out at its default.

import { type AnyOption, type OptionTable, optionsOf } from './option.ts';

export function exampleFile<C>(table: OptionTable<C>, head: string): string {
  const blocks = optionsOf(table).map(([, each]) => exampleBlock(each));
  return `${[head.trimEnd(), ...blocks].join('\n\n')}\n`;
}

function exampleBlock(each: AnyOption): string {
  if (each.kind === 'family') return `## ${each.doc}\n# ${each.prefix}${each.example}`;
  const shown = each.example === undefined ? each.type.print(each.default) : each.example;
  return `## ${each.doc}\n## Accepts ${each.type.accepts}.\n# ${each.name} = ${shown}`;
}
