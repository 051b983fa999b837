// OpenLayers in a browser, on a page of another site: it reads maps, tiles and features by every service it knows, asks what lies at a
// place, and edits by WFS-T in all three versions.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD } from '../../testkit/portal-client.ts';
import { makeLayer, onLayers } from './layer-kit.ts';

const OL = join(dirname(createRequire(import.meta.url).resolve('ol/package.json')), 'dist/ol.js');

/** What the tests below run in the page. */
const HELPERS = `
const types = { featureNS: 'urn:survest:layers', featurePrefix: 'portal' };
async function answer(url, options) {
  const reply = await fetch(url, options);
  const text = await reply.text();
  if (!reply.ok) throw new Error(reply.status + ' ' + text);
  return text;
}
const xml = (node) => new XMLSerializer().serializeToString(node);
/** Some sources load a description first. */
function ready(source) {
  if (source.getState() !== 'loading') return source;
  return new Promise((resolve, reject) => {
    source.on('change', () => {
      if (source.getState() === 'ready') resolve(source);
      if (source.getState() === 'error') reject(source.getError?.() ?? new Error('the description cannot be read'));
    });
  });
}
/** Colours of the finished map, at places in pixels. */
async function colours(layers, places) {
  const target = document.createElement('div');
  target.style = 'width:256px;height:256px';
  document.body.replaceChildren(target);
  for (const layer of layers) await ready(layer.getSource());
  const view = new ol.View({ center: [0, 0], resolution: 156543.03392804097, multiWorld: true });
  const map = new ol.Map({ target, layers, view, controls: [], pixelRatio: 1 });
  return new Promise((resolve, reject) => {
    for (const layer of layers)
      for (const kind of ['tileloaderror', 'imageloaderror']) layer.getSource().on(kind, () => reject(new Error(kind)));
    map.once('rendercomplete', () => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 256;
      const context = canvas.getContext('2d');
      for (const drawn of target.querySelectorAll('canvas')) context.drawImage(drawn, 0, 0, 256, 256);
      resolve(places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].join()));
    });
  });
}
`;

/** North is red, south is blue, and beside them is nothing. */
const PLACES = '[[128, 100], [128, 156], [30, 128]]';
const DRAWN = ['255,0,0,255', '0,0,255,255', '0,0,0,0'];

