import { expect, test } from 'vitest';
import { isClosedToVisitors } from './closed-to-visitors.ts';

test.each([
  ['/api/v2/groups', true],
  ['/api/v2/groups/', true],
  ['/api/v2/groups.json', true],
  ['/api/v2/groups?page=2', true],
  ['/api/v2/groups/5/members/', true],
  ['/api/v2/resources/5/get_perms', true],
  ['/api/v2/resources/5/set_perms/', true],
  ['/api/v2/groupsandmore', false],
  ['/api/v2/resources/5', false],
  ['/api/v2/resources/5/favorite', false],
  ['/api/v2/maps/?x=/api/v2/groups', false],
  ['/mapviewer/rest/resources/', false],
])('%s is closed to visitors: %s', (url, expected) => {
  expect(isClosedToVisitors(url)).toBe(expected);
});
