// A worker is killed at every step of an import; the next one ends what it began, and nothing is left of the first.

import { spawn } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import { examine } from '../../../src/portal/uploads/examine.ts';
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

function killedAt({ db, folder }: UploadKit, upload: number, point: KillPoint): Promise<NodeJS.Signals | null> {
  const uri = new URL(db.uri ?? '');
  uri.username = 'survest_authenticator';
  uri.password = '';
  const { killedWorker, reader } = inject('scripts');
  const order: WorkerOrder & { readonly uri: string } = { uri: uri.href, folder, reader, upload, point };
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
