// The documentation as modules of the pages: `virtual:docs` is the table of contents, and loads each page and the text to be searched when
// somebody wants it. Everything is made of docs/*.md when the pages are built.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { parseDoc } from './parse-doc.ts';
import { entryOf, sectionsOf } from './sections.ts';

const NAME = 'virtual:docs';

export function docs(folder: string): Plugin {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []));
  const known = new Set(names);
  const page = (name: string) => parseDoc(readFileSync(join(folder, `${name}.md`), 'utf8'), known);
  const load = (id: string): string => {
    if (id === `${NAME}/search`)
      return `export const sections = ${json(names.flatMap((name) => sectionsOf(name, page(name))))};`;
    if (id !== NAME) return `export const page = ${json(page(id.slice(NAME.length + 1)))};`;
    return [
      `export const entries = ${json(names.map((name) => entryOf(name, page(name))))};`,
      `export const loadSections = async () => (await import('${NAME}/search')).sections;`,
      'const loaders = {',
      ...names.map((name) => `  ${json(name)}: () => import('${NAME}/${name}'),`),
      '};',
      'export const loadPage = async (name) => (await loaders[name]()).page;',
    ].join('\n');
  };
  return {
    name: 'docs',
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${NAME}`) ? load(id.slice(1)) : undefined),
  };
}

const json = (value: unknown): string => JSON.stringify(value);
