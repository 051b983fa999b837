// A data folder that an earlier major release of PostgreSQL wrote, with a whole portal in it: a start brings it to the embedded one, keeps the
// old folder, and begins anew when it was killed in the midst of it. PostgreSQL 17 stands for the release before.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PGlite } from 'pglite-17';
import { postgis } from 'pglite-postgis-17';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../src/pg/driver.ts';
import { findOlderEngine, openOlder } from '../../src/pg/pglite/older-engine.ts';
import { openEmbedded } from '../../src/pg/pglite/open-embedded.ts';
import { textRows } from '../../src/pg/rows.ts';
import { dumpDatabase } from '../../src/server/backup/dump-database.ts';
import type { DatabasePart } from '../../src/server/backup/manifest.ts';
import { migratePortal } from '../../src/server/portal/migrate-portal.ts';
import { MAIN } from './built-program.ts';
import { ask, environment, eventually, type Program, runProgram, start } from './program.ts';

const PLACES = {
  type: 'FeatureCollection',
  features: [1, 2, 3].map((n) => ({
    type: 'Feature',
    properties: { name: `place ${n}`, n },
    geometry: { type: 'Point', coordinates: [n, 50 + n] },
  })),
};
const PASSWORD = 'adminadmin1';
const OWN = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
const ADDRESSES = [
  '/api/v2/resources/',
  '/api/v2/users/',
  '/ogc/collections/places/items?f=json',
  '/rest/v1/places?order=n',
];

describe('a data folder of PostgreSQL 17', () => {
  let folder: string;
  let before: readonly string[];
  const running: Program[] = [];
  const settings = (dataDir: string): Record<string, string> =>
    environment({
      'data-dir': join(folder, dataDir),
      'portal-host': '127.0.0.1',
      'portal-port': '0',
      'server-port': '0',
      demo: 'false',
      'admin-password': PASSWORD,
      'import-gdal': 'wasm',
    });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-older-'));
    writeFileSync(join(folder, 'places.geojson'), JSON.stringify(PLACES));
    const program = await started('now');
    expect(await runProgram(['import', 'places.geojson'], settings('now'), folder)).toMatchObject({ code: 0 });
    // Its picture is drawn some time after the import, and is in the answers from then on.
    before = await eventually(
      () => answers(program),
      ([resources]) => resources?.includes('"thumbnail_url":"/thumbs/1.png"') === true,
    );
    await program.stop();
    cpSync(join(folder, 'now'), join(folder, 'old'), { recursive: true });
    rmSync(join(folder, 'old/database'), { recursive: true });
    await asSeventeen(join(folder, 'now'), join(folder, 'old/database'));
    cpSync(join(folder, 'old'), join(folder, 'killed'), { recursive: true });
  }, 300_000);
  // A test that failed has not stopped its own, which would keep the folder locked.
  afterEach(async () => {
    await Promise.all(running.splice(0).map((program) => program.stop()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is moved by a start, and answers as before; the old one is kept', async () => {
    const program = await started('old');
    expect(program.err()).toContain('was made by PostgreSQL 17 and is being moved');
    expect(await answers(program)).toEqual(before);
    expect(readFileSync(join(folder, 'old/database/PG_VERSION'), 'utf8').trim()).toBe('18');
    expect(readFileSync(join(folder, 'old/database.pg17/PG_VERSION'), 'utf8').trim()).toBe('17');
    await program.stop();
    expect(await runProgram(['doctor'], settings('old'), folder)).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, 'old')).filter((name) => /new-|replacing/.test(name))).toEqual([]);
  }, 300_000);

  test('is as it was for a command, which says what to do', async () => {
    const read = await runProgram(['doctor'], settings('killed'), folder);
    expect(read.code).not.toBe(0);
    expect(read.out + read.err).toContain('made by PostgreSQL 17');
    expect(readFileSync(join(folder, 'killed/database/PG_VERSION'), 'utf8').trim()).toBe('17');
  });

  test('is moved by the next start where one was killed, between the two renames too', async () => {
    const killed = start([], settings('killed'), folder);
    await killed.told('is being moved');
    await expect
      .poll(() => readdirSync(join(folder, 'killed')).some((name) => name.startsWith('database.new-')))
      .toBe(true);
    killed.child.kill('SIGKILL');
    await killed.ended;
    // As it would be found: the old one set aside, the new one not yet in its place.
    cpSync(join(folder, 'killed/database'), join(folder, 'killed/database.pg17'), { recursive: true });
    rmSync(join(folder, 'killed/database'), { recursive: true });
    writeFileSync(join(folder, 'killed/database.replacing'), 'database.pg17');
    const program = await started('killed');
    expect(await answers(program)).toEqual(before);
    expect(existsSync(join(folder, 'killed/database.pg17'))).toBe(true);
    await program.stop();
  }, 300_000);

  async function started(dataDir: string): Promise<Program> {
    const program = start([], settings(dataDir), folder);
    running.push(program);
    await program.told('REST service listens');
    return program;
  }

  async function answers(program: Program): Promise<string[]> {
    const url = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    const texts: string[] = [];
    for (const path of ADDRESSES) {
      const { status, text } = await ask(url, path, { headers: OWN });
      expect(status, text).toBe(200);
      texts.push(text.replaceAll(url, '').replace(/"timeStamp":"[^"]*"/, ''));
    }
    return texts;
  }
});

