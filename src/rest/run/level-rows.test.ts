// Trees of rows that are asked for level by level and written here are those that `json_agg` nests, byte for byte: random requests over random rows, both ways.

import { describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Statement } from '../../pg/driver.ts';
import type { Rendered } from '../../sql/index.ts';
import { loadRestConfig } from '../config/load-config.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Bind } from '../query/bind.ts';
import { END_LEVEL, type LevelLayout } from '../query/levels-sql.ts';
import { buildQuery, type MainQuery } from '../query/main-query.ts';
import { parseRequest } from '../request/parse-request.ts';
import { loadSchemaCache } from '../schema-cache/introspect.ts';
import { fillParams } from './fill-params.ts';
import { LevelRows } from './level-rows.ts';

const SCHEMA = `
create schema levels;
create type levels.mood as enum ('glad', 'sad "x"');
create domain levels.positive as int check (value > 0);
create table levels.lands (id int primary key, name text);
create table levels.firms (id int primary key, name text, "odd ""key" varchar(40), land_id int references levels.lands, at timestamptz, day date, ok boolean, tags text[]);
create table levels.shops (id int primary key, firm_id int references levels.firms, name text, price numeric, size real, big double precision, mood levels.mood, many levels.positive, facts jsonb, raw json, code char(4));
create table levels.sales (id bigint primary key, shop_id int references levels.shops, u uuid, at timestamp, note text, small smallint, span interval, b bytea);
create table levels.staff (id int primary key, firm_id int references levels.firms, shop_id int references levels.shops, name text);
create table levels.badges (id int primary key, name text, at date);
create table levels.worn (staff_id int references levels.staff, badge_id int references levels.badges, primary key (staff_id, badge_id));
create function levels.shout(levels.shops) returns text language sql stable as $$ select upper($1.name) $$;
create function levels.near(levels.firms) returns setof levels.shops language sql stable as $$ select * from levels.shops where id < 4 $$;
insert into levels.lands select n, 'Land ' || n from generate_series(1, 3) n;
insert into levels.firms select n, (array['plain', 'quo"te', E'line\\nbreak', null, repeat('x', 70000), ''])[n % 6 + 1], 'odd ' || n, nullif(n % 4, 0),
  (array['2024-02-29 12:00+00', 'infinity', '0044-03-15 01:02:03+00 BC', null])[n % 4 + 1]::timestamptz, (array['2024-02-29', '-infinity', null, '10000-01-01'])[n % 4 + 1]::date, n % 3 = 0, array['a', null, n::text]
  from generate_series(1, 24) n;
insert into levels.shops select n, nullif(n * 7 % 20, 0), (array['s', E'\\u0001\\\\', 'ü€😀', null])[n % 4 + 1], (array['1.10', 'NaN', '-Infinity', null])[n % 4 + 1]::numeric, n / 3.0, 'Infinity',
  (array['glad', 'sad "x"', null])[n % 3 + 1]::levels.mood, n, jsonb_build_object('a', n, 'b', array[n]), '{ "raw" : [ ] }', 'ab' from generate_series(1, 60) n;
insert into levels.sales select n, n * 11 % 50 + 1, md5(n::text)::uuid, timestamp '2024-01-01' + n * interval '1 hour', case n % 9 when 0 then repeat('"', 30000) else 'note ' || n end, n % 100, n * interval '1 min', '\\x00ff' from generate_series(1, 200) n;
insert into levels.staff select n, n % 24 + 1, n % 60 + 1, 'Staff ' || n from generate_series(1, 80) n;
insert into levels.badges select n, 'Badge ' || n, case when n % 2 = 0 then date '2020-01-01' + n end from generate_series(1, 6) n;
insert into levels.worn select s, b from generate_series(1, 80) s, generate_series(1, 6) b where (s + b) % 4 = 0;
analyze;
`;

/** Columns to show, and what can be embedded: its name, and whose rows it has. */
const TABLES: Readonly<
  Record<string, { readonly columns: readonly string[]; readonly embeds: Readonly<Record<string, string>> }>
> = {
  lands: { columns: ['*', 'name', 'id,name', 'n:name'], embeds: { firms: 'firms' } },
  firms: {
    columns: ['*', 'id', 'name,at', '"odd \\"key"', 'day,ok,tags', 'ok::text', 'id,id', 'x:tags->0', 'at::date,name'],
    embeds: { shops: 'shops', staff: 'staff', lands: 'lands', near: 'shops' },
  },
  shops: {
    columns: ['*', 'id,price,size', 'mood,many,facts', 'facts->a,raw', 'shout,code', 'big,name', 'facts->>b'],
    embeds: { sales: 'sales', firms: 'firms', staff: 'staff' },
  },
  sales: { columns: ['*', 'id,u', 'at,note', 'small,span,b', 'note'], embeds: { shops: 'shops' } },
  staff: { columns: ['*', 'name', 'id'], embeds: { badges: 'badges', shops: 'shops', firms: 'firms' } },
  badges: { columns: ['*', 'at,name', 'id'], embeds: { staff: 'staff' } },
};

