// Keyset pages: a cursor leads from page to page, each row comes once and in order, whatever is inserted meanwhile, and a page far
// behind costs what the first one costs.

import { beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { ids, problem, type SuiteClient, useRest } from '../../testkit/use-rest.ts';

const ROWS = 60;

const WORLD = `
  create table test.visits (
    id integer primary key,
    day date not null,
    place text,
    score double precision,
    facts jsonb,
    after date
  );
  insert into test.visits
    select i, date '2024-01-01' + i % 7, nullif((array['a', 'b', 'ä', null])[i % 4 + 1], ''), case when i % 5 > 0 then i % 3 / 3.0 end,
      case when i % 2 = 0 then jsonb_build_object('n', i % 4) end, date '2024-01-01' + i
    from generate_series(1, ${ROWS}) as i;
  create table test.visit_stops (visit_id integer references test.visits, at integer, primary key (visit_id, at));
  insert into test.visit_stops select i % 50 + 1, i from generate_series(1, 90) as i;
  create table test.far (id integer primary key, day date not null, note text);
  insert into test.far select i, date '2024-01-01' + i / 50, repeat('x', 20) from generate_series(1, 20000) as i;
  create index on test.far (day, id);
  analyze test.far;
  create table test.long_names (id integer primary key, name text not null);
  insert into test.long_names values (1, repeat('x', 5000));
  grant select on test.long_names to rest_anon;
  create function test.visits_from(day date) returns setof test.visits stable language sql
    as 'select * from test.visits v where v.day >= visits_from.day';
  create function test.visits_after(after date) returns setof test.visits stable language sql
    as 'select * from test.visits v where v.after > visits_after.after';
  create function test.visit_numbers() returns setof integer stable language sql as 'select id from test.visits';
  create function test.one_visit() returns test.visits stable language sql as 'select * from test.visits limit 1';
  grant all on test.visits, test.visit_stops, test.far to rest_anon, rest_author, rest_reader;
`;

function nextOf(reply: Reply): string | undefined {
  return /^<([^>]*)>; rel="next"$/.exec(headerOf(reply, 'link') ?? '')?.[1];
}

function rowsOf(reply: Reply): readonly Record<string, unknown>[] {
  return JSON.parse(textOf(reply.body ?? '')) as Record<string, unknown>[];
}

async function allPages(rest: SuiteClient, first: string): Promise<readonly Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let target: string | undefined = first, pages = 0; target !== undefined; pages++) {
    const reply: Reply = await rest.get(target);
    expect(reply).toMatchReply({ status: 200 });
    rows.push(...rowsOf(reply));
    target = nextOf(reply);
    expect(pages).toBeLessThan(ROWS);
  }
  return rows;
}

