import { describe, expect, test } from 'vitest';
import { isBeyondEnd, listEnvelope } from './envelope.ts';

const frame = { member: 'maps', total: 8, page: 1, pageSize: 2, origin: 'http://host', target: '/api/v2/maps' };
const links = (changes: Partial<typeof frame>): unknown =>
  JSON.parse(listEnvelope(Buffer.from('[]'), { ...frame, ...changes }).toString()).links;

describe('the envelope of a list', () => {
  test('has five members, the records as they came', () => {
    expect(listEnvelope(Buffer.from('[{"a" : 1}]'), frame).toString()).toBe(
      '{"links":{"next":"http://host/api/v2/maps?page=2","previous":null},"total":8,"page":1,"page_size":2,"maps":[{"a" : 1}]}',
    );
  });

  test.each([
    ['the first page has nothing before it', {}, { next: 'http://host/api/v2/maps?page=2', previous: null }],
    [
      'the way back to the first page has no number',
      { page: 2 },
      { next: 'http://host/api/v2/maps?page=3', previous: 'http://host/api/v2/maps' },
    ],
    ['the last page has nothing behind it', { page: 4 }, { next: null, previous: 'http://host/api/v2/maps?page=3' }],
    [
      'parameters stay, sorted by name, in the path that was asked for',
      { target: '/api/v2/maps/?page_size=2&filter{title}=a%20b&page=2&extent=1', page: 2 },
      {
        next: 'http://host/api/v2/maps/?extent=1&filter%7Btitle%7D=a+b&page=3&page_size=2',
        previous: 'http://host/api/v2/maps/?extent=1&filter%7Btitle%7D=a+b&page_size=2',
      },
    ],
    [
      'a size that was too large is told as it is',
      { target: '/m?page_size=99999', pageSize: 3 },
      { next: 'http://host/m?page=2&page_size=3', previous: null },
    ],
  ])('%s', (_, changes, expected) => {
    expect(links(changes)).toEqual(expected);
  });

  test('a page behind the end is beyond it; the first page never is', () => {
    expect(isBeyondEnd({ page: 1, pageSize: 10 }, 0)).toBe(false);
    expect(isBeyondEnd({ page: 2, pageSize: 10 }, 10)).toBe(true);
    expect(isBeyondEnd({ page: 2, pageSize: 10 }, 11)).toBe(false);
  });
});
