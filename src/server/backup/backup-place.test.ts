import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerConfig } from '../config/config.ts';
import { openBackup, openStore } from './backup-place.ts';

const RELEASE = fileURLToPath(new URL('../../../test/fixtures/releases/0.1.0.tar', import.meta.url));
const config = { s3AccessKey: undefined, s3SecretKey: undefined } as unknown as ServerConfig;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'survest-place-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const said = async (place: string, name?: string): Promise<string> => {
  const opened = await openBackup(place, name, config);
  return opened.ok ? `opened ${opened.value.manifest.program}` : opened.error.message.replaceAll(folder, 'here');
};

test('a backup is a file, or one of many in a folder, and what is neither is told', async () => {
  expect(await said(RELEASE)).toMatch(/^opened \d/);
  expect(await said(RELEASE, 'x')).toMatch(/^--backup is for folders and buckets/);
  expect(await said(join(folder, 'nowhere'))).toBe('there is no file or folder "here/nowhere"');
  expect(await said(folder)).toBe('there is no backup in here');
  expect(await said(folder, 'x')).toBe('there is no backup x in here');
  writeFileSync(join(folder, 'a.tar'), 'x'.repeat(2000));
  expect(await said(join(folder, 'a.tar'))).toBe('"here/a.tar" is not a backup of Survest, or damaged at byte 0');
});

test('a bucket needs its keys, and a folder that cannot be one says why', async () => {
  const keys = { s3AccessKey: 'a', s3SecretKey: 'b' } as unknown as ServerConfig;
  const needed = { error: { message: 's3://bucket/a needs s3-access-key and s3-secret-key' } };
  expect(await openStore('s3://bucket/a', config)).toMatchObject(needed);
  expect(await openStore('s3://bucket/a', { ...keys, s3SecretKey: undefined } as ServerConfig)).toMatchObject(needed);
  expect(await openStore('s3://bucket/a', { ...keys, s3AccessKey: undefined } as ServerConfig)).toMatchObject(needed);
  expect(await said('s3://bucket/a')).toBe('s3://bucket/a needs s3-access-key and s3-secret-key');
  writeFileSync(join(folder, 'file'), '');
  const store = await openStore(join(folder, 'file', 'below'), config);
  expect(store.ok ? '' : store.error.message.replace(folder, 'here')).toMatch(
    /^"here\/file\/below" cannot be used: [A-Z]+: /,
  );
});
