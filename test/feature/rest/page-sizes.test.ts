// A page is written by the database or here, by how many cells it asks for, and by their types. Nobody can tell: it has the same bytes.

import { beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

const FIXTURE = `
create schema pages;
create table pages.narrow as
  select n as id, nullif('name "' || n || E'"\\n', 'name "7"' || E'\\n') as name, n * 1.50 as price, n % 3 = 0 as done, 'NaN'::float8 / n as odd from generate_series(1, 150) n;
create table pages.wide as
  select n as id, ${Array.from({ length: 20 }, (_, i) => `'value ${i} of ' || n as t${i}`).join(', ')}, '2024-01-01 00:00Z'::timestamptz + n * interval '1 day' as at, md5(n::text)::uuid as key, jsonb_build_object('n', n) as facts
  from generate_series(1, 150) n;
create table pages.lists as select n as id, array[n, n + 1] as pair, 'x' || n as name from generate_series(1, 150) n;
create table pages.long as select n as id, repeat(chr(64 + n % 60), n * 40) as text from generate_series(1, 150) n;
alter table pages.narrow add primary key (id);
grant usage on schema pages to rest_anon;
grant select on all tables in schema pages to rest_anon;
`;

const LIMITS = [0, 1, 8, 9, 40, 41, 66, 67, 100, 101, 150];

onEachEngine('a page', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  const rest = useRest(db, { 'db-schemas': 'pages' });

  async function ask(query: string, accept: string, prefer = ''): Promise<readonly [string, string | undefined]> {
    const [path = '', search = ''] = query.split('?');
    const reply = await rest.client().service.answer(
      {
        method: 'GET',
        path,
        query: search,
        headers: { accept, ...(prefer === '' ? {} : { prefer }) },
        body: Buffer.alloc(0),
      },
      { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' },
    );
    const range = reply.headers.find(([name]) => name === 'Content-Range')?.[1];
    return [Buffer.from(reply.body ?? '').toString(), range];
  }

  async function text(sql: string): Promise<string> {
    const executed = await db().driver.execute([{ text: sql, params: [] }]);
    if (!executed.ok) throw new Error(JSON.stringify(executed.error));
    return executed.value[0]?.rows[0]?.[0]?.toString() ?? '';
  }

  const FORMATS: readonly (readonly [accept: string, body: string])[] = [
    ['application/json', `coalesce(json_agg(t.*), '[]')`],
    ['application/x-ndjson', `coalesce(string_agg(row_to_json(t.*) || E'\\n', ''), '')`],
    ['application/vnd.pgrst.array+json;nulls=stripped', `coalesce(json_strip_nulls(json_agg(t.*)), '[]')`],
  ];

  test.each(
    ['narrow', 'wide', 'lists', 'long'].flatMap((table) =>
      FORMATS.map(([accept, body]) => [table, accept, body] as const),
    ),
  )('of %s as %s is the one that the database writes, whatever its limit', async (table, accept, body) => {
    for (const limit of LIMITS) {
      const expected = await text(
        `select ${body} from (select * from pages.${table} order by id desc limit ${limit}) as t`,
      );
      // The second time the shape knows what the first has shown: types that are not written here, and how long it was.
      for (const time of [1, 2]) {
        const [found] = await ask(`/${table}?order=id.desc&limit=${limit}`, accept);
        expect(found, `limit ${limit}, time ${time}`).toBe(expected);
      }
    }
  });

  test.each(['narrow', 'wide', 'lists'])('of %s has its total, also where it is empty', async (table) => {
    for (const limit of LIMITS.filter((some) => some > 0))
      for (const offset of [0, 149, 150]) {
        const expected = await text(
          `select coalesce(json_agg(t.*), '[]') from (select * from pages.${table} order by id limit ${limit} offset ${offset}) as t`,
        );
        const last = Math.min(offset + limit, 150) - 1;
        const range = offset < 150 ? `${offset}-${last}/150` : '*/150';
        expect(
          await ask(`/${table}?order=id&limit=${limit}&offset=${offset}`, 'application/json', 'count=exact'),
        ).toEqual([expected, range]);
      }
  });

  test('that is much shorter than the one before, or much longer, is as whole', async () => {
    for (const id of [1, 150, 2, 140, 149, 1]) {
      const expected = await text(
        `select json_agg(t.*) from (select * from pages.long where id >= ${id} order by id) as t`,
      );
      const [found] = await ask(`/long?id=gte.${id}&order=id`, 'application/json');
      expect(found).toBe(expected);
    }
  });
});
