import { expect, test } from 'vitest';
import { spellHeaderName } from './header-name.ts';

test.each([
  ['content-type', 'Content-Type'],
  ['server', 'Server'],
  ['x-accel-buffering', 'X-Accel-Buffering'],
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['content-md5', 'Content-MD5'],
  ['x-b3-traceid', 'X-B3-Traceid'],
  ['x-9-lives', 'X-9-Lives'],
])('%s is spelled %s', (name, spelled) => {
  expect(spellHeaderName(name)).toBe(spelled);
  // Now from what is kept.
  expect(spellHeaderName(name)).toBe(spelled);
});

test.each(['Content-Type', 'X-request-ID', 'ETag'])('%s, spelled by its author, stays', (name) => {
  expect(spellHeaderName(name)).toBe(name);
});
