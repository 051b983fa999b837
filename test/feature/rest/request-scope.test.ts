// What the database sees of a request: its settings, its role's own, the pre-request.

import { describe, expect, test } from 'vitest';
import { ANONYMOUS, AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('the request in the database', { fixtures: REST_FIXTURE }, (db) => {
  describe('settings', () => {
    const rest = useRest(db, { 'app.settings.color': "blue'; drop table x" });
    const setting = async (name: string, headers = {}): Promise<unknown> => {
      const reply = await rest.get(`/rpc/get_setting?name=${name}`, headers);
      return JSON.parse(Buffer.from(reply.body).toString());
    };

    test('method and path', async () => {
      expect(await setting('request.method')).toBe('GET');
      expect(await setting('request.path')).toBe('/rpc/get_setting');
      const posted = await rest.request('POST', '/rpc/get_setting', { body: { name: 'request.method' } });
      expect(posted).toMatchReply({ json: 'POST' });
    });

    test('the path is as it came', async () => {
      await db().script(`
        create view test."with blank" as select current_setting('request.path', true) as path;
        grant select on test."with blank" to rest_anon`);
      await rest.client().service.reloadSchema();
      expect(await rest.get('/with%20blank')).toMatchReply({ json: [{ path: '/with%20blank' }] });
    });

    test('headers, their names in lower case, without cookies', async () => {
      const headers = { 'X-Mine': 'value "quoted" ä', Cookie: 'a=1', Accept: 'application/json' };
      const seen = JSON.parse((await setting('request.headers', headers)) as string);
      expect(seen).toEqual({ 'x-mine': 'value "quoted" ä', accept: 'application/json' });
    });

    test('headers named like members of every object', async () => {
      const seen = (await setting('request.headers', JSON.parse('{"__proto__":"p","constructor":"c"}'))) as string;
      expect(seen).toContain('"constructor":"c"');
    });

    test('cookies', async () => {
      const seen = await setting('request.cookies', { cookie: 'acookie=cookievalue; second=b=c;third=' });
      expect(JSON.parse(seen as string)).toEqual({ acookie: 'cookievalue', second: 'b=c', third: '' });
      expect(JSON.parse((await setting('request.cookies')) as string)).toEqual({});
    });

    test('claims', async () => {
      expect(JSON.parse((await setting('request.jwt.claims')) as string)).toEqual({ role: ANONYMOUS });
      const token = tokenFor({ role: AUTHOR, id: 'amira', 'https://x/y': [1] });
      const seen = await setting('request.jwt.claims', { authorization: `Bearer ${token}` });
      expect(JSON.parse(seen as string)).toEqual({ role: AUTHOR, id: 'amira', 'https://x/y': [1] });
    });

    test('the search path', async () => {
      expect(await setting('search_path')).toMatch(/^"test", "extra", "postgis"(, |$)/);
    });

    test('those of the application', async () => {
      expect(await setting('app.settings.color')).toBe("blue'; drop table x");
    });

    test('the time zone', async () => {
      expect(await setting('timezone', { prefer: 'timezone=America/Los_Angeles' })).toBe('America/Los_Angeles');
      expect(await setting('timezone')).not.toBe('America/Los_Angeles');
      const target = '/all_types?id=eq.1&select=a_timestamptz';
      expect(await rest.get(target, { prefer: 'timezone=America/Los_Angeles' })).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'timezone=America/Los_Angeles' },
        json: [{ a_timestamptz: '2024-01-31T02:20:30-08:00' }],
      });
    });

    test('a time zone that is none is ignored, or refused when handling is strict', async () => {
      const target = '/items?id=eq.1';
      for (const timezone of ['Mars/Olympus', 'america/los_angeles', "UTC'; drop table x", '']) {
        expect(await rest.get(target, { prefer: `timezone=${timezone}` })).toMatchReply({
          status: 200,
          headers: { 'preference-applied': null },
        });
      }
      expect(await rest.get(target, { prefer: 'handling=strict, timezone=Mars/Olympus' })).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST122' },
        json: problem(
          'SVRST122',
          'Invalid preferences given with handling=strict',
          'Invalid preferences: timezone=Mars/Olympus',
        ),
      });
    });

    test('are gone with the request', async () => {
      await setting('request.headers', { 'x-mine': 'secret' });
      for (let i = 0; i < 6; i++) {
        expect(await setting('request.headers')).not.toContain('secret');
        expect(await setting('response.headers')).toBeNull();
      }
    });
  });

  describe('a role’s own settings', () => {
    const rest = useRest(db);
    test('are those of its requests and of no others', async () => {
      const asked = (as: string) => rest.request('GET', '/rpc/transaction', { as });
      const others = await asked(AUTHOR);
      expect(await asked('rest_MixedCase')).toMatchReply({ json: expect.objectContaining({ work_mem: '4MB' }) });
      expect(await asked('rest_hurried')).toMatchReply({
        json: expect.objectContaining({ statement_timeout: '200ms' }),
      });
      expect((await asked(AUTHOR)).body).toEqual(others.body);
    });
  });

  describe('the pre-request', () => {
    describe('named with its schema', () => {
      const rest = useRest(db, { 'db-pre-request': 'test.pre_request' });

      test.each([
        ['GET', '/items?id=eq.1'],
        ['HEAD', '/items?id=eq.1'],
        ['GET', '/rpc/add_them?a=1&b=2'],
      ])('runs before %s %s', async (method, target) => {
        expect(await rest.request(method, target)).toMatchReply({ status: 200, headers: { 'x-pre-request': 'ran' } });
      });

      test('runs before the root, too', async () => {
        expect(await rest.request('GET', '/', { headers: { 'x-refuse': '1' } })).toMatchReply({
          status: 401,
          json: problem('42501', 'Refused by the pre-request', null, 'Leave out X-Refuse'),
        });
      });

      test('does not run for OPTIONS', async () => {
        expect(await rest.request('OPTIONS', '/items', { headers: { 'x-refuse': '1' } })).toMatchReply({ status: 200 });
      });
    });

    describe('found by the search path', () => {
      const rest = useRest(db, { 'db-pre-request': 'pre_request' });
      test('runs', async () => {
        expect(await rest.get('/items?id=eq.1')).toMatchReply({ headers: { 'x-pre-request': 'ran' } });
      });
    });
  });

  describe('without prepared statements', () => {
    const rest = useRest(db, { 'db-prepared-statements': 'false', 'db-pre-request': 'test.pre_request' });
    test('all is the same', async () => {
      for (let i = 0; i < 3; i++) {
        expect(await rest.get('/items?order=id&limit=2&offset=3', { prefer: 'count=exact' })).toMatchReply({
          status: 206,
          headers: { 'content-range': '3-4/15', 'x-pre-request': 'ran' },
          json: ids(4, 5),
        });
        expect(await rest.get('/rpc/whoami')).toMatchReply({ json: expect.objectContaining({ role: ANONYMOUS }) });
      }
    });
  });

  describe('timing', () => {
    const rest = useRest(db, { 'server-timing-enabled': 'true' });
    const TIMING =
      /^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$/;

    test.each([
      ['GET', '/items?id=eq.1'],
      ['HEAD', '/items'],
      ['GET', '/rpc/add_them?a=1&b=2'],
      ['GET', '/'],
      ['OPTIONS', '/items'],
    ])('%s %s', async (method, target) => {
      expect(await rest.request(method, target)).toMatchReply({ status: 200, headers: { 'server-timing': TIMING } });
    });

    test('errors have none', async () => {
      expect(await rest.get('/nowhere_at_all')).toMatchReply({ headers: { 'server-timing': null } });
    });
  });

  describe('a trace header', () => {
    const rest = useRest(db, { 'server-trace-header': 'X-Request-Id' });
    test.each(['/items?id=eq.1', '/nowhere_at_all', '/items?id=x'])('comes back with %s', async (target) => {
      expect(await rest.get(target, { 'x-request-id': 'abc-1' })).toMatchReply({
        headers: { 'x-request-id': 'abc-1' },
      });
    });
  });
});
