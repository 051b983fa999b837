import { expect, test } from 'vitest';
import type { Selection } from './selection.ts';
import { parseSelections, selectionsText } from './selections-text.ts';

const span = { kind: 'span', column: 'n', from: 1, to: undefined, isOpen: true } as const;
const EVERY: readonly Selection[] = [
  { kind: 'values', column: 'a', values: ['x & y', 2, null] },
  span,
  { kind: 'dates', column: 'd', from: '2024-01-01', to: undefined },
  { kind: 'text', column: 't', text: 'ö#?' },
  { kind: 'cell', parts: [span, { ...span, from: '12345678901234567890' }] },
  { kind: 'feature', column: 'fid', id: 7 },
  { kind: 'extent', extent: [1, 2, 3, 4] },
];

test.each(EVERY)('a selection of $kind comes back from the address', (selection) => {
  const all = new Map([['w1', { layer: 3, selection }]]);
  const address = new URLSearchParams({ selected: selectionsText(all) });
  expect(parseSelections(new URLSearchParams(address.toString()).get('selected'), [{ id: 'w1', layer: 3 }])).toEqual(
    all,
  );
});

test.each([
  null,
  '',
  '{',
  '{}',
  '[["w1"]]',
  '[["w1",1,{"kind":"values","column":"a","values":[{}]}]]',
  '[["w1",1,{"kind":"cell","parts":[]}]]',
  '[[1,1,{"kind":"text","column":"a","text":"b"}]]',
  '[["w1",1,{"kind":"extent","extent":[1,2,3,"4"]}]]',
])('%j selects nothing', (text) => {
  expect(parseSelections(text, [{ id: 'w1', layer: 1 }]).size).toBe(0);
});

test('what is too long for an address is not in it', () => {
  const selection = { kind: 'text', column: 'a', text: 'x'.repeat(5000) } as const;
  expect(selectionsText(new Map([['w1', { layer: 1, selection }]]))).toBe('');
});

test('a widget that is gone, or shows another layer by now, filters nothing', () => {
  const text = selectionsText(new Map([['w1', { layer: 3, selection: EVERY[0] as Selection }]]));
  expect(parseSelections(text, [{ id: 'w2', layer: 3 }]).size).toBe(0);
  expect(parseSelections(text, [{ id: 'w1', layer: 4 }]).size).toBe(0);
});
