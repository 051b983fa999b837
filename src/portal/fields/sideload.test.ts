import { expect, test } from 'vitest';
import { layer } from '../kinds/layer/fields.ts';
import { sideload } from './sideload.ts';

const ada = { pk: 7, username: 'ada' };
const blue = { pk: 1, name: 'blue' };
const records = [
  {
    pk: '1',
    owner: ada,
    poc: ada,
    category: { identifier: 'x' },
    styles: [blue, { pk: 2 }],
    keywords: [{ slug: 'k' }],
  },
  { pk: '2', owner: ada, poc: null, default_style: blue, title: 'two' },
];

test('related records stand beside the others, each once, and ids in their place', () => {
  const { records: bare, sides } = sideload(layer, records, { kind: 'all' });
  expect(bare).toEqual([
    { pk: '1', owner: 7, poc: 7, category: { identifier: 'x' }, styles: [1, 2], keywords: [{ slug: 'k' }] },
    { pk: '2', owner: 7, poc: null, default_style: 1, title: 'two' },
  ]);
  expect(Object.fromEntries(sides)).toEqual({ users: [ada], styles: [blue, { pk: 2 }] });
});

test('only those that were named', () => {
  const { records: bare, sides } = sideload(layer, records, { kind: 'some', names: new Set(['owner']) });
  expect(bare[0]).toMatchObject({ owner: 7, poc: ada, styles: [blue, { pk: 2 }] });
  expect(Object.fromEntries(sides)).toEqual({ users: [ada] });
});

test('what was sent is left as it was', () => {
  sideload(layer, records, { kind: 'all' });
  expect(records[0]?.owner).toBe(ada);
});

test('a relation without its id stays embedded', () => {
  const { records: bare, sides } = sideload(layer, [{ owner: { username: 'ada' } }], { kind: 'all' });
  expect(bare).toEqual([{ owner: { username: 'ada' } }]);
  expect(sides.size).toBe(0);
});
