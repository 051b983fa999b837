// What every driver promises (src/pg/driver.ts), asked of both: one suite, two engines.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../src/kernel/result.ts';
import type { Batch, Driver, ListenEvent, Param, Statement } from '../../src/pg/driver.ts';
import { borrowDriver } from '../../src/pg/lent/borrow-driver.ts';
import { type Lent, lendDriver } from '../../src/pg/lent/lend-driver.ts';
import { socketPath } from '../../src/pg/lent/socket-path.ts';
import { onEachEngine, type TestDatabase } from '../testkit/database.ts';

const sql = (text: string, ...params: Param[]): Statement => ({ text, params });

/** All cells of all statements as text. */
async function cells(driver: Driver, batch: Batch): Promise<(string | null)[][][]> {
  const executed = await driver.execute(batch);
  if (!executed.ok) throw new Error(JSON.stringify(executed.error));
  return executed.value.map(({ rows }) => rows.map((row) => row.map((cell) => cell?.toString() ?? null)));
}

async function failure(driver: Driver, batch: Batch): Promise<unknown> {
  const executed = await driver.execute(batch);
  return executed.ok ? 'no failure' : executed.error;
}

onEachEngine('the driver contract', { ownEngine: true }, (db) => {
  const driver = (): Driver => db().driver;
  contract(db, driver);

  describe('its connections', () => {
    test('are counted, and new after flushIdle', async () => {
      await cells(driver(), [sql("select set_config('contract.left', 'here', false)")]);
      driver().flushIdle();
      expect(await cells(driver(), [sql("select coalesce(current_setting('contract.left', true), '')")])).toEqual([
        [['']],
      ]);
      const { max, open, idle, waiting } = driver().stats();
      expect({ hasMax: max > 0, open, idle, waiting }).toEqual({ hasMax: true, open: 1, idle: 1, waiting: 0 });
    });
  });
});

onEachEngine('the driver contract, over the socket of the program', { ownEngine: true, engines: ['pglite'] }, (db) => {
  let folder: string;
  let lent: Lent;
  let borrowed: Driver;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-lent-'));
    const path = socketPath(folder);
    lent = must(await lendDriver(db().driver, path, 2000));
    borrowed = must((await borrowDriver(path.path)) ?? nobody());
  });
  afterAll(async () => {
    await lent.close();
    rmSync(folder, { recursive: true, force: true });
  });

  contract(db, () => borrowed, true);

  test('a command that is stopped in the midst of a transaction leaves nothing of it, and the session to others', async () => {
    await db().script('create table public.left_over (n integer)');
    const stopped = new AbortController();
    await borrowed.hold(
      async (session) => {
        await session.execute([sql('begin'), sql('insert into public.left_over values (1)')]);
        stopped.abort();
      },
      { signal: stopped.signal },
    );
    expect(await cells(db().driver, [sql('select count(*) from public.left_over')])).toEqual([[['0']]]);
  });

  test('a command that holds the session and says nothing loses it', async () => {
    const held = await borrowed.hold(async (session) => {
      // Stands in line behind it.
      expect(await cells(db().driver, [sql('select 2')])).toEqual([[['2']]]);
      return session.execute([sql('select 1')]);
    });
    expect(held).toMatchObject({ ok: true, value: { ok: false, error: { kind: 'lost' } } });
  });
});

function nobody(): never {
  throw new Error('nobody lends a database there');
}

