import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import type { GeoJSON } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { describe, expect, test } from 'vitest';
import { PLAIN, toLayers } from '../lib/simple-style.ts';
import type { Drawn, Look } from './drawn.ts';
import { type Background, drawnBy, mapStyle } from './map-style.ts';

const OVERVIEW = { maxzoom: 9, pixels: 4, count: '_count' };
const BACKGROUND: Background = {
  basemap: { kind: 'world', isDark: false, tiles: 'https://x.example/{z}/{x}/{y}.mvt', language: 'de' },
  labels: true,
  sprite: 'https://x.example/marks',
};
const LOOKS: readonly Look[] = ['extents', 'chosen', 'measure', 'box', 'pins'];

function vector(more: Partial<Extract<Drawn, { kind: 'vector' }>> = {}): Drawn {
  return {
    kind: 'vector',
    id: 'a',
    tiles: 'https://x.example/{z}/{x}/{y}.mvt',
    sourceLayer: 'a',
    minzoom: 0,
    maxzoom: 14,
    bounds: [-200, -90, 200, 90],
    layers: toLayers({ ...PLAIN, label: 'name' }, 'mixed'),
    opacity: 1,
    visible: true,
    ...more,
  };
}

const complaints = (style: StyleSpecification): readonly string[] =>
  validateStyleMin(style).map(({ message }) => message);

describe('whatever is drawn, the style is one that MapLibre takes', () => {
  test.each(LOOKS)('%s', (look) => {
    const data: GeoJSON = { type: 'Point', coordinates: [0, 0] };
    expect(complaints(mapStyle([{ kind: 'shapes', id: 's', look, data }], BACKGROUND))).toEqual([]);
  });

  test.each([
    vector(),
    vector({ opacity: 0.5 }),
    vector({ visible: false }),
    vector({ filter: { map: ['==', ['get', 'a'], 1], cql: undefined } }),
  ])('a layer', (drawn) => {
    expect(complaints(mapStyle([drawn], { ...BACKGROUND, basemap: { kind: 'none', isDark: true } }))).toEqual([]);
  });

  test('a picture', () => {
    const picture: Drawn = {
      kind: 'picture',
      id: 'p',
      tiles: 'https://x.example/{z}/{x}/{y}.png',
      bounds: undefined,
      opacity: 0.5,
      visible: true,
    };
    expect(complaints(mapStyle([picture], BACKGROUND))).toEqual([]);
  });
});

test('a layer half seen has half the opacity, also where it follows the zoom', () => {
  const layers = [
    { id: 'x', type: 'line', paint: { 'line-opacity': ['interpolate', ['linear'], ['zoom'], 1, 0.4, 5, 1] } },
  ];
  const style = mapStyle([vector({ layers, opacity: 0.5 })], BACKGROUND);
  const found = style.layers.find(({ id }) => id === 'a/x');
  expect(found).toMatchObject({ paint: { 'line-opacity': ['interpolate', ['linear'], ['zoom'], 1, 0.2, 5, 0.5] } });
});

test('names stand above the symbols of all layers, and those of areas come from tiles of their own', () => {
  const labelTiles = 'https://x.example/labels/{z}/{x}/{y}.mvt';
  const style = mapStyle([vector({ labelTiles }), vector({ id: 'b' })], BACKGROUND);
  const ids = style.layers.map(({ id }) => id);
  expect(ids.indexOf('a/label')).toBeGreaterThan(ids.indexOf('b/circle'));
  expect(style.layers.find(({ id }) => id === 'a/label')).toMatchObject({ source: 'a/labels' });
  expect(style.layers.find(({ id }) => id === 'b/label')).toMatchObject({ source: 'b' });
  expect(style.sources['a/labels']).toMatchObject({ tiles: [labelTiles] });
  expect(style.sources['b/labels']).toBeUndefined();
  expect(drawnBy('a/labels')).toBe('a');
  expect(complaints(style)).toEqual([]);
});

test('the filter of the table holds beside that of the style', () => {
  const layers = [{ id: 'x', type: 'line', filter: ['has', 'a'] }];
  const style = mapStyle([vector({ layers, filter: { map: ['has', 'b'], cql: { op: 'x' } } })], BACKGROUND);
  expect(style.layers.find(({ id }) => id === 'a/x')).toMatchObject({ filter: ['all', ['has', 'a'], ['has', 'b']] });
});

test('heat is made of all features, also where one stands for others', () => {
  const layers = [{ id: 'h', type: 'heatmap', paint: { 'heatmap-weight': ['get', 'w'] } }];
  const style = mapStyle([vector({ layers, overview: { ...OVERVIEW, count: 'point_count' } })], BACKGROUND);
  expect(style.layers.find(({ id }) => id === 'a/h')).toMatchObject({
    paint: { 'heatmap-weight': ['*', ['get', 'w'], ['coalesce', ['get', 'point_count'], 1]] },
  });
  expect(complaints(style)).toEqual([]);
});

