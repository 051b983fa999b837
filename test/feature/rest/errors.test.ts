// What goes wrong: where the request goes, what the database says, and what its functions raise.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('errors', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test('the whole reply', async () => {
    const text = '{"code":"SVRST125","details":null,"hint":null,"message":"Invalid path specified in request URL"}';
    expect(await rest.get('/first/second/third')).toMatchReply({
      status: 404,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': '96',
        'proxy-status': 'Survest; error=SVRST125',
        'content-range': '*/*',
        'range-unit': 'items',
        'content-location': null,
        'preference-applied': null,
        'www-authenticate': null,
      },
      text,
    });
  });

  describe('paths', () => {
    test.each(['/items/', '/items/1', '//', '//items', '/rpc/add_them/1', '/rpc/add_them/', '/a/b', '/items/rpc/x'])(
      '%s is none',
      async (path) => {
        expect(await rest.get(path)).toMatchReply({
          status: 404,
          json: problem('SVRST125', 'Invalid path specified in request URL'),
        });
      },
    );

    test('/rpc is a relation like any', async () => {
      expect(await rest.get('/rpc')).toMatchReply({ status: 200, json: [{ id: 1 }] });
    });

    test('/rpc/ is a function without a name', async () => {
      expect(await rest.get('/rpc/')).toMatchReply({
        status: 404,
        json: problem(
          'SVRST202',
          'Could not find the function test. without parameters in the schema cache',
          'Searched for the function test. without parameters, but no matches were found in the schema cache.',
        ),
      });
    });
  });

  describe('methods', () => {
    test.each([
      ['TRACE', '/items', 'SVRST117', 'Unsupported HTTP method: TRACE'],
      ['CONNECT', '/items', 'SVRST117', 'Unsupported HTTP method: CONNECT'],
      ['get', '/items', 'SVRST117', 'Unsupported HTTP method: get'],
      ['POST', '/', 'SVRST117', 'Unsupported HTTP method: POST'],
      ['DELETE', '/', 'SVRST117', 'Unsupported HTTP method: DELETE'],
      ['PUT', '/rpc/sayhello', 'SVRST101', 'Cannot use the PUT method on RPC'],
      ['PATCH', '/rpc/sayhello', 'SVRST101', 'Cannot use the PATCH method on RPC'],
      ['DELETE', '/rpc/sayhello', 'SVRST101', 'Cannot use the DELETE method on RPC'],
      ['TRACE', '/rpc/sayhello', 'SVRST101', 'Cannot use the TRACE method on RPC'],
    ])('%s %s', async (method, target, code, message) => {
      expect(await rest.request(method, target)).toMatchReply({
        status: 405,
        headers: {
          'proxy-status': `Survest; error=${code}`,
          allow: target === '/' ? 'OPTIONS,GET,HEAD' : /^OPTIONS,GET,HEAD,POST/,
        },
        json: problem(code, message),
      });
    });

    test('a table that is not there is not looked for', async () => {
      expect(await rest.request('TRACE', '/nowhere_at_all')).toMatchReply({ status: 405 });
    });
  });

  describe('tables that are not there', () => {
    test.each([
      ['faketable', undefined],
      ['garlic', undefined],
      ['non_existent_table', undefined],
      ['car_models_2021', undefined],
      ['itms', 'items'],
      ['car_model', 'car_models'],
      ['ITEMS', 'items'],
      ['qqqqqqqqqqqqqqqqqqqqqqq', undefined],
    ])('%s', async (name, near) => {
      expect(await rest.get(`/${name}`)).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=SVRST205' },
        json: problem(
          'SVRST205',
          `Could not find the table 'test.${name}' in the schema cache`,
          null,
          near === undefined ? null : `Perhaps you meant the table 'test.${near}'`,
        ),
      });
    });

    test.each(['HEAD', 'OPTIONS', 'DELETE'])('by %s', async (method) => {
      expect(await rest.request(method, '/itms')).toMatchReply({
        status: 404,
        headers: { 'proxy-status': 'Survest; error=SVRST205' },
      });
    });

    test('of a hostile name', async () => {
      const name = `'"<script>\\`;
      expect(await rest.get(`/${encodeURIComponent(name)}`)).toMatchReply({
        status: 404,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        json: expect.objectContaining({ message: `Could not find the table 'test.${name}' in the schema cache` }),
      });
    });
  });

  describe('functions that are not there', () => {
    test.each([
      ['sayhell', 'Perhaps you meant to call the function test.sayhello'],
      ['qqqqqqqqqqqqqqqqqqqqqqq', null],
    ])('%s', async (name, hint) => {
      expect(await rest.get(`/rpc/${name}`)).toMatchReply({
        status: 404,
        json: problem(
          'SVRST202',
          `Could not find the function test.${name} without parameters in the schema cache`,
          `Searched for the function test.${name} without parameters, but no matches were found in the schema cache.`,
          hint,
        ),
      });
    });

    test('with other parameters', async () => {
      expect(await rest.get('/rpc/add_them?a=1&b=2&smthelse=x')).toMatchReply({
        status: 404,
        json: problem(
          'SVRST202',
          'Could not find the function test.add_them(a, b, smthelse) in the schema cache',
          'Searched for the function test.add_them with parameters a, b, smthelse, but no matches were found in the schema cache.',
          'Perhaps you meant to call the function test.add_them(a, b)',
        ),
      });
    });
  });

  describe('the order in which they are said', () => {
    test.each([
      ['the path before the schema', 'GET', '/a/b', { 'accept-profile': 'nowhere' }, 'SVRST125'],
      ['the schema before the method', 'TRACE', '/items', { 'accept-profile': 'nowhere' }, 'SVRST106'],
      ['the method before the query', 'TRACE', '/items?id=x', {}, 'SVRST117'],
      ['the query before the window', 'GET', '/items?id=x&limit=-1', {}, 'SVRST100'],
      ['the window before the table', 'GET', '/nowhere_at_all?limit=-1', {}, 'SVRST103'],
      ['the table before the embeds', 'GET', '/nowhere_at_all?nope.id=eq.1', {}, 'SVRST205'],
      ['what is not embedded before relationships', 'GET', '/projects?select=nope(*)&clients.id=eq.1', {}, 'SVRST108'],
      [
        'relationships before related orders',
        'GET',
        '/clients?select=projects(*),nope(*)&order=projects(id)',
        {},
        'SVRST200',
      ],
      [
        'related orders before aggregates',
        'GET',
        '/clients?select=count(),projects(*)&order=projects(id)',
        {},
        'SVRST118',
      ],
      ['aggregates before the media type', 'GET', '/clients?select=count()', { accept: 'text/nope' }, 'SVRST123'],
      [
        'the media type before preferences',
        'GET',
        '/clients',
        { accept: 'text/nope', prefer: 'handling=strict, what=1' },
        'SVRST107',
      ],
      ['preferences before the database', 'GET', '/failing_view', { prefer: 'handling=strict, what=1' }, 'SVRST122'],
      [
        'the database before the single row',
        'GET',
        '/failing_view',
        { accept: 'application/vnd.pgrst.object+json' },
        '22012',
      ],
      ['order before logic', 'GET', '/items?order=.&or=x', {}, 'order'],
      ['logic before columns', 'GET', '/items?columns=&or=x', {}, 'logic tree'],
      ['columns before select', 'GET', '/items?select=(&columns=', {}, 'columns parameter'],
      ['select before filters', 'GET', '/items?id=x&select=(', {}, 'select parameter'],
      ['filters before on_conflict', 'GET', '/items?on_conflict=&id=x', {}, 'filter'],
    ])('%s', async (_, method, target, headers, said) => {
      expect(await rest.request(method, target, { headers })).toMatchReply({
        json:
          said.startsWith('SVRST') || /^\d/.test(said)
            ? expect.objectContaining({ code: said })
            : expect.objectContaining({
                code: 'SVRST100',
                message: expect.stringContaining(`failed to parse ${said} (`),
              }),
      });
    });
  });

  describe('of the database, in its own words', () => {
    test.each([
      ['/rpc/divide?a=1&b=0', 400, problem('22012', 'division by zero')],
      ['/rpc/raise_plain', 400, problem('P0001', 'My error', 'Some detail', 'A hint')],
      ['/rpc/assert_fails', 500, problem('P0004', 'bad thing')],
      ['/rpc/ret_enum?val=cross', 400, problem('22P02', 'invalid input value for enum mood: "cross"')],
      ['/rpc/ret_domain?val=9', 400, problem('23514', expect.stringContaining('violates check constraint'))],
      [
        '/rpc/no_such_function_inside',
        404,
        problem('42883', 'function test.nowhere() does not exist', null, expect.any(String)),
      ],
      ['/failing_view', 400, problem('22012', 'division by zero')],
    ])('%s', async (target, status, json) => {
      expect(await rest.get(target)).toMatchReply({ status, json });
    });
  });
});

onEachEngine(
  'a statement that takes too long',
  { fixtures: REST_FIXTURE, skip: { pglite: 'it knows no statement_timeout' } },
  (db) => {
    const rest = useRest(db);

    test('is 500 and 57014', async () => {
      expect(await rest.request('POST', '/rpc/sleep', { as: 'rest_hurried', body: { seconds: 10 } })).toMatchReply({
        status: 500,
        headers: { 'proxy-status': 'Survest; error=57014' },
        json: problem('57014', 'canceling statement due to statement timeout'),
      });
    });
  },
);

onEachEngine('error codes as PostgREST spells them', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'error-codes': 'pgrst' });

  test.each([
    ['/nowhere_at_all', 404, 'PGRST205'],
    ['/items?id=0', 400, 'PGRST100'],
    ['/rpc/nowhere_at_all', 404, 'PGRST202'],
    ['/items?select=nothing_here', 400, '42703'],
  ])('%s', async (target, status, code) => {
    expect(await rest.get(target)).toMatchReply({
      status,
      headers: { 'proxy-status': `Survest; error=${code}` },
      json: expect.objectContaining({ code }),
    });
  });
});
