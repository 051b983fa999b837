import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Batch, BatchResult, DbError, Driver, Param } from '../driver.ts';
import { objects, textRows } from '../rows.ts';
import type { PostgresEvent } from './events.ts';
import { makePostgresDriver, type PostgresOptions } from './postgres-driver.ts';

type Watched = { readonly driver: Driver; readonly events: PostgresEvent[] };

function open(uri: string | undefined, options: Partial<PostgresOptions> = {}): Watched {
  const events: PostgresEvent[] = [];
  const driver = makePostgresDriver({ uri: uri ?? '', onEvent: (event) => events.push(event), ...options });
  onTestFinished(() => driver.close());
  return { driver, events };
}

function q(text: string, ...params: Param[]): Batch[number] {
  return { text, params };
}

function texts(result: BatchResult): (string | null)[][][] {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.map(textRows);
}

function problem(result: { ok: true } | { ok: false; error: DbError }): DbError | 'none' {
  return result.ok ? 'none' : result.error;
}

onEachEngine('the postgres driver', { engines: ['postgres'] }, (db) => {
  describe('a batch', () => {
    test('is one transaction that sees its own settings, and leaves none behind', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const set = q(`select set_config('app.who', $1, true)`, 'me');
      const read = q(`select coalesce(current_setting('app.who', true), '')`);
      expect(texts(await driver.execute([set, read]))[1]).toEqual([['me']]);
      expect(texts(await driver.execute([read]))).toEqual([[['']]]);
      expect(problem(await driver.execute([set, q('select 1/0')]))).toMatchObject({ sqlstate: '22012', statement: 1 });
      expect(texts(await driver.execute([read]))).toEqual([[['']]]);
    });

    test('that fails takes effect in no part', async () => {
      const { driver } = open(db().uri);
      await driver.script('create table part (id int primary key)');
      const failed = await driver.execute([
        q('insert into part values (1)'),
        q('insert into part values ($1)', 'x'),
        q('insert into part values (2)'),
      ]);
      expect(problem(failed)).toMatchObject({ kind: 'sql', sqlstate: '22P02', statement: 1 });
      expect(texts(await driver.execute([q('select count(*) from part')]))).toEqual([[['0']]]);
    });

    test('whose commit fails says so by a statement behind the last', async () => {
      const { driver } = open(db().uri);
      await driver.script(
        'create table late (id int primary key, up int references late deferrable initially deferred)',
      );
      const failed = await driver.execute([q('insert into late values (1, 9)'), q('select 1')]);
      expect(problem(failed)).toMatchObject({ sqlstate: '23503', statement: 2 });
    });

    test('of no statements is no trouble', async () => {
      const { driver } = open(db().uri);
      expect(await driver.execute([])).toEqual({ ok: true, value: [] });
    });

    test('brings descriptions where they were asked for', async () => {
      const { driver } = open(db().uri);
      const result = await driver.execute([
        { ...q(`select 1 as one, 'x'::text as two, null::jsonb as three`), describe: true },
        q('select 1'),
      ]);
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      const [described, plain] = result.value;
      expect(described && objects(described)).toEqual([{ one: 1, two: 'x', three: null }]);
      expect(plain).not.toHaveProperty('fields');
    });

    test('has no rows where they were to be ignored', async () => {
      const { driver } = open(db().uri);
      const result = await driver.execute([{ ...q('select generate_series(1, 3)'), ignoreRows: true }, q('select 4')]);
      expect(result).toMatchObject({
        ok: true,
        value: [{ rows: [], tag: 'SELECT 3' }, { rows: [[Buffer.from('4')]] }],
      });
    });

    test('that opens a transaction and leaves it open is rolled back', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.script('create table opened (id int)');
      await driver.execute([
        q('begin'),
        q(`select set_config('role', 'pg_monitor', true)`),
        q('insert into opened values (1)'),
      ]);
      expect(texts(await driver.execute([q('select current_user, (select count(*) from opened)')]))).toEqual([
        [['postgres', '0']],
      ]);
      expect(driver.stats()).toMatchObject({ max: 1, open: 1, idle: 1, waiting: 0 });
    });

    test('with COPY FROM STDIN in it fails and harms nobody', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.script('create table fed (id int)');
      const copy = q('copy fed from stdin');
      for (const batch of [[copy], [q('select 1'), copy], [copy, q('select 1')], [copy, copy]]) {
        const failed = problem(await driver.execute(batch));
        expect(failed).toMatchObject({ kind: 'sql' });
        // Each answer belongs to its own question: one Sync too many, and these would be out of step.
        expect(texts(await driver.execute([q('select 1')]))).toEqual([[['1']]]);
        expect(texts(await driver.execute([q('select 2')]))).toEqual([[['2']]]);
      }
      expect(problem(await driver.script('copy fed from stdin; select 1'))).toMatchObject({ sqlstate: '57014' });
      expect(texts(await driver.execute([q('select 3')]))).toEqual([[['3']]]);
      expect(driver.stats()).toMatchObject({ open: 1 });
    });

    test('with more parameters than the protocol can count is refused, and its connection goes on', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const tooMany = [q('select 1', ...new Array<Param>(65_536).fill(null))];
      for (const options of [{}, {}, { signal: new AbortController().signal }]) {
        await expect(driver.execute(tooMany, options)).rejects.toThrow(RangeError);
      }
      await expect(driver.hold((session) => session.execute(tooMany))).rejects.toThrow(RangeError);
      await expect(driver.copyIn(tooMany, 'copy x from stdin', async () => {})).rejects.toThrow(RangeError);
      expect(texts(await driver.execute([q('select 1')]))).toEqual([[['1']]]);
      expect(driver.stats()).toMatchObject({ open: 1, idle: 1 });
    });
  });

  describe('values', () => {
    test('of any kind come back as they went', async () => {
      const { driver } = open(db().uri);
      const value = fc.oneof(
        fc.constant(null),
        fc.constant(''),
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        fc.constantFrom('🙂👩‍👩‍👧', 'é', "'; drop table x; --", '\\', 'NULL', '{}', '\t\r\n', 'ß'.repeat(40_000)),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 8 }), fc.boolean(), async (values, asBytes) => {
          const columns = values.map((_, i) => `$${i + 1}::text`).join(', ');
          const params = asBytes ? values.map((text) => (text === null ? null : Buffer.from(text))) : values;
          const result = await driver.execute([{ text: `select ${columns}`, params, name: `echo ${values.length}` }]);
          expect(texts(result)).toEqual([[values]]);
        }),
        { numRuns: 100 },
      );
    });

    test('in binary are taken as binary', async () => {
      const { driver } = open(db().uri);
      const bytes = Buffer.from([0, 1, 2, 255, 0x5c]);
      const result = await driver.execute([q('select encode($1::bytea, $2)', { binary: bytes }, 'hex')]);
      expect(texts(result)).toEqual([[['000102ff5c']]]);
    });

    test.each([
      ['a parameter', q('select $1::text', 'a\0b')],
      ['a statement', q(`select 'a\0b'`)],
    ])('with a zero in %s are an error value', async (_name, statement) => {
      const { driver } = open(db().uri);
      expect(problem(await driver.execute([statement]))).toMatchObject({ kind: 'sql', sqlstate: '22021' });
      expect(texts(await driver.execute([q('select 1')]))).toEqual([[['1']]]);
    });

    test('of fifty megabytes pass in both directions', async () => {
      const { driver } = open(db().uri);
      const big = Buffer.alloc(50 * 1024 * 1024, 'x');
      const result = await driver.execute([q('select $1::text || $2', big, 'y')]);
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      const cell = result.value[0]?.rows[0]?.[0];
      expect(cell?.length).toBe(big.length + 1);
      expect(cell?.subarray(0, -1).equals(big)).toBe(true);
    });
  });

  describe('prepared statements', () => {
    const count = q('select count(*) from pg_prepared_statements');

    test('are prepared once per connection, whatever their name', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const names = ['a', 'b', `${'x'.repeat(80)}1`, `${'x'.repeat(80)}2`];
      for (let round = 0; round < 3; round++) {
        for (const [i, name] of names.entries()) {
          expect(texts(await driver.execute([{ text: `select ${i}`, params: [], name }]))).toEqual([[[String(i)]]]);
        }
      }
      expect(texts(await driver.execute([count]))).toEqual([[['4']]]);
    });

    test('are no more than the cache holds', async () => {
      const { driver } = open(db().uri, { poolSize: 1, statementCacheSize: 5 });
      for (let i = 0; i < 40; i++) {
        await driver.execute([{ text: `select ${i % 17}`, params: [], name: `s${i % 17}` }]);
        if (i % 10 === 9) await driver.execute([q('select 1/0')]);
      }
      await driver.execute([]);
      expect(texts(await driver.execute([count]))).toEqual([[['5']]]);
    });

    test('that failed to parse are parsed anew', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const later = { text: 'select * from later', params: [], name: 'later' };
      expect(problem(await driver.execute([later]))).toMatchObject({ sqlstate: '42P01' });
      await driver.script('create table later (id int)');
      expect(problem(await driver.execute([later]))).toBe('none');
    });

    test('standing behind a failed one are not taken for prepared', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const fine = { text: 'select 7', params: [], name: 'fine' };
      expect(problem(await driver.execute([q('select 1/0'), fine]))).toMatchObject({ sqlstate: '22012' });
      expect(texts(await driver.execute([fine]))).toEqual([[['7']]]);
    });

    test('whose columns changed are parsed anew without the caller noticing', async () => {
      const { driver, events } = open(db().uri, { poolSize: 1 });
      await driver.script('create table shifting (a int); insert into shifting values (1)');
      const all = { text: 'select * from shifting', params: [], name: 'all' };
      expect(texts(await driver.execute([all]))).toEqual([[['1']]]);
      await driver.script('alter table shifting add b int default 2');
      expect(texts(await driver.execute([q('select 5'), all]))).toEqual([[['5']], [['1', '2']]]);
      await driver.script('alter table shifting add c int default 3');
      const held = await driver.hold((session) => session.execute([q('begin'), all, q('commit')]));
      expect(held.ok && texts(held.value)[1]).toEqual([['1', '2', '3']]);
      expect(events.filter(({ kind }) => kind === 'retried')).toEqual([
        { kind: 'retried', why: 'plan-changed' },
        { kind: 'retried', why: 'plan-changed' },
      ]);
    });

    test('inside an open transaction cannot be sent again, but work the next time', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.script('create table moving (a int); insert into moving values (1)');
      const all = { text: 'select * from moving', params: [], name: 'all' };
      await driver.execute([all]);
      await driver.script('alter table moving add b int default 2');
      await driver.hold(async (session) => {
        await session.execute([q('begin')]);
        expect(problem(await session.execute([all]))).toMatchObject({ sqlstate: '0A000' });
        await session.execute([q('rollback'), q('begin')]);
        expect(texts(await session.execute([all]))).toEqual([[['1', '2']]]);
      });
    });

    test('that a batch sent again would repeat beyond its own commit are not sent again', async () => {
      const { driver, events } = open(db().uri, { poolSize: 1 });
      await driver.script('create table once (a int); create table turning (a int)');
      const all = { text: 'select * from turning', params: [], name: 'all' };
      await driver.execute([all]);
      await driver.script('alter table turning add b int');
      const batch = [q('begin'), q('insert into once values (1)'), q('commit'), all];
      expect(problem(await driver.execute(batch))).toMatchObject({ sqlstate: '0A000' });
      expect(texts(await driver.execute([q('select count(*) from once')]))).toEqual([[['1']]]);
      expect(events.some(({ kind }) => kind === 'retried')).toBe(false);
    });

    test('that somebody deallocated are prepared again; if it happens again, a pooler is suspected', async () => {
      const { driver, events } = open(db().uri, { poolSize: 1 });
      const seven = { text: 'select 7', params: [], name: 'seven' };
      await driver.execute([seven]);
      await driver.script('deallocate all');
      expect(texts(await driver.execute([seven]))).toEqual([[['7']]]);
      await driver.script('deallocate all');
      expect(problem(await driver.execute([seven]))).toMatchObject({ kind: 'unreachable', fatal: true });
      expect(events.map(({ kind }) => kind)).toContain('pooler-suspected');
      expect(texts(await driver.execute([seven]))).toEqual([[['7']]]);
    });
  });

  describe('hold', () => {
    test('keeps one connection through several batches', async () => {
      const { driver } = open(db().uri);
      const held = await driver.hold(async (session) => {
        const pid = q('select pg_backend_pid()');
        return [texts(await session.execute([pid])), texts(await session.execute([pid]))];
      });
      if (!held.ok) throw new Error('not held');
      expect(held.value[0]).toEqual(held.value[1]);
    });

    test('rolls back what was left open, also when the work throws', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.script('create table undone (id int)');
      const bug = new Error('a bug');
      const working = driver.hold(async (session) => {
        await session.execute([q('begin'), q(`set local role pg_monitor`), q('insert into undone values (1)')]);
        throw bug;
      });
      await expect(working).rejects.toBe(bug);
      await driver.hold((session) =>
        session.execute([q('begin'), q('insert into undone values (2)'), q('select 1/0')]),
      );
      const seen = await driver.execute([q('select current_user, (select count(*) from undone)')]);
      expect(texts(seen)).toEqual([[['postgres', '0']]]);
      expect(driver.stats()).toMatchObject({ open: 1, idle: 1 });
    });

    test('runs batches in the order asked for, and waits for those nobody waited for', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.script('create table ordered (id serial, what text)');
      await driver.hold(async (session) => {
        for (const what of ['a', 'b', 'c']) void session.execute([q('insert into ordered (what) values ($1)', what)]);
      });
      expect(texts(await driver.execute([q('select what from ordered order by id')]))).toEqual([[['a'], ['b'], ['c']]]);
    });

    test('lends no longer than it lasts', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const held = await driver.hold(async (session) => session);
      if (!held.ok) throw new Error('not held');
      await expect(held.value.execute([q('select 1')])).rejects.toThrow('ended');
    });

    test('whose connection dies says so to every batch after it, and the driver goes on', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const held = await driver.hold(async (session) => {
        const first = await session.execute([q('begin'), q('select pg_terminate_backend(pg_backend_pid())')]);
        return [problem(first), problem(await session.execute([q('select 1')]))];
      });
      expect(held).toMatchObject({ ok: true, value: [{ sqlstate: '57P01' }, { sqlstate: '57P01' }] });
      expect(texts(await driver.execute([q('select 1')]))).toEqual([[['1']]]);
    });
  });

  describe('script', () => {
    test('runs several statements as one transaction', async () => {
      const { driver } = open(db().uri);
      expect(await driver.script('create table scripted (id int); insert into scripted values (1)')).toEqual({
        ok: true,
        value: undefined,
      });
      expect(problem(await driver.script('insert into scripted values (2); select 1/0'))).toMatchObject({
        sqlstate: '22012',
      });
      expect(texts(await driver.execute([q('select id from scripted')]))).toEqual([[['1']]]);
    });

    test('that leaves a transaction open is rolled back', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.script('begin; create table never (id int)');
      expect(texts(await driver.execute([q(`select to_regclass('never')`)]))).toEqual([[[null]]]);
    });

    test('with a zero in it is refused, not cut short', async () => {
      const { driver } = open(db().uri);
      expect(problem(await driver.script('create table cut (id int);\0 select 1'))).toMatchObject({
        sqlstate: '22021',
      });
      expect(texts(await driver.execute([q(`select to_regclass('cut')`)]))).toEqual([[[null]]]);
    });
  });

  test('a connection string that makes no sense cannot be reached, now or later', async () => {
    const { driver } = open('host=h nonsense=1');
    expect(problem(await driver.execute([q('select 1')]))).toMatchObject({ kind: 'unreachable', fatal: true });
  });

  test('the application is named to the server', async () => {
    const { driver } = open(db().uri, { applicationName: 'Survest test' });
    expect(texts(await driver.execute([q('show application_name')]))).toEqual([[['Survest test']]]);
  });
});
