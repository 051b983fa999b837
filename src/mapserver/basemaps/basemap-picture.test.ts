import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archive } from '../../../test/testkit/pmtiles.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import type { Box } from '../../geo/projection.ts';
import type { ParsedGeometry } from '../../geo/wkb.ts';
import { makeRemoteFetch, type RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { BasemapSetting } from '../../layer-ports/basemap.ts';
import type { DrawNamedBasemap } from '../thumbnails/named-basemap.ts';
import { HEIGHT, viewOfExtent, WIDTH } from '../thumbnails/thumbnail-view.ts';
import { drawShape, encodeTile, type TileFeature } from '../tiles/encode-tile.ts';
import { basemapHosts, makeDrawNamedBasemap } from './basemap-picture.ts';
import { makeArchiveShelf } from './pmtiles-archive.ts';
import { tileNumber } from './pmtiles-format.ts';

const named = {
  title: 'A',
  attribution: '© Somebody',
  attributionUrl: undefined,
  origins: [],
  isDefault: false,
} as const;
const tiled = { minzoom: 0, maxzoom: 19, tileSize: 256 } as const;
const WORLD: Box = [-180, -80, 180, 80];

let server: Server;
let at = '';
let folder = '';
const heard: URL[] = [];
const opened: RemoteFetch[] = [];

/** The west is red, the east is blue. */
function halves(width: number): Buffer {
  const canvas = createCanvas(width, width);
  const ink = canvas.getContext('2d');
  ink.fillStyle = '#ff0000';
  ink.fillRect(0, 0, width / 2, width);
  ink.fillStyle = '#0000ff';
  ink.fillRect(width / 2, 0, width / 2, width);
  return canvas.toBuffer('image/png');
}

/** By the last part of their addresses. */
const documents: Record<string, string> = {};

const box = (x: number, y: number, width: number, height: number): ParsedGeometry => ({
  kind: 'polygons',
  polygons: [
    [
      [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
        [x, y],
      ],
    ],
  ],
});
const layer = (name: string, shape: ParsedGeometry, tags: TileFeature['tags'] = [], times = 1): Buffer => {
  const drawnShape = drawShape(shape);
  if (drawnShape === undefined) throw new Error(`${name} is too small`);
  return encodeTile(
    name,
    Array.from({ length: times }, () => ({ id: undefined, tags, ...drawnShape })),
  );
};
/** The west of the world. */
const west = layer('land', box(0, 0, 2048, 4096), [['kind', { type: 'text', text: 'dry' }]]);

const crowded = layer('land', box(0, 0, 9, 9), [], 20_000);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'survest-basemaps-'));
  server = createServer(({ url = '/', headers }, reply) => {
    const asked = new URL(url, `http://${headers.host}`);
    heard.push(asked);
    const [, kind, , x, y] = asked.pathname.split('/');
    if (kind === 'broken') reply.writeHead(500).end();
    else if (kind === 'words') reply.end('no picture at all');
    else if (kind === 'nowhere') reply.writeHead(404).end();
    else if (kind === 'huge') reply.end(halves(1500));
    else if (kind === 'documents') reply.end(documents[asked.pathname.split('/').at(-1) ?? ''] ?? 'no document');
    else if (kind === 'vectors') reply.end(gzipSync(west));
    else if (kind === 'crowded') reply.end(crowded);
    else if (kind === 'some' && (Number(x) + Number.parseInt(y ?? '', 10)) % 2 === 1) reply.writeHead(404).end();
    else reply.end(halves(256));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const one of opened) one.close();
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

type Kit = { readonly draw: DrawNamedBasemap; readonly said: string[]; pass(ms: number): void };

async function kitOf(settings: readonly BasemapSetting[], internal: readonly string[] = [at]): Promise<Kit> {
  const said: string[] = [];
  let time = 0;
  const fetch = makeRemoteFetch({ hosts: { allowed: basemapHosts(settings), internal } });
  opened.push(fetch);
  const draw = makeDrawNamedBasemap({
    basemaps: () => settings,
    shelf: makeArchiveShelf({ blobs: await openDiskStore(join(folder, 'files')), fetch, now: Date.now }),
    fetch,
    observe: (one) => said.push(one.kind === 'job-failed' ? one.message : one.kind),
    now: () => time,
  });
  const pass = (ms: number): void => {
    time += ms;
  };
  return { draw, said, pass };
}

const xyz = (path: string, more: Partial<Extract<BasemapSetting, { type: 'xyz' }>> = {}): BasemapSetting => ({
  ...named,
  ...tiled,
  id: 'tiles',
  type: 'xyz',
  urls: [`http://${at}/${path}/{z}/{x}/{y}.png`],
  ...more,
});

async function drawn(
  kit: Kit,
  extent: Box = WORLD,
  wanted: Parameters<DrawNamedBasemap>[2] = { id: 'tiles', isOwnAlone: false },
): Promise<{ readonly credit: string | undefined; pixel(x: number, y: number): string; readonly canvas: Canvas }> {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const credit = await kit.draw(canvas, viewOfExtent(extent), wanted);
  const pixel = (x: number, y: number): string =>
    `#${Buffer.from(canvas.getContext('2d').getImageData(x, y, 1, 1).data)
      .toString('hex')
      .slice(0, 6)}`;
  return { credit, pixel, canvas };
}

test('tiles of others are drawn where they lie, without gaps, and named', async () => {
  const kit = await kitOf([xyz('fine', { isDefault: true })]);
  heard.splice(0);
  const picture = await drawn(kit);
  expect([picture.credit, kit.said]).toEqual(['© Somebody', []]);
  // At zoom 1 each half of the world is one tile wide.
  expect([60, 180, 300, 420].map((x) => picture.pixel(x, 160))).toEqual(['#ff0000', '#0000ff', '#ff0000', '#0000ff']);
  const { data } = picture.canvas.getContext('2d').getImageData(0, 0, WIDTH, HEIGHT);
  expect(data.every((value, i) => i % 4 !== 3 || value === 255)).toBe(true);
  expect(heard.map(({ pathname }) => pathname).sort()).toEqual([
    '/fine/1/0/0.png',
    '/fine/1/0/1.png',
    '/fine/1/1/0.png',
    '/fine/1/1/1.png',
  ]);
  // Who chose nothing sees the usual one; pictures of layers ask nobody.
  expect((await drawn(kit, WORLD, { id: undefined, isOwnAlone: false })).credit).toBe('© Somebody');
  heard.splice(0);
  expect((await drawn(kit, WORLD, { id: undefined, isOwnAlone: true })).credit).toBeUndefined();
  expect((await drawn(kit, WORLD, { id: 'another', isOwnAlone: false })).credit).toBeUndefined();
  expect(heard).toEqual([]);
});

test('across the edge of the world it goes on at the other side', async () => {
  const kit = await kitOf([xyz('fine')]);
  heard.splice(0);
  await drawn(kit, [170, 60, 200, 70]);
  expect(heard.length).toBeLessThanOrEqual(12);
  const columns = new Set(heard.map(({ pathname }) => Number(pathname.split('/')[3])));
  const zoom = Number(heard[0]?.pathname.split('/')[2]);
  expect(columns.has(0) && columns.has(2 ** zoom - 1)).toBe(true);
});

test('WMTS and WMS are asked as viewers ask them', async () => {
  const settings: BasemapSetting[] = [
    {
      ...named,
      ...tiled,
      id: 'wms',
      type: 'wms',
      url: `http://${at}/wms`,
      layers: 'a,b',
      styles: '',
      version: '1.3.0',
      format: 'image/png',
    },
    {
      ...named,
      ...tiled,
      id: 'wmts',
      type: 'wmts',
      url: `http://${at}/wmts`,
      layer: 'a',
      style: 'default',
      matrixSet: 'm',
      format: 'image/png',
    },
  ];
  const kit = await kitOf(settings);
  heard.splice(0);
  expect((await drawn(kit, WORLD, { id: 'wms', isOwnAlone: false })).credit).toBe('© Somebody');
  const [first] = heard.splice(0);
  expect(first?.searchParams.get('LAYERS')).toBe('a,b');
  expect(first?.searchParams.get('BBOX')?.split(',').map(Number).map(Math.round)).toEqual([-20037508, 0, 0, 20037508]);
  expect((await drawn(kit, WORLD, { id: 'wmts', isOwnAlone: false })).credit).toBe('© Somebody');
  expect(heard[0]?.searchParams.get('TILEMATRIX')).toBe('1');
});

test.each([
  ['broken', 'answers 500'],
  ['words', 'is no PNG'],
  ['huge', 'is no PNG'],
])('one that sends %s is left alone for a while, and the log says why once', async (path, why) => {
  const kit = await kitOf([xyz(path)]);
  const picture = await drawn(kit);
  expect([picture.credit, picture.pixel(60, 160)]).toEqual([undefined, '#000000']);
  expect(kit.said).toHaveLength(1);
  expect(kit.said[0]).toContain(why);
  heard.splice(0);
  await drawn(kit);
  expect([heard.length, kit.said.length]).toEqual([0, 1]);
  kit.pass(200_000);
  await drawn(kit);
  expect([heard.length > 0, kit.said.length]).toEqual([true, 2]);
});

test('an address of a private network is asked only if the settings say so', async () => {
  const kit = await kitOf([xyz('fine')], []);
  heard.splice(0);
  expect((await drawn(kit)).credit).toBeUndefined();
  expect(heard).toEqual([]);
  expect(kit.said[0]).toContain('remote-internal-hosts');
});

test('missing tiles leave the ground, and where all are missing the packaged map is drawn', async () => {
  const some = await drawn(await kitOf([xyz('some')]));
  expect([some.credit, some.pixel(60, 80), some.pixel(300, 80)]).toEqual(['© Somebody', '#ff0000', '#dbe5e6']);
  const none = await kitOf([xyz('nowhere')]);
  expect([(await drawn(none)).credit, none.said]).toEqual([undefined, []]);
});

test('a basemap that begins nearer by is not asked for thousands of tiles', async () => {
  heard.splice(0);
  expect((await drawn(await kitOf([xyz('fine', { minzoom: 6 })]))).credit).toBeUndefined();
  expect(heard).toEqual([]);
});

test('what only browsers can ask is said once and for all', async () => {
  const kit = await kitOf([xyz('fine', { id: 'tiles', urls: ['/own/{z}/{x}/{y}.png'] })]);
  for (const _ of [1, 2]) {
    expect((await drawn(kit)).credit).toBeUndefined();
    kit.pass(1e9);
  }
  expect(kit.said).toHaveLength(1);
});

describe('a style of another server', () => {
  const style = (name: string, more: Partial<BasemapSetting> = {}): BasemapSetting =>
    ({
      ...named,
      id: 'tiles',
      type: 'style',
      url: `http://${at}/documents/${name}`,
      dark: undefined,
      ...more,
    }) as BasemapSetting;
  const sources = { world: { type: 'vector', url: 'tiles.json' } };
  const background = { id: 'b', type: 'background', paint: { 'background-color': '#010203' } };
  const land = {
    id: 'l',
    type: 'fill',
    source: 'world',
    'source-layer': 'land',
    filter: ['==', 'kind', 'dry'],
    paint: {
      'fill-color': {
        stops: [
          [0, '#00ff00'],
          [20, '#00ff00'],
        ],
      },
    },
  };
  beforeAll(() => {
    documents['tiles.json'] = JSON.stringify({ tiles: [`http://${at}/vectors/{z}/{x}/{y}`], maxzoom: 0 });
  });

  test('is drawn from the ground up, and asked for once', async () => {
    documents['fine.json'] = JSON.stringify({ version: 8, sources, layers: [background, land] });
    const kit = await kitOf([style('fine.json')]);
    heard.splice(0);
    const picture = await drawn(kit);
    expect([picture.credit, kit.said]).toEqual(['© Somebody', []]);
    expect([picture.pixel(100, 160), picture.pixel(400, 160)]).toEqual(['#00ff00', '#010203']);
    await drawn(kit);
    expect(heard.map(({ pathname }) => pathname)).toEqual([
      '/documents/fine.json',
      '/documents/tiles.json',
      '/vectors/0/0/0',
      '/vectors/0/0/0',
    ]);
    kit.pass(1e9);
    await drawn(kit);
    expect(heard.filter(({ pathname }) => pathname === '/documents/fine.json')).toHaveLength(2);
  });

  test('shows pictures where it has them, and leaves out what is not drawn here', async () => {
    const photos = { type: 'raster', tiles: [`http://${at}/fine/{z}/{x}/{y}.png`], tileSize: 256, maxzoom: 0 };
    const layers = [
      { ...background, paint: { 'background-color': 'black' } },
      { id: 'photos', type: 'raster', source: 'photos', paint: { 'raster-opacity': 0.5 } },
      { ...land, paint: { 'fill-pattern': 'grass' } },
      { ...land, id: 'towers', type: 'fill-extrusion', paint: {} },
      { id: 'hills', type: 'hillshade', source: 'heights' },
      { ...land, id: 'odd', paint: { 'fill-color': ['of-another-day', 1] } },
    ];
    documents['photos.json'] = JSON.stringify({ version: 8, sources: { ...sources, photos }, layers });
    const kit = await kitOf([style('photos.json')]);
    heard.splice(0);
    const picture = await drawn(kit);
    expect([picture.credit, kit.said]).toEqual(['© Somebody', []]);
    expect([picture.pixel(100, 160), picture.pixel(400, 160)]).toEqual(['#800000', '#000080']);
    expect(heard.some(({ pathname }) => pathname.startsWith('/vectors'))).toBe(false);
  });

  test.each([
    ['words', 'no style at all', 'is no MapLibre style'],
    ['old', { version: 7, layers: [] }, 'is no MapLibre style'],
    ['empty', { version: 8, sources, layers: [{ ...land, type: 'fill-extrusion' }] }, 'nothing can be drawn'],
    [
      'untiled',
      { version: 8, sources: { world: { type: 'vector', url: 'nowhere' } }, layers: [land] },
      'names no tiles',
    ],
    [
      'stranger',
      {
        version: 8,
        sources: { world: { type: 'vector', tiles: ['http://elsewhere.example/{z}/{x}/{y}'] } },
        layers: [land],
      },
      'neither its url nor its origins name',
    ],
    [
      'pictures',
      { version: 8, sources: { world: { type: 'vector', tiles: ['../words/{z}/{x}/{y}'] } }, layers: [land] },
      'cannot be read',
    ],
  ])('that is %s leaves the packaged map, and the log says why', async (name, document, why) => {
    documents[name] = typeof document === 'string' ? document : JSON.stringify(document);
    const kit = await kitOf([style(name)]);
    const picture = await drawn(kit);
    expect([picture.credit, picture.pixel(100, 160)]).toEqual([undefined, '#000000']);
    expect(kit.said[0]).toContain(why);
  });

  test('of hundreds of layers upon crowded tiles is given up, and leaves nothing behind', async () => {
    const layers = Array.from({ length: 400 }, (_, i) => ({ ...land, id: `l${i}`, filter: ['!=', 'kind', 'wet'] }));
    const world = { type: 'vector', tiles: [`http://${at}/crowded/{z}/{x}/{y}`], maxzoom: 0 };
    documents['crowded.json'] = JSON.stringify({ version: 8, sources: { world }, layers: [background, ...layers] });
    const kit = await kitOf([style('crowded.json')]);
    const picture = await drawn(kit);
    expect([picture.credit, picture.pixel(400, 160)]).toEqual([undefined, '#000000']);
    expect(kit.said[0]).toContain('too much to draw');
  });

  test('counts rows from the south where it says so', async () => {
    const world = {
      type: 'vector',
      scheme: 'tms',
      tiles: [`http://${at}/vectors/{z}/{x}/{y}`],
      minzoom: 1,
      maxzoom: 1,
    };
    documents['south.json'] = JSON.stringify({ version: 8, sources: { world }, layers: [land] });
    heard.splice(0);
    await drawn(await kitOf([style('south.json')]), [0, 60, 10, 65]);
    expect(heard.map(({ pathname }) => pathname)).toContain('/vectors/1/1/1');
  });
});

test('a vector archive is drawn in its style, names once', async () => {
  const tile = Buffer.concat([
    // Beyond its edges, as tiles are: nothing of it may be seen in the neighbour.
    layer('earth', box(-100, 1024, 2048, 2048)),
    layer('water', box(200, 1400, 600, 600)),
    layer('boundaries', {
      kind: 'lines',
      lines: [
        [
          [0, 3000],
          [4096, 3000],
        ],
      ],
    }),
    layer('places', { kind: 'points', points: [[3000, 2000]] }, [['name', { type: 'text', text: 'Oslo' }]]),
  ]);
  const path = join(folder, 'streets.pmtiles');
  const layers = ['earth', 'water', 'boundaries', 'places'].map((id) => ({ id }));
  writeFileSync(path, archive(1, new Map([[tileNumber(0, 0, 0), gzipSync(tile)]]), { vector_layers: layers }, 0));
  const setting: BasemapSetting = {
    ...named,
    id: 'tiles',
    type: 'pmtiles',
    tileSize: 256,
    place: { kind: 'disk', path },
    isDefault: true,
  };
  const kit = await kitOf([setting]);
  const picture = await drawn(kit, WORLD, { id: undefined, isOwnAlone: true });
  expect([picture.credit, kit.said]).toEqual(['© Somebody', []]);
  // 480 pixels are 4096 units; the picture begins 80 pixels below the top of the world.
  const unit = (x: number, y: number): string =>
    picture.pixel(Math.round((x / 4096) * 480), Math.round((y / 4096) * 480) - 80);
  expect([unit(1200, 1200), unit(500, 1700), unit(3900, 1200)]).toEqual(['#f3f1ec', '#c5dbe8', '#c5dbe8']);
  const around = picture.canvas.getContext('2d').getImageData(330, 135, 44, 40).data;
  expect(around.some((value, i) => i % 4 === 0 && value < 100)).toBe(true);
});

test('an archive of pictures, and one that is broken', async () => {
  const [photos, broken] = [join(folder, 'photos.pmtiles'), join(folder, 'broken.pmtiles')];
  writeFileSync(photos, archive(2, new Map([[tileNumber(0, 0, 0), halves(256)]]), {}, 0));
  writeFileSync(
    broken,
    archive(
      1,
      new Map([[tileNumber(0, 0, 0), gzipSync(Buffer.from('no tile'))]]),
      { vector_layers: [{ id: 'earth' }] },
      0,
    ),
  );
  const of = (id: string, path: string): BasemapSetting => ({
    ...named,
    id,
    type: 'pmtiles',
    tileSize: 256,
    place: { kind: 'disk', path },
  });
  const kit = await kitOf([of('photos', photos), of('broken', broken), of('gone', join(folder, 'gone.pmtiles'))]);
  const picture = await drawn(kit, WORLD, { id: 'photos', isOwnAlone: false });
  expect([picture.credit, picture.pixel(100, 160), picture.pixel(400, 160)]).toEqual([
    '© Somebody',
    '#ff0000',
    '#0000ff',
  ]);
  for (const id of ['broken', 'gone']) {
    const left = await drawn(kit, WORLD, { id, isOwnAlone: false });
    expect([left.credit, left.pixel(100, 160)], id).toEqual([undefined, '#000000']);
  }
  expect(kit.said).toHaveLength(2);
});
