// Layers made of layers: what each process makes, who may have it made of what, and what becomes of a job that is cancelled or grows too large.

import { expect, test } from 'vitest';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import type { AccountName } from '../../testkit/portal-client.ts';
import { begin, type Feature, features, type Json, layer, make, rowsOf, square } from './process-kit.ts';
import { at, collection, onUploads, type UploadKit } from './upload-kit.ts';

const STOPS = collection([
  { properties: { name: 'a', riders: 10 }, geometry: at(8.25, 47.25) },
  { properties: { name: 'b', riders: 30 }, geometry: at(8.75, 47.75) },
  { properties: { name: 'c', riders: 5 }, geometry: at(9.5, 47.5) },
  { properties: { name: 'd', riders: 1 }, geometry: at(11.5, 47.5) },
]);
const AREAS = collection([
  { properties: { code: 1, land: 'west' }, geometry: square(8, 47, 1) },
  { properties: { code: 2, land: 'east' }, geometry: square(9, 47, 1) },
  { properties: { code: 3, land: 'east' }, geometry: square(10, 47, 1) },
]);
const WINDOW = collection([{ properties: { w: 1 }, geometry: square(8.5, 47.5, 1) }]);

/** Square kilometres of the shapes of a layer, as the database measures them. */
async function area(kit: UploadKit, id: number): Promise<number> {
  const [{ table } = { table: '' }] = await kit.db.query<{ table: string }>(
    'select table_name as "table" from portal_private.layer_table where resource_id = $1',
    [id],
  );
  const [row] = await kit.db.query<{ km2: number }>(
    `select sum(st_area(st_transform(geom, 4326)::geography)) / 1e6 as km2 from layers."${table}"`,
  );
  return Number(row?.km2);
}

