// A worker is killed at every step of an import; the next one ends what it began, and nothing is left of the first.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, inject, test } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { GeocoderSettings } from '../../../src/mapserver/processes/geocoding/by-geocoder.ts';
import { examine } from '../../../src/portal/uploads/examine.ts';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import { asciiGrid } from '../../testkit/gdal-programs.ts';
import type { KillPoint, WorkerOrder } from './killed-worker.ts';
import { at, collection, onUploads, type SentFile, type UploadKit } from './upload-kit.ts';

const POINTS: readonly (readonly [step: string, point: KillPoint])[] = [
  ['before it is claimed', { kind: 'before', statement: 'insert into staging.run' }],
  ['when it is claimed', { kind: 'after', statement: 'insert into staging.run' }],
  ['while its files are fetched', { kind: 'phase', phase: 'fetching' }],
  ['while they are read', { kind: 'phase', phase: 'reading' }],
  ['before its table is made', { kind: 'before', statement: 'create table staging' }],
  ['when its table is made', { kind: 'after', statement: 'create table staging' }],
  ['before rows are stored', { kind: 'before', statement: '^copy staging' }],
  ['when rows are stored', { kind: 'after', statement: '^copy staging' }],
  ['before the key', { kind: 'before', statement: 'add primary key' }],
  ['before the index', { kind: 'before', statement: 'create index on staging' }],
  ['when it is analyzed', { kind: 'after', statement: '^analyze' }],
  ['when its state moves on', { kind: 'after', statement: 'update portal.upload set state = \\$2, session' }],
  ['before its record is made', { kind: 'before', statement: 'insert into portal.resource' }],
  ['when its record is made', { kind: 'after', statement: 'insert into portal.resource' }],
  ['when its table is moved', { kind: 'after', statement: 'set schema layers' }],
  ['when its style is made', { kind: 'after', statement: 'portal.add_style' }],
  ['before it is committed', { kind: 'after', statement: "set state = 'PROCESSED'" }],
  ['before the job is noted as done', { kind: 'before', statement: 'completed_on\\s*=\\s*now' }],
];

const TOWNS: SentFile = {
  name: 'killed.geojson',
  content: collection([...Array(200).keys()].map((n) => ({ properties: { n }, geometry: at(n / 10, n / 20) }))),
};

