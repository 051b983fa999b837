import { expect, test } from 'vitest';
import type { Permissions } from '../api/types.ts';
import { LEVELS, levelOf, namesOf, permissionsOf, publicNames, sharesOf } from './levels.ts';

test.each(LEVELS.flatMap((level) => [true, false].map((isLayer) => ({ level, isLayer }))))(
  'the permissions of the level $level (layer: $isLayer) are read as that level',
  ({ level, isLayer }) => {
    expect(levelOf(namesOf(level, isLayer), isLayer)).toBe(level);
  },
);

test('permissions between levels are none of them, and are kept', () => {
  expect(levelOf(['view_resourcebase', 'delete_resourcebase'], false)).toBe('custom');
  expect(levelOf(['download_resourcebase'], false)).toBe('custom');
  expect(levelOf([], false)).toBeUndefined();
});

test('what was read and not changed is sent as it was', () => {
  const read: Permissions = {
    users: { ada: ['view_resourcebase'], AnonymousUser: ['view_resourcebase'] },
    groups: { anonymous: ['view_resourcebase'], surveyors: ['view_resourcebase', 'delete_resourcebase'] },
  };
  expect(permissionsOf(sharesOf(read, undefined), publicNames(read))).toEqual({
    users: { ada: ['view_resourcebase'] },
    groups: { anonymous: ['view_resourcebase'], surveyors: ['view_resourcebase', 'delete_resourcebase'] },
  });
});

test('the owner is not shared with', () => {
  expect(sharesOf({ users: { ada: ['view_resourcebase'] }, groups: {} }, 'ada')).toEqual([]);
});