onUploads('a process', { services: mountMapServices }, (kit) => {
  test('is described with its inputs as JSON schemas, and the service says what it conforms to', async () => {
    const list = await kit().portal.visitor.get('/ogc/processes');
    expect(list.status).toBe(200);
    const { processes } = JSON.parse(String(list.body)) as { readonly processes: readonly Json[] };
    expect(processes.map(({ id }) => id)).toContain('buffer');
    expect(await kit().portal.visitor.get('/ogc/processes/buffer')).toMatchReply({
      status: 200,
      json: expect.objectContaining({
        id: 'buffer',
        version: '1.0.0',
        jobControlOptions: ['async-execute', 'dismiss'],
        inputs: expect.objectContaining({
          distance: expect.objectContaining({
            minOccurs: 1,
            schema: { type: 'number', minimum: -1_000_000, maximum: 1_000_000 },
          }),
        }),
      }),
    });
    const { body } = await kit().portal.visitor.get('/ogc/conformance');
    expect(JSON.parse(String(body)).conformsTo).toContain(
      'http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/core',
    );
    expect(await kit().portal.visitor.get('/ogc/processes/nothing')).toMatchReply({
      status: 404,
      json: expect.objectContaining({
        type: 'http://www.opengis.net/def/exceptions/ogcapi-processes-1/1.0/no-such-process',
      }),
    });
  });

  test('runs as a job, whose status and results are those of OGC API Processes', async () => {
    const stops = await layer(kit(), 'job_stops', STOPS);
    const job = await begin(kit(), 'ada', 'buffer', { layer: stops, distance: 1000 });
    expect(job).toMatchObject({
      processID: 'buffer',
      type: 'process',
      status: expect.stringMatching(/accepted|running/),
    });
    await kit().until(Number(job['upload']));
    const ada = kit().portal.as('ada');
    expect(await ada.get(`/ogc/jobs/${String(job['jobID'])}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'successful', progress: 100, title: 'job_stops: buffer' }),
    });
    const results = await ada.get(`/ogc/jobs/${String(job['jobID'])}/results`);
    expect(results).toMatchReply({ status: 200, json: { layer: expect.objectContaining({ id: expect.any(Number) }) } });
    const { jobs } = JSON.parse(String((await ada.get('/ogc/jobs?limit=1')).body)) as {
      readonly jobs: readonly Json[];
    };
    expect(jobs.map(({ jobID }) => jobID)).toEqual([job['jobID']]);
    // Jobs are their author's.
    expect(
      await kit()
        .portal.as('bob')
        .get(`/ogc/jobs/${String(job['jobID'])}`),
    ).toMatchReply({
      status: 404,
      json: expect.objectContaining({ type: expect.stringMatching(/no-such-job$/) }),
    });
    expect(await kit().portal.visitor.get('/ogc/jobs')).toMatchReply({ status: 401, json: expect.anything() });
  });

  test('buffer makes areas as wide as said on the ground, whatever the coordinate system', async () => {
    const stops = await layer(kit(), 'buffer_stops', STOPS);
    const made = await make(kit(), 'ada', 'buffer', { layer: stops, distance: 1000 });
    expect(await rowsOf(kit(), 'ada', made)).toEqual([
      { name: 'a', riders: 10 },
      { name: 'b', riders: 30 },
      { name: 'c', riders: 5 },
      { name: 'd', riders: 1 },
    ]);
    // Four circles of a kilometre, as polygons of 32 corners.
    expect(await area(kit(), made)).toBeCloseTo(4 * 3.1214, 1);
  });

  test('filter, centroids and dissolve', async () => {
    const areas = await layer(kit(), 'some_areas', AREAS);
    const east = await make(kit(), 'ada', 'filter', { layer: areas, filter: "land = 'east'" });
    expect(await rowsOf(kit(), 'ada', east)).toEqual([
      { code: 2, land: 'east' },
      { code: 3, land: 'east' },
    ]);
    const centres = await features(kit(), 'ada', await make(kit(), 'ada', 'centroids', { layer: areas }));
    expect(centres.map(({ geometry }) => geometry)).toContainEqual({ type: 'Point', coordinates: [8.5, 47.5] });
    const lands = await make(kit(), 'ada', 'dissolve', { layer: areas, column: 'land' });
    expect(sorted(await rowsOf(kit(), 'ada', lands))).toEqual([
      { land: 'east', count: 2 },
      { land: 'west', count: 1 },
    ]);
    expect(await area(kit(), lands)).toBeCloseTo(await area(kit(), areas), 3);
    const one = await make(kit(), 'ada', 'dissolve', { layer: areas });
    expect(await rowsOf(kit(), 'ada', one)).toEqual([{ count: 3 }]);
  });

  test('clip keeps what lies in the areas, intersection tells of both', async () => {
    const areas = await layer(kit(), 'cut_areas', AREAS);
    const frame = await layer(kit(), 'cut_frame', WINDOW);
    const clipped = await make(kit(), 'ada', 'clip', { layer: areas, mask: frame });
    expect(sorted(await rowsOf(kit(), 'ada', clipped))).toEqual([
      { code: 1, land: 'west' },
      { code: 2, land: 'east' },
    ]);
    // Half a degree by half a degree of each; the areas end at 48 degrees.
    const common = await make(kit(), 'ada', 'intersection', { layer: areas, other: frame });
    expect(sorted(await rowsOf(kit(), 'ada', common))).toEqual([
      { code: 1, land: 'west', w: 1 },
      { code: 2, land: 'east', w: 1 },
    ]);
    expect(await area(kit(), common)).toBeCloseTo(await area(kit(), clipped), 6);
  });

  test('spatial join and points in areas count, add up and find the nearest', async () => {
    const stops = await layer(kit(), 'joined_stops', STOPS);
    const areas = await layer(kit(), 'joined_areas', AREAS);
    const counted = await make(kit(), 'ada', 'points-in-polygons', { layer: areas, other: stops, column: 'riders' });
    expect(await rowsOf(kit(), 'ada', counted)).toEqual([
      { code: 1, land: 'west', count: 2, sum_riders: 40, mean_riders: 20 },
      { code: 2, land: 'east', count: 1, sum_riders: 5, mean_riders: 5 },
      { code: 3, land: 'east', count: 0, sum_riders: null, mean_riders: null },
    ]);
    const near = await make(kit(), 'ada', 'spatial-join', { layer: stops, other: areas, what: 'nearest' });
    const rows = await rowsOf(kit(), 'ada', near);
    expect(rows.map(({ name, code, distance }) => [name, code, Math.round(Number(distance) / 1000)])).toEqual([
      ['a', 1, 0],
      ['b', 1, 0],
      ['c', 2, 0],
      // Half a degree at 47.5 degrees north.
      ['d', 3, 38],
    ]);
    const within = await make(kit(), 'ada', 'spatial-join', { layer: areas, other: stops, distance: 40_000 });
    expect((await rowsOf(kit(), 'ada', within)).map(({ count }) => count)).toEqual([3, 2, 2]);
  });

  test('join by a key adds the columns of a table, or what its rows add up to', async () => {
    const areas = await layer(kit(), 'keyed_areas', AREAS);
    const sales = 'Code,shop,turnover\n01,a,10\n2,b,20\n2,c,40\n9,d,80\n,e,160\n';
    const { resource_id: table } = await kit().import('ada', [{ name: 'sales.csv', content: sales }], {
      places: 'none',
    });
    const keys = { layer: areas, column: 'code', other: table, key: 'code' };
    const joined = await rowsOf(kit(), 'ada', await make(kit(), 'ada', 'join-by-key', keys));
    expect(joined).toEqual([
      { code: 1, land: 'west', shop: 'a', turnover: 10, matches: 1 },
      // It is not said which of the two is meant.
      { code: 2, land: 'east', shop: null, turnover: null, matches: 2 },
      { code: 3, land: 'east', shop: null, turnover: null, matches: 0 },
    ]);
    const counted = { ...keys, what: 'count', value: 'turnover' };
    expect(await rowsOf(kit(), 'ada', await make(kit(), 'ada', 'join-by-key', counted))).toEqual([
      { code: 1, land: 'west', count: 1, sum_turnover: 10, mean_turnover: 10 },
      { code: 2, land: 'east', count: 2, sum_turnover: 60, mean_turnover: 30 },
      { code: 3, land: 'east', count: 0, sum_turnover: null, mean_turnover: null },
    ]);
    // A table that one may only look at is no input.
    const ada = kit().portal.as('ada');
    const share = (id: number | null, permissions: readonly string[]) =>
      ada.put(`/api/v2/resources/${id}/set_perms/`, { users: { bob: permissions }, groups: {} });
    await share(areas, ['view_resourcebase', 'download_resourcebase']);
    await share(table, ['view_resourcebase']);
    const bob = kit().portal.as('bob');
    expect(await bob.post('/ogc/processes/join-by-key/execution', { inputs: keys })).toMatchReply({
      status: 400,
      json: expect.objectContaining({ inputs: { other: 'The permission to download "sales" is needed.' } }),
    });
    await share(table, ['view_resourcebase', 'download_resourcebase']);
    const shown = await bob.post('/ogc/processes/join-by-key/preview', { inputs: keys });
    expect(JSON.parse(String(shown.body)).features).toHaveLength(3);
  });

  test('merge puts rows of several layers together, hexagons count them', async () => {
    const [a, b] = [await layer(kit(), 'merged_a', STOPS), await layer(kit(), 'merged_b', AREAS)];
    const merged = await rowsOf(kit(), 'ada', await make(kit(), 'ada', 'merge', { layers: [a, b] }));
    expect(merged).toHaveLength(7);
    expect(merged).toContainEqual({ source: 'merged_a', name: 'a', riders: 10, code: null, land: null });
    expect(merged).toContainEqual({ source: 'merged_b', name: null, riders: null, code: 1, land: 'west' });
    const cells = await features(
      kit(),
      'ada',
      await make(kit(), 'ada', 'hexagons', { layer: a, width: 10_000, column: 'riders' }),
    );
    expect(cells).toHaveLength(4);
    expect(cells.every(({ geometry }) => geometry.type.endsWith('Polygon'))).toBe(true);
    expect(cells.map(({ properties }) => properties['sum_riders']).sort()).toEqual([1, 10, 30, 5]);
    // Each place lies in its cell, and the cell is as wide as it was said to be: 86.6 square kilometres.
    const grid = await make(kit(), 'ada', 'hexagons', { layer: a, width: 10_000 });
    const joined = await make(kit(), 'ada', 'points-in-polygons', { layer: grid, other: a });
    expect((await rowsOf(kit(), 'ada', joined)).map(({ count_2 }) => count_2)).toEqual([1, 1, 1, 1]);
    expect((await area(kit(), grid)) / 4).toBeCloseTo(86.6, 0);
    const wide = await rowsOf(kit(), 'ada', await make(kit(), 'ada', 'hexagons', { layer: a, width: 1_000_000 }));
    expect(wide.reduce((sum, { count }) => sum + Number(count), 0)).toBe(4);
  });

  test('is tried on a sample first, and leaves nothing', async () => {
    const stops = await layer(kit(), 'tried_stops', STOPS);
    const before = await kit().left();
    const reply = await kit()
      .portal.as('ada')
      .post('/ogc/processes/buffer/preview', { inputs: { layer: stops, distance: 10, filter: 'riders > 5' } });
    expect(reply.status).toBe(200);
    const shown = JSON.parse(String(reply.body)) as { readonly features: readonly Feature[] };
    expect(shown.features.map(({ properties }) => properties)).toEqual([
      { name: 'a', riders: 10 },
      { name: 'b', riders: 30 },
    ]);
    expect(await kit().left()).toEqual(before);
  });

  test('says which input is wrong, and why', async () => {
    const stops = await layer(kit(), 'wrong_stops', STOPS);
    const refused = async (process: string, inputs: Json): Promise<Json> => {
      const reply = await kit().portal.as('ada').post(`/ogc/processes/${process}/execution`, { inputs });
      expect(reply).toMatchReply({
        status: 400,
        headers: { 'content-type': /^application\/problem\+json/ },
        json: expect.anything(),
      });
      return (JSON.parse(String(reply.body)) as { readonly inputs: Json }).inputs;
    };
    expect(await refused('buffer', { layer: stops })).toEqual({ distance: 'A number is expected.' });
    expect(await refused('buffer', { layer: stops, distance: 1, much: 2 })).toEqual({
      much: 'There is no such input.',
    });
    expect(await refused('buffer', { layer: 999_999, distance: 1 })).toEqual({ layer: 'There is no layer "999999".' });
    expect(await refused('clip', { layer: stops, mask: stops })).toEqual({
      mask: 'A layer of areas or any shapes is expected.',
    });
    expect(await refused('filter', { layer: stops, filter: 'nothing = 1' })).toEqual({
      filter: 'there is no property "nothing".',
    });
    expect(await refused('hexagons', { layer: stops, width: 10, column: 'name' })).toEqual({
      column: 'A column of numbers is expected.',
    });
  });

  test('that leaves nothing fails in words, and its job tells them', async () => {
    const stops = await layer(kit(), 'empty_stops', STOPS);
    const job = await begin(kit(), 'ada', 'filter', { layer: stops, filter: 'riders > 1000' });
    expect(await kit().until(Number(job['upload']))).toMatchObject({ state: 'INVALID' });
    const said = 'Nothing is left: the result has no rows.';
    const ada = kit().portal.as('ada');
    expect(await ada.get(`/ogc/jobs/${String(job['jobID'])}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'failed', message: said }),
    });
    expect(await ada.get(`/ogc/jobs/${String(job['jobID'])}/results`)).toMatchReply({
      status: 422,
      json: expect.objectContaining({ detail: said }),
    });
    expect((await kit().left()).staged).toEqual([]);
  });
});

