// The program itself: a running embedded portal is backed up, put back on PostgreSQL, and moved back to an embedded database.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { environment, type Program, runProgram, start } from './program.ts';

const PLACES = {
  type: 'FeatureCollection',
  features: [1, 2, 3].map((n) => ({
    type: 'Feature',
    properties: { name: `place ${n}`, n },
    geometry: { type: 'Point', coordinates: [n, 50 + n] },
  })),
};

onEachEngine('a portal that is backed up and moved', { engines: ['postgres'] }, (db) => {
  let folder: string;
  let program: Program;
  const embedded = (dataDir: string): Record<string, string> =>
    environment({
      'data-dir': join(folder, dataDir),
      'portal-port': '0',
      'server-port': '0',
      demo: 'false',
      'admin-password': 'adminadmin1',
      'import-gdal': 'wasm',
    });
  const onServer = (): Record<string, string> => ({ ...embedded('served'), SVRST_DB_URI: db().uri ?? '' });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-moved-'));
    writeFileSync(join(folder, 'places.geojson'), JSON.stringify(PLACES));
    program = start([], embedded('first'), folder);
    await program.told('REST service listens');
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('commands import and back up while it runs, and say what they cannot do', async () => {
    expect(await runProgram(['import', 'places.geojson'], embedded('first'), folder)).toMatchObject({ code: 0 });
    const made = await runProgram(['backup', 'one.tar'], embedded('first'), folder);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/one\.tar: \d+ tables with \d+ rows, \d files/) });
    expect(await runProgram(['restore', 'one.tar', '--check'], embedded('first'), folder)).toMatchObject({ code: 0 });
    const moved = await runProgram(['move', '--to', 'embedded:second'], embedded('first'), folder);
    expect(moved).toMatchObject({ code: 1, err: expect.stringContaining('is in use by process') });
    const restored = await runProgram(['restore', 'one.tar'], embedded('first'), folder);
    expect(restored).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was put back') });
  });

  test('who reads what is there makes no database where there is none', async () => {
    for (const command of [['backup', 'none.tar'], ['status'], ['doctor'], ['user', 'list']])
      expect(await runProgram(command, embedded('mistyped'), folder)).toMatchObject({
        code: 1,
        err: expect.stringContaining('there is no database in the data folder'),
      });
    expect(readdirSync(folder)).not.toContain('mistyped');
    expect(readdirSync(folder)).not.toContain('none.tar');
  });

  test('the backup is put back on PostgreSQL once, and moved back to an embedded database', async () => {
    expect(await runProgram(['restore', 'one.tar'], onServer(), folder)).toMatchObject({ code: 0 });
    expect(await runProgram(['restore', 'one.tar'], onServer(), folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the database is not empty'),
    });
    const rows = await db().query('select name, n from layers.places order by n');
    expect(rows).toEqual(PLACES.features.map(({ properties }) => properties));
    const moved = await runProgram(['move', '--to', `embedded:${join(folder, 'second')}`], onServer(), folder);
    expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/^moved \d+ tables/) });
    expect(await runProgram(['doctor'], embedded('second'), folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('everything fits together'),
    });
  });
});
