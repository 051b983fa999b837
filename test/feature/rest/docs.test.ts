// The examples of docs/ about the REST service: every curl line of a page is sent, and what the page says it answers is
// what it answers. The SQL of the pages is run first. Live streams are opened, and hear what the page says they hear.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { followTablesSql, installChangeLogSql } from '../../../src/pg/change-log/install-change-log.ts';
import { AUTHENTICATOR } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { type LiveEvent, listenTo } from '../../testkit/live-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { type RequestOptions, SECRET } from '../../testkit/rest-client.ts';
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
  'auth',
] as const;
/** Pages whose SQL makes something; that of the others shows how a thing is written. */
const MAKERS = ['paging', 'spatial', 'embedding', 'functions', 'auth', 'live'] as const;

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

/** As a shell would take it apart, as far as the pages go: words, '…', $'…' with \n, and "…" with a token in it. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(\$?)'([^']*)'|"([^"$]*)\$\(token '([^']*)'\)"|(\S+)/g)].map(
    ([, escaped, quoted, before, claims, bare]) => {
      if (claims !== undefined) return `${before}${tokenOf(claims)}`;
      return quoted === undefined ? (bare ?? '') : escaped === '$' ? quoted.replaceAll('\\n', '\n') : quoted;
    },
  );
}

const tokens = new Map<string, string>();

/** Made by the command that auth.md gives for it. */
function tokenOf(claims: string): string {
  const made =
    blocksOf('auth', 'sh')
      .join('')
      .match(/^token\(\) .*$/m)?.[0] ?? '';
  expect(made).toContain(SECRET);
  const token =
    tokens.get(claims) ??
    execFileSync('bash', ['-c', `${made}\ntoken '${claims}'`])
      .toString()
      .trim();
  tokens.set(claims, token);
  return token;
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

/**
 * Roles belong to the whole server: those of the pages may be there from another database of this run. The role that connects has another
 * name here.
 */
function runnable(sql: string): string {
  return sql
    .replaceAll(
      /^create role [^;]*;/gm,
      (made) => `do $$ begin ${made} exception when duplicate_object then null; end $$;`,
    )
    .replaceAll(/^grant (\w+) to authenticator;/gm, `grant $1 to ${AUTHENTICATOR};`);
}

onEachEngine('the examples of the documentation', { fixtures: FIXTURES }, (db) => {
  beforeAll(async () => {
    await db().script(runnable(blocksOf('start', 'sql').join('')));
    await db().script(readFileSync(at('test/fixtures/docs/world.sql'), 'utf8'));
    for (const page of MAKERS) await db().script(runnable(blocksOf(page, 'sql').join('')));
    await db().script(installChangeLogSql(AUTHENTICATOR) + followTablesSql(['api.place']));
  });
  const rest = useRest(db, {
    'db-schemas': 'api',
    'db-anon-role': 'web_anon',
    'db-extra-search-path': 'public',
    'db-aggregates-enabled': 'true',
    'db-relation-guard': 'api.known',
    'db-schema-claim': '.tenant',
    'db-tenant-schemas': 'tenant_*',
    'db-explain-roles': 'editor',
    'db-explain-as': 'auditor',
  });

  // What one example has written, a later one shows.
  describe('from the first page to the last', { shuffle: false }, () => {
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

    test('a live stream hears what its page says, when what the page does is done', async () => {
      const [listening, ...others] = blocksOf('live', 'sh')
        .join('')
        .split('\n')
        .filter((line) => line.startsWith('curl '))
        .map((line) => requestOf(line.replace(' -N', '')));
      if (listening === undefined) throw new Error('the page listens to nothing');
      const heard = await listenTo(rest.client().service, listening.target, {
        headers: listening.options.headers ?? {},
      });
      const said = eventsOf(blocksOf('live', 'text').join(''));
      for (const { method, target, options } of others) {
        const before = heard.events.length;
        expect((await rest.request(method, target, options)).status).toBeLessThan(300);
        await heard.until(({ events }) => events.length > before);
      }
      heard.close();
      expect(heard.events.map(withoutEpoch)).toEqual(said.map(withoutEpoch));
    });
  });
});

function eventsOf(text: string): readonly LiveEvent[] {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      return { name: field('event') ?? '', data: JSON.parse(field('data') ?? 'null') as unknown, id: field('id') };
    });
}

/** What an id begins with is another text each time. */
function withoutEpoch({ name, data, id }: LiveEvent): unknown {
  return { name, data, place: /-(\d+)(?:~|$)/.exec(id ?? '')?.[1] };
}
