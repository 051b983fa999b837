// Rows of functions leave as rows of relations do: the same bytes as one body has, in parts where they are many. What may change something is
// called once, whatever its rows are.

import { tableFromIPC } from '@uwdata/flechette';
import { readParquet, Table } from 'parquet-wasm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

/** More than are held. */
const ROWS = 6000;
const ARROW = 'application/vnd.apache.arrow.stream';
const PARQUET = 'application/vnd.apache.parquet';

const FIXTURE = `
select set_config('search_path', 'postgis, public', true);
create schema called;
create table called.calls (id int primary key generated always as identity, by text not null);
create table called.things (id int primary key, name text, tags text[], at geometry(Point, 4326));
insert into called.things select n, case when n % 3 > 0 then 'thing "' || n || '"' end, array['a', n::text], ST_SetSRID(ST_MakePoint(n % 90, 1), 4326) from generate_series(1, ${ROWS}) n;
create table called.deferred (id int primary key, thing int references called.things deferrable initially deferred);
create function called.pairs(n int) returns table (id int, name text, at timestamptz) stable language sql as
  $$ select n, case when n % 3 > 0 then 'name "' || n || '"' end, '2024-01-01Z'::timestamptz + n * interval '1 s' from generate_series(1, n) n $$;
create function called.things_upto(n int) returns setof called.things stable language sql as 'select * from called.things t where t.id <= n order by t.id';
create function called.numbers(n int) returns setof int stable language sql as 'select nullif(n, 3) from generate_series(1, n) n';
create function called.lists(n int) returns setof int[] stable language sql as 'select array[n, n] from generate_series(1, n) n';
create function called.written(n int) returns table (id int, name text) language plpgsql as
  $$ begin
    insert into called.calls (by) values (current_user);
    perform set_config('response.headers', '[{"X-Called":"yes"}]', true), set_config('response.status', '202', true);
    return query select p.id, p.name from called.pairs(n) p;
  end $$;
create function called.broken(n int) returns setof int language plpgsql as
  $$ begin
    insert into called.calls (by) values (current_user);
    insert into called.deferred values (1, -1);
    return query select * from generate_series(1, n);
  end $$;
create function called.failing(n int) returns setof int stable language sql as 'select 1 / (5900 - n) from generate_series(1, n) n';
grant usage on schema called to rest_anon, rest_author;
grant select on all tables in schema called to rest_anon, rest_author;
grant insert on called.calls, called.deferred to rest_anon, rest_author;
grant execute on all functions in schema called to rest_anon, rest_author;
`;

type Got = {
  readonly status: number;
  readonly body: Buffer;
  readonly header: (name: string) => string | undefined;
  readonly isStreamed: boolean;
};

