// The examples of docs/ about the portal: every command of these pages is run by a shell, in order, against a running portal, and what the page
// says it answers is what it answers.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, type PortalProgram, startPortal } from '../browser/portal-program.ts';

const PAGES = ['portal-api', 'calculating-api', 'processes', 'agents'].map(
  (page) => new URL(`../../docs/${page}.md`, import.meta.url),
);
/** What the pages call their portal and the password of its account. */
const [ADDRESS, PASSWORD] = ['http://localhost:8000', 'correct horse'];
const MARK = '-- next --';
/** Where the machine has no such program, one that does what the page uses of it. */
const STAND_INS = ['curl', 'openssl'].map((name) => {
  const path = fileURLToPath(new URL(`stand-ins/${name}.mjs`, import.meta.url));
  return `command -v ${name} >/dev/null || ${name}() { '${process.execPath}' '${path}' "$@"; }`;
});

type Example = { readonly command: string; readonly expected: readonly string[] };

/** Commands in order, each with the comment lines behind it. */
function examplesOf(text: string): readonly Example[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const examples: { command: string; expected: string[] }[] = [];
  for (const line of blocks.join('').split('\n')) {
    if (line.startsWith('# ')) examples.at(-1)?.expected.push(line.slice(2));
    else if (line !== '') examples.push({ command: line, expected: [] });
  }
  return examples;
}

/** `…` stands for anything. */
function patternOf(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

const examples = PAGES.flatMap((page) => examplesOf(readFileSync(page, 'utf8')));
const folder = mkdtempSync(join(tmpdir(), 'survest-docs-'));
let portal: PortalProgram | undefined;
let answers: readonly string[] = [];

beforeAll(async () => {
  portal = await startPortal({ mcp: 'write' });
  expect(ADMIN_PASSWORD).toBe('correct horse battery');
  const account = { username: 'ada', password: PASSWORD };
  expect(await portal.api('admin', 'POST', '/api/v2/users/', account)).toMatchObject({ status: 201 });
  const commands = examples.map(({ command }) => `${command}\necho; echo '${MARK}'`);
  const script = [...STAND_INS, ...commands].join('\n');
  const { url } = portal;
  // One shell for all: later commands use what earlier ones kept.
  const ran = promisify(execFile)('bash', ['-c', script.replaceAll(ADDRESS, url)], { cwd: folder });
  answers = (await ran).stdout.replaceAll(url, ADDRESS).split(`${MARK}\n`);
});

afterAll(async () => {
  await portal?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the pages have some, each way of signing in among them', () => {
  const commands = examples.map(({ command }) => command).join('\n');
  for (const part of ['-u ', '/account/login/', '/account/token', '/account/clients', '/o/authorize', '/o/token'])
    expect(commands).toContain(part);
});

test.each(examples.map(({ command, expected }, i) => [command, expected, i] as const))(
  '%s',
  (_command, expected, i) => {
    const said = (answers[i] ?? '').trim();
    if (expected.length === 0) expect(said).toBe('');
    else expect(said).toMatch(patternOf(expected.join('\n')));
  },
);
