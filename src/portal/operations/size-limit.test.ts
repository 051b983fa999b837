import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { sizeLimit } from './size-limit.ts';
import { spaceFor } from './space-for.ts';

const answer = (cell: string | null) => ({ rows: [[cell === null ? null : Buffer.from(cell)]], tag: '' }) as never;

test('what is sent may be as large as the program takes, or less where an administrator says so', () => {
  expect([undefined, answer(null), answer('10'), answer('1000')].map((one) => sizeLimit(one, 100))).toEqual([
    100, 100, 10, 100,
  ]);
});

test.each([
  ['5', '5'],
  ['0', '0'],
  ['-5', '0'],
  ['many', '0'],
  ['99999999999999999999', '0'],
  [undefined, '0'],
])('of a request that announces %j it is asked whether there is room for %s bytes', (announced, bytes) => {
  const request = { headers: announced === undefined ? {} : { 'content-length': announced } };
  expect(spaceFor(request as unknown as FastifyRequest).params).toEqual([bytes]);
});
