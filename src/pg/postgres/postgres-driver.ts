// The driver for a PostgreSQL server reached by socket: connection string → Driver.
//
// Every way to use a connection goes through `lend`, which gives it back only when it is outside any transaction; what
// cannot be brought there is closed. So nothing a caller sets for itself is ever seen by the next one.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Batch, BatchResult, CancelSignal, DbError, Driver, ExecuteOptions, Sharing } from '../driver.ts';
import { type DecodeOptions, type DecodePace, decode, IDENTITY } from '../replication/decode.ts';
import type { Connected } from '../session/connected.ts';
import type { Outcome } from '../session/connection.ts';
import { copyIn, copyOut } from '../session/copy.ts';
import {
  cancel,
  concludeBatch,
  isClean,
  POOLER,
  type RunContext,
  recoverStatements,
  toResult,
} from '../session/execute-batch.ts';
import { Pool } from '../session/pool.ts';
import { makeSession } from '../session/session.ts';
import { type Connector, makeConnector } from './connect.ts';
import { makeReplicationConnector } from './connect-replication.ts';
import { connectSettings, type Environment } from './connect-settings.ts';
import type { OnPostgresEvent } from './events.ts';
import { LISTEN_PACE, type ListenPace, listen } from './listen.ts';
import { Pipelines } from './pipelines.ts';
import { Processors } from './processors.ts';

export type PostgresOptions = {
  /** A URI or key=value string as libpq takes them; several hosts and `target_session_attrs` included. */
  readonly uri: string;
  /** The string as it is now, asked when no connection can be made with the one known; undefined: as before. */
  readonly rereadUri?: () => Promise<string | undefined>;
  /** Where libpq's PG… variables are looked up for what the string leaves out; usually `process.env`. */
  readonly env?: Environment;
  /** Shown by the server unless the string or PGAPPNAME names one. */
  readonly applicationName?: string;
  readonly poolSize?: number;
  readonly acquisitionTimeoutMs?: number;
  /** Connections unused for so long are closed. */
  readonly idleMs?: number;
  /** Connections older than this are closed when they come back. */
  readonly lifetimeMs?: number;
  /** Per host, unless the string says connect_timeout. */
  readonly connectTimeoutMs?: number;
  /** How many statements a connection keeps prepared; 0: none, whatever their names. */
  readonly statementCacheSize?: number;
  /** A batch to which the server says nothing for so long is given up, and its connection closed. Default: never. */
  readonly batchTimeoutMs?: number;
  /** lock_timeout of the connections, where whoever is in front of the server lets it be set. Default: as the server is set. */
  readonly lockTimeoutMs?: number;
  /** Batches that say they may share a connection do so; default: true. */
  readonly sharesConnections?: boolean;
  /** Shared connections to a server on this machine are no more than keep its processors busy; absent: yes. */
  readonly limitsToProcessors?: boolean;
  readonly listenPace?: ListenPace;
  /** For logical decoding, where it is another one: a role with REPLICATION, a way around a pooler. */
  readonly replicationUri?: string | undefined;
  readonly decodePace?: DecodePace;
  readonly onEvent?: OnPostgresEvent;
  /** Milliseconds, by which batches are judged quick or stuck. */
  readonly now?: () => number;
  /** What tells how many connections keep the processors of this machine busy. */
  readonly processors?: Processors;
};

const CLOSE_DEADLINE_MS = 5000;

function processorsFor({ processors, limitsToProcessors }: PostgresOptions): Processors {
  return processors ?? (limitsToProcessors === false ? new Processors(() => '') : new Processors());
}

