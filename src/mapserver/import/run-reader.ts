// Starts the reading process for a task and watches over it: what it says, the rows it sends, how long it takes and how much
// memory it uses. Whatever becomes of it, it is gone when this resolves.

import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { saysNoSpace } from '../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { isFull } from '../gdal/is-full.ts';
import { nodeCommand, readByScript } from '../gdal/node-command.ts';
import { memoryOf } from '../gdal/process-memory.ts';
import { inSandbox } from '../gdal/sandbox.ts';
import type { ImportFailure } from './import-failure.ts';
import type { ReaderMessage, ReadTask } from './import-task.ts';

export type ReaderEvents = {
  readonly onMessage: (message: ReaderMessage) => void;
  /** Awaited: a slow taker slows the reader down. */
  readonly onRows: (chunk: Buffer) => Promise<void>;
};

export type ReaderLimits = {
  readonly seconds: number;
  /** Of the reading process and of what it starts. */
  readonly memoryBytes: number;
};

const OWN_SCRIPT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './reader/main.ts' : './reader/main.js', import.meta.url),
);
const WATCH_MS = 300;
const MAX_STDERR = 16 * 1024;
const MAX_MESSAGE = 8 * 1024 * 1024;

/** An exception of `onRows` comes out as it is. */
export async function runReader(
  task: ReadTask,
  limits: ReaderLimits,
  events: ReaderEvents,
  signal: AbortSignal,
  script: string = OWN_SCRIPT,
): Promise<Result<undefined, ImportFailure>> {
  signal.throwIfAborted();
  const child = start(task, script);
  let stopped: ImportFailure | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR) stderr += text;
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => resolve({ code, signal: killedBy }));
  });
  // What it leaves behind ends with it: a sandbox that is killed while it begins leaves a process that waits for ever, with our pipes open.
  child.once('exit', () => kill(child));
  const stop = (failure: ImportFailure | undefined): void => {
    stopped ??= failure;
    kill(child);
  };
  const onAbort = (): void => stop(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  const alarm = setTimeout(() => stop({ kind: 'too-long', seconds: limits.seconds }), limits.seconds * 1000);
  const watch = setInterval(() => {
    void memoryOf(child.pid).then((bytes) => {
      if (bytes > limits.memoryBytes) stop({ kind: 'too-much-memory', bytes: limits.memoryBytes });
    });
  }, WATCH_MS);

  const [, , , rows, messages] = child.stdio as (Readable | null)[];
  const failedReading = (error: unknown): void => {
    thrown ??= { error };
    stop(undefined);
  };
  const onMessage = (message: ReaderMessage): void =>
    events.onMessage(
      message.kind === 'failed' && isFull(task.folder) ? { kind: 'failed', failure: { kind: 'no-space' } } : message,
    );
  const heard = readMessages(messages, onMessage).catch(failedReading);
  const taken = takeRows(rows, events.onRows).catch(failedReading);
  child.stdin?.on('error', () => {}); // it died before it read its task
  child.stdin?.write(`${JSON.stringify(task)}\n`);
  try {
    const [end] = await Promise.all([exited, heard, taken]);
    signal.throwIfAborted();
    if (thrown !== undefined) throw thrown.error;
    if (stopped !== undefined) return err(stopped);
    if (end.code === 0) return ok(undefined);
    return err(deathOf(task, end, stderr));
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(alarm);
    clearInterval(watch);
    kill(child);
  }
}

function start(task: ReadTask, script: string): ChildProcess {
  const heap = Math.max(128, Math.floor(task.limits.memoryBytes / 2 ** 20 / 2));
  const reader = nodeCommand(script, heap);
  const { sandbox } = task.engine;
  const [program = '', ...args] =
    sandbox === undefined
      ? reader
      : inSandbox(sandbox, { folder: task.folder, readable: readByScript(script) }, reader);
  return spawn(program, args, {
    cwd: task.folder,
    // Settings and passwords of the program are none of its business.
    env: { PATH: process.env['PATH'] ?? '', HOME: task.folder, TMPDIR: task.folder, LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, to be ended with all that it has started.
    detached: true,
  });
}

function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || ((exitCode !== null || signalCode !== null) && !isAlive(-pid))) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function readMessages(
  stream: Readable | null | undefined,
  onMessage: (message: ReaderMessage) => void,
): Promise<void> {
  let rest = '';
  stream?.setEncoding('utf8');
  for await (const chunk of (stream ?? []) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_MESSAGE) throw new Error('a message of the reading process does not end');
    for (const line of lines) onMessage(JSON.parse(line) as ReaderMessage);
  }
}

async function takeRows(stream: Readable | null | undefined, onRows: (chunk: Buffer) => Promise<void>): Promise<void> {
  for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) await onRows(chunk);
}

function deathOf(
  task: ReadTask,
  end: { readonly code: number | null; readonly signal: NodeJS.Signals | null },
  stderr: string,
): ImportFailure {
  const file = task.files[0]?.name ?? '';
  if (saysNoSpace(stderr) || isFull(task.folder)) return { kind: 'no-space' };
  if (/out of memory|Cannot enlarge memory|allocation failed/i.test(stderr))
    return { kind: 'too-much-memory', bytes: task.limits.memoryBytes };
  // It did not get as far as looking at the file.
  if (/^bwrap: /.test(stderr)) throw new Error(`the sandbox could not be started: ${stderr.trim().slice(0, 300)}`);
  const said = stderr.trim().split('\n').at(-1)?.replaceAll(task.folder, basename(task.folder)).slice(0, 300) ?? '';
  const how = end.signal ?? signalOf(end.code) ?? (said === '' ? `code ${end.code}` : said);
  return { kind: 'crashed', file, how };
}

/** A sandbox ends with 128 and the number of the signal that its program was ended by. */
function signalOf(code: number | null): string | undefined {
  const number = (code ?? 0) - 128;
  return Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
}
