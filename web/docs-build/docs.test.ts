// The documentation as it is built into the pages: nothing in it is lost, every link leads somewhere, and no example does what a page must not.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHAPTERS } from '../lib/docs/chapters.ts';
import type { DocBlock, DocRequest, DocRun } from '../lib/docs/doc-page.ts';
import { helpOf } from '../lib/docs/help-of.ts';
import { searchDocs } from '../lib/docs/search-docs.ts';
import { de } from '../lib/i18n/de.ts';
import { en } from '../lib/i18n/en.ts';
import { es } from '../lib/i18n/es.ts';
import { fr } from '../lib/i18n/fr.ts';
import { routeOf } from '../lib/route.ts';
import { parseCurl } from './parse-curl.ts';
import { type ParsedDoc, parseDoc } from './parse-doc.ts';
import { readDocs, TRANSLATED } from './read-docs.ts';
import { entryOf, sectionsOf } from './sections.ts';
import { currentOf, englishPage, staleSections, translatedPage } from './translate.ts';

const TEXTS = { de, fr, es };
const FOLDER = join(import.meta.dirname, '../../docs');
const { english: docs, translations } = readDocs(FOLDER);
const names = [...docs.keys()];
const known = new Set(names);
const blocksOf = ({ sections }: ParsedDoc): readonly DocBlock[] => sections.flatMap(({ blocks }) => blocks);
const pages = new Map([...docs].map(([name, doc]) => [name, { blocks: blocksOf(doc) }]));
const headings = new Map(
  [...pages].map(([name, { blocks }]) => [
    name,
    new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))),
  ]),
);

/** Whether a page has the place that an address below /docs/ names. */
function leadsSomewhere(address: string): boolean {
  const [, name = '', hash] = /^\/docs\/([\w-]+)(?:#(.+))?$/.exec(address) ?? [];
  return hash === undefined ? pages.has(name) : headings.get(name)?.has(hash) === true;
}

const linksIn = (runs: readonly DocRun[]): string[] =>
  runs.flatMap((run) => (run.kind === 'link' ? [run.to, ...linksIn(run.runs)] : []));

/** What is written in italics: words of the pages. */
const labelsIn = (runs: readonly DocRun[]): string[] =>
  runs.flatMap((run) => (run.kind === 'link' ? labelsIn(run.runs) : run.kind === 'italic' ? [run.text] : []));

const linksOf = (block: DocBlock): string[] => runsOf(block).flatMap(linksIn);
const labelsOf = (block: DocBlock): string[] => runsOf(block).flatMap(labelsIn);

function runsOf(block: DocBlock): readonly (readonly DocRun[])[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [block.runs];
    case 'list':
      return block.items.flat().flatMap(runsOf);
    case 'quote':
      return block.blocks.flatMap(runsOf);
    case 'table':
      return [block.head, ...block.rows].flat();
    case 'code':
      return [];
  }
}

const requestsOf = (name: string): DocRequest[] =>
  pages
    .get(name)
    ?.blocks.flatMap((block) => (block.kind === 'code' ? block.parts.flatMap(({ request }) => request ?? []) : [])) ??
  [];

test('every page is in the table of contents, once', () => {
  expect([...Object.values(CHAPTERS).flat()].sort()).toEqual([...names].sort());
});

test('every link to another place of the documentation leads there', () => {
  const lost = [...pages].flatMap(([name, { blocks }]) =>
    blocks
      .flatMap(linksOf)
      .map((to) => (to.startsWith('#') ? `/docs/${name}${to}` : to))
      .filter((to) => to.startsWith('/docs/') && !leadsSomewhere(to))
      .map((to) => `${name}: ${to}`),
  );
  expect(lost).toEqual([]);
});

test.each([
  '/',
  '/layers/1',
  '/layers/new',
  '/layers/a/embed',
  '/maps/1',
  '/maps/1/embed',
  '/documents/1',
  '/apps/preview/1',
  '/apps/1/embed',
  '/apps/new',
  '/stories/new',
  '/viewer',
  '/add',
  '/account',
  '/account/login',
  '/account/forgotten',
  '/account/register',
  '/account/link',
  '/admin',
  '/console',
  '/docs',
  '/nowhere',
])('the help of %s is there', (path) => {
  expect(leadsSomewhere(helpOf(routeOf(path)))).toBe(true);
});

