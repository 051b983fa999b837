// The queue over pg-boss: its tables and statements are that library's, the loop that takes jobs is ours. The library's own
// loop does not wait until the end of a job is noted, cannot be told to hurry by another process, and cannot stop a handler.

import PgBoss from 'pg-boss';
import type { Driver } from '../pg/driver.ts';
import { makeBossDb } from './boss-db.ts';
import type { Job, JobData, JobHandler, Jobs, QueueOptions, SendOptions } from './jobs.ts';

export type JobsOptions = {
  readonly driver: Driver;
  /** Without a word from anyone a queue is looked at this often. */
  readonly pollMs?: number;
  /** The library's housekeeping: jobs that expired, old ones to be archived. */
  readonly maintenanceSeconds?: number;
  readonly onError?: (error: unknown) => void;
  /** An attempt at a job has ended. */
  readonly onEnd?: (queue: string, end: 'done' | 'failed', tookMs: number) => void;
  /** True: no further job is begun for now; those under way end. */
  readonly isPaused?: () => boolean;
};

const JOBS_SCHEMA = 'jobs';
/** The payload is the name of a queue. */
const JOBS_CHANNEL = 'survest_jobs';

const POLL_MS = 2000;
const MAINTENANCE_SECONDS = 60;
const STOP_DEADLINE_MS = 10_000;
/** The delays of a backoff double up to this: what was away for long is back for a minute at most before its jobs are tried. */
const MAX_RETRY_SECONDS = 60;
/** The end of a job is noted again and again this often, should the database be away. */
const NOTE_ATTEMPTS = 5;

/** Jobs that a worker takes. */
type Which = 'quick first' | 'quick alone' | 'by age';

type Taken = { readonly id: string; readonly data: unknown };

