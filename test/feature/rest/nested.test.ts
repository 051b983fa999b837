// POST with rows inside rows: along every kind of relationship, as an insert and as an upsert.

import { beforeEach, describe, expect, test } from 'vitest';
import { SHOP, SHOP_SETTINGS } from '../../fixtures/shop/shop.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

const SHOW = { prefer: 'return=representation' };
const UPSERT = { prefer: 'return=representation, resolution=merge-duplicates' };

onEachEngine('a nested body', { fixtures: SHOP }, (db) => {
  const rest = useRest(db, SHOP_SETTINGS);
  beforeEach(() =>
    db().script(`
      delete from shop.orders; delete from shop.customers; delete from shop.tags; delete from shop.crumbs; delete from shop.swallowed;
      delete from shop.parts; delete from shop.notes;
      alter table shop.orders alter id restart; alter table shop.customers alter id restart; alter table shop.items alter id restart;
      alter table shop.tags alter id restart; alter table shop.parts alter id restart;
    `),
  );
  const post = (target: string, body: unknown, headers: Record<string, string> = SHOW, as?: string): Promise<Reply> =>
    rest.request('POST', target, {
      headers: { 'content-type': 'application/json', ...headers },
      body,
      ...(as && { as }),
    });
  const rows = (sql: string): Promise<readonly unknown[]> => db().query(sql);
  const items = () => rows('select id::int, order_id::int, product, quantity from shop.items order by id');

  describe('inserts', () => {
    test('children with their parents, and shows what select asks for', async () => {
      const body = [
        {
          note: 'first',
          items: [
            { product: 'nail', quantity: 3 },
            { product: 'saw', quantity: 1 },
          ],
        },
        { note: 'second', items: [] },
        { note: 'third', items: [{ product: 'glue', quantity: 2 }] },
      ];
      expect(await post('/orders?select=id,note,items(product,quantity)', body)).toMatchReply({
        status: 201,
        headers: { 'content-range': '*/*', 'preference-applied': 'return=representation' },
        json: body.map((order, i) => ({ id: i + 1, ...order })),
      });
      expect(await items()).toEqual([
        { id: 1, order_id: 1, product: 'nail', quantity: 3 },
        { id: 2, order_id: 1, product: 'saw', quantity: 1 },
        { id: 3, order_id: 3, product: 'glue', quantity: 2 },
      ]);
    });

    test('columns that some leave out have their default by preference, and a null that is given stays', async () => {
      const send = (missing: string, quantity: number | null): Promise<Reply> =>
        post(
          '/orders?select=items(quantity)',
          { items: [{ product: 'nail' }, { product: 'saw', quantity }] },
          { prefer: `${SHOW.prefer}, missing=${missing}` },
        );
      expect(await send('default', 2)).toMatchReply({
        status: 201,
        headers: { 'preference-applied': 'missing=default, return=representation' },
        json: [{ items: [{ quantity: 1 }, { quantity: 2 }] }],
      });
      const refused = { status: 400, json: expect.objectContaining({ code: '23502' }) };
      expect(await send('default', null)).toMatchReply(refused);
      expect(await send('null', 2)).toMatchReply(refused);
    });

    test('along every kind of relationship at once, several levels deep', async () => {
      const body = {
        note: 'all',
        customer: { name: 'Ada' },
        items: [{ product: 'kit', parts: [{ name: 'screw' }, { name: 'bolt' }] }],
        receipts: { number: 'R1' },
        tags: [{ name: 'new' }, { name: 'big' }],
      };
      const select = 'id,note,customer:customers(id,name),items(product,parts(name)),receipts(number),tags(id,name)';
      expect(
        await post(`/orders?select=${select}`, body, { ...SHOW, accept: 'application/vnd.pgrst.object+json' }),
      ).toMatchReply({
        status: 201,
        json: {
          id: 1,
          ...body,
          customer: { id: 1, name: 'Ada' },
          tags: [
            { id: 1, name: 'new' },
            { id: 2, name: 'big' },
          ],
        },
      });
      expect(await rows('select customer_id::int from shop.orders')).toEqual([{ customer_id: 1 }]);
      expect(await rows('select order_id::int, tag_id::int from shop.order_tags order by 2')).toEqual([
        { order_id: 1, tag_id: 1 },
        { order_id: 1, tag_id: 2 },
      ]);
    });

    test('from the other end: one parent inside each child', async () => {
      const body = [
        { product: 'nail', orders: { note: 'a' } },
        { product: 'saw', orders: { note: 'b' } },
      ];
      const reply = await post('/items?select=product,orders(note)', body);
      expect(reply).toMatchReply({ status: 201, json: body });
    });

    test('without showing anything, with the place of the one row', async () => {
      const body = { note: 'quiet', items: [{ product: 'nail' }] };
      expect(await post('/orders?select=items(*)', body, { prefer: 'return=headers-only' })).toMatchReply({
        status: 201,
        headers: { location: '/orders?id=eq.1' },
      });
      expect((await post('/orders?select=items(*)', body, {})).status).toBe(201);
      expect(await items()).toHaveLength(2);
    });

    test('keeps numbers and json to the letter', async () => {
      await post('/customers?select=orders(*)', '{"name":"Cy","orders":[{"facts":{"n":12345678901234567890.10}}]}');
      expect(await rows('select facts::text from shop.orders')).toEqual([{ facts: '{"n": 12345678901234567890.10}' }]);
    });

    test('takes a key that agrees, and refuses one that does not', async () => {
      const order = (id: number) => ({ id: 7, note: 'x', items: [{ order_id: id, product: 'nail' }] });
      expect(await post('/orders?select=id,items(id)', order(8))).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST177', details: '1 objects do not match their parent' }),
      });
      expect(await rows('select * from shop.orders')).toEqual([]);
      expect((await post('/orders?select=id', { id: 7, note: 'y' })).status).toBe(201);
      expect((await post('/orders?select=id,items(id)', { ...order(9), id: 9 })).status).toBe(201);
      expect(await items()).toMatchObject([{ order_id: 9 }]);
    });

    test('does nothing when a trigger leaves a parent out: nobody else gets its children', async () => {
      const body = ['lost', 'kept'].map((text, i) => ({ id: i, body: text, crumbs: [{ id: i, body: text }] }));
      expect(await post('/swallowed?select=*,crumbs(*)', body)).toMatchReply({
        status: 409,
        json: expect.objectContaining({ code: 'SVRST178' }),
      });
      expect(await rows('select * from shop.swallowed')).toEqual([]);
      expect(await rows('select * from shop.crumbs')).toEqual([]);
    });

    test('is one transaction: what fails below undoes what is above', async () => {
      expect(
        (await post('/orders?select=items(*)', { note: 'x', items: [{ product: 'nail', quantity: 0 }] })).status,
      ).toBe(400);
      expect(await rows('select * from shop.orders')).toEqual([]);
    });
  });

  describe('upserts', () => {
    const before = {
      id: 1,
      note: 'old',
      items: [
        { id: 11, product: 'nail' },
        { id: 12, product: 'saw' },
      ],
      tags: [{ id: 5, name: 'big' }],
    };
    const select = '/orders?select=id,note,items(id,product),tags(id,name)&items.order=id';
    const changed = {
      id: 1,
      note: 'new',
      items: [{ id: 12, product: 'plane' }, { product: 'glue' }],
      tags: [{ id: 5, name: 'large' }],
    };

    test('refuses an object whose new key is one that another object gives: neither is lost in the other', async () => {
      const [next] = await db().query<{ id: number }>(
        "select nextval(pg_get_serial_sequence('shop.items', 'id'))::int + 1 as id",
      );
      const collides = { id: 1, note: 'x', items: [{ id: next?.id, product: 'nail' }, { product: 'glue' }] };
      expect(await post(select, collides, { prefer: 'resolution=merge-duplicates,missing=default' })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST174' }),
      });
      expect(await items()).toEqual([]);
    });

    test('on every level by primary key, new children beside old ones; others stay', async () => {
      await post(select, before);
      expect(await post(select, changed, UPSERT)).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'resolution=merge-duplicates, return=representation' },
      });
      expect(await rows('select note from shop.orders')).toEqual([{ note: 'new' }]);
      expect((await items()).map((item) => (item as { product: string }).product).toSorted()).toEqual([
        'glue',
        'nail',
        'plane',
      ]);
      expect(await rows('select name from shop.tags')).toEqual([{ name: 'large' }]);
    });

    test('with missing=delete children that are not named go, and so do links, not what they led to', async () => {
      await post(select, before);
      await post(select, { id: 2, note: 'other', items: [{ id: 21, product: 'theirs' }], tags: [] });
      const reply = await post(select, { ...changed, tags: [] }, { prefer: `${UPSERT.prefer}, missing=delete` });
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'preference-applied': 'resolution=merge-duplicates, missing=delete, return=representation' },
      });
      expect((await items()).map((item) => (item as { product: string }).product).toSorted()).toEqual([
        'glue',
        'plane',
        'theirs',
      ]);
      expect(await rows('select * from shop.order_tags')).toEqual([]);
      expect(await rows('select name from shop.tags')).toEqual([{ name: 'big' }]);
    });

    test('who names no list keeps its children', async () => {
      await post(select, before);
      const body = [
        { id: 1, note: 'a', items: null },
        { id: 2, note: 'b', items: [{ product: 'x' }] },
      ];
      expect(
        (await post('/orders?select=id,items(id)', body, { prefer: 'resolution=merge-duplicates, missing=delete' }))
          .status,
      ).toBe(201);
      expect(await items()).toHaveLength(3);
    });

    test('a row that many name is written once', async () => {
      const body = [1, 2].map((id) => ({ id, customers: { id: 9, name: 'Ada' }, tags: [{ id: 5, name: 'big' }] }));
      expect((await post('/orders?select=*,customers(*),tags(*)', body, UPSERT)).status).toBe(201);
      expect(await rows('select name from shop.customers')).toEqual([{ name: 'Ada' }]);
      expect(await rows('select order_id::int from shop.order_tags order by 1')).toEqual([
        { order_id: 1 },
        { order_id: 2 },
      ]);
    });
  });

  describe('keeps to what the caller may', () => {
    test('column by column on each level', async () => {
      const body = (item: object) => ({ note: 'x', items: [{ product: 'nail', ...item }] });
      expect((await post('/orders?select=note,items(product)', body({ cost: 1 }))).status).toBe(401);
      expect(await rows('select * from shop.orders')).toEqual([]);
      expect((await post('/orders?select=note,items(product)', body({}))).status).toBe(201);
      // What may be written may be hidden all the same.
      expect((await post('/orders?select=note,items(cost)', body({}))).status).toBe(401);
      expect((await post('/orders?select=note,items(cost)', body({ cost: 1 }), SHOW, 'rest_author')).status).toBe(201);
      expect((await post('/orders?select=note,items(*)', body({}), SHOW, 'rest_reader')).status).toBe(403);
    });
  });

  test('keeps to the rows of the caller on each level', async () => {
    const body = (name: string) => ({ note: 'x', items: [{ product: 'kit', parts: [{ name: 'fine' }, { name }] }] });
    expect((await post('/orders?select=id,items(id,parts(id))', body('forbidden'))).status).toBe(401);
    expect(await rows('select * from shop.orders')).toEqual([]);
    expect((await post('/orders?select=id,items(id,parts(id))', body('also fine'))).status).toBe(201);
  });

  describe('what is none', () => {
    test.each([
      ['/orders?select=*,items(*)', { items: { product: 'x' } }, 'SVRST177'],
      ['/orders?select=*,customers(*)', { customers: [{ name: 'x' }] }, 'SVRST177'],
      ['/orders?select=*,items(*)', { items: [1] }, 'SVRST204'],
      ['/orders?select=*,items(*)', { items: 5 }, 'SVRST204'],
      ['/orders?select=*', { items: [{ product: 'x' }] }, 'SVRST204'],
      ['/orders?select=*,items(*)', { items: [{ nowhere: 'x' }] }, 'SVRST204'],
      ['/orders?select=*,items(*)', { items: [{ product: 'x' }, { product: 'y', quantity: 1 }] }, 'SVRST177'],
      [
        '/orders?select=*,items(*)',
        { 'items"; drop table shop.items; --': [{}], items: [{ "product'": 'x' }] },
        'SVRST204',
      ],
      ['/orders?select=*,items!nowhere(*)', { items: [{ product: 'x' }] }, 'SVRST200'],
    ])('%s of %j is refused: %s', async (target, body, code) => {
      const reply = await post(target, body);
      expect([reply.status, JSON.parse(String(reply.body)).code]).toEqual([400, code]);
    });

    test('resolution=ignore-duplicates cannot say whose children they are', async () => {
      const reply = await post(
        '/orders?select=items(*)',
        { items: [{ product: 'x' }] },
        { prefer: 'resolution=ignore-duplicates' },
      );
      expect(reply.status).toBe(400);
    });

    test('levels have a bound', async () => {
      let select = 'orders(id)';
      let body: object = { note: 'deep' };
      for (let i = 0; i < 9; i++) {
        select = i % 2 === 0 ? `customers(id,${select})` : `orders(id,${select})`;
        body = i % 2 === 0 ? { name: `c${i}`, orders: [body] } : { customers: body };
      }
      const reply = await post(`/orders?select=${select}`, { customers: body });
      expect([reply.status, JSON.parse(String(reply.body)).code]).toEqual([400, 'SVRST193']);
    });

    test('a json column of an embed’s name is a column', async () => {
      expect(await post('/orders?select=id,facts', { facts: [{ a: 1 }] })).toMatchReply({
        status: 201,
        json: [{ id: 1, facts: [{ a: 1 }] }],
      });
    });
  });

  test('works in a batch, too', async () => {
    const reply = await rest.post('/batch', [
      {
        method: 'POST',
        path: '/orders?select=id,items(id)',
        headers: SHOW,
        body: { note: 'x', items: [{ product: 'nail' }] },
      },
      { path: '/items?select=product&order_id=eq.$1.id' },
    ]);
    expect(JSON.parse(String(reply.body))[1].body).toEqual([{ product: 'nail' }]);
  });
});
