// Live streams: the rows of a read, then their changes, as the caller may see them.

import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AUTHENTICATOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { askLive, type LiveClient, type LiveOptions, listenTo } from '../../testkit/live-client.ts';
import { onEachWay } from '../../testkit/live-ways.ts';
import { openRest } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

const FIXTURE = `
create schema live;
create table live.place (id integer primary key, name text not null, town text not null default 'Ulm');
create table live.visit (place_id integer not null references live.place on delete cascade, day date not null, note json,
  primary key (place_id, day));
create table live.secret (id integer primary key, owner text not null, body text not null);
create table live.friend (owner text, friend text, primary key (owner, friend));
alter table live.secret enable row level security;
create policy own on live.secret using (
  owner = current_setting('request.jwt.claims', true)::json ->> 'sub'
  or exists (select 1 from live.friend f where f.owner = secret.owner
    and f.friend = current_setting('request.jwt.claims', true)::json ->> 'sub'));
create view live.towns as select town, count(*) as places from live.place group by town;
create view live.visited as select p.id, p.name, v.day from live.place p join live.visit v on v.place_id = p.id;
create table live.silent (id integer primary key);
create materialized view live.still as select 1 as id;
create table live.keyless (body text);
alter table live.keyless replica identity full;
grant usage on schema live to rest_anon, rest_author;
grant select on all tables in schema live to rest_anon, rest_author;
`;

const TABLES = ['live.place', 'live.visit', 'live.secret', 'live.friend', 'live.keyless'];

