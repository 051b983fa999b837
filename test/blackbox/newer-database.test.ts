// A database that a later release has been at work in is left alone by every command, which says why.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { environment, runProgram } from './program.ts';

onEachEngine('a database of a later release', { engines: ['postgres'] }, (db) => {
  let folder: string;
  const env = (): Record<string, string> =>
    environment({ 'db-uri': db().uri ?? '', 'data-dir': folder, 'portal-port': '0', 'server-port': '0' });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-newer-'));
    writeFileSync(join(folder, 'a.geojson'), '{"type":"FeatureCollection","features":[]}');
    expect(await runProgram(['migrate'], env())).toMatchObject({ code: 0 });
    await db().script(
      `insert into survest.migration (number, file, checksum, program) values (9999, '9999-later.sql', 'x', '99.1.0')`,
    );
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a start that breaks off ends the program, with the reason', async () => {
    await db().script('delete from survest.migration where number = 9999');
    const file = join(folder, 'a.geojson');
    const { code, err } = await runProgram([], { ...env(), SVRST_DATA_DIR: file });
    await db().script(
      `insert into survest.migration (number, file, checksum, program) values (9999, '9999-later.sql', 'x', '99.1.0')`,
    );
    expect(err).toContain(file);
    expect(code).toBe(1);
  });

  test.each([
    ['survest', []],
    ['survest portal', ['portal']],
    ['survest worker', ['worker']],
    ['survest migrate', ['migrate']],
    ['survest doctor', ['doctor']],
    ['survest import', ['import', 'a.geojson']],
    ['survest user list', ['user', 'list']],
  ])('is refused by %s, naming both versions', async (_, args) => {
    const { code, err } = await runProgram(args, env(), folder);
    expect(err).toMatch(
      /the database is newer than this program: Survest 99\.1\.0 brought it to 9999-later\.sql, and this is Survest \d+\.\d+\.\d+, which knows it up to \d{4}-[a-z-]+\.sql/,
    );
    expect(code).toBe(1);
  });
});
