// Clients that people have, against one running portal: each reads, and writes where it can. What was tried, and with which limits, is in
// docs/clients.md. Clients of which no package can be had here are tried by the requests that they send.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type StyleSpecification, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { PostgrestClient } from '@supabase/postgrest-js';
import { createClient } from '@supabase/supabase-js';
import GeoJSON from 'ol/format/GeoJSON.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, type PortalProgram, until } from '../browser/portal-program.ts';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { missing, PYTHON } from '../testkit/machine.ts';
import { type Client, clientOf, rasterForm, shapefileForm, startForClients } from './client-kit.ts';

let portal: PortalProgram;
let visitor: Client;
let ada: Client;
let token: string;
let folder: string;

/** Node 20 has no WebSocket, which supabase-js wants to begin with; nothing here opens one. */
class NoSocket {
  constructor() {
    throw new Error('no socket is opened here');
  }
}

const OPEN = JSON.stringify({ groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'survest-field-'));
  portal = await startForClients();
  [visitor, ada] = [clientOf(portal), clientOf(portal, 'ada')];
  for (const form of [
    shapefileForm('parcels', { dataset_title: 'Parcels', permissions: OPEN }),
    rasterForm('heights', { dataset_title: 'Heights', permissions: OPEN }),
  ]) {
    const sent = await ada.send('POST', '/api/v2/uploads/upload/', form);
    const execution: string = sent.json.execution_id;
    let status = '';
    await until(async () => {
      status = (await ada.get(`/api/v2/executionrequest/${execution}`)).json.request.status;
      return status === 'finished' || status === 'failed';
    });
    expect(status).toBe('finished');
  }
  token = (await ada.send('POST', '/account/token')).json.access_token;
});

