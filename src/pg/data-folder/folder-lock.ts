// One program at a time in a folder: PGlite has no lock of its own, and two engines over the same files destroy them.
//
// The lock is a file that says who holds it. It is stale when that process is gone, which its start time tells apart from
// another process that got the same number. A holder on another machine or in another container cannot be asked; it
// touches its file every few seconds, and counts as gone when it no longer does.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { err, ok, type Result } from '../../kernel/result.ts';

export type FolderLock = { release(): void };

/** What the holder tells those who wait for it. */
export type LockOwner = {
  /** As a person would call it: survest backup. */
  readonly command: string;
  /** It ends by itself, as a command does and a service does not. */
  readonly isBrief: boolean;
};

type LockHolder = Partial<LockOwner> & { readonly pid: number; readonly started: string; readonly host: string };

export type LockError =
  | { readonly kind: 'held'; readonly path: string; readonly holder: LockHolder }
  /** Two programs found the same stale lock in the same moment; the other was quicker. */
  | { readonly kind: 'contended'; readonly path: string };

const TOUCH_MS = 5000;
const SILENT_MS = 20_000;

export function lockFolder(path: string, owner?: LockOwner): Result<FolderLock, LockError> {
  const me: LockHolder = { pid: process.pid, started: startOf(process.pid) ?? '', host: hostname(), ...owner };
  if (create(path, me)) return ok(held(path, me));

  const holder = read(path);
  if (holder !== undefined && isAlive(path, holder)) return err({ kind: 'held', path, holder });

  // Between looking and taking over, the file may have become somebody's again. Whoever has the second file may look
  // once more and take over; nobody else touches the first one meanwhile.
  const turn = `${path}.taking-over`;
  if (!create(turn, me)) {
    const other = read(turn);
    if (other !== undefined && isAlive(turn, other)) return err({ kind: 'contended', path });
    rmSync(turn, { force: true });
    if (!create(turn, me)) return err({ kind: 'contended', path });
  }
  try {
    const now = read(path);
    if (now !== undefined && isAlive(path, now)) return err({ kind: 'held', path, holder: now });
    rmSync(path, { force: true });
    return create(path, me) ? ok(held(path, me)) : err({ kind: 'contended', path });
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Whether somebody has it now. */
export function isLocked(path: string): boolean {
  const holder = read(path);
  return holder !== undefined && isAlive(path, holder);
}

export function describeLock(dataDir: string, error: LockError): string {
  switch (error.kind) {
    case 'held': {
      const { pid, host, command } = error.holder;
      const who = command === undefined ? '' : `, ${command}`;
      return `the folder "${dataDir}" is in use by process ${pid} on ${host}${who} (its lock is ${error.path})`;
    }
    case 'contended':
      return `another program is just taking the folder "${dataDir}"`;
  }
}

function held(path: string, me: LockHolder): FolderLock {
  const touching = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // Removed by hand: the holder goes on; there is nothing better to do with the files open.
    }
  }, TOUCH_MS);
  touching.unref();
  return {
    release: () => {
      clearInterval(touching);
      const now = read(path);
      if (now !== undefined && isSame(now, me)) rmSync(path, { force: true });
    },
  };
}

function create(path: string, holder: LockHolder): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${JSON.stringify(holder)}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined: not there, or written by nobody we know (a crash in the midst of writing it). */
function read(path: string): LockHolder | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof said !== 'object' || said === null) return undefined;
    const { pid, started, host, command, isBrief } = said as Partial<Record<keyof LockHolder, unknown>>;
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof host !== 'string') return undefined;
    // Earlier releases do not say what they are.
    return { pid, started, host, ...(typeof command === 'string' ? { command, isBrief: isBrief === true } : {}) };
  } catch {
    return undefined;
  }
}

function isAlive(path: string, holder: LockHolder): boolean {
  if (holder.host === hostname()) return startOf(holder.pid) === holder.started;
  try {
    return Date.now() - statSync(path).mtimeMs < SILENT_MS;
  } catch {
    return false;
  }
}

function isSame(a: LockHolder, b: LockHolder): boolean {
  return a.pid === b.pid && a.started === b.started && a.host === b.host;
}

/** When a process was started, in words that no other process of that number has; undefined: there is none. */
function startOf(pid: number): string | undefined {
  try {
    // After the name in brackets, which may hold anything: state is field 3, the start in ticks since boot field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? undefined : `${boot}:${fields[19]}`;
  } catch {
    // No /proc here, or no such process.
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return undefined;
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}
