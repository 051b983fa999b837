// How much one request may hold. What is more is refused with a number, before the database hears of it.

import { beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

const problem = (reply: Reply): Record<string, unknown> => JSON.parse(String(reply.body));

onEachEngine('what one request may hold', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() =>
    db().script(`
      create table test.limit_films (id int primary key, data json);
      create table test.limit_actors (id int primary key);
      create table test.limit_roles (film int references test.limit_films, actor int references test.limit_actors, primary key (film, actor));
      create function test.limit_keys(json) returns bigint language sql as 'select count(*) from json_object_keys($1)';
      insert into test.limit_films select i, '{"a": {"a": 1}}' from generate_series(1, 3) i;
      insert into test.limit_actors select i from generate_series(1, 3) i;
      insert into test.limit_roles select f, a from generate_series(1, 3) f, generate_series(1, 3) a;
      grant all on test.limit_films, test.limit_actors, test.limit_roles to rest_anon;
      grant execute on function test.limit_keys to rest_anon`),
  );
  const rest = useRest(db);
  const steps = (count: number): string => `data${'->a'.repeat(count)}`;

  describe.each([
    ['select', (path: string) => `/limit_films?select=${path}`],
    ['order', (path: string) => `/limit_films?order=${path}`],
    ['a filter', (path: string) => `/limit_films?${path}=is.null`],
    ['a group', (path: string) => `/limit_films?and=(${path}.is.null)`],
  ])('a JSON path in %s', (_, address) => {
    test('has a hundred steps at most', async () => {
      if (!address('').includes('order')) expect((await rest.get(address(steps(100)))).status).toBe(200);
      const reply = await rest.get(address(steps(101)));
      expect(reply.status).toBe(400);
      expect(problem(reply)).toMatchObject({
        code: 'SVRST100',
        details: expect.stringContaining('more than 100 steps in a JSON path'),
      });
    });
  });

  test.each([
    ['items', `/limit_films?select=${'id,'.repeat(2000)}id`, 'more than 2000 items in select'],
    [
      'embeds',
      `/limit_films?select=${Array.from({ length: 101 }, (_, i) => `e${i}:limit_actors(id)`)}`,
      'more than 100 embeds',
    ],
    ['terms of an order', `/limit_films?order=${'id,'.repeat(200)}id`, 'more than 200 terms of an order'],
    ['conditions', `/limit_films?or=(${'id.eq.1,'.repeat(1000)}id.eq.1)`, 'more than 1000 conditions in a group'],
  ])('there are only so many %s', async (_, address, said) => {
    const reply = await rest.get(address);
    expect(reply.status).toBe(400);
    expect(problem(reply)).toMatchObject({ code: 'SVRST100', details: expect.stringContaining(said) });
  });

  test('there are only so many parameters', async () => {
    expect((await rest.get(`/limit_films?${'id=eq.1&'.repeat(1000)}`)).status).toBe(200);
    const reply = await rest.get(`/limit_films?${'id=eq.1&'.repeat(1001)}`);
    expect(reply.status).toBe(400);
    expect(problem(reply)).toMatchObject({ code: 'SVRST193', details: 'More than 1000 parameters.' });
  });

  describe('keys of a body', () => {
    const body = (keys: number): string => `{${Array.from({ length: keys }, (_, i) => `"k${i}":1`)}}`;
    test('are not more than a table has columns', async () => {
      const reply = await rest.request('POST', '/limit_films', { body: body(1601) });
      expect(reply.status).toBe(400);
      expect(problem(reply)).toMatchObject({
        code: 'SVRST102',
        message: expect.stringContaining('more than 1600 keys'),
      });
    });
    test('of rows behind the first are held against it, however many they are', async () => {
      const reply = await rest.request('POST', '/limit_films', { body: `[{"id":9},${body(100_000)}]` });
      expect(problem(reply)).toMatchObject({ message: 'All object keys must match' });
    });
    test('are as many as one likes where a function takes the whole body', async () => {
      expect(await rest.request('POST', '/rpc/limit_keys', { body: body(50_000) })).toMatchReply({
        status: 200,
        json: 50_000,
      });
    });
    test('that no function has are answered with some of them', async () => {
      const reply = await rest.request('POST', '/rpc/no_such_function', { body: body(100_000) });
      expect(reply.status).toBe(404);
      expect(String(reply.body).length).toBeLessThan(100_000);
    });
    test('in the header of a CSV are not more than that either', async () => {
      const reply = await rest.request('POST', '/limit_films', {
        headers: { 'content-type': 'text/csv' },
        body: `${Array.from({ length: 1601 }, (_, i) => `k${i}`)}\n`,
      });
      expect(problem(reply)).toMatchObject({ message: expect.stringContaining('more than 1600 keys') });
    });
  });

  test('a CSV does not grow without bound: long names, short cells, many rows', async () => {
    const reply = await rest.request('POST', '/limit_films', {
      headers: { 'content-type': 'text/csv' },
      body: `${'x'.repeat(100_000)}\n${'1\n'.repeat(50_000)}`,
    });
    expect(reply.status).toBe(400);
    expect(problem(reply)).toMatchObject({
      code: 'SVRST102',
      message: expect.stringContaining('32 times as large as json'),
    });
  });

  describe('embeds that come back to where they began', () => {
    const nested = (levels: number): string =>
      Array.from({ length: levels }).reduceRight<string>(
        (inner, _, i) => `${i % 2 === 0 ? 'limit_actors' : 'limit_films'}(id${inner === '' ? '' : `,${inner}`})`,
        '',
      );
    test('may do so twice', async () => {
      expect((await rest.get(`/limit_films?select=${nested(3)}`)).status).toBe(200);
    });
    test('and no more, for the rows multiply each time', async () => {
      const reply = await rest.get(`/limit_films?select=${nested(4)}`);
      expect(reply.status).toBe(400);
      expect(problem(reply)).toMatchObject({ code: 'SVRST193' });
    });
    test('are free to climb by single rows', async () => {
      const climb = (levels: number): string =>
        levels === 0 ? 'id' : `limit_roles(limit_films(${climb(levels - 1)}))`;
      expect((await rest.get(`/limit_films?select=${climb(3)}`)).status).toBe(200);
      expect((await rest.get(`/limit_films?select=${climb(4)}`)).status).toBe(400);
    });
  });
});

