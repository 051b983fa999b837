import { expect, test } from 'vitest';
import type { Layer } from '../../api/types.ts';
import {
  changeViewer,
  configOf,
  contentOf,
  EMPTY,
  isOfCatalogue,
  openMap,
  seenLayers,
  type ViewerState,
} from './viewer-state.ts';

const layer = (pk: string): Layer =>
  ({
    pk,
    name: `n${pk}`,
    alternate: `portal:n${pk}`,
    title: `T${pk}`,
    styles: [{ pk: 1, name: 'red' }],
  }) as unknown as Layer;
const titles = (state: ViewerState): string[] => state.layers.filter(isOfCatalogue).map(({ layer: one }) => one.pk);

test('a new layer lies on top, moves, and stops at the ends', () => {
  let state = ['1', '2', '3'].reduce((now, pk) => changeViewer(now, { kind: 'add', layer: layer(pk) }), EMPTY);
  expect(titles(state)).toEqual(['3', '2', '1']);
  const [top] = state.layers;
  state = changeViewer(state, { kind: 'move', key: top?.key ?? '', by: 1 });
  expect(titles(state)).toEqual(['2', '3', '1']);
  expect(changeViewer(state, { kind: 'move', key: state.layers[0]?.key ?? '', by: -1 })).toBe(state);
});

test('the same layer twice is two layers', () => {
  const state = changeViewer(changeViewer(EMPTY, { kind: 'add', layer: layer('1') }), {
    kind: 'add',
    layer: layer('1'),
  });
  expect(new Set(state.layers.map(({ key }) => key)).size).toBe(2);
});

test('looking at a layer another way is no change of the map', () => {
  const state = changeViewer(EMPTY, { kind: 'add', layer: layer('1') });
  const key = state.layers[0]?.key ?? '';
  const before = contentOf(state);
  expect(contentOf(changeViewer(state, { kind: 'draft', key, layers: [{ id: 'a', type: 'fill' }] }))).toBe(before);
  const hidden = changeViewer(state, { kind: 'set', key, to: { visible: false } });
  expect(contentOf(hidden)).not.toBe(before);
  expect(contentOf(changeViewer(hidden, { kind: 'set', key, to: { visible: true } })), 'and back').toBe(before);
});

test('a map that was saved opens as it was, without the layers that its reader may not see', () => {
  const state = changeViewer(changeViewer(EMPTY, { kind: 'add', layer: layer('1') }), {
    kind: 'add',
    layer: layer('2'),
  });
  const config = configOf(state, { center: [0, 0], zoom: 1 });
  expect(titles(openMap(config, [layer('1'), layer('2')]))).toEqual(['2', '1']);
  expect(titles(openMap(config, [layer('1')]))).toEqual(['1']);
});

test('a hidden group hides its layers, and they are as they were when it comes back', () => {
  let state = ['1', '2'].reduce((now, pk) => changeViewer(now, { kind: 'add', layer: layer(pk) }), EMPTY);
  state = changeViewer(state, { kind: 'add-group', id: 'g', title: 'Plans' });
  const key = state.layers[1]?.key ?? '';
  state = changeViewer(state, { kind: 'place', key, to: 1, group: 'g' });
  const before = contentOf(state);
  const folded = changeViewer(state, { kind: 'set-group', id: 'g', to: { isOpen: false } });
  expect(contentOf(folded), 'folding is no change of the map').toBe(before);
  const hidden = changeViewer(state, { kind: 'set-group', id: 'g', to: { visible: false } });
  expect(contentOf(hidden)).not.toBe(before);
  expect(seenLayers(hidden).map(({ visible }) => visible)).toEqual([true, false]);
  expect(hidden.layers.map(({ visible }) => visible)).toEqual([true, true]);
  const reopened = openMap(configOf(hidden, { center: [0, 0], zoom: 1 }), [layer('1'), layer('2')]);
  expect(seenLayers(reopened).map(({ visible }) => visible)).toEqual([true, false]);
  const dropped = changeViewer(hidden, { kind: 'drop-group', id: 'g' });
  expect(dropped.layers.map(({ group }) => group)).toEqual([undefined, undefined]);
});

test('two layers that are compared are kept with the map, and not where one of them is not seen', () => {
  const layers = ['1', '2', '3'].map(layer);
  const state = layers.reduce((now, one) => changeViewer(now, { kind: 'add', layer: one }), EMPTY);
  const [top, , bottom] = state.layers;
  const swipe = { left: bottom?.key ?? '', right: top?.key ?? '', at: 0.25 };
  const compared = changeViewer(state, { kind: 'swipe', swipe });
  expect(contentOf(compared)).not.toBe(contentOf(state));
  const config = configOf(compared, { center: [0, 0], zoom: 1 });
  expect(config.swipe).toEqual({ left: 2, right: 0, at: 0.25 });
  const opened = openMap(config, layers);
  expect(contentOf(opened)).toBe(contentOf(compared));
  expect(openMap(config, layers.slice(1)).swipe, 'the left one is not shared').toBeUndefined();
  expect(configOf(changeViewer(compared, { kind: 'remove', key: swipe.right }), config).swipe).toBeUndefined();
});
