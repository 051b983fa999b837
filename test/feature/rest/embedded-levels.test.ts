// Rows with rows inside them that are asked for level by level, once an answer was long: what comes beside the rows, and who answers where levels
// cannot. Each is asked for twice.

import { beforeAll, expect, test } from 'vitest';
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

const crate = (id: number): string => `Crate ${id}`.padEnd(5000, '.');

onEachEngine('rows asked for level by level', { fixtures: REST_FIXTURE }, (db) => {
  beforeAll(() => db().script(FIXTURE));
  const rest = useRest(db);

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

  test('that nobody may read are refused as any', async () => {
    expect(await rest.get('/crates?select=id,name,bottles(id)')).toMatchReply({ status: 200 });
    await db().script('revoke select on test.bottles from rest_anon');
    const reply = await rest.get('/crates?select=id,name,bottles(id)');
    expect(reply).toMatchReply(failure(401, '42501', 'permission denied for table bottles'));
    await db().script('grant select on test.bottles to rest_anon');
  });
});
