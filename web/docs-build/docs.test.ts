// The documentation as it is built into the pages: nothing in it is lost, every link leads somewhere, and no example does what a page must not.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHAPTERS } from '../lib/docs/chapters.ts';
import type { DocBlock, DocRequest, DocRun } from '../lib/docs/doc-page.ts';
import { helpOf } from '../lib/docs/help-of.ts';
import { searchDocs } from '../lib/docs/search-docs.ts';
import { routeOf } from '../lib/route.ts';
import { parseCurl } from './parse-curl.ts';
import { parseDoc } from './parse-doc.ts';
import { entryOf, sectionsOf } from './sections.ts';

const FOLDER = join(import.meta.dirname, '../../docs');
const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
const known = new Set(names);
const pages = new Map(names.map((name) => [name, parseDoc(readFileSync(join(FOLDER, `${name}.md`), 'utf8'), known)]));
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

function linksOf(block: DocBlock): string[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return linksIn(block.runs);
    case 'list':
      return block.items.flat().flatMap(linksOf);
    case 'quote':
      return block.blocks.flatMap(linksOf);
    case 'table':
      return [block.head, ...block.rows].flat().flatMap(linksIn);
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

test('the first steps have examples that run on any portal', () => {
  const requests = requestsOf('first-steps');
  expect(requests.length).toBeGreaterThan(3);
  for (const { method, path } of requests) {
    expect(method).toBe('GET');
    expect(path).toMatch(/^\/(?:api\/v2|ogc|account\/session)/);
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

describe('a page', () => {
  const parse = (source: string) => parseDoc(source, new Set(['other']));

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
    const { blocks } = parse('# T\n\n## `a-b` & c\n\n## Same\n\n### Same\n');
    expect(blocks.map((block) => (block.kind === 'heading' ? block.id : ''))).toEqual(['a-b--c', 'same', 'same-1']);
    expect(entryOf('x', { title: 'T', blocks }).headings).toEqual([
      { id: 'a-b--c', text: 'a-b & c' },
      { id: 'same', text: 'Same' },
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
  const { blocks } = parseDoc(
    "# T\n\n```sh\nexport A=1\ncurl 'localhost:3000/people?id=eq.1'\n# [{\"id\":1}]\ncurl -N localhost:8000/api/v2/uploads/1/events\ncurl localhost:3000/people -d '{\n  \"a\": 1}' \\\n  -H 'Content-Type: application/json'\n```\n",
    known,
  );
  const [code] = blocks;
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
  const sections = [...pages].flatMap(([name, page]) => sectionsOf(name, page));
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
    const [hit] = searchDocs([{ page: 'a', title: 'A', heading: undefined, text }], 'needle IS');
    const excerpt = hit?.excerpt ?? [];
    expect(excerpt.filter(({ isMatch }) => isMatch).map((part) => part.text)).toEqual(['Needle', 'is']);
    expect(excerpt[0]?.text).toBe('… ');
    expect(excerpt.map((part) => part.text).join('').length).toBeLessThan(240);
  });
});
