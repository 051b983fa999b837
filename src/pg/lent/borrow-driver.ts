// A driver over the socket of a program that has the embedded database open: every call is a connection of its own, and closing it is how
// a call is cancelled. It stands in line with that program's own requests.

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type {
  Batch,
  BatchResult,
  CancelSignal,
  CopySink,
  DbError,
  Driver,
  Listener,
  PoolStats,
  Session,
} from '../driver.ts';
import { EMBEDDED_CAPABILITIES } from '../pglite/capabilities.ts';
import { type Frames, makeFrames } from './frames.ts';
import { type Call, type Fed, type Opening, PROTOCOL, type Reply, type Step } from './messages.ts';

const RETRY_MS = 1000;
const CONNECT_ATTEMPTS = 1000;
const CONNECT_PACE_MS = 10;
const GONE = 'the program that has the database open has gone';
const UNKNOWN_STATS: PoolStats = { max: 1, open: 1, idle: 1, waiting: 0, waits: 0, waitedMs: 0 };

/** Undefined: nobody lends a database there. */
export async function borrowDriver(path: string): Promise<Result<Driver, { readonly message: string }> | undefined> {
  const found = await begin(path, { call: 'stats' }, undefined);
  if (!found.ok) return undefined;
  const said = await found.value.next();
  found.value.close();
  if (said?.reply === 'other-protocol') {
    return err({
      message: 'the program that has the database open is of another release: use the command of that one',
    });
  }
  return said?.reply === 'stats' ? ok(makeBorrowed(path)) : undefined;
}

function makeBorrowed(path: string): Driver {
  return {
    engine: 'pglite',
    can: EMBEDDED_CAPABILITIES,
    execute: (batch, { signal, timeLimitMs } = {}) =>
      once(path, { call: 'execute', batch: sendable(batch), timeLimitMs }, signal) as Promise<BatchResult>,
    script: async (sql) => asVoid(await once(path, { call: 'script', sql }, undefined)),
    copyOut: (before, copy, onChunk, { signal } = {}) =>
      calling(path, { call: 'copyOut', before: sendable(before), copy }, signal, (line) => readCopy(line, onChunk)),
    copyIn: (before, copy, feed, { signal } = {}) =>
      calling(path, { call: 'copyIn', before: sendable(before), copy }, signal, (line) => feedCopy(line, feed)),
    hold: <T>(work: (session: Session) => Promise<T>, { signal }: { readonly signal?: CancelSignal } = {}) =>
      calling(path, { call: 'hold' }, signal, async (line): Promise<Result<T, DbError>> => {
        const ready = await line.next();
        if (ready?.reply !== 'ready') return resultOf(ready, signal) as Result<never, DbError>;
        const { session, end } = makeSession(line, signal);
        try {
          return ok(await work(session));
        } finally {
          await end();
        }
      }),
    listen: (channel, onEvent): Listener => {
      const stopping = new AbortController();
      const listening = (async () => {
        while (!stopping.signal.aborted) {
          await calling(path, { call: 'listen', channel }, stopping.signal, async (line) => {
            for (let said = await line.next(); said?.reply === 'event'; said = await line.next()) onEvent(said.event);
            return ok(undefined);
          });
          if (stopping.signal.aborted) return;
          onEvent({ kind: 'lost', message: GONE, retryInMs: RETRY_MS });
          await delay(RETRY_MS, undefined, { ref: false });
        }
      })();
      return {
        close: async () => {
          stopping.abort();
          await listening;
        },
      };
    },
    stats: () => UNKNOWN_STATS,
    flushIdle: () => {},
    close: async () => {},
  };
}

type OwnedSession = { readonly session: Session; end(): Promise<void> };

function makeSession(line: Line, signal: CancelSignal | undefined): OwnedSession {
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: Step, run: () => Promise<Result<T, DbError>>): Promise<Result<T, DbError>> => {
    if (ended) return Promise.reject(new Error('the session has ended'));
    const mine = last.then(async (): Promise<Result<T, DbError>> => {
      if (signal?.aborted === true) return err({ kind: 'cancelled' });
      return (await line.send(step)) ? run() : lost(signal);
    });
    last = mine.catch(() => {});
    return mine;
  };
  const answered = async (): Promise<Result<unknown, DbError>> => resultOf(await line.next(), signal);
  const session: Session = {
    execute: (batch) => inTurn({ step: 'execute', batch: sendable(batch) }, answered) as Promise<BatchResult>,
    script: async (sql) => asVoid(await inTurn({ step: 'script', sql }, answered)),
    copyOut: (copy, onChunk) => inTurn({ step: 'copyOut', copy }, () => readCopy(line, onChunk)),
    copyIn: (copy, feed) => inTurn({ step: 'copyIn', copy }, () => feedCopy(line, feed)),
    discard: () => line.close(),
  };
  const end = async (): Promise<void> => {
    ended = true;
    await last;
  };
  return { session, end };
}