/** Lehmer's generator: the same requests every time, on every machine. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

type Asked = { readonly select: string; readonly params: readonly string[] };

/** `path`: of the embed, with a dot behind it. */
function randomTree(random: (below: number) => number, table: string, path: string, depth: number): Asked {
  const { columns = [], embeds = {} } = TABLES[table] ?? {};
  const parts: string[] = [];
  const params = [`${path}order=id.${random(2) === 0 ? 'asc' : 'desc'}`];
  if (random(8) > 0) parts.push(columns[random(columns.length)] ?? '*');
  if (random(4) === 0) params.push(`${path}limit=${random(9) + 1}`);
  if (random(6) === 0) params.push(`${path}offset=${random(3)}`);
  if (random(4) === 0) params.push(`${path}id=gt.${random(12)}`);
  let isGrouped = false;
  if (path !== '' && depth === 0 && random(6) === 0) {
    isGrouped = true;
    parts.splice(0, parts.length, 'count()');
    params.splice(0, params.length);
  }
  for (const [name, inside] of Object.entries(embeds)) {
    if (isGrouped || depth === 0 || random(2) === 0) continue;
    const alias = random(3) === 0 ? `a ${name}` : undefined;
    const below = randomTree(random, inside, `${path}${alias ?? name}.`, depth - 1);
    const isToOne =
      (table === 'firms' && name === 'lands') ||
      (table === 'sales' && name === 'shops') ||
      (name === 'firms' && table !== 'lands') ||
      (table === 'staff' && name === 'shops');
    const isSpread = isToOne && alias === undefined && random(3) === 0 && below.select === 'name';
    const inner = random(5) === 0 ? '!inner' : '';
    parts.push(
      isSpread
        ? `...${name}(${below.select})`
        : `${alias === undefined ? '' : `${alias}:`}${name}${inner}(${below.select})`,
    );
    if (!isSpread) params.push(...below.params);
  }
  if (parts.length === 0) parts.push('id');
  return { select: parts.join(','), params };
}

