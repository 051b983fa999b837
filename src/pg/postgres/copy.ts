// COPY … FROM STDIN and COPY … TO STDOUT on one connection, each inside one flight, with back-pressure both ways.
// Whatever happens, the promise settles only when the connection has nothing under way any more.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { CopySink, DbError, Flight } from '../driver.ts';
import { COPY_DONE, copyDataHeader, encodeCopyFail } from '../wire/control-messages.ts';
import { encodeFlight, SYNC } from '../wire/encode-flight.ts';
import type { Connected } from './connect.ts';
import type { Outcome } from './connection.ts';
import { cancel, type RunContext, toResult, watched } from './run-flight.ts';

export async function copyIn(
  connected: Connected,
  before: Flight,
  copy: string,
  feed: (sink: CopySink) => Promise<void>,
  signal: AbortSignal | undefined,
  context: RunContext,
): Promise<Result<number, DbError>> {
  const { connection } = connected;
  const flight: Flight = [...before, { text: copy, params: [] }];

  // The Sync is left until the data is through (in the midst of it the server would skip it), and it is sent once.
  let synced = false;
  const sync = (...last: Buffer[]): void => {
    if (synced) return;
    synced = true;
    connection.patient = false;
    connection.write([...last, SYNC]);
  };
  const started = deferred<'feed'>();
  const stopped = deferred<void>();
  const exchanged = connection.exchange(encodeFlight(flight, connection.prepared, 'flush'), flight.length, {
    onCopyIn: () => started.resolve('feed'),
    onComplete: (count) => {
      if (count === flight.length) sync();
    },
    onFailure: () => {
      sync();
      stopped.resolve();
    },
  });
  void exchanged.then(() => stopped.resolve());

  let feeding = false;
  let cancelling: Promise<void> | undefined;
  const onAbort = (): void => {
    // While the server waits for data it does not look for cancels; CopyFail reaches it.
    if (feeding) sync(encodeCopyFail('cancelled'));
    else cancelling = cancel(connected, context);
    stopped.resolve();
  };
  signal?.addEventListener('abort', onAbort, { once: true });

  const sink: CopySink = {
    write: async (chunk) => {
      if (synced) throw new CopyStopped();
      if (chunk.length === 0) return;
      if (connection.write([copyDataHeader(chunk.length), chunk])) return;
      connection.patient = false;
      await Promise.race([drained(connected), stopped.promise]);
      if (synced) throw new CopyStopped();
      connection.patient = true;
    },
  };

  let thrown: { readonly error: unknown } | undefined;
  if ((await Promise.race([started.promise, exchanged])) === 'feed') {
    feeding = true;
    connection.patient = true;
    const fed = (async () => feed(sink))().then(
      () => sync(COPY_DONE),
      (error: unknown) => {
        if (synced) return; // the server's own error, or the signal, came first
        thrown = { error };
        sync(encodeCopyFail('the source of the data failed'));
      },
    );
    await Promise.race([fed, stopped.promise]);
    feeding = false;
  }
  const outcome = await exchanged;
  signal?.removeEventListener('abort', onAbort);
  await cancelling;
  if (thrown !== undefined) throw thrown.error;
  return rowsCopied(outcome, signal);
}

export async function copyOut(
  connected: Connected,
  before: Flight,
  copy: string,
  onChunk: (chunk: Buffer) => Promise<void> | void,
  signal: AbortSignal | undefined,
  context: RunContext,
): Promise<Result<number, DbError>> {
  const { connection } = connected;
  const flight: Flight = [...before, { text: copy, params: [] }];
  let gathered: Buffer[] = [];
  let draining: Promise<void> | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let cancelling: Promise<void> | undefined;

  // The server sends a message per row; the rows of one chunk from the socket are passed on together.
  const drain = async (): Promise<void> => {
    connection.socket.pause();
    connection.patient = true;
    try {
      while (gathered.length > 0 && thrown === undefined) {
        const chunk = gathered.length === 1 ? gathered[0] : Buffer.concat(gathered);
        gathered = [];
        if (chunk !== undefined) await onChunk(chunk);
      }
    } catch (error) {
      thrown = { error };
      if (connection.isBusy) cancelling = cancel(connected, context);
    }
    draining = undefined;
    connection.patient = false;
    connection.socket.resume();
  };

  const outcome = await watched(connected, signal, context, () =>
    connection.exchange(encodeFlight(flight, connection.prepared), flight.length, {
      onCopyData: (bytes) => {
        if (thrown === undefined) gathered.push(bytes);
      },
      onChunkEnd: () => {
        if (gathered.length > 0 && draining === undefined) draining = drain();
      },
    }),
  );
  await draining;
  await cancelling;
  if (thrown !== undefined) throw thrown.error;
  return rowsCopied(outcome, signal);
}

/** What `write` rejects with once the copy is over; the reason is in the result of the copy. */
export class CopyStopped extends Error {
  constructor() {
    super('the copy has ended');
    this.name = 'CopyStopped';
  }
}

function rowsCopied(outcome: Outcome, signal: AbortSignal | undefined): Result<number, DbError> {
  const result = toResult(outcome, signal);
  if (!result.ok) return result;
  const tag = result.value.at(-1)?.tag ?? '';
  const rows = /^COPY (\d+)$/.exec(tag)?.[1];
  if (rows !== undefined) return ok(Number(rows));
  const message = `not a COPY statement (${tag})`;
  return err({ kind: 'sql', sqlstate: '42601', message, detail: null, hint: null, statement: result.value.length - 1 });
}

function drained({ connection }: Connected): Promise<void> {
  return new Promise((resolve) => connection.socket.once('drain', () => resolve()));
}

type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
