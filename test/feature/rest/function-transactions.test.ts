// The transaction of a request: read-only or not, its isolation, and the settings it carries.

import { describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { openRest, tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const READ_ONLY = failure(405, '25006', 'cannot execute nextval() in a read-only transaction');

onEachEngine('the transaction of a request', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db, { 'app.settings.tier': 'gold', 'app.settings.other': '"quoted" \\ value' });

  const transaction = async (method: string, name: string, options: { as?: string; prefer?: string } = {}) => {
    const reply = await rest.request(method, `/rpc/${name}`, {
      ...(options.as === undefined ? {} : { as: options.as }),
      headers: options.prefer === undefined ? {} : { prefer: options.prefer },
    });
    expect(reply.status).toBe(200);
    return JSON.parse(String(reply.body)) as Record<string, string>;
  };

  describe('read-only', () => {
    test('by GET and HEAD, whatever the function says of itself', async () => {
      expect(await transaction('GET', 'transaction')).toMatchObject({ read_only: 'on' });
      expect(await transaction('GET', 'transaction_by_post')).toMatchObject({ read_only: 'on' });
      expect(await rest.get('/rpc/callcounter')).toMatchReply(READ_ONLY);
      expect(await rest.request('HEAD', '/rpc/callcounter')).toMatchReply({
        status: 405,
        headers: { 'proxy-status': 'Survest; error=25006' },
        text: '',
      });
    });

    test('by POST when the function is stable or immutable', async () => {
      expect(await transaction('POST', 'transaction')).toMatchObject({ read_only: 'on' });
      expect(await rest.request('POST', '/rpc/stable_that_writes')).toMatchReply(READ_ONLY);
    });

    test('not by POST when it is volatile', async () => {
      expect(await transaction('POST', 'transaction_by_post')).toMatchObject({ read_only: 'off' });
      expect(await rest.request('POST', '/rpc/callcounter')).toMatchReply({ status: 200, text: /^\d+$/ });
    });

    test('a view that writes is refused on a table read', async () => {
      await db().script(`
        create view test.counting_view as select id, test.callcounter() as n from test.items;
        grant all on test.counting_view to rest_anon;
      `);
      await rest.client().service.reloadSchema();
      expect(await rest.get('/counting_view?limit=1')).toMatchReply(READ_ONLY);
    });
  });

  describe('isolation', () => {
    test('read committed, unless someone wants another', async () => {
      expect(await transaction('GET', 'transaction')).toMatchObject({ isolation: 'read committed' });
      expect(await transaction('POST', 'transaction_by_post')).toMatchObject({ isolation: 'read committed' });
    });

    test('the function', async () => {
      for (const method of ['GET', 'POST']) {
        expect(await rest.request(method, '/rpc/serializable_function')).toMatchReply({ json: 'serializable' });
        expect(await rest.request(method, '/rpc/repeatable_function')).toMatchReply({ json: 'repeatable read' });
      }
    });

    test('the role', async () => {
      expect(await transaction('GET', 'transaction', { as: 'rest_repeatable' })).toMatchObject({
        isolation: 'repeatable read',
        read_only: 'on',
      });
      expect(await transaction('POST', 'transaction_by_post', { as: 'rest_serializable' })).toMatchObject({
        isolation: 'serializable',
        read_only: 'off',
      });
    });

    test('the function more than the role', async () => {
      expect(await rest.request('GET', '/rpc/repeatable_function', { as: 'rest_serializable' })).toMatchReply({
        json: 'repeatable read',
      });
    });

    test('of the next request it is the usual one again', async () => {
      expect(await transaction('GET', 'transaction')).toMatchObject({ isolation: 'read committed', read_only: 'on' });
    });

    test('writes of such a role are committed', async () => {
      expect(
        await rest.request('POST', '/shelves', {
          body: { id: 1 },
          as: 'rest_serializable',
          headers: { prefer: 'count=exact' },
        }),
      ).toMatchReply({ status: 201, headers: { 'content-range': '*/1' } });
      expect(await rest.get('/shelves?id=eq.1&select=id')).toMatchReply({ json: [{ id: 1 }] });
    });
  });

  describe('settings', () => {
    test('of the role are those of its requests', async () => {
      expect(await transaction('GET', 'transaction', { as: 'rest_hurried' })).toMatchObject({
        statement_timeout: '200ms',
      });
      expect(await transaction('GET', 'transaction')).toMatchObject({ statement_timeout: '0' });
      expect(await transaction('GET', 'transaction', { as: 'rest_MixedCase' })).toMatchObject({ work_mem: '4MB' });
    });

    test('of the function are those of the whole transaction, where they may be', async () => {
      expect(await rest.get('/rpc/patient_function')).toMatchReply({ json: '10s' });
      expect(await rest.request('GET', '/rpc/patient_function', { as: 'rest_hurried' })).toMatchReply({ json: '10s' });
    });

    test('the search path is the schema and the extra ones', async () => {
      expect(await transaction('GET', 'transaction')).toMatchObject({
        search_path: expect.stringMatching(/^"test", "extra", "postgis"/),
      });
    });

    test('of the configuration', async () => {
      expect(await rest.get('/rpc/get_setting?name=app.settings.tier')).toMatchReply({ json: 'gold' });
      expect(await rest.get('/rpc/get_setting?name=app.settings.other')).toMatchReply({ json: '"quoted" \\ value' });
    });

    test('of the request', async () => {
      const setting = (name: string) =>
        rest.get(`/rpc/get_setting?name=${name}`, { 'x-test': 'é', cookie: 'a=1; b="2"; c=x=y' });
      expect(await setting('request.method')).toMatchReply({ json: 'GET' });
      expect(await setting('request.path')).toMatchReply({ json: '/rpc/get_setting' });
      const headers = JSON.parse(JSON.parse(String((await setting('request.headers')).body)) as string) as object;
      expect(headers).toEqual({ 'x-test': 'é' });
      const cookies = JSON.parse(JSON.parse(String((await setting('request.cookies')).body)) as string) as object;
      expect(cookies).toEqual({ a: '1', b: '"2"', c: 'x=y' });
      expect(await rest.post('/rpc/get_setting', { name: 'request.method' })).toMatchReply({ json: 'POST' });
      expect(await rest.get('/rpc/get%5Fsetting?name=request.path')).toMatchReply({ json: '/rpc/get%5Fsetting' });
    });

    test('who asks', async () => {
      expect(await rest.get('/rpc/whoami')).toMatchReply({
        json: { role: 'rest_anon', claims: { role: 'rest_anon' } },
      });
      const authorization = `Bearer ${tokenFor({ role: AUTHOR, id: 'amira', nested: { a: [1] } })}`;
      expect(await rest.get('/rpc/whoami', { authorization })).toMatchReply({
        json: { role: AUTHOR, claims: { role: AUTHOR, id: 'amira', nested: { a: [1] } } },
      });
      expect(await rest.get('/authors_only', { authorization })).toMatchReply({
        json: [{ owner: 'amira', secret: 'opensesame' }],
      });
      expect(await rest.get('/rpc/whoami')).toMatchReply({
        json: { role: 'rest_anon', claims: { role: 'rest_anon' } },
      });
    });
  });

  describe('hoisted settings', () => {
    test('are those that the configuration names', async () => {
      const other = await openRest(db(), { 'db-hoisted-tx-settings': 'work_mem' });
      try {
        await db().script(`
          create or replace function test.patient_inside() returns text stable language sql
            set statement_timeout = '10s' set work_mem = '5MB' as $$ select current_setting('work_mem') $$;
        `);
        await other.service.reloadSchema();
        expect(await other.get('/rpc/patient_inside')).toMatchReply({ json: '5MB' });
        // Not hoisted, but the function's own all the same while it runs.
        expect(await other.get('/rpc/patient_function')).toMatchReply({ json: '10s' });
        // The isolation cannot be set from inside any more.
        expect(await other.get('/rpc/serializable_function')).toMatchReply({ status: 200 });
      } finally {
        await other.close();
      }
    });
  });
});

// PGlite has no statement_timeout.
onEachEngine(
  'statements that take too long',
  { fixtures: REST_FIXTURE, skip: { pglite: 'the embedded engine cannot interrupt a statement' } },
  (db) => {
    const rest = useRest(db);

    const timedOut = failure(500, '57014', 'canceling statement due to statement timeout');

    test('the role has a limit', async () => {
      expect(await rest.request('POST', '/rpc/sleep', { body: { seconds: 5 }, as: 'rest_hurried' })).toMatchReply(
        timedOut,
      );
      expect(await rest.request('HEAD', '/rpc/sleep?seconds=5', { as: 'rest_hurried' })).toMatchReply({
        status: 500,
        headers: { 'proxy-status': 'Survest; error=57014' },
        text: '',
      });
    });

    test('the function has one, and it is set before it runs', async () => {
      await db().script(`
        create function test.hurried_function() returns void language sql set statement_timeout = '50ms' as 'select pg_sleep(5)';
      `);
      await rest.client().service.reloadSchema();
      expect(await rest.request('POST', '/rpc/hurried_function')).toMatchReply(timedOut);
    });
  },
);