onEachEngine('keyset pages', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(WORLD));
  const rest = useRest(db, { 'db-plan-enabled': 'true', 'db-aggregates-enabled': 'true' });

  test.each([
    ['', 'id'],
    ['id.desc', 'id.desc'],
    ['day', 'day,id'],
    ['day.desc', 'day.desc,id.desc'],
    ['day,place', 'day,place,id'],
    ['place', 'place,id'],
    ['place.desc', 'place.desc,id.desc'],
    ['place.nullsfirst', 'place.nullsfirst,id'],
    ['place.desc.nullslast', 'place.desc.nullslast,id.desc'],
    ['day,place.desc', 'day,place.desc,id.desc'],
    ['score.desc.nullslast,place.nullsfirst', 'score.desc.nullslast,place.nullsfirst,id'],
    ['score,day.desc,place', 'score,day.desc,place,id'],
    ['facts->n.desc,facts->>n', 'facts->n.desc,facts->>n,id'],
    ['day,day.desc', 'day,id'],
  ])('order=%s: every row once, in order', async (order, whole) => {
    const paged = await allPages(rest, `/visits?select=id&limit=7&after=&order=${order || 'id'}`);
    expect(paged).toEqual(rowsOf(await rest.get(`/visits?select=id&order=${whole}`)));
    expect(paged).toHaveLength(ROWS);
  });

  test('with filters, embeds, a spread and other columns than those of the order', async () => {
    const first =
      '/visits?select=place,stops:visit_stops(at)&visit_stops.order=at&day=gt.2024-01-03&order=day.desc&limit=9&after=';
    const expected = await rest.get(first.replace('&limit=9&after=', ',id.desc'));
    expect(await allPages(rest, first)).toEqual(rowsOf(expected));
    const inner = '/visit_stops?select=at,...visits!inner(day)&visits.day=eq.2024-01-02&limit=3&after=';
    const whole = await rest.get(inner.replace('&limit=3&after=', '&order=visit_id,at'));
    expect(await allPages(rest, inner)).toEqual(rowsOf(whole));
  });

  describe('of functions that return rows of a relation', () => {
    test.each(['place.desc,day', 'id', 'facts->n.desc'])('order=%s: every row once, in order', async (order) => {
      const paged = await allPages(
        rest,
        `/rpc/visits_from?day=2024-01-03&limit=7&after=&order=${order}&select=id,place`,
      );
      const whole = await rest.get(
        `/visits?day=gte.2024-01-03&order=${order},id${order.includes('desc') && order.endsWith('desc') ? '.desc' : ''}&select=id,place`,
      );
      expect(paged).toEqual(rowsOf(whole));
    });
    test('with filters, embeds and as CSV', async () => {
      const first = '/rpc/visits_from?day=2024-01-02&id=lt.40&limit=5&after=&select=*,visit_stops(at)';
      expect(await allPages(rest, first)).toEqual(
        rowsOf(await rest.get('/visits?day=gte.2024-01-02&id=lt.40&order=id&select=*,visit_stops(at)')),
      );
      const csv = await rest.get('/rpc/visits_from?day=2024-01-02&limit=2&after=&select=id', { accept: 'text/csv' });
      expect(textOf(csv.body ?? '')).toBe('id\n1\n2');
      expect(headerOf(csv, 'next-cursor')).not.toBeNull();
    });
    test('called by POST, whose arguments are part of the question', async () => {
      const ask = (day: string, after: string): Promise<Reply> =>
        rest.post(`/rpc/visits_from?order=id&limit=2&select=id&after=${after}`, { day });
      const first = await ask('2024-01-01', '');
      expect(first).toMatchReply({ status: 200, json: ids(1, 2) });
      const cursor = headerOf(first, 'next-cursor') ?? '';
      expect(await ask('2024-01-01', cursor)).toMatchReply({ json: ids(3, 4) });
      const refused = { status: 400, json: expect.objectContaining({ code: 'SVRST181' }) };
      expect(await ask('2024-01-02', cursor)).toMatchReply(refused);
      expect(await rest.get(`/rpc/visits_from?day=2024-01-01&order=id&limit=2&select=id&after=${cursor}`)).toMatchReply(
        refused,
      );
      expect(await rest.get(`/rpc/visits_from?day=2024-01-01&after=nonsense`)).toMatchReply(refused);
    });
    test('an argument called after is an argument', async () => {
      const whole = await rest.get('/rpc/visits_after?after=2024-02-20&id=lt.60&select=id&order=id&offset=1');
      expect(whole).toMatchReply({ status: 200, json: ids(...Array.from({ length: 8 }, (_, i) => i + 52)) });
      expect(headerOf(whole, 'next-cursor')).toBeNull();
    });
    test.each([
      ['/rpc/visit_numbers?after=', 'SVRST182'],
      ['/rpc/one_visit?after=', 'SVRST182'],
      ['/rpc/visits_from?day=2024-01-01&after=&offset=2', 'SVRST182'],
      ['/rpc/visits_from?after=', 'SVRST202'],
      ['/rpc/nothing?after=', 'SVRST202'],
    ])('%s is refused', async (target, code) => {
      expect(await rest.get(target)).toMatchReply({ json: expect.objectContaining({ code }) });
    });
  });

  test('a row that is inserted or deleted meanwhile moves none of the others', async () => {
    const first = await rest.get('/visits?select=id&limit=3&after=&order=id');
    await db().script("insert into test.visits values (-1, '2024-01-01'); delete from test.visits where id = 60");
    const second = await rest.get(nextOf(first) ?? '');
    await db().script("delete from test.visits where id = -1; insert into test.visits values (60, '2024-01-05', 'a')");
    expect(second).toMatchReply({ json: ids(4, 5, 6) });
  });

  test('says the next page twice, and nothing behind the last', async () => {
    const reply = await rest.get('/visits?select=id&limit=2&after=&order=id', { prefer: 'count=exact' });
    const cursor = headerOf(reply, 'next-cursor');
    expect(reply).toMatchReply({
      status: 206,
      headers: {
        'content-range': `0-1/${ROWS}`,
        link: `</visits?after=${cursor}&limit=2&order=id&select=id>; rel="next"`,
      },
    });
    const second = await rest.get(`/visits?select=id&limit=2&order=id&after=${cursor}`, { prefer: 'count=exact' });
    expect(second).toMatchReply({ headers: { 'content-range': `*/${ROWS}` }, json: ids(3, 4) });
    const end = await rest.get(`/visits?select=id&limit=100&order=id&after=${cursor}`);
    expect(end).toMatchReply({ headers: { link: null, 'next-cursor': null, 'content-range': '*/*' } });
  });

  test('another limit, other columns, another form: the cursor still belongs', async () => {
    const cursor = headerOf(await rest.get('/visits?limit=2&after=&order=id'), 'next-cursor');
    const target = `/visits?select=day,id&limit=3&order=id&after=${cursor}`;
    expect(await rest.get(target, { accept: 'text/csv' })).toMatchReply({
      text: 'day,id\n2024-01-04,3\n2024-01-05,4\n2024-01-06,5',
    });
    expect(await rest.head(target)).toMatchReply({ status: 200, headers: { 'next-cursor': /^[\w-]+$/ } });
    expect(
      await rest.request('QUERY', '/visits', { body: { select: 'id', limit: 1, order: 'id', after: cursor } }),
    ).toMatchReply({ json: ids(3) });
    // Without a limit it is all that is left.
    expect(rowsOf(await rest.get(`/visits?order=id&after=${cursor}`))).toHaveLength(ROWS - 2);
  });

  test('a cursor of another relation, order, filter or hand is refused', async () => {
    const cursor = headerOf(await rest.get('/visits?limit=2&after=&order=day&id=gt.1'), 'next-cursor') ?? '';
    const invalid = {
      status: 400,
      json: problem(
        'SVRST181',
        'The cursor does not belong to this request',
        'A cursor is only valid for the relation, filters and order it was issued for.',
        'Start again with an empty `after=`.',
      ),
    };
    for (const target of [
      `/visits?limit=2&order=day.desc&id=gt.1&after=${cursor}`,
      `/visits?limit=2&order=day&id=gt.2&after=${cursor}`,
      `/visits?limit=2&order=day&after=${cursor}`,
      `/far?limit=2&order=day&id=gt.1&after=${cursor}`,
      `/visits?limit=2&order=day&id=gt.1&after=${cursor.slice(0, -1)}`,
      `/visits?limit=2&order=day&id=gt.1&after=A${cursor}`,
      `/visits?limit=2&order=day&id=gt.1&after=${Buffer.from('["2024-01-01","1"]').toString('base64url')}`,
      "/visits?after=';drop table visits;--",
    ])
      expect(await rest.get(target)).toMatchReply(invalid);
  });

  test.each([
    ['/no_pk?after=', 'The relation has no primary key.'],
    ['/visits?after=&select=day,count()', 'Grouped or distinct rows have no key.'],
    [
      '/visit_stops?after=&select=*,visits(day)&order=visits(day)',
      'The order uses something other than columns of the relation itself.',
    ],
    ['/visits?after=&offset=3', '`after` cannot be combined with `offset`, or with a Range that starts after 0.'],
  ])('%s is not possible', async (target, details) => {
    expect(await rest.get(target)).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST182', details }),
    });
  });

  test('what no cursor can hold is said, and only where a page follows', async () => {
    expect(await rest.get('/long_names?select=id&order=name&limit=1&after=')).toMatchReply({
      status: 400,
      json: expect.objectContaining({
        code: 'SVRST182',
        details: 'The last row of the page is ordered by values that are too long for a cursor.',
      }),
    });
    expect(await rest.get('/long_names?select=id&order=name&limit=2&after=')).toMatchReply({ json: ids(1) });
  });

  test('a cursor that is older than the key is refused', async () => {
    await db().script(`
      create table test.rekeyed (a integer, b integer, primary key (a)); insert into test.rekeyed values (1, 1), (2, 2);
      grant select on test.rekeyed to rest_anon;
    `);
    await rest.client().service.reloadSchema();
    const cursor = headerOf(await rest.get('/rekeyed?limit=1&after='), 'next-cursor');
    await db().script('alter table test.rekeyed drop constraint rekeyed_pkey, add primary key (a, b)');
    await rest.client().service.reloadSchema();
    expect(await rest.get(`/rekeyed?limit=1&after=${cursor}`)).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST181' }),
    });
  });

  test('a column called after is a filter, and so is the word in a write', async () => {
    expect(await rest.get('/visits?after=eq.2024-01-03&select=id')).toMatchReply({ json: ids(2) });
    expect(await rest.request('PATCH', '/visits?after=', { body: { place: 'x' } })).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST100' }),
    });
    expect(await rest.request('DELETE', '/visits?after=')).toMatchReply({ status: 400 });
  });

  describe('who may not see', () => {
    test('gets no rows and no columns by a cursor of somebody else', async () => {
      const cursor = headerOf(
        await rest.request('GET', '/by_role?after=&limit=1&order=role', { as: 'rest_author' }),
        'next-cursor',
      );
      // The place is one in the order, and says nothing about rows that a policy hides.
      expect(
        await rest.request('GET', `/by_role?after=${cursor}&limit=1&order=role`, { as: 'rest_reader' }),
      ).toMatchReply({
        json: [{ id: 3, role: 'rest_reader' }],
      });
      expect(await rest.get('/limited_columns?after=&limit=1&order=hidden&select=id')).toMatchReply({
        status: 401,
        json: expect.objectContaining({ code: '42501' }),
      });
      expect(await rest.get('/limited_columns?after=&limit=1&order=shown&select=shown')).toMatchReply({
        json: [{ shown: 'one' }],
      });
    });
  });

  describe('far behind', () => {
    type Node = { readonly Plans?: readonly Node[] } & Record<string, unknown>;
    const scanOf = (node: Node): Node | undefined =>
      /Scan/.test(String(node['Node Type'])) ? node : node.Plans?.map(scanOf).find((found) => found !== undefined);

    test.each(['day', 'day.desc'])('an index begins at the place: order=%s', async (order) => {
      const at = order === 'day' ? 'day=gte.2025-01-01' : 'day=lte.2024-02-01';
      const cursor = headerOf(await rest.get(`/far?limit=1&order=${order}&after=&${at}`), 'next-cursor');
      const plan = await rest.get(`/far?limit=10&order=${order}&${at}&after=${cursor}`, {
        accept: 'application/vnd.pgrst.plan+json; options=analyze',
      });
      const [top] = JSON.parse(textOf(plan.body ?? '')) as [{ readonly Plan: Node }];
      const scan = scanOf(top.Plan);
      expect(scan).toMatchObject({ 'Node Type': expect.stringMatching(/^Index/), 'Actual Rows': 10 });
      expect(scan?.['Index Cond']).toMatch(/ROW\(day, id\) [<>] ROW\(/);
      expect(scan).not.toHaveProperty('Rows Removed by Filter');
    });
  });
});