async function readCopy(
  line: Line,
  onChunk: (chunk: Buffer) => Promise<void> | void,
): Promise<Result<number, DbError>> {
  let thrown: { readonly error: unknown } | undefined;
  for (;;) {
    const said = await line.next();
    if (said?.reply !== 'chunk') {
      if (thrown !== undefined) throw thrown.error;
      return resultOf(said, undefined) as Result<number, DbError>;
    }
    if (thrown !== undefined) continue;
    try {
      await onChunk(Buffer.from(said.chunk.buffer, said.chunk.byteOffset, said.chunk.byteLength));
    } catch (error) {
      thrown = { error };
    }
  }
}

async function feedCopy(line: Line, feed: (sink: CopySink) => Promise<void>): Promise<Result<number, DbError>> {
  const ready = await line.next();
  if (ready?.reply !== 'ready') return resultOf(ready, undefined) as Result<never, DbError>;
  let thrown: { readonly error: unknown } | undefined;
  let fed: Fed = { fed: 'all' };
  try {
    const sink: CopySink = {
      write: async (chunk) => {
        if (!(await line.send({ fed: 'chunk', chunk }))) throw new Error(GONE);
      },
    };
    // A source that waits for something hears of no end by itself.
    await Promise.race([feed(sink), line.gone.then(() => Promise.reject(new Gone()))]);
  } catch (error) {
    thrown = { error };
    fed = { fed: 'failed' };
  }
  await line.send(fed);
  const result = resultOf(await line.next(), undefined) as Result<number, DbError>;
  if (thrown?.error instanceof Gone) return result;
  // What the database said comes first: the source may have failed because of it.
  if (thrown !== undefined && (result.ok || result.error.kind === 'cancelled')) throw thrown.error;
  return result;
}

class Gone extends Error {}

type Line = {
  /** Resolves when the connection is closed, from whichever side. */
  readonly gone: Promise<void>;
  send(message: Opening | Step | Fed): Promise<boolean>;
  next(): Promise<Reply | undefined>;
  close(): void;
};

async function once(path: string, call: Call, signal: CancelSignal | undefined): Promise<Result<unknown, DbError>> {
  return calling(path, call, signal, async (line) => resultOf(await line.next(), signal));
}

/** One call, on a connection of its own that ends with it. */
async function calling<T>(
  path: string,
  call: Call,
  signal: CancelSignal | undefined,
  use: (line: Line) => Promise<Result<T, DbError>>,
): Promise<Result<T, DbError>> {
  const begun = await begin(path, call, signal);
  if (!begun.ok) return begun;
  try {
    const result = await use(begun.value);
    return signal?.aborted === true && !result.ok ? err({ kind: 'cancelled' }) : result;
  } finally {
    begun.value.close();
  }
}

async function begin(path: string, call: Call, signal: CancelSignal | undefined): Promise<Result<Line, DbError>> {
  if (signal?.aborted === true) return err({ kind: 'cancelled' });
  const socket = await connected(path);
  if (socket === undefined) return err({ kind: 'unreachable', message: GONE, fatal: true });
  const frames: Frames = makeFrames(socket);
  const onAbort = (): void => {
    socket.destroy();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  // It may have fired while the connection was made.
  if (hasFired(signal)) onAbort();
  const line: Line = {
    gone: new Promise((resolve) => socket.once('close', () => resolve())),
    send: (message) =>
      frames.send(message).then(
        () => true,
        () => false,
      ),
    next: async () => (await frames.next()) as Reply | undefined,
    close: () => {
      signal?.removeEventListener('abort', onAbort);
      socket.destroy();
    },
  };
  await line.send({ ...call, protocol: PROTOCOL });
  return ok(line);
}

function hasFired(signal: CancelSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Undefined: nobody is there. */
async function connected(path: string): Promise<Socket | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await new Promise<Socket | string | undefined>((resolve) => {
      const socket = connect(path);
      socket.once('connect', () => resolve(socket));
      // Later ones are seen by who reads or writes.
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    if (typeof found !== 'string') return found;
    // Somebody is there, and has too many callers at the moment.
    if (found !== 'EAGAIN' || attempt >= CONNECT_ATTEMPTS) return undefined;
    await delay(CONNECT_PACE_MS);
  }
}

function resultOf(said: Reply | undefined, signal: CancelSignal | undefined): Result<unknown, DbError> {
  return said?.reply === 'result' ? said.result : lost(signal);
}

function lost(signal: CancelSignal | undefined): Result<never, DbError> {
  return err(signal?.aborted === true ? { kind: 'cancelled' } : { kind: 'lost', message: GONE });
}

function asVoid(result: Result<unknown, DbError>): Result<void, DbError> {
  return result.ok ? ok(undefined) : result;
}

/** A function cannot be sent; only the REST service reads rows off the wire, and it is no command. */
function sendable(batch: Batch): Batch {
  if (batch.some(({ into }) => into !== undefined)) throw new Error('rows of a borrowed database cannot be sunk');
  return batch;
}
