// The documentation as modules of the pages: `virtual:docs` is the table of contents, and loads each page and the text to be searched, in a
// language, when somebody wants it. Everything is made of docs/ when the pages are built.

import type { Plugin } from 'vite';
import type { DocPage } from '../lib/docs/doc-page.ts';
import { type Docs, readDocs, TRANSLATED } from './read-docs.ts';
import { entryOf, sectionsOf } from './sections.ts';
import { englishPage, translatedPage } from './translate.ts';

const NAME = 'virtual:docs';
const LANGUAGES = ['en', ...TRANSLATED] as const;
type Pages = ReadonlyMap<string, DocPage>;

export function docs(folder: string): Plugin {
  const read = readDocs(folder);
  const pages = new Map<string, Pages>(LANGUAGES.map((language) => [language, pagesOf(read, language)]));
  const load = (id: string): string => {
    if (id === NAME) return contents(pages);
    const [, language = '', name = ''] = id.split('/');
    const own: Pages = pages.get(language) ?? new Map();
    if (name !== '') return `export const page = ${json(own.get(name))};`;
    const sections = [...own].flatMap(([page, content]) => sectionsOf(page, content));
    // What is English in a translated page is found in the English one.
    return `export const sections = ${json(sections.filter((section) => section.language === language))};`;
  };
  return {
    name: 'docs',
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${NAME}`) ? load(id.slice(1)) : undefined),
  };
}

function pagesOf({ english, translations }: Docs, language: (typeof LANGUAGES)[number]): Pages {
  if (language === 'en') return new Map([...english].map(([name, doc]) => [name, englishPage(doc)]));
  return new Map(
    [...translations[language]].flatMap(([name, translation]) => {
      const doc = english.get(name);
      return doc === undefined ? [] : [[name, translatedPage(doc, translation, language)] as const];
    }),
  );
}

/** `NAME/de` is the text of a language to be searched, `NAME/de/first-steps` a page. */
function contents(pages: ReadonlyMap<string, Pages>): string {
  const entries = [...pages].map(([language, own]) => [language, [...own].map(([name, page]) => entryOf(name, page))]);
  const languages = [...pages.keys()];
  const all = [...pages].flatMap(([language, own]) => [...own.keys()].map((name) => `${language}/${name}`));
  const loaders = (of: readonly string[]): string[] => of.map((at) => `  ${json(at)}: () => import('${NAME}/${at}'),`);
  return [
    `export const entries = ${json(Object.fromEntries(entries))};`,
    'const searched = {',
    ...loaders(languages),
    '};',
    'const loaders = {',
    ...loaders(all),
    '};',
    'export const loadSections = async (language) => (await searched[language]()).sections;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the code that is written
    'export const loadPage = async (language, name) => (await loaders[`${language}/${name}`]()).page;',
  ].join('\n');
}

const json = (value: unknown): string => JSON.stringify(value);
