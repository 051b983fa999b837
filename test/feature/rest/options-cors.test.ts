// OPTIONS, and what browsers ask and need to be told.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('OPTIONS', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test.each([
    ['a table', '/items', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY'],
    ['a table without a key', '/no_pk', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE,QUERY'],
    ['a partitioned table', '/car_models', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY'],
    [
      'a table nobody may touch: it is about what can be done, not by whom',
      '/private_table',
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY',
    ],
    ['a simple view, whose key is known', '/projects_view', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY'],
    ['a view without the key', '/projects_without_key', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE,QUERY'],
    ['a view of a union', '/all_names', 'OPTIONS,GET,HEAD,QUERY'],
    ['a view of a join', '/project_details', 'OPTIONS,GET,HEAD,QUERY'],
    ['a view with triggers', '/tiobe_by_trigger', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE,QUERY'],
    ['a view with a trigger for inserts', '/insert_by_trigger', 'OPTIONS,GET,HEAD,POST,QUERY'],
    ['a materialized view', '/materialized_projects', 'OPTIONS,GET,HEAD,QUERY'],
    ['a function that only reads', '/rpc/sayhello', 'OPTIONS,GET,HEAD,POST,QUERY'],
    ['an immutable function', '/rpc/add_them', 'OPTIONS,GET,HEAD,POST,QUERY'],
    ['a function that may write', '/rpc/callcounter', 'OPTIONS,POST'],
    ['the root', '/', 'OPTIONS,GET,HEAD'],
  ])('%s', async (_, target, allow) => {
    expect(await rest.request('OPTIONS', target)).toMatchReply({
      status: 200,
      headers: { allow, 'access-control-allow-origin': '*', 'content-length': '0', 'content-type': null },
      text: '',
    });
  });

  test('of another schema', async () => {
    expect(await rest.request('OPTIONS', '/another_table', { headers: { 'accept-profile': 'v2' } })).toMatchReply({
      status: 200,
    });
    expect(await rest.request('OPTIONS', '/another_table')).toMatchReply({ status: 404 });
  });

  test('of what is not there', async () => {
    expect(await rest.request('OPTIONS', '/itms')).toMatchReply({
      status: 404,
      json: problem(
        'SVRST205',
        "Could not find the table 'test.itms' in the schema cache",
        null,
        "Perhaps you meant the table 'test.items'",
      ),
    });
    expect(await rest.request('OPTIONS', '/rpc/sayhell')).toMatchReply({
      status: 404,
      json: expect.objectContaining({ code: 'SVRST202' }),
    });
    expect(await rest.request('OPTIONS', '/a/b')).toMatchReply({ status: 404 });
  });

  test('a bad token is one here, too', async () => {
    expect(await rest.request('OPTIONS', '/items', { headers: { authorization: 'Bearer x' } })).toMatchReply({
      status: 401,
    });
  });

  test('query parameters do not matter', async () => {
    expect(await rest.request('OPTIONS', '/items?id=eq.1&select=id')).toMatchReply({ status: 200 });
    expect(await rest.request('OPTIONS', '/rpc/add_them?a=1&b=2')).toMatchReply({ status: 200 });
  });
});

const EXPOSED =
  'Access-Explanation, Consistency-Token, Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Link, Location, Next-Cursor, Preference-Applied, Proxy-Status, Server, Transfer-Encoding, Range-Unit, X-Request-Id';
const METHODS = 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY';

onEachEngine('CORS', { fixtures: REST_FIXTURE }, (db) => {
  describe('any origin', () => {
    const rest = useRest(db);
    const origin = 'http://example.com';

    test('a preflight is answered at once', async () => {
      for (const target of ['/', '/items', '/nowhere_at_all', '/a/b/c']) {
        expect(
          await rest.request('OPTIONS', target, {
            headers: {
              origin,
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'Foo,Bar',
              authorization: 'Bearer of a bad token',
            },
          }),
        ).toMatchReply({
          status: 200,
          headers: {
            'access-control-allow-origin': '*',
            'access-control-allow-credentials': null,
            'access-control-allow-methods': METHODS,
            'access-control-allow-headers': 'Authorization, Foo, Bar, Accept, Accept-Language, Content-Language',
            'access-control-max-age': '86400',
            'content-length': '0',
            allow: null,
          },
          text: '',
        });
      }
    });

    test('a preflight that asks for no headers is told of none', async () => {
      expect(
        await rest.request('OPTIONS', '/items', { headers: { origin, 'access-control-request-method': 'GET' } }),
      ).toMatchReply({ status: 200, headers: { 'access-control-allow-headers': null } });
    });

    test('a preflight for a method there is not is an OPTIONS like any', async () => {
      expect(
        await rest.request('OPTIONS', '/items', { headers: { origin, 'access-control-request-method': 'TRACE' } }),
      ).toMatchReply({
        status: 200,
        headers: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY', 'access-control-allow-methods': null },
      });
    });

    test.each([
      ['/items?id=eq.1', 200],
      ['/nowhere_at_all', 404],
      ['/authors_only', 401],
    ])('%s (%i)', async (target, status) => {
      expect(await rest.get(target, { origin })).toMatchReply({
        status,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': EXPOSED,
          'access-control-allow-credentials': null,
        },
      });
    });

    test('without an origin nothing is said', async () => {
      expect(await rest.get('/items?id=eq.1')).toMatchReply({
        headers: { 'access-control-allow-origin': null, 'access-control-expose-headers': null },
      });
    });
  });

  describe('chosen origins', () => {
    const rest = useRest(db, { 'server-cors-allowed-origins': 'http://one.example, http://two.example' });

    test.each(['http://one.example', 'http://two.example'])('%s is one', async (origin) => {
      expect(await rest.get('/items?id=eq.1', { origin })).toMatchReply({
        status: 200,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': EXPOSED,
          vary: /Origin/,
        },
      });
      expect(
        await rest.request('OPTIONS', '/items', { headers: { origin, 'access-control-request-method': 'GET' } }),
      ).toMatchReply({
        status: 200,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' },
      });
    });

    test.each(['http://three.example', 'http://one.example.evil', 'null', 'HTTP://ONE.EXAMPLE'])(
      '%s is none: the answer comes without a word on it',
      async (origin) => {
        expect(await rest.get('/items?id=eq.1', { origin })).toMatchReply({
          status: 200,
          headers: {
            'access-control-allow-origin': null,
            'access-control-allow-credentials': null,
            'access-control-expose-headers': null,
            vary: /Origin/,
          },
        });
        // What it asks beforehand is an OPTIONS like any, and tells it nothing it could use.
        for (const asked of [{ 'access-control-request-method': 'GET' }, {}]) {
          expect(await rest.request('OPTIONS', '/items', { headers: { origin, ...asked } })).toMatchReply({
            status: 200,
            headers: {
              allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY',
              'access-control-allow-origin': null,
              'access-control-allow-methods': null,
              'access-control-max-age': null,
              vary: /Origin/,
            },
          });
        }
      },
    );

    test('one of them gets no answer for all beside its own', async () => {
      expect(await rest.request('OPTIONS', '/items', { headers: { origin: 'http://one.example' } })).toMatchReply({
        status: 200,
        headers: { 'access-control-allow-origin': 'http://one.example', 'access-control-allow-credentials': 'true' },
      });
    });
  });
});
