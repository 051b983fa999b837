// Live streams of tables that are followed by logical decoding: what is particular to it. What all streams do is in the other files, for both ways.

import pg from 'pg';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { installChangeLogSql, recordTablesSql } from '../../../src/pg/change-log/install-change-log.ts';
import type { DecodeEvent, Driver } from '../../../src/pg/driver.ts';
import { makePostgresDriver } from '../../../src/pg/postgres/postgres-driver.ts';
import { SharedDecoding } from '../../../src/server/workers/shared-decoding.ts';
import { AUTHENTICATOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { type LiveClient, listenTo } from '../../testkit/live-client.ts';
import { DECODING, onLogicalServer } from '../../testkit/live-ways.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';

const FIXTURE = `
create schema live;
create table live.place (id integer primary key, name text not null);
create table live.pair (a text, b date, flag boolean, note text, primary key (b, flag, a));
create table live.part (id integer, day date, note text, primary key (id, day)) partition by range (day);
create table live.part_1 partition of live.part for values from ('2026-01-01') to ('2026-02-01');
create table live.part_2 partition of live.part for values from ('2026-02-01') to ('2026-03-01');
create table live.moved (id integer primary key);
insert into live.place values (1, 'Mill');
grant usage on schema live to rest_anon;
grant select on all tables in schema live to rest_anon;
`;
const TABLES = ['live.place', 'live.pair', 'live.part', 'live.moved'];
const SLOTS = 2;

onLogicalServer(
  'a live stream by logical decoding',
  REST_FIXTURE,
  (db) => {
    beforeAll(() => db().script(FIXTURE + DECODING.follow(TABLES)));
    const open: LiveClient[] = [];
    const services: RestClient[] = [];
    const run = (sql: string): Promise<void> => db().script(sql);

    // Nothing is looked at again by the clock.
    async function service(around?: (driver: Driver) => Driver): Promise<RestClient> {
      const rest = await openRest(db(), { 'db-schemas': 'live', 'live-recheck': '86400' }, around);
      services.push(rest);
      return rest;
    }

    async function listen(rest: RestClient, target: string): Promise<LiveClient> {
      const client = await listenTo(rest.service, target);
      open.push(client);
      return client;
    }

    const slots = (): Promise<{ active_pid: number }[]> =>
      db().query(`select active_pid from pg_replication_slots where slot_name ~ '^survest_live_'`);
    const troubles = (rest: RestClient): (string | undefined)[] =>
      rest.seen.flatMap((one) => (one.kind === 'live-decoding' ? [one.message] : []));
    async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
      while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
    }

    async function session(): Promise<pg.Client> {
      const client = new pg.Client(db().uri);
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    }

    afterEach(async () => {
      for (const client of open.splice(0)) client.close();
      for (const rest of services.splice(0)) await rest.close();
      await until(async () => (await slots()).length === 0);
    });

    test('has one slot for all streams, which ends with them, and leaves nothing in the change log', async () => {
      const rest = await service();
      const [one, other] = [await listen(rest, '/place'), await listen(rest, '/pair?select=note')];
      expect(troubles(rest)).toEqual([undefined]);
      expect(await slots()).toHaveLength(1);
      await run(
        `insert into live.place values (2, 'Inn'); insert into live.pair values ('x"y', '2026-02-01', true, 'n')`,
      );
      await one.until(({ rows }) => rows.size === 2);
      await other.until(({ rows }) => rows.has('{"b":"2026-02-01","flag":true,"a":"x\\"y"}'));
      await run(`update live.pair set flag = false, note = 'm'; delete from live.place where id = 2`);
      await one.until(({ rows }) => rows.size === 1);
      await other.until(({ rows }) => rows.size === 1 && rows.has('{"b":"2026-02-01","flag":false,"a":"x\\"y"}'));
      expect(other.values()).toEqual([{ note: 'm' }]);
      await run('truncate live.pair');
      await other.until(({ rows }) => rows.size === 0);
      const [log] = await db().query<{ n: number }>(
        `select count(*)::integer as n from survest_live.change where keys is not null`,
      );
      expect(log).toEqual({ n: 0 });
    });

    test('hears of partitions, by whichever name they are written to', async () => {
      const rest = await service();
      const client = await listen(rest, '/part?select=note');
      await run(`insert into live.part values (1, '2026-01-05', 'a'), (2, '2026-02-05', 'b')`);
      await client.until(({ rows }) => rows.size === 2);
      await run(
        `insert into live.part_2 values (3, '2026-02-06', 'c'); update live.part set day = '2026-02-07' where id = 1`,
      );
      await client.until(({ rows }) => rows.size === 3 && rows.has('{"id":1,"day":"2026-02-07"}'));
      await run(`create table live.part_3 partition of live.part for values from ('2026-03-01') to ('2026-04-01');
        insert into live.part_3 values (4, '2026-03-01', 'd')`);
      await client.until(({ rows }) => rows.size === 4);
      await run('truncate live.part');
      await client.until(({ rows }) => rows.size === 0);
    });

    test('hears of a large transaction, and of nothing that is rolled back', async () => {
      const rest = await service();
      const client = await listen(rest, '/place?id=gte.1000&select=id');
      await run(`begin; insert into live.place select n, 'no' from generate_series(1000, 1100) n; rollback`);
      await run(`begin; savepoint s; insert into live.place values (9000, 'no'); rollback to s;
        insert into live.place select n, 'x' from generate_series(1000, 6999) n; commit`);
      await client.until(({ rows }) => rows.size === 6000);
      await run('delete from live.place where id >= 1000');
      await client.until(({ rows }) => rows.size === 0);
      expect(JSON.stringify(client.events).includes('"id":9000')).toBe(false);
    });

    test('goes on when its connection is cut, with what was changed meanwhile', async () => {
      const rest = await service();
      const client = await listen(rest, '/place');
      for (let id = 10; id < 13; id++) {
        const [slot] = await slots();
        await run(
          `select pg_terminate_backend(${slot?.active_pid ?? 0}); insert into live.place values (${id}, 'cut')`,
        );
        await client.until(({ rows }) => rows.has(`{"id":${id}}`));
        await until(async () => (await slots()).some(({ active_pid }) => active_pid !== slot?.active_pid));
      }
      await run('delete from live.place where id >= 10');
      await client.until(({ rows }) => rows.size === 1);
      expect(troubles(rest).filter((message) => message === undefined).length).toBeGreaterThan(1);
    });

    test('is read every few seconds where no slot is left, and says so; from the first free one on it is followed', async () => {
      for (let i = 0; i < SLOTS; i++) await run(`select pg_create_physical_replication_slot('taken_${i}')`);
      const rest = await service();
      const client = await listen(rest, '/place');
      expect(troubles(rest)).toEqual([expect.stringContaining('all replication slots are in use')]);
      await run(`insert into live.place values (20, 'polled')`);
      await client.until(({ rows }) => rows.has('{"id":20}'));
      await run(`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name ~ '^taken'`);
      await until(() => troubles(rest).at(-1) === undefined);
      await run('delete from live.place where id = 20');
      await client.until(({ rows }) => rows.size === 1);
    });

    test('is read every few seconds where the role may not replicate, or would follow another database', async () => {
      await run(`alter role ${AUTHENTICATOR} noreplication`);
      onTestFinished(() => run(`alter role ${AUTHENTICATOR} replication`));
      const elsewhere = new URL(db().uri ?? '');
      elsewhere.pathname = '/postgres';
      const lost = makePostgresDriver({ uri: db().uri ?? '', replicationUri: elsewhere.href });
      onTestFinished(() => lost.close());
      const rest = await service();
      const misled = await service((driver) => ({ ...driver, ...(lost.decode && { decode: lost.decode }) }));
      const clients = [await listen(rest, '/place'), await listen(misled, '/place')];
      expect(troubles(rest)[0]).toMatch(/replication|REPLICATION/);
      expect(troubles(misled)).toEqual(['live-replication-uri leads to another database than db-uri']);
      await run(`insert into live.place values (30, 'polled')`);
      for (const client of clients) await client.until(({ rows }) => rows.has('{"id":30}'));
      await run('delete from live.place where id = 30');
      for (const client of clients) await client.until(({ rows }) => rows.size === 1);
    });

    test('does not wait for transactions that are under way, and hears of them', async () => {
      const slow = await session();
      await slow.query(`begin; insert into live.place values (40, 'slow')`);
      const rest = await service();
      const client = await listen(rest, '/place');
      await run(`insert into live.place values (41, 'quick')`);
      await client.until(({ rows }) => rows.has('{"id":41}'));
      expect(client.rows.has('{"id":40}')).toBe(false);
      await slow.query('commit');
      await client.until(({ rows }) => rows.has('{"id":40}'));
      await until(() => troubles(rest).at(-1) === undefined);
      await run('delete from live.place where id >= 40');
      await client.until(({ rows }) => rows.size === 1);
    });

    test('tells of a transaction when others see it, which may be long after the log has it', async () => {
      const told: DecodeEvent[] = [];
      const rest = await service((driver) => ({
        ...driver,
        decode: (publication, onEvent) => {
          if (driver.decode === undefined) throw new Error('no decoding');
          return driver.decode(publication, (event) => {
            told.push(event);
            onEvent(event);
          });
        },
      }));
      const client = await listen(rest, '/place');
      // Told by its key: the look at everything with which decoding begins is over.
      await run(`insert into live.place values (51, 'First')`);
      await client.until(({ rows }) => rows.has('{"id":51}'));
      const transactions = (): number => told.filter(({ kind }) => kind === 'transaction').length;
      await run(`alter system set synchronous_standby_names = 'nobody'`);
      await run('select pg_reload_conf()');
      onTestFinished(async () => {
        await run('alter system reset synchronous_standby_names');
        await run('select pg_reload_conf()');
      });
      const waiting = await session();
      await waiting.query('set synchronous_commit = on');
      // A session that knows of the setting does not wait before the checkpointer does, too: a commit without rows is tried first.
      const { pid } = (await waiting.query('select pg_backend_pid() as pid')).rows[0];
      const watching = await session();
      const isHeldUp = async (): Promise<boolean> => {
        const { rows } = await watching.query('select wait_event from pg_stat_activity where pid = $1', [pid]);
        return rows[0]?.wait_event === 'SyncRep';
      };
      await until(async () => {
        let isOver = false;
        const trial = waiting.query(`select pg_logical_emit_message(true, 'trial', '')`).then(() => (isOver = true));
        while (!isOver) {
          if (!(await isHeldUp())) continue;
          await watching.query('select pg_cancel_backend($1)', [pid]);
          await trial;
          return true;
        }
        return false;
      });
      const before = transactions();
      // Its commit is in the log, and waits for a standby that does not come.
      const committed = waiting.query(`update live.place set name = 'Late' where id = 1`);
      await until(async () => transactions() > before && (await isHeldUp()));
      const local = await session();
      await local.query('set synchronous_commit = local');
      await local.query(`insert into live.place values (50, 'Early')`);
      await client.until(({ rows }) => rows.has('{"id":50}'));
      expect(JSON.stringify(client.values())).not.toContain('Late');
      await run('alter system reset synchronous_standby_names');
      await run('select pg_reload_conf()');
      await committed;
      await client.until((one) => JSON.stringify(one.values()).includes('Late'));
      await run(`delete from live.place where id >= 50; update live.place set name = 'Mill'`);
      await client.until(({ rows }) => rows.size === 1);
    });

    test('goes on when the table is followed in the other way from now on, and back', async () => {
      const rest = await service();
      const client = await listen(rest, '/moved');
      await run(installChangeLogSql(AUTHENTICATOR) + recordTablesSql(['live.moved']));
      await run('insert into live.moved values (1)');
      await client.until(({ rows }) => rows.size === 1);
      await run(DECODING.follow(['live.moved']));
      await run('insert into live.moved values (2)');
      await client.until(({ rows }) => rows.size === 2);
      await run('delete from live.moved');
      await client.until(({ rows }) => rows.size === 0);
    });

    test('is shared by the workers of one program, and told as a gap to one that is too slow', async () => {
      const shared = new SharedDecoding<string>(() => makePostgresDriver({ uri: db().uri ?? '' }));
      const heard = new Map<string, string[]>([
        ['a', []],
        ['b', []],
        ['slow', []],
      ]);
      const unsent: (() => void)[] = [];
      const count = (worker: string, kind: string): number =>
        heard.get(worker)?.filter((one) => one === kind).length ?? 0;
      shared.add('a', ({ kind }, onSent) => {
        heard.get('a')?.push(kind);
        onSent();
      });
      await until(() => count('a', 'following') === 1);
      // Whoever comes later knows at once that it is followed.
      shared.add('b', ({ kind }, onSent) => {
        heard.get('b')?.push(kind);
        onSent();
      });
      shared.add('slow', ({ kind }, onSent) => {
        heard.get('slow')?.push(kind);
        unsent.push(onSent);
      });
      expect([count('b', 'following'), count('slow', 'following')]).toEqual([1, 1]);
      expect(await slots()).toHaveLength(1);
      await run(
        `do $$ begin for n in 1..1200 loop update live.place set name = 'w' || n where id = 1; commit; end loop; end $$`,
      );
      await until(() => count('a', 'transaction') === 1200 && count('b', 'transaction') === 1200);
      expect(count('slow', 'transaction')).toBe(999);
      for (const onSent of unsent.splice(0)) onSent();
      expect(count('slow', 'following')).toBe(2);
      await shared.remove('a');
      await shared.remove('b');
      expect(await slots()).toHaveLength(1);
      await shared.remove('slow');
    });
  },
  { max_replication_slots: String(SLOTS), synchronous_commit: 'local' },
);
