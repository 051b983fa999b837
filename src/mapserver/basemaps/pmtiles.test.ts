import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archive, directory, varints } from '../../../test/testkit/pmtiles.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import { makeRemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { BasemapSetting, ListBasemaps } from '../../layer-ports/basemap.ts';
import { listBasemaps, registerBasemaps } from './basemap-routes.ts';
import { makeArchiveShelf } from './pmtiles-archive.ts';
import { findEntry, parseDirectory, parseHeader, tileNumber } from './pmtiles-format.ts';

const VECTOR = Buffer.from('a tile of vectors');
const PICTURE = Buffer.from('a picture');

const named = { attribution: '© Somebody', attributionUrl: undefined, origins: [], isDefault: false } as const;
let folder = '';
let app: FastifyInstance;
/** Serves the file of the streets: by ranges, or whole to whoever asks. */
let elsewhere: Server;
const said: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'survest-pmtiles-'));
  const streets = join(folder, 'streets.pmtiles');
  writeFileSync(
    streets,
    archive(1, new Map([[tileNumber(2, 1, 3), gzipSync(VECTOR)]]), {
      vector_layers: [{ id: 'earth' }, { id: 'roads' }],
    }),
  );
  writeFileSync(join(folder, 'broken.pmtiles'), 'nothing of the kind');
  writeFileSync(
    join(folder, 'swollen.pmtiles'),
    archive(1, new Map([[tileNumber(0, 0, 0), gzipSync(Buffer.alloc(40_000_000))]]), {}),
  );
  const blobs = await openDiskStore(join(folder, 'files'));
  await blobs.put(
    'basemaps/photos.pmtiles',
    (async function* () {
      yield archive(2, new Map([[tileNumber(0, 0, 0), PICTURE]]), {});
    })(),
  );
  elsewhere = createServer((request, reply) => {
    const file = readFileSync(streets);
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (request.url !== '/ranges.pmtiles' || start === undefined)
      reply.end(Buffer.concat([file, Buffer.alloc(100_000)]));
    else reply.writeHead(206).end(file.subarray(Number(start), Number(end) + 1));
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const web = (id: string): BasemapSetting => ({
    ...named,
    id,
    title: id,
    type: 'pmtiles',
    tileSize: 256,
    place: { kind: 'web', url: `http://${host}/${id}.pmtiles` },
  });
  const settings: BasemapSetting[] = [
    {
      ...named,
      id: 'streets',
      title: 'Streets',
      type: 'pmtiles',
      tileSize: 256,
      place: { kind: 'disk', path: streets },
      isDefault: true,
    },
    {
      ...named,
      id: 'photos',
      title: 'Photos',
      type: 'pmtiles',
      tileSize: 512,
      place: { kind: 'blob', key: 'basemaps/photos.pmtiles' },
    },
    {
      ...named,
      id: 'broken',
      title: 'Broken',
      type: 'pmtiles',
      tileSize: 256,
      place: { kind: 'disk', path: join(folder, 'broken.pmtiles') },
    },
    web('ranges'),
    web('whole'),
    {
      ...named,
      id: 'swollen',
      title: 'Swollen',
      type: 'pmtiles',
      tileSize: 256,
      place: { kind: 'disk', path: join(folder, 'swollen.pmtiles') },
    },
  ];
  const parts = {
    now: () => settings,
    shelf: makeArchiveShelf({
      blobs,
      fetch: makeRemoteFetch({ hosts: { allowed: [], internal: [host] } }),
      now: () => 0,
    }),
    observe: (seen: { readonly kind: string }) => void said.push(JSON.stringify(seen)),
  };
  app = Fastify();
  registerBasemaps(app, parts, () => 'https://maps.example.org');
  app.get('/list', async () => listBasemaps(parts)('https://maps.example.org'));
});

afterAll(async () => {
  await app.close();
  await new Promise((closed) => elsewhere.close(closed));
  rmSync(folder, { recursive: true, force: true });
});

test('tiles have the numbers of the specification', () => {
  expect([tileNumber(0, 0, 0), tileNumber(1, 0, 1), tileNumber(1, 1, 0), tileNumber(12, 3423, 1763)]).toEqual([
    0, 2, 4, 19_078_479,
  ]);
});

