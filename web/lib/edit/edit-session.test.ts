import type { Geometry } from 'geojson';
import { expect, test } from 'vitest';
import {
  changeEdits,
  type EditAction,
  type EditSession,
  NO_EDITS,
  type StoredFeature,
  unsavedOf,
} from './edit-session.ts';

const at = (x: number): Geometry => ({ type: 'Point', coordinates: [x, 0] });
const stored = (id: number): StoredFeature => ({
  id,
  tag: `"${id}"`,
  geometry: at(id),
  properties: { name: 'a', n: id },
});
const after = (...actions: readonly EditAction[]): EditSession => actions.reduce(changeEdits, NO_EDITS);
const open = (id: number, isAlso = false): EditAction => ({ kind: 'open', feature: stored(id), isAlso });
const names = (session: EditSession): readonly string[] => unsavedOf(session).map(({ key }) => key);

test('a feature that was only looked at is nothing to save, and makes room for the next', () => {
  const session = after(open(1), open(2));
  expect(unsavedOf(session)).toEqual([]);
  expect(session.features.map(({ key }) => key)).toEqual(['f2']);
});

test('what is changed and changed back is not changed', () => {
  const fill = (name: string | null): EditAction => ({ kind: 'fill', keys: ['f1'], changes: { name } });
  expect(names(after(open(1), fill('b')))).toEqual(['f1']);
  expect(names(after(open(1), fill('b'), fill('a')))).toEqual([]);
});

test('undo and redo go through every step, and a new step ends what could be done again', () => {
  const moved = after(open(1), { kind: 'shape', key: 'f1', geometry: at(5) }, { kind: 'draw', geometry: at(9) });
  expect(names(moved)).toEqual(['f1', 'n1']);
  const once = changeEdits(moved, { kind: 'undo' });
  expect(names(once)).toEqual(['f1']);
  expect(once.selected).toEqual(['f1']);
  expect(changeEdits(once, { kind: 'redo' }).selected).toEqual(['n1']);
  expect(names(changeEdits(once, { kind: 'undo' }))).toEqual([]);
  expect(names(changeEdits(once, { kind: 'redo' }))).toEqual(['f1', 'n1']);
  expect(changeEdits(once, { kind: 'delete', keys: ['f1'] }).future).toEqual([]);
});

test('a feature that is cut leaves new ones with its values, without those that nobody writes', () => {
  const cut = after(open(1), { kind: 'split', key: 'f1', pieces: [at(2), at(3)], readOnly: ['n'] });
  expect(cut.features.map(({ key, geometry, changes }) => [key, geometry, changes])).toEqual([
    ['f1', at(2), {}],
    ['n1', at(3), { name: 'a' }],
  ]);
  expect(names(changeEdits(cut, { kind: 'undo' }))).toEqual([]);
});

test('features that are merged are one, and the others are deleted, in one step', () => {
  const merged = after(open(1), open(2, true), { kind: 'merge', keys: ['f1', 'f2'], geometry: at(7) });
  expect(merged.features.map(({ key, isDeleted }) => [key, isDeleted])).toEqual([
    ['f1', false],
    ['f2', true],
  ]);
  expect(names(changeEdits(merged, { kind: 'undo' }))).toEqual([]);
});

test('a failure stands on its feature until that is changed, and a conflict until it is decided', () => {
  const fill: EditAction = { kind: 'fill', keys: ['f1'], changes: { name: 'b' } };
  const failed: EditAction = { kind: 'trouble', key: 'f1', trouble: { kind: 'failed', failure: { kind: 'offline' } } };
  expect(after(open(1), fill, failed).troubles.size).toBe(1);
  expect(after(open(1), fill, failed, { ...fill, changes: { name: 'c' } }).troubles.size).toBe(0);
  const theirs = { ...stored(1), tag: '"new"', properties: { name: 'z', n: 1 } };
  const conflict: EditAction = { kind: 'trouble', key: 'f1', trouble: { kind: 'conflict', theirs } };
  const mine = after(open(1), fill, conflict, { kind: 'keep-mine', key: 'f1' });
  expect(mine.features[0]).toMatchObject({ stored: { tag: '"new"' }, changes: { name: 'b' } });
  expect(mine.troubles.size).toBe(0);
});

test('what is kept of a feature that is gone is a new one', () => {
  const gone: EditAction = { kind: 'trouble', key: 'f1', trouble: { kind: 'conflict', theirs: undefined } };
  const kept = after(open(1), { kind: 'fill', keys: ['f1'], changes: { name: 'b' } }, gone, {
    kind: 'keep-mine',
    key: 'f1',
  });
  expect(kept.features[0]).toMatchObject({ stored: undefined, changes: { name: 'b', n: 1 } });
});

test('a text that is typed letter by letter is one step to undo', () => {
  const type = (name: string): EditAction => ({ kind: 'fill', keys: ['f1'], changes: { name } });
  const typed = after(open(1), type('b'), type('bc'), type('bcd'));
  expect(typed.features[0]?.changes).toEqual({ name: 'bcd' });
  expect(names(changeEdits(typed, { kind: 'undo' }))).toEqual([]);
  const twice = after(open(1), type('b'), { kind: 'shape', key: 'f1', geometry: at(4) }, type('c'));
  expect(twice.past).toHaveLength(3);
});
