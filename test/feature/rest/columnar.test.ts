// Arrow and Parquet: rows as columns, read back by another implementation of both formats (that of Rust).

import { tableFromIPC } from '@uwdata/flechette';
import { parquetMetadata } from 'hyparquet';
import { readParquet, Table } from 'parquet-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

const ARROW = 'application/vnd.apache.arrow.stream';
const PARQUET = 'application/vnd.apache.parquet';
const FORMATS = [
  ['Arrow', ARROW],
  ['Parquet', PARQUET],
] as const;

/** Columns of rows that are made by chance, the same in every run: `a` and `b` are integers of either sign. */
const MADE: readonly (readonly [name: string, expression: string])[] = [
  ['yes', 'a > 0'],
  ['small', '(a % 32768)::smallint'],
  ['whole', 'a'],
  ['big', 'a::bigint * b'],
  ['few', '(a % 1000)::bigint'],
  ['half', '(a / 7.0)::real'],
  ['quotient', 'a::float8 / (b::float8 + 0.5)'],
  ['short', '(a % 10000) / 100.0::float8'],
  ['tiny', 'a * 1e-300::float8'],
  ['price', 'a / 1000.0'],
  ['long', 'a::numeric * b * a / 1000'],
  ['any_number', 'a::numeric ^ 5 / 7'],
  ['word', `repeat(chr(32 + abs(a) % 50000), abs(b) % 40) || case when a % 3 = 0 then '😀' else '' end`],
  ['empty', `''::text`],
  ['day', `date '2000-01-01' + a % 2000000`],
  ['clock', `time '00:00' + make_interval(secs => abs(a % 86400)) + abs(b % 1000000) * interval '1 microsecond'`],
  ['local', `timestamp '2000-01-01' + a % 2000000 * interval '1 day' + b * interval '1 microsecond'`],
  ['instant', `timestamptz '2000-01-01 00:00+00' + a * interval '1 second' + b * interval '1 microsecond'`],
  ['span', `a * interval '1 second'`],
  ['raw', `substring(decode(md5(a::text), 'hex') for abs(b) % 17)`],
  ['fact', `jsonb_build_object('a', a, 'b', array[b], 'ö', null)`],
  ['tags', `array[a::text, '', null, 'b "c"']`],
  ['code', 'md5(a::text)::uuid'],
  ['spot', 'st_setsrid(st_makepoint(a, b, a % 10), 4326)'],
  ['area', 'st_buffer(st_makepoint(a % 100, b % 100), 1, 2)'],
];

/** What the database says of columns, as texts, and the same of what was read. */
const TOLD: Readonly<Record<string, string>> = {
  big: 'big::text as big',
  price: '(price * 1000)::bigint::text as price',
  long: '(long * 1e10)::numeric(40, 0)::text as long',
  word: 'word',
  quotient: `encode(float8send(quotient), 'hex') as quotient`,
  short: `encode(float8send(short), 'hex') as short`,
  tiny: `encode(float8send(tiny), 'hex') as tiny`,
  day: `(day - date '1970-01-01')::text as day`,
  clock: '(extract(epoch from clock) * 1000000)::bigint::text as clock',
  raw: `encode(raw, 'hex') as raw`,
  fact: 'fact::text as fact',
  tags: 'tags::text as tags',
  area: `encode(st_asbinary(area), 'hex') as area`,
  spot: `encode(st_asbinary(spot), 'hex') as spot`,
};

const doubleHex = (value: unknown): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(Number(value));
  return bytes.toString('hex');
};
const bytesHex = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '');
const MEANT: Readonly<Record<string, (value: unknown) => string>> = {
  big: String,
  price: String,
  long: String,
  word: String,
  quotient: doubleHex,
  short: doubleHex,
  tiny: doubleHex,
  day: (value) => String(Number(value) / 86_400_000),
  clock: String,
  raw: bytesHex,
  fact: String,
  tags: String,
  area: bytesHex,
  spot: bytesHex,
};