onEachEngine('regular expressions of clients', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test.each([
    ['a back reference', '^(.*)(.*)\\1\\2$'],
    ['one in a group', '((a|b)\\2)+'],
    ['a counter of counters', '((a{1,99}){1,99}){1,99}'],
    ['nesting without end', '('.repeat(50) + ')'.repeat(50)],
    ['a thousand characters and one', 'a'.repeat(1001)],
  ])('%s is refused before the database sees it', async (_, pattern) => {
    for (const address of [
      `/items?id=match.${encodeURIComponent(pattern)}`,
      `/items?id=not.imatch.${encodeURIComponent(pattern)}`,
      `/items?or=(id.eq.1,id.match.${encodeURIComponent(JSON.stringify(pattern))})`,
      `/items?id=match(any).${encodeURIComponent(`{${JSON.stringify(pattern)}}`)}`,
    ]) {
      const reply = await rest.get(address);
      expect([address, reply.status, problem(reply)['code']]).toEqual([address, 400, 'SVRST194']);
    }
  });

  test.each(['^Win', '(?i)win', 'a(?=b)', 'x{2,3}', '\\\\1', '\\d+', '[[:alpha:]]'])('%s is not', async (pattern) => {
    expect((await rest.get(`/clients?name=match.${encodeURIComponent(pattern)}`)).status).toBe(200);
  });

  describe('db-statement-timeout', () => {
    beforeAll(() =>
      db().script(`
        create function test.sleeps() returns text language sql as $$ select pg_sleep(60)::text $$;
        grant execute on function test.sleeps to rest_anon`),
    );
    const limited = useRest(db, { 'db-statement-timeout': '1' });
    // The embedded engine of the tests lives in memory and is never ended; see the suite of the embedded database for one that is.
    test('ends a statement that takes longer', async ({ skip }) => {
      if (db().uri === undefined) skip();
      const reply = await limited.get('/rpc/sleeps');
      expect(problem(reply)).toMatchObject({ code: '57014' });
    });
  });
});

