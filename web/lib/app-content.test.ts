import { expect, test } from 'vitest';
import { appContent } from './app-content.ts';

const MAP = { version: 2, map: { center: { x: 1, y: 2 }, zoom: 3, layers: [{ name: 'portal:a' }] } };

test.each([
  ['nothing', null, 'empty'],
  ['an empty object', {}, 'empty'],
  ['an empty list', [], 'empty'],
  ['an empty text', '', 'empty'],
  ['the configuration of a viewer', MAP, 'map'],
  ['the same as text', JSON.stringify(MAP), 'map'],
  ['the map alone', MAP.map, 'map'],
  ['a map without a place', { map: { layers: [] } }, 'other'],
  ['a story', { type: 'survest-story', sections: [] }, 'story'],
  ['widgets', { widgets: [{ title: 'a' }] }, 'other'],
  ['layers that are none', { layers: 'x', zoom: 1 }, 'other'],
  ['a number', 5, 'other'],
  ['text', '{"a":', 'other'],
])('%s is shown as what it is', (_name, data, kind) => {
  expect(appContent(data).kind).toBe(kind);
});

test('a configuration keeps its view and its layers', () => {
  const content = appContent(MAP);
  expect(content.kind === 'map' && [content.config.center, content.config.zoom]).toEqual([[1, 2], 3]);
  expect(content.kind === 'map' && content.config.layers[0]).toMatchObject({ alternate: 'portal:a' });
});