const MADE_ROWS = 6000;
const MADE_TABLE = `
create table columnar.made as
select n as id, ${MADE.map(([name, expression]) => `case when abs(hashtext(n || '${name}')::bigint) % 5 > 0 then ${expression} end as ${name}`).join(',\n  ')}
from (select n, hashtext('a' || n) as a, hashtext('b' || n) as b from generate_series(1, ${MADE_ROWS}) n) made;
alter table columnar.made add primary key (id), alter price type numeric(12, 3), alter long type numeric(38, 10);
create view columnar.told as select id, ${Object.values(TOLD).join(', ')} from columnar.made;
`;

const FIXTURE = `
select set_config('search_path', 'postgis, public', true);
create schema columnar;
create type columnar.mood as enum ('glad', 'sad');
create table columnar.kinds (
  id integer primary key, yes boolean, small smallint, big bigint, half real, whole double precision, price numeric(10, 2), long numeric(38, 4), any_number numeric,
  word text, short varchar(5), fact jsonb, raw bytea, day date, clock time, local timestamp, instant timestamptz, mood columnar.mood, tags text[], code uuid);
insert into columnar.kinds values
  (1, true, -7, 9007199254740993, 1.5, 0.1, 12.50, -1234567890123456789012345678901234.5678, 1e40, E'äöü "\\n', 'a', '{"a": [1]}', '\\x00ff', '2024-02-29', '23:59:59.000001',
   '2024-02-29 12:00:00.123456', '2024-02-29 12:00:00.123456+02', 'sad', '{a,"b c"}', '00000000-0000-0000-0000-00000000000f'),
  (2, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
  (3, false, 0, -1, 'NaN', '-Infinity', 'NaN', 0, 0, '', '', 'null', '', 'infinity', '00:00', '0044-03-15 12:00 BC', 'infinity', 'glad', '{}', null);
create table columnar.many (id integer primary key, word text not null);
insert into columnar.many select n, 'Row ' || n from generate_series(1, 40000) n;
create table columnar.secret (id integer primary key, owner text not null);
insert into columnar.secret values (1, 'rest_author'), (2, 'somebody');
alter table columnar.secret enable row level security;
create policy own on columnar.secret using (owner = current_user);
create table columnar.spots (id integer primary key, at geometry(Geometry, 4326), grid geometry(PointZ, 25832), round geography);
insert into columnar.spots values
  (1, 'SRID=4326;POINT(10 50)', 'SRID=25832;POINTZ(1 2 3)', 'POINT(10 50)'), (2, null, null, null),
  (3, 'SRID=4326;LINESTRING(0 0,1 1)', null, null);
create table columnar.notes (many_id integer references columnar.many, text text, primary key (many_id, text));
insert into columnar.notes select n, 'Note ' || n from generate_series(20, 100, 20) n;
create table columnar.wordy (id integer primary key, word text not null);
insert into columnar.wordy values (1, repeat('x', 5000));
${MADE_TABLE}
create function columnar.many_from(lowest integer) returns setof columnar.many stable language sql as 'select * from columnar.many where id >= lowest';
create function columnar.many_once() returns setof columnar.many language sql as 'select * from columnar.many';
grant usage on schema columnar to rest_anon, rest_author, rest_repeatable;
grant select on all tables in schema columnar to rest_anon, rest_author, rest_repeatable;
`;

type Read = {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly unknown[][];
};

/** By way of Rust's Arrow, which takes nothing that is not well-formed. */
function read(accept: string, bytes: Uint8Array): Read {
  const table = accept === ARROW ? Table.fromIPCStream(bytes) : readParquet(bytes);
  const found = tableFromIPC(table.intoIPCStream(), { useBigInt: true, useDecimalInt: true, useDate: false });
  const columns = found.children.map((column) => [...column]);
  return {
    names: found.schema.fields.map(({ name }) => name),
    types: found.schema.fields.map(({ type }) =>
      JSON.stringify(type, (key, value) => (key === 'values' || key === 'offsets' ? undefined : value)),
    ),
    rows: Array.from({ length: found.numRows }, (_, row) => columns.map((column) => column[row])),
  };
}

