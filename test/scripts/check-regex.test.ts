import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/check-regex.mjs');

describe('the check of regular expressions', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'survest-regex-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** A made-up tree of files → the places that the check complains of, excuses aside. */
  function offences(files: Readonly<Record<string, string>>): readonly string[] {
    for (const [path, text] of Object.entries({ 'web/a.ts': '', ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    return stderr.split('\n').filter((line) => line !== '' && !line.endsWith('is excused without need'));
  }

  test('finds numbers whose digits can be shared out in many ways, by file and line', () => {
    expect(offences({ 'src/a.ts': 'const a = 1;\nconst b = /^\\d+\\.?\\d*$/;' })).toEqual([
      expect.stringMatching(/^src\/a\.ts:2: \/\^\\d\+\\\.\?\\d\*\$\/ is 2nd degree polynomial, for example on /),
    ]);
  });

  test('finds searches that begin anew at every character, in pages too', () => {
    expect(
      offences({ 'src/a.ts': 'x.replace(/=+$/, "")', 'web/b.tsx': 'const e = <a title={x.match(/ +$/)} />;' }),
    ).toEqual([
      expect.stringContaining('src/a.ts:1: /=+$/ is 2nd degree polynomial'),
      expect.stringContaining('web/b.tsx:1: / +$/ is 2nd degree polynomial'),
    ]);
  });

  test('finds those that can only be tried, and lets pass what turns out to be linear', () => {
    // Looking behind is beyond what can be derived.
    expect(offences({ 'src/a.ts': '[/ +(?<!x)$/, /^(?! )(?:[a-z ]|-(?!>))+(?<! )$/]' })).toEqual([
      expect.stringMatching(/^src\/a\.ts:1: \/ \+\(\?<!x\)\$\/ is 2nd degree polynomial \(fuzz\)/),
    ]);
  });

  test('reads expressions that are put together from constants, and refuses others', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code as a text
    const text = 'const N = "a+"; new RegExp(`^(?:${N})+$`, "u"); new RegExp("^[a-z]+$"); new RegExp(given);';
    expect(offences({ 'src/a.ts': text })).toEqual([
      expect.stringContaining('"u") is exponential'),
      expect.stringContaining('new RegExp(given) is put together at run time'),
    ]);
  });

  test('lets linear ones pass', () => {
    expect(offences({ 'src/a.ts': '[/^\\d+(?:\\.\\d*)?$/, /[a-z]{1,9}x/, /^\\s*\\w+$/]' })).toEqual([]);
  });
});