onEachWay('a live stream', { fixtures: REST_FIXTURE }, (db, way) => {
  beforeAll(() => db().script(FIXTURE + way.follow(TABLES)));
  const rest = useRest(db, {
    'db-schemas': 'live',
    'db-aggregates-enabled': 'true',
    'live-max-rows': '1000',
    'live-max-queue': '20000',
  });
  const open: LiveClient[] = [];

  async function listen(target: string, options?: LiveOptions, before?: LiveClient): Promise<LiveClient> {
    const client = await listenTo(rest.client().service, target, options, before);
    open.push(client);
    return client;
  }

  const run = (sql: string): Promise<void> => db().script(sql);

  async function refused(target: string, options?: LiveOptions): Promise<unknown> {
    const reply = await askLive(rest.client().service, target, options);
    reply.stream?.destroy();
    return { status: reply.status, ...(JSON.parse(String(reply.body ?? '{}')) as object) };
  }

  beforeAll(() =>
    run(`insert into live.place values (1, 'Mill', 'Ulm'), (2, 'Inn', 'Ulm'), (3, 'Old\nTower', 'Bonn');
         insert into live.visit values (1, '2026-01-01', '{"a":\n 1}');
         insert into live.secret values (1, 'ada', 'a'), (2, 'bob', 'b');`),
  );
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });

  test('begins with the rows of the read, in its order, each with its key', async () => {
    const client = await listen('/place?select=title:name&town=eq.Ulm&order=id.desc');
    expect(client.names()).toEqual(['reset', 'row', 'row', 'ready']);
    expect(client.events.map(({ data }) => data)).toEqual([
      { reason: 'start' },
      { key: { id: 2 }, row: { title: 'Inn' } },
      { key: { id: 1 }, row: { title: 'Mill' } },
      { rows: 2 },
    ]);
    expect(client.events.filter(({ id }) => id !== undefined).map(({ name }) => name)).toEqual(['ready']);
  });

  test('says so where changes cannot be heard of, looks for them instead, and says when that is over', async (context) => {
    if (db().engine === 'pglite') return context.skip('the service is the superuser there');
    await run(`revoke usage on schema survest_live from ${AUTHENTICATOR}`);
    onTestFinished(() => run(`grant usage on schema survest_live to ${AUTHENTICATOR}`));
    const deaf = await openRest(db(), { 'db-schemas': 'live' });
    onTestFinished(() => deaf.close());
    const client = await listenTo(deaf.service, '/place?id=gte.70&id=lt.80&select=id,name');
    open.push(client);
    expect(client.names()).toEqual(['reset', 'pace', 'ready']);
    expect(client.events[1]?.data).toMatchObject({ changes: 'polled' });
    await run(`insert into live.place values (70, 'Quay', 'Ulm')`);
    await client.until(({ rows }) => rows.has('{"id":70}'));
    await run(`grant usage on schema survest_live to ${AUTHENTICATOR}`);
    await client.until(({ events }) => events.at(-1)?.name === 'pace');
    expect(client.events.at(-1)?.data).toEqual({ changes: 'heard' });
    await run('delete from live.place where id = 70');
    await client.until(({ rows }) => rows.size === 0);
  });

  test('goes on in another copy of the program with what it has missed, and nothing else', async (context) => {
    if (way.by === 'decoding') return context.skip('there is no log in which the other copy would find it');
    await run(`insert into live.place values (50, 'Kiosk', 'Ulm'), (51, 'Pier', 'Ulm')`);
    const target = '/place?id=gte.50&id=lt.60&select=id,name&order=id';
    const here = await listen(target, { headers: { host: 'one.example.org' } });
    here.close();
    await run(`update live.place set name = 'Café' where id = 50; delete from live.place where id = 51;
               insert into live.place values (52, 'Gate', 'Ulm'); update live.place set name = 'Mill' where id = 1`);
    const copy = await openRest(db(), { 'db-schemas': 'live' });
    onTestFinished(() => copy.close());
    const there = await listenTo(copy.service, target, { headers: { host: 'two.example.org' } }, here);
    open.push(there);
    expect(there.names()).not.toContain('reset');
    expect(there.events.filter(({ name }) => name === 'row').map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { key: { id: 50 }, row: { id: 50, name: 'Café' } },
        { key: { id: 52 }, row: { id: 52, name: 'Gate' } },
      ]),
    );
    expect(there.rows).toEqual(
      new Map([
        ['{"id":50}', { id: 50, name: 'Café' }],
        ['{"id":52}', { id: 52, name: 'Gate' }],
      ]),
    );
    await run(`delete from live.place where id = 52`);
    await there.until(({ rows }) => rows.size === 1);
    // What another read has heard means nothing for this one.
    expect((await listenTo(copy.service, '/place?id=gte.50', {}, here)).names()[0]).toBe('reset');
    // Under row-level security nobody knows what else has changed: it begins anew.
    const claims = { role: 'rest_author', sub: 'ada' };
    const secret = await listen('/secret', { claims });
    secret.close();
    expect((await listenTo(copy.service, '/secret', { claims }, secret)).names()[0]).toBe('reset');
    await run(`delete from live.place where id between 50 and 59`);
  });

  test('begins anew in another copy of the program where nothing was recorded', async (context) => {
    if (way.by === 'triggers') return context.skip('it goes on');
    const here = await listen('/place?id=eq.1');
    here.close();
    await run(`update live.place set town = 'Köln' where id = 1`);
    const copy = await openRest(db(), { 'db-schemas': 'live' });
    onTestFinished(() => copy.close());
    const there = await listenTo(copy.service, '/place?id=eq.1', {}, here);
    open.push(there);
    expect(there.names()).toEqual(['reset', 'row', 'ready']);
    expect(there.values()).toEqual([{ id: 1, name: 'Mill', town: 'Köln' }]);
    await run(`update live.place set town = 'Ulm' where id = 1`);
  });

  test('keeps line breaks of texts and of stored JSON', async () => {
    const [places, visits] = [await listen('/place?id=eq.3'), await listen('/visit?select=note')];
    expect(places.values()).toEqual([{ id: 3, name: 'Old\nTower', town: 'Bonn' }]);
    expect(visits.values()).toEqual([{ note: { a: 1 } }]);
  });

  test('tells what is inserted, changed and deleted, and what moves into the filter and out of it', async () => {
    const client = await listen('/place?town=eq.Ulm&select=id,name');
    await run(`insert into live.place values (10, 'Ford', 'Ulm'), (11, 'Elsewhere', 'Bonn')`);
    await client.until(({ rows }) => rows.size === 3);
    await run(`update live.place set name = 'Bridge' where id = 10`);
    await client.until(({ events }) => events.length === 6);
    await run(`update live.place set town = 'Ulm' where id = 11`);
    await client.until(({ rows }) => rows.size === 4);
    await run(`update live.place set town = 'Bonn' where id = 10`);
    await client.until(({ rows }) => rows.size === 3);
    await run('delete from live.place where id in (10, 11)');
    await client.until(({ rows }) => rows.size === 2);
    expect(client.events.slice(4).map(({ name, data }) => [name, data])).toEqual([
      ['row', { key: { id: 10 }, row: { id: 10, name: 'Ford' } }],
      ['row', { key: { id: 10 }, row: { id: 10, name: 'Bridge' } }],
      ['row', { key: { id: 11 }, row: { id: 11, name: 'Elsewhere' } }],
      ['gone', { key: { id: 10 } }],
      ['gone', { key: { id: 11 } }],
    ]);
    expect(new Set(client.events.slice(4).map(({ id }) => id)).size).toBe(5);
  });

  test('tells a changed key as one row gone and another come', async () => {
    const client = await listen('/visit?select=day');
    await run(`update live.visit set day = '2026-02-02' where place_id = 1`);
    await client.until(({ rows }) => rows.has('{"place_id":1,"day":"2026-02-02"}') && rows.size === 1);
    await run(`update live.visit set day = '2026-01-01' where place_id = 1`);
    await client.until(({ rows }) => rows.has('{"place_id":1,"day":"2026-01-01"}') && rows.size === 1);
  });

  test('says nothing of what is rolled back, or changes nothing that is shown', async () => {
    const client = await listen('/place?select=name');
    await run(`begin; update live.place set name = 'No'; rollback;`);
    await run(`update live.place set town = town || ''`);
    await run(`insert into live.place values (20, 'Last')`);
    await client.until(({ rows }) => rows.has('{"id":20}'));
    expect(client.names().slice(5)).toEqual(['row']);
    await run('delete from live.place where id = 20');
  });

  test('tells changes of many rows at once, and a truncated table', async () => {
    const client = await listen('/place?id=gte.100&select=id,name');
    await run(`insert into live.place select n, 'x' from generate_series(100, 899) n`);
    await client.until(({ rows }) => rows.size === 800);
    await run(`update live.place set name = 'y' where id >= 100`);
    await client.until((one) => one.values().every((row) => (row as { name: string }).name === 'y'));
    const body = await listen('/keyless');
    await run(`insert into live.keyless values ('a'), ('a'), ('b')`);
    await body.until(({ rows }) => rows.size === 3);
    await run('truncate live.keyless');
    await body.until(({ rows }) => rows.size === 0);
    await run('delete from live.place where id >= 100');
    await client.until(({ rows }) => rows.size === 0);
  });

  test('follows what is embedded, grouped and windowed, and the tables of views', async () => {
    const embed = await listen('/place?select=name,visit(day)&order=id&limit=2');
    const groups = await listen('/place?select=town,count()&order=town');
    const view = await listen('/towns');
    const join = await listen('/visited');
    expect(join.values()).toEqual([{ id: 1, name: 'Mill', day: '2026-01-01' }]);
    await run(`insert into live.visit values (2, '2026-03-03')`);
    await embed.until((one) => JSON.stringify(one.values()).includes('2026-03-03'));
    await join.until(({ rows }) => rows.size === 2);
    await run(`insert into live.place values (0, 'First')`);
    await embed.until(({ rows }) => rows.has('{"id":0}'));
    expect([...embed.rows.keys()].sort()).toEqual(['{"id":0}', '{"id":1}']);
    await groups.until((one) => JSON.stringify(one.values()).includes('{"town":"Ulm","count":3}'));
    await view.until((one) => JSON.stringify(one.values()).includes('{"town":"Ulm","places":3}'));
    await run(`delete from live.visit where place_id = 2; delete from live.place where id = 0`);
    await embed.until(({ rows }) => rows.has('{"id":2}'));
    await join.until(({ rows }) => rows.size === 1);
  });

  describe('under policies', () => {
    const ada = { claims: { role: 'rest_author', sub: 'ada' } };
    const bob = { claims: { role: 'rest_author', sub: 'bob' } };

    test('shows each caller its own rows, and says nothing of others, not even that they are gone', async () => {
      const [one, other] = [await listen('/secret?select=body', ada), await listen('/secret?select=body', bob)];
      expect(one.values()).toEqual([{ body: 'a' }]);
      await run(`insert into live.secret values (3, 'ada', 'mine'), (4, 'bob', 'yours')`);
      await one.until(({ rows }) => rows.has('{"id":3}'));
      await other.until(({ rows }) => rows.has('{"id":4}'));
      await run(`delete from live.secret where id in (3, 4)`);
      await one.until(({ rows }) => !rows.has('{"id":3}'));
      await other.until(({ rows }) => !rows.has('{"id":4}'));
      const told = JSON.stringify(one.events);
      expect(told).not.toContain('"id":4');
      expect(told).not.toContain('yours');
    });

    test('tells a row as gone that a policy hides from now on, also by a table that only the policy reads', async () => {
      const client = await listen('/secret?select=body', ada);
      await run(`insert into live.friend values ('bob', 'ada')`);
      await client.until(({ rows }) => rows.has('{"id":2}'));
      await run(`delete from live.friend`);
      await client.until(({ rows }) => !rows.has('{"id":2}'));
      await run(`update live.secret set owner = 'bob' where id = 1`);
      await client.until(({ rows }) => rows.size === 0);
      await run(`update live.secret set owner = 'ada' where id = 1`);
      await client.until(({ rows }) => rows.size === 1);
    });
  });

  describe('is taken up again by Last-Event-ID', () => {
    test('with what was missed, and nothing twice', async () => {
      const first = await listen('/place?select=name');
      first.close();
      await first.ended();
      const watcher = await listen('/place?select=name');
      await run(`insert into live.place values (30, 'Missed')`);
      await run(`update live.place set name = 'Later' where id = 30`);
      await watcher.until(({ rows }) => JSON.stringify([...rows.values()]).includes('Later'));
      const again = await listen('/place?select=name', {}, first);
      expect(again.names().filter((name) => name === 'reset')).toEqual([]);
      expect(again.events.at(-2)?.data).toEqual({ key: { id: 30 }, row: { name: 'Later' } });
      expect(again.rows).toEqual(watcher.rows);
      await run('delete from live.place where id = 30');
      await again.until(({ rows }) => !rows.has('{"id":30}'));
    });

    test('from the beginning where it is not known, or belongs to another read', async () => {
      const other = await listen('/visit');
      for (const lastEventId of ['nonsense', other.lastEventId ?? '', `${other.lastEventId}9`]) {
        const client = await listen('/place', { lastEventId });
        expect(client.names().slice(0, 2)).toEqual(['reset', 'row']);
        client.close();
      }
    });
  });

  describe('is refused', () => {
    test('for tables whose changes are not recorded, with the remedy', async () => {
      expect(await refused('/silent')).toEqual({
        status: 406,
        code: 'SVRST187',
        message: 'Changes to these tables are not followed',
        details: 'live.silent',
        hint: 'survest live install live.silent',
      });
      expect(await refused('/still')).toMatchObject({ status: 406, code: 'SVRST187', details: 'live.still' });
    });

    test('for more rows than are allowed', async () => {
      await run(`insert into live.place select n, 'x' from generate_series(1001, 2100) n`);
      expect(await refused('/place')).toMatchObject({ status: 400, code: 'SVRST188' });
      expect((await listen('/place?limit=1000')).rows.size).toBe(1000);
      const growing = await listen('/place?id=gte.1101');
      await run(`insert into live.place values (2101, 'One more')`);
      await growing.ended();
      expect(growing.events.at(-1)).toMatchObject({ name: 'end', data: { code: 'SVRST188' } });
      await run('delete from live.place where id >= 1000');
    });

    test('as any read is: an unknown table, a column, a forbidden one, a token that is none', async () => {
      expect(await refused('/nowhere')).toMatchObject({ status: 404, code: 'SVRST205' });
      expect(await refused('/place?select=nothing')).toMatchObject({ status: 400, code: '42703' });
      await run('revoke select on live.friend from rest_anon');
      expect(await refused('/friend')).toMatchObject({ status: 401, code: '42501' });
      expect(await refused('/place', { headers: { authorization: 'Bearer a.b.c' } })).toMatchObject({ status: 401 });
    });
  });
});
