import { describe, expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Batch, BatchResult, CancelSignal, Driver, ExecuteOptions } from '../driver.ts';
import { textRows } from '../rows.ts';
import type { PostgresEvent } from './events.ts';
import { makePostgresDriver, type PostgresOptions } from './postgres-driver.ts';
import { Processors } from './processors.ts';

const SHARED: ExecuteOptions = { sharing: 'any' };
const ALIKE: ExecuteOptions = { sharing: 'same-statement' };

function open(
  uri: string | undefined,
  options: Partial<PostgresOptions> = {},
): { driver: Driver; events: PostgresEvent[] } {
  const events: PostgresEvent[] = [];
  const driver = makePostgresDriver({
    uri: uri ?? '',
    poolSize: 2,
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => driver.close());
  return { driver, events };
}

/** Says who asked, from a setting of its own transaction, and on which connection. */
function whoami(who: string): Batch {
  return [
    { name: 'scope', text: `select set_config('test.who', $1, true)`, params: [who], ignoreRows: true },
    { name: 'who', text: `select current_setting('test.who'), pg_backend_pid(), $1::text`, params: [who] },
  ];
}

function cells(result: BatchResult): readonly (string | null | undefined)[] {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const last = result.value.at(-1);
  return (last === undefined ? [] : textRows(last)).at(0) ?? [];
}

/** Makes the driver know how quick these are, on every connection. */
async function warm(driver: Driver, batch: Batch = whoami('warm'), options: ExecuteOptions = SHARED): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.all([driver.execute(batch, options), driver.execute(batch, options)]);
}

/** Waits for the lock where somebody holds it, and takes next to no time where nobody does. */
function turn(lock: number): Batch {
  return [{ name: 'turn', text: 'select pg_advisory_xact_lock_shared($1::bigint)', params: [String(lock)] }];
}

