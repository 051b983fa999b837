// What happens beside an import, and what becomes of it: every outcome is one that was meant.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import { examine } from '../../../src/portal/uploads/examine.ts';
import { at, collection, onUploads, type UploadKit } from './upload-kit.ts';

const POINTS = collection([{ properties: { n: 1 }, geometry: at(8, 47) }]);
const MANY = collection(
  Array.from({ length: 20_000 }, (_, n) => ({
    properties: { n, text: 'x'.repeat(200) },
    geometry: at(8 + n / 1e5, 47),
  })),
);

/** Everything in order, as the doctor sees it. */
async function expectOrder(kit: UploadKit): Promise<void> {
  const examined = await examine({
    db: kit.portal.callerDb,
    blobs: kit.blobs,
    orphanAgeMs: 0,
    staleMs: 0,
    now: Date.now() + 1000,
  });
  expect(examined).toEqual({ ok: true, value: [] });
}

/** Processes that were started by another one. */
function childrenOf(parent: number): readonly number[] {
  const [tasks, children] = [`/proc/${parent}/task`, [] as number[]];
  for (const task of readdirSync(tasks)) {
    try {
      children.push(...readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
    } catch {
      // The thread has ended.
    }
  }
  return children;
}

/** Asked without a pause, the embedded engine would have little time for what is waited for. */
const LOOKING = { interval: 20, timeout: 100_000 };

/** Until no job is under way. */
async function rest(kit: UploadKit): Promise<void> {
  const busy = `select 1 from jobs.job where name = 'import' and state in ('created', 'retry', 'active')`;
  await expect.poll(() => kit.db.query(busy), LOOKING).toEqual([]);
}

onUploads('an import', { workers: 2, expects: /administrator command|SIGKILL/ }, (kit) => {
  let same = 0;

  test('and another of the same name at the same time both become layers, under two names', async () => {
    const name = `same_${++same}`;
    const uploads = await Promise.all(
      ['ada', 'bob', 'ada', 'bob'].map((account) =>
        kit().import(account as 'ada', [{ name: `${name}.geojson`, content: POINTS }]),
      ),
    );
    expect(uploads.map(({ state }) => state)).toEqual(['PROCESSED', 'PROCESSED', 'PROCESSED', 'PROCESSED']);
    const names = await kit().db.query<{ name: string; table: string }>(
      `select r.name, t.table_name as "table" from portal.resource r join portal_private.layer_table t on t.resource_id = r.id
        where r.name like $1 order by r.name`,
      [`${name}%`],
    );
    expect(names[0]).toEqual({ name, table: name });
    expect(new Set(names.map(({ name }) => name)).size).toBe(4);
    expect(new Set(names.map(({ table }) => table)).size).toBe(4);
    await rest(kit());
    await expectOrder(kit());
  });

  test('that is deleted while it runs stops, and leaves nothing', async () => {
    const reply = await kit().send('ada', [{ name: 'deleted.geojson', content: MANY }]);
    const { upload_id } = JSON.parse(String(reply.body));
    // It has begun when somebody holds it.
    const held = () => kit().db.query('select 1 from staging.run where upload_id = $1', [upload_id]);
    await expect.poll(held, LOOKING).not.toEqual([]);
    expect(await kit().portal.as('ada').get(`/upload/delete/${upload_id}`)).toMatchReply({ status: 200 });
    await rest(kit());
    expect(await kit().db.query(`select 1 from portal.resource where name like 'deleted%'`)).toEqual([]);
    expect(await kit().left()).toMatchObject({ staged: [], runs: 0 });
    await expectOrder(kit());
  });

  test('for which there is no space left in the database is INVALID and says so, with nothing left', async () => {
    // What PostgreSQL says when its disk is full, said in the middle of publishing.
    await kit().db.query(`create function public.full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await kit().db.query(`create trigger full_disk before insert on portal.attribute
      for each row when (new.attribute = 'fills_the_disk') execute function public.full_disk()`);
    const before = await kit().left();
    const upload = await kit()
      .import('ada', [
        { name: 'full.geojson', content: collection([{ properties: { fills_the_disk: 1 }, geometry: at(8, 47) }]) },
      ])
      .finally(() => kit().db.query('drop function public.full_disk() cascade'));
    expect(upload).toMatchObject({
      state: 'INVALID',
      session: { error_msg: expect.stringMatching(/^There is no space left/), reason: { kind: 'no-space' } },
    });
    await rest(kit());
    expect(await kit().left()).toEqual(before);
    await expectOrder(kit());
  });

  test('that the database interrupts again and again is finished when that is over, and its file is kept', async () => {
    // As when somebody ends the connections: as often as an import may kill its worker. A sequence does not roll back.
    await kit().db.query('create sequence public.outages');
    await kit().db.query('grant usage on sequence public.outages to public');
    await kit().db.query(`create function public.outage() returns trigger language plpgsql as
      $$ begin if nextval('public.outages') <= 3 then
        raise exception 'terminating connection due to administrator command' using errcode = '57P01';
      end if; return new; end $$`);
    await kit().db.query(`create trigger outage before insert on portal.attribute
      for each row when (new.attribute = 'interrupted') execute function public.outage()`);
    try {
      const upload = await kit().import('ada', [
        { name: 'outage.geojson', content: collection([{ properties: { interrupted: 1 }, geometry: at(8, 47) }]) },
      ]);
      expect(upload).toMatchObject({ state: 'PROCESSED' });
      const [{ n } = { n: 0 }] = await kit().db.query<{ n: number }>(`select last_value::int as n from public.outages`);
      expect(n).toBe(4);
    } finally {
      await kit().db.query('drop function public.outage() cascade');
      await kit().db.query('drop sequence public.outages');
    }
    await rest(kit());
    await expectOrder(kit());
  });

  /** The workers look for jobs all the while: what locks their table may meet them in another order, and then one of both is refused. */
  const untangled = async (text: string): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await kit().db.query(text);
        return;
      } catch (error) {
        if (attempt === 10 || !/deadlock/.test(String(error))) throw error;
      }
    }
  };

  test.each([
    ['the blob of a document is noted', 'portal_private.blob_made', 'document'],
    ['the file of an upload is noted', 'portal_private.blob_made', 'upload'],
    ['its job is sent', 'jobs.job', 'upload'],
  ] as const)(
    'is answered 503 with Retry-After, and leaves nothing, where the server ends the connection when %s',
    async (_when, table, what) => {
      const before = await kit().stored();
      await kit().db.query(`create or replace function public.ended() returns trigger language plpgsql as
      $$ begin raise exception 'terminating connection due to administrator command' using errcode = '57P01'; end $$`);
      await untangled(`create trigger ended before insert on ${table} for each row execute function public.ended()`);
      const reply = await (what === 'upload'
        ? kit().send('ada', [{ name: 'ended.geojson', content: POINTS }])
        : kit().send(
            'ada',
            [{ name: 'ended.txt', content: 'text', field: 'doc_file' }],
            { title: 'Ended' },
            '/api/v2/documents/',
            'POST',
          )
      ).finally(() => untangled('drop function public.ended() cascade'));
      expect(reply).toMatchReply({ status: 503, headers: { 'retry-after': '1' } });
      expect(await kit().stored()).toEqual(before);
    },
  );

  test('whose publishing fails for a reason nobody knows keeps its file', async () => {
    await kit().db.query(`create function public.surprise() returns trigger language plpgsql as
      $$ begin raise exception 'cache lookup failed' using errcode = 'XX000'; end $$`);
    await kit().db.query(`create trigger surprise before insert on portal.attribute
      for each row when (new.attribute = 'surprising') execute function public.surprise()`);
    const upload = await kit()
      .import('ada', [
        { name: 'surprise.geojson', content: collection([{ properties: { surprising: 1 }, geometry: at(8, 47) }]) },
      ])
      .finally(() => kit().db.query('drop function public.surprise() cascade'));
    expect(upload).toMatchObject({
      state: 'INVALID',
      session: { can_retry: true, error_msg: expect.stringContaining('cache lookup failed') },
    });
    expect((await kit().portal.as('ada').post(`/api/v2/uploads/${upload.id}/retry`)).status).toBeLessThan(300);
    expect(await kit().until(upload.id)).toMatchObject({ state: 'PROCESSED' });
    await rest(kit());
    await expectOrder(kit());
  });

  test('whose reader is killed is read once more', async () => {
    const reply = await kit().send('ada', [{ name: 'killed-reader.geojson', content: MANY }]);
    const { upload_id } = JSON.parse(String(reply.body));
    for (;;) {
      const reader = childrenOf(process.pid)[0];
      if (reader === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      process.kill(reader, 'SIGKILL');
      break;
    }
    expect(await kit().until(upload_id)).toMatchObject({ state: 'PROCESSED' });
    await rest(kit());
    await expectOrder(kit());
  });

  test('goes on when its sender signs out', async () => {
    const session = await kit().portal.session('ada');
    const reply = await kit().send(session, [{ name: 'signed.geojson', content: POINTS }]);
    await session.post('/account/logout/');
    expect(await kit().until(JSON.parse(String(reply.body)).upload_id)).toMatchObject({ state: 'PROCESSED' });
  });

  test('ends when its sender is deactivated', async () => {
    await kit().db.query('update portal.account_detail set is_active = false where account_id = $1', [
      kit().portal.ids.mel,
    ]);
    const [row] = await kit().db.query<{ id: number }>(
      `insert into portal.upload (name, user_id, state, session) values ('late', $1, 'PENDING', '{}') returning id`,
      [kit().portal.ids.mel],
    );
    await kit().jobs.send('import', { upload: row?.id ?? 0 });
    const upload = await kit()
      .until(row?.id ?? 0)
      .finally(() =>
        kit().db.query('update portal.account_detail set is_active = true where account_id = $1', [
          kit().portal.ids.mel,
        ]),
      );
    expect(upload).toMatchObject({
      state: 'INVALID',
      session: { error_msg: expect.stringContaining('no longer active'), reason: { kind: 'inactive-account' } },
    });
  });

  test('with permissions for a group that has gone meanwhile fails as a whole', async () => {
    await kit().blobs.put(
      'uploads/aa/late',
      (async function* () {
        yield Buffer.from(POINTS);
      })(),
    );
    const [row] = await kit().db.query<{ id: number }>(
      `with u as (insert into portal.upload (name, user_id, state, session) values ('perms', $1, 'PENDING', $2) returning id)
       insert into portal.upload_file (upload_id, name, base, blob) select id, 'perms.geojson', true, 'uploads/aa/late' from u
       returning upload_id as id`,
      [kit().portal.ids.ada, JSON.stringify({ permissions: { groups: { nobodies: ['view_resourcebase'] } } })],
    );
    await kit().jobs.send('import', { upload: row?.id ?? 0 });
    const upload = await kit().until(row?.id ?? 0);
    expect(upload).toMatchObject({
      state: 'INVALID',
      session: { error_msg: expect.stringContaining('unknown group "nobodies"') },
    });
    // The same as data, for who says it in another language.
    expect(await kit().portal.as('ada').get(`/upload/progress?id=${upload.import_id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({
        error_msg: 'The layer could not be published: unknown group "nobodies".',
        reason: { kind: 'not-published', said: 'unknown group "nobodies"' },
      }),
    });
    expect(await kit().db.query(`select 1 from portal.resource where name like 'perms%'`)).toEqual([]);
    await rest(kit());
    await expectOrder(kit());
  });

  test('of a raster ends in the blob store, and goes with its layer', async () => {
    const gray = Buffer.alloc(100 * 100, 9);
    kit().write('gray.bin', gray);
    kit().write(
      'gray.hdr',
      'nrows 100\nncols 100\nnbands 1\nnbits 8\nlayout bil\nulxmap 8\nulymap 48\nxdim 0.01\nydim 0.01\n',
    );
    await kit().gdal('gdal_translate', '-q', '-of', 'GTiff', '-a_srs', 'EPSG:4326', 'gray.bin', 'gray.tif');
    const upload = await kit().import('ada', [`${kit().folder}/gray.tif`]);
    expect(upload.state).toBe('PROCESSED');
    const [raster] = await kit().db.query<{ blob: string; width: number; bands: unknown }>(
      'select blob, width, bands from portal.raster where resource_id = $1',
      [upload.resource_id],
    );
    expect(raster).toMatchObject({ width: 100, bands: [{ type: 'Byte', nodata: null, color: 'Gray' }] });
    expect(await kit().stored()).toContain(raster?.blob);
    const layer = JSON.parse(
      String((await kit().portal.as('ada').get(`/api/v2/layers/${upload.resource_id}/`)).body),
    ).layer;
    expect(layer).toMatchObject({
      storeType: 'coverageStore',
      srid: 'EPSG:4326',
      spatial_representation_type: { identifier: 'grid' },
    });
    await kit().portal.as('ada').delete(`/api/v2/layers/${upload.resource_id}/`);
    const { blobs, portal } = kit();
    await examine({
      db: portal.callerDb,
      blobs,
      fix: { jobs: kit().jobs },
      orphanAgeMs: 0,
      staleMs: 60_000,
      now: Date.now() + 1000,
    });
    expect(await kit().stored()).not.toContain(raster?.blob);
    await expectOrder(kit());
  });

  test('leaves files alone that this database has not made, and sweeps its own away', async () => {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
    };
    // As they lie there when another database was there before, or this one was restored from a copy.
    const others = await openDiskStore(join(kit().folder, 'files'));
    await others.put('uploads/aa/of-another', content());
    await kit().blobs.put('uploads/aa/own', content());
    const restarted = await kit().startWorkers();
    await restarted.stop();
    expect(await kit().stored()).toContain('uploads/aa/of-another');
    expect(await kit().stored()).not.toContain('uploads/aa/own');
    const { portal, blobs, jobs } = kit();
    const examined = await examine({
      db: portal.callerDb,
      blobs,
      fix: { jobs },
      orphanAgeMs: 0,
      staleMs: 60_000,
      now: Date.now() + 1000,
    });
    expect(examined).toMatchObject({
      value: [{ kind: 'foreign-file', what: 'uploads/aa/of-another', isFixed: false }],
    });
    expect(await kit().stored()).toContain('uploads/aa/of-another');
    await others.remove('uploads/aa/of-another');
  });

  test('takes uploads away that ended long ago, with their files', async () => {
    const { db, blobs } = kit();
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
    };
    await blobs.put('uploads/aa/failed', content());
    await db.script(`
      insert into portal.upload (id, name, state, create_date) values (9001, 'failed', 'INVALID', now() - interval '91 days');
      insert into portal.upload_file (upload_id, name, blob) values (9001, 'a.csv', 'uploads/aa/failed')`);
    const restarted = await kit().startWorkers();
    await restarted.stop();
    expect(await db.query('select id from portal.upload where id = 9001')).toEqual([]);
    expect(await kit().stored()).not.toContain('uploads/aa/failed');
  });

  test('does not miss a file that is replaced while it looks, and misses one that is gone', async () => {
    const { portal, blobs, db } = kit();
    const [first, second] = ['thumbnails/aa/first', 'thumbnails/aa/second'];
    for (const key of [first, second])
      await blobs.put(
        key,
        (async function* () {
          yield Buffer.from('x');
        })(),
      );
    await db.script(`
      with made as (
        insert into portal.resource (resource_type, title, owner_id, zoom, projection, center_x, center_y)
        values ('map', 'Drawn anew', ${portal.ids.ada}, 1, 'EPSG:3857', 0, 0) returning id)
      insert into portal.thumbnail (resource_id, curated, blob, mime_type) select id, false, '${first}', 'image/png' from made`);
    const look = { db: portal.callerDb, orphanAgeMs: 3_600_000, staleMs: 0, now: Date.now() };
    const replacing: BlobStore = {
      ...blobs,
      async *list(prefix) {
        await db.script(`update portal.thumbnail set blob = '${second}' where blob = '${first}'`);
        await blobs.remove(first);
        yield* blobs.list(prefix);
      },
    };
    expect(await examine({ ...look, blobs: replacing })).toEqual({ ok: true, value: [] });
    await blobs.remove(second);
    expect(await examine({ ...look, blobs })).toMatchObject({ value: [{ kind: 'missing-file', what: second }] });
    await db.script(`delete from portal.resource where title = 'Drawn anew'`);
  });

  test('gives every layer of a GeoPackage, all of them or none', async () => {
    kit().write('g.geojson', POINTS);
    await kit().gdal('ogr2ogr', 'pack.gpkg', 'g.geojson', '-nln', 'wells');
    await kit().gdal('ogr2ogr', '-update', 'pack.gpkg', 'g.geojson', '-nln', 'springs');
    const upload = await kit().import('ada', [`${kit().folder}/pack.gpkg`], { layer_title: 'Water' });
    const layers = await kit().db.query(
      `select r.name, r.title from portal.upload_layer l join portal.resource r on r.id = l.resource_id where l.upload_id = $1 order by r.name`,
      [upload.id],
    );
    expect(layers).toEqual([
      { name: 'springs', title: 'Water: springs' },
      { name: 'wells', title: 'Water: wells' },
    ]);
    const [first, second] = await kit().db.query<{ id: number }>(
      'select resource_id as id from portal.upload_layer where upload_id = $1',
      [upload.id],
    );
    const { portal } = kit();
    await portal.as('ada').delete(`/api/v2/layers/${first?.id}/`);
    expect(await portal.as('ada').get(`/api/v2/uploads/${upload.id}/`)).toMatchReply({ status: 200 });
    await portal.as('ada').delete(`/api/v2/layers/${second?.id}/`);
    expect(await portal.as('ada').get(`/api/v2/uploads/${upload.id}/`)).toMatchReply({ status: 404 });
    expect((await kit().left()).tables).not.toContain('wells');
  });
});

