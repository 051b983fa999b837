import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/check-rows.mjs');

describe('the row check', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'survest-rows-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** A made-up tree of files and what they say → what the check says about it. */
  function check(files: Readonly<Record<string, string>>): {
    readonly passes: boolean;
    readonly said: readonly string[];
  } {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    return { passes: status === 0, said: stderr.split('\n').filter((line) => line !== '') };
  }

  test('refuses a decision by the name of the engine above pg', () => {
    const decides = `export const isOwn = (driver) => driver.engine === 'pglite';`;
    expect(
      check({
        'src/pg/wrap.ts': decides,
        'src/portal/run.ts': `\n${decides}`,
        'src/portal/log.ts': 'say(driver.engine);',
      }),
    ).toEqual({
      passes: false,
      said: ['src/portal/run.ts:2: decides by the name of the engine (Driver.can says what it can do)'],
    });
  });

  test('lets a folder use itself and every row below', () => {
    expect(
      check({
        'src/kernel/result.ts': '',
        'src/pg/driver.ts': `import type { Result } from '../kernel/result.ts';`,
        'src/rest/pipeline/handle.ts': `import { plan } from '../plan/plan.ts';\nimport { driver } from '../../pg/driver.ts';`,
        'src/rest/plan/plan.ts': `import { parse } from '../request/parse.ts';`,
        'src/rest/request/parse.ts': `import { config } from '../config/config.ts';\nimport fs from 'node:fs';`,
        'src/rest/config/config.ts': '',
        'src/server/main.ts': `export * from '../rest/pipeline/handle.ts';`,
      }),
    ).toEqual({ passes: true, said: [] });
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'up',
      { 'src/pg/a.ts': `\nimport { x } from '../rest/x.ts';`, 'src/rest/x.ts': '' },
      /^src\/pg\/a\.ts:2: "pg" imports from "rest", a row above/,
    ],
    [
      'to the database from a stage that has no business there',
      { 'src/rest/plan/a.ts': `const rows = await driver.execute([]);` },
      /a\.ts:1: asks the database/,
    ],
    [
      'round in a circle of files, if only for a type',
      {
        'src/kernel/a.ts': `import { b } from './b.ts';`,
        'src/kernel/b.ts': `import type { A } from './a.ts';`,
      },
      /^a circle of files: src\/kernel\/a\.ts → src\/kernel\/b\.ts at src\/kernel\/a\.ts:1 → src\/kernel\/a\.ts at/,
    ],
    [
      'sideways',
      { 'src/rest/a.ts': `import { x } from '../portal/x.ts';`, 'src/portal/x.ts': '' },
      /a\.ts:1: "rest" imports from "portal" beside it/,
    ],
    [
      'up by a re-export',
      { 'src/sql/a.ts': `export * from '../pg/x.ts';`, 'src/pg/x.ts': '' },
      /"sql" imports from "pg"/,
    ],
    [
      'up by a type',
      { 'src/kernel/a.ts': `import type { X } from '../sql/x.ts';`, 'src/sql/x.ts': '' },
      /"kernel" imports from "sql"/,
    ],
    [
      'up by a side effect',
      { 'src/kernel/a.ts': `import '../sql/x.ts';`, 'src/sql/x.ts': '' },
      /"kernel" imports from "sql"/,
    ],
    [
      'up at run time',
      { 'src/kernel/a.ts': `const x = await import('../sql/x.ts');`, 'src/sql/x.ts': '' },
      /"kernel" imports from "sql"/,
    ],
    [
      'up over several lines',
      { 'src/kernel/a.ts': `import {\n  x,\n} from '../sql/x.ts';`, 'src/sql/x.ts': '' },
      /a\.ts:3: "kernel"/,
    ],
    [
      'to a later stage',
      { 'src/rest/plan/a.ts': `import { x } from '../query/x.ts';`, 'src/rest/query/x.ts': '' },
      /the stage "plan" imports from the later stage "query"/,
    ],
    [
      'to a stage beside',
      { 'src/rest/auth/a.ts': `import { x } from '../request/x.ts';`, 'src/rest/request/x.ts': '' },
      /the stage "auth" imports from "request" beside it/,
    ],
    [
      'to the front door',
      { 'src/rest/plan/a.ts': `import { x } from '../index.ts';`, 'src/rest/index.ts': '' },
      /front door/,
    ],
    [
      'into an unknown folder',
      { 'src/rest/a.ts': `import { x } from '../misc/x.ts';` },
      /"misc", which stands in no row/,
    ],
    ['out of the house', { 'src/rest/a.ts': `import { x } from '../../test/x.ts';`, 'test/x.ts': '' }, /outside src/],
  ])('refuses an import that goes %s, and says where it is', (_, files, said) => {
    expect(check(files)).toEqual({ passes: false, said: [expect.stringMatching(said)] });
  });

  test('refuses a folder that has no row, and a stage that has none', () => {
    expect(check({ 'src/misc/a.ts': '' }).said).toEqual(['src/misc/a.ts: the folder "misc" stands in no row']);
    expect(
      check({ 'src/rest/odd/a.ts': `import { x } from '../plan/x.ts';`, 'src/rest/plan/x.ts': '' }).said.join('\n'),
    ).toMatch(/the stage "odd" of "rest" stands in no row/);
  });

  test('refuses folders that import each other round in a circle, also inside one folder', () => {
    const { passes, said } = check({
      'src/pg/wire/a.ts': `import { b } from '../pool/b.ts';`,
      'src/pg/pool/b.ts': `import { c } from '../session/c.ts';`,
      'src/pg/session/c.ts': `\nimport { a } from '../wire/a.ts';`,
    });
    expect(passes).toBe(false);
    expect(said).toHaveLength(2);
    expect(said[1]).toContain('a circle of files:');
    expect(said[0]).toContain('a circle of folders:');
    expect(said[0]).toContain('src/pg/wire at src/pg/session/c.ts:2');
  });

  test('does not take comments and tests for imports', () => {
    expect(
      check({
        'src/kernel/a.ts': `// import { x } from '../sql/x.ts';\n/* from '../pg/y.ts' */\nconst url = 'http://from/';`,
        'src/kernel/a.test.ts': `import { x } from '../sql/x.ts';`,
        'src/sql/x.ts': '',
      }),
    ).toEqual({ passes: true, said: [] });
  });

  test.each([
    ['a string', "export const all = 'select * from items';"],
    ['a template', 'export const one = `delete from items where id = 5`;'],
    ['the tag', 'export const all = sql<never>`true`;'],
    ['a table made', "export const make = 'create table items ()';"],
  ])('refuses SQL outside the rooms for it: %s', (_name, text) => {
    expect(check({ 'src/mapserver/tiles/a.ts': text }).said).toEqual([
      'src/mapserver/tiles/a.ts:1: SQL outside the rooms for it (SQL_ROOMS in scripts/check-rows.mjs)',
    ]);
    expect(check({ 'src/mapserver/tiles/a.ts': '', 'src/mapserver/query/a.ts': text }).passes).toBe(true);
  });

  test('refuses SQL that is put together from text without the tag, but for constants and escaped names', () => {
    expect(
      check({
        'src/portal/items.ts': `
export const all = \`select \${COLUMNS} from \${quoteIdent(table)} limit \${MAX + 1}\`;
export const one = \`select 1 from items where name = \${name}\`;
export const tagged = sql<Value>\`delete from items where name = \${bound(name)}\`;`,
        'src/portal/tables/make.ts': `export const make = \`create table \${target} ()\`;`,
      }).said,
    ).toEqual([
      'src/portal/items.ts:3: SQL put together from text: use the sql tag (COMPOSED_SQL in scripts/check-rows.mjs)',
    ]);
  });

  test('lets the pages use the map maths of the server, and nothing else of it', () => {
    expect(
      check({
        'src/geo/group.ts': '',
        'src/portal/schema.ts': '',
        'web/map/map.tsx': `import { group } from '../../src/geo/group.ts';\nimport type { S } from '../../src/portal/schema.ts';`,
      }).said,
    ).toEqual(['web/map/map.tsx:2: the pages import from "portal" (src/portal/schema.ts)']);
  });

  test('takes sentences that begin like SQL for sentences', () => {
    const text = `// select * from comments\nexport const said = ['select a layer', 'Update the style', 'with a map', 'copy the link'];`;
    expect(check({ 'src/mapserver/tiles/a.ts': text })).toEqual({ passes: true, said: [] });
  });
});
