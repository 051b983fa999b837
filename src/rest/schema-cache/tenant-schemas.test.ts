import { expect, test } from 'vitest';
import { isTenantSchema } from './tenant-schemas.ts';

test.each([
  ['tenant_*', 'tenant_a', true],
  ['tenant_*', 'tenant_', true],
  ['tenant_*', 'tenants', false],
  ['t*_*x', 't_x', true],
  ['t*_*x', 'tx', false],
  ['*', 'anything', true],
  ['*', 'pg_catalog', false],
  ['*', 'information_schema', false],
  ['a', 'a', true],
  ['a', 'ab', false],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a-b-b-c', true],
])('%s means %s: %s', (pattern, schema, isMeant) => {
  expect(isTenantSchema(schema, pattern)).toBe(isMeant);
});

test('without a pattern there are none', () => {
  expect(isTenantSchema('a', undefined)).toBe(false);
});
