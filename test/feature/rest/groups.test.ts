// Groups beyond sums: filters on aggregates, conditions on groups, orders by aggregates and by embedded rows, groups by times and buckets,
// window functions, distinct rows.

import { beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

const WORLD = `
  create table test.sales (
    id integer primary key, shop text not null, day timestamptz not null, amount integer, paid boolean not null,
    "distinct" integer, "having" integer
  );
  insert into test.sales values
    (1, 'a', '2024-01-31 23:30+00', 10, true, 1, 1), (2, 'a', '2024-02-01 10:00+00', 20, false, 2, 2),
    (3, 'b', '2024-02-02 10:00+00', 5, true, 1, null), (4, 'b', '2024-03-03 10:00+00', null, true, 1, null),
    (5, 'b', '2024-03-04 10:00+00', 15, false, 2, null), (6, 'C', '2025-03-04 10:00+00', 10, true, 2, null);
  create table test.sale_lines (sale_id integer references test.sales, n integer, primary key (sale_id, n));
  insert into test.sale_lines values (1, 1), (2, 1), (2, 2), (5, 1), (5, 2), (5, 3);
  create table test.hidden_sums (id integer primary key, shown integer, hidden integer);
  insert into test.hidden_sums values (1, 1, 100), (2, 1, 200);
  grant select on test.sales, test.sale_lines to rest_anon;
  grant select (id, shown) on test.hidden_sums to rest_anon;
`;

onEachEngine('groups, windows and distinct rows', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(WORLD));
  const rest = useRest(db, { 'db-aggregates-enabled': 'true' });

  test.each<[string, string, unknown]>([
    [
      'distinct rows',
      'select=distinct,paid&distinct=&order=distinct,paid',
      [
        { distinct: 1, paid: true },
        { distinct: 2, paid: false },
        { distinct: 2, paid: true },
      ],
    ],
    ['distinct, said alone', 'select=shop&distinct&shop=neq.C&order=shop', [{ shop: 'a' }, { shop: 'b' }]],
    ['distinct with embeds', 'select=paid,sale_lines(n)&distinct=&id=in.(3,4)', [{ paid: true, sale_lines: [] }]],
    [
      'the first row of each',
      'select=id,shop&distinct=shop&order=amount.desc.nullslast&shop=neq.C',
      [
        { id: 2, shop: 'a' },
        { id: 5, shop: 'b' },
      ],
    ],
    [
      'the first row of each, in the order of them',
      'select=id&distinct=shop&order=shop.desc,id.desc&shop=neq.C',
      [{ id: 5 }, { id: 2 }],
    ],
    [
      'filters on aggregates',
      'select=shop,count(),paid:count().filter(paid.is.true),big:amount.sum().filter(or(amount.gt.12,id.eq.1))&order=shop&shop=neq.C',
      [
        { shop: 'a', count: 2, paid: 1, big: 30 },
        { shop: 'b', count: 3, paid: 2, big: 15 },
      ],
    ],
    ['different values', 'select=amount.count(distinct),n:amount.count()', [{ count: 4, n: 5 }]],
    [
      'conditions on groups',
      'select=shop,total:amount.sum()&having=(total.gt.10,count().filter(paid.is.true).gte.1)&order=total.desc',
      [
        { shop: 'a', total: 30 },
        { shop: 'b', total: 20 },
      ],
    ],
    [
      'one of several conditions',
      'select=shop&having=or(count().gt.2,amount.max().eq.20)&order=shop',
      [{ shop: 'a' }, { shop: 'b' }],
    ],
    ['a condition on a column of the group', 'select=shop,count()&having=(shop.like.b*)', [{ shop: 'b', count: 3 }]],
    [
      'an order by aggregates',
      'select=shop&order=amount.sum().desc,count()',
      [{ shop: 'a' }, { shop: 'b' }, { shop: 'C' }],
    ],
    [
      'an order by what select calls an aggregate',
      'select=shop,n:count()&order=n.desc,shop',
      [
        { shop: 'b', n: 3 },
        { shop: 'a', n: 2 },
        { shop: 'C', n: 1 },
      ],
    ],
    [
      'groups by month',
      'select=month:day.trunc(month)::date,count()&order=month&shop=neq.C',
      [
        { month: '2024-01-01', count: 1 },
        { month: '2024-02-01', count: 2 },
        { month: '2024-03-01', count: 2 },
      ],
    ],
    [
      'groups by month somewhere',
      'select=month:day.trunc(month,Europe/Oslo),count()&order=day.trunc(month,Europe/Oslo)&id=lt.4',
      undefined,
    ],
    [
      'groups by a part',
      'select=year:day.part(year),month:day.part(month,UTC),count()&order=day.part(year),day.part(month,UTC)&id=gt.3',
      [
        { year: 2024, month: 3, count: 2 },
        { year: 2025, month: 3, count: 1 },
      ],
    ],
    [
      'groups by a bucket',
      'select=from:amount.bucket(10),count()&order=amount.bucket(10).nullslast',
      [
        { from: 0, count: 1 },
        { from: 10, count: 3 },
        { from: 20, count: 1 },
        { from: null, count: 1 },
      ],
    ],
    [
      'groups by letters',
      'select=shop.upper(),count()&order=shop.upper()',
      [
        { upper: 'A', count: 2 },
        { upper: 'B', count: 3 },
        { upper: 'C', count: 1 },
      ],
    ],
    [
      'an order by embedded rows',
      'select=id,sale_lines(n)&order=sale_lines(count).desc,id&limit=2',
      [
        { id: 5, sale_lines: [{ n: 1 }, { n: 2 }, { n: 3 }] },
        { id: 2, sale_lines: [{ n: 1 }, { n: 2 }] },
      ],
    ],
    [
      'an order by embedded rows that count',
      'select=id,sale_lines(n)&sale_lines.n=lt.2&order=sale_lines(count()).desc,id.desc&limit=1',
      [{ id: 5, sale_lines: [{ n: 1 }] }],
    ],
    [
      'numbers within groups',
      'select=id,n:row_number().over(partition(shop),order(day.desc))&order=id&shop=eq.b',
      [
        { id: 3, n: 3 },
        { id: 4, n: 2 },
        { id: 5, n: 1 },
      ],
    ],
    [
      'ranks',
      'select=id,rank().over(order(amount.desc.nullslast)),dense_rank().over(order(amount.desc.nullslast))&order=id&id=neq.4',
      [
        { id: 1, rank: 3, dense_rank: 3 },
        { id: 2, rank: 1, dense_rank: 1 },
        { id: 3, rank: 5, dense_rank: 4 },
        { id: 5, rank: 2, dense_rank: 2 },
        { id: 6, rank: 3, dense_rank: 3 },
      ],
    ],
    [
      'a running sum',
      'select=id,sum:amount.sum().over(partition(shop),order(paid)),all:count().over()&order=id&shop=eq.a',
      [
        { id: 1, sum: 30, all: 2 },
        { id: 2, sum: 20, all: 2 },
      ],
    ],
    [
      'values of other rows',
      'select=id,a:id.lag().over(order(id)),b:id.lead(2).over(order(id)),c:id.first_value().over(order(id)),d:id.last_value().over(order(id))&order=id&id=lt.4',
      [
        { id: 1, a: null, b: 3, c: 1, d: 3 },
        { id: 2, a: 1, b: null, c: 1, d: 3 },
        { id: 3, a: 2, b: null, c: 1, d: 3 },
      ],
    ],
  ])('%s', async (_what, query, expected) => {
    const reply = await rest.get(`/sales?${query}`);
    expect(reply).toMatchReply(expected === undefined ? { status: 200 } : { status: 200, json: expected });
  });

  test('a month begins where the time zone says', async () => {
    const months = async (zone: string): Promise<unknown> =>
      JSON.parse(String((await rest.get(`/sales?select=m:day.part(month,${zone})&id=eq.1`)).body));
    expect(await months('UTC')).toEqual([{ m: 1 }]);
    expect(await months('Europe/Oslo')).toEqual([{ m: 2 }]);
    expect(await rest.get('/sales?select=day.trunc(month,Nowhere/Atall)')).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: '22023' }),
    });
  });

  test('in embeds, and in the rows of a function called by POST', async () => {
    expect(
      await rest.get(
        '/clients?select=id,projects(client_id)&projects.distinct=&projects.having=(count().gt.1)&order=projects(count).desc,id&limit=1',
      ),
    ).toMatchReply({ status: 200, json: [{ id: 1, projects: [{ client_id: 1 }] }] });
    expect(await rest.post('/rpc/getallprojects?select=client_id&distinct=&order=client_id', {})).toMatchReply({
      json: [{ client_id: 1 }, { client_id: 2 }, { client_id: null }],
    });
  });

  test('the total is that of the groups or of the distinct rows', async () => {
    for (const query of ['select=shop&distinct=', 'select=shop&having=(count().gte.1)'])
      expect(await rest.get(`/sales?${query}&limit=1`, { prefer: 'count=exact' })).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-0/3' },
      });
  });

  test('columns that are called distinct and having are filtered as ever', async () => {
    expect(await rest.get('/sales?distinct=eq.2&having=not.is.null&select=id')).toMatchReply({ json: [{ id: 2 }] });
    expect(await rest.request('DELETE', '/sales?distinct=shop')).toMatchReply({ status: 400 });
    expect(await rest.request('PATCH', '/sales?distinct=', { body: { shop: 'x' } })).toMatchReply({ status: 400 });
    expect(await rest.get('/rpc/add_them?a=1&b=2&distinct=x')).toMatchReply({ status: 404 });
  });

  test.each([
    'select=shop&distinct=shop.',
    'select=shop&distinct=shop,',
    'select=shop&having=(count())',
    'select=shop&having=(count().gt.1',
    'select=shop&having=(count().gt.1)x',
    'select=day.trunc(fortnight)',
    'select=day.trunc(month,"x\'; drop table test.sales --")',
    'select=amount.bucket(0)',
    'select=amount.bucket(1;2)',
    'select=amount.round(99999)',
    'select=shop.pg_sleep(10)',
    'select=amount.lag()',
    'select=rank().over(order(id)',
    'select=rank().over(rows(id))',
    'select=count().filter()',
    'select=count().filter(id)',
    'order=shop.pg_sleep(1)',
    `select=${Array.from({ length: 21 }, (_, i) => `r${i}:rank().over()`).join()}`,
    `select=shop${'.lower()'.repeat(6)}`,
    `select=count().filter(${'and('.repeat(101)}id.eq.1${')'.repeat(101)})`,
  ])('%s is refused before the database is asked', async (query) => {
    expect(await rest.get(`/sales?${query}`)).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST100' }),
    });
  });

  test('a regular expression is judged wherever it stands', async () => {
    for (const query of [
      'select=count().filter(shop.match."(a*)*\\\\1")',
      'select=shop&having=(shop.match."(a*)*\\\\1")',
      'select=shop&order=count().filter(shop.imatch."(a)\\\\1")',
    ])
      expect(await rest.get(`/sales?${query}`)).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST194' }),
      });
  });

  test('a value is a value, whatever it looks like', async () => {
    expect(
      await rest.get(`/sales?select=n:count().filter(shop.eq."a') or true) --")&having=(shop.max().neq."x'")`),
    ).toMatchReply({ json: [{ n: 0 }] });
  });

  test('nothing tells about a column that may not be read', async () => {
    for (const query of [
      'select=shown&having=(hidden.sum().gt.150)',
      'select=shown&order=hidden.max()',
      'select=count().filter(hidden.gt.150)',
      'select=id,rank().over(order(hidden))',
      'select=id&distinct=hidden',
      'select=id,hidden.lag().over(order(id))',
    ])
      expect(await rest.get(`/hidden_sums?${query}`)).toMatchReply({
        status: 401,
        json: expect.objectContaining({ code: '42501' }),
      });
    expect(await rest.get('/by_role?select=count(),role.max()')).toMatchReply({
      json: [{ count: 1, max: 'rest_anon' }],
    });
  });

  describe('switched off, as by default', () => {
    const plain = useRest(db);

    test.each([
      'select=shop&distinct',
      'select=shop&distinct=shop',
      'select=shop&having=(count().gt.1)',
      'select=shop&order=count()',
      'select=id,rank().over(order(id))',
      'select=id,id.lag().over(order(id))',
      'select=id,sale_lines(n)&order=sale_lines(count)',
    ])('%s', async (query) => {
      expect(await plain.get(`/sales?${query}`)).toMatchReply({
        status: 400,
        json: problem('SVRST123', 'Use of aggregate functions is not allowed'),
      });
    });

    test('functions of a column are for everybody', async () => {
      expect(await plain.get('/sales?select=shop.upper(),amount.bucket(10)&id=eq.1')).toMatchReply({
        json: [{ upper: 'A', bucket: 10 }],
      });
    });
  });
});