export function makePostgresDriver(options: PostgresOptions): Driver {
  const onEvent = options.onEvent ?? (() => {});
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const connect = connectorFor(options, connectTimeoutMs, onEvent);
  const context: RunContext = { cancelTimeoutMs: connectTimeoutMs, onEvent };
  const pool = new Pool({
    max: options.poolSize ?? 10,
    acquisitionTimeoutMs: options.acquisitionTimeoutMs ?? 10_000,
    idleMs: options.idleMs ?? 30_000,
    lifetimeMs: options.lifetimeMs ?? 1_800_000,
    open: connect,
    onEvent,
  });
  const pipelines = new Pipelines(pool, options.now ?? (() => performance.now()), processorsFor(options));
  const listeners = new Set<{ close(): Promise<void> }>();

  async function lend<T>(
    { signal, onAcquired }: ExecuteOptions,
    use: (connected: Connected) => Promise<Result<T, DbError>>,
  ): Promise<Result<T, DbError>> {
    const acquired = await pool.acquire(signal);
    if (!acquired.ok) return acquired;
    const connected = acquired.value;
    // It may have fired since the connection became ours; from here on whoever uses it listens.
    if (signal?.aborted === true) {
      pool.give(connected);
      return err({ kind: 'cancelled' });
    }
    onAcquired?.();
    return returning(connected, () => use(connected));
  }

  async function returning<T>(
    connected: Connected,
    use: () => Promise<Result<T, DbError>>,
  ): Promise<Result<T, DbError>> {
    try {
      const result = await use();
      return !result.ok && result.error.kind === 'lost' && pool.isClosed ? err({ kind: 'closed' }) : result;
    } finally {
      if (connected.connection.status === 'I') pool.give(connected);
      else await takeBack(connected);
    }
  }

  /**
   * The batch everything else is measured by: one promise, and the connection is with the next in line before the answer
   * is looked at. Anything unusual takes the long way.
   */
  function execute(batch: Batch, { signal, onAcquired }: ExecuteOptions): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      pool.request(signal, (acquired) => {
        if (acquired.ok) {
          onAcquired?.();
          executeOn(acquired.value, batch, signal, resolve, reject);
        } else resolve(acquired);
      });
    });
  }

  function executeOn(
    connected: Connected,
    batch: Batch,
    signal: CancelSignal | undefined,
    resolve: (result: BatchResult | Promise<BatchResult>) => void,
    reject: (cause: unknown) => void,
  ): void {
    let cancelling: Promise<void> | undefined;
    const onAbort = (): void => {
      cancelling = cancel(connected, context);
    };
    const settle = (outcome: Outcome): void => {
      signal?.removeEventListener('abort', onAbort);
      const isPlain = outcome.kind === 'reply' && outcome.reply.failure === null && outcome.reply.status === 'I';
      if (isPlain && cancelling === undefined) {
        pool.give(connected);
        resolve(ok(outcome.reply.results));
        return;
      }
      const conclude = async (): Promise<BatchResult> => {
        // A cancel request still on its way would hit whoever has the connection next.
        await cancelling;
        return concludeBatch(connected, batch, outcome, true, signal, context);
      };
      resolve(returning(connected, conclude));
    };
    try {
      signal?.addEventListener('abort', onAbort, { once: true });
      connected.connection.start(batch, settle);
    } catch (error) {
      signal?.removeEventListener('abort', onAbort);
      pool.give(connected); // the batch could not be written, and nothing of it was sent
      reject(error);
    }
  }

  /** A batch that shares: behind others where that is quicker, else the first of a queue. */
  function executeShared(batch: Batch, sharing: Sharing, { signal, onAcquired }: ExecuteOptions): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      const follow = (connected: Connected): void => {
        onAcquired?.();
        let cancelling: Promise<void> | undefined;
        const onAbort = (): void => {
          if (pipelines.closeBehind(connected)) cancelling = cancel(connected, context);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        try {
          pipelines.execute(connected, batch, sharing, (outcome, isFree) => {
            signal?.removeEventListener('abort', onAbort);
            if (outcome.kind === 'reply' && outcome.reply.failure === null && cancelling === undefined) {
              if (isFree) giveBack(connected);
              resolve(ok(outcome.reply.results));
            } else if (isFree) {
              resolve(returning(connected, () => conclude(outcome, cancelling)));
            } else {
              resolve(concludeBeforeOthers(connected, batch, outcome, signal));
            }
          });
        } catch (error) {
          signal?.removeEventListener('abort', onAbort);
          if (!connected.connection.isBusy) pool.give(connected);
          reject(error);
        }

        async function conclude(outcome: Outcome, cancelled: Promise<void> | undefined): Promise<BatchResult> {
          // A cancel request still on its way would hit whoever has the connection next.
          await cancelled;
          return concludeBatch(connected, batch, outcome, true, signal, context);
        }
      };
      const request = (): void =>
        pool.request(
          signal,
          (acquired) => {
            if (acquired.ok) follow(acquired.value);
            else resolve(acquired);
          },
          (connected) => pipelines.mayJoin(connected, batch, sharing),
        );
      const shared = signal?.aborted === true ? undefined : pipelines.find(batch, sharing);
      if (shared === undefined) request();
      else if (shared !== 'line') follow(shared);
      else {
        const leave = pipelines.wait({
          batch,
          sharing,
          go(connected) {
            signal?.removeEventListener('abort', onAbort);
            if (connected === undefined) request();
            else follow(connected);
          },
        });
        const onAbort = (): void => {
          leave();
          resolve(err({ kind: 'cancelled' }));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      }
    });
  }

  /** As `concludeBatch`, where the connection goes on with others: what is repeated is repeated elsewhere. */
  async function concludeBeforeOthers(
    connected: Connected,
    batch: Batch,
    outcome: Outcome,
    signal: CancelSignal | undefined,
  ): Promise<BatchResult> {
    if (outcome.kind === 'lost' || outcome.reply.failure === null) return toResult(outcome, signal);
    const mended = recoverStatements(connected, batch, outcome.reply, context);
    if (mended === 'pooler') return err(POOLER);
    if (mended === null) return toResult(outcome, signal);
    onEvent({ kind: 'retried', why: mended });
    return execute(batch, signal === undefined ? {} : { signal });
  }

  function giveBack(connected: Connected): void {
    if (connected.connection.status === 'I') pool.give(connected);
    else void takeBack(connected);
  }

  async function takeBack(connected: Connected): Promise<void> {
    if (await isClean(connected)) pool.give(connected);
    else pool.discard(connected, 'the transaction left open could not be rolled back');
  }

  return {
    engine: 'postgres',
    can: { copy: true, overlap: true, share: true, encodeTiles: true },
    execute: (batch, executed) =>
      executed?.sharing === undefined || options.sharesConnections === false
        ? execute(batch, executed ?? {})
        : executeShared(batch, executed.sharing, executed),
    hold: (work, held = {}) =>
      lend(held, async (connected) => {
        const { signal } = held;
        const owned = makeSession(connected, signal, context);
        try {
          return ok(await work(owned.session));
        } finally {
          await owned.end();
        }
      }),
    copyIn: (before, copy, feed, { signal } = {}) =>
      lend(signal === undefined ? {} : { signal }, (connected) =>
        copyIn(connected, before, copy, feed, signal, context),
      ),
    copyOut: (before, copy, onChunk, { signal } = {}) =>
      lend(signal === undefined ? {} : { signal }, (connected) =>
        copyOut(connected, before, copy, onChunk, signal, context),
      ),
    script: (sql) =>
      lend({}, async (connected) => {
        const result = toResult(await connected.connection.script(sql), undefined);
        return result.ok ? ok(undefined) : result;
      }),
    listen: (channel, onListenEvent) => {
      const listener = listen(connect, channel, onListenEvent, options.listenPace ?? LISTEN_PACE);
      listeners.add(listener);
      return {
        close: async () => {
          listeners.delete(listener);
          await listener.close();
        },
      };
    },
    decode: (publication, onDecodeEvent) => {
      const { replicationUri, rereadUri } = options;
      const connectTo = (uri: string): DecodeOptions['connect'] =>
        makeReplicationConnector(uri, options.env ?? {}, options.applicationName, connectTimeoutMs);
      const decoding = decode({
        // Read again where it may have changed: it is not often that one is made.
        connect: async () => connectTo(replicationUri ?? (await rereadUri?.().catch(() => undefined)) ?? options.uri)(),
        identity: async () => {
          const executed = await execute([{ text: IDENTITY, params: [] }], {});
          return executed.ok ? executed.value[0]?.rows[0]?.[0]?.toString() : undefined;
        },
        publication,
        onEvent: onDecodeEvent,
        ...(options.decodePace === undefined ? {} : { pace: options.decodePace }),
      });
      listeners.add(decoding);
      return {
        close: async () => {
          listeners.delete(decoding);
          await decoding.close();
        },
      };
    },
    stats: () => {
      const stats = pool.stats();
      return { ...stats, waiting: stats.waiting + pipelines.waiting };
    },
    flushIdle: () => pool.flushIdle(),
    close: async (deadlineMs = CLOSE_DEADLINE_MS) => {
      await Promise.all([pool.close(deadlineMs), ...[...listeners].map((listener) => listener.close())]);
    },
  };
}

