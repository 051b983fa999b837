// survest import and survest doctor, as the program runs them, over a test database.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DoctorCommand, runDoctorCommand } from '../../../src/server/cli/doctor-command.ts';
import {
  type ImportCommand,
  type ImportCommandParts,
  runImportCommand,
} from '../../../src/server/cli/import-command.ts';
import { type ProcessCommand, runProcessCommand } from '../../../src/server/cli/process-command.ts';
import type { ServerConfig } from '../../../src/server/config/config.ts';
import { loadServerConfig } from '../../../src/server/config/config.ts';
import { at, collection, onUploads, type UploadKit } from './upload-kit.ts';

const TOWNS = collection([{ properties: { name: 'Bern' }, geometry: at(7.45, 46.95) }]);

type Ran = { readonly exit: number; readonly out: string; readonly err: string; readonly terminal: string };

onUploads('the command line', { engines: ['postgres'], workers: 0 }, (kit) => {
  test('imports files as layers of an account, with a bar while it goes on', async () => {
    const path = kit().write('by hand.geojson', TOWNS);
    const ran = await runImport(kit(), { files: [path], title: 'Made by hand', as: 'bob' });
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(ran.out).toMatch(/^\S.*by hand\.geojson: layer \d+ \(portal:by_hand\) "Made by hand"\n$/);
    expect(ran.terminal).toMatch(/by hand\.geojson \[[#-]{24}\]\s+\d+ % /);
    expect(
      await kit().db.query(
        `select r.title, a.username from portal.resource r join portal.account a on a.id = r.owner_id where r.name = 'by_hand'`,
      ),
    ).toEqual([{ title: 'Made by hand', username: 'bob' }]);
    expect(await runDoctor(kit())).toMatchObject({ exit: 0, out: expect.stringContaining('everything fits together') });
  });

  test('finds the parts of a shapefile beside it, and imports several files', async () => {
    kit().write('parts.geojson', TOWNS);
    await kit().gdal('ogr2ogr', 'parts.shp', 'parts.geojson');
    const ran = await runImport(kit(), {
      files: ['parts.shp', 'parts.dbf', 'parts.geojson'].map((name) => join(kit().folder, name)),
    });
    expect(ran.err).toBe('');
    expect(ran.out.trim().split('\n')).toHaveLength(2);
    expect(ran.exit).toBe(0);
  });

  test('says what is wrong with a file, and leaves nothing of it', async () => {
    const before = { left: await kit().left(), stored: await kit().stored() };
    const bad = kit().write('bad.geojson', TOWNS.slice(0, 60));
    const table = kit().write('table.csv', 'a,b\n1,2\n');
    const ran = await runImport(kit(), { files: [bad, table] });
    expect(ran.exit).toBe(1);
    expect(ran.err).toMatch(/bad\.geojson cannot be read/);
    expect(ran.err).toMatch(/--x-column and --y-column; there are a, b/);
    expect(await runImport(kit(), { files: [table], x: 'a', y: 'b' })).toMatchObject({ exit: 0 });
    expect(await kit().left()).toEqual({ ...before.left, tables: [...before.left.tables, 'table'].sort() });
    expect(await kit().stored()).toHaveLength(before.stored.length + 1);
    expect(await kit().db.query(`select state from portal.upload where state <> 'PROCESSED'`)).toEqual([]);
  });

  test.each([
    [{ files: ['/nowhere/x.gpkg'] }, /there is no file \/nowhere\/x\.gpkg/],
    [{ files: ['/tmp'] }, /\/tmp is not a file/],
    [{ files: ['a.zip', 'b.zip'], title: 'x' }, /--title is for one layer/],
  ])('refuses %j before it opens anything', async (command, message) => {
    const ran = await runImport(kit(), command);
    expect(ran).toMatchObject({ exit: 1, err: expect.stringMatching(message) });
  });

  test('makes layers of layers, and lists how', async () => {
    const path = kit().write('process towns.geojson', TOWNS);
    await runImport(kit(), { files: [path], as: 'bob' });
    const listed = await runProcess(kit(), {});
    expect(listed).toMatchObject({ exit: 0, err: '' });
    expect(listed.out).toContain('    distance: Distance in metres\n');
    const made = await runProcess(kit(), {
      process: 'buffer',
      inputs: ['layer=process_towns', 'distance=500', "filter=name = 'Bern'"],
      title: 'Around towns',
      as: 'bob',
    });
    expect(made).toMatchObject({ exit: 0, err: '' });
    expect(made.out).toMatch(/^layer \d+ \(portal:around_towns\) "Around towns"\n$/);
    for (const [command, said] of [
      [{ process: 'nothing' }, /there is no process "nothing"/],
      [{ process: 'buffer', inputs: ['layer=process_towns', 'far=1'] }, /there is no input "far"/],
      [{ process: 'buffer', inputs: ['layer=process_towns'], as: 'bob' }, /distance: A number is expected/],
      [{ process: 'buffer', inputs: ['layer=nowhere', 'distance=1'], as: 'ada' }, /There is no layer "nowhere"/],
      [
        { process: 'filter', inputs: ['layer=process_towns', "filter=name = 'Rome'"], as: 'bob' },
        /Nothing is left: the result has no rows/,
      ],
    ] as const)
      expect(await runProcess(kit(), command)).toMatchObject({ exit: 1, err: expect.stringMatching(said) });
    expect(await kit().db.query(`select state from portal.upload where state <> 'PROCESSED'`)).toEqual([]);
    expect((await kit().left()).staged).toEqual([]);
  });

  test('refuses an account that is not there', async () => {
    const path = kit().write('nobody.geojson', TOWNS);
    for (const as of ['nobody', 'gone']) {
      expect(await runImport(kit(), { files: [path], as })).toMatchObject({
        exit: 1,
        err: expect.stringMatching(/there is no active account/),
      });
    }
  });

  test('the doctor names what does not fit together, and puts right what can be', async () => {
    await kit().driver.script('create table if not exists staging.u999_1 ()');
    await kit().db.query('create table if not exists layers.stray ()');
    await kit().db.query(`insert into portal.upload (name, state, user_id, session)
      select 'forgotten', 'PENDING', id, '{}' from portal.account where username = 'ada'`);
    const found = await runDoctor(kit());
    expect(found.exit).toBe(1);
    expect(found.out).toMatch(/staging\.u999_1 was left behind by an import that ended\. \(--fix puts it right\)/);
    expect(found.out).toMatch(/layers\.stray belongs to no layer/);
    expect(found.out).toMatch(/Upload \d+ waits to be imported, but nobody was told/);
    const fixed = await runDoctor(kit(), { fix: true });
    expect(fixed.out).toMatch(/staging\.u999_1 .* \(put right\)/);
    await kit().db.query('drop table layers.stray');
    expect(await runDoctor(kit())).toMatchObject({ exit: 0 });
    const json = JSON.parse((await runDoctor(kit(), { json: true })).out);
    expect(json).toMatchObject({ findings: [], gdal: expect.any(String) });
  });

  test('the doctor compares the totals of the catalogue with its rows, and counts anew', async () => {
    const items = async (): Promise<unknown> =>
      JSON.parse(String((await kit().portal.as('admin').get('/api/v2/resources/?page_size=1')).body)).total;
    const total = await items();
    // As somebody leaves them who pours rows in past the triggers.
    await kit().db.script(`
      insert into portal_private.tally (is_public, obstacles, resource_type, items) values (true, 0, 'layer', 5);
      insert into portal_private.facet_tally (facet, key, is_open, items) values ('owner', '999999', true, 3);
      delete from portal_private.facet_tally where facet = 'resource_type';
      insert into portal_private.shared_item (principal, resource_id, resource_type, obstacles) values (-999, 1, 'layer', 0)`);
    expect(await items()).toBe(Number(total) + 5);
    const found = await runDoctor(kit());
    expect(found.exit).toBe(1);
    expect(found.out).toMatch(
      /1 kept total of items is not what the rows say \(layer: \d+ kept, \d+ there\)\. \(--fix/,
    );
    expect(found.out).toMatch(/1 kept total of owner is not what the rows say \(999999: 3 kept, 0 there\)/);
    expect(found.out).toMatch(/kept totals? of resource_type .* \(layer: 0 kept, \d+ there\)/);
    expect(found.out).toMatch(/1 kept total of shared items is not what the rows say \(1: 1 kept, 0 there\)/);
    const fixed = await runDoctor(kit(), { fix: true });
    expect(fixed).toMatchObject({ exit: 0, out: expect.stringMatching(/totals? of items .* \(put right\)/) });
    expect(await items()).toBe(total);
    expect(await runDoctor(kit())).toMatchObject({ exit: 0, out: expect.stringContaining('everything fits together') });
  });
});

async function settings({ db, folder }: UploadKit): Promise<ServerConfig> {
  const loaded = await loadServerConfig('all', {
    args: [],
    env: { SVRST_DB_URI: db.uri ?? '', SVRST_DATA_DIR: folder },
    file: undefined,
    database: [],
    readText: () => Promise.reject(new Error('no files here')),
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value.config;
}

async function runImport(kit: UploadKit, command: Partial<ImportCommand>): Promise<Ran> {
  const ran = { exit: 0, out: '', err: '', terminal: '' };
  const none = { title: undefined, as: undefined, crs: undefined, charset: undefined, x: undefined, y: undefined };
  ran.exit = await runImportCommand(
    { kind: 'import', files: [], ...none, file: undefined, args: [], ...command },
    await partsOf(kit, ran),
  );
  return ran;
}

async function runProcess(kit: UploadKit, command: Partial<ProcessCommand>): Promise<Ran> {
  const ran = { exit: 0, out: '', err: '', terminal: '' };
  const none = { process: undefined, inputs: [], title: undefined, as: undefined };
  ran.exit = await runProcessCommand(
    { kind: 'process', ...none, file: undefined, args: [], ...command },
    await partsOf(kit, ran),
  );
  return ran;
}

async function partsOf(
  kit: UploadKit,
  ran: { out: string; err: string; terminal: string },
): Promise<ImportCommandParts> {
  return {
    config: await settings(kit),
    open: async () => ({ ok: true, value: { driver: kit.driver, isShared: true, close: async () => {} } }),
    // The kit has done so.
    migrate: async () => ({ ok: true, value: undefined }),
    out: (text) => {
      ran.out += text;
    },
    err: (text) => {
      ran.err += text;
    },
    terminal: {
      isTTY: true,
      columns: 100,
      write: (text) => {
        ran.terminal += text;
      },
    },
    signal: new AbortController().signal,
  };
}

async function runDoctor(kit: UploadKit, command: Partial<DoctorCommand> = {}): Promise<Ran> {
  const ran = { exit: 0, out: '', err: '', terminal: '' };
  ran.exit = await runDoctorCommand(
    { kind: 'doctor', fix: false, json: false, file: undefined, args: [], ...command },
    {
      config: await settings(kit),
      open: async () => ({ ok: true, value: { driver: kit.driver, isShared: false, close: async () => {} } }),
      // The kit has brought it there without noting it.
      missing: async () => ({ ok: true, value: [] }),
      out: (text) => {
        ran.out += text;
      },
      err: (text) => {
        ran.err += text;
      },
    },
  );
  return ran;
}