afterAll(async () => {
  await portal?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  const more = { GDAL_HTTP_TIMEOUT: '60', XDG_CACHE_HOME: folder, HOME: folder, ...env };
  const { stdout } = await promisify(execFile)(program, [...args], {
    cwd: folder,
    env: { ...process.env, ...more },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
};
const script = (name: string, ...args: readonly string[]): Promise<string> =>
  run(name.endsWith('.py') ? PYTHON : process.execPath, [join(import.meta.dirname, 'field', name), ...args]);
const namesOf = async (): Promise<readonly string[]> => {
  const { json } = await visitor.get('/ogc/collections/parcels/items?limit=100');
  return (json.features as { properties: { name: string } }[]).map(({ properties }) => properties.name).sort();
};
const removed = async (name: string): Promise<void> => {
  const reply = await fetch(`${portal.url}/rest/v1/parcels?name=eq.${name}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(reply.status).toBe(204);
};

describeNeeding(missing('gdal'), 'GDAL', () => {
  test.each([
    ['OGC API Features', () => [`OAPIF:${portal.url}/ogc`, 'parcels']],
    ['WFS 2.0', () => [`WFS:${portal.url}/wfs?version=2.0.0`, 'portal:parcels']],
    ['WFS 1.1', () => [`WFS:${portal.url}/wfs?version=1.1.0`, 'portal:parcels']],
  ] as const)('reads features by %s, with a filter that the server computes', async (_how, source) => {
    const [from = '', layer = ''] = source();
    const text = await run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', from, layer, '-where', `"name" = 'two'`]);
    const { features } = JSON.parse(text) as { features: { properties: { name: string; value: number } }[] };
    expect(features.map(({ properties }) => [properties.name, properties.value])).toEqual([['two', 2]]);
  });

  test('writes by WFS transactions', async () => {
    const square = (x: number) => [
      [x, 50],
      [x + 1, 50],
      [x + 1, 51],
      [x, 51],
      [x, 50],
    ];
    writeFileSync(
      join(folder, 'more.geojson'),
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: { name: 'by-gdal', value: 3 },
            geometry: { type: 'MultiPolygon', coordinates: [[square(1)]] },
          },
        ],
      }),
    );
    await run('ogr2ogr', ['-append', `WFS:${portal.url}/wfs?version=1.1.0`, 'more.geojson', '-nln', 'portal:parcels'], {
      GDAL_HTTP_USERPWD: `ada:${PASSWORD}`,
    });
    expect(await namesOf()).toContain('by-gdal');
    await removed('by-gdal');
  });

  test('reads rasters by WCS, WMS and STAC', async () => {
    type Info = { size: number[]; bands: { type: string }[]; geoTransform?: number[] };
    const info = async (source: string): Promise<Info> => JSON.parse(await run('gdalinfo', ['-json', source])) as Info;
    for (const version of ['2.0.1', '1.1.1', '1.0.0'])
      expect(await info(`WCS:${portal.url}/wcs?version=${version}&coverage=heights`)).toMatchObject({ size: [4, 2] });
    const stac = await info(`STACIT:"${portal.url}/stac/search?limit=10":asset=data`);
    expect(stac).toMatchObject({ size: [4, 2], bands: [{ type: 'UInt16' }], geoTransform: [5, 1, 0, 47, 0, -1] });
    const grid = await run('gdal_translate', [
      '-q',
      '-of',
      'XYZ',
      `STACIT:"${portal.url}/stac/search":asset=data`,
      '/vsistdout/',
    ]);
    const values = grid
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[2]));
    expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const wmts = await run('gdalinfo', [
      `WMTS:${portal.url}/wmts?service=WMTS&request=GetCapabilities,layer=portal:parcels`,
    ]);
    expect(wmts).toContain('EPSG');
  });
});

describeNeeding(missing('owslib'), 'OWSLib', () => {
  test('reads every OGC service', async () => {
    expect(JSON.parse(await script('read_with_owslib.py', portal.url))).toMatchObject({
      wms: expect.arrayContaining(['portal:parcels', 'portal:heights']),
      picture: 'PNG',
      wfs: ['portal:parcels'],
      features: ['one', 'two'],
      wmts: expect.arrayContaining(['portal:parcels']),
      wcs: ['portal__heights'],
      csw: ['Heights', 'Parcels'],
      items: 2,
    });
  });
});

test('ogc-client reads collections, records, feature types and layers', async () => {
  const said = JSON.parse(await script('ogc-client.mjs', portal.url));
  expect(said).toMatchObject({
    collections: expect.arrayContaining(['parcels']),
    styles: true,
    hasRecords: true,
    feature: expect.stringMatching(/^(one|two)$/),
    wfs: ['portal:parcels'],
    columns: expect.arrayContaining(['name', 'value']),
    wms: expect.arrayContaining(['portal:parcels', 'portal:heights']),
    wmts: expect.arrayContaining(['portal:parcels']),
  });
  expect((await visitor.get(said.items)).json.features).toHaveLength(2);
});

test('apache-arrow reads rows with their types', async () => {
  const said = JSON.parse(
    await script('apache-arrow.mjs', `${portal.url}/rest/v1/parcels?select=fid,name,value&order=fid`),
  );
  expect(said).toMatchObject({ rows: 2, columns: { name: 'Utf8' }, names: ['one', 'two'] });
});

test('OpenLayers reads features of WFS, OGC API Features and downloads', async () => {
  for (const path of [
    '/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=portal:parcels&outputFormat=application/json',
    '/wfs?service=WFS&version=1.1.0&request=GetFeature&typeName=portal:parcels&outputFormat=application/json&bbox=0,40,20,60,EPSG:4326',
    '/ogc/collections/parcels/items?f=json',
  ]) {
    const read = new GeoJSON().readFeatures((await visitor.get(path)).json, { featureProjection: 'EPSG:3857' });
    expect([path, read.map((feature) => feature.get('name')).sort()]).toEqual([path, ['one', 'two']]);
  }
});

test('MapLibre takes the styles of layers', async () => {
  const { json } = await visitor.get('/ogc/styles');
  const links = (json.styles as { links: { rel: string; type?: string; href: string }[] }[]).flatMap(
    ({ links }) => links,
  );
  const styles = links.filter(({ rel, type }) => rel === 'stylesheet' && type?.includes('mapbox'));
  expect(styles.length).toBeGreaterThan(0);
  for (const { href } of styles) {
    const style = (await visitor.get(href)).json as StyleSpecification;
    expect(validateStyleMin(style)).toEqual([]);
    for (const source of Object.values(style.sources))
      if (source.type === 'vector' && 'url' in source && source.url !== undefined) {
        const tiles = (await visitor.get(source.url)).json as { tiles: string[] };
        const [first = ''] = tiles.tiles;
        expect((await visitor.get(first.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0'))).status).toBe(200);
      }
  }
});

test('postgrest-js reads, counts and embeds', async () => {
  const client = new PostgrestClient(`${portal.url}/rest/v1`);
  const { data, count, error } = await client
    .from('parcels')
    .select('name,value', { count: 'exact' })
    .gt('value', 0)
    .order('value')
    .range(0, 0);
  expect({ data, count, error }).toEqual({ data: [{ name: 'one', value: 1 }], count: 2, error: null });
});

test('supabase-js reads, inserts, updates and deletes with a token of the portal', async () => {
  const client = createClient(portal.url, 'sb_publishable_key', {
    accessToken: async () => token,
    realtime: { transport: NoSocket as never },
  });
  const made = await client.from('parcels').insert({ name: 'by-supabase', value: 7 }).select('name,value').single();
  expect([made.error, made.data]).toEqual([null, { name: 'by-supabase', value: 7 }]);
  const changed = await client.from('parcels').update({ value: 8 }).eq('name', 'by-supabase').select('value');
  expect(changed.data).toEqual([{ value: 8 }]);
  expect((await client.from('parcels').delete().eq('name', 'by-supabase')).status).toBe(204);
  expect(await namesOf()).toEqual(['one', 'two']);
});

describe('clients by the requests that they send', () => {
  test.each([
    [
      'Leaflet',
      '/wms?service=WMS&request=GetMap&layers=portal%3Aparcels&styles=&format=image%2Fjpeg&transparent=false&version=1.1.1&width=256&height=256&srs=EPSG%3A3857&bbox=0,5009377,1252344,6261721',
      /^image\/jpeg/,
    ],
    [
      'Cesium (WMS)',
      '/wms?styles=&transparent=true&format=image%2Fpng&service=WMS&version=1.1.1&request=GetMap&layers=parcels&srs=EPSG%3A4326&bbox=0%2C45%2C11.25%2C56.25&width=256&height=256',
      /^image\/png/,
    ],
    [
      'Cesium (WMTS)',
      '/wmts?tilematrix=3&layer=portal%3Aparcels&style=&tilerow=2&tilecol=4&tilematrixset=WebMercatorQuad&format=image%2Fpng&service=WMTS&version=1.0.0&request=GetTile',
      /^image\/png/,
    ],
    ['Cesium (TMS)', '/geoserver/gwc/service/tms/1.0.0/portal:parcels@EPSG:900913@png/1/1/1.png', /^image\/png/],
    ['pandas', '/rest/v1/parcels?select=name,value', /^application\/json/],
    ['geopandas', '/ogc/collections/parcels/items?f=json&limit=1000', /^application\/geo\+json/],
    ['pystac-client', '/stac', /^application\/json/],
  ])('%s', async (_client, path, type) => {
    const reply = await visitor.get(path);
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
    expect(reply.type).toMatch(type);
  });

  test('pystac-client searches by POST and reads the items', async () => {
    const headers = { Accept: 'application/geo+json' };
    const { json } = await visitor.send('POST', '/stac/search', { limit: 100, collections: ['rasters'] }, headers);
    const [item] = json.features;
    for (const link of ['self', 'collection', 'root', 'parent'])
      expect(item.links.map(({ rel }: { rel: string }) => rel)).toContain(link);
    expect(item).toMatchObject({
      type: 'Feature',
      stac_version: '1.0.0',
      bbox: [5, 45, 9, 47],
      properties: { datetime: expect.any(String), 'proj:epsg': 4326 },
      assets: {
        data: {
          roles: ['data'],
          'proj:shape': [2, 4],
          'proj:transform': [1, 0, 5, 0, -1, 47],
          'raster:bands': [{ data_type: 'uint16' }],
        },
      },
    });
  });

  test('postgrest-py names the schema "public" with every request', async () => {
    const headers = { 'Accept-Profile': 'public', Prefer: 'count=exact' };
    const reply = await fetch(`${portal.url}/rest/v1/parcels?select=*&limit=1`, { headers });
    expect([reply.status, reply.headers.get('content-range')]).toEqual([206, '0-0/2']);
  });

  test('ra-data-postgrest pages by Range and wants the representation', async () => {
    const list = await fetch(`${portal.url}/rest/v1/parcels?order=fid.desc&offset=0&limit=10`, {
      headers: { Prefer: 'count=exact', Accept: 'application/json' },
    });
    expect([list.status, list.headers.get('content-range')]).toEqual([200, '0-1/2']);
    const made = await fetch(`${portal.url}/rest/v1/parcels`, {
      method: 'POST',
      body: JSON.stringify({ name: 'by-ra', value: 1 }),
      headers: {
        Accept: 'application/vnd.pgrst.object+json',
        Prefer: 'return=representation',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
      },
    });
    expect([made.status, await made.json()]).toMatchObject([201, { name: 'by-ra' }]);
    await removed('by-ra');
  });
});
