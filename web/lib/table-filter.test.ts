import { expect, test } from 'vitest';
import { cqlFilter, itemsPath, mapFilter, restFilter, rowsPath, type TableFilter } from './table-filter.ts';

const filter = (operator: TableFilter['operator'], value: string, isNumber = false): TableFilter => ({
  column: 'name',
  operator,
  value,
  isNumber,
});

test.each([
  [filter('contains', 'ber'), ['name', 'ilike.*ber*']],
  [filter('contains', '50%_\\'), ['name', 'ilike.*50\\%\\_\\\\*']],
  [filter('is', 'a.b,c'), ['name', 'eq.a.b,c']],
  [filter('more', '5', true), ['name', 'gt.5']],
  [filter('empty', ''), ['name', 'is.null']],
  [filter('is', ''), undefined],
  [filter('more', 'x', true), undefined],
  [{ ...filter('is', '1'), column: 'a "b"' }, ['"a ""b"""', 'eq.1']],
])('%j asks the service for %j', (given, asked) => {
  expect(restFilter(given)).toEqual(asked);
});

test('what asks the service for nothing hides nothing on the map', () => {
  for (const one of [filter('is', ''), filter('more', 'x', true)]) expect(mapFilter(one)).toBeUndefined();
  expect(mapFilter(filter('more', '5', true))).toEqual([
    'all',
    ['has', 'name'],
    ['>', ['to-number', ['get', 'name'], Number.NaN], 5],
  ]);
});

test('names and values stand in the address as what they are', () => {
  expect(rowsPath('a/b', { filter: filter('is', 'x&limit=1'), sort: 'name.desc', page: 2, size: 50 })).toBe(
    'a%2Fb?name=eq.x%26limit%3D1&order=name.desc&limit=50&offset=100',
  );
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
