import { expect, test } from 'vitest';
import { chooseSchema } from './schema-header.ts';

const two: [string, ...string[]] = ['api', 'other'];
const headers = { 'accept-profile': 'other', 'content-profile': 'api' };

test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('%s asks with Accept-Profile', (method) => {
  expect(chooseSchema(method, headers, two)).toEqual({ ok: true, value: { schema: 'other', negotiated: true } });
  expect(chooseSchema(method, { 'content-profile': 'nonsense' }, two)).toMatchObject({ value: { schema: 'api' } });
});

test.each(['POST', 'PATCH', 'PUT', 'DELETE'])('%s asks with Content-Profile', (method) => {
  expect(chooseSchema(method, headers, two)).toEqual({ ok: true, value: { schema: 'api', negotiated: true } });
  expect(chooseSchema(method, { 'accept-profile': 'nonsense' }, two)).toMatchObject({ value: { schema: 'api' } });
});

test('without a header it is the first schema, and a choice only where there are several', () => {
  expect(chooseSchema('GET', {}, two)).toEqual({ ok: true, value: { schema: 'api', negotiated: true } });
  expect(chooseSchema('GET', {}, ['api'])).toEqual({ ok: true, value: { schema: 'api', negotiated: false } });
  expect(chooseSchema('GET', { 'accept-profile': 'api' }, ['api'])).toEqual({
    ok: true,
    value: { schema: 'api', negotiated: true },
  });
});

test.each(['nonsense', '', 'API', 'api, other'])('%j is not exposed', (schema) => {
  expect(chooseSchema('GET', { 'accept-profile': schema }, two)).toEqual({
    ok: false,
    error: { kind: 'schema-not-exposed', schema, exposed: two },
  });
});