test('what a style reads is asked for where tiles would leave it out', () => {
  const fill = { id: 'f', type: 'fill', paint: { 'fill-color': ['step', ['get', 'a&b'], 'red', 1, 'blue'] } };
  const name = { id: 'n', type: 'symbol', layout: { 'text-field': ['get', 'c'] } };
  const addresses = (of: Partial<Parameters<typeof vector>[0]>): unknown =>
    Object.values(mapStyle([vector({ layers: [fill, name], overview: OVERVIEW, ...of })], BACKGROUND).sources).flatMap(
      (source) => (source.type === 'vector' && source !== undefined ? source.tiles : []),
    );
  expect(addresses({ leftOut: ['c', 'd', 'a&b'] })).toContain(
    'https://x.example/{z}/{x}/{y}.mvt?column=a%26b&column=c',
  );
  expect(addresses({ leftOut: ['d'] })).toContain('https://x.example/{z}/{x}/{y}.mvt');
  expect(addresses({ leftOut: ['d'], isPrepared: true })).toContain('https://x.example/{z}/{x}/{y}.mvt?prepared');
  const labelTiles = 'https://x.example/labels/{z}/{x}/{y}.mvt';
  expect(addresses({ leftOut: ['c', 'a&b'], labelTiles })).toEqual(
    expect.arrayContaining(['https://x.example/{z}/{x}/{y}.mvt?column=a%26b', labelTiles]),
  );
});

describe('where features stand for others, the server filters', () => {
  const filter = { map: ['has', 'b'], cql: { op: 'isNull', args: [{ property: 'b' }] } };
  const parameters = `filter-lang=cql2-json&filter=${encodeURIComponent(JSON.stringify(filter.cql))}`;
  const group = { kind: 'cluster', size: 64 };
  const cluster = { id: 'c', type: 'circle', metadata: { 'survest:group': group } };
  const plain = { id: 'x', type: 'circle' };

  test('groups are those of the features that pass, and the others are filtered by the map', () => {
    const style = mapStyle([vector({ layers: [cluster, plain], filter })], BACKGROUND);
    expect(style.sources['a/groups cluster 64']).toMatchObject({
      tiles: [`https://x.example/clusters/{z}/{x}/{y}.mvt?size=64&${parameters}`],
    });
    expect(style.layers.find(({ id }) => id === 'a/c')).not.toHaveProperty('filter');
    expect(style.sources['a']).toMatchObject({ tiles: ['https://x.example/{z}/{x}/{y}.mvt'] });
    expect(style.layers.find(({ id }) => id === 'a/x')).toMatchObject({ filter: filter.map });
    expect(complaints(style)).toEqual([]);
  });

  test('tiles of very many features have those that pass, beside what else is in the address', () => {
    const tiles = 'https://x.example/{z}/{x}/{y}.mvt?edits=2';
    const style = mapStyle([vector({ layers: [plain], tiles, filter, overview: OVERVIEW })], BACKGROUND);
    expect(style.sources['a']).toMatchObject({ tiles: [`${tiles}&${parameters}`] });
    expect(style.layers.find(({ id }) => id === 'a/x')).not.toHaveProperty('filter');
  });

  test('what the server cannot leave out, because it is being edited, is left out of single points', () => {
    const style = mapStyle([vector({ layers: [cluster], filter: { map: ['has', 'b'], cql: undefined } })], BACKGROUND);
    expect(style.layers.some(({ id }) => id === 'a/c')).toBe(false);
    expect(style.layers.find(({ id }) => id === 'a/ungrouped')).toMatchObject({ filter: ['has', 'b'] });
  });
});

test('halos of icons lie below all icons, whichever tile they are of', () => {
  const layers = toLayers({ ...PLAIN, mark: 'star' }, 'point');
  const [halo, icon, ...others] = mapStyle([vector({ layers })], BACKGROUND).layers.filter(({ id }) =>
    id.startsWith('a/'),
  );
  expect([halo, icon]).toMatchObject([
    {
      id: 'a/circle halo',
      paint: { 'icon-color': 'rgba(0,0,0,0)', 'icon-halo-color': '#ffffff', 'icon-halo-width': 1.5 },
    },
    { id: 'a/circle', paint: { 'icon-color': '#0b877d' } },
  ]);
  expect(icon?.paint).not.toHaveProperty('icon-halo-width');
  expect(others).toEqual([]);
  const without = toLayers({ ...PLAIN, mark: 'star', width: 0 }, 'point');
  const drawn = mapStyle([vector({ layers: without })], BACKGROUND).layers.filter(({ id }) => id.startsWith('a/'));
  expect(drawn.map(({ id }) => id)).toEqual(['a/circle']);
});
