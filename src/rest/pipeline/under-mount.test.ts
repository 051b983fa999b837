import { expect, test } from 'vitest';
import { underMount } from './under-mount.ts';

test.each([
  ['Location', '/projects?id=eq.1', '/rest/v1/projects?id=eq.1'],
  ['content-location', '/projects', '/rest/v1/projects'],
  [
    'Link',
    '</a?offset=2>; rel="next", </a?offset=0>; rel="prev"',
    '</rest/v1/a?offset=2>; rel="next", </rest/v1/a?offset=0>; rel="prev"',
  ],
  // What the database says of other places stays.
  ['Location', 'https://example.org/x', 'https://example.org/x'],
  ['Location', '//example.org/x', '//example.org/x'],
  ['Location', '/rest/v1/projects', '/rest/v1/projects'],
  ['Link', '<https://example.org/>; rel="license"', '<https://example.org/>; rel="license"'],
  ['X-Path', '/projects', '/projects'],
])('%s: %s', (name, value, expected) => {
  expect(underMount({ status: 200, headers: [[name, value]] }, '/rest/v1').headers).toEqual([[name, expected]]);
});
