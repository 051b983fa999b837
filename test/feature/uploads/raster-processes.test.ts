// Processes that read rasters: numbers whose answers are known, and who may have them read.

import proj4 from 'proj4';
import { expect, test } from 'vitest';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import type { AccountName } from '../../testkit/portal-client.ts';
import { grid } from '../mapserver/raster-kit.ts';
import { begin, features, type Json, layer, make, rowsOf, square } from './process-kit.ts';
import { collection, onUploads, type UploadKit } from './upload-kit.ts';

type Wanted = { readonly srs?: string; readonly type?: string };

/** A raster of one band, uploaded as a GeoTIFF. */
async function raster(
  kit: UploadKit,
  name: string,
  text: string,
  { srs = 'EPSG:4326', type = 'Int16' }: Wanted = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<number> {
  kit.write(`${name}.asc`, text);
  await kit.gdal('gdal_translate', '-q', '-of', 'GTiff', '-a_srs', srs, '-ot', type, `${name}.asc`, `${name}.tif`);
  const { state, resource_id, session } = await kit.import('ada', [`${kit.folder}/${name}.tif`], fields);
  if (state !== 'PROCESSED' || resource_id === null) throw new Error(JSON.stringify(session));
  return resource_id;
}

/** A hundred columns and rows of a hundredth of a degree from 8° E, 47° N; numbers by column. */
const plane = (value: (column: number, row: number) => number): string => grid(100, 100, 8, 47, 0.01, value);

const AREAS = collection([
  { properties: { name: 'all' }, geometry: square(8, 47, 1) },
  { properties: { name: 'south-west' }, geometry: square(8, 47, 0.5) },
  // Its edges run beside the centres of pixels, less than half of which lie in it in the west and in the south.
  { properties: { name: 'centres' }, geometry: square(8.2049, 47.2049, 0.1) },
  { properties: { name: 'between' }, geometry: square(8.301, 47.301, 0.003) },
  { properties: { name: 'beside' }, geometry: square(20, 20, 1) },
]);

async function refusal(kit: UploadKit, as: AccountName, process: string, inputs: Json): Promise<unknown> {
  const reply = await kit.portal.as(as).post(`/ogc/processes/${process}/execution`, { inputs });
  expect(reply.status).toBe(400);
  return (JSON.parse(String(reply.body)) as { readonly inputs: unknown }).inputs;
}

onUploads('zonal statistics', { services: mountMapServices }, (kit) => {
  test('tell of the pixels whose centres lie in an area, and leave out those with nothing', async () => {
    const areas = await layer(kit(), 'zones', AREAS);
    // Numbers are columns; the ten in the west have none.
    const heights = await raster(
      kit(),
      'heights',
      plane((column) => (column < 10 ? -9999 : column)),
    );
    const made = await make(kit(), 'ada', 'zonal-statistics', { layer: areas, raster: heights });
    const spread = (numbers: number): number => Math.sqrt((numbers ** 2 - 1) / 12);
    const rows = await rowsOf(kit(), 'ada', made);
    const none = { count: 0, sum: null, mean: null, min: null, max: null, stddev: null };
    expect(rows).toEqual([
      { name: 'all', count: 9000, sum: 490_500, mean: 54.5, min: 10, max: 99, stddev: expect.closeTo(spread(90), 9) },
      {
        name: 'south-west',
        count: 2000,
        sum: 59_000,
        mean: 29.5,
        min: 10,
        max: 49,
        stddev: expect.closeTo(spread(40), 9),
      },
      { name: 'centres', count: 100, sum: 2450, mean: 24.5, min: 20, max: 29, stddev: expect.closeTo(spread(10), 9) },
      { name: 'between', ...none },
      { name: 'beside', ...none },
    ]);
    const ada = kit().portal.as('ada');
    const lineage = JSON.parse(String((await ada.get(`/api/v2/layers/${made}/lineage`)).body)) as { lineage: Json };
    expect(lineage.lineage).toMatchObject({
      process: 'zonal-statistics',
      sources: [
        { id: areas, title: 'zones', changed: false },
        { id: heights, title: 'heights', changed: false },
      ],
    });
    const shown = await ada.post('/ogc/processes/zonal-statistics/preview', {
      inputs: { layer: areas, raster: heights, filter: "name = 'centres'" },
    });
    expect(JSON.parse(String(shown.body))).toMatchObject({
      features: [{ geometry: { type: 'MultiPolygon' }, properties: { name: 'centres', count: 100, mean: 24.5 } }],
    });
  });

  test('tell the most frequent value, and are worked out in the coordinate system of the raster', async () => {
    // Metres: a checkerboard of 3 and 7 in the west, 7 alone in the east.
    const [west, south, size] = [500_000, 5_200_000, 100];
    const classes = grid(200, 200, west, south, size, (column, row) =>
      column < 100 && (column + row) % 2 === 0 ? 3 : 7,
    );
    const cover = await raster(kit(), 'cover', classes, { srs: 'EPSG:25832', type: 'Byte' });
    const [toDegrees, box] = [proj4('+proj=utm +zone=32 +ellps=GRS80 +units=m', 'WGS84'), [9.01, 46.96, 0.15] as const];
    const areas = collection([
      { properties: { n: 1 }, geometry: square(...box) },
      // It reaches around the earth, where the raster's coordinate system is not defined.
      { properties: { n: 2 }, geometry: square(-80, -80, 160) },
      { properties: { n: 3 }, geometry: square(100, 10, 5) },
    ]);
    const zones = await layer(kit(), 'zones_in_degrees', areas);
    const inputs = { layer: zones, raster: cover, majority: true };
    const rows = await rowsOf(kit(), 'ada', await make(kit(), 'ada', 'zonal-statistics', inputs));
    const tally = new Map<number, number>();
    for (let row = 0; row < 200; row++)
      for (let column = 0; column < 200; column++) {
        const [x = 0, y = 0] = toDegrees.forward([west + (column + 0.5) * size, south + (199.5 - row) * size]);
        const value = column < 100 && (column + row) % 2 === 0 ? 3 : 7;
        if (x >= box[0] && x < box[0] + box[2] && y >= box[1] && y < box[1] + box[2])
          tally.set(value, (tally.get(value) ?? 0) + 1);
      }
    const [threes = 0, sevens = 0] = [tally.get(3), tally.get(7)];
    expect(threes).toBeGreaterThan(1000);
    // Edges are straight in metres: less than a pixel in each row is on the other side.
    expect(Math.abs(Number(rows[0]?.['count']) - threes - sevens)).toBeLessThan(100);
    expect(rows[0]).toMatchObject({ min: 3, max: 7, majority: 7 });
    expect(Number(rows[0]?.['mean'])).toBeCloseTo((3 * threes + 7 * sevens) / (threes + sevens), 1);
    expect(rows[1]).toMatchObject({ count: 40_000, sum: 10_000 * 3 + 30_000 * 7, majority: 7 });
    expect(rows[2]).toMatchObject({ count: 0, majority: null });
  });

  test('say which input is wrong, and are not made of what one may only look at', async () => {
    const areas = await layer(kit(), 'asked_zones', AREAS);
    const text = plane((column) => column);
    const heights = await raster(kit(), 'asked_heights', text, { type: 'Float32' });
    expect(await refusal(kit(), 'ada', 'zonal-statistics', { layer: areas })).toEqual({
      raster: 'The id or the name of a layer is expected.',
    });
    expect(await refusal(kit(), 'ada', 'zonal-statistics', { layer: areas, raster: areas })).toEqual({
      raster: '"asked_zones" is no raster.',
    });
    expect(await refusal(kit(), 'ada', 'zonal-statistics', { layer: heights, raster: heights })).toEqual({
      layer: '"asked_heights" has no rows.',
    });
    expect(await refusal(kit(), 'ada', 'zonal-statistics', { layer: areas, raster: heights, band: 2 })).toEqual({
      band: 'The raster has one band: 1 is expected.',
    });
    expect(await refusal(kit(), 'ada', 'zonal-statistics', { layer: areas, raster: heights, majority: true })).toEqual({
      majority: 'The values of this band are no whole numbers: none of them is frequent.',
    });
    const ada = kit().portal.as('ada');
    const share = (id: number, permissions: readonly string[]) =>
      ada.put(`/api/v2/resources/${id}/set_perms/`, { users: { bob: permissions }, groups: {} });
    await share(areas, ['view_resourcebase', 'download_resourcebase']);
    await share(heights, []);
    const inputs = { layer: areas, raster: heights };
    const lines = { raster: heights, interval: 10 };
    const bob = kit().portal.as('bob');
    const hidden = { raster: `There is no layer "${heights}".` };
    const looked = { raster: 'The permission to download "asked_heights" is needed.' };
    for (const expected of [hidden, looked]) {
      expect(await refusal(kit(), 'bob', 'zonal-statistics', inputs)).toEqual(expected);
      expect(await refusal(kit(), 'bob', 'isolines', lines)).toEqual(expected);
      for (const [process, sent] of [
        ['zonal-statistics', inputs],
        ['isolines', lines],
      ] as const)
        expect(await bob.post(`/ogc/processes/${process}/preview`, { inputs: sent })).toMatchReply({
          status: 400,
          json: expect.objectContaining({ inputs: expected }),
        });
      await share(heights, ['view_resourcebase']);
    }
    await share(heights, ['view_resourcebase', 'download_resourcebase']);
    const made = await make(kit(), 'bob', 'zonal-statistics', inputs);
    expect(await rowsOf(kit(), 'bob', made)).toHaveLength(5);
    // It is Bob's alone, also to the owner of what it was made of.
    for (const other of ['ada', 'mia'] as const)
      expect((await kit().portal.as(other).get(`/ogc/collections/${made}/items`)).status).toBe(404);
    // Who lost the raster meanwhile does not have it read again.
    await share(heights, ['view_resourcebase']);
    expect((await bob.post(`/api/v2/layers/${made}/lineage/refresh`)).status).toBe(400);
  });
});

onUploads('isolines', { services: mountMapServices }, (kit) => {
  test('lie where the level is, with the level as a number', async () => {
    const heights = await raster(
      kit(),
      'sloping',
      plane((column, row) => (row === 50 ? -9999 : column)),
      { type: 'Float32' },
    );
    const made = await make(kit(), 'ada', 'isolines', { raster: heights, interval: 25, base: 10 });
    const lines = await features(kit(), 'ada', made);
    // A row without numbers parts each of them.
    const levels = lines.map(({ properties }) => Number(properties['level'])).toSorted((one, other) => one - other);
    expect(levels).toEqual([10, 10, 35, 35, 60, 60, 85, 85]);
    for (const { geometry, properties } of lines) {
      const [line = []] = (geometry as unknown as { readonly coordinates: readonly (readonly number[][])[] })
        .coordinates;
      const places = line.map(([x = 0]) => Number(x.toFixed(9)));
      // From centre to centre.
      expect(new Set(places)).toEqual(new Set([Number((8 + (Number(properties['level']) + 0.5) * 0.01).toFixed(9))]));
    }
    const shown = await kit()
      .portal.as('ada')
      .post('/ogc/processes/isolines/preview', { inputs: { raster: heights, interval: 50 } });
    expect(JSON.parse(String(shown.body))).toMatchObject({
      features: [{ geometry: { type: 'LineString' }, properties: { level: 50 } }, { properties: { level: 50 } }],
    });
    expect(await refusal(kit(), 'ada', 'isolines', { raster: heights })).toEqual({ interval: 'A number is expected.' });
  });

  test('of level ground are none, and the job says so', async () => {
    const flat = await raster(
      kit(),
      'flat',
      plane(() => 5),
    );
    const { upload } = await begin(kit(), 'ada', 'isolines', { raster: flat, interval: 10 });
    expect(await kit().until(Number(upload))).toMatchObject({
      state: 'INVALID',
      session: { error_msg: 'Nothing is left: the result has no rows.' },
    });
    expect((await kit().left()).staged).toEqual([]);
  });
});

onUploads(
  'a process that would read too much of a raster',
  { services: mountMapServices, processLimits: { pixels: 9999, vertices: 500 } },
  (kit) => {
    test('ends in words, and leaves nothing', async () => {
      const areas = await layer(kit(), 'many_zones', AREAS);
      const steep = await raster(
        kit(),
        'steep',
        plane((column) => column),
      );
      const small = await raster(
        kit(),
        'small',
        grid(50, 50, 8, 47, 0.02, (column) => column * 100),
      );
      const before = await kit().left();
      for (const [process, inputs, said] of [
        ['zonal-statistics', { layer: areas, raster: steep }, /^More than 9,999 pixels would be read: /],
        ['isolines', { raster: steep, interval: 10 }, /^More than 9,999 pixels would be read: /],
        ['isolines', { raster: small, interval: 10 }, /500 vertices in them: choose a larger interval\.$/],
      ] as const) {
        const { upload } = await begin(kit(), 'ada', process, inputs);
        expect(await kit().until(Number(upload))).toMatchObject({
          state: 'INVALID',
          session: { error_msg: expect.stringMatching(said) },
        });
      }
      expect(await kit().left()).toEqual(before);
    });
  },
);
