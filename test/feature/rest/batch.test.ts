// POST /batch: several requests as one caller in one transaction, with references between them.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Batch, Driver } from '../../../src/pg/driver.ts';
import { SHOP, SHOP_SETTINGS } from '../../fixtures/shop/shop.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

type Part = { id?: string; method?: string; path: string; headers?: Record<string, string>; body?: unknown };
type Answer = { id?: string; status: number; headers: Record<string, string>; body?: unknown };

const SHOW = { prefer: 'return=representation' };

onEachEngine('a batch', { fixtures: SHOP }, (db) => {
  const roundTrips: Batch[] = [];
  const rest = useRest(
    db,
    { ...SHOP_SETTINGS, 'db-tx-end': 'commit-allow-override', 'server-batch-size': '12' },
    (driver) => watched(driver, roundTrips),
  );
  beforeEach(async () => {
    await db().script(`
      delete from shop.orders; delete from shop.customers; delete from shop.tags; delete from shop.notes; delete from shop.later;
      alter table shop.orders alter id restart; alter table shop.customers alter id restart;
      insert into shop.customers (name) values ('Ada'), ('Bo');
      insert into shop.notes values (1, 'rest_author', 'not yours');
    `);
    roundTrips.length = 0;
  });
  const batch = (parts: readonly Part[] | string, headers: Record<string, string> = {}, as?: string): Promise<Reply> =>
    rest.request('POST', '/batch', {
      headers: { 'content-type': 'application/json', ...headers },
      body: parts,
      ...(as && { as }),
    });
  const answers = (reply: Reply): Answer[] => JSON.parse(String(reply.body));
  const names = async (): Promise<unknown[]> =>
    (await db().query('select name from shop.customers order by id')).map((row) => row['name']);
  const add = (name: string): Part => ({ method: 'POST', path: '/customers', body: { name } });

  describe('all or nothing', () => {
    test('does its requests in order and answers each', async () => {
      const reply = await batch([
        add('Cy'),
        { id: 'all', path: '/customers?select=name&order=id' },
        { method: 'PATCH', path: '/customers?name=eq.Ada', body: { mail: 'ada@example.org' }, headers: SHOW },
        { method: 'DELETE', path: '/customers?name=eq.Bo' },
        { method: 'HEAD', path: '/customers' },
      ]);
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
      expect(answers(reply).map(({ id, status, body }) => [id, status, body])).toEqual([
        [undefined, 201, undefined],
        ['all', 200, [{ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' }]],
        [undefined, 200, [{ id: 1, name: 'Ada', mail: 'ada@example.org' }]],
        [undefined, 204, undefined],
        [undefined, 200, undefined],
      ]);
      expect(answers(reply)[1]?.headers).toMatchObject({
        'Content-Range': '0-2/*',
        'Content-Location': '/customers?order=id&select=name',
      });
      expect(await names()).toEqual(['Ada', 'Cy']);
    });

    test('undoes everything when one fails: its status is the batch’s, and the others name it', async () => {
      const reply = await batch([add('Cy'), { id: 'twice', ...add('Ada') }, { path: '/customers' }]);
      expect(reply.status).toBe(409);
      expect(answers(reply)).toMatchObject([
        {
          status: 424,
          body: {
            code: 'SVRST172',
            message: 'Not executed, or rolled back, because request 2 of the batch failed',
            details: "Its id is 'twice'.",
          },
        },
        { id: 'twice', status: 409, body: { code: '23505' } },
        { status: 424, body: { code: 'SVRST172' } },
      ]);
      expect(await names()).toEqual(['Ada', 'Bo']);
    });

    test('undoes everything for rows that were looked at, too', async () => {
      const reply = await batch([
        add('Cy'),
        { path: '/customers', headers: { accept: 'application/vnd.pgrst.object+json' } },
      ]);
      expect(reply.status).toBe(406);
      expect(answers(reply)[1]).toMatchObject({ status: 406, body: { code: 'SVRST116' } });
      expect(await names()).toEqual(['Ada', 'Bo']);
    });

    test('asks the database nothing when a request cannot be done', async () => {
      const reply = await batch([add('Cy'), { path: '/nobody' }]);
      expect(reply.status).toBe(404);
      expect(answers(reply)[0]?.status).toBe(424);
      expect(roundTrips).toEqual([]);
    });

    test('is one round trip when its writes show nothing, and two when rows are shown', async () => {
      await batch([add('Cy'), add('Di'), { method: 'DELETE', path: '/customers?name=eq.Bo' }]);
      expect(roundTrips.length).toBe(1);
      expect(await names()).toEqual(['Ada', 'Cy', 'Di']);
      roundTrips.length = 0;
      await batch([add('Ed'), { path: '/customers' }, { ...add('Fi'), headers: SHOW }]);
      expect(roundTrips.length).toBe(2);
    });

    test('commits with its last round trip where that shows nothing', async () => {
      const reply = await batch([
        { ...add('Cy'), headers: SHOW },
        { method: 'PATCH', path: '/customers?id=eq.$1.id', body: { mail: 'cy@example.org' } },
      ]);
      expect(answers(reply).map(({ status }) => status)).toEqual([201, 204]);
      expect(roundTrips.length).toBe(2);
      expect(roundTrips[1]?.at(-1)?.text).toBe('commit');
      roundTrips.length = 0;
      // What is deferred fails at the commit, and is nobody's among the requests.
      const late = await batch([
        { ...add('Di'), headers: SHOW },
        { method: 'POST', path: '/later', body: [{ n: 1 }, { n: 1 }], headers: { 'x-of': '$1.id' } },
      ]);
      expect(late.status).toBeGreaterThanOrEqual(400);
      expect(await names()).toEqual(['Ada', 'Bo', 'Cy']);
    });

    test('a write that refuses its own rows does so in its one round trip, alone or in a batch', async () => {
      const rows = (...ids: readonly number[]): Part => ({
        method: 'PATCH',
        path: '/customers',
        body: ids.map((id) => ({ id, mail: `${id}@example.org` })),
        headers: { prefer: 'missing=error' },
      });
      const alone = (part: Part): Promise<Reply> =>
        rest.request('PATCH', part.path, {
          headers: { 'content-type': 'application/json', ...part.headers },
          body: part.body,
        });
      expect(await alone(rows(1, 2))).toMatchReply({ status: 204 });
      expect(await alone(rows(1, 99))).toMatchReply({
        status: 404,
        json: expect.objectContaining({ code: 'SVRST175' }),
      });
      expect(await alone(rows(1, 1))).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST174' }),
      });
      const one = { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' };
      expect(
        await rest.request('PATCH', '/customers', { headers: one, body: { mail: 'all@example.org' } }),
      ).toMatchReply({
        status: 406,
        json: expect.objectContaining({ code: 'SVRST116', details: 'The result contains 2 rows' }),
      });
      expect(
        await rest.request('DELETE', '/customers', { headers: { prefer: 'handling=strict, max-affected=1' } }),
      ).toMatchReply({ status: 400, json: expect.objectContaining({ code: 'SVRST124' }) });
      expect(roundTrips.length).toBe(5);
      expect(await db().query('select distinct mail from shop.customers where mail like $1', ['all%'])).toEqual([]);
      roundTrips.length = 0;
      const reply = await batch([add('Cy'), rows(1, 99), add('Di')]);
      expect(roundTrips.length).toBe(1);
      expect(answers(reply).map(({ status }) => status)).toEqual([424, 404, 424]);
      expect(await names()).toEqual(['Ada', 'Bo']);
    });

    test('a text of a client that looks like such a refusal is what it is', async () => {
      const forged = await rest.request('PATCH', '/customers', {
        headers: { 'content-type': 'application/json' },
        body: [
          { id: 'survest-problem {"missing":-7}', mail: 'x' },
          { id: 'survest-problem {', mail: 'x' },
        ],
      });
      expect(forged.status).toBe(400);
      expect(String(forged.body)).not.toContain('SVRSTX00');
    });

    test('has no more than ten answers in a round trip', async () => {
      const reply = await batch(Array.from({ length: 12 }, () => ({ path: '/customers?select=name' })));
      expect(answers(reply).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
      expect(roundTrips.length).toBe(3);
    });

    test('one round trip that fails keeps nothing', async () => {
      const reply = await batch([add('Cy'), add('Ada')]);
      expect(roundTrips.length).toBe(1);
      expect(answers(reply)).toMatchObject([{ status: 424 }, { status: 409 }]);
      expect(await names()).toEqual(['Ada', 'Bo']);
    });

    test('a constraint that speaks at the commit is the error of the whole', async () => {
      for (const headers of [{}, SHOW]) {
        const reply = await batch([1, 1].map((n) => ({ method: 'POST', path: '/later', body: { n }, headers })));
        expect(reply).toMatchReply({ status: 409, json: expect.objectContaining({ code: '23505' }) });
        expect(await db().query('select * from shop.later')).toEqual([]);
      }
    });

    test('tx=rollback shows what would have been, once for the whole', async () => {
      const reply = await batch([{ ...add('Cy'), headers: SHOW }], { prefer: 'tx=rollback' });
      expect(reply).toMatchReply({ status: 200, headers: { 'preference-applied': 'tx=rollback' } });
      expect(answers(reply)[0]).toMatchObject({ status: 201, body: [{ name: 'Cy' }] });
      expect(await names()).toEqual(['Ada', 'Bo']);
      expect(await batch([{ path: '/customers', headers: { prefer: 'tx=rollback' } }])).toMatchReply({ status: 400 });
    });
  });

  describe('batch=each', () => {
    test('a request that fails undoes itself alone', async () => {
      const reply = await batch(
        [
          add('Cy'),
          add('Ada'),
          { path: '/nobody' },
          { method: 'DELETE', path: '/customers', headers: { prefer: 'handling=strict, max-affected=1' } },
          { id: 'di', ...add('Di'), headers: SHOW },
          { method: 'POST', path: '/orders', body: { customer_id: '$di.id' }, headers: SHOW },
        ],
        { prefer: 'batch=each' },
      );
      expect(reply).toMatchReply({ status: 200, headers: { 'preference-applied': 'batch=each' } });
      expect(answers(reply).map(({ status }) => status)).toEqual([201, 409, 404, 400, 201, 201]);
      expect(await names()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
    });

    test('what refers to a failed one fails with it', async () => {
      const reply = await batch(
        [
          { ...add('Ada'), headers: SHOW },
          { method: 'POST', path: '/orders', body: { customer_id: '$1.id' } },
          add('Cy'),
        ],
        { prefer: 'batch=each' },
      );
      expect(answers(reply).map(({ status }) => status)).toEqual([409, 424, 201]);
      expect(await db().query('select * from shop.orders')).toEqual([]);
    });
  });

  describe('references', () => {
    test('by place and by id, in bodies and in addresses', async () => {
      const reply = await batch([
        { id: 'who', ...add('Cy'), headers: SHOW },
        {
          method: 'POST',
          path: '/orders',
          body: [{ customer_id: '$1.id' }, { customer_id: { $ref: '$who.0.id' } }],
          headers: SHOW,
        },
        { path: '/orders?select=id,customers(name)&customer_id=eq.$who.id&id=in.($2.0.id,$2.1.id)&order=id' },
        { path: '/customers?select=name&or=(name.eq.$who.name,id.eq.1)&order=id' },
      ]);
      expect(reply.status).toBe(200);
      expect(answers(reply)[2]?.body).toEqual([
        { id: 1, customers: { name: 'Cy' } },
        { id: 2, customers: { name: 'Cy' } },
      ]);
      expect(answers(reply)[2]?.headers['Content-Location']).toBe(
        '/orders?customer_id=eq.$who.id&id=in.%28$2.0.id%2C$2.1.id%29&order=id&select=id%2Ccustomers%28name%29',
      );
      expect(answers(reply)[3]?.body).toEqual([{ name: 'Ada' }, { name: 'Cy' }]);
    });

    test('carry what they stand for to the last digit, and whole rows', async () => {
      const reply = await batch(
        `[{"method":"POST","path":"/rpc/echo","body":{"value":{"big":12345678901234567890.10,"list":[1,{"a":null}]}}},
          {"method":"POST","path":"/rpc/echo","body":{"value":{"n":"$1.big","l":"$1.list","all":"$1"}}}]`,
      );
      expect(String(reply.body)).toContain(
        '{"n":12345678901234567890.10,"l":[1,{"a":null}],"all":{"big":12345678901234567890.10,"list":[1,{"a":null}]}}',
      );
    });

    test('a leading $ that is text is written twice', async () => {
      const reply = await batch([
        { ...add('$$5 shop'), headers: SHOW },
        { path: '/customers?name=eq.$$5 shop&select=name' },
        { method: 'POST', path: '/rpc/echo', body: { value: { $$ref: '#/a' } } },
      ]);
      expect(answers(reply).map(({ body }) => body)).toEqual([
        [{ id: 3, name: '$5 shop', mail: null }],
        [{ name: '$5 shop' }],
        { $ref: '#/a' },
      ]);
    });

    test.each([
      ['x,id.neq.0)&or=(id.neq.0', 'name=eq.$1.name'],
      ['x","y', 'name=in.($1.name)'],
      ['x"),id.neq.0', 'or=(name.eq.$1.name)'],
      ['x\\",\\"Ada', 'name=in.("$1.name",z)'],
      ['{Ada}', 'name=eq.$1.name'],
      ['not.eq.x', 'name=like.$1.name'],
      ["' or '1'='1", 'name=eq.$1.name'],
      ['%26id=neq.0', 'name=eq.$1.name'],
    ])('the value %s has no way into the filter %s', async (name, filter) => {
      const reply = await batch([{ ...add(name), headers: SHOW }, { path: `/customers?select=name&${filter}` }]);
      expect(answers(reply)[1]).toMatchObject({ status: 200, body: [{ name }] });
      expect(answers(reply)[1]?.body).toHaveLength(1);
    });

    test.each([
      ['/customers?$1.name=eq.x', 'the name of a column'],
      ['/customers?select=$1.name', 'a select'],
      ['/customers?order=$1.name', 'an order'],
      ['/customers?name=$1.name', 'an operator'],
      ['/customers?name=like.*$1.name*', 'a part of a value'],
      ['/$1.name', 'a path'],
    ])('%s is refused: a reference is no %s', async (path) => {
      const reply = await batch([{ ...add('eq.x'), headers: SHOW }, { path }]);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
      expect(String(reply.body)).not.toMatch(/svrst[0-9a-f]{18}/);
      expect(await names()).toEqual(['Ada', 'Bo']);
    });

    describe('many references to much are refused before anything is put together', () => {
      const answer = { path: '/customers?id=eq.1&select=name,much:name' };
      const long = 'x'.repeat(50_000);
      const limited = useRest(db, { ...SHOP_SETTINGS, 'server-max-body-size': '300000', 'server-batch-size': '12' });
      const send = (parts: readonly Part[]): Promise<Reply> =>
        limited.request('POST', '/batch', { headers: { 'content-type': 'application/json' }, body: parts });
      beforeEach(() => db().script(`update shop.customers set name = '${long}' where id = 1`));
      let made = 0;
      const insert = (count: number): Part => ({
        method: 'POST',
        path: '/customers',
        body: Array.from({ length: count }, () => ({ name: `n${++made}`, mail: '$1.name' })),
      });

      test('in a body', async () => {
        expect((await send([answer, insert(5)])).status).toBe(200);
        const reply = await send([answer, insert(2000)]);
        expect(reply.status).toBe(413);
        expect(answers(reply)[1]).toMatchObject({
          body: { code: 'SVRST173', message: expect.stringContaining('request 2 makes the batch too large') },
        });
      });
      test('in an address', async () => {
        const filter = (count: number): Part => ({
          path: `/customers?name=in.(${Array(count).fill('$1.name').join()})`,
        });
        expect((await send([answer, { ...filter(3), method: 'HEAD' }])).status).toBe(200);
        expect((await send([answer, filter(2000)])).status).toBe(413);
      });
      test('and over all requests of the batch', async () => {
        expect((await send([answer, insert(2), insert(2)])).status).toBe(200);
        const reply = await send([answer, insert(2), insert(2), insert(2), insert(2)]);
        expect(reply.status).toBe(413);
        expect(answers(reply)[4]).toMatchObject({ status: 413, body: { code: 'SVRST173' } });
        expect(answers(reply)[1]).toMatchObject({ status: 424 });
      });
    });

    test('an expression from an answer is held to the limits of expressions', async () => {
      const reply = await batch([{ ...add('(a)\\1'), headers: SHOW }, { path: '/customers?name=match.$1.name' }]);
      expect(reply.status).toBe(400);
      expect(answers(reply)[1]).toMatchObject({ body: { code: 'SVRST194' } });
    });

    test.each([
      [[{ path: '/orders?id=eq.$nobody.id' }], '$nobody.id', 'No request has that id.'],
      [[{ path: '/orders?id=eq.$1.id' }], '$1.id', 'A request can only refer to earlier ones.'],
      [[{ path: '/orders?id=eq.$' }], '$', 'It is not a valid reference.'],
      [[{ method: 'POST', path: '/orders', body: { note: '$5,00' } }], '$5,00', 'It is not a valid reference.'],
      [
        [{ path: '/customers' }, { path: '/orders?id=eq.$1.id' }],
        '$1.id',
        'The response has no row or several rows; say which one: $1.0.column.',
      ],
      [
        [{ path: '/customers?id=eq.1' }, { path: '/orders?id=eq.$1.nothing' }],
        '$1.nothing',
        'The response has no such value.',
      ],
      [
        [{ path: '/customers?id=eq.1' }, { path: '/orders?id=eq.$1.mail' }],
        '$1.mail',
        'In a URL, the value must be a string, a number or a boolean.',
      ],
      [
        [add('Cy'), { path: '/orders?id=eq.$1.id' }],
        '$1.id',
        'That request does not return JSON; send it with "Prefer": "return=representation".',
      ],
    ])('what means nothing is named: %j', async (parts, reference, details) => {
      const reply = await batch(parts);
      expect(reply.status).toBe(400);
      const problem = { code: 'SVRST171', message: expect.stringContaining(`: ${reference}`), details };
      const body = JSON.parse(String(reply.body));
      expect(Array.isArray(body) ? body.at(-1).body : body).toMatchObject(problem);
      expect(await names()).toEqual(['Ada', 'Bo']);
    });
  });

  describe('who asks', () => {
    test('is the same throughout, whatever an earlier request did', async () => {
      const reply = await batch([
        { method: 'POST', path: '/rpc/become_author' },
        { path: '/rpc/who' },
        { path: '/rpc/tell_path' },
      ]);
      expect(answers(reply).map(({ body }) => body)).toEqual(['rest_author', 'rest_anon', 'GET /rpc/tell_path']);
    });

    test('has the privileges and rows that it has alone', async () => {
      const reply = await batch(
        [
          { method: 'PATCH', path: '/notes?id=eq.1', body: { body: 'mine' }, headers: { prefer: 'count=exact' } },
          { method: 'POST', path: '/notes', body: { id: 2, owner: 'rest_author' } },
          { path: '/items?select=cost' },
        ],
        { prefer: 'batch=each' },
      );
      expect(answers(reply).map(({ status }) => status)).toEqual([204, 401, 401]);
      expect(answers(reply)[0]?.headers['Content-Range']).toBe('*/0');
      expect((await batch([{ method: 'POST', path: '/notes', body: { id: 2 } }], {}, 'rest_author')).status).toBe(200);
    });

    test('reads by GET write nothing, and what they set is not the next one’s', async () => {
      const reply = await batch([{ path: '/rpc/write_tag?name=x' }, add('Cy')], { prefer: 'batch=each' });
      expect(answers(reply).map(({ status }) => status)).toEqual([405, 201]);
      expect(answers(await batch([{ method: 'POST', path: '/rpc/teapot' }, { path: '/tags' }]))).toMatchObject([
        { status: 418, headers: { 'X-Tea': 'green' }, body: 'short' },
        { status: 200, body: [] },
      ]);
    });

    test('other types of bodies go in and out as text', async () => {
      const reply = await batch([
        { method: 'POST', path: '/customers', headers: { 'content-type': 'text/csv' }, body: 'name\nCy\nDi' },
        { path: '/customers?select=name&order=id', headers: { accept: 'text/csv' } },
      ]);
      expect(answers(reply)[1]).toMatchObject({ status: 200, body: 'name\nAda\nBo\nCy\nDi' });
    });
  });

  describe('under the settings of the operator', () => {
    const guarded = useRest(db, {
      ...SHOP_SETTINGS,
      'db-pre-request': 'shop.check_request',
      'db-max-cost': '5000',
      'server-rate-limit': '20/h per role',
      'server-max-body-size': '4000',
    });
    const send = (parts: readonly Part[], headers: Record<string, string> = {}, as = 'rest_author'): Promise<Reply> =>
      guarded.request('POST', '/batch', { headers, body: parts, as });

    test('the function before requests runs before each, and sees what it is about', async () => {
      const reply = await send([add('Cy'), { method: 'DELETE', path: '/tags' }]);
      expect(reply.status).toBe(403);
      expect(answers(reply)[1]).toMatchObject({ status: 403, body: { message: 'tags are for ever' } });
      expect(await names()).toEqual(['Ada', 'Bo']);
    });

    test('the cost of each is asked before it runs', async () => {
      const reply = await send([add('Cy'), { path: '/rpc/many' }, add('Di')], { prefer: 'batch=each' });
      expect(answers(reply).map(({ status }) => status)).toEqual([201, 400, 201]);
      expect(answers(reply)[1]).toMatchObject({ body: { code: 'SVRST192' } });
      expect((await send([add('Ed'), { path: '/rpc/many' }])).status).toBe(400);
      expect(await names()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
    });

    test('each counts for the rate, and answers have a bound', async () => {
      const part: Part = { method: 'POST', path: '/rpc/echo', body: { value: 'x'.repeat(1000) } };
      const echo: Part = { method: 'POST', path: '/rpc/echo', body: { value: ['$1', '$1', '$1', '$1', '$1'] } };
      expect(await send([part, echo], {}, 'rest_anon')).toMatchReply({ status: 413 });
      expect((await send([part, part, part], {}, 'rest_anon')).status).toBe(200);
      const many = Array.from({ length: 16 }, () => ({ path: '/rpc/who' }));
      expect(await send(many, {}, 'rest_anon')).toMatchReply({ status: 429 });
    });
  });

  describe('what is no batch', () => {
    test.each([
      ['{}', 'The batch is not a list of requests'],
      ['[]', 'The batch has no request'],
      ['[1]', 'Request 1 of the batch is not an object'],
      ['[{"path":"customers"}]', "Request 1 of the batch has no path that begins with '/'"],
      ['[{"path":"/customers","method":"TRACE"}]', 'has a method other than'],
      ['[{"path":"/customers","verb":"GET"}]', "has the member 'verb'"],
      ['[{"path":"/customers","headers":{"Authorization":"Bearer x"}}]', "has the header 'Authorization'"],
      ['[{"path":"/customers","headers":{"accept":"a\\nb"}}]', "has a header 'accept' that is no plain text"],
      ['[{"path":"/customers","id":"1"}]', 'has an id that is not a name'],
      ['[{"path":"/customers","id":"a"},{"path":"/customers","id":"a"}]', "has the id 'a', as another one before it"],
      [JSON.stringify(Array.from({ length: 13 }, () => ({ path: '/customers' }))), 'has more than 12 requests'],
    ])('%s is refused', async (body, message) => {
      expect(await batch(body)).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST170', message: expect.stringContaining(message) }),
      });
    });

    test.each([['/batch'], ['/']])('%s cannot be asked for in one', async (path) => {
      expect((await batch([{ path, method: path === '/' ? 'GET' : 'POST', body: [] }])).status).toBe(400);
    });

    test('other methods say what there is', async () => {
      expect(await rest.get('/batch')).toMatchReply({ status: 405, headers: { allow: 'OPTIONS,POST' } });
      expect(await rest.request('OPTIONS', '/batch')).toMatchReply({ status: 200, headers: { allow: 'OPTIONS,POST' } });
      expect(await batch('[{')).toMatchReply({ status: 400, json: expect.objectContaining({ code: 'SVRST102' }) });
    });
  });
});

function watched(driver: Driver, roundTrips: Batch[]): Driver {
  return {
    ...driver,
    execute(statements, options) {
      roundTrips.push(statements);
      return driver.execute(statements, options);
    },
    hold: (work, options) =>
      driver.hold(
        (session) =>
          work({
            ...session,
            execute(statements) {
              roundTrips.push(statements);
              return session.execute(statements);
            },
          }),
        options,
      ),
  };
}
