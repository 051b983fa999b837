import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPassword, passwordFromFile } from './passfile.ts';

const question = { host: 'h', port: 5432, database: 'd', user: 'u' };

test.each([
  ['an exact line', 'h:5432:d:u:secret', 'secret'],
  ['wildcards', '*:*:*:*:secret', 'secret'],
  ['the first line that fits', 'h:5432:other:u:no\nh:*:d:u:yes\n*:*:*:*:late', 'yes'],
  ['comments and empty lines', '# h:5432:d:u:no\n\nh:5432:d:u:yes', 'yes'],
  ['escapes', String.raw`h:5432:d:u:a\:b\\c`, String.raw`a:b\c`],
  ['a colon in the password', 'h:5432:d:u:a:b', 'a:b'],
  ['line ends of Windows', 'h:5432:d:u:secret\r\n', 'secret'],
  ['no line that fits', 'h:5433:d:u:secret', undefined],
  ['a line with too few fields', 'h:5432:d', undefined],
])('%s', (_name, file, expected) => {
  expect(findPassword(file, question)).toBe(expected);
});

test('a socket folder is asked for as localhost', () => {
  expect(findPassword('localhost:5432:d:u:secret', { ...question, host: '/run/postgresql' })).toBe('secret');
});

test('a file that others may read is not used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passfile-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'pgpass');
  await writeFile(path, '*:*:*:*:secret');
  await chmod(path, 0o644);
  expect(await passwordFromFile(path, question)).toBeUndefined();
  await chmod(path, 0o600);
  expect(await passwordFromFile(path, question)).toBe('secret');
  expect(await passwordFromFile(join(folder, 'none'), question)).toBeUndefined();
});
