import { expect, test } from 'vitest';
import { cqlFilter, mapFilter, restFilter, type TableFilter } from './table-filter.ts';

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

test('what is not filled in asks the other services for nothing either', () => {
  expect(cqlFilter(filter('is', ''))).toBeUndefined();
});
