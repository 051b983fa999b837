// PGlite with PostGIS in a worker thread: a folder or a template → bytes of the PostgreSQL protocol in and out.
//
// One engine is one session of one superuser. Whose turn it is is decided above; here bytes go in, bytes come out, and
// the end of the engine (asked for, or a crash) is told once.

import { Worker } from 'node:worker_threads';

export type EngineOptions = {
  /** Folder of the database; null: in memory, gone with the engine. */
  readonly dataDir: string | null;
  /** Tarball to begin from; null: what is in the folder. */
  readonly template: string | null;
  /** Folder of the PostGIS files the engine reads; a script of one's own may want them otherwise. */
  readonly postgis: string;
  /** Of `shared_buffers`, which the engine takes whole at its start. */
  readonly bufferMegabytes?: number | undefined;
  /** The script of its thread, where it is not the one that stands with this module, and what that is told besides. */
  readonly thread?: { readonly script: URL; readonly data: Readonly<Record<string, unknown>> };
};

export type EngineEvents = {
  onOutput(bytes: Buffer): void;
  /** The engine has used up so many bytes of what was sent. */
  onConsumed(bytes: number): void;
};

export type Engine = {
  readonly isAlive: boolean;
  /** What was committed outlives it. */
  readonly isDurable: boolean;
  /** Everything sent was answered, up to the last ReadyForQuery. */
  readonly isQuiet: boolean;
  /** Resolves, with the reason, when it crashed or exited by itself; never after `close` or `kill`. */
  readonly died: Promise<string>;
  events: EngineEvents;
  send(bytes: Uint8Array): void;
  /** Says that so many bytes of output were taken; the engine waits for that when it is far ahead of its reader. */
  take(bytes: number): void;
  /** Orderly: writes a checkpoint, so that the next start has nothing to recover. */
  close(): Promise<void>;
  /** At once, whatever is running; what was committed is on disk. */
  kill(): Promise<void>;
};

type FromWorker =
  | { readonly kind: 'started' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'output'; readonly bytes: Uint8Array; readonly consumed: number; readonly isReady: boolean }
  | { readonly kind: 'died'; readonly message: string }
  | { readonly kind: 'closed' };

// PostgreSQL measures its stack in the engine's memory; the stack that overflows is the thread's, and then the engine
// is lost. With these two, the deepest recursion we could make (a function in SQL calling itself) ends as an SQL error.
const MAX_STACK_DEPTH = '640kB';
const STACK_MB = 256;

const SETTINGS: Readonly<Record<string, string>> = {
  max_stack_depth: MAX_STACK_DEPTH,
  // fdatasync and the O_SYNC family are not passed on by the engine's file system; fsync is.
  wal_sync_method: 'fsync',
  // There is no process that makes a checkpoint by the clock: this bounds what a start after a crash has to read again.
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  exit_on_error: 'off',
  io_method: 'sync',
  // No process can be started from within the engine.
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
};

const BUFFER_MB = 32;

const SENT = 0;
const TAKEN = 1;
const NO_EVENTS: EngineEvents = { onOutput: () => {}, onConsumed: () => {} };

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const { dataDir, template, postgis, bufferMegabytes = BUFFER_MB, thread } = options;
  const settings = {
    ...SETTINGS,
    shared_buffers: `${bufferMegabytes}MB`,
    ...(dataDir === null ? { fsync: 'off' } : {}),
  };
  const worker = new Worker(thread?.script ?? new URL('./engine-worker.mjs', import.meta.url), {
    workerData: { dataDir, template, postgis, settings, shared: words.buffer, ...thread?.data },
    resourceLimits: { stackSizeMb: STACK_MB },
    // What the embedded server would log is told in its answers; the thread's console is not the program's.
    stdout: true,
    stderr: true,
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.stdout.resume();
  worker.stderr.resume();

  let alive = true;
  let ready = true;
  let unconsumed = 0;
  let onDied: (message: string) => void = () => {};
  const engine = {
    events: NO_EVENTS,
    died: new Promise<string>((resolve) => {
      onDied = resolve;
    }),
    isDurable: dataDir !== null,
    get isAlive(): boolean {
      return alive;
    },
    get isQuiet(): boolean {
      return ready && unconsumed === 0;
    },
    send: (bytes: Uint8Array): void => {
      unconsumed += bytes.length;
      // Its own copy, handed over: cloning a view would clone all of the buffer it is a view of.
      const own = new Uint8Array(bytes);
      post(own, [own.buffer]);
    },
    take: (bytes: number): void => {
      Atomics.add(words, TAKEN, bytes);
      Atomics.notify(words, TAKEN);
    },
    close: async (): Promise<void> => {
      if (alive) post('close');
      alive = false;
      await exited;
    },
    kill: async (): Promise<void> => {
      alive = false;
      await worker.terminate();
    },
  };

  const post = (message: Uint8Array | 'close', transfer: readonly ArrayBuffer[] = []): void => {
    worker.postMessage(message, transfer);
    Atomics.add(words, SENT, 1);
    Atomics.notify(words, SENT);
  };
  const onDeath = (message: string): void => {
    if (!alive) return;
    alive = false;
    onDied(message);
  };

  await new Promise<void>((resolve, reject) => {
    const fail = (message: string): void => reject(new Error(`the embedded database did not start: ${message}`));
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'started':
          return resolve();
        case 'failed':
          return fail(message.message);
        case 'output': {
          const { bytes, consumed } = message;
          ready = message.isReady;
          unconsumed -= consumed;
          if (consumed > 0) engine.events.onConsumed(consumed);
          if (bytes.length > 0) engine.events.onOutput(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
          return;
        }
        case 'died':
          return onDeath(message.message);
        case 'closed':
          return;
      }
    });
    worker.on('error', (error: Error) => {
      fail(error.message);
      onDeath(`the embedded database stopped: ${error.message}`);
    });
    worker.on('exit', (code) => {
      fail(`its thread ended (${code})`);
      onDeath('the embedded database stopped');
    });
  });
  return engine;
}
