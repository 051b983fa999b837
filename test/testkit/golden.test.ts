import { describe, expect, test } from 'vitest';
import { parseHttpFile } from './golden.ts';

describe('a golden request', () => {
  test.each<[string, string, ReturnType<typeof parseHttpFile>]>([
    ['is a line', 'GET /items\n', { method: 'GET', target: '/items', headers: {}, body: undefined }],
    [
      'has comments before and headers after that line',
      '# why this case\n\nGET /items?id=eq.1 HTTP/1.1\nPrefer: count=exact\nPrefer: tx=rollback\n',
      { method: 'GET', target: '/items?id=eq.1', headers: { Prefer: 'count=exact, tx=rollback' }, body: undefined },
    ],
    [
      'ends with its body, blank lines included',
      'POST /items\nContent-Type: text/csv\n\nid,name\n\n1,a\n',
      { method: 'POST', target: '/items', headers: { 'Content-Type': 'text/csv' }, body: 'id,name\n\n1,a' },
    ],
  ])('%s', (_, text, request) => {
    expect(parseHttpFile(text)).toEqual(request);
  });

  test.each([
    ['', 'nothing'],
    ['# only a comment', 'only a comment'],
    ['get /items', 'a method in lower case'],
    ['GET items', 'no path'],
    ['GET /items\nno colon here\n', 'a header without a colon'],
  ])('is refused when it is %j: %s', (text) => {
    expect(() => parseHttpFile(text)).toThrow();
  });
});
