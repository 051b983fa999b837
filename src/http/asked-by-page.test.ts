import { expect, test } from 'vitest';
import { isAskedByPage } from './asked-by-page.ts';

const host = 'portal.example';
const REFERER = 'http://portal.example/maps/7';

test.each([
  ['a script that says so', { 'x-requested-with': 'XMLHttpRequest' }],
  ['a picture', { 'sec-fetch-dest': 'image' }],
  ['a tile that a script fetches', { 'sec-fetch-dest': 'empty', accept: '*/*' }],
  ['a frame in a page', { 'sec-fetch-dest': 'iframe', accept: 'text/html' }],
  ['a picture, without TLS', { accept: 'image/avif,image/webp,*/*;q=0.8' }],
  ['a tile that a script fetches, without TLS', { accept: '*/*', referer: REFERER }],
])('%s is asked for by a page', (_, headers) => {
  expect(isAskedByPage({ host, ...headers })).toBe(true);
});

test.each([
  ['an address that somebody has typed', { 'sec-fetch-dest': 'document', accept: 'text/html,*/*' }],
  ['a link that somebody has followed, without TLS', { accept: 'text/html,*/*', referer: REFERER }],
  ['a map client', { accept: '*/*' }],
  ['a client that names somebody else', { accept: '*/*', referer: 'https://client.example/' }],
  ['nonsense', { accept: '*/*', referer: 'portal.example' }],
])('%s is not', (_, headers) => {
  expect(isAskedByPage({ host, ...headers })).toBe(false);
});