/** Ada's layer, of which Bob has these permissions. */
async function shared(kit: UploadKit, name: string, permissions: readonly string[]): Promise<number> {
  const sharing = JSON.stringify({ users: { bob: permissions }, groups: {} });
  const { resource_id } = await kit.import('ada', [{ name: `${name}.geojson`, content: STOPS }], {
    permissions: sharing,
  });
  return resource_id ?? 0;
}

onUploads('the result of a process', { services: mountMapServices }, (kit) => {
  test('is its author’s alone, until the author shares it', async () => {
    const stops = await shared(kit(), 'private_stops', ['view_resourcebase', 'download_resourcebase']);
    const made = await make(kit(), 'bob', 'buffer', { layer: stops, distance: 10 });
    for (const other of ['ada', 'mia'] as const)
      expect((await kit().portal.as(other).get(`/ogc/collections/${made}/items`)).status).toBe(404);
    expect((await kit().portal.visitor.get(`/ogc/collections/${made}/items`)).status).toBe(404);
    expect(await rowsOf(kit(), 'bob', made)).toHaveLength(4);
  });

  test('is not made of what its author may only look at, nor of what the author does not see', async () => {
    const looked = await shared(kit(), 'looked_stops', ['view_resourcebase']);
    const hidden = await shared(kit(), 'hidden_stops', []);
    const bob = kit().portal.as('bob');
    for (const path of ['execution', 'preview']) {
      expect(await bob.post(`/ogc/processes/buffer/${path}`, { inputs: { layer: looked, distance: 1 } })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ inputs: { layer: 'The permission to download "looked_stops" is needed.' } }),
      });
      expect(await bob.post(`/ogc/processes/buffer/${path}`, { inputs: { layer: hidden, distance: 1 } })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ inputs: { layer: `There is no layer "${hidden}".` } }),
      });
    }
  });

  test('has no rows and no columns that its author may not read', async () => {
    const stops = await shared(kit(), 'ruled_stops', ['view_resourcebase', 'download_resourcebase']);
    const [{ table } = { table: '' }] = await kit().db.query<{ table: string }>(
      'select table_name as "table" from portal_private.layer_table where resource_id = $1',
      [stops],
    );
    // An operator's own rules: some rows are nobody's, and a column is closed.
    await kit().db.query(
      `create policy own_rows on layers."${table}" as restrictive for select to survest_user using (name <> 'b')`,
    );
    await kit().db.query(`revoke select on layers."${table}" from survest_user`);
    await kit().db.query(`grant select (fid, geom, name) on layers."${table}" to survest_user`);
    const made = await make(kit(), 'bob', 'centroids', { layer: stops });
    expect(await rowsOf(kit(), 'bob', made)).toEqual([{ name: 'a' }, { name: 'c' }, { name: 'd' }]);
    expect(
      await kit()
        .portal.as('bob')
        .post('/ogc/processes/hexagons/execution', { inputs: { layer: stops, width: 10, column: 'riders' } }),
    ).toMatchReply({
      status: 400,
      json: expect.objectContaining({ inputs: { column: 'The layer has no such column.' } }),
    });
    // Neither does a condition tell of it.
    expect(
      (
        await kit()
          .portal.as('bob')
          .post('/ogc/processes/filter/execution', { inputs: { layer: stops, filter: 'riders > 5' } })
      ).status,
    ).toBe(400);
    const near = await make(kit(), 'bob', 'spatial-join', { layer: made, other: stops, what: 'nearest' });
    expect((await rowsOf(kit(), 'bob', near)).every((row) => !('riders' in row))).toBe(true);
  });
});

