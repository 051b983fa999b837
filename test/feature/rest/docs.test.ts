// The examples of docs/ about the REST service: every curl line of a page is sent, and what the page says it answers is
// what it answers. The SQL of the pages is run first.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import type { RequestOptions } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** In the order they are read: a page may go on with what one before it made. */
const PAGES = [
  'start',
  'reading',
  'paging',
  'aggregates',
  'spatial',
  'embedding',
  'writing',
  'functions',
  'errors',
] as const;
/** Pages whose SQL makes something; that of the others shows how a thing is written. */
const MAKERS = ['paging', 'spatial', 'embedding', 'functions'] as const;

const FIXTURES = [at('test/fixtures/rest/00-roles.sql')];

function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(at(`docs/${page}.md`), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, block = '']) =>
    found === language ? [block] : [],
  );
}

type Example = { readonly command: string; readonly expected: readonly string[] };

/** A command, and the comment lines behind it. */
function examplesOf(page: string): readonly Example[] {
  const examples: { command: string; expected: string[] }[] = [];
  for (const line of blocksOf(page, 'sh').join('').split('\n')) {
    if (line.startsWith('curl ')) examples.push({ command: line, expected: [] });
    else if (line.startsWith('# ')) examples.at(-1)?.expected.push(line.slice(2));
  }
  return examples;
}

/** As a shell would take it apart, as far as the pages go: words, '…' and $'…' with \n. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(\$?)'([^']*)'|(\S+)/g)].map(([, escaped, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : escaped === '$' ? quoted.replaceAll('\\n', '\n') : quoted,
  );
}

type Asked = { readonly method: string; readonly target: string; readonly options: RequestOptions };

/** As curl would send it: data alone are a form. */
function requestOf(command: string): Asked {
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let target: string | undefined;
  const words = wordsOf(command).slice(1).values();
  for (const word of words) {
    const next = (): string => words.next().value ?? '';
    if (word === '-H') {
      const header = next();
      headers[header.slice(0, header.indexOf(':')).toLowerCase()] = header.slice(header.indexOf(':') + 1).trim();
    } else if (word === '-X') method = next();
    else if (word === '-d') body = next();
    else if (/^(http:\/\/)?localhost:3000\//.test(word)) target = word.replace(/^(http:\/\/)?localhost:3000/, '');
    else if (word !== '-i') throw new Error(`${word} is not understood here: ${command}`);
  }
  if (target === undefined) throw new Error(`no address: ${command}`);
  if (body !== undefined) headers['content-type'] ??= 'application/x-www-form-urlencoded';
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    // What curl does to an address before it sends it.
    target: target.replace(/[^\x21-\x7e]/g, encodeURIComponent).replaceAll('>', '%3E'),
    options: { headers, ...(body !== undefined && { body }) },
  };
}

const STATUS_LINE = /^HTTP\/1\.1 (\d+) /;
const HEADER_LINE = /^([A-Z][A-Za-z-]*): (.*)$/;

/** The lines of a page against the reply: a status line, headers, and the body, as JSON where it is. */
function check(expected: readonly string[], reply: Reply): void {
  const body = expected.filter((line) => !STATUS_LINE.test(line) && !HEADER_LINE.test(line)).join('\n');
  for (const line of expected) {
    const status = STATUS_LINE.exec(line)?.[1];
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (status !== undefined) expect(reply.status).toBe(Number(status));
    else if (name !== undefined) expect(headerOf(reply, name)).toBe(value);
  }
  if (body === '') return;
  const sent = String(reply.body);
  if (/^[[{"\d]/.test(body) && isJson(body)) expect(JSON.parse(sent)).toEqual(JSON.parse(body));
  else expect(sent.replace(/\n$/, '')).toBe(body);
}

function headerOf({ headers }: Reply, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([found]) => found.toLowerCase() === name.toLowerCase()) ?? [];
  return typeof value === 'string' ? value : value?.join(', ');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

onEachEngine('the examples of the documentation', { fixtures: FIXTURES }, (db) => {
  beforeAll(async () => {
    // Roles belong to the whole server: those of the pages may be there from another database of this run.
    const ofStart = blocksOf('start', 'sql').join('');
    const roles = [...ofStart.matchAll(/^create role (\w+)[^;]*;/gm)];
    for (const [statement] of roles)
      await db().script(`do $$ begin ${statement} exception when duplicate_object then null; end $$`);
    await db().script(ofStart.replaceAll(/^create role [^;]*;/gm, ''));
    await db().script(
      `grant web_anon to rest_authenticator; ${readFileSync(at('test/fixtures/docs/world.sql'), 'utf8')}`,
    );
    for (const page of MAKERS) await db().script(blocksOf(page, 'sql').join(''));
  });
  const rest = useRest(db, {
    'db-schemas': 'api',
    'db-anon-role': 'web_anon',
    'db-extra-search-path': 'public',
    'db-aggregates-enabled': 'true',
  });

  describe.each(PAGES)('%s', (page) => {
    const examples = examplesOf(page);

    test('has some', () => {
      expect(examples.length).toBeGreaterThan(0);
    });

    test.each(examples.map(({ command, expected }) => [command, expected] as const))(
      '%s',
      async (command, expected) => {
        expect(expected).not.toEqual([]);
        const { method, target, options } = requestOf(command);
        check(expected, await rest.request(method, target, options));
      },
    );
  });
});
