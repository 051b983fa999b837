import { expect, test } from 'vitest';
import { parseNotice } from './notice.ts';

const everything = { kind: 'reload-schema', relations: undefined };

test.each([
  ['', everything],
  ['reload schema', everything],
  ['reload schema 16385', { kind: 'reload-schema', relations: [16385] }],
  ['reload schema 16385 4294967295', { kind: 'reload-schema', relations: [16385, 4294967295] }],
  ['reload config', { kind: 'reload-config' }],
])('%j asks for a reload', (payload, notice) => {
  expect(parseNotice(payload)).toEqual(notice);
});

test.each([
  'reload',
  'RELOAD SCHEMA',
  ' reload schema',
  'reload schema ',
  'reload schema\n',
  'reload schema 0',
  'reload schema -1',
  'reload schema 4294967296',
  'reload schema 1  2',
  'reload schema 1,2',
  'reload schema 1 2\n',
  'reload schema {1}',
  'reload schema layers.towns',
  `reload schema ${'9'.repeat(7000)}`,
  'reload config 1',
  'reload everything',
])('%j is nothing to us', (payload) => {
  expect(parseNotice(payload)).toBeUndefined();
});