onUploads('a process of an account without room', { services: mountMapServices }, (kit) => {
  test('is not begun, and one whose result has no room leaves nothing', async () => {
    const stops = await layer(kit(), 'stops_in_small_room', STOPS);
    const allow = (bytes: number): Promise<unknown> =>
      kit().db.query(
        'insert into portal_private.storage_quota (account_id, bytes) values ($1, $2) on conflict (account_id) do update set bytes = excluded.bytes',
        [kit().portal.ids.ada, bytes],
      );
    const [{ used } = { used: 0 }] = await kit().db.query<{ used: number }>(
      'select (layers + files)::integer as used from portal_private.storage_of($1)',
      [kit().portal.ids.ada],
    );
    await allow(used - 1);
    const ada = kit().portal.as('ada');
    const inputs = { layer: stops, distance: 10 };
    const refused = await ada.post('/ogc/processes/buffer/execution', { inputs });
    expect(refused.status).toBe(413);
    expect(String(refused.body)).toContain('Delete something, or ask an administrator for more.');
    const before = await kit().left();
    await allow(used + 100);
    const job = await begin(kit(), 'ada', 'buffer', inputs);
    expect(await kit().until(Number(job['upload']))).toMatchObject({
      state: 'INVALID',
      session: { error_msg: expect.stringMatching(/^Your layers and files use .* and this has /) },
    });
    expect(await kit().left()).toEqual(before);
    await allow(0);
    await make(kit(), 'ada', 'buffer', inputs);
  });
});

