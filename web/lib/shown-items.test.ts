import { expect, test } from 'vitest';
import { shownItems } from './shown-items.ts';

test('a dashboard shows the layers of its widgets', () => {
  const widgets = [
    { id: 'a', kind: 'map', layer: 3 },
    { id: 'b', kind: 'counter', layer: 3 },
    { id: 'c', kind: 'text', text: 'x' },
    { id: 'd', kind: 'table', layer: 5 },
  ];
  expect(shownItems({ type: 'survest-dashboard', version: 1, widgets })).toEqual({
    items: [3, 5],
    maps: [],
    rows: [5],
  });
});

test('a story shows layers, documents, charts and maps', () => {
  const sections = [
    { media: { kind: 'map', map: 7 } },
    { media: { kind: 'layer', layer: 3 } },
    { media: { kind: 'image', document: 9, alt: '' } },
    { media: { kind: 'widget', widget: { id: 'w', kind: 'counter', layer: 4 } } },
    { media: { kind: 'widget', widget: { id: 'x', kind: 'table', layer: 6 } } },
    { media: { kind: 'embed', url: 'https://example.org/', alt: '' } },
    { media: { kind: 'map', map: 7 } },
  ];
  expect(shownItems({ type: 'survest-story', version: 1, sections })).toEqual({
    items: [3, 9, 4, 6],
    maps: [7],
    rows: [6],
  });
});

test('what is neither shows nothing that is known', () => {
  expect(shownItems({ anything: [1] })).toEqual({ items: [], maps: [], rows: [] });
});
