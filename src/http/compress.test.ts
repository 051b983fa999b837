import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptedCoding, compressReply } from './compress.ts';
import type { HttpReply } from './http-message.ts';

const TEXT = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: 'the same' })));

function reply(type: string, more: HttpReply['headers'] = [], body: HttpReply['body'] = TEXT): HttpReply {
  return {
    status: 200,
    headers: [['Content-Type', type], ['Content-Length', String(body?.length ?? 0)], ...more],
    ...(body === undefined ? {} : { body }),
  };
}

const get = (accept?: string) => ({
  method: 'GET',
  headers: accept === undefined ? {} : { 'accept-encoding': accept },
});
const header = (of: HttpReply, wanted: string): string | undefined => of.headers.find(([name]) => name === wanted)?.[1];

describe('the coding', () => {
  test.each([
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip;q=nonsense', undefined],
    [',,;;q=,', undefined],
  ])('for "%s" is %s', (accept, coding) => {
    expect(acceptedCoding(accept)).toBe(coding);
  });
});

describe('a reply', () => {
  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is the same after %s', async (coding, decode) => {
    const small = await compressReply(reply('application/json; charset=utf-8', [['Vary', 'Accept']]), get(coding), 100);
    expect(header(small, 'Content-Encoding')).toBe(coding);
    expect(header(small, 'Vary')).toBe('Accept, Accept-Encoding');
    expect(header(small, 'Content-Length')).toBe(String(small.body?.length));
    expect(decode(Buffer.from(small.body ?? '')).toString()).toBe(TEXT);
  });

  test.each<[string, HttpReply, { method: string; headers: Record<string, string> }, number]>([
    ['where it is switched off', reply('application/json'), get('gzip'), 0],
    ['below the size', reply('application/json'), get('gzip'), 1_000_000],
    ['of a kind that is small already', reply('image/png'), get('gzip'), 1],
    ['that is coded already', reply('text/csv', [['Content-Encoding', 'x']]), get('gzip'), 1],
    ['to HEAD', reply('application/json'), { ...get('gzip'), method: 'HEAD' }, 1],
    ['without a body', { status: 204, headers: [] }, get('gzip'), 1],
  ])('%s stays as it is', async (_, given, request, minSize) => {
    expect(await compressReply(given, request, minSize)).toBe(given);
  });

  test('that could have been smaller says that it varies', async () => {
    const same = await compressReply(reply('application/json'), get(), 1);
    expect(same.body).toBe(TEXT);
    expect(header(same, 'Vary')).toBe('Accept-Encoding');
  });
});
