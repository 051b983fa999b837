// Bodies written here are those that the database writes, byte for byte: random rows of all types under random settings, both ways.

import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { RowSink, Statement } from '../../pg/driver.ts';
import { render } from '../../sql/index.ts';
import type { BodyFormat } from '../plan/plan.ts';
import { bodySql, rowTextSql, TABLE_ROWS } from '../query/body-sql.ts';
import type { BodyRows } from './body-rows.ts';
import { CsvRows } from './csv-rows.ts';
import { COMPACT_JSON_ARRAY, JSON_ARRAY, JsonRows } from './json-rows.ts';
import { TextRows } from './text-rows.ts';

/** Values of each type, as SQL texts. `null` is among those of all. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  smallint: ['0', '-32768', '32767'],
  integer: ['0', '-1', '2147483647'],
  bigint: ['9223372036854775807', '-9007199254740993', '0'],
  real: ['0.1', 'NaN', 'Infinity', '-Infinity', '1e-30', '-0'],
  'double precision': ['0.1', '1e300', 'NaN', 'Infinity', '-Infinity', '-1.5', '123456789012345678'],
  numeric: ['1.10', 'NaN', '-0.000', '123456789012345678901234567890.5', '1e20', 'Infinity', '-Infinity'],
  'numeric(10,2)': ['1', '-12.3'],
  boolean: ['true', 'false'],
  text: [
    '',
    'plain',
    'quo"te',
    'back\\slash',
    'tab\tand\nline\r\f\b',
    '\u0001\u001f\u007f',
    'ü€😀',
    "it's",
    'x'.repeat(47),
    'y'.repeat(48),
    `${'z'.repeat(60)}"end`,
    'a,b (c) d',
    '{}',
    'null',
    ' ',
  ],
  'varchar(20)': ['short', 'with "quotes"'],
  'char(6)': ['ab', ''],
  name: ['a name', 'x'],
  '"char"': ['a', '"'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  date: ['2024-02-29', '0044-03-15 BC', 'infinity', '-infinity', '10000-01-01', '0001-01-01'],
  timestamp: [
    '2024-02-29 12:34:56.789',
    '0044-03-15 01:02:03 BC',
    'infinity',
    '-infinity',
    '12000-01-01 00:00',
    '1999-12-31 23:59:59.999999',
  ],
  timestamptz: [
    '2024-02-29 12:34:56.789+02',
    '0044-03-15 01:02:03+00 BC',
    'infinity',
    '-infinity',
    '1880-01-01 00:00+00',
    '2024-07-01 00:00+00',
  ],
  time: ['12:34:56.7', '00:00'],
  timetz: ['12:34:56+05:30'],
  interval: ['1 year 2 mons 3 days 04:05:06.7', '-1 day', '0'],
  json: ['{ "a" : [1, null] }', '"text"', 'null', '12', '[ ]'],
  jsonb: ['{ "b" : 1, "a" : {"x": "\\"\\n"} }', 'null', '[1,2]'],
  bytea: ['\\x00ff', '', '\\xdeadbeef'],
  inet: ['10.0.0.1/8', '::1'],
  point: ['(1,2)'],
  money: ['12.5'],
  'bit(3)': ['101'],
  int4range: ['[1,5)', 'empty'],
  tstzrange: ['[2024-01-01 00:00+00,)'],
  oid: ['12', '4294967295'],
  tsvector: ["'a':1 'b \"c\"':2"],
};
/** Of types that the database has to write. */
const UNFIT: Readonly<Record<string, readonly string[]>> = { 'integer[]': ['{1,2}', '{}'], 'text[]': ['{a,"b c"}'] };

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  timezone: ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Europe/Berlin', '-03'],
  intervalstyle: ['postgres', 'iso_8601', 'sql_standard', 'postgres_verbose'],
  extra_float_digits: ['1', '0', '-3'],
  bytea_output: ['hex', 'escape'],
};

const NAMES = ['id', 'Name', 'with "quotes"', 'a,b', 'ü', 'tab\there', 'x y', 'back\\slash'];