onUploads('the lineage of a layer', { services: mountMapServices }, (kit) => {
  const lineageOf = async (as: AccountName, id: number): Promise<Json> => {
    const reply = await kit().portal.as(as).get(`/api/v2/layers/${id}/lineage`);
    expect(reply.status).toBe(200);
    return (JSON.parse(String(reply.body)) as { readonly lineage: Json }).lineage;
  };

  test('names its sources and whether they have changed; made again, it has what they have now', async () => {
    const stops = await layer(kit(), 'source_stops', STOPS);
    const made = await make(kit(), 'ada', 'buffer', { layer: stops, distance: 10 });
    expect(await lineageOf('ada', made)).toEqual({
      process: 'buffer',
      inputs: { layer: stops, distance: 10 },
      sources: [{ id: stops, title: 'source_stops', changed: false }],
      hidden: 0,
      at: expect.stringMatching(/Z$/),
      by: 'ada',
    });
    expect(await lineageOf('ada', stops)).toBeNull();
    const ada = kit().portal.as('ada');
    const added = await ada.post(
      `/ogc/collections/${stops}/items`,
      { type: 'Feature', geometry: at(8, 47), properties: { name: 'e', riders: 7 } },
      { 'content-type': 'application/geo+json' },
    );
    expect(added.status).toBe(201);
    expect(await lineageOf('ada', made)).toMatchObject({ sources: [{ id: stops, changed: true }] });
    const again = await ada.post(`/api/v2/layers/${made}/lineage/refresh`);
    expect(again.status).toBe(201);
    const { upload } = JSON.parse(String(again.body)) as { readonly upload: number };
    expect(await kit().until(upload)).toMatchObject({ state: 'PROCESSED', resource_id: made });
    expect((await rowsOf(kit(), 'ada', made)).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await lineageOf('ada', made)).toMatchObject({ sources: [{ id: stops, changed: false }] });
  });

  test('tells others of no source that they do not see, and of no inputs', async () => {
    const stops = await layer(kit(), 'secret_stops', STOPS);
    const ada = kit().portal.as('ada');
    await ada.put(`/api/v2/resources/${stops}/set_perms/`, { users: {}, groups: {} });
    const made = await make(kit(), 'ada', 'filter', { layer: stops, filter: "name <> 'secret'" });
    expect((await kit().portal.as('bob').get(`/api/v2/layers/${made}/lineage`)).status).toBe(404);
    await ada.put(`/api/v2/resources/${made}/set_perms/`, { users: { bob: ['view_resourcebase'] }, groups: {} });
    expect(await lineageOf('bob', made)).toMatchObject({ process: 'filter', sources: [], hidden: 1, inputs: null });
    expect((await kit().portal.as('bob').post(`/api/v2/layers/${made}/lineage/refresh`)).status).toBe(403);
  });
});

