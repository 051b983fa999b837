// The process of the private server. It lives as long as the program: its guard, a small shell, reads from a pipe that the program holds,
// and shuts the server down when that pipe closes, whether by an orderly stop, a crash or kill -9.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PostgresInstall } from './find-postgres.ts';
import type { LocalPlace } from './local-place.ts';
import type { ServerAccount } from './server-account.ts';

// SIGINT is PostgreSQL's fast shutdown: clients are disconnected, and what is committed is on disk.
const GUARD = `
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
( cat <&3 >/dev/null; kill -INT "$server" 2>/dev/null ) &
watcher=$!
exec 3<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;

/** A shutdown writes what is in the buffers; after this long it is cut short, and the next start replays the log. */
const STOP_MS = 60_000;
const KEPT_LINES = 40;

export type ServerProcess = {
  /** Resolves when the server has ended, by itself or because it was stopped. */
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
  /** What it last said. */
  readonly lastLines: () => string;
  stop(): Promise<void>;
};

export function startProcess(
  { bin }: PostgresInstall,
  { cluster, socketFolder }: LocalPlace,
  { ids }: ServerAccount,
): ServerProcess {
  const settings = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', join(bin, 'postgres'), '-D', cluster, ...args], {
    ...ids,
    cwd: cluster,
    // Variables of the program's environment such as PGPORT or PGDATA are not the server's.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_MESSAGES: 'C' },
    // Its own process group: Ctrl-C in a terminal reaches the program, which stops the server when its own work is done.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const lines = keepLines(guard);
  let hasEnded = false;
  const ended = once(guard, 'exit').then(
    () => {
      hasEnded = true;
    },
    (cause: unknown) => {
      hasEnded = true;
      lines.push(String(cause));
    },
  );
  guard.stdin?.on('error', () => {});
  return {
    ended,
    hasEnded: () => hasEnded,
    lastLines: () => lines.join('\n'),
    async stop() {
      guard.stdin?.end();
      const timer = new AbortController();
      const isSlow = await Promise.race([
        ended.then(() => false),
        delay(STOP_MS, true, { signal: timer.signal }).catch(() => false),
      ]);
      timer.abort();
      if (isSlow) signalServer(cluster, 'SIGQUIT');
      await ended;
    },
  };
}

/** Ends a server that an earlier program left in the cluster; where there is none, nothing happens. */
export async function stopLeftOver(
  { bin }: PostgresInstall,
  { cluster }: LocalPlace,
  { ids }: ServerAccount,
): Promise<void> {
  if (!existsSync(join(cluster, 'postmaster.pid'))) return;
  const args = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', String(STOP_MS / 1000)];
  // It fails where the file is left of a server that is gone, which the next start sees by itself.
  await promisify(execFile)(join(bin, 'pg_ctl'), args, { ...ids, cwd: cluster }).catch(() => undefined);
}

function signalServer(cluster: string, signal: NodeJS.Signals): void {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    if (Number.isSafeInteger(pid) && pid > 1) process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

function keepLines(guard: ChildProcess): string[] {
  const lines: string[] = [];
  if (guard.stderr !== null)
    createInterface({ input: guard.stderr }).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
    });
  return lines;
}
