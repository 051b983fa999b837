import { expect, test } from 'vitest';
import { mergeChanges } from './merge-changes.ts';
import { orderedKeys } from './ordered-keys.ts';

test.each([
  [{ keys: ['["1","2"]'] }, ['b', 'a'], ['["1","2"]']],
  [{ keys: ['["1","2"]'], columns: ['a', 'b'] }, ['a', 'b'], ['["1","2"]']],
  [{ keys: ['["1","2"]', '["x\\"","3"]'], columns: ['a', 'b'] }, ['b', 'a'], ['["2","1"]', '["3","x\\""]']],
  [{ keys: ['["1","2"]'], columns: ['a', 'b'] }, ['b'], ['["2"]']],
  // It is known by something else than the primary key that the read asks by.
  [{ keys: ['["1"]'], columns: ['code'] }, ['id'], undefined],
  [{ keys: undefined, columns: ['id'] }, ['id'], undefined],
])('%j as %j asks: %j', (change, primaryKey, expected) => {
  expect(orderedKeys({ relation: '1', ...change }, primaryKey)).toEqual(expected);
});

test('changes of a table become one, which may be any change where one of them was', () => {
  expect(
    mergeChanges([
      { relation: '1', keys: ['["1"]'] },
      { relation: '2', keys: ['["1"]'] },
      { relation: '1', keys: ['["2"]'] },
      { relation: '2', keys: undefined },
      { relation: '2', keys: ['["3"]'] },
      { relation: '1', keys: ['["4"]'], columns: ['id'] },
      { relation: '1', keys: ['["5"]'], columns: ['id'] },
    ]),
  ).toEqual([
    { relation: '1', keys: ['["1"]', '["2"]'] },
    { relation: '2', keys: undefined },
    { relation: '1', keys: ['["4"]', '["5"]'], columns: ['id'] },
  ]);
});
