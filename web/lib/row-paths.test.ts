import { expect, test } from 'vitest';
import { allOf, type LayerFilter } from './layer-filter.ts';
import { downloadPath, itemsPath, rowsPath, totalPath } from './row-paths.ts';
import type { TableFilter } from './table-filter.ts';

const filter = (operator: TableFilter['operator'], value: string): LayerFilter =>
  allOf({ column: 'name', operator, value, kind: 'text' });

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
});

test('a download has the rows that pass', () => {
  expect(downloadPath('a b', 'csv', undefined)).toBe('/download/a%20b.csv');
  const { searchParams } = new URL(downloadPath('t', 'gpkg', filter('is', 'x')), 'http://x');
  expect(JSON.parse(searchParams.get('filter') ?? '')).toEqual({ op: '=', args: [{ property: 'name' }, 'x'] });
});
