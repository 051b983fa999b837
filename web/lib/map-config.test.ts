import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MapConfig, mapConfigData, parseMapConfig, USUAL_SHOWS } from './map-config.ts';
import { NO_LOOK } from './presentation.ts';

const CONFIG: MapConfig = {
  center: [13.4, 52.5],
  zoom: 7.25,
  layers: [
    {
      external: {
        kind: 'wms',
        url: 'https://maps.example.org/wms?map=a',
        name: 'roads',
        version: '1.1.1',
        style: '',
        image: 'image/png',
        info: 'text/plain',
        output: '',
        srs: '',
        title: 'Roads',
        attribution: 'Survey of Roads',
        bbox: [1, 2, 3, 4],
      },
      visible: true,
      opacity: 0.7,
      group: undefined,
    },
    {
      alternate: 'portal:top',
      title: 'Top',
      visible: true,
      opacity: 0.5,
      style: 'red',
      own: undefined,
      filter: {
        kind: 'conditions',
        join: 'or',
        conditions: [
          { column: 'species', operator: 'is', value: 'oak', kind: 'text' },
          { column: 'height', operator: 'more', value: '5', kind: 'number' },
        ],
      },
      controls: [{ column: 'height', kind: 'range' }],
      look: {
        columns: [
          { column: 'height', label: 'Height (m)', visible: true, format: { kind: 'number', thousands: true } },
        ],
        popup: { kind: 'list', title: '', columns: undefined, template: '', charts: [] },
      },
      group: 'g1',
    },
    {
      alternate: 'portal:bottom',
      title: 'Bottom',
      visible: false,
      opacity: 1,
      style: undefined,
      own: [{ id: 'a', type: 'fill' }],
      filter: undefined,
      controls: [],
      look: NO_LOOK,
      group: undefined,
    },
  ],
  groups: [{ id: 'g1', title: 'Plans', isOpen: false, visible: false }],
  annotations: [
    {
      id: 'n1',
      kind: 'point',
      title: 'Well',
      description: 'Dry.',
      colour: '#0055aa',
      geometry: { type: 'Point', coordinates: [1, 2] },
    },
  ],
  bookmarks: [{ name: 'Home', center: [10, 20], zoom: 5 }],
  basemap: 'dark',
  shows: { ...USUAL_SHOWS, description: true, legend: false },
  swipe: { left: 0, right: 2, at: 0.25 },
};

test('a map comes back from the store as it was put there', () => {
  expect(parseMapConfig(JSON.parse(JSON.stringify(mapConfigData(CONFIG))))).toEqual(CONFIG);
});

test('a map of another client is read as far as it goes', () => {
  const config = parseMapConfig({
    version: 2,
    map: {
      center: { x: 1491683.0, y: 6891041.7, crs: 'EPSG:3857' },
      zoom: '5',
      layers: [
        { type: 'osm', group: 'background', name: 'mapnik' },
        { type: 'wms', name: 'geonode:a', opacity: 3, group: 'Default', 'survest:style': [{ id: 7 }] },
        { type: 'vector' },
      ],
      groups: [{ id: 'Default', expanded: true }],
    },
  });
  expect(config.center[0]).toBeCloseTo(13.4, 1);
  expect(config.center[1]).toBeCloseTo(52.5, 1);
  expect(config.zoom).toBe(5);
  expect(config.layers).toEqual([
    {
      alternate: 'geonode:a',
      title: 'geonode:a',
      visible: true,
      opacity: 1,
      style: undefined,
      own: undefined,
      filter: undefined,
      controls: [],
      look: NO_LOOK,
      group: undefined,
    },
  ]);
});

test('whatever the store holds is a map', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      const { center, zoom } = parseMapConfig(data);
      expect([...center, zoom].every(Number.isFinite)).toBe(true);
    }),
  );
});
