// What database code says of the reply: `response.headers` and `response.status`.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { openRest, tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const BAD_HEADERS = failure(
  500,
  'SVRST111',
  'response.headers guc must be a JSON array composed of objects with a single key and a string value',
);
const BAD_STATUS = failure(500, 'SVRST112', 'response.status guc must be a valid status code');

onEachEngine('response settings', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const checked = useRest(db, { 'db-pre-request': 'test.pre_request' });

  const setHeaders = (headers: unknown): Promise<Reply> =>
    rest.post('/rpc/set_headers', { headers: typeof headers === 'string' ? headers : JSON.stringify(headers) });
  const setStatus = (status: string): Promise<Reply> => rest.post('/rpc/set_status', { status });

  describe('response.headers', () => {
    test('are added, repeated ones repeatedly', async () => {
      const reply = await rest.request('POST', '/rpc/set_cookies');
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'cache-control': 'no-store', 'content-length': '6' },
        text: '"done"',
      });
      expect((reply.headers as Record<string, string[]>)['Set-Cookie']).toEqual(['one=1; HttpOnly', 'two=2; Secure']);
    });

    test('take the place of the service own, whatever their letters', async () => {
      const reply = await setHeaders([{ 'content-RANGE': 'mine' }, { 'X-A': '1' }, { 'x-a': '2' }]);
      expect(reply).toMatchReply({ status: 204, headers: { 'content-range': 'mine', 'x-a': '1, 2' } });
    });

    test('can change the type of the body', async () => {
      expect(
        await rest.post('/rpc/store_and_say', { shelf: 1, headers: '[{"Content-Type":"text/x-number"}]' }),
      ).toMatchReply({ status: 200, headers: { 'content-type': 'text/x-number' }, text: '1' });
    });

    test('say nothing when they are empty', async () => {
      for (const headers of ['', '[]']) {
        expect(await setHeaders(headers)).toMatchReply({ status: 204, headers: { 'content-range': '0-0/*' } });
      }
    });

    test('may hold any text', async () => {
      expect(await setHeaders([{ 'X-A': '' }, { 'X-B': 'a, b; c="d"' }])).toMatchReply({
        status: 204,
        headers: { 'x-a': '', 'x-b': 'a, b; c="d"' },
      });
    });

    test.each([
      ['no JSON', 'X-A: 1'],
      ['an object', { 'X-A': '1' }],
      ['a text', '"X-A"'],
      ['null', 'null'],
      ['an array of texts', ['X-A']],
      ['an array of arrays', [['X-A', '1']]],
      ['an object with two keys', [{ 'X-A': '1', 'X-B': '2' }]],
      ['an object without a key', [{}]],
      ['a number', [{ 'X-A': 1 }]],
      ['a null', [{ 'X-A': null }]],
      ['an object inside', [{ 'X-A': { a: 'b' } }]],
      ['a line end in a value', [{ 'X-A': 'a\r\nX-B: b' }]],
      ['a NUL in a value', '[{"X-A":"\\u0000"}]'],
      ['a name that is none', [{ 'X A': '1' }]],
      ['a name with a line end', [{ 'X-A\n': '1' }]],
    ])('%s is refused', async (_, headers) => {
      expect(await setHeaders(headers)).toMatchReply(BAD_HEADERS);
    });

    test('never touch how the message is framed', async () => {
      expect(
        await setHeaders([
          { 'Content-Length': '5' },
          { 'Transfer-Encoding': 'chunked' },
          { Connection: 'close' },
          { 'X-A': '1' },
        ]),
      ).toMatchReply({
        status: 204,
        headers: { 'content-length': null, 'transfer-encoding': null, connection: null, 'x-a': '1' },
      });
    });

    test('of one request are not those of the next', async () => {
      await setHeaders([{ 'X-A': '1' }]);
      expect(await rest.get('/items?limit=1')).toMatchReply({ status: 200, headers: { 'x-a': null } });
      expect(await rest.request('POST', '/rpc/ret_void')).toMatchReply({ status: 204, headers: { 'x-a': null } });
    });
  });

  describe('response.status', () => {
    test('takes the place of the usual one', async () => {
      expect(await rest.request('POST', '/rpc/teapot')).toMatchReply({
        status: 418,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': '61',
          'content-range': '0-0/*',
        },
        json: { message: 'The requested entity body is short and stout.' },
      });
    });

    test('counts by its leading digits', async () => {
      expect(await setStatus('299xyz')).toMatchReply({ status: 299, headers: { 'content-length': '0' }, text: '' });
      expect(await setStatus('0418')).toMatchReply({ status: 418 });
    });

    test('says nothing when it is empty', async () => {
      expect(await setStatus('')).toMatchReply({ status: 204 });
    });

    test.each(['abc', '-200', ' 200', '+200', '0', '99', '600', '99999999999999999999'])(
      '%j is none',
      async (status) => {
        expect(await setStatus(status)).toMatchReply(BAD_STATUS);
      },
    );

    test('a status without a body has none', async () => {
      for (const status of ['204', '304']) {
        expect(await rest.post('/rpc/store_and_say', { shelf: Number(status), status })).toMatchReply({
          status: Number(status),
          headers: { 'content-length': null, 'content-type': null },
          text: '',
        });
      }
    });

    test('bad headers are told before a bad status', async () => {
      expect(await rest.post('/rpc/store_and_say', { shelf: 3, headers: 'x', status: 'y' })).toMatchReply(BAD_HEADERS);
    });
  });

  test('they come from views and triggers as well', async () => {
    expect(await rest.get('/answering_view?limit=1')).toMatchReply({ status: 200, headers: { 'x-view': 'read' } });
    expect(await rest.request('HEAD', '/answering_view?limit=1')).toMatchReply({ status: 200 });
    expect(await rest.post('/answering', { id: 50, note: 'hi' })).toMatchReply({
      status: 202,
      headers: { 'x-note': 'hi' },
    });
  });

  test('an error has none of them', async () => {
    await db().script(`
      create or replace function test.say_then_fail() returns void language plpgsql as $$
      begin
        perform set_config('response.headers', '[{"X-A":"1"}]', true), set_config('response.status', '299', true);
        raise exception 'failed';
      end $$;
    `);
    await rest.client().service.reloadSchema();
    expect(await rest.request('POST', '/rpc/say_then_fail')).toMatchReply({
      ...failure(400, 'P0001', 'failed', { headers: { 'x-a': null } }),
    });
  });

  describe('the pre-request', () => {
    test('sets them for reads, writes and calls', async () => {
      const ran = { 'x-pre-request': 'ran' };
      expect(await checked.get('/items?limit=1')).toMatchReply({ status: 200, headers: ran });
      expect(await checked.post('/shelves', { id: 60 })).toMatchReply({ status: 201, headers: ran });
      expect(await checked.request('PATCH', '/shelves?id=eq.60', { body: { note: 'n' } })).toMatchReply({
        status: 204,
        headers: ran,
      });
      expect(await checked.request('DELETE', '/shelves?id=eq.60')).toMatchReply({ status: 204, headers: ran });
      expect(await checked.get('/rpc/add_them?a=1&b=2')).toMatchReply({ status: 200, headers: ran, text: '3' });
    });

    test('sets them for the description of the API', async () => {
      const described = { 'x-pre-request': 'ran', 'content-type': 'application/openapi+json; charset=utf-8' };
      expect(await checked.get('/')).toMatchReply({ status: 200, headers: described });
      expect(await checked.request('HEAD', '/')).toMatchReply({ status: 200, headers: described });
      await db().script(`create or replace function test.pre_request_of_root() returns void language sql as $$
        select set_config('response.status', current_setting('request.headers')::json ->> 'x-status', true),
          set_config('response.headers', current_setting('request.headers')::json ->> 'x-headers', true) $$`);
      const told = await openRest(db(), { 'db-pre-request': 'test.pre_request_of_root' });
      try {
        const ask = (status: string, headers: string) => told.get('/', { 'x-status': status, 'x-headers': headers });
        expect(await ask('203', '[{"content-type": "text/x-api"}, {"X-A": "1"}]')).toMatchReply({
          status: 203,
          headers: { 'content-type': 'text/x-api', 'x-a': '1' },
          text: /^{"swagger":"2.0"/,
        });
        expect(await ask('204', '')).toMatchReply({ status: 204, headers: { 'content-type': null }, text: '' });
        expect(await ask('', '{}')).toMatchReply({ status: 500, headers: { 'proxy-status': /SVRST111/ } });
        expect(await ask('x', '')).toMatchReply({ status: 500, headers: { 'proxy-status': /SVRST112/ } });
      } finally {
        await told.close();
      }
    });

    test('is overruled by what runs after it', async () => {
      expect(await checked.post('/rpc/set_headers', { headers: '[{"X-A":"1"}]' })).toMatchReply({
        headers: { 'x-pre-request': null, 'x-a': '1' },
      });
    });

    test('can refuse, and then nothing is done', async () => {
      const refused = failure(401, '42501', 'Refused by the pre-request', {
        hint: 'Leave out X-Refuse',
        headers: { 'www-authenticate': 'Bearer', 'x-pre-request': null },
      });
      const headers = { 'x-refuse': 'yes' };
      expect(await checked.get('/items', headers)).toMatchReply(refused);
      expect(await checked.post('/shelves', { id: 61 }, headers)).toMatchReply(refused);
      expect(await checked.get('/', headers)).toMatchReply(refused);
      expect(await checked.get('/shelves?id=eq.61')).toMatchReply({ json: [] });
    });

    test('can raise whatever it likes', async () => {
      const closed = await openRest(db(), { 'db-pre-request': 'pre_request_raises' });
      try {
        expect(await closed.get('/items')).toMatchReply({
          ...failure(403, 'PT403', 'Closed today'),
          statusText: 'Closed today',
        });
      } finally {
        await closed.close();
      }
    });

    test('can become another role', async () => {
      const switching = await openRest(db(), { 'db-pre-request': 'test.pre_request_switches_role' });
      try {
        expect(await switching.get('/rpc/whoami')).toMatchReply({
          json: { role: 'rest_anon', claims: { role: 'rest_anon' } },
        });
        const claims = { role: 'rest_anon', become: 'author' };
        expect(await switching.get('/rpc/whoami', { authorization: `Bearer ${tokenFor(claims)}` })).toMatchReply({
          json: { role: 'rest_author', claims },
        });
        expect(await switching.get('/rpc/whoami')).toMatchReply({
          json: { role: 'rest_anon', claims: { role: 'rest_anon' } },
        });
      } finally {
        await switching.close();
      }
    });

    test('that is not there fails every request that needs the database, and no other', async () => {
      const lost = await openRest(db(), { 'db-pre-request': 'test.nowhere_at_all' });
      try {
        expect(await lost.get('/items')).toMatchReply({
          status: 404,
          headers: { 'proxy-status': 'Survest; error=42883' },
        });
        expect(await lost.request('OPTIONS', '/items')).toMatchReply({ status: 200 });
        expect(await lost.get('/itemsx')).toMatchReply({ headers: { 'proxy-status': 'Survest; error=SVRST205' } });
      } finally {
        await lost.close();
      }
    });
  });
});
