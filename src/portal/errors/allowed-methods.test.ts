import { expect, test } from 'vitest';
import { makeAllowedMethods } from './allowed-methods.ts';

const allowed = makeAllowedMethods();
allowed.learn({ url: '/api/v2/users/:id/copy', method: 'GET', config: { isRefusal: true } });
for (const [url, method] of [
  ['/api/v2/users/:id', 'GET'],
  ['/api/v2/users/:id', ['PUT', 'PATCH']],
  ['/api/v2/users/:id(^\\d+$)/groups', 'GET'],
  ['/api/v2/users', 'POST'],
  ['/o/*', 'GET'],
  ['/*', 'GET'],
  ['*', 'OPTIONS'],
  ['/a.b+c', 'GET'],
  ['/api/v2/users/:id/:field', 'GET'],
  ['/api/v2/users/:id/copy', 'PUT'],
  ['/api/v2/users/me', 'GET'],
] as const) {
  allowed.learn({ url, method: Array.isArray(method) ? [...method] : (method as string) });
}

test.each([
  ['/api/v2/users/5', ['GET', 'PATCH', 'PUT']],
  ['/api/v2/users/5/', ['GET', 'PATCH', 'PUT']],
  ['/api/v2/users/5/groups', ['GET']],
  ['/api/v2/users', ['POST']],
  ['/api/v2/users/5/6', ['GET']],
  ['/api/v2/users/5/6/7', []],
  ['/api/v2/users/5/copy/', ['PUT']],
  ['/api/v2/users/me', ['GET']],
  ['/api/v2', []],
  ['/o/token', ['GET']],
  ['/o/a/b', ['GET']],
  ['/o/', []],
  ['/a.b+c', ['GET']],
  ['/aXb+c', []],
  ['/anything', []],
])('%s knows %j', (path, methods) => {
  expect(allowed.of(path)).toEqual(methods);
});

test.each([
  ['/api/v2/users/me', '/api/v2/users/:id', true],
  ['/api/v2/users/5', '/api/v2/users/:id', false],
  ['/api/v2/users/5/copy', '/api/v2/users/:id/:field', true],
  ['/api/v2/users/5/copy', '/api/v2/users/:id/copy', false],
  ['/anything', '/*', false],
])('that %s has a route of its own besides %s is %s', (path, url, has) => {
  expect(allowed.hasOwn(path, url)).toBe(has);
});
