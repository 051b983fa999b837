import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import { readTextFile } from './read-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'survest-read-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('text comes as it is, a byte order mark left out', async () => {
  expect(await readTextFile(file('a', '\uFEFFä = "ö"\n'))).toEqual(ok('ä = "ö"\n'));
  expect(await readTextFile(file('empty', ''))).toEqual(ok(''));
  const long = 'é'.repeat(100_000);
  expect(await readTextFile(file('long', long))).toEqual(ok(long));
});

test.each([
  ['a file that is not there', () => join(folder, 'none'), 'missing'],
  ['a folder', () => folder, 'directory'],
  ['a path through a file', () => join(file('f', ''), 'x'), 'missing'],
  ['bytes that are no UTF-8', () => file('latin1', Buffer.from([0x61, 0xe9])), 'not-utf8'],
  ['a file without end', () => '/dev/zero', 'too-large'],
  ['a path with a zero character', () => 'a\0b', 'failed'],
])('%s is said to be so', async (_, path, expected) => {
  expect(await readTextFile(path())).toEqual(err(expected));
});