onUploads('a job', { services: mountMapServices, workers: 0, processLimits: { rows: 3 } }, (kit) => {
  test('that was dismissed before it began is not done, and one that makes too much ends in words', async () => {
    const stops = await kit().send('ada', [{ name: 'waiting.geojson', content: STOPS }]);
    const workers = await kit().startWorkers();
    const { resource_id } = await kit().until(JSON.parse(String(stops.body)).upload_id);
    const job = await begin(kit(), 'ada', 'buffer', { layer: resource_id, distance: 10 });
    expect(await kit().until(Number(job['upload']))).toMatchObject({
      state: 'INVALID',
      session: { error_msg: expect.stringMatching(/^The result would have more than 3 rows/) },
    });
    await workers.stop();
    const waiting = await begin(kit(), 'ada', 'buffer', { layer: resource_id, distance: 10 });
    const ada = kit().portal.as('ada');
    expect(await ada.delete(`/ogc/jobs/${String(waiting['jobID'])}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'dismissed' }),
    });
    expect((await ada.get(`/ogc/jobs/${String(waiting['jobID'])}`)).status).toBe(404);
    for (let n = 0; n < 20; n += 1) await begin(kit(), 'ada', 'buffer', { layer: resource_id, distance: 10 });
    expect(
      await ada.post('/ogc/processes/buffer/execution', { inputs: { layer: resource_id, distance: 10 } }),
    ).toMatchReply({ status: 429, json: expect.objectContaining({ type: expect.stringMatching(/too-many-jobs$/) }) });
    expect((await kit().left()).staged).toEqual([]);
  });
});

const MANY = collection(
  Array.from({ length: 2000 }, (_, n) => ({
    properties: { n },
    geometry: square(8 + (n % 50) / 100, 47 + Math.floor(n / 50) / 100, 0.3),
  })),
);

/** Asked without a pause, the embedded engine would have little time for what is waited for. */
const LOOKING = { interval: 20, timeout: 100_000 };

onUploads('a job under way', { services: mountMapServices }, (kit) => {
  test('stops when it is dismissed, and leaves nothing', async () => {
    const areas = await layer(kit(), 'many_areas', MANY);
    const before = await kit().left();
    // Four million pairs: nobody waits for them.
    const job = await begin(kit(), 'ada', 'intersection', { layer: areas, other: areas });
    const held = () => kit().db.query('select 1 from staging.run where under_way is not null');
    await expect.poll(held, LOOKING).not.toEqual([]);
    expect(
      await kit()
        .portal.as('ada')
        .delete(`/ogc/jobs/${String(job['jobID'])}`),
    ).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'dismissed' }),
    });
    const busy = `select 1 from jobs.job where name = 'import' and state in ('created', 'retry', 'active')`;
    await expect.poll(() => kit().db.query(busy), LOOKING).toEqual([]);
    expect(await kit().left()).toEqual(before);
  });
});

function sorted(rows: readonly Json[]): readonly Json[] {
  return [...rows].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}