/** The portal in one data folder, written down as PostgreSQL 17 would have it. */
async function asSeventeen(dataDir: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const fresh = await PGlite.create({ dataDir: folder, extensions: { postgis } });
  await fresh.exec('create extension postgis');
  await fresh.close();
  const engine = findOlderEngine('17');
  if (engine === undefined) throw new Error('pglite-17 is not installed');
  const opened = await openEmbedded({
    dataDir,
    templatePath: join(dirname(dirname(MAIN)), 'embedded/template.tar.gz'),
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const now = opened.value;
  const old = openOlder(folder, engine);
  try {
    expect(await migratePortal(old)).toMatchObject({ ok: true });
    const dumped = await dumpDatabase(
      now,
      { has: () => false, put: async () => ({ ok: true, value: undefined }) },
      () => {},
      new AbortController().signal,
    );
    if (!dumped.ok) throw new Error(dumped.error.message);
    await copyContent(now, old, dumped.value.database);
  } finally {
    await now.close();
    await old.close();
  }
}

async function copyContent(
  from: Driver,
  to: Driver,
  { tables, definitions, sequences, queues }: DatabasePart,
): Promise<void> {
  for (const name of queues) await sql(to, `select jobs.create_queue($1, '{}')`, name);
  for (const { before } of definitions) for (const text of before) await sql(to, text);
  for (const { schema, name, columns, where } of tables) {
    const of = `"${schema}"."${name}"`;
    const types = await sql(
      from,
      `select json_object_agg(attname, format_type(atttypid, atttypmod)) from pg_attribute where attrelid = '${of}'::regclass and attnum > 0 and not attisdropped`,
    );
    const typeOf = JSON.parse(types[0]?.[0] ?? '{}') as Record<string, string>;
    const [[rows] = []] = await sql(
      from,
      `select json_agg(json_build_array(${columns.map((column) => `"${column}"::text`).join()})) from ${of} ${where === undefined ? '' : `where ${where}`}`,
    );
    if (where === undefined) await sql(to, `set session_replication_role = replica; delete from ${of}`);
    if (rows == null) continue;
    const cells = columns.map((column, n) => `(r->>${n})::${typeOf[column]}`);
    await sql(
      to,
      `insert into ${of} (${columns.map((column) => `"${column}"`).join()}) overriding system value select ${cells.join()} from json_array_elements($1::json) r`,
      rows,
    );
  }
  for (const part of ['after', 'last'] as const)
    for (const definition of definitions) for (const text of definition[part]) await sql(to, text);
  for (const { grants } of definitions) for (const grant of grants) await sql(to, grant.sql);
  for (const { schema, name, value, isCalled } of sequences)
    await sql(to, `select setval('"${schema}"."${name}"', ${value}, ${isCalled})`);
}

async function sql(driver: Driver, text: string, ...params: string[]): Promise<(string | null)[][]> {
  const statements = params.length > 0 ? [text] : text.split(/; (?=delete)/);
  const executed = await driver.execute(statements.map((one) => ({ text: one, params })));
  if (!executed.ok) throw new Error(`${JSON.stringify(executed.error)} in ${text.slice(0, 300)}`);
  return executed.value.flatMap(textRows);
}
