// Reading by a body: QUERY, and POST to …/query, answer as GET does with the same parameters.

import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf, textOf } from '../../testkit/reply-matcher.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';
import { useHttp } from './over-http.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };

onEachEngine('reading by a body', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const ways = [
    ['QUERY', '/items'],
    ['POST', '/items/query'],
  ] as const;

  describe.each(ways)('%s %s', (method, path) => {
    test('takes the query string as a form', async () => {
      const reply = await rest.request(method, path, { headers: FORM, body: 'id=in.(2,4,6)&order=id.desc&limit=2' });
      expect(reply).toMatchReply({
        status: 200,
        headers: {
          'content-range': '0-1/*',
          'content-location': '/items?id=in.%282%2C4%2C6%29&limit=2&order=id.desc',
          link: '</items?id=in.%282%2C4%2C6%29&limit=2&offset=2&order=id.desc>; rel="next"',
        },
        json: ids(6, 4),
      });
    });

    test('takes an object of texts, numbers and lists', async () => {
      const body = { id: ['gt.3', 'lt.9'], and: '(id.neq.5)', order: 'id', limit: 3, select: 'id' };
      expect(await rest.request(method, path, { headers: JSON_BODY, body })).toMatchReply({ json: ids(4, 6, 7) });
    });

    test('reads long numbers to their last digit', async () => {
      const headers = { ...JSON_BODY, prefer: 'handling=lenient' };
      const reply = await rest.request(method, path, { headers, body: '{"id":"eq.1","limit":9007199254740993}' });
      expect(headerOf(reply, 'content-location')).toBe('/items?id=eq.1&limit=9007199254740993');
    });

    test('takes parameters of the address beside those of the body, and each name once', async () => {
      const with2 = await rest.request(method, `${path}?order=id.desc`, { headers: FORM, body: 'id=lt.3' });
      expect(with2).toMatchReply({ json: ids(2, 1) });
      for (const [headers, body] of [
        [FORM, '%69d=lt.3'],
        [JSON_BODY, { id: 'lt.3' }],
      ] as const) {
        expect(await rest.request(method, `${path}?id=gt.1`, { headers, body })).toMatchReply({
          status: 400,
          json: problem(
            'SVRST180',
            "The parameter 'id' occurs both in the URL and in the body",
            null,
            'Send all parameters with that name in one place.',
          ),
        });
      }
    });

    test('without a body is what its address says', async () => {
      expect(await rest.request(method, `${path}?id=eq.3`)).toMatchReply({ json: ids(3) });
    });

    test('takes more than an address holds, and then says no address', async () => {
      const many = Array.from({ length: 30_000 }, (_, i) => i + 8).join();
      const reply = await rest.request(method, path, { headers: FORM, body: `id=in.(${many})&order=id&limit=2` });
      expect(reply).toMatchReply({ status: 200, headers: { 'content-location': null, link: null }, json: ids(8, 9) });
    });

    test.each([
      ['a list', '[]'],
      ['a text', '"id=eq.1"'],
      ['nothing that JSON is', '{'],
      ['an object inside', '{"id":{"eq":1}}'],
      ['a null', '{"id":null}'],
    ])('refuses %s', async (_what, body) => {
      expect(await rest.request(method, path, { headers: JSON_BODY, body })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST102' }),
      });
    });

    test('has the bounds of an address', async () => {
      const tooMany = { id: Array.from({ length: 1001 }, () => 'gt.0') };
      expect(await rest.request(method, path, { headers: JSON_BODY, body: tooMany })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST193' }),
      });
      expect(await rest.request(method, path, { headers: { 'content-type': 'text/csv' }, body: 'id\n1' })).toMatchReply(
        { status: 415 },
      );
    });

    test('is a filter and never SQL', async () => {
      const body = { id: "eq.1; drop table test.items --'" };
      expect(await rest.request(method, path, { headers: JSON_BODY, body })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: '22P02' }),
      });
    });
  });

  test('a function takes its arguments by a body, in a transaction that only reads', async () => {
    for (const [method, path] of [
      ['QUERY', '/rpc/add_them'],
      ['POST', '/rpc/add_them/query'],
    ] as const) {
      expect(await rest.request(method, path, { headers: JSON_BODY, body: { a: 2, b: 3 } })).toMatchReply({
        status: 200,
        text: '5',
      });
    }
    expect(await rest.request('QUERY', '/rpc/callcounter', { body: '' })).toMatchReply({ status: 405 });
  });

  test('uses the plan that a GET of the same shape has', async () => {
    const shapes = rest.client().service.state().shapes as unknown as { get(key: string): unknown };
    const asked: (boolean | undefined)[] = [];
    const get = shapes.get.bind(shapes);
    shapes.get = (key) => {
      const known = get(key);
      asked.push(known !== undefined);
      return known;
    };
    await rest.get('/clients?id=eq.1&select=name');
    await rest.request('QUERY', '/clients', { headers: FORM, body: 'select=name&id=eq.2' });
    await rest.request('POST', '/clients/query', { body: { select: 'name', id: 'eq.3' } });
    shapes.get = get;
    expect(asked).toEqual([false, true, true]);
  });

  test('chooses its schema by Accept-Profile', async () => {
    expect(
      await rest.request('QUERY', '/parents', { headers: { ...FORM, 'accept-profile': 'v2' }, body: 'select=id' }),
    ).toMatchReply({ status: 200, headers: { 'content-profile': 'v2' } });
  });

  test('hides what a GET hides', async () => {
    expect(await rest.request('QUERY', '/authors_only', { body: {} })).toMatchReply({ status: 401 });
    expect(await rest.request('QUERY', '/by_role', { body: { order: 'id' } })).toMatchReply({
      json: [{ id: 1, role: 'rest_anon' }],
    });
  });

  test.each([
    ['QUERY', '/', 405],
    ['POST', '/query', 404],
    ['GET', '/items/query', 404],
    ['PATCH', '/items/query', 404],
    ['POST', '/items/query/query', 404],
    ['POST', '/nothing/query', 404],
    ['POST', '/rpc/query', 404],
    ['POST', '/rpc/query/query', 404],
  ])('%s %s is what it was', async (method, path, status) => {
    expect(await rest.request(method, path, { body: {} })).toMatchReply({ status });
  });

  test('is announced where it works', async () => {
    expect(headerOf(await rest.request('OPTIONS', '/items'), 'allow')).toMatch(/,QUERY$/);
    expect(headerOf(await rest.request('OPTIONS', '/'), 'allow')).not.toContain('QUERY');
    const asked = { origin: 'http://example.com', 'access-control-request-method': 'QUERY' };
    const preflight = await rest.request('OPTIONS', '/items', { headers: asked });
    expect(headerOf(preflight, 'access-control-allow-methods')).toContain('QUERY');
  });

  describe('over HTTP', () => {
    const address = useHttp(rest);

    test('QUERY comes through', async () => {
      const body = await new Promise<string>((resolve, reject) => {
        const sent = httpRequest(`${address()}/items`, { method: 'QUERY', headers: FORM }, (reply) => {
          const chunks: Buffer[] = [];
          reply
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => resolve(textOf(Buffer.concat(chunks))));
        });
        sent.on('error', reject).end('id=eq.7');
      });
      expect(JSON.parse(body)).toEqual(ids(7));
    });
  });
});
