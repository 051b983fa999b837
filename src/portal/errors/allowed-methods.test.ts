import { expect, test } from 'vitest';
import { makeAllowedMethods } from './allowed-methods.ts';

const allowed = makeAllowedMethods();
for (const [url, method] of [
  ['/api/v2/users/:id', 'GET'],
  ['/api/v2/users/:id', ['PUT', 'PATCH']],
  ['/api/v2/users/:id(^\\d+$)/groups', 'GET'],
  ['/api/v2/users', 'POST'],
  ['/o/*', 'GET'],
  ['/*', 'GET'],
  ['*', 'OPTIONS'],
  ['/a.b+c', 'GET'],
] as const) {
  allowed.learn({ url, method: Array.isArray(method) ? [...method] : (method as string) });
}

test.each([
  ['/api/v2/users/5', ['GET', 'PATCH', 'PUT']],
  ['/api/v2/users/5/', ['GET', 'PATCH', 'PUT']],
  ['/api/v2/users/5/groups', ['GET']],
  ['/api/v2/users', ['POST']],
  ['/api/v2/users/5/6', []],
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
