// Golden cases: a folder of `name.http` (the request) + `name.json` (the whole expected reply) + optional `name.sql` (the
// statement it became) → one test per case. `npm run bless` rewrites .json and .sql; the review reads the difference.
//
//   # Comments first, if any.
//   GET /items?select=id&limit=2
//   Prefer: count=exact
//
//   an optional body, as it is, to the end of the file

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headerOf, type Reply, textOf } from './reply-matcher.ts';

export type GoldenRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type GoldenAnswer = {
  readonly reply: Reply;
  /** The SQL the request became; compared, and kept as `name.sql`, when it is given. */
  readonly sql?: string;
};

export type GoldenOptions = {
  /** Folder of the cases, absolute. */
  readonly folder: string;
  /** Headers that are part of the expected reply; one that is not in the file must not be in the reply. */
  readonly headers?: readonly string[];
  readonly answer: (request: GoldenRequest) => Promise<GoldenAnswer>;
};

const DEFAULT_HEADERS = [
  'content-type',
  'content-range',
  'content-location',
  'location',
  'preference-applied',
  'allow',
];

/** One test per case of the folder, each named after its file. */
export function goldenCases(options: GoldenOptions): void {
  const bless = process.env['BLESS'] === '1';
  const names = readdirSync(options.folder)
    .filter((file) => file.endsWith('.http'))
    .map((file) => file.slice(0, -'.http'.length))
    .sort();
  if (names.length === 0) throw new Error(`no golden cases in ${options.folder}`);
  for (const name of names) {
    test(name.replaceAll('-', ' '), async () => {
      const path = (extension: string): string => join(options.folder, `${name}${extension}`);
      const request = parseHttpFile(readFileSync(path('.http'), 'utf8'));
      const { reply, sql } = await options.answer(request);
      compare(path('.json'), replyToGolden(reply, options.headers ?? DEFAULT_HEADERS), bless);
      if (sql !== undefined) compare(path('.sql'), `${sql.trimEnd()}\n`, bless);
    });
  }
}

export function parseHttpFile(text: string): GoldenRequest {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let at = 0;
  while (lines[at]?.startsWith('#') || lines[at]?.trim() === '') at++;
  const [method, target] = (lines[at] ?? '').split(' ');
  if (method === undefined || !/^[A-Z]+$/.test(method) || target === undefined || !target.startsWith('/')) {
    throw new Error(`a golden request begins with METHOD /target, not "${lines[at] ?? ''}"`);
  }
  const headers: Record<string, string> = {};
  for (at++; at < lines.length && lines[at] !== ''; at++) {
    const line = lines[at] ?? '';
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`not a header: "${line}"`);
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  // The newline that ends the file is the editor's, not the body's.
  const body = lines
    .slice(at + 1)
    .join('\n')
    .replace(/\n$/, '');
  return { method, target, headers, body: body === '' ? undefined : body };
}

function replyToGolden(reply: Reply, names: readonly string[]): string {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = headerOf(reply, name);
    if (value !== null) headers[name] = value;
  }
  const body = textOf(reply.body);
  const isJson = /[/+]json\b/.test(headerOf(reply, 'content-type') ?? '') && body !== '';
  const shown = isJson ? { json: JSON.parse(body) as unknown } : { text: body };
  return `${JSON.stringify({ status: reply.status, headers, ...shown }, null, 2)}\n`;
}

function compare(path: string, seen: string, bless: boolean): void {
  const kept = readIfThere(path);
  if (bless) {
    if (kept !== seen) writeFileSync(path, seen);
    return;
  }
  if (kept === undefined) throw new Error(`${path} is not there yet: npm run bless writes it`);
  expect(seen).toBe(kept);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
