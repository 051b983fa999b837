import { expect, test } from 'vitest';
import type { BasemapSetting } from '../../layer-ports/basemap.ts';
import { describeBasemap, originsOf } from './describe-basemap.ts';

const named = {
  id: 'it',
  title: 'It',
  attribution: '© Somebody',
  attributionUrl: 'https://example.org/about',
  isDefault: false,
  origins: [],
} as const;
const zooms = { minzoom: 0, maxzoom: 18 } as const;
const wmts = {
  ...named,
  ...zooms,
  type: 'wmts',
  layer: 'a b',
  style: 'default',
  matrixSet: 'GoogleMapsCompatible',
  format: 'image/png',
  tileSize: 256,
} as const;

function tilesOf(setting: Exclude<BasemapSetting, { readonly type: 'pmtiles' }>): readonly string[] {
  const told = describeBasemap(setting);
  return told.kind === 'raster' ? told.tiles : [];
}

test('a style is told by its address, in the light and in the dark', () => {
  const told = describeBasemap({ ...named, type: 'style', url: 'https://a.org/s.json', dark: 'https://b.org/d.json' });
  expect(told).toEqual({
    id: 'it',
    title: 'It',
    attribution: '© Somebody',
    attribution_url: 'https://example.org/about',
    sites: ['https://a.org', 'https://b.org'],
    kind: 'style',
    style: 'https://a.org/s.json',
    dark_style: 'https://b.org/d.json',
  });
});

test('tiles by z, x and y are told as they are', () => {
  const urls = ['https://a.org/{z}/{x}/{y}.png', 'https://b.org/{z}/{x}/{y}.png'];
  expect(describeBasemap({ ...named, ...zooms, type: 'xyz', urls, tileSize: 512 })).toMatchObject({
    kind: 'raster',
    tiles: urls,
    tile_size: 512,
    minzoom: 0,
    maxzoom: 18,
    bounds: null,
  });
});

test('a WMTS is an address with z, x and y, by its template or by parameters', () => {
  expect(
    tilesOf({ ...wmts, url: 'https://a.org/{Layer}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png' }),
  ).toEqual(['https://a.org/a%20b/GoogleMapsCompatible/{z}/{y}/{x}.png']);
  expect(tilesOf({ ...wmts, url: 'https://a.org/wmts?map=1' })).toEqual([
    'https://a.org/wmts?map=1&SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=a%20b&STYLE=default&TILEMATRIXSET=GoogleMapsCompatible&FORMAT=image%2Fpng&TILEMATRIX={z}&TILEROW={y}&TILECOL={x}',
  ]);
});

test('a WMS is an address with a box, in the words of its version', () => {
  const wms = {
    ...named,
    ...zooms,
    type: 'wms',
    url: 'https://a.org/wms?',
    layers: 'x',
    styles: '',
    format: 'image/jpeg',
    tileSize: 256,
  } as const;
  expect(tilesOf({ ...wms, version: '1.3.0' })).toEqual([
    'https://a.org/wms?SERVICE=WMS&REQUEST=GetMap&VERSION=1.3.0&LAYERS=x&STYLES=&CRS=EPSG%3A3857&FORMAT=image%2Fjpeg&WIDTH=256&HEIGHT=256&BBOX={bbox-epsg-3857}',
  ]);
  expect(tilesOf({ ...wms, version: '1.1.1' })[0]).toContain('&SRS=EPSG%3A3857&');
});

test('the sites of a basemap are those of its addresses and those that are named besides', () => {
  expect(
    originsOf({
      ...named,
      type: 'style',
      url: 'https://a.org:8443/s.json',
      dark: 'https://a.org:8443/d.json',
      origins: ['https://tiles.b.org/any/path'],
    }),
  ).toEqual(['https://a.org:8443', 'https://tiles.b.org']);
  expect(originsOf({ ...named, type: 'style', url: '/own/style.json', dark: undefined })).toEqual([]);
});