onEachEngine('rows of several levels', {}, (db) => {
  const asked = async (
    query: string,
    into: (query: string, made: MainQuery, filled: (of: Rendered<Bind>) => Statement) => Promise<void>,
    seen: Seen,
  ): Promise<void> => {
    const [path = '', params = ''] = query.split('?');
    const request = parseRequest(
      { method: 'GET', path, query: params, headers: {}, body: Buffer.alloc(0) },
      seen.config,
      seen.cache.timezones,
    );
    if (!request.ok) throw new Error(`${query}: ${JSON.stringify(request.error)}`);
    const plan = makePlan(request.value, { cache: seen.cache, config: seen.config });
    if (!plan.ok || plan.value.kind !== 'read') throw new Error(`${query}: ${JSON.stringify(plan)}`);
    const filled = ({ text, params: binds }: Rendered<Bind>): Statement => ({
      text,
      params: fillParams(binds, request.value),
    });
    await into(query, buildQuery({ ...plan.value, fewRows: false }), filled);
  };

  type Seen = Awaited<ReturnType<typeof open>>;
  async function open() {
    const made = await db().driver.script(SCHEMA);
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    const loaded = await loadRestConfig({
      args: [],
      env: {
        SVRST_DB_URI: 'postgres://',
        SVRST_DB_SCHEMAS: 'levels',
        SVRST_DB_ANON_ROLE: 'anyone',
        SVRST_DB_AGGREGATES_ENABLED: 'true',
      },
      file: undefined,
      database: [],
      readText: () => Promise.reject(new Error('no files')),
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { config } = loaded.value;
    const cache = await loadSchemaCache(db().driver, { schemas: ['levels'], extraSearchPath: [] });
    if (!cache.ok) throw new Error(JSON.stringify(cache.error));
    return { config, cache: cache.value };
  }

  test('are what json_agg makes of them, whatever is asked for', async () => {
    const seen = await open();
    const random = randomly(7);
    // Workers for nothing: were a parallel plan possible, it would be taken, and rows would come in any order.
    const eager = [
      'parallel_setup_cost',
      'parallel_tuple_cost',
      'min_parallel_table_scan_size',
      'min_parallel_index_scan_size',
    ];
    const scope = (zone: string, isEager: boolean): Statement => ({
      text: `select set_config('search_path', 'levels', true), set_config('timezone', '${zone}', true)${isEager ? eager.map((name) => `, set_config('${name}', '0', true)`).join('') : ''}`,
      params: [],
    });
    let compared = 0;
    for (let i = 0; i < 120; i++) {
      const table = Object.keys(TABLES)[random(6)] ?? 'firms';
      const tree = randomTree(random, table, '', 3);
      const query = [
        `/${table}?select=${encodeURIComponent(tree.select)}`,
        ...tree.params.map((param) => encodeURI(param)),
      ].join('&');
      await asked(
        query,
        async (_, made, filled) => {
          if (made.levels === undefined) return;
          compared += 1;
          const rows = new LevelRows(made.levels.layout);
          rows.out.most = Number.POSITIVE_INFINITY;
          const zone = random(2) === 0 ? 'UTC' : 'Asia/Kolkata';
          const executed = await db().driver.execute([
            scope(zone, random(2) === 0),
            { ...filled(made.levels.statement), into: rows },
            filled(made.main),
          ]);
          if (!executed.ok) throw new Error(`${query}: ${JSON.stringify(executed.error)}`);
          rows.finish();
          const [whole] = executed.value[2]?.rows ?? [];
          expect(rows.isUnfit, query).toBe(false);
          expect(rows.out.take().toString(), query).toBe(whole?.[2]?.toString());
          expect(rows.count, query).toBe(Number(whole?.[1]?.toString()));
        },
        seen,
      );
    }
    expect(compared).toBeGreaterThan(40);
  });
});

describe('rows of several levels in another order than that of the tree', () => {
  const TEXT = 25;
  const columns = [{ name: 'id', slot: 0 }];
  /** Clients with projects, which have tasks, and with notes. */
  const LAYOUT: LevelLayout = {
    levels: [
      { name: '', parent: undefined, columns },
      { name: 'projects', parent: 0, columns },
      { name: 'tasks', parent: 1, columns },
      { name: 'notes', parent: 0, columns },
    ],
    slots: [TEXT],
    ending: { headers: 0, status: 0, total: undefined },
  };
  const FIELDS = [
    { name: 'level', type: TEXT },
    { name: 'slot', type: TEXT },
  ];
  const [CLIENT, PROJECT, TASK, NOTE, END] = ['0', '1', '2', null, END_LEVEL];

  const cell = (text: string | null): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text ?? '')]);
  };
  const message = (digit: string | null, i: number): Buffer => {
    // Some are too long for the module's memory.
    const value = digit === END ? null : `${i}${'x'.repeat(i % 4 === 3 ? 70_000 : 0)}`;
    const cells = Buffer.concat([Buffer.from([0, 2]), cell(digit), cell(value)]);
    const head = Buffer.from('D\0\0\0\0');
    head.writeInt32BE(cells.length + 4, 1);
    return Buffer.concat([head, cells]);
  };

  /** All at once, and one by one. */
  const ways: Readonly<Record<string, (rows: LevelRows, messages: readonly Buffer[]) => void>> = {
    'at once': (rows, messages) => {
      const bytes = Buffer.concat(messages);
      rows.run(bytes, 0, bytes.length);
    },
    'one by one': (rows, messages) => {
      for (const bytes of messages) rows.row(bytes, 5, bytes.length);
    },
  };
  const read = (way: string, digits: readonly (string | null | undefined)[]): LevelRows => {
    const rows = new LevelRows(LAYOUT);
    rows.begin(FIELDS);
    ways[way]?.(
      rows,
      digits.map((digit, i) => message(digit ?? null, i)),
    );
    return rows;
  };

  for (const way of Object.keys(ways)) {
    test.each([
      [[END]],
      [[CLIENT, CLIENT, END]],
      [[CLIENT, PROJECT, TASK, TASK, PROJECT, NOTE, NOTE, CLIENT, NOTE, CLIENT, PROJECT, TASK, CLIENT, END]],
    ])(`${way}: %j is one`, (digits) => {
      const rows = read(way, digits);
      expect([rows.isUnfit, rows.isEnded, rows.count]).toEqual([
        false,
        true,
        digits.filter((digit) => digit === CLIENT).length,
      ]);
      rows.finish();
      expect(() => JSON.parse(rows.out.take().toString())).not.toThrow();
    });

    test.each([
      ['a child before its parent', [PROJECT, CLIENT, END]],
      ['a child of a child before its parent', [CLIENT, TASK, PROJECT, END]],
      ['the last level first', [NOTE, CLIENT, END]],
      ['a child of an embed that is over', [CLIENT, PROJECT, NOTE, TASK, END]],
      ['an embed behind a later one', [CLIENT, NOTE, PROJECT, END]],
      ['a long row of an embed behind a later one', [CLIENT, PROJECT, NOTE, PROJECT, END]],
      ['a row behind the last', [CLIENT, END, CLIENT]],
      ['a long row behind the last', [CLIENT, CLIENT, END, CLIENT]],
      ['two rows behind all others', [CLIENT, END, END]],
    ])(`${way}: %s is not`, (_, digits) => {
      expect(read(way, digits).isUnfit).toBe(true);
    });

    test(`${way}: rows without a last one have not come to an end`, () => {
      const rows = read(way, [CLIENT, PROJECT]);
      expect([rows.isUnfit, rows.isEnded]).toEqual([false, false]);
    });
  }

  test('columns of other types than the tree was made for are not read', () => {
    const rows = new LevelRows(LAYOUT);
    rows.begin([
      { name: 'level', type: TEXT },
      { name: 'slot', type: 23 },
    ]);
    expect(rows.isUnfit).toBe(true);
  });
});
