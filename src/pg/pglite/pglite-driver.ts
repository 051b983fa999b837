// The driver for the embedded engine: a way to start it → Driver. One session, lent to one user at a time; callers take turns by the time they
// have had, so that nobody's heavy statements hold up the others for longer than one of them takes. Everything above the socket is shared with the
// driver for servers.
//
// What the engine cannot do: a statement that is running cannot be cancelled, and there is no statement_timeout. Whoever leaves, or takes
// too long, is given a moment; then the engine is ended under the statement and started again. What was committed is on disk, as after
// a crash; those who wait for their turn wait a little longer. Its session is always a superuser's: who may do what
// rests on the role that each batch sets for itself with set_config('role', …, true).

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Entry, makeSemaphore } from '../../kernel/semaphore.ts';
import type { CancelSignal, DbError, Driver, ExecuteOptions, Listener, Session, Statement } from '../driver.ts';
import type { Connected } from '../session/connected.ts';
import { Connection } from '../session/connection.ts';
import { copyIn, copyOut } from '../session/copy.ts';
import { executeBatch, isClean, type RunContext, toResult } from '../session/execute-batch.ts';
import { Pool } from '../session/pool.ts';
import { makeSession } from '../session/session.ts';
import { PreparedStatements } from '../wire/prepared-statements.ts';
import { EMBEDDED_CAPABILITIES } from './capabilities.ts';
import type { Engine } from './engine.ts';
import { EngineSocket } from './engine-socket.ts';
import type { Interruption, OnPgliteEvent } from './events.ts';
import { Listeners, quoteName } from './listeners.ts';

export type PgliteOptions = {
  /** Called for the first use, and again when the engine has died. */
  readonly start: () => Promise<Engine>;
  /** How long somebody waits while nobody else is served either. */
  readonly acquisitionTimeoutMs?: number;
  readonly maxWaiting?: number;
  /** How many statements are kept prepared; 0: none, whatever their names. */
  readonly statementCacheSize?: number;
  readonly onEvent?: OnPgliteEvent;
};

/** A page of a list takes some hundredths of a second: who is last waits less than a minute. */
const MAX_WAITING = 1000;
const CLOSE_DEADLINE_MS = 5000;
const FOREVER_MS = 2 ** 31 - 1; // the longest a timer can be set to
const RETRY_MS = 1000;
/** A statement whose caller has left has so long to end by itself: starting again takes seconds. */
const GRACE_MS = 2000;
/** Rows that nobody wants any more are quickly dropped, and most COPYs end sooner than the engine has started again. */
const COPY_GRACE_MS = 10_000;

// Nothing here hands a signal to what could send a cancel: an engine that is to stop is ended (`interrupt`).
const CANNOT_CANCEL: Connected['cancel'] = () =>
  Promise.resolve({ kind: 'not-sent', message: 'the embedded engine has nobody to ask' });