function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** @param isBrief without the tests that take long because of what the database does, and not the way to it */
function contract(db: () => TestDatabase, driver: () => Driver, isBrief = false): void {
  const lengthy = isBrief ? () => {} : test;

  describe('a batch', () => {
    test('brings the cells of every statement as text, NULL as null, and its tag', async () => {
      const executed = await driver().execute([
        sql("select 1, null, 'é'"),
        sql('values (true), (false)'),
        sql('select where false'),
      ]);
      expect(executed.ok && executed.value.map(({ tag }) => tag)).toEqual(['SELECT 1', 'SELECT 2', 'SELECT 0']);
      expect(await cells(driver(), [sql("select 1, null, 'é'"), sql('values (true), (false)')])).toEqual([
        [['1', null, 'é']],
        [['t'], ['f']],
      ]);
    });

    test('takes text, UTF-8 bytes, binary and NULL as parameters', async () => {
      const batch = [
        sql(
          'select $1::text, $2::text, $3::bytea, $4::text',
          'ü',
          Buffer.from('ö'),
          { binary: Buffer.from([0, 255]) },
          null,
        ),
      ];
      expect(await cells(driver(), batch)).toEqual([[['ü', 'ö', '\\x00ff', null]]]);
    });

    test('names and types its columns when asked', async () => {
      const executed = await driver().execute([{ text: 'select 1 as a, now() as b', params: [], describe: true }]);
      expect(executed.ok && executed.value[0]?.fields).toEqual([
        { name: 'a', type: 23 },
        { name: 'b', type: 1184 },
      ]);
      const silent = await driver().execute([{ text: 'select 1 as a', params: [] }]);
      expect(silent.ok && silent.value[0]?.fields).toBeUndefined();
    });

    test('says what PostgreSQL said, and which statement it was', async () => {
      const batch = [
        sql('select 1'),
        sql("do $$ begin raise sqlstate 'PT402' using message = 'pay', detail = 'more', hint = 'now'; end $$"),
        sql('select 2'),
      ];
      expect(await failure(driver(), batch)).toEqual({
        kind: 'sql',
        sqlstate: 'PT402',
        message: 'pay',
        detail: 'more',
        hint: 'now',
        statement: 1,
      });
      expect(await failure(driver(), [sql('select 1'), sql('selec')])).toMatchObject({
        sqlstate: '42601',
        statement: 1,
      });
    });

    test('names the table, column and constraint of an error apart from its message', async () => {
      const make = sql('create temp table named (id int constraint small check (id < 10), word text not null)');
      const failed = (text: string) => failure(driver(), [make, sql(text)]);
      expect(await failed("insert into named values (11, '')")).toMatchObject({
        about: { table: 'named', constraint: 'small' },
      });
      expect(await failed('insert into named values (1, null)')).toMatchObject({
        about: { table: 'named', column: 'word' },
      });
      expect(await failed('select 1/0')).not.toHaveProperty('about');
    });

    test('is one transaction: a failure in the last statement undoes the first', async () => {
      await db().script('drop table if exists one_tx; create table one_tx (id int)');
      expect(await failure(driver(), [sql('insert into one_tx values (1)'), sql('select 1/0')])).toMatchObject({
        sqlstate: '22012',
      });
      expect(await cells(driver(), [sql('select count(*) from one_tx')])).toEqual([[['0']]]);
      await cells(driver(), [sql('insert into one_tx values (1)'), sql('insert into one_tx values (2)')]);
      expect(await cells(driver(), [sql('select count(*) from one_tx')])).toEqual([[['2']]]);
    });

    test('that fails only when it commits says so', async () => {
      await db().script(`drop table if exists late; create table late (id int unique deferrable initially deferred)`);
      const batch = [sql('insert into late values (1), (1)'), sql('select 1')];
      expect(await failure(driver(), batch)).toMatchObject({ kind: 'sql', sqlstate: '23505', statement: 2 });
    });

    test('prepares named statements once and mends them when a table changes under them', async () => {
      await db().script('drop table if exists shape; create table shape (a int); insert into shape values (1)');
      const named: Statement = { text: 'select * from shape', params: [], name: 'shape' };
      expect(await cells(driver(), [named])).toEqual([[['1']]]);
      await db().script('alter table shape add b int default 2');
      expect(await cells(driver(), [named])).toEqual([[['1', '2']]]);
      expect(await cells(driver(), [sql('deallocate all')])).toEqual([[]]);
      expect(await cells(driver(), [named])).toEqual([[['1', '2']]]);
    });

    test('may use one name for another text', async () => {
      expect(await cells(driver(), [{ text: 'select 1', params: [], name: 'n' }])).toEqual([[['1']]]);
      expect(await cells(driver(), [{ text: 'select 2', params: [], name: 'n' }])).toEqual([[['2']]]);
    });

    lengthy('carries megabytes both ways', async () => {
      const big = 'x'.repeat(5_000_000);
      expect(await cells(driver(), [sql('select length($1::text), repeat($2, 5000000)', big, 'y')])).toEqual([
        [['5000000', 'y'.repeat(5_000_000)]],
      ]);
    });

    test.each<[string, string]>([
      ['a zero in the text', "select 'a\0b'"],
      ['only a zero', '\0'],
    ])('with %s is refused, not cut off', async (_, text) => {
      expect(await failure(driver(), [sql(text)])).toMatchObject({ kind: 'sql', sqlstate: '22021' });
      expect(await cells(driver(), [sql('select 1')])).toEqual([[['1']]]);
    });

    test.each<[string, string, string]>([
      ['thousands of open brackets', `select ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, '5400[01]|42601|53200'],
      ['an endless sum', `select ${'1+'.repeat(60_000)}1`, '54001|53200'],
      ['a function that calls itself for ever', 'select endless(1)', '54001'],
      ['a COPY nobody feeds', 'copy one_tx from stdin', '57014'],
    ])('with %s fails and hurts nobody after it', async (_, text, sqlstate) => {
      await db().script(`create table if not exists one_tx (id int);
        create or replace function endless(i int) returns int language plpgsql as 'begin return endless(i + 1); end'`);
      expect(await failure(driver(), [sql(text)])).toMatchObject({
        kind: 'sql',
        sqlstate: expect.stringMatching(new RegExp(`^(${sqlstate})$`)),
      });
      expect(await cells(driver(), [sql('select 1')])).toEqual([[['1']]]);
    });

    lengthy('after many errors finds the engine as it was', async () => {
      for (let i = 0; i < 2000; i++) await failure(driver(), [sql('select 1/0')]);
      expect(await cells(driver(), [sql('select 1')])).toEqual([[['1']]]);
    });
  });

  const lengthyPart = isBrief ? () => {} : describe;
  lengthyPart('what a batch sets for itself', () => {
    const me = sql("select current_user, current_setting('request.x', true), current_setting('search_path')");
    const become = (role: string, x: string): Statement =>
      sql(
        "select set_config('role', $1, true), set_config('request.x', $2, true), set_config('search_path', $3, true)",
        role,
        x,
        `path_${x}`,
      );

    lengthy(
      'is seen by its own statements and by nobody after it, whether it succeeds, fails or is a mistake',
      async () => {
        await db().script(roles(['contract_a', 'contract_b', 'contract_c']));
        const [superuser, , path] = (await cells(driver(), [me]))[0]?.[0] ?? [];
        const names = ['contract_a', 'contract_b', 'contract_c'];
        const checks: Promise<void>[] = [];
        for (let i = 0; i < 3000; i++) {
          // The line for the one session of the embedded engine has a bound.
          if (checks.length === 600) await Promise.all(checks.splice(0));
          const role = names[i % names.length] ?? '';
          const scope = become(role, String(i));
          switch (i % 6) {
            case 0:
            case 1:
              checks.push(
                cells(driver(), [scope, me]).then((seen) => expect(seen[1]).toEqual([[role, String(i), `path_${i}`]])),
              );
              break;
            case 2:
              checks.push(
                failure(driver(), [scope, sql('select 1/0'), me]).then((e) =>
                  expect(e).toMatchObject({ sqlstate: '22012' }),
                ),
              );
              break;
            case 3:
              checks.push(
                failure(driver(), [scope, sql('select', 'too many')]).then((e) =>
                  expect(e).toMatchObject({ kind: 'sql' }),
                ),
              );
              break;
            case 4:
              // Outside any scope: the session as it was made.
              checks.push(
                cells(driver(), [me]).then((seen) =>
                  expect([seen[0]?.[0]?.[0], seen[0]?.[0]?.[2]]).toEqual([superuser, path]),
                ),
              );
              break;
            default:
              checks.push(
                driver()
                  .hold(async (session) => {
                    await session.execute([sql('begin'), scope]);
                    const seen = await session.execute([me]);
                    expect(seen.ok && seen.value[0]?.rows[0]?.[0]?.toString()).toBe(role);
                    if (i % 12 === 5) throw new Error('a bug');
                  })
                  .then(
                    () => expect(i % 12).not.toBe(5),
                    (error: unknown) => expect(error).toEqual(new Error('a bug')),
                  ),
              );
          }
        }
        await Promise.all(checks);
        const after = await cells(driver(), [me]);
        expect([after[0]?.[0]?.[0], after[0]?.[0]?.[2]]).toEqual([superuser, path]);
        expect(after[0]?.[0]?.[1] ?? '').toBe('');
      },
    );
  });

  describe('a held session', () => {
    test('looks at rows before it commits', async () => {
      await db().script('drop table if exists held; create table held (id int)');
      const held = await driver().hold(async (session) => {
        await session.execute([sql('begin'), sql('insert into held values (1)')]);
        const seen = await session.execute([sql('select count(*) from held')]);
        await session.execute([sql('commit')]);
        return seen.ok ? seen.value[0]?.rows[0]?.[0]?.toString() : undefined;
      });
      expect(held).toEqual({ ok: true, value: '1' });
      expect(await cells(driver(), [sql('select count(*) from held')])).toEqual([[['1']]]);
    });

    test.each<[string, (db: TestDatabase) => Promise<unknown>]>([
      [
        'left open',
        ({ driver }) =>
          driver.hold((session) => session.execute([sql('begin'), sql('insert into left_open values (1)')])),
      ],
      [
        'thrown out of',
        ({ driver }) =>
          driver
            .hold(async (session) => {
              await session.execute([sql('begin'), sql('insert into left_open values (1)')]);
              throw new Error('bug');
            })
            .catch(() => undefined),
      ],
      [
        'left failed',
        ({ driver }) =>
          driver.hold((session) =>
            session.execute([sql('begin'), sql('insert into left_open values (1)'), sql('select 1/0')]),
          ),
      ],
      ['left open by a script', ({ driver }) => driver.script('begin; insert into left_open values (1)')],
      ['left open by a batch', ({ driver }) => driver.execute([sql('begin'), sql('insert into left_open values (1)')])],
    ])('rolls back a transaction %s', async (_, leave) => {
      await db().script('drop table if exists left_open; create table left_open (id int)');
      await leave(db());
      expect(await cells(driver(), [sql('select count(*) from left_open')])).toEqual([[['0']]]);
      expect((await driver().script('insert into left_open values (2)')).ok).toBe(true);
      expect(await cells(driver(), [sql('select count(*) from left_open')])).toEqual([[['1']]]);
    });

    test('refuses batches after its end', async () => {
      const kept: { execute?: (batch: Batch) => Promise<unknown> } = {};
      await driver().hold(async (session) => {
        kept.execute = session.execute;
      });
      await expect(kept.execute?.([sql('select 1')])).rejects.toThrow('the session has ended');
    });
  });

  describe('a script', () => {
    test('runs any number of statements, all or none', async () => {
      expect(
        await driver().script(
          'drop table if exists scripted; create table scripted (id int); insert into scripted values (1)',
        ),
      ).toEqual({
        ok: true,
        value: undefined,
      });
      const failed = await driver().script(
        'insert into scripted values (2); select 1/0; insert into scripted values (3)',
      );
      expect(failed.ok ? undefined : failed.error).toMatchObject({ kind: 'sql', sqlstate: '22012' });
      expect(await cells(driver(), [sql('select count(*) from scripted')])).toEqual([[['1']]]);
    });

    test('that is empty does nothing', async () => {
      expect((await driver().script('')).ok).toBe(true);
      expect((await driver().script(' -- nothing\n')).ok).toBe(true);
    });
  });

  describe('a signal', () => {
    test('that has fired already sends nothing', async () => {
      const aborted = AbortSignal.abort();
      expect(await driver().execute([sql('select 1')], { signal: aborted })).toEqual({
        ok: false,
        error: { kind: 'cancelled' },
      });
      expect(await driver().hold(async () => 1, { signal: aborted })).toEqual({
        ok: false,
        error: { kind: 'cancelled' },
      });
    });

    test('gives the session to whoever has had it least, where there is one for all', async () => {
      // Whoever uses the program's own driver over its socket is one caller to it.
      if (driver().can.overlap || isBrief) return;
      const ended: string[] = [];
      const ask = (name: string, caller: string, ms: number): Promise<unknown> =>
        driver()
          .execute([sql(`select pg_sleep(${ms / 1000})`)], { caller })
          .then(() => ended.push(name));
      const batches = [1, 2, 3].map((n) => ask(`slow ${n}`, 'slow', 100));
      batches.push(ask('quick', 'quick', 1));
      batches.push(
        driver()
          .execute([sql('select 1')], { isUrgent: true })
          .then(() => ended.push('urgent')),
      );
      await Promise.all(batches);
      expect(ended).toEqual(['slow 1', 'urgent', 'quick', 'slow 2', 'slow 3']);
    });

    test('takes a batch out of the queue', async () => {
      const { max } = driver().stats();
      const control = new AbortController();
      let open = (): void => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const holders = Array.from({ length: max }, () => driver().hold(() => gate));
      const queued = driver().execute([sql('select 1')], { signal: control.signal });
      const stays = driver().execute([sql('select 2')]);
      control.abort();
      expect(await queued).toEqual({ ok: false, error: { kind: 'cancelled' } });
      open();
      expect((await stays).ok).toBe(true);
      await Promise.all(holders);
    });
  });

  describe('COPY', () => {
    const line = (i: number): string => `${i}\trow ${i} ${'x'.repeat(80)}\n`;

    test('in takes what is fed, out gives it back', async () => {
      await db().script('drop table if exists copied; create table copied (id int, name text)');
      const copiedIn = await driver().copyIn([], 'copy copied from stdin', async (sink) => {
        for (let i = 0; i < 20_000; i += 100) {
          await sink.write(Buffer.from(Array.from({ length: 100 }, (_, j) => line(i + j)).join('')));
        }
      });
      expect(copiedIn).toEqual({ ok: true, value: 20_000 });
      let text = '';
      const copiedOut = await driver().copyOut(
        [],
        'copy (select * from copied order by id) to stdout',
        async (chunk) => {
          await Promise.resolve();
          text += chunk.toString();
        },
      );
      expect(copiedOut).toEqual({ ok: true, value: 20_000 });
      expect(text).toBe(Array.from({ length: 20_000 }, (_, i) => line(i)).join(''));
    });

    test('runs under the scope before it, which ends with it', async () => {
      await db().script(`${roles(['contract_copy'])}
        drop table if exists who_copied; create table who_copied (id int, who text default current_user);
        grant insert (id), select on who_copied to contract_copy`);
      const scope = sql("select set_config('role', 'contract_copy', true)");
      const copied = await driver().copyIn([scope], 'copy who_copied (id) from stdin', (sink) =>
        sink.write(Buffer.from('1\n')),
      );
      expect(copied).toEqual({ ok: true, value: 1 });
      expect(await cells(driver(), [sql("select who, current_user <> 'contract_copy' from who_copied")])).toEqual([
        [['contract_copy', 't']],
      ]);
      const refused = await driver().copyIn([scope], 'copy who_copied from stdin', (sink) =>
        sink.write(Buffer.from('1\tx\n')),
      );
      expect(refused.ok ? undefined : refused.error).toMatchObject({ sqlstate: '42501' });
    });

    test('of nothing copies nothing', async () => {
      await db().script('create table if not exists copied (id int, name text)');
      expect(await driver().copyIn([], 'copy copied from stdin', async () => {})).toEqual({ ok: true, value: 0 });
      expect(await driver().copyOut([], 'copy (select where false) to stdout', () => {})).toEqual({
        ok: true,
        value: 0,
      });
    });

    test.each<[string, string, string]>([
      ['bad data', 'copy copy_bad from stdin', '22P02'],
      ['no such table', 'copy nowhere from stdin', '42P01'],
      ['no COPY', 'select 1', '42601'],
      ['no SQL', 'cop', '42601'],
    ])('in fails whole on %s', async (_, copy, sqlstate) => {
      await db().script('drop table if exists copy_bad; create table copy_bad (id int)');
      const copied = await driver().copyIn([], copy, async (sink) => {
        for (let i = 0; i < 100; i++) await sink.write(Buffer.from(`${i < 50 ? i : 'not a number'}\n`));
      });
      expect(copied.ok ? undefined : copied.error).toMatchObject({ kind: 'sql', sqlstate });
      expect(await cells(driver(), [sql('select count(*) from copy_bad')])).toEqual([[['0']]]);
    });

    test('in whose source fails leaves nothing and throws what the source threw', async () => {
      await db().script('drop table if exists copy_source; create table copy_source (id int)');
      const copying = driver().copyIn([], 'copy copy_source from stdin', async (sink) => {
        await sink.write(Buffer.from('1\n2\n'));
        throw new Error('the upload broke off');
      });
      await expect(copying).rejects.toThrow('the upload broke off');
      expect(await cells(driver(), [sql('select count(*) from copy_source')])).toEqual([[['0']]]);
    });

    test('in is ended by its signal', async () => {
      await db().script('drop table if exists copy_source; create table copy_source (id int)');
      const control = new AbortController();
      const copied = await driver().copyIn(
        [],
        'copy copy_source from stdin',
        async (sink) => {
          await sink.write(Buffer.from('1\n'));
          control.abort();
          await new Promise(() => {});
        },
        { signal: control.signal },
      );
      expect(copied).toEqual({ ok: false, error: { kind: 'cancelled' } });
      expect(await cells(driver(), [sql('select count(*) from copy_source')])).toEqual([[['0']]]);
    });

    test('out whose reader fails throws what the reader threw', async () => {
      const copying = driver().copyOut(
        [],
        "copy (select repeat('x', 1000) from generate_series(1, 20000)) to stdout",
        async () => {
          throw new Error('the client went away');
        },
      );
      await expect(copying).rejects.toThrow('the client went away');
      expect(await cells(driver(), [sql('select 1')])).toEqual([[['1']]]);
    });

    test('out never runs two chunks at once', async () => {
      let running = 0;
      let most = 0;
      await driver().copyOut(
        [],
        "copy (select repeat('x', 1000) from generate_series(1, 5000)) to stdout",
        async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
        },
      );
      expect(most).toBe(1);
    });
  });

  describe('LISTEN', () => {
    test('hears what is notified on its channel, and nothing after it is closed', async () => {
      const events: ListenEvent[] = [];
      const waiting: (() => void)[] = [];
      const until = async (done: () => boolean): Promise<void> => {
        while (!done()) await new Promise<void>((resolve) => waiting.push(resolve));
      };
      const listener = driver().listen('Contract "channel"', (event) => {
        events.push(event);
        for (const wake of waiting.splice(0)) wake();
      });
      await until(() => events.length === 1);
      expect(events).toEqual([{ kind: 'listening' }]);
      await cells(driver(), [sql('select pg_notify($1, $2)', 'Contract "channel"', 'first')]);
      await cells(driver(), [sql('select pg_notify($1, $2)', 'another channel', 'unheard')]);
      expect(
        await failure(driver(), [sql('select pg_notify($1, $2)', 'Contract "channel"', 'undone'), sql('select 1/0')]),
      ).toMatchObject({
        sqlstate: '22012',
      });
      await cells(driver(), [sql('select pg_notify($1, $2)', 'Contract "channel"', 'second')]);
      await until(() => events.length === 3);
      expect(events.slice(1)).toEqual(
        ['first', 'second'].map((payload) => ({
          kind: 'notification',
          notification: { channel: 'Contract "channel"', payload },
        })),
      );
      await listener.close();
      await cells(driver(), [sql('select pg_notify($1, $2)', 'Contract "channel"', 'third')]);
      expect(events.length).toBe(3);
    });
  });

  test('a held session copies inside its transaction', async () => {
    const held = await driver().hold(async (session) => {
      await session.execute([
        sql('begin isolation level repeatable read'),
        sql('create table copied_here (n integer, t text)'),
      ]);
      const copied = await session.copyIn('copy copied_here from stdin', async (sink) => {
        for (let n = 0; n < 20_000; n += 1) await sink.write(Buffer.from(`${n}\ttext of row ${n}\n`));
      });
      const wrong = async (): Promise<unknown> =>
        session.copyIn('copy copied_here from stdin', async () => {
          throw new Error('no more');
        });
      let bytes = 0;
      const read = await session.copyOut('copy copied_here to stdout', (chunk) => {
        bytes += chunk.length;
      });
      const thrown = await wrong().catch((error: unknown) => String(error));
      await session.execute([sql('rollback')]);
      return { copied, read, bytes, thrown };
    });
    expect(held).toEqual({
      ok: true,
      value: {
        copied: { ok: true, value: 20_000 },
        read: { ok: true, value: 20_000 },
        bytes: 457_780,
        thrown: 'Error: no more',
      },
    });
    expect(await cells(driver(), [sql("select to_regclass('copied_here')")])).toEqual([[[null]]]);
  });
}

onEachEngine('a closed driver', {}, (db) => {
  test('answers what is under way, then refuses everything', async () => {
    const { driver } = db();
    await driver.execute([sql('select 1')]);
    const last = driver.execute([sql("select 'last'")]);
    const closing = driver.close();
    expect((await last).ok).toBe(true);
    await closing;
    const closed = { ok: false, error: { kind: 'closed' } };
    expect(await driver.execute([sql('select 1')])).toEqual(closed);
    expect(await driver.hold(async () => 1)).toEqual(closed);
    expect(await driver.script('select 1')).toEqual(closed);
    expect(await driver.copyIn([], 'copy x from stdin', async () => {})).toEqual(closed);
    await driver.close();
  });
});

function roles(names: readonly string[]): string {
  return names
    .map((name) => `do $$ begin create role ${name} nologin; exception when duplicate_object then null; end $$;`)
    .join('\n');
}