onEachEngine('pipelines', { engines: ['postgres'] }, (db) => {
  /** Opens so many connections, each with the statement of `turn` prepared: none can have two while all wait. */
  async function openAll(driver: Driver, connections: number): Promise<void> {
    await db().query('select pg_advisory_lock(4714)');
    const running = Array.from({ length: connections }, () => driver.execute(turn(4714)));
    await expect.poll(() => driver.stats().open, { timeout: 30_000 }).toBe(connections);
    await db().query('select pg_advisory_unlock(4714)');
    await Promise.all(running);
  }

  describe('quick batches on few connections', () => {
    test('each get their own answer and see only their own settings', async () => {
      const { driver } = open(db().uri);
      await warm(driver);
      const asked = Array.from({ length: 3000 }, (_, i) => `caller ${i}`);
      const answers = await Promise.all(asked.map((who) => driver.execute(whoami(who), SHARED)));
      for (const [i, who] of asked.entries()) {
        const answer = answers[i];
        if (answer === undefined) throw new Error('no answer');
        const [own, , echoed] = cells(answer);
        expect([own, echoed]).toEqual([who, who]);
      }
      expect(driver.stats().open).toBeLessThanOrEqual(2);
      expect(
        cells(await driver.execute([{ text: `select current_setting('test.who', true)`, params: [] }]))[0] ?? '',
      ).toBe('');
    });

    test('do not take each other along when one fails', async () => {
      const { driver } = open(db().uri);
      const divide = (by: number): Batch => [{ name: 'divide', text: 'select 10 / $1::int', params: [String(by)] }];
      await warm(driver, divide(2));
      const answers = await Promise.all(Array.from({ length: 400 }, (_, i) => driver.execute(divide(i % 5), SHARED)));
      for (const [i, answer] of answers.entries()) {
        if (i % 5 === 0) expect(answer).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '22012' } });
        else expect(cells(answer)[0]).toBe(String(Math.trunc(10 / (i % 5))));
      }
    });

    test.each([
      ['share one connection while they take next to no time', 0, 1],
      ['take a second one when they keep the first busy', 0.5, 2],
    ])('%s', async (_name, msPerLook, connections) => {
      let clock = 0;
      const { driver } = open(db().uri, {
        now: () => {
          clock += msPerLook;
          return clock;
        },
      });
      await warm(driver);
      expect(driver.stats().idle).toBe(2);
      const answers = await Promise.all(['a', 'b'].map((who) => driver.execute(whoami(who), SHARED)));
      expect(new Set(answers.map((answer) => cells(answer)[1])).size).toBe(connections);
    });

    test('that found the queue full are let in one for one, and not only once it is empty', async () => {
      const { driver } = open(db().uri, { poolSize: 1, now: () => 0 });
      await warm(driver, turn(1));
      await db().query('select pg_advisory_lock(4712)');
      try {
        const running = [1, 4712, ...Array.from({ length: 22 }, () => 1)].map((lock) =>
          driver.execute(turn(lock), SHARED),
        );
        const before = driver.stats().waiting;
        expect(before).toBe(8);
        await running[0];
        expect(driver.stats().waiting).toBe(before - 1);
        await db().query('select pg_advisory_unlock(4712)');
        expect((await Promise.all(running)).every(({ ok }) => ok)).toBe(true);
      } finally {
        await db().query('select pg_advisory_unlock_all()');
      }
    });

    test('use no more connections than keep the processors of this machine busy', async () => {
      const { driver } = open(db().uri, { poolSize: 8, now: () => 0, processors: busyPair() });
      await openAll(driver, 8);
      await warm(driver);
      const asked = Array.from({ length: 300 }, (_, i) => `caller ${i}`);
      const answers = await Promise.all(asked.map((who) => driver.execute(whoami(who), SHARED)));
      expect(answers.map((answer) => cells(answer)[0])).toEqual(asked);
      expect(new Set(answers.map((answer) => cells(answer)[1])).size).toBe(2);
      expect(driver.stats().waiting).toBe(0);
    });

    test('leave connections that are too many by now, though others stand in line', async () => {
      let most = 4;
      class Changing extends Processors {
        override most(): number {
          return most;
        }
      }
      const { driver } = open(db().uri, { poolSize: 8, now: () => 0, processors: new Changing() });
      await openAll(driver, 8);
      await warm(driver);
      const seen = new Set<unknown>();
      const later = new Map<unknown, number>();
      const running = Array.from({ length: 4000 }, async (_, i) => {
        const [, pid] = cells(await driver.execute(whoami(`caller ${i}`), SHARED));
        seen.add(pid);
        if (most === 2) later.set(pid, (later.get(pid) ?? 0) + 1);
        else if (seen.size === 4) most = 2;
      });
      await Promise.all(running);
      const [, , third = 0, fourth = 0, ...more] = [...later.values()].toSorted((a, b) => b - a);
      expect(more).toEqual([]);
      // No more than had been sent when there were four.
      expect(Math.max(third, fourth)).toBeLessThanOrEqual(16);
    });

    test('do not count those that proved slow: they keep nobody from another connection', async () => {
      let clock = 0;
      const { driver } = open(db().uri, { poolSize: 8, now: () => clock, processors: busyPair() });
      await openAll(driver, 8);
      await warm(driver, turn(1));
      await db().query('select pg_advisory_lock(4713)');
      try {
        const slow = [driver.execute(turn(4713), SHARED)];
        clock += 5;
        slow.push(driver.execute(turn(4713), SHARED));
        clock += 5;
        const quick = Array.from({ length: 4 }, () => driver.execute(turn(1), SHARED));
        expect(driver.stats().waiting).toBe(0);
        expect((await Promise.all(quick)).every(({ ok }) => ok)).toBe(true);
        await db().query('select pg_advisory_unlock(4713)');
        await Promise.all(slow);
      } finally {
        await db().query('select pg_advisory_unlock_all()');
      }
    });

    test('that stand in line behind something slow look elsewhere, and can leave before', async () => {
      let clock = 0;
      const { driver } = open(db().uri, { poolSize: 8, now: () => clock, processors: busyPair() });
      await openAll(driver, 8);
      await warm(driver, turn(1));
      await db().query('select pg_advisory_lock(4713)');
      try {
        // Sixteen in each of two queues, all behind somebody who waits for the lock.
        const stuck = [4713, ...Array.from({ length: 15 }, () => 1), 4713, ...Array.from({ length: 15 }, () => 1)].map(
          (lock) => driver.execute(turn(lock), SHARED),
        );
        const gone = new Leaving();
        const left = driver.execute(turn(1), { ...SHARED, signal: gone });
        const line = Array.from({ length: 20 }, () => driver.execute(turn(1), SHARED));
        expect(driver.stats().waiting).toBe(21);
        gone.leave();
        expect(await left).toEqual({ ok: false, error: { kind: 'cancelled' } });
        expect(driver.stats().waiting).toBe(20);
        clock += 20;
        expect((await Promise.all(line)).every(({ ok }) => ok)).toBe(true);
        await db().query('select pg_advisory_unlock(4713)');
        expect((await Promise.all(stuck)).every(({ ok }) => ok)).toBe(true);
      } finally {
        await db().query('select pg_advisory_unlock_all()');
      }
    });

    test('leave room for whoever does not share', async () => {
      const { driver } = open(db().uri);
      await warm(driver);
      let running = true;
      const reading = Array.from({ length: 32 }, async () => {
        while (running) await driver.execute(whoami('reader'), SHARED);
      });
      for (let i = 0; i < 20; i++) {
        const held = await driver.hold(async (session) => {
          await session.execute([{ text: 'begin', params: [] }]);
          const answer = await session.execute([{ text: 'select pg_backend_pid()', params: [] }]);
          await session.execute([{ text: 'commit', params: [] }]);
          return answer.ok;
        });
        expect(held).toEqual({ ok: true, value: true });
      }
      running = false;
      await Promise.all(reading);
    });

    test('are parsed anew, each, when their columns change under them', async () => {
      const { driver } = open(db().uri);
      const made = await driver.script('create table if not exists changing(a int); insert into changing values (1)');
      expect(made.ok).toBe(true);
      onTestFinished(() => void driver.script('drop table changing'));
      const all: Batch = [{ name: 'all', text: 'select * from changing', params: [] }];
      await warm(driver, all);
      await driver.script('alter table changing add column b int default 2');
      const answers = await Promise.all(Array.from({ length: 40 }, () => driver.execute(all, SHARED)));
      for (const answer of answers) expect(cells(answer)).toEqual(['1', '2']);
    });

    test('are prepared again, each, when somebody deallocated them', async () => {
      const { driver, events } = open(db().uri, { poolSize: 1 });
      await warm(driver);
      await driver.script('deallocate all');
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => driver.execute(whoami(`${i}`), SHARED)));
      expect(answers.map((answer) => cells(answer)[0])).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
      expect(events.filter(({ kind }) => kind === 'pooler-suspected')).toEqual([]);
    });

    test('are all told when their connection dies, and the next ones are served', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      const other = open(db().uri).driver;
      const wait: Batch = [{ name: 'wait', text: 'select pg_backend_pid(), pg_sleep($1::float)', params: ['0'] }];
      await warm(driver, wait);
      const pid = cells(await driver.execute(wait, SHARED))[0] ?? '';
      const long: Batch = [{ name: 'wait', text: 'select pg_backend_pid(), pg_sleep($1::float)', params: ['60'] }];
      const queue = [driver.execute(long, SHARED), ...Array.from({ length: 5 }, () => driver.execute(wait, SHARED))];
      await expect
        .poll(
          async () =>
            cells(
              await other.execute([
                { text: `select wait_event from pg_stat_activity where pid = $1::int`, params: [pid] },
              ]),
            )[0],
        )
        .toBe('PgSleep');
      await other.execute([{ text: 'select pg_terminate_backend($1::int)', params: [pid] }]);
      for (const answer of await Promise.all(queue)) expect(answer.ok).toBe(false);
      expect((await driver.execute(whoami('next'), SHARED)).ok).toBe(true);
    });

    test('that nobody waits for any more do not cancel those behind them', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await warm(driver);
      const gone = new Leaving();
      const first = driver.execute(whoami('first'), { ...SHARED, signal: gone });
      const others = Array.from({ length: 7 }, (_, i) => driver.execute(whoami(`${i}`), SHARED));
      gone.leave();
      await first;
      expect((await Promise.all(others)).map((answer) => cells(answer)[0])).toEqual([
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
        '6',
      ]);
    });
  });

  describe('batches that write', () => {
    test('are each done once, whatever fails before or behind them', async () => {
      const { driver } = open(db().uri);
      const made = await driver.script('create table counted(n int unique check (n % 7 <> 3))');
      expect(made.ok).toBe(true);
      onTestFinished(() => void driver.script('drop table counted'));
      const insert = (n: number): Batch => [
        { name: 'count', text: 'insert into counted values ($1::int)', params: [String(n)] },
      ];
      for (let i = 1; i <= 60; i++) await driver.execute(insert(-i * 7), ALIKE);
      const answers = await Promise.all(Array.from({ length: 700 }, (_, n) => driver.execute(insert(n), ALIKE)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(600);
      for (const [n, answer] of answers.entries()) {
        if (n % 7 === 3) expect(answer).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '23514' } });
      }
      const count = await driver.execute([{ text: 'select count(*) from counted where n >= 0', params: [] }]);
      expect(cells(count)[0]).toBe('600');
    });

    test('that wait for a lock keep nobody else waiting who does not want it', async () => {
      // By a clock that stands still all are quick, however busy this machine is, and each kind has one of the connections.
      const { driver } = open(db().uri, { poolSize: 4, now: () => 0 });
      const other = open(db().uri).driver;
      const made = await driver.script('create table locked(n int); create table free(n int)');
      expect(made.ok).toBe(true);
      onTestFinished(() => void driver.script('drop table locked, free'));
      const into = (table: string): Batch => [{ name: table, text: `insert into ${table} values (1)`, params: [] }];
      await warm(driver, into('locked'), ALIKE);
      await warm(driver, into('free'), ALIKE);
      // Ends with the statement of those that wait for nobody.
      const several: Batch = [...into('locked'), ...into('free'), ...into('free')];
      await warm(driver, several, ALIKE);
      await warm(driver);
      const held = await other.hold(async (session) => {
        await session.execute([{ text: 'begin', params: [] }]);
        await session.execute([{ text: 'lock table locked in exclusive mode', params: [] }]);
        const stuck = Array.from({ length: 8 }, (_, i) =>
          driver.execute(i % 2 === 0 ? into('locked') : several, ALIKE),
        );
        const others = await Promise.all(
          Array.from({ length: 40 }, (_, i) =>
            i % 2 === 0 ? driver.execute(into('free'), ALIKE) : driver.execute(whoami(`${i}`), SHARED),
          ),
        );
        await session.execute([{ text: 'rollback', params: [] }]);
        return { others, stuck: await Promise.all(stuck) };
      });
      if (!held.ok) throw new Error(JSON.stringify(held.error));
      expect([...held.value.others, ...held.value.stuck].filter(({ ok }) => !ok)).toEqual([]);
    });
  });

  test('a batch that proves slow has nobody put behind it, and is cancelled when nobody waits', async () => {
    let clock = 0;
    const { driver } = open(db().uri, { now: () => clock });
    const sleep = (seconds: string): Batch => [
      { name: 'sleep', text: 'select pg_sleep($1::float), 1', params: [seconds] },
    ];
    await warm(driver, sleep('0'));
    await warm(driver);
    const gone = new Leaving();
    const slow = driver.execute(sleep('600'), { ...SHARED, signal: gone });
    const late: Promise<BatchResult>[] = [];
    // The other connection is taken, too: whoever is not put behind the slow one waits for it.
    await driver.hold(async () => {
      clock += 5;
      for (let i = 0; i < 20; i++) late.push(driver.execute(whoami(`${i}`), SHARED));
    });
    for (const [i, answer] of (await Promise.all(late)).entries()) expect(cells(answer)[0]).toBe(`${i}`);
    gone.leave();
    expect(await slow).toEqual({ ok: false, error: { kind: 'cancelled' } });
  });
});

/** Two processors that are never idle. */
function busyPair(): Processors {
  return new Processors(() => 'cpu  1 0 0 1 0 0 0 0\n', 2);
}

class Leaving implements CancelSignal {
  aborted = false;
  #listener: (() => void) | undefined;
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }
  removeEventListener(): void {
    this.#listener = undefined;
  }
  leave(): void {
    this.aborted = true;
    this.#listener?.();
  }
}