onLayers('OpenLayers', { engines: ['postgres'] }, (kit) => {
  let browser: Browser | undefined;
  let page: Page | undefined;
  let site: Server | undefined;
  let address = '';

  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'squares',
      columns: 'name text',
      geometry: 'Polygon',
      rows: `insert into $table (name, geom) values ('north', st_makeenvelope(-40, 10, 40, 50, 4326)), ('south', st_makeenvelope(-40, -50, 40, -10, 4326))`,
    });
    await makeLayer(kit(), { name: 'spots', columns: 'name text, height integer', geometry: 'Point', rows: '' });
    const style = [
      {
        id: 'a',
        type: 'fill',
        paint: { 'fill-color': ['match', ['get', 'name'], 'north', '#ff0000', '#0000ff'], 'fill-antialias': false },
      },
    ];
    const styled = await kit().portal.as('ada').put('/styles/squares/colours.json?default=true', style);
    expect(styled.status).toBe(201);
    address = await kit().address();
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'], timeout: 120_000 });
    page = await browser.newPage();
    const html = `<!doctype html><script src="/ol.js"></script><script>${HELPERS}</script><body></body>`;
    const library = await readFile(OL);
    // Another port is another site.
    site = createServer(({ url }, reply) => {
      const isScript = url === '/ol.js';
      reply.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
      reply.end(isScript ? library : html);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/client.html`);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  const run = async <T>(script: string): Promise<T> => {
    const body = `const base = ${JSON.stringify(address)}; ${script}`;
    const done = await page?.evaluate(
      `(async () => { ${body} })().then((value) => ({ value }), (error) => ({ error: String(error) }))`,
    );
    const { value, error } = done as { value: T; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  };

  test.each([
    [
      'WMS as tiles',
      `new ol.layer.Tile({ source: new ol.source.TileWMS({ url: base + '/wms', params: { LAYERS: 'portal:squares' }, crossOrigin: '' }) })`,
    ],
    [
      'WMS 1.1.1 as a picture',
      `new ol.layer.Image({ source: new ol.source.ImageWMS({ url: base + '/wms', params: { LAYERS: 'squares', VERSION: '1.1.1' }, ratio: 1, crossOrigin: '' }) })`,
    ],
    [
      'tiles of pictures',
      `new ol.layer.Tile({ source: new ol.source.XYZ({ url: base + '/rastertiles/squares/{z}/{x}/{y}.png', crossOrigin: '' }) })`,
    ],
    [
      'map tiles of the OGC API',
      `new ol.layer.Tile({ source: new ol.source.OGCMapTile({ url: base + '/ogc/collections/squares/map/tiles/WebMercatorQuad', mediaType: 'image/png', crossOrigin: '' }) })`,
    ],
    [
      'WMTS by its capabilities',
      `new ol.layer.Tile({ source: new ol.source.WMTS({ ...ol.source.WMTS.optionsFromCapabilities(new ol.format.WMTSCapabilities().read(await answer(base + '/wmts?SERVICE=WMTS&REQUEST=GetCapabilities')), { layer: 'portal:squares', projection: 'EPSG:3857' }), crossOrigin: '' }) })`,
    ],
  ])('draws %s', async (_what, layer) => {
    expect(await run(`return colours([${layer}], ${PLACES})`)).toEqual(DRAWN);
  });

  const PAINT = `style: (feature) => new ol.style.Style({ fill: new ol.style.Fill({ color: feature.get('name') === 'north' ? '#ff0000' : '#0000ff' }) })`;
  const MVT = 'format: new ol.format.MVT()';
  test.each([
    [
      'vector tiles',
      `new ol.layer.VectorTile({ ${PAINT}, source: new ol.source.VectorTile({ ${MVT}, url: base + '/tiles/squares/{z}/{x}/{y}.mvt' }) })`,
    ],
    [
      'vector tiles of the OGC API',
      `new ol.layer.VectorTile({ ${PAINT}, source: new ol.source.OGCVectorTile({ ${MVT}, url: base + '/ogc/collections/squares/tiles/WebMercatorQuad' }) })`,
    ],
    [
      'features of the OGC API',
      `new ol.layer.Vector({ ${PAINT}, source: new ol.source.Vector({ format: new ol.format.GeoJSON(), url: base + '/ogc/collections/squares/items' }) })`,
    ],
    [
      'features by WFS as GeoJSON, box by box',
      `new ol.layer.Vector({ ${PAINT}, source: new ol.source.Vector({ format: new ol.format.GeoJSON(), strategy: ol.loadingstrategy.bbox, url: (box) => base + '/wfs?service=WFS&version=1.1.0&request=GetFeature&typename=portal:squares&outputFormat=application/json&srsname=EPSG:3857&bbox=' + box.join(',') + ',EPSG:3857' }) })`,
    ],
  ])('draws %s', async (_what, layer) => {
    expect(await run(`return colours([${layer}], ${PLACES})`)).toEqual(DRAWN);
  });

  test.each([
    ['1.0.0', 'EPSG:3857'],
    ['1.1.0', 'EPSG:3857'],
    ['2.0.0', 'EPSG:3857'],
    ['1.1.0', 'urn:ogc:def:crs:EPSG::4326'],
    ['2.0.0', 'urn:ogc:def:crs:EPSG::4326'],
  ])('asks for features by WFS %s in %s with a filter, as XML, and reads the GML', async (version, srsName) => {
    const read = await run<{ names: string[]; extent: number[] }>(`
      const format = new ol.format.WFS({ version: '${version}' });
      const asked = format.writeGetFeature({ ...types, featureTypes: ['squares'], srsName: '${srsName}',
        filter: ol.format.filter.and(ol.format.filter.like('name', 'n*'), ol.format.filter.bbox('geom', [-1e6, 2e6, 1e6, 3e6], 'EPSG:3857')) });
      const text = await answer(base + '/wfs', { method: 'POST', body: xml(asked) });
      const features = format.readFeatures(text, { dataProjection: '${srsName}', featureProjection: 'EPSG:4326' });
      return { names: features.map((one) => one.get('name')), extent: features[0].getGeometry().getExtent().map(Math.round) };`);
    expect(read).toEqual({ names: ['north'], extent: [-40, 10, 40, 50] });
  });

  test.each(['application/vnd.ogc.gml', 'application/json', 'text/html'])(
    'asks what lies at a place, as %s',
    async (format) => {
      const read = await run<{ text: string; names: string[] }>(`
        const source = new ol.source.TileWMS({ url: base + '/wms', params: { LAYERS: 'squares' } });
        const url = source.getFeatureInfoUrl([1e5, -3e6], 20000, 'EPSG:3857', { INFO_FORMAT: '${format}' });
        const text = await answer(url);
        const reader = { 'application/vnd.ogc.gml': ol.format.WMSGetFeatureInfo, 'application/json': ol.format.GeoJSON }['${format}'];
        return { text, names: reader === undefined ? [] : new reader().readFeatures(text).map((one) => one.get('name')) };`);
      expect(read.text).toContain('south');
      if (format !== 'text/html') expect(read.names).toEqual(['south']);
    },
  );

  beforeEach(() => kit().db.script('truncate layers.spots restart identity'));
  const spots = (): Promise<unknown> =>
    kit().db.query(
      `select name, height, public.st_astext(public.st_snaptogrid(geom, 0.0001)) as at from layers.spots order by fid`,
    );

  test.each([
    ['1.0.0', 'EPSG:3857', 'text/xml'],
    ['1.1.0', 'EPSG:3857', 'text/xml'],
    ['2.0.0', 'EPSG:3857', 'application/xml'],
    ['1.1.0', 'urn:ogc:def:crs:EPSG::4326', 'text/xml'],
    ['2.0.0', 'urn:ogc:def:crs:EPSG::4326', 'text/xml'],
  ])('inserts, changes, moves and deletes by WFS %s in %s', async (version, srsName, type) => {
    const edit = (script: string): Promise<{ ids: string[]; summary: unknown }> =>
      run(`
        const format = new ol.format.WFS({ version: '${version}' });
        const about = { ...types, featureType: 'spots', srsName: '${srsName}', version: '${version}', gmlOptions: { srsName: '${srsName}' } };
        const at = (x, y) => new ol.geom.Point([x, y]).transform('EPSG:4326', '${srsName}');
        const spot = (id, members, place) => {
          const feature = new ol.Feature({ ...members, ...(place === undefined ? {} : { geom: place }) });
          feature.setGeometryName('geom');
          if (id !== undefined) feature.setId(id);
          return feature;
        };
        const send = async (...changes) => {
          const node = format.writeTransaction(...changes, about);
          const text = await answer(base + '/wfs', { method: 'POST', body: xml(node),
            headers: { 'Content-Type': '${type}', Authorization: 'Basic ' + btoa(${JSON.stringify(`ada:${PASSWORD}`)}) } });
          const read = format.readTransactionResponse(text);
          return { ids: read?.insertIds ?? [], summary: read?.transactionSummary };
        };
        return ${script};`);
    const made = await edit(
      `await send([spot(undefined, { name: 'Köln & more', height: 53 }, at(7, 51)), spot(undefined, { name: 'two' }, at(8, 50))], [], [])`,
    );
    // It looks for ids where this version has them, alone.
    if (version === '1.1.0') expect(made.ids).toEqual(['spots.1', 'spots.2']);
    expect(await spots()).toEqual([
      { name: 'Köln & more', height: 53, at: 'POINT(7 51)' },
      { name: 'two', height: null, at: 'POINT(8 50)' },
    ]);
    const changed = await edit(
      `await send([], [spot('spots.1', { height: 54 }, at(-7.5, 51.5))], [spot('spots.2', {})])`,
    );
    if (version === '1.1.0') expect(changed.summary).toEqual({ totalInserted: 0, totalUpdated: 1, totalDeleted: 1 });
    expect(await spots()).toEqual([{ name: 'Köln & more', height: 54, at: 'POINT(-7.5 51.5)' }]);
  });
});
