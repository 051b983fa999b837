// PATCH with a value of its own for each row, merge patches, increments and JSON patches.

import { beforeEach, describe, expect, test } from 'vitest';
import { SHOP, SHOP_SETTINGS } from '../../fixtures/shop/shop.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

const SHOW = { prefer: 'return=representation' };
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

onEachEngine('PATCH', { fixtures: SHOP }, (db) => {
  const rest = useRest(db, SHOP_SETTINGS);
  beforeEach(() =>
    db().script(`
      delete from shop.stock; delete from shop.notes; delete from shop.orders; delete from shop.items;
      insert into shop.stock (place, product, n, price, facts, old, tags) values
        ('Rome', 'nail', 1, 1.5, '{"a": {"b": 1, "c": [1, 2]}, "d": null}', '{"x": 1}', '{old}'),
        ('Rome', 'saw', 2, null, null, null, null), ('Oslo', 'nail', 3, 3, '[1, 2, 3]', '1', null);
      insert into shop.notes values (1, 'rest_author', 'theirs'), (2, 'rest_anon', 'ours'), (3, 'rest_anon', 'ours');
      insert into shop.orders (id, note) values (1, 'a'), (2, 'a'), (3, 'b');
    `),
  );
  const patch = (target: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    rest.request('PATCH', target, { headers: { 'content-type': 'application/json', ...headers }, body });
  const stock = async (columns: string): Promise<unknown[]> =>
    db().query(`select ${columns} from shop.stock order by place desc, product`);
  const facts = async (place = 'Rome', product = 'nail'): Promise<unknown> =>
    (
      await db().query(`select facts::text as v from shop.stock where place = '${place}' and product = '${product}'`)
    ).map((row) => (row['v'] === null ? null : JSON.parse(String(row['v']))))[0];
  const orders = async (): Promise<unknown[]> =>
    (await db().query('select note from shop.orders order by id')).map((row) => row['note']);

  describe('with a list of rows', () => {
    test('changes each by its primary key, and no other', async () => {
      const body = [
        { place: 'Rome', product: 'saw', n: 20, price: 2 },
        { place: 'Oslo', product: 'nail', n: 30, price: 3.5 },
      ];
      expect(
        await patch('/stock?select=place,n,price&order=n', body, { prefer: 'return=representation, count=exact' }),
      ).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-1/2' },
        json: [
          { place: 'Rome', n: 20, price: 2 },
          { place: 'Oslo', n: 30, price: 3.5 },
        ],
      });
      expect(await stock('n')).toEqual([{ n: 1 }, { n: 20 }, { n: 30 }]);
    });

    test('by the columns of on_conflict, with filters beside them', async () => {
      const body = [
        { product: 'nail', n: 7 },
        { product: 'saw', n: 8 },
      ];
      expect(await patch('/stock?on_conflict=product&place=eq.Rome', body)).toMatchReply({
        status: 204,
        headers: { 'content-range': '0-1/*' },
      });
      expect(await stock('n')).toEqual([{ n: 7 }, { n: 8 }, { n: 3 }]);
    });

    test('refuses rows that are there twice, and columns that tell no rows apart, and changes nothing', async () => {
      const nail = { place: 'Rome', product: 'nail', n: 9 };
      expect(await patch('/stock', [nail, nail])).toMatchReply({
        status: 400,
        json: expect.objectContaining({
          code: 'SVRST174',
          message: 'Several objects in the body refer to the same row',
        }),
      });
      expect(await patch('/stock?on_conflict=product', [{ product: 'nail', n: 9 }])).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST174', message: 'An object in the body refers to several rows' }),
      });
      expect(await stock('n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    });

    test('an object about several rows is refused beside one about none, which would make up for it', async () => {
      const body = [
        { note: 'a', facts: { seen: true } },
        { note: 'nowhere', facts: { seen: true } },
      ];
      for (const headers of [{}, { 'content-type': 'application/merge-patch+json' }])
        expect(await patch('/orders?on_conflict=note', body, headers)).toMatchReply({
          status: 400,
          json: expect.objectContaining({ code: 'SVRST174', message: 'An object in the body refers to several rows' }),
        });
      expect(await db().query('select id from shop.orders where facts is not null')).toEqual([]);
      expect((await patch('/orders?on_conflict=note', [{ note: 'b', facts: {} }])).status).toBe(204);
    });

    test('passes over rows that are not there, or calls that an error', async () => {
      const body = [
        { id: 1, note: 'x' },
        { id: 9, note: 'y' },
      ];
      expect(await patch('/orders', body, { prefer: 'missing=error' })).toMatchReply({
        status: 404,
        json: problem(
          'SVRST175',
          'Some rows in the body were not found',
          '1 do not exist, or may not be changed by this role',
        ),
      });
      expect(await orders()).toEqual(['a', 'a', 'b']);
      expect(await patch('/orders', body)).toMatchReply({ status: 204, headers: { 'content-range': '0-0/*' } });
      expect(await orders()).toEqual(['x', 'a', 'b']);
    });

    test('says which columns are missing to tell rows apart', async () => {
      expect(await patch('/stock?on_conflict=place,product', [{ place: 'Rome', n: 1 }])).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST174', details: 'Missing: product' }),
      });
    });

    test('keeps to the rows and columns of the caller', async () => {
      const body = [1, 2].map((id) => ({ id, body: 'new' }));
      expect(await patch('/notes', body)).toMatchReply({ status: 204, headers: { 'content-range': '0-0/*' } });
      expect(await db().query('select body from shop.notes order by id')).toEqual([
        { body: 'theirs' },
        { body: 'new' },
        { body: 'ours' },
      ]);
      await db().script(`insert into shop.items (id, order_id, product) values (1, 1, 'x')`);
      expect((await patch('/items', [{ id: 1, cost: 1 }])).status).toBe(401);
      expect((await patch('/items', [{ id: 1, quantity: 2 }])).status).toBe(204);
    });

    test('whose rows do not say which they are is its first row for all that match, as ever', async () => {
      expect((await patch('/orders?note=eq.a', [{ note: 'x' }, { note: 'y' }])).status).toBe(204);
      expect(await orders()).toEqual(['x', 'x', 'b']);
    });
  });

  describe('as a merge patch', () => {
    const merge = (target: string, body: unknown, headers = {}): Promise<Reply> =>
      patch(target, body, { ...MERGE, ...headers });

    test('increments numbers, from nothing too, and sets the others', async () => {
      const body = { n: { $inc: 5 }, price: { $inc: -0.25 }, tags: ['new'] };
      expect(await merge('/stock?place=eq.Rome&select=n,price,tags&order=n', body, SHOW)).toMatchReply({
        status: 200,
        json: [
          { n: 6, price: 1.25, tags: ['new'] },
          { n: 7, price: -0.25, tags: ['new'] },
        ],
      });
    });

    test('merges json by RFC 7396 and leaves the rest', async () => {
      await merge('/stock?place=eq.Rome', {
        facts: { a: { b: null, e: { f: null, g: 1 } }, d: 2, c: [null] },
        old: { y: 2 },
      });
      expect(await facts()).toEqual({ a: { c: [1, 2], e: { g: 1 } }, d: 2, c: [null] });
      expect(await facts('Rome', 'saw')).toEqual({ a: { e: { g: 1 } }, d: 2, c: [null] });
      expect(await stock('old::text as old')).toEqual([{ old: '{"x": 1, "y": 2}' }, { old: '{"y": 2}' }, { old: '1' }]);
    });

    test.each([
      [{ a: 1 }, { a: 1 }],
      [null, null],
      [[1], [1]],
      ['text', 'text'],
      [{}, {}],
    ])('of %j onto a list is %j', async (value, expected) => {
      await merge('/stock?place=eq.Oslo', { facts: value });
      expect(await facts('Oslo')).toEqual(expected);
    });

    test('of a list of rows changes of each what it names', async () => {
      const body = [
        { place: 'Rome', product: 'nail', n: { $inc: 1 } },
        { place: 'Rome', product: 'saw', n: 100, facts: { new: true } },
        { place: 'Oslo', product: 'nail', price: null },
      ];
      expect((await merge('/stock', body)).status).toBe(204);
      expect(await stock('n, price::text as price')).toEqual([
        { n: 2, price: '1.50' },
        { n: 100, price: null },
        { n: 3, price: null },
      ]);
      expect(await facts()).toEqual({ a: { b: 1, c: [1, 2] }, d: null });
      expect(await facts('Rome', 'saw')).toEqual({ new: true });
    });

    test('leaves objects in json columns, and all of application/json, what they are', async () => {
      await merge('/stock?place=eq.Oslo', { facts: { $inc: 1 } });
      expect(await facts('Oslo')).toEqual({ $inc: 1 });
      await patch('/stock?place=eq.Oslo', { facts: { a: { $inc: 2 } } });
      expect(await facts('Oslo')).toEqual({ a: { $inc: 2 } });
      expect((await patch('/stock?place=eq.Oslo', { n: { $inc: 2 } })).status).toBe(400);
    });

    test.each([
      ['/stock', { place: { $inc: 1 } }, 'SVRST174'],
      ['/stock', [{ n: 1 }], 'SVRST174'],
      ['/stock', [1], 'SVRST102'],
      ['/stock', '{"a', 'SVRST102'],
      ['/stock', { nowhere: 1 }, 'SVRST204'],
      ['/stock', `{"facts":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, 'SVRST193'],
      ['/stock?place=eq.Rome', { n: { $inc: 1, more: 2 } }, '22P02'],
    ])('%s of %j is refused: %s', async (target, body, code) => {
      const reply = await merge(target, body);
      expect(reply.status).toBe(400);
      expect(JSON.parse(String(reply.body)).code).toBe(code);
      expect(await stock('n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    });

    test('as deep as it may be, and with all its operations, is one quick statement', async () => {
      const deep = `{"facts":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`;
      expect((await merge('/stock', deep)).status).toBe(204);
      expect(JSON.stringify(await facts('Oslo'))).toBe(deep.slice(9, -1));
      const body = Array.from({ length: 100 }, (_, i) => ({ op: 'add', path: `/facts/k${i}`, value: i }));
      expect((await patch('/stock', body, JSON_PATCH)).status).toBe(204);
      expect(await facts('Oslo')).toMatchObject({ k0: 0, k99: 99 });
    });

    test('is for PATCH alone', async () => {
      expect((await rest.request('POST', '/stock', { headers: MERGE, body: '{}' })).status).toBe(415);
    });
  });

  describe('as a JSON patch', () => {
    const apply = (body: unknown, target = '/stock?place=eq.Rome&product=eq.nail', headers = {}): Promise<Reply> =>
      patch(target, body, { ...JSON_PATCH, ...headers });

    test('adds, replaces and removes in order', async () => {
      const body = [
        { op: 'test', path: '/facts/a/b', value: 1 },
        { op: 'add', path: '/facts/a/c/1', value: 'between' },
        { op: 'add', path: '/facts/a/c/-', value: { last: true } },
        { op: 'add', path: '/facts/a/c/4', value: 'end' },
        { op: 'remove', path: '/facts/a/b' },
        { op: 'replace', path: '/facts/d', value: [] },
        { op: 'add', path: '/facts/x~1y~0z', value: 1e30 },
        { op: 'add', path: '/old/y', value: null },
        { op: 'test', path: '/facts/a/c/0', value: 1 },
      ];
      expect(await apply(body)).toMatchReply({ status: 204 });
      expect(await facts()).toMatchObject({
        a: { c: [1, 'between', 2, { last: true }, 'end'] },
        d: [],
        'x/y~z': expect.anything(),
      });
      expect((await stock('old::text as old'))[0]).toEqual({ old: '{"x": 1, "y": null}' });
    });

    test('of a whole column', async () => {
      await apply([{ op: 'add', path: '/facts', value: { new: 1 } }], '/stock?product=eq.saw');
      expect(await facts('Rome', 'saw')).toEqual({ new: 1 });
    });

    test.each([
      [[{ op: 'test', path: '/facts/a/b', value: 2 }]],
      [[{ op: 'remove', path: '/facts/nothing' }]],
      [[{ op: 'replace', path: '/facts/a/nothing', value: 1 }]],
      [[{ op: 'add', path: '/facts/a/c/3', value: 1 }]],
      [[{ op: 'remove', path: '/facts/a/c/-1' }]],
      [[{ op: 'add', path: '/facts/no/where', value: 1 }]],
      [
        [
          { op: 'add', path: '/facts/z', value: 1 },
          { op: 'test', path: '/old/x', value: 2 },
        ],
      ],
    ])('that fails changes nothing: %j', async (body) => {
      expect(await apply(body)).toMatchReply({ status: 409, json: expect.objectContaining({ code: 'SVRST176' }) });
      expect(await facts()).toEqual({ a: { b: 1, c: [1, 2] }, d: null });
    });

    test('numbers that are no index of a list are names of members, wherever they stand', async () => {
      await db().script(
        `update shop.stock set facts = '{"list": [{"x": 1}, {"x": 2}], "map": {"-1": {"x": 3}, "01": {}}}' where place = 'Rome' and product = 'nail'`,
      );
      for (const path of ['/facts/list/-1/x', '/facts/list/01/x', '/facts/list/+1/x', '/facts/list/ 1/x'])
        for (const op of ['add', 'replace', 'test', 'remove'])
          expect((await apply([{ op, path, value: 2 }])).status, `${op} ${path}`).toBe(409);
      const body = [
        { op: 'replace', path: '/facts/map/-1/x', value: 4 },
        { op: 'add', path: '/facts/map/01/y', value: 5 },
        { op: 'replace', path: '/facts/list/1/x', value: 6 },
      ];
      expect((await apply(body)).status).toBe(204);
      expect(await facts()).toEqual({ list: [{ x: 1 }, { x: 6 }], map: { '-1': { x: 4 }, '01': { y: 5 } } });
    });

    test('fails for all rows when it fails for one', async () => {
      expect((await apply([{ op: 'add', path: '/facts/z', value: 1 }], '/stock')).status).toBe(409);
      expect(await facts()).not.toHaveProperty('z');
    });

    test.each([
      [{}, 'The JSON patch is not a list of operations'],
      [[], 'The JSON patch has no operation'],
      [
        [{ op: 'move', path: '/facts/a', from: '/facts/b' }],
        'Operation 1 of the JSON patch has an op other than add, remove, replace, test',
      ],
      [
        [{ op: 'add', path: 'facts' }],
        "Operation 1 of the JSON patch has no path that begins with '/' and the name of a column",
      ],
      [[{ op: 'add', path: '/facts/a' }], 'Operation 1 of the JSON patch has no value'],
      [[{ op: 'remove', path: '/facts' }], 'removes a whole column'],
      [[{ op: 'add', path: '/n', value: 1 }], "The column 'n' of 'stock' is neither json nor jsonb"],
      [[{ op: 'add', path: '/nowhere', value: 1 }], "Could not find the 'nowhere' column"],
      [Array.from({ length: 101 }, () => ({ op: 'add', path: '/facts/a', value: 1 })), 'The request exceeds a limit'],
    ])('%j is refused', async (body, message) => {
      expect(await apply(body)).toMatchReply({
        status: 400,
        json: expect.objectContaining({ message: expect.stringContaining(message) }),
      });
    });

    test('has no way into the statement', async () => {
      const path = `/facts/'); drop table shop.stock; --/"}{`;
      expect((await apply([{ op: 'add', path, value: "'" }])).status).toBe(409);
      expect(await stock('n')).toHaveLength(3);
    });
  });
});