onEachEngine('rows of a function', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  beforeEach(() => db().script('truncate called.calls'));
  const rest = useRest(db, { 'db-schemas': 'called', 'db-tx-end': 'commit-allow-override' });

  async function ask(
    target: string,
    {
      accept = 'application/json',
      body,
      prefer,
      as,
    }: { accept?: string; body?: object; prefer?: string; as?: string } = {},
  ): Promise<Got> {
    const [path = '', query = ''] = target.split('?');
    const reply = await rest.client().service.answer(
      {
        method: body === undefined ? 'GET' : 'POST',
        path,
        query,
        headers: {
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(prefer === undefined ? {} : { prefer }),
          ...(as === undefined ? {} : { authorization: `Bearer ${tokenFor({ role: as })}` }),
        },
        body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      },
      { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' },
    );
    const parts: Buffer[] = [];
    if (reply.stream !== undefined) for await (const part of reply.stream) parts.push(part as Buffer);
    return {
      status: reply.status,
      body: reply.stream === undefined ? Buffer.from(reply.body ?? '') : Buffer.concat(parts),
      header: (name) => reply.headers.find(([found]) => found === name)?.[1],
      isStreamed: reply.stream !== undefined,
    };
  }

  async function text(sql: string): Promise<string> {
    const path = { text: 'set local search_path to postgis, public', params: [] };
    const executed = await db().driver.execute([path, { text: sql, params: [] }]);
    if (!executed.ok) throw new Error(JSON.stringify(executed.error));
    return executed.value[1]?.rows[0]?.[0]?.toString() ?? '';
  }

  const calls = async (): Promise<number> => Number(await text('select count(*) from called.calls'));

  const NDJSON = 'application/x-ndjson';
  const pairs = (n: number): string => `(select * from called.pairs(${n}) t) as t`;
  const things = (n: number): string => `(select * from called.things_upto(${n}) t) as t`;
  const CASES: readonly (readonly [accept: string, name: string, sql: (n: number) => string])[] = [
    ['application/json', 'pairs', (n) => `select json_agg(t.*) from ${pairs(n)}`],
    [NDJSON, 'pairs', (n) => `select string_agg(row_to_json(t.*) || E'\\n', '') from ${pairs(n)}`],
    [
      'text/csv',
      'pairs',
      (n) =>
        `select 'id,name,at' || string_agg(E'\\n' || substring(t::text, 2, length(t::text) - 2), '') from ${pairs(n)}`,
    ],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      'pairs',
      (n) => `select json_strip_nulls(json_agg(t.*)) from ${pairs(n)}`,
    ],
    ['application/json', 'things_upto', (n) => `select json_agg(t.*) from ${things(n)}`],
    [
      'application/geo+json',
      'things_upto',
      (n) =>
        `select json_build_object('type', 'FeatureCollection', 'features', json_agg(ST_AsGeoJSON(t.*)::json)) from ${things(n)}`,
    ],
    [
      'application/geo+json-seq',
      'things_upto',
      (n) => `select string_agg(E'\\x1e' || ST_AsGeoJSON(t.*) || E'\\n', '') from ${things(n)}`,
    ],
    ['application/json', 'numbers', (n) => `select json_agg(t) from called.numbers(${n}) t`],
    [
      NDJSON,
      'numbers',
      (n) => `select string_agg(coalesce(to_json(t)::text, 'null') || E'\\n', '') from called.numbers(${n}) t`,
    ],
    [
      'text/csv',
      'numbers',
      (n) => `select 'pgrst_scalar' || string_agg(E'\\n' || coalesce(t::text, ''), '') from called.numbers(${n}) t`,
    ],
    [NDJSON, 'lists', (n) => `select string_agg(to_json(t) || E'\\n', '') from called.lists(${n}) t`],
  ];

  describe('are the ones that the database writes', () => {
    test.each(CASES)('%s of %s', async (accept, name, sql) => {
      for (const n of [7, ROWS, 7]) {
        const expected = await text(sql(n));
        for (const body of [undefined, { n }]) {
          const got = await ask(`/rpc/${name}${body === undefined ? `?n=${n}` : ''}`, {
            accept,
            ...(body && { body }),
          });
          expect(got.status).toBe(200);
          expect(got.body.toString() === expected || got.body.toString()).toBe(true);
          expect(got.isStreamed).toBe(n === ROWS);
          expect(got.header('Content-Range')).toBe(n === ROWS ? '0-*/*' : `0-${n - 1}/*`);
        }
      }
    });

    test('also of arrays, as one body', async () => {
      const { body } = await ask(`/rpc/lists?n=3`);
      expect(body.toString()).toBe(await text('select json_agg(t) from called.lists(3) t'));
    });
  });

  test('are filtered, ordered, paged and counted', async () => {
    const page = await ask(`/rpc/pairs?n=${ROWS}&id=gt.10&select=id&order=id.desc&limit=5500&offset=10`, {
      prefer: 'count=exact',
    });
    expect([page.status, page.header('Content-Range'), page.isStreamed]).toEqual([206, '10-5509/5990', true]);
    const rows = JSON.parse(page.body.toString()) as { id: number }[];
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([5500, { id: 5990 }, { id: 491 }]);
    const none = await ask(`/rpc/pairs?n=${ROWS}&id=gt.${ROWS}`, { prefer: 'count=exact' });
    expect([none.status, none.header('Content-Range'), none.body.toString()]).toEqual([200, '*/0', '[]']);
    expect((await ask('/rpc/pairs?n=10&offset=20', { prefer: 'count=exact' })).status).toBe(416);
  });

  describe.each([
    ['Arrow', ARROW, (bytes: Buffer) => Table.fromIPCStream(bytes)],
    ['Parquet', PARQUET, (bytes: Buffer) => readParquet(bytes)],
  ] as const)('as %s', (_name, accept, open) => {
    const columnsOf = ({ body }: Got): Record<string, unknown[]> => {
      const table = tableFromIPC(open(body).intoIPCStream(), { useBigInt: true });
      return Object.fromEntries(table.schema.fields.map(({ name }, i) => [name, [...(table.children[i] ?? [])]]));
    };

    test('have all columns, also of no rows and of values', async () => {
      for (const n of [0, 2, ROWS]) {
        const got = await ask(`/rpc/pairs?n=${n}&select=id,name`, { accept, prefer: 'count=exact' });
        const { id = [], name = [] } = columnsOf(got);
        expect([id.length, name.length, id.at(-1)]).toEqual([n, n, n === 0 ? undefined : n]);
        expect(got.header('Content-Range')).toBe(n === 0 ? '*/0' : `0-${n - 1}/${n}`);
      }
      expect(columnsOf(await ask('/rpc/numbers', { accept, body: { n: 4 } }))).toEqual({
        pgrst_scalar: [1, 2, null, 4],
      });
    });

    test('of a function that writes: it is called once, and may be undone', async () => {
      for (const n of [3, ROWS]) {
        const got = await ask('/rpc/written?select=id', { accept, body: { n } });
        expect([got.status, got.header('X-Called'), columnsOf(got)['id']?.length]).toEqual([202, 'yes', n]);
      }
      expect(await calls()).toBe(2);
      const undone = await ask('/rpc/written?select=id', { accept, body: { n: ROWS }, prefer: 'tx=rollback' });
      expect(columnsOf(undone)['id']).toHaveLength(ROWS);
      expect(await calls()).toBe(2);
    });

    test('are not to be had where they are looked at first', async () => {
      const strict = { accept, body: { n: 3 }, prefer: 'handling=strict, max-affected=5' };
      expect((await ask('/rpc/written', strict)).status).toBe(406);
      expect(await calls()).toBe(0);
    });
  });

  test('of a function that writes are called for once, large or small, in every order', async () => {
    let expected = 0;
    for (const n of [ROWS, 5, 5, ROWS, ROWS, 5]) {
      const got = await ask('/rpc/written', { body: { n }, as: 'rest_author' });
      expect([got.status, got.header('X-Called')]).toEqual([202, 'yes']);
      expect(
        got.body.toString() === (await text(`select json_agg(t.*) from (select id, name from called.pairs(${n})) t`)),
      ).toBe(true);
      expect(await calls()).toBe(++expected);
    }
    expect(await text('select string_agg(distinct by, $$,$$) from called.calls')).toBe('rest_author');
  });

  test('are refused where the commit is, before the first of them', async () => {
    const refused = await ask('/rpc/broken', { body: { n: ROWS } });
    expect([refused.status, JSON.parse(refused.body.toString())]).toEqual([
      409,
      expect.objectContaining({ code: '23503' }),
    ]);
    expect(await calls()).toBe(0);
  });

  test('that nobody reads on leave nothing on their connection, and what was done stays', async () => {
    for (let i = 0; i < 5; i++) {
      const client = new AbortController();
      const reply = await rest.client().service.answer(
        {
          method: 'POST',
          path: '/rpc/written',
          query: '',
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(`{"n":${ROWS * 20}}`),
        },
        { signal: client.signal, remoteAddress: '127.0.0.1', httpVersion: '1.1' },
      );
      if (reply.stream === undefined) throw new Error('it should be a stream');
      client.abort();
      reply.stream.destroy();
    }
    expect(await calls()).toBe(5);
    const { seen } = rest.client();
    await expect.poll(() => seen.filter(({ kind }) => kind === 'stream-ended').length).toBeGreaterThanOrEqual(5);
    expect(await text('select count(*) from pg_cursors where name <> $$$$')).toBe('0');
    for (let i = 0; i < 3; i++) expect((await ask('/rpc/written', { body: { n: ROWS } })).status).toBe(202);
    expect(seen.filter(({ kind }) => kind.includes('lost'))).toEqual([]);
  });

  test('are cut off where a later one fails', async () => {
    expect((await ask('/rpc/failing?n=5899')).status).toBe(200);
    await expect(ask('/rpc/failing?n=5900')).rejects.toThrow('division by zero');
  });
});