/** Lehmer's generator: the same rows every time, on every machine. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

const literal = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function randomRows(random: (below: number) => number, types: readonly string[], values: typeof VALUES): string {
  const columns = types.map((type, i) => ({ type, name: `${NAMES[random(NAMES.length)]}${i}` }));
  const row = (): string =>
    columns
      .map(({ type, name }) => {
        const of = values[type] ?? [];
        const at = random(of.length + 1);
        const value = of[at];
        return `${value === undefined ? 'null' : literal(value)}::${type} as "${name.replaceAll('"', '""')}"`;
      })
      .join(', ');
  const rows = Array.from({ length: random(12) }, () => `select ${row()}`);
  return rows.length === 0 ? `select ${row()} where false` : rows.join(' union all ');
}

onEachEngine('a body that is written here', {}, (db) => {
  const q = (text: string, into?: RowSink): Statement => ({
    text,
    params: [],
    ...(into === undefined ? {} : { into }),
  });

  async function both(
    rows: string,
    format: BodyFormat,
    sink: BodyRows,
    settings: readonly string[],
  ): Promise<[string, string]> {
    const whole = render(bodySql(format, TABLE_ROWS, 'source')).text;
    const text = rowTextSql(format, 'columns');
    const isText = sink instanceof TextRows && text !== undefined && text !== 'cells';
    const oneByOne = isText ? `select ${render(text.sql).text} from (${rows}) as _survest_t` : rows;
    const executed = await db().driver.execute([
      ...settings.map((setting) => q(`set local ${setting}`)),
      q(`with source as (${rows}) select ${whole} from source as _survest_t`),
      q(oneByOne, sink),
    ]);
    if (!executed.ok) throw new Error(`${JSON.stringify(executed.error)}\n${rows}`);
    sink.finish();
    return [executed.value[settings.length]?.rows[0]?.[0]?.toString() ?? '', sink.out.take().toString()];
  }

  test('is the one that the database writes, whatever the types, values and settings', async () => {
    const random = randomly(20_24);
    const types = Object.keys(VALUES);
    for (let round = 0; round < 60; round++) {
      const some = Array.from({ length: 1 + random(7) }, () => types[random(types.length)] as string);
      const rows = randomRows(random, some, VALUES);
      const settings = Object.entries(SETTINGS).map(([name, of]) => `${name} = '${of[random(of.length)]}'`);
      const json = new JsonRows(JSON_ARRAY, false);
      const [byDatabase, here] = await both(rows, { kind: 'array', nullsStripped: false }, json, settings);
      expect(json.isUnfit, rows).toBe(false);
      expect(here, rows).toBe(byDatabase);
      const stripped = new TextRows(COMPACT_JSON_ARRAY, false);
      const [strippedThere, strippedHere] = await both(
        rows,
        { kind: 'array', nullsStripped: true },
        stripped,
        settings,
      );
      expect(strippedHere, rows).toBe(strippedThere);
      const [csvThere, csvHere] = await both(rows, { kind: 'csv' }, new CsvRows(false), settings);
      expect(csvHere, rows).toBe(csvThere);
    }
  });

  test('is made of texts of the database where a type has a form of its own', async () => {
    const random = randomly(7);
    for (const type of Object.keys(UNFIT)) {
      const rows = `select 1 as id, ${literal(UNFIT[type]?.[0] ?? '')}::${type} as v union all select 2, null`;
      const cells = new JsonRows(JSON_ARRAY, false);
      await both(rows, { kind: 'array', nullsStripped: false }, cells, []);
      expect(cells.isUnfit).toBe(true);
      const texts = new TextRows(JSON_ARRAY, false);
      const [there, here] = await both(rows, { kind: 'array', nullsStripped: false }, texts, []);
      expect(here).toBe(there);
      const mixed = randomRows(random, [type, 'text', type], { ...VALUES, ...UNFIT });
      const [csvThere, csvHere] = await both(mixed, { kind: 'csv' }, new CsvRows(false), []);
      expect(csvHere).toBe(csvThere);
    }
  });

  test.each(['SQL, DMY', 'SQL, MDY', 'German', 'Postgres, DMY', 'Postgres, MDY'])(
    'is left to the database where dates are written as %s',
    async (style) => {
      for (const type of ['date', 'timestamp', 'timestamptz']) {
        const json = new JsonRows(JSON_ARRAY, false);
        const rows = `select '2024-02-03'::${type} as at`;
        await both(rows, { kind: 'array', nullsStripped: false }, json, [`datestyle = '${style}'`]);
        expect(json.isUnfit, type).toBe(true);
      }
    },
  );

  test('of a prepared statement has its columns, also after they have changed', async () => {
    await db().script('drop table if exists changing; create table changing (a int); insert into changing values (1)');
    const read = async (): Promise<string> => {
      const sink = new JsonRows(JSON_ARRAY, false);
      const main = { ...q('select * from changing', sink), name: 'changing' };
      const executed = await db().driver.execute([q('select 1'), main, q('select 2')]);
      if (!executed.ok) throw new Error(JSON.stringify(executed.error));
      expect(executed.value.map(({ rows }) => rows.length)).toEqual([1, 0, 1]);
      sink.finish();
      return sink.out.take().toString();
    };
    expect(await read()).toBe('[{"a":1}]');
    expect(await read()).toBe('[{"a":1}]');
    await db().script(`alter table changing add b text default 'x'`);
    expect(await read()).toBe('[{"a":1,"b":"x"}]');
    await db().script('delete from changing');
    expect(await read()).toBe('[]');
  });

  test('knows the total of a hidden last column, and does not show it', async () => {
    const rows = `select n, 'x' as v, 12 as survest_total from generate_series(1, 2) n`;
    for (const sink of [new JsonRows(JSON_ARRAY, true), new CsvRows(true)]) {
      const executed = await db().driver.execute([q(rows, sink)]);
      if (!executed.ok) throw new Error(JSON.stringify(executed.error));
      sink.finish();
      expect(sink.total).toBe(12);
      expect(sink.count).toBe(2);
      expect(sink.out.take().toString()).toBe(
        sink instanceof CsvRows ? 'n,v\n1,x\n2,x' : '[{"n":1,"v":"x"}, \n {"n":2,"v":"x"}]',
      );
    }
  });
});
