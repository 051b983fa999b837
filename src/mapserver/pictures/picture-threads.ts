// The threads that draw pictures, two of them: one for small pictures (tiles, maps on a screen), one for large ones, so that a small picture
// never waits for the drawing or encoding of a large one. In each, callers take turns. A thread starts with its first order and ends
// when it had none for a while; what it held (canvas, fonts, open rasters) is memory that a portal without maps does not need.

import { Worker } from 'node:worker_threads';
import { type Caller, turnOf } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { makeSemaphore } from '../../kernel/semaphore.ts';
import type { BatchResult, CancelSignal } from '../../pg/driver.ts';
import type { ReadFile } from '../raster/blob-source.ts';
import type { RenderError } from '../render/render-map.ts';
import { packRows } from './packed-rows.ts';
import type { FromThread, PictureOrder, Question, RowsAnswer, ToThread } from './picture-messages.ts';

/** Where the rows and files of an order come from. One object for as long as they are the same: threads keep what they learn by it. */
export type PictureSource = {
  readonly db: Pick<CallerDb, 'read' | 'service'>;
  readonly readFile: ReadFile;
  readonly observe: Observe;
  /** Rows that one statement aggregates. */
  readonly piece: number;
};

export type Asker = {
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly signal?: CancelSignal | undefined;
};

export type PictureError =
  | RenderError
  /** Layers times pixels are more than are drawn for this caller at once. */
  | { readonly kind: 'too-large'; readonly limit: number }
  /** Too many wait. */
  | { readonly kind: 'busy' };

export type PictureThreads = {
  draw(source: PictureSource, asker: Asker, order: PictureOrder): Promise<Result<Buffer, PictureError>>;
};

/** Up to a screen of a megapixel. */
const SMALL_PIXELS = 1_100_000;
/** Pictures at once on the thread of small ones: most of them wait for the database. */
const SMALL_AT_ONCE = 16;
/** Pixels at once on the other: four bytes each, and as much again while they are encoded. */
const LARGE_PIXELS = 40_000_000;
const MAX_WAITING = 500;
/** Drawing gives up by itself before that; a thread that is stuck in one call of the canvas cannot. */
const STUCK_MS = 90_000;
const IDLE_MS = 60_000;

let shared: PictureThreads | undefined;

/** The threads of this process: one set, however many services draw. */
export function pictureThreads(): PictureThreads {
  shared ??= makePictureThreads();
  return shared;
}

function makePictureThreads(): PictureThreads {
  const small = { turns: makeSemaphore({ room: SMALL_AT_ONCE, maxWaiting: MAX_WAITING }), thread: makeThread() };
  const large = { turns: makeSemaphore({ room: LARGE_PIXELS, maxWaiting: MAX_WAITING }), thread: makeThread() };
  return {
    async draw(source, asker, order) {
      const pixels = order.view.width * order.view.height;
      const isSmall = pixels <= SMALL_PIXELS;
      const { turns, thread } = isSmall ? small : large;
      const entry = { caller: turnOf(asker.caller), weight: isSmall ? 1 : pixels, signal: asker.signal };
      const drawn = await turns.run(entry, () => thread(source, asker, order));
      if (drawn.ok) return drawn.value;
      return err(drawn.error === 'cancelled' ? { kind: 'database', error: { kind: 'cancelled' } } : { kind: 'busy' });
    },
  };
}

type Draw = PictureThreads['draw'];
type Running = {
  readonly source: PictureSource;
  readonly asker: Asker;
  readonly end: (picture: Result<Buffer, PictureError>) => void;
  readonly fail: (error: unknown) => void;
};

function makeThread(): Draw {
  const running = new Map<number, Running>();
  let worker: Worker | undefined;
  let ids = 0;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    const made = startWorker();
    made.on('message', (message: FromThread) => take(made, message));
    made.on('error', (error) => lose(made, error));
    made.on('exit', () => lose(made, new Error('the thread that draws has ended')));
    // Nobody is kept from ending the program by it.
    made.unref();
    return made;
  };

  const lose = (lost: Worker, error: unknown): void => {
    if (worker !== lost) return;
    worker = undefined;
    for (const { fail } of running.values()) fail(error);
    running.clear();
  };

  const stop = (why: Result<never, PictureError>): void => {
    const stuck = worker;
    worker = undefined;
    for (const { end } of running.values()) end(why);
    running.clear();
    void stuck?.terminate();
  };

  const take = (from: Worker, message: FromThread): void => {
    switch (message.kind) {
      case 'ask':
        void answer(from, running, message.id, message.question);
        return;
      case 'observed':
        sourceOf(message.client)?.observe(message.observation);
        return;
      case 'drawn':
        running.get(message.id)?.end(message.picture.ok ? ok(asBuffer(message.picture.value)) : message.picture);
        return;
      case 'failed':
        running.get(message.id)?.fail(message.error);
        return;
    }
  };

  return (source, asker, order) =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      worker ??= start();
      const id = ids++;
      const over = setTimeout(() => stop(err({ kind: 'too-long' })), STUCK_MS);
      const leave = (): void => {
        clearTimeout(over);
        running.delete(id);
        if (running.size === 0) idle = setTimeout(() => stop(err({ kind: 'busy' })), IDLE_MS).unref();
      };
      running.set(id, {
        source,
        asker,
        end: (picture) => {
          leave();
          resolve(picture);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      });
      post(worker, { kind: 'draw', id, client: clientOf(source), piece: source.piece, order });
    });
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function answer(
  to: Worker,
  running: ReadonlyMap<number, Running>,
  question: number,
  asked: Question,
): Promise<void> {
  if (asked.kind === 'file') {
    const read = await sourceOf(asked.client)?.readFile(asked.key, asked.start, asked.end);
    return post(to, { kind: 'answer', question, answer: read ?? err('the service that it belongs to has ended') });
  }
  const executed = await rowsFor(running, asked);
  const rows: RowsAnswer = executed.ok ? ok(executed.value.map((one) => packRows(one.rows))) : executed;
  const memory = rows.ok ? rows.value.flatMap(({ lengths, bytes }) => [lengths.buffer, bytes.buffer]) : [];
  post(to, { kind: 'answer', question, answer: rows }, memory);
}

async function rowsFor(
  running: ReadonlyMap<number, Running>,
  asked: Exclude<Question, { kind: 'file' }>,
): Promise<BatchResult> {
  if (asked.kind === 'service')
    return (await sourceOf(asked.client)?.db.service(asked.statements)) ?? err({ kind: 'cancelled' });
  const order = running.get(asked.order);
  if (order === undefined || order.asker.signal?.aborted === true) return err({ kind: 'cancelled' });
  const { caller, info, signal } = order.asker;
  return order.source.db.read(caller, info, asked.statements, signal === undefined ? {} : { signal });
}

function post(worker: Worker, message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}

/** Sources by number, as threads know them. Held weakly: a service that has ended is not kept by its number. */
const numbers = new WeakMap<PictureSource, number>();
const sources: WeakRef<PictureSource>[] = [];

function clientOf(source: PictureSource): number {
  const known = numbers.get(source);
  if (known !== undefined) return known;
  const number = sources.push(new WeakRef(source)) - 1;
  numbers.set(source, number);
  return number;
}

function sourceOf(client: number): PictureSource | undefined {
  return sources[client]?.deref();
}

function startWorker(): Worker {
  const script = import.meta.url.endsWith('.ts') ? './picture-thread-from-source.mjs' : './picture-thread.js';
  // A package below the GeoTIFF reader fails to load in a thread that was given no data.
  return new Worker(new URL(script, import.meta.url), { workerData: {} });
}
