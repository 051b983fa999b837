// Against a server that speaks S3's protocol, in this process.

import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { checkS3Store, openS3Store, type S3Options } from './s3.ts';
import { textOf } from './s3-xml.ts';
import { sweepOrphans } from './sweep-orphans.ts';

type Server = { run(): Promise<{ port: number }>; close(): Promise<void> };
type ServerClass = new (options: Record<string, unknown>) => Server;

const S3rver = createRequire(import.meta.url)('s3rver') as ServerClass;

describe('a bucket as a blob store', () => {
  let folder: string;
  let server: Server;
  let options: S3Options;
  let store: BlobStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'survest-s3-'));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'files', configs: [] }],
    });
    const { port } = await server.run();
    options = {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'files',
      region: 'us-east-1',
      accessKey: 'S3RVER',
      secretKey: 'S3RVER',
      prefix: 'portal/',
      pathStyle: true,
    };
    store = openS3Store(options);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  test('what is put can be opened, whole and in ranges', async () => {
    expect(await store.put('documents/a', chunks('hello ', '', 'world'))).toEqual({ ok: true, value: { size: 11 } });
    expect(await contentOf(store, 'documents/a')).toBe('hello world');
    expect(await contentOf(store, 'documents/a', { start: 6 })).toBe('world');
    expect(await contentOf(store, 'documents/a', { start: 0, end: 4 })).toBe('hello');
    const opened = await store.open('documents/a', { start: 6 });
    expect(opened).toMatchObject({ ok: true, value: { size: 11 } });
    if (opened.ok) opened.value.stream.destroy();
  });

  test('a blob may be empty', async () => {
    expect(await store.put('empty', chunks())).toEqual({ ok: true, value: { size: 0 } });
    expect(await contentOf(store, 'empty')).toBe('');
  });

  test('a large one goes in parts, each of which is all that is held of it', async () => {
    const parted = openS3Store({ ...options, partBytes: 1000 });
    const content = Array.from({ length: 57 }, (_, n) => String(n).repeat(97));
    expect(await parted.put('large', chunks(...content))).toEqual({
      ok: true,
      value: { size: content.join('').length },
    });
    expect(await contentOf(store, 'large')).toBe(content.join(''));
  });

  test('a range behind the end says how long the blob is', async () => {
    await store.put('a', chunks('xyz'));
    expect(await store.open('a', { start: 3 })).toEqual({ ok: false, error: { kind: 'bad-range', size: 3 } });
    expect(await store.open('a', { start: 2, end: 1 })).toMatchObject({ error: { kind: 'bad-range' } });
    expect(await store.open('a', { start: -1 })).toMatchObject({ error: { kind: 'bad-range' } });
  });

  test.each([100_000, 5])(
    'content that is too long, or breaks off, leaves nothing behind (parts of %s)',
    async (partBytes) => {
      const parted = openS3Store({ ...options, partBytes });
      expect(await parted.put('long', chunks('1234', '5678', '90'), { maxBytes: 9 })).toEqual({
        ok: false,
        error: { kind: 'too-large', limit: 9 },
      });
      const broken = (async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('a first half');
        yield Buffer.from('a second half');
        throw new Error('the client went away');
      })();
      await expect(parted.put('long', broken)).rejects.toThrow('the client went away');
      expect(await store.open('long')).toEqual({ ok: false, error: { kind: 'no-such-blob', key: 'long' } });
    },
  );

  test('removing is done when the blob is gone, however often it is asked', async () => {
    await store.put('r', chunks('x'));
    expect(await store.remove('r')).toEqual({ ok: true, value: undefined });
    expect(await store.remove('r')).toEqual({ ok: true, value: undefined });
    expect(await store.open('r')).toMatchObject({ error: { kind: 'no-such-blob' } });
  });

  test.each(['../outside', '/etc/passwd', 'a/../../b', '.partial/x', 'a?b', 'a b'])(
    'the key %s reaches nothing',
    async (key) => {
      const refused = { ok: false, error: { kind: 'bad-key', key } };
      expect(await store.put(key, chunks('x'))).toEqual(refused);
      expect(await store.open(key)).toEqual(refused);
      expect(await store.remove(key)).toEqual(refused);
    },
  );

  test('listing tells keys, sizes and times below a prefix, page by page, and nothing of others', async () => {
    const others = openS3Store({ ...options, prefix: 'elsewhere/' });
    await others.put('listed/no', chunks('x'));
    for (let n = 0; n < 12; n += 1) await store.put(`listed/k${n}`, chunks('x'.repeat(n)));
    const found = await all(store.list('listed/'));
    expect(found.map(({ key, size }) => `${key} ${size}`).sort()).toEqual(
      Array.from({ length: 12 }, (_, n) => `listed/k${n} ${n}`).sort(),
    );
    expect(found.every(({ modifiedMs }) => Math.abs(Date.now() - modifiedMs) < 600_000)).toBe(true);
    expect(await all(store.list('nothing/'))).toEqual([]);
  });

  test('orphans are swept, what is known stays', async () => {
    await store.put('uploads/known', chunks('x'));
    await store.put('uploads/orphan', chunks('x'));
    const swept = await sweepOrphans(store, {
      kept: async (keys) => new Set(keys.filter((key) => key !== 'uploads/orphan')),
      olderThanMs: 0,
      now: Date.now() + 2000,
    });
    expect(swept).toEqual(['uploads/orphan']);
    expect(await contentOf(store, 'uploads/known')).toBe('x');
    expect(await store.open('uploads/orphan')).toMatchObject({ error: { kind: 'no-such-blob' } });
  });

  test('wrong keys and stores that are not there are failures that name no address', async () => {
    for (const wrong of [
      { ...options, accessKey: 'wrong' },
      { ...options, bucket: 'nobodys' },
      { ...options, endpoint: 'http://127.0.0.1:1' },
    ]) {
      const failing = openS3Store(wrong);
      const put = await failing.put('a', chunks('x'));
      expect(put).toMatchObject({ ok: false, error: { kind: 'store' } });
      expect(JSON.stringify(put)).not.toMatch(/127\.0\.0\.1|wrong/);
      expect(await checkS3Store(failing)).toMatchObject({ ok: false });
    }
    expect(await checkS3Store(store)).toEqual({ ok: true, value: undefined });
  });

  test('requests are signed as the protocol wants it, over the bytes that are sent', async () => {
    const verdicts: boolean[] = [];
    const checking = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        verdicts.push(isSignedRight(request, Buffer.concat(parts), 'a secret'));
        response.end('<ListBucketResult></ListBucketResult>');
      });
    });
    await new Promise<void>((resolve) => checking.listen(0, '127.0.0.1', resolve));
    const { port } = checking.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    const signed = openS3Store({ ...options, endpoint: address, secretKey: 'a secret', region: 'eu-west-1' });
    await signed.put('documents/a-b_c.d', chunks('hello'));
    await all(signed.list('doc'));
    await signed.remove('documents/a');
    const wrong = openS3Store({ ...options, endpoint: address, secretKey: 'another', region: 'eu-west-1' });
    await wrong.remove('documents/a');
    checking.close();
    expect(verdicts).toEqual([true, true, true, false]);
  });

  test('what was begun in parts and not ended is not kept', async () => {
    const names = (await readdir(join(folder, 'files'), { recursive: true })).filter((name) => name.includes('long'));
    expect(names).toEqual([]);
  });
});

test.each([
  ['<a>x &amp; y</a>', 'x & y'],
  ['<a b="c">x</a>', 'x'],
  ['<ab>x</ab>', undefined],
  ['<a>&#233;&#x41;&quot;</a>', 'éA"'],
])('of %s, the text of a', (xml, expected) => {
  expect(textOf(xml, 'a')).toBe(expected);
});

/** Signature version 4, computed from the protocol's description. */
function isSignedRight({ method, url, headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const hash = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
  const [, scope = '', names = '', signature = ''] =
    /Credential=[^/]+\/(\S+?), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  const [path = '', query = ''] = (url ?? '').split('?');
  const sorted = query === '' ? '' : query.split('&').sort().join('&');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, sorted, lines.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((made, part) => hmac(made, part), `AWS4${secret}`);
  return headers['x-amz-content-sha256'] === hash(body) && hmac(key, text).toString('hex') === signature;
}

async function* chunks(...parts: string[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function contentOf(store: BlobStore, key: string, range?: { start: number; end?: number }): Promise<string> {
  const opened = await store.open(key, range);
  return opened.ok
    ? Buffer.concat(await all(opened.value.stream as AsyncIterable<Buffer>)).toString()
    : JSON.stringify(opened.error);
}
