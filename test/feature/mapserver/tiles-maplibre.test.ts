// MapLibre in a browser draws our tiles: the colours are where the features are.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers } from './layer-kit.ts';
import { isNear, pictureOf } from './picture.ts';

const DIST = dirname(createRequire(import.meta.url).resolve('maplibre-gl/dist/maplibre-gl.css'));

const PAGE = (address: string): string => `<!doctype html><html><body style="margin:0">
<div id="map" style="width:512px;height:512px"></div>
<script type="module">
import * as maplibregl from '/maplibre/maplibre-gl.mjs';
const map = new maplibregl.Map({ container: 'map', center: [0, 0], zoom: 1, attributionControl: false, fadeDuration: 0,
  canvasContextAttributes: { preserveDrawingBuffer: true },
  style: { version: 8, sources: { data: { type: 'vector', url: '${address}/tiles/squares,spots.json' } },
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': '#ffffff' } },
      { id: 'squares', type: 'fill', source: 'data', 'source-layer': 'squares', paint: { 'fill-color': ['match', ['get', 'name'], 'north', '#ff0000', '#0000ff'], 'fill-antialias': false } },
      { id: 'spots', type: 'circle', source: 'data', 'source-layer': 'spots', paint: { 'circle-color': '#00ff00', 'circle-radius': 12 } }] } });
map.on('idle', () => { document.title = 'drawn'; });
map.on('error', (event) => { document.title = 'error ' + event.error.message; });
</script></body></html>`;

/** Squares in a row: of the lowest class, of the highest, without a value, and of what is no number. */
const VALUED_COLUMNS = 'n double precision, big bigint';
const VALUED_ROWS = `insert into $table (n, big, geom) select n, big, st_makeenvelope(west, -20, west + 30, 20, 4326)
  from (values (1::float8, 1, -60), (9, 9007199254740993, -30), (null, null, 0), ('NaN', null, 30)) v (n, big, west)`;
const CENTRES = [-45, -15, 15, 45].map((longitude) => [Math.round(256 + (longitude / 360) * 1024), 256] as const);

const VALUED = (address: string, style: string): string => `<!doctype html><html><body style="margin:0">
<div id="map" style="width:512px;height:512px"></div>
<script type="module">
import * as maplibregl from '/maplibre/maplibre-gl.mjs';
const map = new maplibregl.Map({ container: 'map', center: [0, 0], zoom: 1, attributionControl: false, fadeDuration: 0,
  canvasContextAttributes: { preserveDrawingBuffer: true }, style: '${address}/styles/valued/${style}.json' });
map.on('idle', () => { document.title = 'drawn'; });
map.on('error', (event) => { document.title = 'error ' + event.error.message; });
</script></body></html>`;

/** The style document as it is given out: tiles, letters and marks come from the addresses in it. */
const STYLED = (address: string): string => `<!doctype html><html><body style="margin:0">
<div id="map" style="width:512px;height:512px"></div>
<script type="module">
import * as maplibregl from '/maplibre/maplibre-gl.mjs';
const map = new maplibregl.Map({ container: 'map', center: [0, 0], zoom: 1, attributionControl: false, fadeDuration: 0,
  canvasContextAttributes: { preserveDrawingBuffer: true }, style: '${address}/styles/spots/labelled.json' });
map.on('idle', () => { document.title = 'drawn'; });
map.on('error', (event) => { document.title = 'error ' + event.error.message; });
</script></body></html>`;

function nameOfColour([red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]): string {
  if (alpha < 10) return 'none';
  if (isNear([red, green, blue], [255, 0, 0])) return 'red';
  if (isNear([red, green, blue], [0, 0, 255])) return 'blue';
  return isNear([red, green, blue], [0xb0, 0xb0, 0xb0]) ? 'grey' : `${red} ${green} ${blue}`;
}

