// COPY … FROM STDIN and COPY … TO STDOUT on one connection, each inside one batch, with back-pressure both ways.
// Whatever happens, the promise settles only when the connection has nothing under way any more.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Batch, CancelSignal, CopySink, DbError } from '../driver.ts';
import { COPY_DONE, copyDataHeader, encodeCopyFail } from '../wire/control-messages.ts';
import { encodeBatch, SYNC } from '../wire/encode-batch.ts';
import type { Connected } from './connected.ts';
import type { Outcome } from './connection.ts';
import { cancel, type RunContext, toResult, watched } from './execute-batch.ts';

const BATCH = 64 * 1024;
const SMALL_CHUNKS = 16; // more parts than this are quicker joined than written one after the other

export async function copyIn(
  connected: Connected,
  before: Batch,
  copy: string,
  feed: (sink: CopySink) => Promise<void>,
  signal: CancelSignal | undefined,
  context: RunContext,
): Promise<Result<number, DbError>> {
  const { connection } = connected;
  const statements: Batch = [...before, { text: copy, params: [] }];

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
  const exchanged = connection.roundTrip(encodeBatch(statements, connection.prepared, 'flush'), statements, {
    onCopyIn: () => started.resolve('feed'),
    onComplete: (count) => {
      if (count === statements.length) sync();
    },
    onFailure: () => {
      sync();
      stopped.resolve();
    },
  });
  void exchanged.then(() => {
    synced = true; // or there is nobody left to sync with
    stopped.resolve();
  });

  let feeding = false;
  let cancelling: Promise<void> | undefined;
  const onAbort = (): void => {
    // While the server waits for data it does not look for cancels; CopyFail reaches it.
    if (feeding) sync(encodeCopyFail('cancelled'));
    else cancelling = cancel(connected, context);
    stopped.resolve();
  };
  signal?.addEventListener('abort', onAbort, { once: true });

  // Small chunks leave together. After each batch the event loop gets its turn, even when the socket takes more: a
  // source that always has data at hand would otherwise hear of no error, and keep the whole program from its work.
  let batch: Uint8Array[] = [];
  let batched = 0;
  const leave = (): boolean => {
    const bytes = batch.length > SMALL_CHUNKS ? [Buffer.concat(batch)] : batch;
    const header = copyDataHeader(batched);
    batch = [];
    batched = 0;
    return connection.write([header, ...bytes]);
  };
  const sink: CopySink = {
    write: async (chunk) => {
      if (synced) throw new CopyStopped();
      batch.push(chunk);
      batched += chunk.length;
      if (batched < BATCH) return;
      if (leave()) {
        await nextTurn();
      } else {
        connection.patient = false;
        await Promise.race([drained(connected), stopped.promise]);
        connection.patient = !synced;
      }
      if (synced) throw new CopyStopped();
    },
  };

  let thrown: { readonly error: unknown } | undefined;
  if ((await Promise.race([started.promise, exchanged])) === 'feed') {
    feeding = true;
    connection.patient = true;
    const fed = (async () => feed(sink))().then(
      () => {
        if (batched > 0 && !synced) leave();
        sync(COPY_DONE);
      },
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
  before: Batch,
  copy: string,
  onChunk: (chunk: Buffer) => Promise<void> | void,
  signal: CancelSignal | undefined,
  context: RunContext,
): Promise<Result<number, DbError>> {
  const { connection } = connected;
  const statements: Batch = [...before, { text: copy, params: [] }];
  let gathered: Buffer[] = [];
  let draining: Promise<void> | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let cancelling: Promise<void> | undefined;

  const fail = (error: unknown): void => {
    thrown = { error };
    gathered = [];
    if (connection.isBusy) cancelling = cancel(connected, context);
  };
  // The server sends a message per row; the rows of one chunk from the socket are passed on together.
  const passOn = (): void => {
    const [first] = gathered;
    if (first === undefined || draining !== undefined) return;
    const chunk = gathered.length === 1 ? first : Buffer.concat(gathered);
    gathered = [];
    try {
      const reading = onChunk(chunk);
      if (reading !== undefined) draining = waitFor(reading);
    } catch (error) {
      fail(error);
    }
  };
  // Nothing is read from the socket meanwhile, so the server has to wait, too.
  const waitFor = async (reading: Promise<void>): Promise<void> => {
    connection.socket.pause();
    connection.patient = true;
    await reading.catch(fail);
    draining = undefined;
    connection.patient = false;
    connection.socket.resume();
    passOn();
  };

  const outcome = await watched(connected, signal, context, () =>
    connection.roundTrip(encodeBatch(statements, connection.prepared), statements, {
      onCopyData: (bytes) => {
        if (thrown === undefined) gathered.push(bytes);
      },
      onChunkEnd: passOn,
    }),
  );
  while (draining !== undefined) await draining;
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

function rowsCopied(outcome: Outcome, signal: CancelSignal | undefined): Result<number, DbError> {
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
