// Rows with rows inside them that are asked for level by level, once an answer was long: what comes beside the rows, and who answers where levels
// cannot. Each is asked for twice.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../../src/pg/driver.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const FIXTURE = `
create table test.crates (id int primary key, name text, old text);
create table test.bottles (id int primary key, crate_id int not null references test.crates, label text, old text);
insert into test.crates select n, rpad('Crate ' || n, 5000, '.'), 'old' from generate_series(1, 8) n;
insert into test.bottles select n, n % 4 + 1, 'Bottle ' || n, 'old' from generate_series(1, 12) n;
create function test.told(test.bottles) returns text language sql volatile as
  $$ select set_config('response.headers', json_build_array(json_build_object('X-Last', $1.id::text))::text, true) $$;
create table test.barrels (id int primary key, crate_id int not null references test.crates, body text);
insert into test.barrels select n, 1, repeat('x', 100000) from generate_series(1, 60) n;
grant select on test.crates, test.bottles, test.barrels to rest_anon;
`;

const TRUCKS = `
drop table if exists test.trucks, test.loads;
create table test.trucks (id int primary key, name text, day date, at timestamp, n bigint, weight double precision);
create table test.loads (id int primary key, truck_id int not null references test.trucks, day date, at timestamp, n bigint, weight double precision);
insert into test.trucks select n, rpad('Truck ' || n, 9000, '.'), '2026-02-03', '2026-02-03 04:05:06', 9007199254740993, 0.5 from generate_series(1, 3) n;
insert into test.loads select n, n, '2026-02-03', '2026-02-03 00:00:00', 9007199254740993, 0.5 from generate_series(1, 2) n;
grant select on test.trucks, test.loads to rest_anon;
`;

const crate = (id: number): string => `Crate ${id}`.padEnd(5000, '.');

onEachEngine('rows asked for level by level', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  let isByLevel = false;
  const watched = (driver: Driver): Driver => ({
    ...driver,
    execute: (batch, options) => {
      isByLevel ||= batch.some(({ text }) => text.includes('survest_level1'));
      return driver.execute(batch, options);
    },
  });
  const rest = useRest(db, {}, watched);

  test('have the total of the rows at the top', async () => {
    const target = '/crates?select=id,name,bottles(id)&order=id&bottles.order=id&id=lt.6&offset=1';
    for (const time of ['first', 'second'])
      expect(await rest.get(target, { prefer: 'count=exact' }), time).toMatchReply({
        status: 206,
        headers: { 'content-range': '1-4/5' },
        json: [
          { id: 2, name: crate(2), bottles: [{ id: 1 }, { id: 5 }, { id: 9 }] },
          { id: 3, name: crate(3), bottles: [{ id: 2 }, { id: 6 }, { id: 10 }] },
          { id: 4, name: crate(4), bottles: [{ id: 3 }, { id: 7 }, { id: 11 }] },
          { id: 5, name: crate(5), bottles: [] },
        ],
      });
  });

  test('have a total where there are none', async () => {
    const target = (least: number): string => `/crates?select=name,bottles(id)&id=gt.${least}`;
    expect(await rest.get(target(0), { prefer: 'count=exact' })).toMatchReply({ status: 200 });
    const reply = await rest.get(target(100), { prefer: 'count=exact' });
    expect(reply).toMatchReply({ status: 200, headers: { 'content-range': '*/0' }, text: '[]' });
  });

  test('have the headers that the last of them has set', async () => {
    const target = '/crates?select=id,name,bottles(told)&order=id&bottles.order=id&id=lt.7&bottles.id=lt.11';
    for (const time of ['first', 'second'])
      expect(await rest.get(target), time).toMatchReply({ status: 200, headers: { 'x-last': '7' } });
  });

  test('are streamed where they are too large to be held', async () => {
    const target = '/crates?select=id,barrels(id,body)&order=id&barrels.order=id';
    for (const time of ['the first time', 'again']) {
      const reply = await rest.get(target);
      expect(reply.status, time).toBe(200);
      const rows = JSON.parse(String(reply.body)) as { barrels: { id: number; body: string }[] }[];
      expect(
        rows.map(({ barrels }) => barrels.length),
        time,
      ).toEqual([60, 0, 0, 0, 0, 0, 0, 0]);
      expect(
        rows[0]?.barrels.map(({ id }) => id),
        time,
      ).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    }
  });

  test('show what is there, though the schema cache knows columns that are gone', async () => {
    const target = '/crates?select=*,bottles(*)&order=id&id=in.(1,6,7,8)&bottles.order=id&bottles.limit=1';
    for (const time of ['first', 'second'])
      expect(await rest.get(target), time).toMatchReply({
        json: [
          { id: 1, name: crate(1), old: 'old', bottles: [{ id: 4, crate_id: 1, label: 'Bottle 4', old: 'old' }] },
          ...[6, 7, 8].map((id) => ({ id, name: crate(id), old: 'old', bottles: [] })),
        ],
      });
    await db().script('alter table test.crates drop column old; alter table test.bottles drop column old');
    expect(await rest.get(target)).toMatchReply({
      status: 200,
      json: [
        { id: 1, name: crate(1), bottles: [{ id: 4, crate_id: 1, label: 'Bottle 4' }] },
        ...[6, 7, 8].map((id) => ({ id, name: crate(id), bottles: [] })),
      ],
    });
  });

  describe('show what is there by now, and not what the schema cache knows', () => {
    const target = '/trucks?select=*,loads(*)&order=id&loads.order=id';
    /** Nearly what is stored: JSON.stringify does not have its last digit. */
    const LARGE = 2 ** 53;
    const truck = { day: '2026-02-03', at: '2026-02-03T04:05:06', n: LARGE, weight: 0.5 };
    const load = { ...truck, at: '2026-02-03T00:00:00' };
    const expected = (trucks: object, loads: object): string => {
      const rows = [1, 2, 3].map((id) => {
        const name = `Truck ${id}`.padEnd(9000, '.');
        const inside = id > 2 ? [] : [{ id, truck_id: id, ...loads }];
        return JSON.stringify({ id, name, ...trucks, loads: inside });
      });
      return `[${rows.join(', \n ')}]`.replaceAll('9007199254740992', '9007199254740993');
    };

    test.each<[string, string, object, object]>([
      ['a column more inside', 'alter table test.loads add column more text', truck, { ...load, more: null }],
      [
        'a column more at the top',
        `alter table test.trucks add column more int default 7`,
        { ...truck, more: 7 },
        load,
      ],
      [
        'a date that is a time',
        'alter table test.loads alter day type timestamp',
        truck,
        { ...load, day: '2026-02-03T00:00:00' },
      ],
      ['a time that is a date', 'alter table test.loads alter at type date', truck, { ...load, at: '2026-02-03' }],
      [
        'a time with a zone',
        'alter table test.trucks alter at type timestamptz',
        { ...truck, at: '2026-02-03T04:05:06+00:00' },
        load,
      ],
      [
        'a whole number that was a fraction',
        'alter table test.loads alter weight type bigint using 9007199254740993',
        truck,
        { ...load, weight: LARGE },
      ],
      [
        'a fraction that was a whole number',
        'alter table test.loads alter n type double precision using 1.5',
        truck,
        { ...load, n: 1.5 },
      ],
      ['a text that was a number', `alter table test.loads alter n type text using 'x'`, truck, { ...load, n: 'x' }],
      [
        'a column less',
        'alter table test.trucks drop column day',
        { at: truck.at, n: truck.n, weight: truck.weight },
        load,
      ],
      [
        'a column of another name',
        'alter table test.trucks rename day to date',
        { date: truck.day, at: truck.at, n: truck.n, weight: truck.weight },
        load,
      ],
    ])('%s', async (_, change, trucks, loads) => {
      await db().script(TRUCKS);
      await rest.client().service.reloadSchema();
      isByLevel = false;
      for (const time of ['first', 'by level'])
        expect(await rest.get(target), time).toMatchReply({ status: 200, text: expected(truck, load) });
      expect(isByLevel).toBe(true);
      await db().script(change);
      for (const time of ['first', 'again'])
        expect(await rest.get(target), time).toMatchReply({ status: 200, text: expected(trucks, loads) });
    });
  });

  test('that nobody may read are refused as any', async () => {
    expect(await rest.get('/crates?select=id,name,bottles(id)')).toMatchReply({ status: 200 });
    await db().script('revoke select on test.bottles from rest_anon');
    const reply = await rest.get('/crates?select=id,name,bottles(id)');
    expect(reply).toMatchReply(failure(401, '42501', 'permission denied for table bottles'));
    await db().script('grant select on test.bottles to rest_anon');
  });
});