onEachEngine('Arrow and Parquet', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  const rest = useRest(db, { 'db-schemas': 'columnar', 'db-plan-enabled': 'true' });

  async function bytesOf(
    target: string,
    accept: string,
    options: { as?: string; prefer?: string; version?: '1.0' | '1.1' } = {},
  ): Promise<{
    readonly bytes: Buffer;
    readonly header: (name: string) => string | undefined;
    readonly isStreamed: boolean;
    readonly status: number;
  }> {
    const [path = '', query = ''] = target.split('?');
    const { as, prefer, version = '1.1' } = options;
    const reply = await rest.client().service.answer(
      {
        method: 'GET',
        path,
        query,
        headers: {
          accept,
          ...(prefer === undefined ? {} : { prefer }),
          ...(as === undefined ? {} : { authorization: `Bearer ${tokenFor({ role: as })}` }),
        },
        body: new Uint8Array(),
      },
      { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: version },
    );
    expect([reply.status, reply.status < 300 ? '' : String(reply.body)]).toEqual([expect.any(Number), '']);
    const parts: Buffer[] = [];
    if (reply.stream !== undefined) for await (const part of reply.stream) parts.push(part as Buffer);
    return {
      bytes: reply.stream === undefined ? Buffer.from(reply.body ?? '') : Buffer.concat(parts),
      header: (name) => reply.headers.find(([found]) => found === name)?.[1],
      isStreamed: reply.stream !== undefined,
      status: reply.status,
    };
  }

  describe.each(FORMATS)('%s', (_name, accept) => {
    test('has every type, and null where there is no value', async () => {
      const { bytes, header } = await bytesOf('/kinds?order=id', accept);
      expect(header('Content-Type')).toBe(accept);
      const { names, rows } = read(accept, bytes);
      const [first, second, third] = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
      expect(first).toEqual({
        id: 1,
        yes: true,
        small: -7,
        big: 9007199254740993n,
        half: 1.5,
        whole: 0.1,
        price: 1250n,
        long: -12345678901234567890123456789012345678n,
        any_number: `1${'0'.repeat(40)}`,
        word: 'äöü "\n',
        short: 'a',
        fact: '{"a": [1]}',
        raw: new Uint8Array([0, 255]),
        day: Date.UTC(2024, 1, 29),
        clock: 86_399_000_001n,
        local: Date.UTC(2024, 1, 29, 12) + 123.456,
        instant: Date.UTC(2024, 1, 29, 10) + 123.456,
        mood: 'sad',
        tags: '{a,"b c"}',
        code: '00000000-0000-0000-0000-00000000000f',
      });
      expect(second).toEqual({ ...Object.fromEntries(names.map((name) => [name, null])), id: 2 });
      expect(third).toMatchObject({
        half: Number.NaN,
        whole: Number.NEGATIVE_INFINITY,
        price: null,
        word: '',
        fact: 'null',
      });
      const [ides] = await db().query<{ ms: number }>(
        `select (extract(epoch from local) * 1000)::float8 as ms from columnar.kinds where id = 3`,
      );
      expect(third).toMatchObject({ day: null, instant: null, raw: new Uint8Array(), local: ides?.ms });
    });

    test('of no rows is whole, too, and the total is told', async () => {
      const { bytes, header } = await bytesOf('/kinds?id=eq.0&select=id,word', accept, { prefer: 'count=exact' });
      expect(read(accept, bytes)).toMatchObject({ names: ['id', 'word'], rows: [] });
      expect(header('Content-Range')).toBe('*/0');
      const page = await bytesOf('/many?select=id&limit=2', accept, { prefer: 'count=exact' });
      expect(page.header('Content-Range')).toBe('0-1/40000');
    });

    test('of many rows comes in batches, all of them in their order', async () => {
      for (let i = 0; i < 2; i++) {
        const { bytes, isStreamed } = await bytesOf('/many?order=id.desc', accept);
        expect(isStreamed).toBe(true);
        const { rows } = read(accept, bytes);
        expect(rows.length).toBe(40_000);
        expect(rows.every(([id, word], i) => id === 40_000 - i && word === `Row ${id}`)).toBe(true);
      }
    });

    test('has the rows of the caller, in any isolation, with two columns of one name told apart', async () => {
      const mine = await bytesOf('/secret', accept, { as: 'rest_author' });
      expect(read(accept, mine.bytes).rows).toEqual([[1, 'rest_author']]);
      const repeatable = await bytesOf('/kinds?select=a:id,a:word&id=eq.1', accept, { as: 'rest_repeatable' });
      expect(read(accept, repeatable.bytes)).toMatchObject({ names: ['a', 'a_2'], rows: [[1, 'äöü "\n']] });
    });

    test('of keyset pages: every row once, in order, and the next page is told beside it', async () => {
      for (const limit of [7000, 39, 20_000]) {
        const seen: number[] = [];
        const statuses = new Set<number>();
        let target: string | undefined = `/many?select=word,id&id=lte.20000&order=id.desc&limit=${limit}&after=`;
        for (let pages = 0; target !== undefined && pages < 5; pages++) {
          const { bytes, header, status } = await bytesOf(target, accept, { prefer: 'count=exact' });
          const { names, rows } = read(accept, bytes);
          expect(names).toEqual(['word', 'id']);
          const full = `0-${limit - 1}/20000`;
          expect(header('Content-Range')).toBe(pages === 0 ? full : '*/20000');
          statuses.add(status);
          seen.push(...rows.map(([, id]) => Number(id)));
          target = /^<([^>]*)>; rel="next"$/.exec(header('Link') ?? '')?.[1];
          expect(header('Next-Cursor') === undefined).toBe(target === undefined);
        }
        expect(seen).toEqual(Array.from({ length: Math.min(20_000, limit * 5) }, (_, i) => 20_000 - i));
        expect([...statuses]).toEqual(limit === 20_000 ? [200, 206] : [206]);
      }
    });

    test('of keyset pages goes on where JSON was, of embeds, of functions, and of all that is left', async () => {
      const json = await rest.get('/many?select=id&order=word.desc&limit=3&after=');
      const target = `/many?select=id&order=word.desc&limit=2&after=${headerOf(json, 'next-cursor')}`;
      const next = await rest.get(target);
      const { bytes, header } = await bytesOf(target, accept);
      expect(read(accept, bytes).rows.map(([id]) => ({ id }))).toEqual(JSON.parse(String(next.body)));
      expect(header('Next-Cursor')).toBe(headerOf(next, 'next-cursor'));
      const left = await bytesOf('/many?select=id&after=&id=gt.100', accept);
      expect([read(accept, left.bytes).rows.length, left.header('Next-Cursor')]).toEqual([39_900, undefined]);
      expect(left.header('Content-Range')).toBe('0-*/*');
      const inner = await bytesOf('/many?select=id,notes!inner(text)&order=id&limit=2&after=', accept);
      expect(read(accept, inner.bytes).rows).toEqual([
        [20, '[{"text":"Note 20"}]'],
        [40, '[{"text":"Note 40"}]'],
      ]);
      const more = await bytesOf(
        `/many?select=id,notes!inner(text)&order=id&limit=1&after=${inner.header('Next-Cursor')}`,
        accept,
      );
      expect(read(accept, more.bytes).rows).toEqual([[60, '[{"text":"Note 60"}]']]);
      const called = await bytesOf('/rpc/many_from?lowest=100&select=id&limit=6000&after=', accept);
      expect(read(accept, called.bytes).rows.length).toBe(6000);
      const behind = `/rpc/many_from?lowest=100&select=id&limit=1&after=${called.header('Next-Cursor')}`;
      expect(read(accept, (await bytesOf(behind, accept)).bytes).rows).toEqual([[6100]]);
      const empty = await bytesOf('/many?select=id&limit=0&after=', accept);
      expect([read(accept, empty.bytes).rows, empty.header('Next-Cursor')]).toEqual([[], undefined]);
    });

    test('of keyset pages is refused where the cursor would be too long, and of functions that may write', async () => {
      expect(await rest.get('/wordy?select=id&order=word&limit=1&after=', { accept })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST182' }),
      });
      const refused = { status: 406, json: problem('SVRST107', expect.stringContaining(accept)) };
      expect(await rest.post('/rpc/many_once?limit=1&after=', {}, { accept })).toMatchReply(refused);
    });

    test('of many rows is whole for a client of HTTP/1.0, who knows no chunks', async () => {
      for (const target of [
        '/many?order=id',
        '/many?order=id&limit=30000&after=',
        '/rpc/many_from?lowest=1&order=id',
      ]) {
        for (let i = 0; i < 2; i++) {
          const { bytes, isStreamed } = await bytesOf(target, accept, { version: '1.0' });
          expect(isStreamed).toBe(false);
          expect(read(accept, bytes).rows.length).toBe(target.includes('after=') ? 30_000 : 40_000);
        }
      }
    });

    test('is not made in batches and answers of writes', async () => {
      const batch = await rest.post('/batch', [{ method: 'GET', path: '/kinds', headers: { Accept: accept } }]);
      expect(String(batch.body)).toContain('asks for Arrow or Parquet; ask for it by itself');
      const refused = { status: 406, json: problem('SVRST107', expect.stringContaining(accept)) };
      const headers = { accept, prefer: 'return=representation' };
      expect(await rest.post('/many', { id: -1, word: '' }, headers)).toMatchReply(refused);
      expect(await rest.head('/kinds', { accept })).toMatchReply({ status: 200, headers: { 'content-type': accept } });
      const plan = await rest.get('/many', { accept: `application/vnd.pgrst.plan; for="${accept}"` });
      expect(String(plan.body)).toContain('Aggregate');
    });

    test('has geometries as well-known binary, and says which they are', async () => {
      const { bytes } = await bytesOf('/spots?order=id', accept);
      const { rows } = read(accept, bytes);
      expect(Buffer.from(rows[0]?.[1] as Uint8Array).toString('hex')).toBe(
        '010100000000000000000024400000000000004940',
      );
      // 1001: a point with a height, as ISO has it.
      expect(Buffer.from(rows[0]?.[2] as Uint8Array).toString('hex')).toMatch(/^01e9030000/);
      expect(rows[1]).toEqual([2, null, null, null]);
      if (accept === ARROW) {
        const { fields } = tableFromIPC(bytes).schema;
        expect(fields.map(({ metadata }) => metadata?.get('ARROW:extension:metadata'))).toEqual([
          undefined,
          '{"crs":"EPSG:4326","crs_type":"authority_code"}',
          '{"crs":"EPSG:25832","crs_type":"authority_code"}',
          '{"crs":"EPSG:4326","crs_type":"authority_code","edges":"spherical"}',
        ]);
      } else {
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
        const geo = parquetMetadata(file).key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '{}';
        expect(JSON.parse(geo)).toEqual({
          version: '1.1.0',
          primary_column: 'at',
          columns: {
            at: { encoding: 'WKB', geometry_types: ['LineString', 'Point'], srid: 4326 },
            grid: { encoding: 'WKB', geometry_types: ['Point Z'], crs: null, srid: 25832 },
            round: { encoding: 'WKB', geometry_types: ['Point'], srid: 4326, edges: 'spherical' },
          },
        });
      }
    });
  });

  test('Parquet says that a column is JSON in both ways, as readers know one or the other, and has it as it was', async () => {
    const { bytes } = await bytesOf('/kinds?select=fact&order=id&limit=1', PARQUET);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    expect(parquetMetadata(file).schema[1]).toMatchObject({ converted_type: 'JSON', logical_type: { type: 'JSON' } });
    expect(read(PARQUET, bytes).rows).toEqual([['{"a": [1]}']]);
  });

  test('Arrow says the same as Parquet of rows made by chance, and both what the database says', async () => {
    const [arrow, parquet] = await Promise.all(
      [ARROW, PARQUET].map(async (accept) => read(accept, (await bytesOf('/made?order=id', accept)).bytes)),
    );
    expect(arrow?.rows.length).toBe(MADE_ROWS);
    expect(arrow?.names).toEqual(parquet?.names);
    for (const [i, name] of (arrow?.names ?? []).entries()) {
      // Bytes as text, which is compared a hundred times as fast.
      const plain = (value: unknown): unknown => (value instanceof Uint8Array ? bytesHex(value) : value);
      const [one, other] = [arrow, parquet].map((found) => found?.rows.map((row) => plain(row[i])));
      expect([name, one]).toEqual([name, other]);
    }
    const told = await db().query<Record<string, string | null>>('select * from columnar.told order by id');
    for (const [name, made] of Object.entries(MEANT)) {
      const column = arrow?.names.indexOf(name) ?? -1;
      const values = arrow?.rows.map((row) => (row[column] === null ? null : made(row[column])));
      expect([name, values]).toEqual([name, told.map((row) => row[name])]);
    }
  });
});
