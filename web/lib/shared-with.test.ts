import { expect, test } from 'vitest';
import type { Share } from './levels.ts';
import { isSeenByAll, neededFor, withNeeded } from './shared-with.ts';

const group: Share = { kind: 'groups', name: 'surveyors', names: ['view_resourcebase'] };
const person: Share = { kind: 'users', name: 'bob', names: ['view_resourcebase'] };
const everybody: Share = { kind: 'groups', name: 'anonymous', names: [] };
const view = neededFor(false);

test('a group sees what it, every account or everybody was given', () => {
  expect(isSeenByAll({ users: {}, groups: {} }, group, view)).toBe(false);
  for (const name of ['surveyors', 'registered-members', 'anonymous'])
    expect(isSeenByAll({ users: {}, groups: { [name]: ['view_resourcebase'] } }, group, view)).toBe(true);
  expect(isSeenByAll({ users: {}, groups: { 'registered-members': ['view_resourcebase'] } }, everybody, view)).toBe(
    false,
  );
});

test('rows in a list need the right to download', () => {
  const seen = { users: { bob: ['view_resourcebase'] as const }, groups: {} };
  expect(isSeenByAll(seen, person, view)).toBe(true);
  expect(isSeenByAll(seen, person, neededFor(true))).toBe(false);
});

test('who lacks something gets it, and nobody loses anything', () => {
  const before = {
    users: { ada: ['change_resourcebase'] as const },
    groups: { anonymous: ['view_resourcebase'] as const },
  };
  expect(withNeeded(before, [group, person], view)).toEqual(before);
  expect(withNeeded({ users: before.users, groups: {} }, [group, person], neededFor(true))).toEqual({
    users: { ada: ['change_resourcebase'], bob: ['view_resourcebase', 'download_resourcebase'] },
    groups: { surveyors: ['view_resourcebase', 'download_resourcebase'] },
  });
});
