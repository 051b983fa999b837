import { expect, test } from 'vitest';
import { cqlFilter, itemsPath, mapFilter, restFilter, rowsPath, type TableFilter, totalPath } from './table-filter.ts';

const filter = (operator: TableFilter['operator'], value: string, kind: TableFilter['kind'] = 'text'): TableFilter => ({
  column: 'name',
  operator,
  value,
  kind,
});
const UUID = '2B1c0000-0000-4000-8000-00000000000A';

test.each([
  [filter('contains', 'ber 1é'), ['name', 'imatch.ber 1é']],
  [filter('contains', '(5.0%|*_\\'), ['name', 'imatch.\\(5\\.0\\%\\|\\*\\_\\\\']],
  [filter('contains', `${'x'.repeat(250)}%*`), ['name', `ilike.*${'x'.repeat(250)}\\%_*`]],
  [filter('is', 'a.b,c'), ['name', 'eq.a.b,c']],
  [filter('more', '5', 'number'), ['name', 'gt.5']],
  [filter('empty', ''), ['name', 'is.null']],
  [filter('is', ''), undefined],
  [filter('more', 'x', 'number'), undefined],
  // No number fits a date, no part of a word a uuid: the service would only complain.
  [filter('after', '2020', 'date'), undefined],
  [filter('after', '2020-02-03', 'date'), ['name', 'gt.2020-02-03']],
  [filter('contains', 'x', 'uuid'), undefined],
  [filter('is', '2b1c', 'uuid'), undefined],
  [filter('is', UUID, 'uuid'), ['name', `eq.${UUID}`]],
  [filter('is', 'true', 'boolean'), ['name', 'eq.true']],
  [filter('is', 'maybe', 'boolean'), undefined],
  [filter('is', '{}', 'json'), undefined],
  [filter('empty', '', 'json'), ['name', 'is.null']],
  [{ ...filter('is', '1'), column: 'a "b"' }, ['"a ""b"""', 'eq.1']],
])('%j asks the service for %j', (given, asked) => {
  expect(restFilter(given)).toEqual(asked);
});

test('what asks the service for nothing hides nothing on the map', () => {
  for (const one of [filter('is', ''), filter('more', 'x', 'number')]) expect(mapFilter(one)).toBeUndefined();
  expect(mapFilter(filter('more', '5', 'number'))).toEqual([
    'all',
    ['has', 'name'],
    ['>', ['to-number', ['get', 'name']], 5],
  ]);
});

test('a feature is filtered by its name, be that an attribute on the map or not', () => {
  const held = ['coalesce', ['get', 'name'], ['id']];
  expect(mapFilter(filter('more', '5', 'number'), 'name')).toEqual(['>', ['to-number', held], 5]);
  expect(mapFilter(filter('is', UUID, 'uuid'), 'name')).toEqual([
    '==',
    ['downcase', ['to-string', held]],
    UUID.toLowerCase(),
  ]);
  // A map compares what it is told with what it has: that has to be the same as itself.
  const told = mapFilter(filter('more', '5', 'number'), 'name');
  expect(JSON.parse(JSON.stringify(told))).toEqual(told);
  expect(mapFilter(filter('empty', ''), 'name'), 'every feature has one').toBe(false);
  expect(mapFilter(filter('is', 'true', 'boolean'))).toEqual(['all', ['has', 'name'], ['==', ['get', 'name'], true]]);
});

test('names and values stand in the address as what they are', () => {
  expect(rowsPath('a/b', { filter: filter('is', 'x&limit=1'), sort: 'name.desc', page: 2, size: 50 })).toBe(
    'a%2Fb?name=eq.x%26limit%3D1&order=name.desc&limit=50&offset=100',
  );
});

test('of the columns, those that are shown are asked for, unless they are too many for an address', () => {
  const ask = { filter: filter('is', ''), sort: undefined, page: 0, size: 50 };
  expect(rowsPath('t', { ...ask, columns: ['fid', 'a "b"'] })).toBe(
    't?select=fid%2C%22a+%22%22b%22%22%22&limit=50&offset=0',
  );
  expect(rowsPath('t', { ...ask, columns: ['x'.repeat(4001)] })).toBe('t?limit=50&offset=0');
  expect(rowsPath('t', { ...ask, columns: [] })).toBe('t?limit=50&offset=0');
});

test('the total is asked for by the same condition, without rows', () => {
  expect(totalPath('a/b', filter('contains', 'x&y'))).toBe('a%2Fb?name=imatch.x%5C%26y&limit=0');
  expect(totalPath('t', filter('is', ''))).toBe('t?limit=0');
});

test('the features in view are asked for with the same condition', () => {
  const path = itemsPath('rivers', {
    filter: filter('contains', "O'%"),
    sort: { column: 'name', down: true },
    extent: [170, -10, 190, 10],
    page: 1,
    size: 50,
  });
  const params = new URL(path, 'http://x').searchParams;
  expect(params.get('bbox')).toBe('170.000000,-10.000000,-170.000000,10.000000');
  expect(params.get('sortby')).toBe('-name');
  const edges = { filter: undefined, sort: undefined, extent: [-180, -90, 180, 90], page: 0, size: 1 } as const;
  const half = { ...edges, extent: [0, -100, 180, 0] } as const;
  const boxOf = (ask: Parameters<typeof itemsPath>[1]): string | null =>
    new URL(itemsPath('rivers', ask), 'http://x').searchParams.get('bbox');
  expect(boxOf(edges)).toBe('-180.000000,-90.000000,180.000000,90.000000');
  expect(boxOf(half)).toBe('0.000000,-90.000000,180.000000,0.000000');
  expect(params.get('offset')).toBe('50');
  expect(JSON.parse(params.get('filter') ?? '')).toEqual({
    op: 'like',
    args: [
      { op: 'casei', args: [{ property: 'name' }] },
      { op: 'casei', args: ["%O'\\%%"] },
    ],
  });
  expect(cqlFilter(filter('is', ''))).toBeUndefined();
});