/**
 * A connection string that makes no sense is a server that cannot be reached, now or later. A refused or unreachable connection is
 * tried once more where the string has changed meanwhile.
 */
function connectorFor(options: PostgresOptions, connectTimeoutMs: number, onEvent: OnPostgresEvent): Connector {
  const { rereadUri } = options;
  let known = { uri: options.uri, connect: connectorTo(options.uri, options, connectTimeoutMs, onEvent) };
  return async (attrs) => {
    const tried = known;
    const connected = await tried.connect(attrs);
    if (connected.ok || rereadUri === undefined) return connected;
    const uri = await rereadUri().catch(() => undefined);
    if (uri === undefined || uri === tried.uri) return connected;
    // Another one may have been here before.
    if (uri !== known.uri) {
      known = { uri, connect: connectorTo(uri, options, connectTimeoutMs, onEvent) };
      onEvent({ kind: 'uri-changed' });
    }
    return known.connect(attrs);
  };
}

function connectorTo(
  uri: string,
  options: PostgresOptions,
  connectTimeoutMs: number,
  onEvent: OnPostgresEvent,
): Connector {
  const settings = connectSettings(uri, options.env ?? {}, options.applicationName);
  if (!settings.ok) {
    const { message } = settings.error;
    return async () => {
      onEvent({ kind: 'connect-failed', message, fatal: true });
      return err({ kind: 'unreachable', message, fatal: true });
    };
  }
  const { statementCacheSize = 256, batchTimeoutMs, lockTimeoutMs } = options;
  return makeConnector(
    settings.value,
    { connectTimeoutMs, statementCacheSize, batchTimeoutMs, lockTimeoutMs },
    onEvent,
  );
}