onLayers('MapLibre', { engines: ['postgres'] }, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'squares',
      columns: 'name text',
      geometry: 'Polygon',
      rows: `insert into $table (name, geom) values ('north', st_makeenvelope(-40, 10, 40, 50, 4326)), ('south', st_makeenvelope(-40, -50, 40, -10, 4326))`,
    });
    await makeLayer(kit(), {
      name: 'spots',
      geometry: 'Point',
      columns: 'name text',
      rows: `insert into $table (name, geom) values ('Größe', st_setsrid(st_makepoint(0, 0), 4326))`,
    });
    await makeLayer(kit(), { name: 'valued', columns: VALUED_COLUMNS, geometry: 'Polygon', rows: VALUED_ROWS });
    const style = [
      {
        id: 'words',
        type: 'symbol',
        layout: {
          'text-field': ['get', 'name'],
          'text-size': 40,
          'text-anchor': 'bottom',
          'text-allow-overlap': true,
          'text-font': ['Noto Sans Bold'],
        },
        paint: { 'text-color': '#ff0000' },
      },
      {
        id: 'marks',
        type: 'symbol',
        layout: { 'icon-image': 'star', 'icon-size': 2, 'icon-anchor': 'top', 'icon-allow-overlap': true },
        paint: { 'icon-color': '#0000ff' },
      },
    ];
    const styled = await kit().portal.as('ada').put('/styles/spots/labelled.json', style);
    expect([styled.status, textOf(styled.body)]).toEqual([201, expect.anything()]);
  });

  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
      timeout: 120_000,
    });
  });
  afterAll(() => browser?.close());

  /** A page with a map that is drawn, and the addresses it asked for. */
  const draw = async (html: (address: string) => string): Promise<{ page: Page; asked: string[] }> => {
    const address = await kit().address();
    const page = await browser?.newPage({ viewport: { width: 512, height: 512 } });
    if (page === undefined) throw new Error('there is no browser');
    const asked: string[] = [];
    page.on('response', (response) => asked.push(`${response.status()} ${new URL(response.url()).pathname}`));
    await page.route('**/maplibre/**', async (route) => {
      const name = new URL(route.request().url()).pathname.replace('/maplibre/', '');
      await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(DIST, name)) });
    });
    await page.route('**/map.html', (route) => route.fulfill({ contentType: 'text/html', body: html(address) }));
    await page.goto(`${address}/map.html`);
    await page.waitForFunction('document.title !== ""', undefined, { timeout: 100_000 });
    expect(await page.title()).toBe('drawn');
    return { page, asked };
  };

  test('areas and points in one tile are drawn in their colours', async () => {
    const { page } = await draw(PAGE);
    const colours = await page.evaluate(`(() => {
        const canvas = document.createElement('canvas');
        const map = document.querySelector('canvas');
        canvas.width = 512; canvas.height = 512;
        const context = canvas.getContext('2d');
        context.drawImage(map, 0, 0, 512, 512);
        return [[256, 180], [256, 330], [256, 256], [60, 256]].map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
      })()`);
    expect(colours).toEqual([
      [255, 0, 0],
      [0, 0, 255],
      [0, 255, 0],
      [255, 255, 255],
    ]);
  });

  const classes = (column: string, input: unknown): unknown => [
    'case',
    ['has', column],
    ['step', input, '#ff0000', 5, '#0000ff'],
    '#b0b0b0',
  ];
  test.each<[string, unknown, unknown, readonly string[]]>([
    ['classes', classes('n', ['to-number', ['get', 'n']]), undefined, ['red', 'blue', 'grey', 'grey']],
    [
      'classes of earlier versions',
      ['step', ['to-number', ['get', 'n'], 0], '#ff0000', 5, '#0000ff'],
      undefined,
      ['red', 'blue', 'grey', 'grey'],
    ],
    ['large numbers', classes('big', ['to-number', ['get', 'big']]), undefined, ['red', 'blue', 'grey', 'grey']],
    [
      'hidden ones',
      ['step', ['to-number', ['get', 'n']], '#ff0000', 5, '#0000ff'],
      ['has', 'n'],
      ['red', 'blue', 'none', 'none'],
    ],
    [
      'categories',
      ['case', ['has', 'n'], ['match', ['to-string', ['get', 'n']], '1', '#ff0000', '#0000ff'], '#b0b0b0'],
      undefined,
      ['red', 'blue', 'grey', 'grey'],
    ],
  ])('features without a value: %s, the same in MapLibre and in our pictures', async (name, colour, filter, wanted) => {
    const id = name.replaceAll(' ', '-');
    const style = [
      {
        id: 'fill',
        type: 'fill',
        paint: { 'fill-color': colour, 'fill-antialias': false },
        ...(filter === undefined ? {} : { filter }),
      },
    ];
    const saved = await kit().portal.as('ada').put(`/styles/valued/${id}.json`, style);
    expect([saved.status, textOf(saved.body)]).toEqual([201, expect.anything()]);
    const { page } = await draw((address) => VALUED(address, id));
    const drawn = (await page.evaluate(`(() => {
        const canvas = document.createElement('canvas');
        canvas.width = 512; canvas.height = 512;
        const context = canvas.getContext('2d');
        context.drawImage(document.querySelector('canvas'), 0, 0, 512, 512);
        return ${JSON.stringify(CENTRES)}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
      })()`)) as readonly (readonly number[])[];
    const edge = 20_037_508.342789244 / 2;
    const picture = await pictureOf(
      await kit()
        .portal.as('ada')
        .get(
          `/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=valued&STYLES=${id}&SRS=EPSG:3857&BBOX=${[-edge, -edge, edge, edge]}&WIDTH=512&HEIGHT=512&FORMAT=image/png&TRANSPARENT=TRUE`,
        ),
    );
    expect(drawn.map(nameOfColour)).toEqual(wanted);
    expect(CENTRES.map(([x, y]) => nameOfColour(picture.at(x, y)))).toEqual(wanted);
  });

  test('a style document draws letters and marks with its own glyphs and sprite', async () => {
    const { page, asked } = await draw(STYLED);
    expect(asked).toContain('200 /fonts/Noto%20Sans%20Bold/0-255.pbf');
    expect(asked.some((one) => /^200 \/sprites\/marks(?:@2x)?\.png$/.test(one))).toBe(true);
    // Words in red above the point, a mark in blue below it.
    const [above, below] = (await page.evaluate(`(() => {
        const canvas = document.createElement('canvas');
        canvas.width = 512; canvas.height = 512;
        const context = canvas.getContext('2d');
        context.drawImage(document.querySelector('canvas'), 0, 0, 512, 512);
        const count = (top, channel) => {
          const { data } = context.getImageData(0, top, 512, 256);
          let found = 0;
          for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + channel] > 200 && data[i + 2 - channel] < 60) found += 1;
          return found;
        };
        return [count(0, 0), count(256, 2)];
      })()`)) as [number, number];
    expect(above).toBeGreaterThan(200);
    expect(below).toBeGreaterThan(100);
  });
});
