// The portal's schema is one, however a database came to it: made from nothing, or brought here from the form that databases had before there were
// these files (test/fixtures/schema) through every change since.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { BASELINE } from '../../../src/portal/schema/rooms.ts';
import { completePortal, createPortalTables, migratePortal } from '../../../src/server/portal/migrate-portal.ts';
import { catalogueOf } from '../../testkit/catalogue.ts';
import { onEachEngine, openDatabase, type TestDatabase } from '../../testkit/database.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';

const EARLY = gunzipSync(readFileSync(new URL('../../fixtures/schema/early.sql.gz', import.meta.url))).toString('utf8');
const [LAST = ''] = readFileSync(new URL('../../../src/portal/schema/former-form.txt', import.meta.url), 'utf8').split(
  '\n',
);
const GIS = new URL('../../fixtures/schema/postgis.sql', import.meta.url).pathname;

async function makeEarly(db: TestDatabase): Promise<void> {
  const [number, file, checksum] = LAST.split(' ');
  await db.script(EARLY);
  await db.script(`create schema survest;
    create table survest.migration (number integer primary key, file text not null, checksum text not null, applied_at timestamptz not null default now(), program text);
    insert into survest.migration values (131, '0131-no-reserved-names.sql', 'x'), (${number}, '${file}', '${checksum}')`);
}

onEachEngine('a database of the former form', { fixtures: [GIS] }, (db) => {
  beforeAll(async () => {
    await makeEarly(db());
    await db().script(`select portal.create_account('ada', 'x', 'Ada', 'Tester', 'ada@example.org', false, true);
      insert into portal.resource (resource_type, owner_id, title, name, alternate) select 'layer', a.id, 'Roads', 'roads', 'layers:roads' from portal.account a where username = 'ada';
      create table layers.roads (fid integer primary key, way public.geometry(LineString, 4326));
      select portal.protect_layer_table('layers.roads', (select id from portal.resource));
      create function portal.theirs() returns integer language sql return 1`);
  }, 120_000);

  test('that is not at its last step is refused, and so is one that is not as that made it', async () => {
    await db().script(`update survest.migration set number = 132 where number <> 131`);
    expect(await migratePortal(db().driver)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/made by an early build .* Nothing was changed\. Start the last build/) },
    });
    await db().script(`update survest.migration set number = ${LAST.split(' ')[0]} where number = 132;
      alter table portal.link rename column mime to kind`);
    expect(await migratePortal(db().driver)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/it lacks column portal\.link\.mime.*Nothing was changed/) },
    });
    await db().script('alter table portal.link rename column kind to mime');
    expect(await db().query('select count(*)::integer as n from survest.migration')).toEqual([{ n: 2 }]);
  });

  test('is taken over with its rows, and is then as one that was made from nothing', async () => {
    expect(await migratePortal(db().driver)).toEqual({ ok: true, value: expect.anything() });
    expect(await migratePortal(db().driver)).toEqual({ ok: true, value: [] });
    expect(await db().query('select min(number) as first from survest.migration')).toEqual([{ first: BASELINE }]);
    expect(await db().query('select title from portal.resource')).toEqual([{ title: 'Roads' }]);
    // Those on tables of layers are no file's.
    expect(
      await db().query(`select count(*) > 0 as protected from pg_policy where polrelid = 'layers.roads'::regclass`),
    ).toEqual([{ protected: true }]);
    expect(await db().query('select portal.theirs()')).toEqual([{ theirs: 1 }]);
    const fresh = await openDatabase(db().engine, PORTAL_SCHEMA);
    try {
      await db().script('drop function portal.theirs(); drop table layers.roads');
      const [here, there] = [await catalogueOf(db()), await catalogueOf(fresh)];
      expect(here.filter((line) => !there.includes(line))).toEqual([]);
      expect(there.filter((line) => !here.includes(line))).toEqual([]);
    } finally {
      await fresh.close();
    }
  }, 120_000);
});

onEachEngine('a database whose rows come from a backup of the first tables', { fixtures: [GIS] }, (db) => {
  test('is as one that was made from nothing', async () => {
    const made = await db().driver.hold(async (session) => {
      await session.execute([{ text: 'begin', params: [] }]);
      const created = await createPortalTables(session, [{ number: BASELINE, file: '', checksum: '' }]);
      const completed = await completePortal(session);
      await session.execute([{ text: 'commit', params: [] }]);
      return [created, completed];
    });
    expect(made).toMatchObject({ ok: true, value: [{ ok: true }, { ok: true }] });
    const fresh = await openDatabase(db().engine, PORTAL_SCHEMA);
    try {
      const [here, there] = [await catalogueOf(db()), await catalogueOf(fresh)];
      expect(here.filter((line) => !there.includes(line))).toEqual([]);
      expect(there.filter((line) => !here.includes(line))).toEqual([]);
    } finally {
      await fresh.close();
    }
  }, 120_000);
});

onEachEngine('the schema of files', { fixtures: PORTAL_SCHEMA }, (db) => {
  test('has every function, view, policy and trigger recorded as one that a file made', async () => {
    const ours = `('portal'::regnamespace, 'portal_private'::regnamespace)`;
    const found = await db().query<{ object: string }>(`
      select i.type || ' ' || replace(i.identity, 'pg_catalog.', '') as object from (
        select 'pg_proc'::regclass as class, oid from pg_proc where pronamespace in ${ours}
        union all select 'pg_policy'::regclass, p.oid from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace in ${ours}
        union all select 'pg_trigger'::regclass, t.oid from pg_trigger t join pg_class c on c.oid = t.tgrelid where not tgisinternal and c.relnamespace in ${ours}
        union all select 'pg_class'::regclass, oid from pg_class where relkind = 'v' and relnamespace in ${ours}) o,
        pg_identify_object(o.class, o.oid, 0) i
      except select object from survest.schema_object`);
    expect(found).toEqual([]);
  });

  test('has no function that names something that is not there', async () => {
    const [{ bodies } = { bodies: '' }] = await db().query<{ bodies: string }>(`
      select string_agg(pg_get_functiondef(p.oid), E';\\n') as bodies from pg_proc p join pg_language l on l.oid = p.prolang
       where p.pronamespace in ('portal'::regnamespace, 'portal_private'::regnamespace) and p.prokind = 'f'`);
    // Their bodies are looked at where they are made with the setting as it usually is.
    await expect(db().script(`begin; ${bodies}; rollback;`)).resolves.toBeUndefined();
  });
});
