// MapLibre in a browser draws our tiles: the colours are where the features are.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { makeLayer, onLayers } from './layer-kit.ts';

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
      rows: `insert into $table (geom) values (st_setsrid(st_makepoint(0, 0), 4326))`,
    });
  });

  test('areas and points in one tile are drawn in their colours', async () => {
    const address = await kit().address();
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 512, height: 512 } });
      await page.route('**/maplibre/**', async (route) => {
        const name = new URL(route.request().url()).pathname.replace('/maplibre/', '');
        await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(DIST, name)) });
      });
      await page.route('**/map.html', (route) => route.fulfill({ contentType: 'text/html', body: PAGE(address) }));
      await page.goto(`${address}/map.html`);
      await page.waitForFunction('document.title !== ""', undefined, { timeout: 60_000 });
      expect(await page.title()).toBe('drawn');
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
    } finally {
      await browser.close();
    }
  }, 120_000);
});