onEachEngine('text that PostgreSQL reads, some of it for every row', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  const x = (count: number): string => 'x'.repeat(count);
  // A word of a search is shorter than 2 kB.
  const words = (count: number): string => `${'x|'.repeat(count).slice(0, count - 1)}x`;
  const list = (count: number): string => encodeURIComponent(`{${Array.from({ length: count }, (_, i) => `x${i}`)}}`);

  test.each([
    ['one search', (n: number) => `/tsearch_to_tsvector?text_search=wfts.${words(n)}`],
    ['searches in a language', (n: number) => `/tsearch_to_tsvector?text_search=fts(english).${words(n)}`],
    [
      'several searches',
      (n: number) => `/tsearch_to_tsvector?text_search=plfts.${words(2000)}&text_search=phfts.${words(n - 2000)}`,
    ],
    [
      'in groups',
      (n: number) => `/tsearch_to_tsvector?or=(and(text_search.fts.${words(2000)},text_search.fts.${words(n - 2000)}))`,
    ],
    ['of an embed', (n: number) => `/projects?select=*,tasks(*)&tasks.name=wfts.${words(n)}`],
    ["of a function's rows", (n: number) => `/rpc/getallprojects?name=wfts.${words(n)}`],
    ['to rank by', (n: number) => `/tsearch?order=text_search_vector.ts_rank(${words(n)})`],
    ['to highlight', (n: number) => `/tsearch_to_tsvector?select=text_search.ts_headline(${words(n)})`],
  ])('full-text search, %s: 4000 characters', async (_, address) => {
    expect((await rest.get(address(4000))).status).toBe(200);
    const reply = await rest.get(address(4001));
    expect(reply.status).toBe(400);
    expect(problem(reply)).toMatchObject({
      code: 'SVRST193',
      details: 'More than 4000 characters of full-text search.',
    });
  });

  test.each([
    ['one pattern', (n: number) => `/projects?name=ilike.${x(n)}`],
    ['several', (n: number) => `/projects?or=(name.ilike.${x(1000)},name.not.ilike.${x(n - 1000)})`],
  ])('ilike, %s: 2000 characters', async (_, address) => {
    expect((await rest.get(address(2000))).status).toBe(200);
    expect(problem(await rest.get(address(2001)))).toMatchObject({
      code: 'SVRST193',
      details: 'More than 2000 characters of ilike patterns.',
    });
  });

  test.each([
    'name=similar.',
    'select=name.similarity(',
    'order=name.trgm_distance(',
    'select=id.max().over(partition(name.word_similarity(',
  ])('similarity by %s: 500 characters', async (start) => {
    const end = ')'.repeat([...start.matchAll(/\(/g)].length - [...start.matchAll(/\)/g)].length);
    // Here the extension may be missing, which is another answer.
    expect(problem(await rest.get(`/projects?${start}${x(500)}${end}`))).not.toMatchObject({ code: 'SVRST193' });
    expect(problem(await rest.get(`/projects?${start}${x(501)}${end}`))).toMatchObject({
      code: 'SVRST193',
      details: 'More than 500 characters to compare by similarity.',
    });
  });

  test('there are 20 different regular expressions at most, since PostgreSQL keeps 32 compiled', async () => {
    expect((await rest.get(`/projects?name=match(any).${list(20)}`)).status).toBe(200);
    expect((await rest.get(`/projects?name=match(any).${list(20)}&select=*,tasks(*)&tasks.name=match.x1`)).status).toBe(
      200,
    );
    for (const address of [
      `/projects?name=match(any).${list(21)}`,
      `/projects?name=match(any).${list(20)}&id=gt.0&or=(name.imatch.x1)`,
    ])
      expect(problem(await rest.get(address))).toMatchObject({
        code: 'SVRST193',
        details: 'More than 20 different regular expressions.',
      });
  });
});