test('an archive of vectors is a style, one of pictures is tiles, and one that cannot be read stands apart and in the log', async () => {
  const { defaultId, basemaps, unreadable } = (await app.inject('/list')).json<Awaited<ReturnType<ListBasemaps>>>();
  expect(defaultId).toBe('streets');
  expect(basemaps).toEqual([
    {
      id: 'streets',
      title: 'Streets',
      attribution: '© Somebody',
      attribution_url: null,
      sites: [],
      kind: 'style',
      style: 'https://maps.example.org/basemaps/streets/style.json',
      dark_style: 'https://maps.example.org/basemaps/streets/style-dark.json',
    },
    expect.objectContaining({
      id: 'photos',
      kind: 'raster',
      tiles: ['https://maps.example.org/basemaps/photos/{z}/{x}/{y}.png'],
      tile_size: 512,
      maxzoom: 2,
      bounds: [-180, -85, 180, 85],
    }),
    expect.objectContaining({ id: 'ranges', kind: 'style' }),
    expect.objectContaining({ id: 'swollen', kind: 'style' }),
  ]);
  expect(unreadable).toEqual([
    { id: 'broken', title: 'Broken', reason: 'is not a PMTiles archive' },
    { id: 'whole', title: expect.any(String), reason: 'stands on a server that answers no ranges' },
  ]);
  expect(said.join()).toContain('the basemap broken is not a PMTiles archive');
  expect(said.join()).not.toContain(folder);
});

test('a tile comes from the disk and from the place that keeps files, as it is stored or unpacked', async () => {
  const stored = await app.inject({ url: '/basemaps/streets/2/1/3.mvt', headers: { 'accept-encoding': 'gzip' } });
  expect(stored.headers).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
  });
  const plain = await app.inject('/basemaps/streets/2/1/3.pbf');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.rawPayload).toEqual(VECTOR);
  const picture = await app.inject('/basemaps/photos/0/0/0.png');
  expect([picture.headers['content-type'], picture.rawPayload]).toEqual(['image/png', PICTURE]);
});

test('a tile of an archive elsewhere is asked for by its range, and a server without ranges is said to have none', async () => {
  const tile = await app.inject('/basemaps/ranges/2/1/3.pbf');
  expect(tile.rawPayload).toEqual(VECTOR);
  const whole = await app.inject('/basemaps/whole/2/1/3.pbf');
  expect([whole.statusCode, whole.json()]).toEqual([
    503,
    { detail: 'The basemap stands on a server that answers no ranges.' },
  ]);
});

test('a tile that would be unpacked without end is not, and nobody keeps the answer', async () => {
  const reply = await app.inject('/basemaps/swollen/0/0/0.mvt');
  expect([reply.statusCode, reply.json()]).toEqual([
    503,
    { detail: 'The basemap has a part that cannot be unpacked.' },
  ]);
  expect(reply.headers).not.toHaveProperty('cache-control');
  expect(reply.headers['content-type']).toContain('application/json');
});

test('what is not there is nothing, and what makes no sense is refused', async () => {
  const statuses = await Promise.all(
    [
      'streets/2/0/0.mvt',
      'streets/9/0/0.mvt',
      'streets/1/5/0.mvt',
      'streets/2/1/3.png',
      'unknown/0/0/0.png',
      'broken/0/0/0.png',
      'photos/style.json',
    ].map(async (path) => (await app.inject(`/basemaps/${path}`)).statusCode),
  );
  expect(statuses).toEqual([204, 204, 400, 404, 404, 503, 404]);
});

test('the style of an archive draws its layers by our own letters and tiles, in the light and in the dark', async () => {
  const light = (await app.inject('/basemaps/streets/style.json')).json<{ layers: { id: string }[]; glyphs: string }>();
  expect(light.layers.map(({ id }) => id)).toEqual(['background', 'earth', 'roads-minor', 'roads-main']);
  expect(light.glyphs).toMatch(/^https:\/\/maps\.example\.org\/fonts\//);
  expect((await app.inject('/basemaps/streets/style-dark.json')).json()).not.toEqual(light);
});

test('a file that was replaced is read anew', async () => {
  const path = join(folder, 'streets.pmtiles');
  writeFileSync(path, archive(1, new Map([[tileNumber(2, 0, 0), gzipSync(PICTURE)]]), {}));
  expect((await app.inject('/basemaps/streets/2/1/3.mvt')).statusCode).toBe(204);
  expect((await app.inject('/basemaps/streets/2/0/0.mvt')).rawPayload).toEqual(PICTURE);
});

test('directories of strangers end at their bytes', () => {
  expect(parseHeader(Buffer.alloc(127)).ok).toBe(false);
  expect(parseDirectory(varints([4_000_000])).ok).toBe(false);
  expect(parseDirectory(Buffer.from([255, 255, 255, 255, 255, 255, 255, 255, 255])).ok).toBe(false);
  const parsed = parseDirectory(directory([{ id: 5, run: 2, offset: 0, length: 10 }]));
  expect(parsed.ok && [4, 5, 6, 7].map((id) => findEntry(parsed.value, id)?.kind)).toEqual([
    undefined,
    'tile',
    'tile',
    undefined,
  ]);
});
