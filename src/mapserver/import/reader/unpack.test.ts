import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipOf } from '../../../../test/feature/uploads/zip-writer.ts';
import { unpack } from './unpack.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpack-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['marked as UTF-8', 'städte.csv', 'städte.csv'],
  ['UTF-8 without the mark, as macOS and zip on Linux write it', Buffer.from('städte.csv'), 'städte.csv'],
  ['in code page 437, as Windows writes it', Buffer.from('st\u0084dte.csv', 'latin1'), 'städte.csv'],
  ['plain', Buffer.from('towns.csv'), 'towns.csv'],
])('a name in an archive that is %s is read as it was meant', async (_, name, expected) => {
  const path = join(folder, 'archive.zip');
  await writeFile(path, zipOf([{ name, content: 'a,b\n1,2\n' }]));
  const target = await mkdtemp(join(folder, 'members-'));
  const done = await unpack({ name: 'archive.zip', path }, target, { unpackedBytes: 1000, members: 10 });
  expect(done).toMatchObject({ ok: true, value: [{ name: expected, folder: '' }] });
});
