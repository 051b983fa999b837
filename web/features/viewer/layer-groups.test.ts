import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LayerGroup } from '../../lib/map-config.ts';
import { entriesOf, type Grouped, gathered, placedAt, stepped, steppedGroup } from './layer-groups.ts';

const GROUPS: readonly LayerGroup[] = [
  { id: 'g', title: 'G', isOpen: true, visible: true },
  { id: 'h', title: 'H', isOpen: false, visible: true },
];
/** `a b.g` is a layer in no group above one in group g. */
const layers = (text: string): readonly Grouped[] =>
  text.split(' ').map((one) => ({ key: one.split('.')[0] ?? '', group: one.split('.')[1] }));
const told = (all: readonly Grouped[]): string =>
  all.map(({ key, group }) => (group === undefined ? key : `${key}.${group}`)).join(' ');

test('a step leads into an open group, through it, and out of it', () => {
  const steps: string[] = [];
  let now = layers('a b.g c.g d');
  for (let i = 0; i < 5; i++) {
    now = stepped(now, GROUPS, 'a', 1);
    steps.push(told(now));
  }
  expect(steps).toEqual(['a.g b.g c.g d', 'b.g a.g c.g d', 'b.g c.g a.g d', 'b.g c.g a d', 'b.g c.g d a']);
  expect(told(stepped(now, GROUPS, 'a', 1))).toBe('b.g c.g d a');
});

test('a folded group is stepped over', () => {
  expect(told(stepped(layers('a b.h c.h d'), GROUPS, 'a', 1))).toBe('b.h c.h a d');
  expect(told(stepped(layers('b.h c.h a d'), GROUPS, 'a', -1))).toBe('a b.h c.h d');
});

test('a group moves as a whole, and empty groups stand at the top', () => {
  expect(told(steppedGroup(layers('a b.g c.g d'), GROUPS, 'g', 1))).toBe('a d b.g c.g');
  expect(
    entriesOf(layers('a b.g c.g'), GROUPS).map((one) => (one.kind === 'group' ? one.group.id : one.layer.key)),
  ).toEqual(['h', 'a', 'g']);
});

test('wherever layers are put, groups stay together and nothing is lost', () => {
  const group = fc.constantFrom(undefined, 'g', 'h');
  const list = fc
    .array(group, { minLength: 1, maxLength: 8 })
    .map((all) => gathered(all.map((one, i) => ({ key: String(i), group: one }))));
  fc.assert(
    fc.property(list, fc.nat(7), fc.nat(8), group, (all, which, to, into) => {
      const key = String(which % all.length);
      for (const next of [placedAt(all, key, to, into), stepped(all, GROUPS, key, 1), stepped(all, GROUPS, key, -1)]) {
        expect(told(gathered(next))).toBe(told(next));
        expect(next.map((one) => one.key).sort()).toEqual(all.map((one) => one.key).sort());
      }
    }),
  );
});
