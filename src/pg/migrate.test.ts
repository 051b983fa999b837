import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { onEachEngine, type TestDatabase } from '../../test/testkit/database.ts';
import type { DbError } from './driver.ts';
import { acceptMigration, migrate, missingMigrations } from './migrate.ts';
import { makePostgresDriver } from './postgres/postgres-driver.ts';

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
  return folder;
}

let made = 0;

/** A schema of its own for each test, with a name that has to be quoted. */
function schemaOf(): string {
  return `my "schema" ${++made}`;
}

async function count(db: TestDatabase, from: string): Promise<number> {
  const [row] = await db.query<{ n: string }>(`select count(*)::text as n from ${from}`);
  return Number(row?.n);
}

onEachEngine('migrations', {}, (db) => {
  const run = (schema: string, files: Record<string, string>) =>
    migrate(db().driver, { folder: folderOf(files), table: { schema, name: 'migrations' }, program: '1.2.3' });
  const recorded = (schema: string) =>
    db().query(`select number, file from "${schema.replaceAll('"', '""')}".migrations order by number`);

  test('are applied once, in the order of their numbers', async () => {
    const schema = schemaOf();
    const files = {
      '2-rows.sql': `insert into ordered_${made} values (1); insert into ordered_${made} values (2);`,
      '10-more.sql': `insert into ordered_${made} select max(id) + 1 from ordered_${made}`,
      '0001_table.sql': `create table ordered_${made} (id int);\ncreate index on ordered_${made} (id);`,
      'README.md': 'not one of them',
    };
    expect(await run(schema, files)).toEqual({ ok: true, value: ['0001_table.sql', '2-rows.sql', '10-more.sql'] });
    expect(await run(schema, files)).toEqual({ ok: true, value: [] });
    expect(await count(db(), `ordered_${made}`)).toBe(3);
    expect(await run(schema, { ...files, '11-last.sql': 'select 1' })).toEqual({ ok: true, value: ['11-last.sql'] });
    expect(await recorded(schema)).toEqual([
      { number: 1, file: '0001_table.sql' },
      { number: 2, file: '2-rows.sql' },
      { number: 10, file: '10-more.sql' },
      { number: 11, file: '11-last.sql' },
    ]);
  });

  test('of a later program are refused by name, with its version, and nothing is applied', async () => {
    const schema = schemaOf();
    const mine = { '1-a.sql': `create table newer_${made} (id int)`, '2-b.sql': 'select 1' };
    await run(schema, { '1-a.sql': mine['1-a.sql'], '3-c.sql': 'select 3' });
    await db().script(`update "${schema.replaceAll('"', '""')}".migrations set program = '2.0.0'`);
    const older = await run(schema, mine);
    expect(older).toEqual({
      ok: false,
      error: { kind: 'newer-database', file: '3-c.sql', by: '2.0.0', latest: '2-b.sql' },
    });
    expect(await recorded(schema)).toHaveLength(2);
    // A database from before versions were recorded.
    await db().script(`alter table "${schema.replaceAll('"', '""')}".migrations drop column program`);
    expect(await run(schema, mine)).toMatchObject({ ok: false, error: { kind: 'newer-database', by: undefined } });
  });

  test('that are missing are named, and not applied', async () => {
    const options = {
      folder: folderOf({ '1-a.sql': 'select 1', '2-b.sql': 'select 2' }),
      table: { schema: schemaOf(), name: 'migrations' },
      program: '1',
    };
    expect(await missingMigrations(db().driver, options)).toEqual({ ok: true, value: ['1-a.sql', '2-b.sql'] });
    await migrate(db().driver, options);
    expect(await missingMigrations(db().driver, options)).toEqual({ ok: true, value: [] });
  });

  test('that fail leave nothing of themselves, and those before them stay', async () => {
    const schema = schemaOf();
    const bad = { '1-a.sql': `create table half_${made} (id int)`, '2-b.sql': `drop table half_${made}; select 1/0;` };
    expect(await run(schema, bad)).toMatchObject({
      ok: false,
      error: {
        kind: 'database',
        file: '2-b.sql',
        error: { kind: 'sql', sqlstate: '22012' } satisfies Partial<DbError>,
      },
    });
    expect(await count(db(), `half_${made}`)).toBe(0);
    expect(await recorded(schema)).toEqual([{ number: 1, file: '1-a.sql' }]);
    expect(await run(schema, { ...bad, '2-b.sql': 'select 1' })).toEqual({ ok: true, value: ['2-b.sql'] });
  });

  test('that were changed after they were applied are refused by name, and nothing new is applied', async () => {
    const schema = schemaOf();
    await run(schema, { '1-a.sql': 'select 1', '2-b.sql': 'select 2' });
    const changed = { '1-a.sql': 'select 1', '2-b.sql': 'select 22', '3-c.sql': 'select 3' };
    expect(await run(schema, changed)).toEqual({
      ok: false,
      error: { kind: 'changed-after-applied', file: '2-b.sql', by: '1.2.3' },
    });
    expect(await recorded(schema)).toHaveLength(2);
  });

  test('that were changed are taken for applied on the word of somebody who knows', async () => {
    const schema = schemaOf();
    await run(schema, { '1-a.sql': 'select 1' });
    const options = {
      folder: folderOf({ '1-a.sql': 'select 11', '2-b.sql': 'select 2' }),
      table: { schema, name: 'migrations' },
      program: '1.2.4',
    };
    expect(await acceptMigration(db().driver, options, '2-b.sql')).toEqual({ ok: true, value: false });
    expect(await acceptMigration(db().driver, options, '9-z.sql')).toEqual({ ok: true, value: false });
    expect(await acceptMigration(db().driver, options, '1-a.sql')).toEqual({ ok: true, value: true });
    expect(await migrate(db().driver, options)).toEqual({ ok: true, value: ['2-b.sql'] });
  });

  test('are the same with other line ends', async () => {
    const schema = schemaOf();
    await run(schema, { '1-a.sql': 'select 1;\nselect 2;\n' });
    expect(await run(schema, { '1-a.sql': '\ufeffselect 1;\r\nselect 2;\r\n' })).toEqual({ ok: true, value: [] });
  });

  test('that come too late are refused', async () => {
    const schema = schemaOf();
    await run(schema, { '1-a.sql': 'select 1', '3-c.sql': 'select 3' });
    expect(await run(schema, { '1-a.sql': 'select 1', '2-b.sql': 'select 2', '3-c.sql': 'select 3' })).toEqual({
      ok: false,
      error: { kind: 'out-of-order', file: '2-b.sql' },
    });
  });

  test.each([
    ['no number', { 'first.sql': '' }],
    ['no end to the number', { '1.5x.sql': '', '1x.sql': '' }],
  ])('with %s are refused', async (_name, files) => {
    expect(await run(schemaOf(), files)).toMatchObject({ ok: false, error: { kind: 'bad-number' } });
  });

  test('with the number of another are refused', async () => {
    expect(await run(schemaOf(), { '1-a.sql': '', '01-b.sql': '' })).toMatchObject({
      ok: false,
      error: { kind: 'bad-number' },
    });
  });

  test('that end their own transaction are told of', async () => {
    const schema = schemaOf();
    expect(await run(schema, { '1-a.sql': 'commit; begin;' })).toEqual({
      ok: false,
      error: { kind: 'ends-transaction', file: '1-a.sql' },
    });
    expect(await recorded(schema)).toEqual([]);
  });

  test('leave no setting behind', async () => {
    const sql = `set search_path = nowhere; set role pg_monitor; select set_config('app.left', 'behind', false)`;
    expect(await run(schemaOf(), { '1-a.sql': sql })).toMatchObject({ ok: true });
    for (let i = 0; i < 5; i++) {
      const seen = await db().driver.fly([
        {
          text: `select current_setting('search_path'), current_user = session_user, coalesce(current_setting('app.left', true), '')`,
          params: [],
        },
      ]);
      expect(seen.ok && seen.value[0]?.rows[0]?.map(String)).toEqual(['"$user", public', 't', '']);
    }
  });

  test('may lie at a URL', async () => {
    const folder = pathToFileURL(`${folderOf({ '1-a.sql': 'select 1' })}/`);
    expect(
      await migrate(db().driver, { folder, table: { schema: schemaOf(), name: 'm' }, program: '1' }),
    ).toMatchObject({
      ok: true,
    });
  });

  test('in a folder that is not there are an error value', async () => {
    expect(
      await migrate(db().driver, { folder: '/no/such/folder', table: { schema: schemaOf(), name: 'm' }, program: '1' }),
    ).toEqual({ ok: false, error: { kind: 'unreadable-folder', folder: '/no/such/folder' } });
  });
});

onEachEngine('migrations by several programs at once', { engines: ['postgres'] }, (db) => {
  test('are applied by one of them each', async () => {
    const folder = folderOf(
      Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [
          `${i + 1}-x.sql`,
          i === 0 ? 'create table shared (id int)' : `insert into shared values (${i}); select pg_sleep(0.01)`,
        ]),
      ),
    );
    const drivers = Array.from({ length: 4 }, () => makePostgresDriver({ uri: db().uri ?? '', poolSize: 1 }));
    const results = await Promise.all(
      drivers.map((driver) =>
        migrate(driver, { folder, table: { schema: 'several', name: 'migrations' }, program: '1' }),
      ),
    );
    await Promise.all(drivers.map((driver) => driver.close()));
    expect(results.filter((result) => !result.ok)).toEqual([]);
    expect(results.flatMap((result) => (result.ok ? result.value : [])).sort()).toEqual(
      Array.from({ length: 8 }, (_, i) => `${i + 1}-x.sql`),
    );
    expect(await count(db(), 'shared')).toBe(7);
  });
});
