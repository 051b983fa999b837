import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../http/http-message.ts';
import { parseRequest, type RequestConfig } from './parse-request.ts';

const config: RequestConfig = {
  dbSchemas: ['api', 'other'],
  dbTxEnd: 'commit',
  dbRootSpec: undefined,
  openapiMode: 'follow-privileges',
};
const timezones = new Set(['UTC']);

/** `GET /items?id=eq.5` and what else the request has. */
function request(
  line: string,
  rest: { headers?: HttpRequest['headers']; body?: string } = {},
  settings: Partial<RequestConfig> = {},
) {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  const http = { method, path, query, headers: rest.headers ?? {}, body: Buffer.from(rest.body ?? '') };
  return parseRequest(http, { ...config, ...settings }, timezones);
}

function asked(...parameters: Parameters<typeof request>) {
  const parsed = request(...parameters);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

const refused = (...parameters: Parameters<typeof request>) => {
  const parsed = request(...parameters);
  return parsed.ok ? 'accepted' : parsed.error.kind;
};

test('a read', () => {
  const read = asked('GET /Server%20Today?id=eq.5&limit=2', {
    headers: { accept: 'text/csv', prefer: 'count=exact', 'accept-profile': 'other', range: '0-0' },
  });
  expect(read).toMatchObject({
    method: 'GET',
    path: '/Server%20Today',
    target: { kind: 'relation', name: 'Server Today' },
    action: { kind: 'read', headOnly: false },
    schema: 'other',
    schemaNegotiated: true,
    values: ['5'],
    window: { offset: 0, limit: 1 },
    preferences: { count: 'exact', invalid: [] },
    accept: [{ kind: 'csv' }],
  });
  expect(read).not.toHaveProperty('payload');
});

test('a write', () => {
  const write = asked('POST /items?columns=id', {
    headers: { 'content-type': 'application/json', prefer: ['return=minimal', 'tx=rollback'] },
    body: '[{"id":1}]',
  });
  expect(write).toMatchObject({
    action: { kind: 'insert' },
    query: { columns: ['id'] },
    payload: { kind: 'json', isArray: true },
    preferences: { return: 'minimal', invalid: [] },
    accept: [{ kind: 'any' }],
  });
  expect(write.preferences).not.toHaveProperty('tx');
  const allowed = asked(
    'POST /items',
    { headers: { prefer: 'tx=rollback' }, body: '{}' },
    { dbTxEnd: 'commit-allow-override' },
  );
  expect(allowed.preferences.tx).toBe('rollback');
});

test('a call', () => {
  expect(asked('GET /rpc/add?a=1&b=eq.2')).toMatchObject({
    target: { kind: 'routine', name: 'add' },
    action: { kind: 'call', by: 'get' },
    query: { args: [{ name: 'a' }], filters: [{ value: { field: { name: 'b' } } }] },
  });
  expect(asked('HEAD /rpc/add?a=1')).toMatchObject({ action: { by: 'head' }, query: { args: [{ name: 'a' }] } });
  expect(asked('POST /rpc/add')).toMatchObject({ action: { by: 'post' }, payload: { kind: 'json', keys: [] } });
  expect(asked('POST /rpc/add', { headers: { 'content-type': 'text/plain' }, body: 'x' })).toMatchObject({
    payload: { kind: 'raw', as: 'text' },
  });
  expect(refused('POST /rpc/add?a=1')).toBe('query-unparsable');
});

test('the root, and a function in its place', () => {
  expect(asked('GET /')).toMatchObject({ target: { kind: 'root' }, action: { kind: 'describe', headOnly: false } });
  expect(asked('GET /?apikey=xyz')).toMatchObject({ action: { kind: 'describe' } });
  expect(asked('POST /', { body: '{"a":1}' }, { dbRootSpec: 'api.root' })).toMatchObject({
    target: { kind: 'routine', name: 'root' },
    action: { kind: 'call', by: 'post' },
    payload: { keys: ['a'] },
  });
});

test('OPTIONS says nothing about the query', () => {
  expect(asked('OPTIONS /items?id=5')).toMatchObject({ action: { kind: 'info' } });
  expect(asked('OPTIONS /rpc/add?a=1')).toMatchObject({ action: { kind: 'info' } });
});

describe('the window', () => {
  const range = { headers: { range: '5-2' } };
  test('only GET looks at the Range header', () => {
    expect(refused('GET /items', range)).toBe('range-crossed');
    expect(refused('GET /rpc/f', range)).toBe('range-crossed');
    expect(asked('HEAD /items', range).window).toEqual({ offset: 0 });
    expect(asked('POST /rpc/f', range).window).toEqual({ offset: 0 });
    expect(asked('PUT /items', { ...range, body: '{}' }).window).toEqual({ offset: 0 });
    expect(asked('POST /rpc/f?limit=1&offset=2', range).window).toEqual({ offset: 2, limit: 1 });
  });

  test.each(['POST', 'PATCH', 'DELETE'])('%s returns all that it changed', (method) => {
    const write = asked(`${method} /items?limit=1&offset=2&x.limit=3`, { body: '{}' });
    expect(write.window).toEqual({ offset: 0 });
    expect(write.query.windows).toEqual([]);
    expect(refused(`${method} /items?limit=-1`, { body: '{}' })).toBe('limit-negative');
  });

  test('PUT has none', () => {
    expect(refused('PUT /items?limit=1', { body: '{}' })).toBe('put-with-window');
    expect(refused('PUT /items?offset=1', { body: '{}' })).toBe('put-with-window');
    expect(refused('PUT /items?limit=0', { body: '{}' })).toBe('put-with-window');
    expect(asked('PUT /items?x.limit=1', { body: '{}' }).query.windows).toEqual([]);
  });
});

test('the first thing wrong is what is answered: path, schema, method, query, window, body', () => {
  const bad = { headers: { 'content-profile': 'x', 'content-type': 'image/png' }, body: '{' };
  const fine = { headers: { 'content-type': 'image/png' }, body: '{' };
  expect(refused('PUT /a/b/c?id=0&limit=-1', bad)).toBe('path-invalid');
  expect(refused('PUT /?id=0&limit=-1', bad, { openapiMode: 'disabled' })).toBe('root-disabled');
  expect(refused('PUT /rpc/f?id=0&limit=-1', bad)).toBe('schema-not-exposed');
  expect(refused('PUT /rpc/f?id=0&limit=-1', fine)).toBe('method-not-for-routines');
  expect(refused('TRACE /items?id=0&limit=-1', fine)).toBe('method-not-supported');
  expect(refused('PUT /items?id=0&limit=-1', fine)).toBe('query-unparsable');
  expect(refused('PUT /items?limit=-1', fine)).toBe('limit-negative');
  expect(refused('PUT /items?limit=1', fine)).toBe('put-with-window');
  expect(refused('PUT /items', fine)).toBe('content-type-unsupported');
  expect(refused('PUT /items', { body: '{' })).toBe('body-invalid');
});

test('bodies nobody asked for are not looked at', () => {
  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) {
    expect(asked(`${method} /items`, { headers: { 'content-type': 'image/png' }, body: '{' })).not.toHaveProperty(
      'payload',
    );
  }
});

test('headers sent several times', () => {
  const read = asked('GET /items', {
    headers: {
      accept: ['text/csv;q=0.1', 'application/json'],
      'accept-profile': ['other', 'api'],
      range: ['0-1', '5-2'],
    },
  });
  expect(read).toMatchObject({ accept: [{ kind: 'json' }, { kind: 'csv' }], schema: 'other', window: { limit: 2 } });
});

test('no request throws', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
  const http = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'x'),
    path: fc.oneof(text, fc.constantFrom('/', '/items', '/rpc/f')),
    query: text,
    headers: fc.dictionary(fc.constantFrom('accept', 'prefer', 'range', 'content-type', 'accept-profile'), text),
    body: fc.uint8Array(),
  });
  fc.assert(fc.property(http, (one) => typeof parseRequest(one, config, timezones).ok === 'boolean'));
});
