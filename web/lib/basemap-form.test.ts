import { expect, test } from 'vitest';
import { hostOf, newBasemapId, readEntry } from './basemap-form.ts';

const form = (entries: Readonly<Record<string, string>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.set(name, value);
  return data;
};

test('an entry has the members of its type, and none that is empty', () => {
  const given = { title: ' Topo ', url: ' https://a.example/wms ', layer: 'ortho', attribution: '' };
  const named = { title: 'Topo', url: 'https://a.example/wms' };
  expect(readEntry(form({ ...given, type: 'wms' }))).toEqual({ ...named, type: 'wms', layers: 'ortho' });
  expect(readEntry(form({ ...given, type: 'wmts' }))).toEqual({ ...named, type: 'wmts', layer: 'ortho' });
  expect(readEntry(form({ ...given, type: 'xyz', attribution: '© Me' }))).toEqual({
    ...named,
    type: 'xyz',
    attribution: '© Me',
  });
});

test('an id is made of the title, and is none that is taken', () => {
  expect(newBasemapId('Straßen & Wege: Köln', [])).toBe('stra-en-wege-koln');
  expect(newBasemapId('Topo', ['topo', 'topo-2'])).toBe('topo-3');
  expect(newBasemapId('World', [])).toBe('world-2');
  expect(newBasemapId('地図', [])).toBe('basemap');
  expect(newBasemapId('x'.repeat(80), [])).toHaveLength(36);
});

test('the host of an address with places is told', () => {
  expect(hostOf('https://tile.example.org:8443/{z}/{x}/{y}.png')).toBe('tile.example.org:8443');
  expect(hostOf('/own/{z}')).toBe('');
});
