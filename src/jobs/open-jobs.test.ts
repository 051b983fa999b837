import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/testkit/database.ts';
import type { Jobs, QueueOptions } from './jobs.ts';
import { openJobs } from './open-jobs.ts';

const file = (name: string): string => fileURLToPath(new URL(`../portal/schema/${name}`, import.meta.url));
const QUICK: QueueOptions = { workers: 1, retryLimit: 2, retryDelaySeconds: 0, expireInSeconds: 60 };

const FIXTURES = [file('roles.sql'), file('jobs/tables.sql'), file('jobs/rows.sql')];

onEachEngine('the queue', { fixtures: FIXTURES }, (db) => {
  const opened: Jobs[] = [];
  const errors: unknown[] = [];
  const open = async (): Promise<Jobs> => {
    // Long: what is tested here must not depend on looking again and again.
    const jobs = await openJobs({ driver: db().driver, pollMs: 600_000, onError: (error) => errors.push(error) });
    opened.push(jobs);
    return jobs;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((jobs) => jobs.stop()));
    errors.length = 0;
  });

  test('a job sent by one copy is done by another, at once', async () => {
    const [one, other] = [await open(), await open()];
    const done = latch<unknown>();
    await other.work('a', QUICK, async ({ data }) => done.resolve(data));
    await one.send('a', { upload: 7, name: 'ü"\\' });
    expect(await done.promise).toEqual({ upload: 7, name: 'ü"\\' });
  });

  test('a job in a transaction is there when that is committed, and only then', async () => {
    const jobs = await open();
    const seen: unknown[] = [];
    const last = latch<void>();
    await jobs.work('b', QUICK, async ({ data }) => {
      seen.push(data['n']);
      if (data['n'] === 2) last.resolve();
    });
    for (const [n, end] of [
      [1, 'rollback'],
      [2, 'commit'],
    ] as const) {
      await db().driver.hold(async (session) => {
        await session.execute([{ text: 'begin', params: [] }]);
        await jobs.send('b', { n }, { within: session });
        await session.execute([{ text: end, params: [] }]);
      });
    }
    await last.promise;
    expect(seen).toEqual([2]);
  });

  test('a job that fails is tried again, up to its limit', async () => {
    const jobs = await open();
    let tries = 0;
    const third = latch<void>();
    await jobs.work('c', QUICK, async () => {
      tries += 1;
      if (tries === 3) third.resolve();
      throw new Error('not yet');
    });
    await jobs.send('c', {});
    await third.promise;
    await jobs.stop();
    expect(await db().query(`select state::text, retry_count from jobs.job where name = 'c'`)).toEqual([
      { state: 'failed', retry_count: 2 },
    ]);
    expect(tries).toBe(3);
  });

  test('quick jobs overtake others that were sent before, and those do not wait for ever', async () => {
    const jobs = await open();
    const ended: unknown[] = [];
    const long = latch<void>();
    const lastQuick = latch<void>();
    const last = latch<void>();
    await jobs.ensureQueue('quick', QUICK);
    for (const [n, isQuick] of [[1], [2], [3, true], [4, true]] as const)
      await jobs.send('quick', { n }, { isQuick: isQuick === true });
    await jobs.work('quick', { ...QUICK, workers: 2, quickWorkers: 1 }, async ({ data: { n } }) => {
      if (n === 1) await long.promise;
      ended.push(n);
      if (n === 4) lastQuick.resolve();
      if (n === 2) last.resolve();
    });
    await lastQuick.promise;
    expect(ended).toEqual([3, 4]);
    long.resolve();
    await last.promise;
    expect(ended).toEqual([3, 4, 1, 2]);
  });

  test('one worker takes quick jobs first', async () => {
    const jobs = await open();
    const ended: unknown[] = [];
    const last = latch<void>();
    await jobs.ensureQueue('one', QUICK);
    for (const [n, isQuick] of [[1], [2, true]] as const) await jobs.send('one', { n }, { isQuick: isQuick === true });
    await jobs.work('one', QUICK, async ({ data: { n } }) => {
      ended.push(n);
      if (n === 1) last.resolve();
    });
    await last.promise;
    expect(ended).toEqual([2, 1]);
  });

  test('several workers take different jobs', async () => {
    const jobs = await open();
    const taken = new Set<unknown>();
    const both = latch<void>();
    // Neither ends before both have begun.
    await jobs.work('d', { ...QUICK, workers: 2 }, async ({ data }) => {
      taken.add(data['n']);
      if (taken.size === 2) both.resolve();
      await both.promise;
    });
    await jobs.send('d', { n: 1 });
    await jobs.send('d', { n: 2 });
    await both.promise;
    expect([...taken].sort()).toEqual([1, 2]);
  });

  test('stopping aborts what is running, and leaves it to be tried again', async () => {
    const jobs = await open();
    const running = latch<void>();
    await jobs.work('e', QUICK, async ({ signal }) => {
      running.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    await jobs.send('e', {});
    await running.promise;
    await jobs.stop();
    expect(await db().query(`select state::text from jobs.job where name = 'e'`)).toEqual([{ state: 'retry' }]);
    expect(errors).toEqual([]);
  });

  test('a job given back is done by the next who is free', async () => {
    const [dead, alive] = [await open(), await open()];
    await dead.ensureQueue('f', QUICK);
    await dead.send('f', { n: 1 });
    await dead.send('f', { n: 2 });
    // As a worker that took it and died.
    const [job] = await db().query<{ id: string }>(
      `update jobs.job set state = 'active', started_on = now() where name = 'f' and data ->> 'n' = '1' returning id::text`,
    );
    const done = latch<string>();
    expect(await alive.giveBack('f', { n: 3 })).toBe(0);
    expect(await alive.giveBack('f', { n: 2 })).toBe(1);
    expect(await alive.giveBack('f', { n: 1 })).toBe(1);
    await alive.work('f', QUICK, async ({ id, data }) => {
      if (data['n'] === 1) done.resolve(id);
    });
    expect(await done.promise).toBe(job?.id);
  });

  test('however often a job has failed, it is tried again within a minute', async () => {
    const jobs = await open();
    await jobs.ensureQueue('h', { ...QUICK, retryLimit: 20, retryDelaySeconds: 1, retryBackoff: true });
    await jobs.send('h', {});
    await db().query(`update jobs.job set retry_count = 12 where name = 'h'`);
    const failed = latch<void>();
    await jobs.work('h', { ...QUICK, retryLimit: 20, retryDelaySeconds: 1, retryBackoff: true }, async () => {
      failed.resolve();
      throw new Error('not yet');
    });
    await failed.promise;
    await untilSome(
      `select 1 from jobs.job where name = 'h' and state = 'retry' and start_after < now() + interval '61 s'`,
    );
  });

  test('a job that is left because the program stops waits for nothing', async () => {
    const jobs = await open();
    const running = latch<void>();
    await jobs.work('i', { ...QUICK, retryDelaySeconds: 30 }, async ({ signal }) => {
      running.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    await jobs.send('i', {});
    await running.promise;
    await jobs.stop();
    expect(await db().query(`select state::text, start_after <= now() as due from jobs.job where name = 'i'`)).toEqual([
      { state: 'retry', due: true },
    ]);
  });

  /** Until the statement finds something: what a loop notes after a handler's end takes its own time. */
  async function untilSome(statement: string): Promise<void> {
    while ((await db().query(statement)).length === 0);
  }

  test('what is sent every so often is sent once, whoever sends it', async () => {
    const [one, other] = [await open(), await open()];
    await one.ensureQueue('g', QUICK);
    expect(await one.send('g', {}, { oncePerSeconds: 3600 })).toEqual(expect.any(String));
    expect(await other.send('g', {}, { oncePerSeconds: 3600 })).toBeUndefined();
  });
});

onEachEngine('the queue of a server', { fixtures: FIXTURES, engines: ['postgres'] }, (db) => {
  test('that was away has the jobs tried at once that failed meanwhile', async () => {
    const jobs = await openJobs({ driver: db().driver, pollMs: 600_000 });
    const [first, second] = [latch<void>(), latch<void>()];
    let tries = 0;
    await jobs.work('j', { ...QUICK, retryDelaySeconds: 50 }, async () => {
      tries += 1;
      if (tries === 2) return second.resolve();
      first.resolve();
      throw new Error('the server goes away');
    });
    await jobs.send('j', {});
    await first.promise;
    while ((await db().query(`select 1 from jobs.job where name = 'j' and state = 'retry'`)).length === 0);
    // The connection on which the queue listens: it is told when that is lost, and when there is another.
    await db().query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'`,
    );
    await second.promise;
    await jobs.stop();
  });
});

function latch<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