onUploads('data of a layer', {}, (kit) => {
  const features = (ns: readonly number[], extra: object = {}): string =>
    collection(ns.map((n) => ({ properties: { NAME: `p${n}`, n, ...extra }, geometry: at(n, 47) })));
  const rows = (): Promise<unknown[]> => kit().db.query('select name, n, st_x(geom) as x from layers.base order by n');

  test('are replaced and added to, by who may change them', async () => {
    const { portal } = kit();
    const upload = await kit().import('ada', [{ name: 'base.geojson', content: features([1, 2]) }]);
    const id = upload.resource_id;
    const replaced = await kit().import(
      'ada',
      [{ name: 'other.geojson', content: features([3, 4]) }],
      {},
      `/api/v2/layers/${id}/replace/`,
    );
    expect(replaced.session['error_msg']).toBe(null);
    expect(replaced).toMatchObject({ state: 'PROCESSED', resource_id: id });
    expect(await rows()).toEqual([
      { name: 'p3', n: 3, x: 3 },
      { name: 'p4', n: 4, x: 4 },
    ]);
    const appended = await kit().import(
      'ada',
      [{ name: 'more.geojson', content: features([5]) }],
      {},
      `/api/v2/layers/${id}/append/`,
    );
    expect(appended).toMatchObject({ state: 'PROCESSED', resource_id: id });
    expect(await rows()).toHaveLength(3);
    const layer = JSON.parse(String((await portal.as('ada').get(`/api/v2/layers/${id}/`)).body)).layer;
    expect(layer.ll_bbox_polygon.coordinates[0][2][0]).toBe(5);
    expect(
      await kit().send('bob', [{ name: 'x.geojson', content: features([6]) }], {}, `/api/v2/layers/${id}/append/`),
    ).toMatchReply({ status: 403 });
    expect(
      await kit().send('ada', [{ name: 'x.geojson', content: features([6]) }], {}, '/api/v2/layers/999999/append/'),
    ).toMatchReply({ status: 404 });
    expect(
      await kit().db.query(
        `select relrowsecurity, relforcerowsecurity from pg_class where oid = 'layers.base'::regclass`,
      ),
    ).toEqual([{ relrowsecurity: true, relforcerowsecurity: true }]);
  });

  test('that do not fit are refused, and the layer stays as it was', async () => {
    const before = await rows();
    const [layer] = await kit().db.query<{ id: number }>(`select id from portal.resource where name = 'base'`);
    for (const [content, message] of [
      [features([7], { extra: 1 }), /no column "extra"/],
      [collection([{ properties: { n: 'text' }, geometry: at(1, 2) }]), /do not fit the layer/],
      [
        collection([
          {
            properties: { n: 1 },
            geometry: {
              type: 'LineString',
              coordinates: [
                [0, 0],
                [1, 1],
              ],
            },
          },
        ]),
        /do not fit the layer/,
      ],
    ] as const) {
      const upload = await kit().import(
        'ada',
        [{ name: 'bad.geojson', content }],
        {},
        `/api/v2/layers/${layer?.id}/append/`,
      );
      expect(upload).toMatchObject({ state: 'INVALID', session: { error_msg: expect.stringMatching(message) } });
    }
    expect(await rows()).toEqual(before);
    await rest(kit());
    await expectOrder(kit());
  });

  test('in another coordinate system are brought into the layer’s', async () => {
    const [layer] = await kit().db.query<{ id: number }>(`select id from portal.resource where name = 'base'`);
    const csv = 'NAME,n,x,y\np9,9,500000,5200000\n';
    const upload = await kit().import(
      'ada',
      [{ name: 'utm.csv', content: csv }],
      { crs: 'EPSG:25832', lng: 'x', lat: 'y' },
      `/api/v2/layers/${layer?.id}/replace/`,
    );
    expect(upload.state).toBe('PROCESSED');
    expect(
      await kit().db.query('select st_srid(geom) as srid, round(st_x(geom)) as x, x as easting from layers.base'),
    ).toEqual([{ srid: 4326, x: 9, easting: 500000 }]);
  });

  test('that a file replaced or added to are as they were when that is undone: rows, keys, shapes and extent', async () => {
    const [layer] = await kit().db.query<{ id: number }>(`select id from portal.resource where name = 'base'`);
    const path = `/api/v2/layers/${layer?.id}/`;
    const ada = kit().portal.bearer(await kit().portal.tokenOf('ada'));
    const read = async (address: string) => JSON.parse(String((await ada.get(address)).body));
    const state = async () => ({
      rows: await kit().db.query(`select fid, name, n, st_asewkt(geom) as shape from layers.base order by fid`),
      extent: (await read(path)).layer.ll_bbox_polygon,
      table: await kit().db.query(
        `select relrowsecurity, relforcerowsecurity,
                (select count(*)::integer from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam
                  where i.indrelid = c.oid and m.amname = 'gist') as shapes
           from pg_class c where c.oid = 'layers.base'::regclass`,
      ),
    });
    const before = await state();
    expect(before.table).toEqual([{ relrowsecurity: true, relforcerowsecurity: true, shapes: 1 }]);
    for (const way of ['replace', 'append'] as const) {
      const files = [{ name: 'away.geojson', content: features([20, 21]) }];
      expect(await kit().import('ada', files, { missing: 'empty' }, `${path}${way}/`)).toMatchObject({
        state: 'PROCESSED',
      });
      const changed = await state();
      expect(changed.rows).not.toEqual(before.rows);
      expect(changed.extent).not.toEqual(before.extent);
      const [last] = (await read(`${path}kept/`)).kept;
      expect(last.kind).toBe(way);
      expect((await ada.post(`${path}kept/${last.id}/restore/`)).status).toBe(200);
      expect(await state()).toEqual(before);
    }
  });

  test('without columns that the layer has are refused unless it is said what becomes of those: kept by a key, or emptied', async () => {
    const { portal } = kit();
    const ada = portal.bearer(await portal.tokenOf('ada'));
    const csv = (...lines: string[]): string => ['Code,Name,lon,lat', ...lines].join('\n');
    const filled = 'Code,Name,Inhabitants,Nothing,lon,lat\n01,Aa,10,,8,47\n02,Bb,20,,8,47\n03,Cc,,,8,47\n';
    const places = { crs: 'EPSG:4326' };
    const made = await kit().import('ada', [{ name: 'places.csv', content: filled }], places);
    expect(made).toMatchObject({ state: 'PROCESSED' });
    const path = `/api/v2/layers/${made.resource_id}/replace/`;
    const now = (): Promise<unknown[]> => kit().db.query('select code, inhabitants from layers.places order by code');
    const before = await now();
    const content = csv('02,Bb,8,47', '03,Cc,8,47', '04,Dd,8,47');
    const send = (fields: Readonly<Record<string, string>>) =>
      kit().import('ada', [{ name: 'new.csv', content }], { ...places, ...fields }, path);

    // Columns that are empty are not worth a word.
    expect(await send({})).toMatchObject({
      state: 'INVALID',
      session: {
        error_msg: expect.stringMatching(/^new\.csv has no column "Inhabitants", .*missing=keep.*\("Code", "Name"\)/),
      },
    });
    for (const [fields, said] of [
      [{ missing: 'keep' }, /which column tells the rows apart.*"Code", "Name"/],
      [{ missing: 'keep', key: 'Inhabitants' }, /do not both have a column "Inhabitants"/],
      [{ missing: 'keep', key: 'lon' }, /Several rows of the layer have the same "lon"/],
    ] as const)
      expect(await send(fields)).toMatchObject({
        state: 'INVALID',
        session: { error_msg: expect.stringMatching(said) },
      });
    expect(await kit().send('ada', [{ name: 'new.csv', content }], { missing: 'all' }, path)).toMatchReply({
      status: 400,
    });
    expect(await now()).toEqual(before);

    const asked = await send({ missing: 'ask' });
    expect(asked).toMatchObject({
      state: 'WAITING',
      session: { question: { kind: 'missing-columns', columns: ['Inhabitants'], keys: ['Code', 'Name'] } },
    });
    expect(await now()).toEqual(before);
    const answer = (body: object) => ada.post(`/api/v2/uploads/${asked.id}/answer`, body);
    expect(await answer({ missing: 'ask' })).toMatchReply({ status: 400 });
    expect(await answer({ missing: 'keep' })).toMatchReply({ status: 400 });
    expect(await answer({ missing: 'keep', key: 'Code' })).toMatchReply({ status: 200 });
    expect(await kit().until(asked.id)).toMatchObject({
      state: 'PROCESSED',
      session: {
        rows: { before: 3, after: 3 },
        warnings: ['2 of 3 rows have kept the values of column "Inhabitants"; the others are not in the layer.'],
      },
    });
    expect(await now()).toEqual([
      { code: '02', inhabitants: 20 },
      { code: '03', inhabitants: null },
      { code: '04', inhabitants: null },
    ]);

    expect(await send({ missing: 'empty' })).toMatchObject({ state: 'PROCESSED' });
    expect(await now()).toMatchObject([{ inhabitants: null }, { inhabitants: null }, { inhabitants: null }]);
    const { kept } = JSON.parse(String((await ada.get(`/api/v2/layers/${made.resource_id}/kept/`)).body));
    expect(await ada.post(`/api/v2/layers/${made.resource_id}/kept/${kept[0].id}/restore/`)).toMatchReply({
      status: 200,
    });
    expect(await now()).toContainEqual({ code: '02', inhabitants: 20 });
  });
});