onUploads('a worker that is killed', { engines: ['postgres'], workers: 0 }, (kit) => {
  test.each(POINTS)('%s leaves nothing that the next one cannot end', async (_step, point) => {
    const { tables } = await kit().left();
    const reply = await kit().send('ada', [TOWNS]);
    const { upload_id } = JSON.parse(String(reply.body));
    expect(await killedAt(kit(), upload_id, point)).toBe('SIGKILL');

    const restarted = await kit().startWorkers();
    const upload = await kit().until(upload_id);
    await restarted.stop();
    expect(upload).toMatchObject({ state: 'PROCESSED', session: { error_msg: null } });
    const layers = await kit().db.query<{ name: string; rows: string }>(
      `select r.name, (select count(*) from portal.attribute a where a.resource_id = r.id) as rows
         from portal.upload_layer l join portal.resource r on r.id = l.resource_id where l.upload_id = $1`,
      [upload_id],
    );
    expect(layers).toHaveLength(1);
    expect(await kit().db.query(`select count(*)::int as n from layers.${layers[0]?.name}`)).toEqual([{ n: 200 }]);
    await expectTidy(kit());
    await kit().portal.as('ada').delete(`/api/v2/layers/${upload.resource_id}/`);
    expect(await kit().left()).toEqual({ tables, staged: [], runs: 0 });
  });

  // Publishing is the same as that of a file: without `test:all` it is killed above alone.
  const ofItself = ['when it is claimed', 'before its table is made', 'before rows are stored', 'when rows are stored'];
  const isTried = ([step, point]: (typeof POINTS)[number]): boolean =>
    point.kind !== 'phase' && (inject('engines').everywhere || ofItself.includes(step));
  test.each(POINTS.filter(isTried))(
    '%s of a layer that a process makes leaves nothing either',
    async (_step, point) => {
      const setup = await kit().startWorkers();
      const sent = await kit().send('ada', [TOWNS]);
      const source = await kit().until(JSON.parse(String(sent.body)).upload_id);
      await setup.stop();
      const { tables } = await kit().left();
      const ada = kit().portal.as('ada');
      const inputs = { layer: source.resource_id, distance: 10 };
      const begun = await ada.post('/ogc/processes/buffer/execution', { inputs });
      const { upload } = JSON.parse(String(begun.body));
      expect(await killedAt(kit(), upload, point)).toBe('SIGKILL');
      const restarted = await kit().startWorkers();
      const made = await kit().until(upload);
      await restarted.stop();
      expect(made).toMatchObject({ state: 'PROCESSED', session: { error_msg: null } });
      const [layer] = await kit().db.query<{ table: string }>(
        'select table_name as "table" from portal_private.layer_table where resource_id = $1',
        [made.resource_id],
      );
      expect(await kit().db.query(`select count(*)::int as n from layers."${layer?.table}"`)).toEqual([{ n: 200 }]);
      await expectTidy(kit());
      await ada.delete(`/api/v2/layers/${made.resource_id}/`);
      expect(await kit().left()).toEqual({ tables, staged: [], runs: 0 });
      await ada.delete(`/api/v2/layers/${source.resource_id}/`);
    },
  );

  test('when the pixels of a raster are stored leaves no file of them', async () => {
    const { folder } = kit();
    kit().write('pixels.asc', asciiGrid(60, 30, 7));
    await kit().gdal('gdal_translate', '-q', '-ot', 'Byte', '-a_srs', 'EPSG:4326', 'pixels.asc', 'pixels.tif');
    const reply = await kit().send('ada', [`${folder}/pixels.tif`]);
    const { upload_id } = JSON.parse(String(reply.body));
    expect(await killedAt(kit(), upload_id, { kind: 'blob-stored' })).toBe('SIGKILL');
    const restarted = await kit().startWorkers();
    expect(await kit().until(upload_id)).toMatchObject({ state: 'PROCESSED' });
    await restarted.stop();
    await expectTidy(kit());
  });

  test('again and again makes the import INVALID, with its files kept for another try', async () => {
    const reply = await kit().send('ada', [TOWNS]);
    const { upload_id } = JSON.parse(String(reply.body));
    // Once beside others, as far as anybody knows, and three times alone.
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(await killedAt(kit(), upload_id, { kind: 'after', statement: '^copy staging' })).toBe('SIGKILL');
      // What another copy of the program does when it has not heard of a worker for some time.
      await kit().db.query(`update staging.run set beat = now() - interval '1 hour'`);
      await kit().imports.recover();
    }
    const restarted = await kit().startWorkers();
    const upload = await kit().until(upload_id);
    await restarted.stop();
    expect(upload).toMatchObject({
      state: 'INVALID',
      session: { error_msg: expect.stringMatching(/interrupted 4 times\. What was sent is kept/) },
    });
    await expectTidy(kit());
    const { portal } = kit();
    expect(await portal.as('ada').get(`/upload/progress?id=${upload.import_id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ state: 'INVALID', can_retry: true }),
    });
    // Nobody else's.
    expect(await portal.as('bob').post(`/api/v2/uploads/${upload_id}/retry`)).toMatchReply({ status: 404 });
    expect(await portal.as('ada').post(`/api/v2/uploads/${upload_id}/retry`)).toMatchReply({ status: 200 });
    expect(await portal.as('ada').post(`/api/v2/uploads/${upload_id}/retry`)).toMatchReply({ status: 400 });
    const again = await kit().startWorkers();
    expect(await kit().until(upload_id)).toMatchObject({ state: 'PROCESSED', session: { error_msg: null } });
    await again.stop();
    await expectTidy(kit());
  });
});

const asked: string[] = [];
const geocoder = createServer((request, reply) => {
  const query = new URL(request.url ?? '', 'http://x').searchParams.get('q') ?? '';
  asked.push(query);
  reply.end(JSON.stringify([{ display_name: query, lat: '47', lon: '8' }]));
});
await new Promise<void>((listening) => geocoder.listen(0, '127.0.0.1', listening));
afterAll(() => new Promise((closed) => geocoder.close(closed)));
const GEOCODER: GeocoderSettings = {
  url: `http://127.0.0.1:${(geocoder.address() as AddressInfo).port}`,
  perSecond: 40,
  maxRows: 1000,
};

onUploads(
  'a worker that is killed while',
  { engines: ['postgres'], workers: 0, services: mountMapServices, geocoder: GEOCODER },
  (kit) => {
    const imported = async (files: readonly SentFile[], fields: Readonly<Record<string, string>> = {}) => {
      const setup = await kit().startWorkers();
      const { resource_id, session } = await kit().import('ada', files, fields);
      await setup.stop();
      if (resource_id === null) throw new Error(JSON.stringify(session));
      return resource_id;
    };
    const begun = async (process: string, inputs: Readonly<Record<string, unknown>>): Promise<number> => {
      const reply = await kit().portal.as('ada').post(`/ogc/processes/${process}/execution`, { inputs });
      expect(reply.status).toBe(201);
      return JSON.parse(String(reply.body)).upload;
    };
    const finished = async (upload: number): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const restarted = await kit().startWorkers();
      const { state, session, resource_id } = await kit().until(upload);
      await restarted.stop();
      expect([state, session['error_msg']]).toEqual(['PROCESSED', null]);
      await expectTidy(kit());
      const items = await kit().portal.as('ada').get(`/ogc/collections/${resource_id}/items?limit=100`);
      return JSON.parse(String(items.body)).features.map(({ properties }: { properties: unknown }) => properties);
    };

    test('addresses are looked up loses no answer: the next one asks about the others alone', async () => {
      const addresses = Array.from({ length: 20 }, (_, n) => `Weg ${n}`);
      const csv = { name: 'addresses.csv', content: `address\n${addresses.join('\n')}\n` };
      const people = await imported([csv], { places: 'none' });
      const upload = await begun('geocode', { layer: people, address: 'address' });
      const point = { kind: 'after', statement: 'portal.keep_geocoder_answer' } as const;
      expect(await killedAt(kit(), upload, point, GEOCODER)).toBe('SIGKILL');
      const [{ kept } = { kept: 0 }] = await kit().db.query<{ kept: number }>(
        'select count(*)::integer as kept from portal_private.geocoder_answer',
      );
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(20);
      asked.length = 0;
      const rows = await finished(upload);
      expect(rows.map(({ address, geocode_state: state }) => [address, state])).toEqual(
        addresses.map((address) => [address, 'sure']),
      );
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked).toHaveLength(20 - kept);
    });

    test('pixels become rows leaves nothing that the next one cannot end', async () => {
      kit().write(
        'slope.asc',
        asciiGrid(60, 30, 7).replace('xllcorner 5', 'xllcorner -2').replace('yllcorner 45', 'yllcorner -1'),
      );
      await kit().gdal('gdal_translate', '-q', '-ot', 'Byte', '-a_srs', 'EPSG:4326', 'slope.asc', 'slope.tif');
      const raster = await imported([`${kit().folder}/slope.tif`]);
      const areas = await imported([TOWNS]);
      const buffer = await begun('buffer', { layer: areas, distance: 20_000, filter: 'n < 3' });
      const around = await kit().startWorkers();
      const { resource_id: layer } = await kit().until(buffer);
      await around.stop();
      const upload = await begun('zonal-statistics', { layer, raster });
      expect(await killedAt(kit(), upload, { kind: 'before', statement: '^copy staging' })).toBe('SIGKILL');
      const rows = await finished(upload);
      expect(rows.map(({ n, mean, count }) => [n, mean, Number(count) > 0])).toEqual([
        [0, 7, true],
        [1, 7, true],
        [2, 7, true],
      ]);
    });
  },
);

function killedAt(
  { db, folder }: UploadKit,
  upload: number,
  point: KillPoint,
  settings?: GeocoderSettings,
): Promise<NodeJS.Signals | null> {
  const uri = new URL(db.uri ?? '');
  uri.username = 'survest_authenticator';
  uri.password = '';
  const { killedWorker, reader } = inject('scripts');
  const order: WorkerOrder & { readonly uri: string } = {
    uri: uri.href,
    folder,
    reader,
    upload,
    point,
    ...(settings === undefined ? {} : { geocoder: settings }),
  };
  const child = spawn(process.execPath, [killedWorker], {
    env: { ...process.env, SURVEST_TEST_WORKER: JSON.stringify(order) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (_code, signal) => resolve(signal));
  });
}

/** As `survest doctor` looks, and as if nothing could just be under way. */
async function expectTidy({ driver, blobs }: UploadKit): Promise<void> {
  const found = await examine({
    db: makeCallerDb(driver),
    blobs,
    orphanAgeMs: 0,
    staleMs: 0,
    now: Date.now() + 1000,
  });
  expect(found).toEqual({ ok: true, value: [] });
}