test('the first requests are examples that run on any portal', () => {
  const requests = requestsOf('portal-api').slice(0, 4);
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
  for (const { path } of requests) expect(path).toMatch(/^\/(?:api\/v2|ogc|account\/session)/);
});

test('pages for people name buttons, tabs and pages as these are called, and have no examples', () => {
  const labels = new Set<string>(Object.values(en));
  for (const name of CHAPTERS.using) {
    const blocks = pages.get(name)?.blocks ?? [];
    expect(blocks.flatMap(labelsOf).filter((label) => !labels.has(label))).toEqual([]);
    expect(blocks.filter(({ kind }) => kind === 'code')).toEqual([]);
  }
});

test('no example signs in or out, listens to a stream, or writes anywhere but in the two APIs', () => {
  const all = names.flatMap(requestsOf);
  expect(all.length).toBeGreaterThan(50);
  for (const { method, path, headers } of all) {
    expect(path).toMatch(/^\/(?!\/)/);
    expect(path).not.toMatch(/^\/(?:o\/|account\/log)/);
    expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('authorization');
    if (method !== 'GET') expect(path).toMatch(/^\/(?:rest\/v1|api\/v2)\//);
  }
});

describe.each(TRANSLATED)('the documentation in %s', (language) => {
  const codeOf = (block: DocBlock): string[] =>
    block.kind === 'code'
      ? [block.parts.map(({ text }) => text).join('\n')]
      : block.kind === 'list'
        ? block.items.flat().flatMap(codeOf)
        : block.kind === 'quote'
          ? block.blocks.flatMap(codeOf)
          : [];
  /** What a translation has in common with its English text. */
  const formOf = (blocks: readonly DocBlock[]) => ({
    levels: blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : [])),
    code: blocks.flatMap(codeOf),
    links: blocks.flatMap(linksOf).sort(),
    labels: blocks.flatMap(labelsOf).length,
    rows: blocks.map((block) => (block.kind === 'table' ? block.rows.length : 0)).filter((rows) => rows > 0),
    points: blocks.map((block) => (block.kind === 'list' ? block.items.length : 0)).filter((points) => points > 0),
  });

  test('has every page that people read, and no other', () => {
    expect([...translations[language].keys()].sort()).toEqual([...CHAPTERS.using].sort());
  });

  test('has the code, links, tables and lists of the English text, section by section', () => {
    for (const [name, translation] of translations[language])
      for (const section of docs.get(name)?.sections ?? []) {
        const current = currentOf(section, translation);
        if (current !== undefined)
          expect(formOf(current.blocks), `${name}#${section.id}`).toEqual(formOf(section.blocks));
      }
  });

  test('names buttons, tabs and pages as these are called in it', () => {
    const texts: Readonly<Record<string, string>> = TEXTS[language];
    /** Of an English label: what may stand for it, since one word can be the label of several things. */
    const namesOf = (label: string): string[] =>
      Object.entries(en).flatMap(([key, text]) => (text === label ? [texts[key] ?? ''] : []));
    const wrong: string[] = [];
    for (const [name, translation] of translations[language])
      for (const section of docs.get(name)?.sections ?? []) {
        const own = currentOf(section, translation)?.blocks.flatMap(labelsOf);
        if (own === undefined) continue;
        for (const label of section.blocks.flatMap(labelsOf)) {
          const at = own.findIndex((text) => namesOf(label).includes(text));
          if (at < 0) wrong.push(`${name}#${section.id}: ${label} is ${namesOf(label).join(', ')}`);
          else own.splice(at, 1);
        }
      }
    expect(wrong).toEqual([]);
  });

  test('has links to files that are there', () => {
    for (const name of translations[language].keys()) {
      const file = join(FOLDER, language, `${name}.md`);
      for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(/\]\(((?:\.\.\/)?[\w-]+\.md)(?:#[\w-]+)?\)/g))
        expect(existsSync(join(FOLDER, language, to)), `${language}/${name}.md: ${to}`).toBe(true);
    }
  });
});

describe('a translation', () => {
  const english = (two: string) => parseDoc(`# Title\n\nOne.\n\n## Two\n\n${two}\n\n### Three\n\nEnd.\n`, known);
  const digests = english('Text.').sections.map(({ digest }) => digest);
  const german = parseDoc(
    `# Titel\n<!-- en: title ${digests[0]} -->\n\nEins.\n\n## Zwei\n<!-- en: two ${digests[1]} -->\n\nSatz.\n\n### Drei\n<!-- en: three ${digests[2]} -->\n\nEnde.\n`,
    known,
  );
  const shown = (doc: ParsedDoc) =>
    translatedPage(doc, german, 'de').parts.map(({ language, blocks }) => [
      language,
      ...blocks.map((block) => (block.kind === 'heading' ? block.id : block.kind)),
    ]);

  test('has the places of the English text', () => {
    const page = translatedPage(english('Text.'), german, 'de');
    expect(page.title).toBe('Titel');
    expect(shown(english('Text.'))).toEqual([['de', 'paragraph', 'two', 'paragraph', 'three', 'paragraph']]);
    expect(entryOf('x', page)).toEqual({
      name: 'x',
      title: 'Titel',
      language: 'de',
      headings: [{ id: 'two', text: 'Zwei', language: 'de' }],
    });
  });

  test('gives way to the English text where that says something else by now, and only there', () => {
    const changed = english('Another text.');
    expect(shown(changed)).toEqual([
      ['de', 'paragraph'],
      ['en', 'two', 'paragraph'],
      ['de', 'three', 'paragraph'],
    ]);
    expect(staleSections(changed, german)).toEqual(['two']);
    expect(sectionsOf('x', translatedPage(changed, german, 'de')).map(({ language }) => language)).toEqual([
      'de',
      'en',
      'de',
    ]);
  });

  test('is current as long as lines of the English text are only broken elsewhere', () => {
    expect(staleSections(english('Text.\n'), german)).toEqual([]);
    const wrapped = parseDoc('# Title\n\nOne.\n\n## Two\n\nText.\n\n### Three\nEnd.\n', known);
    expect(staleSections(wrapped, german)).toEqual([]);
  });

  test('of a section that is gone is told, and not shown', () => {
    const shorter = parseDoc('# Title\n\nOne.\n', known);
    expect(staleSections(shorter, german)).toEqual(['two', 'three']);
    expect(shown(shorter)).toEqual([['de', 'paragraph']]);
  });
});

describe('a page', () => {
  const parse = (source: string) => {
    const doc = parseDoc(source, new Set(['other']));
    return { title: doc.title, blocks: blocksOf(doc) };
  };

  test('has its HTML as text, and links to other sites, to pages and to nothing else', () => {
    const { title, blocks } = parse(
      '# One & <b>two</b>\n\nA <script>alert(1)</script> [bad](javascript:alert(1)) [data](data:text/html,x) [up](../x.md) [there](other.md#a) [here](#b) [site](https://example.org/)\n',
    );
    expect(title).toBe('One & <b>two</b>');
    const [paragraph] = blocks;
    expect(paragraph?.kind === 'paragraph' && linksIn(paragraph.runs)).toEqual([
      '/docs/other#a',
      '#b',
      'https://example.org/',
    ]);
    expect(
      paragraph?.kind === 'paragraph' && paragraph.runs.map((run) => ('text' in run ? run.text : '')).join(''),
    ).toContain('A <script>alert(1)</script> bad data up');
  });

  test('names headings of the same words apart', () => {
    const doc = parseDoc('# T\n\n## `a-b` & c\n\n## Same\n\n### Same\n', known);
    expect(blocksOf(doc).map((block) => (block.kind === 'heading' ? block.id : ''))).toEqual([
      'a-b--c',
      'same',
      'same-1',
    ]);
    expect(entryOf('x', englishPage(doc)).headings).toEqual([
      { id: 'a-b--c', text: 'a-b & c', language: 'en' },
      { id: 'same', text: 'Same', language: 'en' },
    ]);
  });

  test('has lists, tables, keys and code', () => {
    const { blocks } = parse(
      '# T\n\n- one\n- two `x<y`\n\n| a | b |\n|---|---|\n| **1** | <kbd>Ctrl</kbd> |\n\n```json\n{"a":"<b>"}\n```\n',
    );
    expect(blocks).toEqual([
      {
        kind: 'list',
        ordered: false,
        items: [
          [{ kind: 'paragraph', runs: [{ kind: 'text', text: 'one' }] }],
          [
            {
              kind: 'paragraph',
              runs: [
                { kind: 'text', text: 'two ' },
                { kind: 'code', text: 'x<y' },
              ],
            },
          ],
        ],
      },
      {
        kind: 'table',
        head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
        rows: [[[{ kind: 'bold', text: '1' }], [{ kind: 'key', text: 'Ctrl' }]]],
      },
      { kind: 'code', language: 'json', parts: [{ text: '{"a":"<b>"}' }] },
    ]);
  });
});

test('a block of commands is cut into those that run, each with its answer, and the rest', () => {
  const doc = parseDoc(
    "# T\n\n```sh\nexport A=1\ncurl 'localhost:3000/people?id=eq.1'\n# [{\"id\":1}]\ncurl -N localhost:8000/api/v2/uploads/1/events\ncurl localhost:3000/people -d '{\n  \"a\": 1}' \\\n  -H 'Content-Type: application/json'\n```\n",
    known,
  );
  const [code] = blocksOf(doc);
  expect(code?.kind === 'code' && code.parts.map(({ text, request }) => [text.split('\n').length, request])).toEqual([
    [1, undefined],
    [2, { method: 'GET', path: '/rest/v1/people?id=eq.1', headers: {}, body: undefined }],
    [1, undefined],
    [
      3,
      {
        method: 'POST',
        path: '/rest/v1/people',
        headers: { 'Content-Type': 'application/json' },
        body: '{\n  "a": 1}',
      },
    ],
  ]);
});

test.each([
  [
    "curl -i 'http://localhost:8000/api/v2/layers/?page_size=1' # two",
    { method: 'GET', path: '/api/v2/layers/?page_size=1' },
  ],
  ['curl -u ada:secret localhost:8000/account/session', { method: 'GET', path: '/account/session' }],
  [
    'curl localhost:3000/todos -d task=rest -d done=true',
    { method: 'POST', body: 'task=rest&done=true', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  ],
  [
    'curl \'localhost:3000/people\' -H "Authorization: Bearer $(token \'{"role":"editor"}\')" -H \'Prefer: count=exact\'',
    { method: 'GET', headers: { Prefer: 'count=exact' } },
  ],
  ["curl 'localhost:3000/people?id=eq.1' -X DELETE", { method: 'DELETE' }],
])('%s is a request', (command, request) => {
  expect(parseCurl(command)).toMatchObject(request);
});

test.each([
  'wget localhost:3000/people',
  'curl https://example.org/',
  'curl localhost:3000/people | jq .',
  'curl localhost:3000/people > file',
  'curl localhost:3000/people?id=$ID',
  'curl -X QUERY localhost:3000/people',
  'curl -F file=@a.zip localhost:8000/api/v2/uploads/upload/',
  'curl -X POST localhost:8000/account/logout',
  'curl -X POST localhost:8000/account/token',
  'curl localhost:8000/o/authorize',
  "curl localhost:3000/place -H 'Accept: text/event-stream'",
  "curl 'localhost:3000/people",
  'curl',
])('%s is none', (command) => {
  expect(parseCurl(command)).toBeUndefined();
});

describe('the search', () => {
  const sections = [...docs].flatMap(([name, doc]) => sectionsOf(name, englishPage(doc)));
  const found = (asked: string): string[] =>
    searchDocs(sections, asked).map(({ section: { page, heading } }) => `${page}#${heading?.id ?? ''}`);

  test('finds headings first, and only what has every word', () => {
    expect(found('keyset')[0]).toBe('paging#keyset-pages');
    expect(found('Window Functions')[0]).toBe('aggregates#window-functions');
    expect(found('embed-hosts')[0]).toBe('configuration#embed-hosts');
    expect(found('keyset nosuchwordanywhere')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });

  test('marks the words in a piece of the text', () => {
    const text = `${'far away '.repeat(40)}the Needle is here ${'and on '.repeat(60)}`;
    const [hit] = searchDocs([{ page: 'a', title: 'A', heading: undefined, text, language: 'en' }], 'needle IS');
    const excerpt = hit?.excerpt ?? [];
    expect(excerpt.filter(({ isMatch }) => isMatch).map((part) => part.text)).toEqual(['Needle', 'is']);
    expect(excerpt[0]?.text).toBe('… ');
    expect(excerpt.map((part) => part.text).join('').length).toBeLessThan(240);
  });
});
