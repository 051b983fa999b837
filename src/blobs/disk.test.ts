import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BlobStore, isBlobKey, makeBlobKey } from './blob-store.ts';
import { openDiskStore } from './disk.ts';

describe('keys', () => {
  test.each(['documents/3f/3f0c', 'a', 'a.b-c_d/e', makeBlobKey('uploads')])('%s is a key', (key) => {
    expect(isBlobKey(key)).toBe(true);
  });

  test.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../x',
    'a/../b',
    'a//b',
    'a/',
    './a',
    '.partial/x',
    'a/.b',
    'a\\b',
    'a\0b',
    'a b',
    'é',
    'x'.repeat(513),
  ])('%j is none', (key) => {
    expect(isBlobKey(key)).toBe(false);
  });

  test('two made for the same purpose differ', () => {
    expect(makeBlobKey('documents')).not.toBe(makeBlobKey('documents'));
  });
});

describe('a folder as a blob store', () => {
  let folder: string;
  let store: BlobStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'survest-blobs-'));
    store = await openDiskStore(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('what is put can be opened, whole and in ranges', async () => {
    expect(await store.put('documents/a', chunks('hello ', '', 'world'))).toEqual({ ok: true, value: { size: 11 } });
    expect(await contentOf(store, 'documents/a')).toBe('hello world');
    expect(await contentOf(store, 'documents/a', { start: 6 })).toBe('world');
    expect(await contentOf(store, 'documents/a', { start: 0, end: 4 })).toBe('hello');
    expect(await contentOf(store, 'documents/a', { start: 10, end: 999 })).toBe('d');
  });

  test('a range behind the end says how long the blob is', async () => {
    await store.put('a', chunks('xyz'));
    expect(await store.open('a', { start: 3 })).toEqual({ ok: false, error: { kind: 'bad-range', size: 3 } });
    expect(await store.open('a', { start: 2, end: 1 })).toMatchObject({ error: { kind: 'bad-range' } });
    expect(await store.open('a', { start: -1 })).toMatchObject({ error: { kind: 'bad-range' } });
  });

  test('content that is too long leaves nothing behind', async () => {
    expect(await store.put('a', chunks('1234', '5678'), { maxBytes: 7 })).toEqual({
      ok: false,
      error: { kind: 'too-large', limit: 7 },
    });
    expect(await store.open('a')).toMatchObject({ error: { kind: 'no-such-blob' } });
    expect(await readdir(join(folder, '.partial'))).toEqual([]);
  });

  test('content that breaks off leaves nothing behind, and its exception comes out', async () => {
    const broken = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('the client went away');
    })();
    await expect(store.put('a', broken)).rejects.toThrow('the client went away');
    expect(await store.open('a')).toMatchObject({ error: { kind: 'no-such-blob' } });
    expect(await readdir(join(folder, '.partial'))).toEqual([]);
  });

  test.each(['../outside', '/etc/passwd', 'a/../../b', '.partial/x'])('the key %s reaches nothing', async (key) => {
    const refused = { ok: false, error: { kind: 'bad-key', key } };
    expect(await store.put(key, chunks('x'))).toEqual(refused);
    expect(await store.open(key)).toEqual(refused);
    expect(await store.remove(key)).toEqual(refused);
  });

  test('a folder is not a blob', async () => {
    await store.put('a/b', chunks('x'));
    expect(await store.open('a')).toMatchObject({ error: { kind: 'no-such-blob' } });
    expect(await store.open('a/b/c')).toMatchObject({ error: { kind: 'no-such-blob' } });
  });

  test('removing is done when the blob is gone, however often it is asked', async () => {
    await store.put('a', chunks('x'));
    expect(await store.remove('a')).toEqual({ ok: true, value: undefined });
    expect(await store.remove('a')).toEqual({ ok: true, value: undefined });
    expect(await store.open('a')).toMatchObject({ error: { kind: 'no-such-blob' } });
  });

  test('an open blob is read to its end though it is removed meanwhile', async () => {
    await store.put('a', chunks('x'.repeat(200_000)));
    const opened = await store.open('a');
    await store.remove('a');
    expect(opened.ok && (await text(opened.value.stream)).length).toBe(200_000);
  });

  test('listing tells keys and sizes below a prefix, nothing half-written, no links', async () => {
    await store.put('documents/aa/one', chunks('1'));
    await store.put('documents/ab/two', chunks('22'));
    await store.put('uploads/aa/three', chunks('333'));
    await writeFile(join(folder, '.partial', 'draft'), 'x');
    await symlink('/etc/passwd', join(folder, 'documents', 'link'));
    const found = async (prefix?: string): Promise<string[]> =>
      (await all(store.list(prefix))).map(({ key, size }) => `${key} ${size}`).sort();
    expect(await found()).toEqual(['documents/aa/one 1', 'documents/ab/two 2', 'uploads/aa/three 3']);
    expect(await found('documents/a')).toEqual(['documents/aa/one 1', 'documents/ab/two 2']);
    expect(await found('documents/aa/')).toEqual(['documents/aa/one 1']);
    expect(await found('nothing/')).toEqual([]);
    expect(await found('../')).toEqual([]);
  });

  test('drafts of writers that died are cleared away at the next start, younger ones are not', async () => {
    const old = join(folder, '.partial', 'old');
    await writeFile(old, 'x');
    await utimes(old, 1000, 1000);
    await writeFile(join(folder, '.partial', 'young'), 'x');
    await openDiskStore(folder);
    expect(await readdir(join(folder, '.partial'))).toEqual(['young']);
  });
});

async function* chunks(...parts: string[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await all(stream)).toString();
}

async function contentOf(store: BlobStore, key: string, range?: { start: number; end?: number }): Promise<string> {
  const opened = await store.open(key, range);
  return opened.ok ? text(opened.value.stream) : JSON.stringify(opened.error);
}