export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { driver, pollMs = POLL_MS, onError = () => {}, onEnd = () => {}, isPaused = () => false } = options;
  const db = makeBossDb(driver);
  const boss = new PgBoss({
    db,
    schema: JOBS_SCHEMA,
    migrate: false,
    schedule: false,
    supervise: true,
    maintenanceIntervalSeconds: options.maintenanceSeconds ?? MAINTENANCE_SECONDS,
  });
  boss.on('error', onError);
  await boss.start();

  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const timers: NodeJS.Timeout[] = [];
  /** Queues that are worked on here. */
  const working = new Set<string>();
  const sleepers = new Map<string, Set<() => void>>();
  /** How often each queue was woken: a call that comes between looking and lying down is not missed. */
  const calls = new Map<string, number>();
  const wake = (queue: string): void => {
    calls.set(queue, (calls.get(queue) ?? 0) + 1);
    for (const rouse of sleepers.get(queue) ?? []) rouse();
  };
  let wasLost = false;
  const listener = driver.listen(JOBS_CHANNEL, (event) => {
    if (event.kind === 'notification') wake(event.notification.payload);
    else if (event.kind === 'lost') wasLost = true;
    else {
      // Nobody knows what was said while the line was down.
      for (const queue of sleepers.keys()) wake(queue);
      if (wasLost) void hurry().catch(onError);
      wasLost = false;
    }
  });

  /** The database was away, and what failed for that is not to wait for its turn. */
  async function hurry(): Promise<void> {
    const queues = [...working];
    await db.executeSql(
      `update ${JOBS_SCHEMA}.job set start_after = now() where name = any ($1::text[]) and state = 'retry' and start_after > now()`,
      [queues],
    );
    for (const queue of queues) wake(queue);
  }

  /** Until somebody wakes the queue, or the time is up. */
  function sleep(queue: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const asleep = sleepers.get(queue) ?? new Set();
      sleepers.set(queue, asleep);
      const rise = (): void => {
        asleep.delete(rise);
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', rise);
        resolve();
      };
      const timer = setTimeout(rise, ms);
      asleep.add(rise);
      stopping.signal.addEventListener('abort', rise);
      if (stopping.signal.aborted) rise();
    });
  }

  async function note(queue: string, what: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await what();
        return;
      } catch (error) {
        onError(error);
        // The job is left as it is; it expires, and the handler finds its work done.
        if (attempt >= NOTE_ATTEMPTS || stopping.signal.aborted) return;
        await sleep(queue, attempt * 500);
      }
    }
  }

  /** The library's delays have no bound, and a job that is left because the program stops has nothing to wait for. */
  async function fail(queue: string, id: string, reason: { readonly message: string }): Promise<void> {
    await boss.fail(queue, id, reason);
    await db.executeSql(
      `update ${JOBS_SCHEMA}.job set start_after = least(start_after, now() + make_interval(secs => $3::double precision))
        where name = $1 and id = $2::uuid and state = 'retry'`,
      [queue, id, stopping.signal.aborted ? 0 : MAX_RETRY_SECONDS],
    );
  }

  async function runJob(queue: string, { id, data }: Taken, handler: JobHandler): Promise<void> {
    const job: Job = { id, data: (data ?? {}) as JobData, signal: stopping.signal };
    const began = performance.now();
    try {
      await handler(job);
      onEnd(queue, 'done', performance.now() - began);
    } catch (error) {
      onEnd(queue, 'failed', performance.now() - began);
      if (!stopping.signal.aborted) onError(error);
      const reason = { message: error instanceof Error ? error.message : String(error) };
      return note(queue, () => fail(queue, id, reason));
    }
    await note(queue, () => boss.complete(queue, id));
  }

  async function take(queue: string, which: Which): Promise<Taken | undefined> {
    if (which === 'quick alone') {
      const { rows } = await db.executeSql(
        `select 1 from ${JOBS_SCHEMA}.job where name = $1 and state < 'active' and start_after < now() and priority > 0 limit 1`,
        [queue],
      );
      if (rows.length === 0) return undefined;
    }
    // Another worker may take the quick job meanwhile: then this one has something else to do for once.
    const [taken] = await boss.fetch<unknown>(queue, { batchSize: 1, priority: which !== 'by age' });
    return taken;
  }

  async function loop(queue: string, which: Which, handler: JobHandler): Promise<void> {
    while (!stopping.signal.aborted) {
      if (isPaused()) {
        await sleep(queue, POLL_MS);
        continue;
      }
      const before = calls.get(queue);
      let taken: Taken | undefined;
      try {
        taken = await take(queue, which);
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
      }
      if (taken !== undefined) await runJob(queue, taken, handler);
      else if (calls.get(queue) === before) await sleep(queue, pollMs);
    }
  }

  async function ensureQueue(queue: string, wanted: Omit<QueueOptions, 'workers'>): Promise<void> {
    const settings = {
      name: queue,
      retryLimit: wanted.retryLimit,
      retryDelay: wanted.retryDelaySeconds,
      retryBackoff: wanted.retryBackoff ?? false,
      expireInSeconds: wanted.expireInSeconds,
    };
    await boss.createQueue(queue, settings);
    await boss.updateQueue(queue, settings);
  }

  async function send(queue: string, data: JobData, wanted: SendOptions = {}): Promise<string | undefined> {
    const id = await boss.send(queue, data, {
      ...(wanted.within === undefined ? {} : { db: makeBossDb(wanted.within) }),
      priority: wanted.isQuick === true ? 1 : 0,
      ...(wanted.oncePerSeconds === undefined ? {} : { singletonSeconds: wanted.oncePerSeconds }),
    });
    if (id === null) return undefined;
    const told = await (wanted.within ?? driver).execute([
      { text: 'select pg_catalog.pg_notify($1, $2)', params: [JOBS_CHANNEL, queue] },
    ]);
    // Not hearing of it costs the time until somebody looks.
    if (!told.ok) onError(told.error);
    return id;
  }

  return {
    ensureQueue,
    send,
    async work(queue, wanted, handler) {
      await ensureQueue(queue, wanted);
      working.add(queue);
      const { workers, quickWorkers = 0 } = wanted;
      for (let i = 0; i < workers; i += 1) {
        const which = quickWorkers === 0 ? 'quick first' : i < quickWorkers ? 'quick alone' : 'by age';
        loops.push(loop(queue, which, handler));
      }
    },
    every(queue, seconds) {
      const remind = (): void => {
        send(queue, {}, { oncePerSeconds: seconds }).catch(onError);
      };
      remind();
      timers.push(setInterval(remind, seconds * 1000).unref());
    },
    async giveBack(queue, data) {
      const having = async (states: string): Promise<string[]> => {
        const text = `select id::text from ${JOBS_SCHEMA}.job where name = $1 and state in (${states}) and data @> $2::jsonb`;
        const { rows } = await db.executeSql(text, [queue, data]);
        return rows.map(({ id }) => String(id));
      };
      const dead = await having(`'active'`);
      for (const id of dead) await fail(queue, id, { message: 'the worker died' });
      const waiting = await having(`'created', 'retry'`);
      wake(queue);
      return waiting.length;
    },
    async stop(deadlineMs = STOP_DEADLINE_MS) {
      if (stopping.signal.aborted) return;
      for (const timer of timers) clearInterval(timer);
      await listener.close();
      stopping.abort();
      let late: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => {
        late = setTimeout(resolve, deadlineMs);
      });
      await Promise.race([Promise.all(loops), deadline]);
      clearTimeout(late);
      await boss.stop({ graceful: false, wait: false });
    },
  };
}
