import { expect, test } from 'vitest';
import {
  conditionsOf,
  datesOf,
  mapConditions,
  restConditions,
  type Selection,
  type Selections,
  selectionsFor,
  type Table,
  toggled,
} from './selection.ts';

const kinds: Selection = { kind: 'values', column: 'kind', values: ['oak', null] };
const heights: Selection = { kind: 'span', column: 'height', from: 2, to: 5, isOpen: true };
const view: Selection = { kind: 'extent', extent: [170, -95, 190, 10] };
const all: Selections = new Map([
  ['w1', { layer: 7, selection: kinds }],
  ['w2', { layer: 7, selection: heights }],
  ['w3', { layer: 7, selection: view }],
]);

test('a widget is filtered by the others and not by itself', () => {
  const trees = { pk: 7, columns: new Set(['kind', 'height']), hasPlaces: true };
  expect(selectionsFor('w1', trees, all)).toEqual([heights, view]);
});

test('values without an empty one are asked for by themselves, and so is the empty one', () => {
  const filterOf = (values: readonly (string | null)[]): unknown =>
    conditionsOf([{ kind: 'values', column: 'kind', values }]).filter;
  expect(filterOf(['oak'])).toEqual({ op: 'in', args: [{ property: 'kind' }, ['oak']] });
  expect(filterOf([null])).toEqual({ op: 'isNull', args: [{ property: 'kind' }] });
});

test('another layer is filtered by the columns that it has too, a plain table by no view', () => {
  const prices = { pk: 8, columns: new Set(['kind']), hasPlaces: false };
  expect(selectionsFor('w9', prices, all)).toEqual([kinds]);
});

test('conditions for the database: all of them hold, and a view may run over the date line', () => {
  expect(conditionsOf([kinds, heights, view])).toEqual({
    filter: {
      op: 'and',
      args: [
        {
          op: 'or',
          args: [
            { op: 'in', args: [{ property: 'kind' }, ['oak']] },
            { op: 'isNull', args: [{ property: 'kind' }] },
          ],
        },
        {
          op: 'and',
          args: [
            { op: '>=', args: [{ property: 'height' }, 2] },
            { op: '<', args: [{ property: 'height' }, 5] },
          ],
        },
      ],
    },
    bbox: [170, -90, -170, 10],
  });
  expect(conditionsOf([])).toEqual({ filter: undefined, bbox: undefined });
  const open: Selection = { kind: 'dates', column: 'day', from: undefined, to: '2020-01-01' };
  expect(conditionsOf([open]).filter).toEqual({
    op: 't_intersects',
    args: [{ property: 'day' }, { interval: ['..', '2020-01-01'] }],
  });
});

test('the same for rows of plain tables', () => {
  const odd: Selection = { kind: 'values', column: 'a b', values: ['say "x", \\y'] };
  expect(restConditions([kinds, heights, odd, { kind: 'text', column: 'name', text: '5%' }])).toEqual([
    ['or', '(kind.in.("oak"),kind.is.null)'],
    ['height', 'gte.2'],
    ['height', 'lt.5'],
    ['"a b"', 'in.("say \\"x\\", \\\\y")'],
    ['name', 'ilike.*5\\%*'],
  ]);
});

test('and for features on a map, where the view of another map hides nothing', () => {
  expect(mapConditions([view])).toBeUndefined();
  expect(mapConditions([kinds])).toEqual([
    'any',
    ['!', ['has', 'kind']],
    ['all', ['has', 'kind'], ['in', ['to-string', ['get', 'kind']], ['literal', ['oak']]]],
  ]);
});

test('a feature is a row of its own layer, and of no other that has such a key', () => {
  const feature: Selection = { kind: 'feature', column: 'fid', id: 7 };
  const all: Selections = new Map([['map', { layer: 1, selection: feature }]]);
  const table = (pk: number): Table => ({ pk, columns: new Set(['fid']), hasPlaces: true });
  expect(selectionsFor('bars', table(1), all)).toEqual([feature]);
  expect(selectionsFor('map', table(1), all)).toEqual([]);
  expect(selectionsFor('bars', table(2), all)).toEqual([]);
  expect(conditionsOf([feature]).filter).toEqual({ op: '=', args: [{ property: 'fid' }, 7] });
  expect(restConditions([feature])).toEqual([['fid', 'eq.7']]);
  expect(mapConditions([feature])).toEqual(['==', ['to-string', ['coalesce', ['get', 'fid'], ['id']]], '7']);
});

test('values are chosen and taken back one by one', () => {
  const one = toggled(undefined, 'kind', 'oak');
  const two = toggled(one, 'kind', null);
  expect(two).toEqual(kinds);
  expect(toggled(toggled(two, 'kind', 'oak'), 'kind', null)).toBeUndefined();
});

test.each([
  ['year', '2020-01-01', '2020-12-31'],
  ['quarter', '2020-01-01', '2020-03-31'],
  ['month', '2020-01-01', '2020-01-31'],
  ['week', '2020-01-01', '2020-01-07'],
  ['day', '2020-01-01', '2020-01-01'],
])('a %s is all of its days', (unit, from, to) => {
  expect(datesOf('day', '2020-01-01T00:00:00Z', unit)).toEqual({ kind: 'dates', column: 'day', from, to });
});

const big = '9007199254740993';

test.skipIf(!('rawJSON' in JSON))(
  'numbers of many digits are asked for as they are, and on the map as the nearest double',
  () => {
    const value: Selection = { kind: 'values', column: 'id', values: [big] };
    const span: Selection = { kind: 'span', column: 'id', from: big, to: undefined, isOpen: false };
    expect(JSON.stringify(conditionsOf([span]).filter)).toBe(`{"op":">=","args":[{"property":"id"},${big}]}`);
    expect(JSON.stringify(conditionsOf([value]).filter)).toBe(`{"op":"in","args":[{"property":"id"},["${big}"]]}`);
    expect(restConditions([value, span])).toEqual([
      ['id', `in.("${big}")`],
      ['id', `gte.${big}`],
    ]);
    expect(JSON.stringify(mapConditions([value]))).toContain('["9007199254740993","9007199254740992"]');
    expect(JSON.stringify(mapConditions([span]))).toContain('9007199254740992]');
  },
);
