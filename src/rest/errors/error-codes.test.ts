import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bothSpellings, ERROR_CODES, spellCode } from './error-codes.ts';

test('the table has every code that a message shows, and no other', () => {
  const shown = new Set<string>();
  for (const file of readdirSync(import.meta.dirname)) {
    if (!file.endsWith('.ts') || file.includes('.test.') || file === 'error-codes.ts') continue;
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const [, code] of source.matchAll(/code: '(SVRST...)'/g)) if (code !== undefined) shown.add(code);
  }
  expect(ERROR_CODES.map(({ code }) => code)).toEqual([...shown].toSorted());
});

test('the documentation has the same table', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  for (const { code, status, meaning, isOwn } of ERROR_CODES)
    expect(docs).toContain(`| ${bothSpellings(code)} | ${status} | ${meaning}${isOwn ? ' (new here)' : ''} |`);
});

test.each([
  ['SVRST205', 'PGRST205'],
  ['SVRSTX00', 'PGRSTX00'],
  ['23505', '23505'],
  ['SVRST_MINE', 'SVRST_MINE'],
])('%s is spelled %s for clients of PostgREST', (code, spelled) => {
  expect(spellCode(code, 'pgrst')).toBe(spelled);
  expect(spellCode(code, 'svrst')).toBe(code);
});
