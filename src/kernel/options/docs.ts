// Option table → the reference part of a documentation page, in Markdown: one heading per section and per setting.

import type { Naming } from './collect.ts';
import {
  type AnyOption,
  databaseName,
  type OptionTable,
  optionsOf,
  type SingleOption,
  variableName,
} from './option.ts';

export function optionDocs<C>(table: OptionTable<C>, naming: Naming, sections: readonly string[]): string {
  const all = optionsOf(table).map(([, each]) => each);
  return sections
    .map((section) => {
      const members = all.filter((each) => each.section === section);
      return `## ${section}\n\n${members.map((each) => describeOption(each, naming)).join('\n\n')}`;
    })
    .join('\n\n');
}

function describeOption(each: AnyOption, naming: Naming): string {
  if (each.kind === 'family') {
    return bullets(`\`${each.prefix}*\``, each.doc, [
      ['accepts', 'text'],
      ['default', 'none'],
      ['environment', `\`${variableName(naming.ownPrefix, each.prefix)}*\``],
      ['takes effect', effect(each.reloadable)],
    ]);
  }
  return bullets(`\`${each.name}\``, each.doc, [
    ['accepts', plainMarkdown(each.type.accepts)],
    ['default', defaultWords(each)],
    ['environment', `\`${variableName(naming.ownPrefix, each.name)}\``],
    ['in the database', each.inDatabase ? `\`${databaseName(naming.databasePrefix, each.name)}\`` : 'no'],
    ['takes effect', effect(each.reloadable)],
    ['in a section', each.inSections ? undefined : 'no: it holds for the whole program'],
    ['also called', each.aliases.length === 0 ? undefined : each.aliases.map((alias) => `\`${alias}\``).join(', ')],
    ['command line', each.onCommandLine ? undefined : 'no, since every user of the machine could read it there'],
    ['from a file', each.fileReference ? '`@path` takes the text of that file' : undefined],
  ]);
}

/** The default as people read it: unset, a number, a word without quotes. */
export function defaultWords(single: SingleOption<unknown>): string {
  if (single.defaultWords !== undefined) return single.defaultWords;
  const printed = single.type.print(single.default);
  return printed === '""' ? 'unset' : `\`${printed.replace(/^"(.*)"$/, '$1').replace(/\\(["\\])/g, '$1')}\``;
}

/** Words that are no Markdown, in a page that is. */
function plainMarkdown(words: string): string {
  return words.replace(/[*_[\]<>`]/g, '\\$&');
}

function effect(reloadable: boolean): string {
  return reloadable ? 'on reload' : 'on the next start';
}

function bullets(
  name: string,
  doc: string,
  rows: readonly (readonly [label: string, words: string | undefined])[],
): string {
  const items = rows.flatMap(([label, words]) => (words === undefined ? [] : [`- ${label}: ${words}`]));
  return `### ${name}\n\n${doc}\n\n${items.join('\n')}`;
}
