import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { etagOf, withEtag } from './etag.ts';
import type { HttpReply } from './http-message.ts';

const ROWS: HttpReply = {
  status: 200,
  headers: [
    ['Content-Type', 'application/json'],
    ['Content-Length', '2'],
    ['Vary', 'Accept'],
  ],
  body: Buffer.from('[]'),
};
const TAG = etagOf(Buffer.from('[]'));

describe('an answer', () => {
  test('gets a tag', () => {
    expect(withEtag(ROWS, {}).headers).toContainEqual(['ETag', TAG]);
  });

  test.each([
    ['the same tag', TAG],
    ['the same tag, strong', TAG.slice(2)],
    ['one of several', `"other", ${TAG}`],
    ['any', '*'],
  ])('is 304 for a client that has %s, with what it says about caching', (_, known) => {
    expect(withEtag(ROWS, { 'if-none-match': known })).toEqual({
      status: 304,
      headers: [
        ['Vary', 'Accept'],
        ['ETag', TAG],
      ],
    });
  });

  test.each([['"other"'], [''], ['W/'], [`${TAG}x`], [',,,'], ['"'.repeat(5000)]])(
    'is sent to a client that has %j',
    (known) => {
      expect(withEtag(ROWS, { 'if-none-match': known }).status).toBe(200);
    },
  );

  test('keeps the tag it has', () => {
    const own: HttpReply = { ...ROWS, headers: [['etag', '"mine"']] };
    expect(withEtag(own, {})).toEqual({ ...own });
    expect(withEtag(own, { 'if-none-match': '"mine"' }).status).toBe(304);
  });

  test.each([[201], [404], [500]])('of status %i gets none', (status) => {
    expect(withEtag({ ...ROWS, status }, { 'if-none-match': '*' })).toEqual({ ...ROWS, status });
  });

  test('without a body gets none', () => {
    expect(withEtag({ status: 200, headers: [] }, {})).toEqual({ status: 200, headers: [] });
  });
});

test('another byte is another tag', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 6000 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, at, by) => {
        const other = Uint8Array.from(bytes);
        const i = at % other.length;
        other[i] = (other[i] ?? 0) ^ by;
        expect(etagOf(other)).not.toBe(etagOf(bytes));
        expect(etagOf(bytes)).toMatch(/^W\/"[0-9A-Za-z_-]+"$/);
      },
    ),
  );
});

test('a hundred thousand small answers have as many tags', () => {
  const tags = new Set<string>();
  for (let i = 0; i < 100_000; i++) tags.add(etagOf(Buffer.from(`[{"id":${i}}]`)));
  expect(tags.size).toBe(100_000);
});