export function makePgliteDriver(options: PgliteOptions): Driver {
  const onEvent = options.onEvent ?? (() => {});
  const listeners = new Listeners();
  let engine: Engine | undefined;
  let ending: Promise<void> | undefined;

  const acquisitionTimeoutMs = options.acquisitionTimeoutMs ?? 10_000;
  const maxWaiting = options.maxWaiting ?? MAX_WAITING;
  const turns = makeSemaphore({ room: 1, maxWaiting, waitMs: acquisitionTimeoutMs, waitsWhileMoving: true });
  const waits = { count: 0, ms: 0 };
  let isClosing = false;
  /** Of the one session. Only whoever has the turn asks it. */
  const pool = new Pool({
    max: 1,
    acquisitionTimeoutMs,
    idleMs: FOREVER_MS,
    lifetimeMs: FOREVER_MS,
    open: connect,
    onEvent: (event) => {
      if (event.kind === 'pool-timeout') onEvent(event);
    },
  });
  const context: RunContext = {
    cancelTimeoutMs: 0,
    onEvent: (event) => {
      if (event.kind === 'retried') onEvent(event);
    },
  };

  async function connect(): Promise<Result<Connected, DbError>> {
    // Whoever was cut off in the midst of something leaves the engine there, and only its end brings it out.
    if (engine?.isAlive === true && !engine.isQuiet) await engine.kill();
    await ending;
    const isFresh = engine?.isAlive !== true;
    if (isFresh) {
      try {
        engine = await options.start();
        void engine.died.then(onDeath);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        onEvent({ kind: 'engine-start-failed', message });
        return err({ kind: 'unreachable', message, fatal: false });
      }
    }
    if (engine === undefined) throw new Error('no engine');
    const socket = new EngineSocket(engine);
    const prepared = new PreparedStatements(options.statementCacheSize ?? 256, `s${randomBytes(4).toString('hex')}_`);
    const connection = new Connection(socket, { prepared, batchTimeoutMs: undefined });
    connection.onNotification = (notification) => listeners.notify(notification);
    // As on a new connection to a server, nothing is left of whoever used the session before.
    const first = isFresh ? [] : ['rollback', 'discard all'];
    const channels = listeners.channels;
    for (const statement of [...first.map((text) => ({ text, params: [] })), ...channels.map(listenTo)]) {
      const done = toResult(await connection.execute([statement]), undefined);
      if (!done.ok) {
        connection.destroy('the session could not be made ready');
        return err({ kind: 'unreachable', message: 'the session could not be made ready', fatal: false });
      }
    }
    if (channels.length > 0) listeners.tellAll({ kind: 'listening' });
    return ok({ connection, cancel: CANNOT_CANCEL });
  }

  function onDeath(message: string): void {
    onEvent({ kind: 'engine-died', message });
    if (listeners.channels.length > 0) void revive(message);
  }

  /** Someone listens: it is started again without waiting for the next batch. */
  async function revive(why: string): Promise<void> {
    for (let message = why; !isClosing; ) {
      listeners.tellAll({ kind: 'lost', message, retryInMs: RETRY_MS });
      await delay(RETRY_MS, undefined, { ref: false });
      const revived = await lend(OWN, async () => ok(undefined));
      if (revived.ok) return;
      message = wordsOf(revived.error);
    }
  }

  async function lend<T>(
    { caller, isUrgent, signal }: ExecuteOptions,
    use: (connected: Connected) => Promise<Result<T, DbError>>,
  ): Promise<Result<T, DbError>> {
    if (isClosing) return CLOSED;
    const turn = await takeTurn({ caller: caller ?? OWN_WORK, isUrgent, signal });
    if (!turn.ok) return turn;
    try {
      return await lendInTurn(signal, use);
    } finally {
      turn.value();
    }
  }

  async function takeTurn(entry: Entry): Promise<Result<() => void, DbError>> {
    const since = performance.now();
    const isFree = turns.waiting === 0 && pool.busy === 0;
    const entered = await turns.enter(entry);
    if (!isFree) {
      waits.count += 1;
      waits.ms += performance.now() - since;
    }
    if (entered.ok) return entered;
    if (entered.error === 'cancelled') return CANCELLED;
    if (entered.error === 'full') return err({ kind: 'pool-full', waiting: turns.waiting });
    onEvent({ kind: 'pool-timeout', afterMs: acquisitionTimeoutMs, waiting: turns.waiting });
    return err({ kind: 'pool-timeout', afterMs: acquisitionTimeoutMs });
  }

  async function lendInTurn<T>(
    signal: CancelSignal | undefined,
    use: (connected: Connected) => Promise<Result<T, DbError>>,
  ): Promise<Result<T, DbError>> {
    let connected = pool.take();
    if (connected === undefined) {
      const acquired = await pool.acquire(signal);
      if (!acquired.ok) return acquired;
      connected = acquired.value;
    }
    // It may have fired since the turn came; from here on whoever uses the engine listens.
    if (signal?.aborted === true) {
      pool.give(connected);
      return CANCELLED;
    }
    try {
      const result = await use(connected);
      return !result.ok && result.error.kind === 'lost' && isClosing ? CLOSED : result;
    } finally {
      if (connected.connection.status === 'I' || (await isClean(connected))) pool.give(connected);
      else pool.discard(connected, 'the transaction left open could not be rolled back');
    }
  }

  /** Runs work on the engine, and ends the engine when the work does not end in time or nobody waits for it. */
  async function within<T>(
    { connection }: Connected,
    { signal, timeLimitMs }: ExecuteOptions,
    work: () => Promise<Result<T, DbError>>,
    graceMs = GRACE_MS,
  ): Promise<Result<T, DbError>> {
    if (engine?.isDurable !== true) return work();
    const running = engine;
    const start = performance.now();
    let why: Interruption | undefined;
    const interrupt = (reason: Interruption): void => {
      if (why !== undefined) return;
      why = reason;
      onEvent({ kind: 'engine-interrupted', why, afterMs: Math.round(performance.now() - start) });
      ending = running.kill();
      connection.destroy('the engine was ended');
      if (listeners.channels.length > 0) void revive('the embedded database was interrupted');
    };
    const timer = timeLimitMs === undefined ? undefined : setTimeout(interrupt, timeLimitMs, 'time');
    let grace: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      grace = setTimeout(interrupt, graceMs, 'left');
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await work();
      return why === undefined ? result : why === 'left' ? CANCELLED : TIMED_OUT;
    } finally {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** A script may SET for the session, and there is only this one. */
  async function resetSettings({ connection }: Connected): Promise<void> {
    if (await isClean({ connection })) await connection.execute([{ text: 'reset all', params: [] }]);
  }

  async function listenOn(channel: string, onListenEvent: OnListenEvent, isWanted: () => boolean): Promise<void> {
    while (isWanted() && !isClosing) {
      // Noted while the session is ours: a connection made before knows nothing of it, and one made later listens by itself.
      const listening = await lend(OWN, async (connected) => {
        if (!listeners.add(channel, onListenEvent)) return ok(undefined);
        const done = await executeBatch(connected, [listenTo(channel)], undefined, context);
        if (!done.ok) listeners.remove(channel, onListenEvent);
        return done.ok ? ok(undefined) : done;
      });
      if (listening.ok) return onListenEvent({ kind: 'listening' });
      if (isClosing) return;
      onListenEvent({ kind: 'lost', message: wordsOf(listening.error), retryInMs: RETRY_MS });
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }

  return {
    engine: 'pglite',
    can: EMBEDDED_CAPABILITIES,
    execute: (batch, options = {}) =>
      lend(options, (connected) => {
        options.onAcquired?.();
        return within(connected, options, () => executeBatch(connected, batch, undefined, context));
      }),
    hold: (work, options = {}) =>
      lend(options, (connected) =>
        within(connected, options, async () => {
          const { signal } = options;
          options.onAcquired?.();
          const owned = makeSession(connected, undefined, context);
          let hasScript = false;
          const session: Session = {
            execute: async (batch) => (signal?.aborted === true ? CANCELLED : owned.session.execute(batch)),
            script: async (sql) => {
              hasScript = true;
              return signal?.aborted === true ? CANCELLED : owned.session.script(sql);
            },
            copyIn: async (copy, feed) => (signal?.aborted === true ? CANCELLED : owned.session.copyIn(copy, feed)),
            copyOut: async (copy, onChunk) =>
              signal?.aborted === true
                ? CANCELLED
                : readToTheEnd(signal, onChunk, (take) => owned.session.copyOut(copy, take)),
            discard: (why) => owned.session.discard(why),
          };
          try {
            return ok(await work(session));
          } finally {
            await owned.end();
            if (hasScript) await resetSettings(connected);
          }
        }),
      ),
    copyIn: (before, copy, feed, options = {}) =>
      lend(options, async (connected) => {
        const { signal } = options;
        const aborted = abortion(signal);
        try {
          const feedUntilAborted = (sink: Parameters<typeof feed>[0]): Promise<void> =>
            Promise.race([feed(sink), aborted.promise]);
          return await copyIn(connected, before, copy, feedUntilAborted, undefined, context);
        } catch (error) {
          if (error instanceof Aborted) return CANCELLED;
          throw error;
        } finally {
          aborted.forget();
        }
      }),
    copyOut: (before, copy, onChunk, options = {}) =>
      lend(options, (connected) =>
        within(
          connected,
          options,
          () => {
            options.onAcquired?.();
            return readToTheEnd(options.signal, onChunk, (take) =>
              copyOut(connected, before, copy, take, undefined, context),
            );
          },
          COPY_GRACE_MS,
        ),
      ),
    script: (sql) =>
      lend(OWN, async (connected) => {
        const result = toResult(await connected.connection.script(sql), undefined);
        await resetSettings(connected);
        return result.ok ? ok(undefined) : result;
      }),
    listen: (channel, onListenEvent): Listener => {
      let isWanted = true;
      const tell: OnListenEvent = (event) => {
        if (isWanted) onListenEvent(event);
      };
      const listening = listenOn(channel, tell, () => isWanted);
      return {
        close: async () => {
          isWanted = false;
          await listening;
          if (!listeners.remove(channel, tell) || isClosing) return;
          const text = `unlisten ${quoteName(channel)}`;
          await lend(OWN, (connected) => executeBatch(connected, [{ text, params: [] }], undefined, context));
        },
      };
    },
    stats: () => ({ ...pool.stats(), waiting: turns.waiting, waits: waits.count, waitedMs: waits.ms }),
    flushIdle: () => pool.flushIdle(),
    close: async (deadlineMs = CLOSE_DEADLINE_MS) => {
      isClosing = true;
      // Whoever has the turn ends in peace; those who wait come after us, and find the pool closed.
      const begun = performance.now();
      const turn = turns.enter({ isUrgent: true });
      await Promise.race([turn, delay(deadlineMs, undefined, { ref: false })]);
      await pool.close(Math.max(0, deadlineMs - (performance.now() - begun)));
      void turn.then((entered) => entered.ok && entered.value());
      if (engine?.isAlive !== true) return;
      const orderly = engine.isQuiet;
      await (orderly ? engine.close() : engine.kill());
      onEvent({ kind: 'engine-closed', orderly });
    },
  };
}

/** The engine runs on whatever happens to the reader: what nobody wants is read and dropped. */
async function readToTheEnd<T>(
  signal: CancelSignal | undefined,
  onChunk: (chunk: Buffer) => Promise<void> | void,
  copy: (take: (chunk: Buffer) => Promise<void>) => Promise<Result<T, DbError>>,
): Promise<Result<T, DbError>> {
  let thrown: { readonly error: unknown } | undefined;
  const result = await copy(async (chunk) => {
    if (thrown !== undefined || signal?.aborted === true) return;
    try {
      await onChunk(chunk);
    } catch (error) {
      thrown = { error };
    }
  });
  if (thrown !== undefined) throw thrown.error;
  return signal?.aborted === true ? CANCELLED : result;
}

type OnListenEvent = Parameters<Driver['listen']>[1];

function listenTo(channel: string): Statement {
  return { text: `listen ${quoteName(channel)}`, params: [] };
}

function wordsOf(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}

const OWN: ExecuteOptions = {};
/** The caller of what the program does by itself. */
const OWN_WORK = '';

const CANCELLED = err({ kind: 'cancelled' } as const);
const CLOSED = err({ kind: 'closed' } as const);

/** In PostgreSQL's own words. */
const TIMED_OUT = err({
  kind: 'sql',
  sqlstate: '57014',
  message: 'canceling statement due to statement timeout',
  detail: null,
  hint: null,
  statement: 0,
} as const);

class Aborted extends Error {}

/** Rejects when the signal fires. */
function abortion(signal: CancelSignal | undefined): { readonly promise: Promise<never>; forget(): void } {
  let onAbort = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Aborted());
  });
  promise.catch(() => {});
  signal?.addEventListener('abort', onAbort, { once: true });
  return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}
