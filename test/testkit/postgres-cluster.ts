// A private PostgreSQL server for one test run: programs → a running cluster on loopback, gone when the run ends.
//
// The server is the child of a small shell script that reads from a pipe we hold. When the run ends, in whatever way
// (an orderly stop, Ctrl-C, a crash, kill -9), the pipe closes, and the script stops the server and removes its files.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { PostgresBinaries } from './postgres-binaries.ts';

export type PostgresCluster = { readonly uri: string; stop(): Promise<void> };

export const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  autovacuum: 'off',
};

const GUARD = `
"$0" -D "$1" "\${@:2}" </dev/null >"$1.log" 2>&1 &
server=$!
trap '' INT TERM HUP
cat >/dev/null
kill -INT "$server" 2>/dev/null
wait "$server"
rm -rf "$(dirname "$1")"
`;

/** `more`: settings beyond those of every run; `parent`: where its folder is made. */
export async function startCluster(
  binaries: PostgresBinaries,
  more: Readonly<Record<string, string>> = {},
  parent: string = tmpdir(),
): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(parent, 'survest-pg-'));
  const data = join(folder, 'data');
  const owner = unprivilegedOwner();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  try {
    const initdb = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
    execFileSync(join(binaries.bin, 'initdb'), [...initdb, '--locale', 'C.UTF-8'], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error('initdb failed', { cause });
  }

  const port = await freePort();
  const settings = Object.entries({
    ...SETTINGS,
    ...more,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    port,
  });
  const guard = spawn(
    'bash',
    ['-c', GUARD, join(binaries.bin, 'postgres'), data, ...settings.map(([name, value]) => `--${name}=${value}`)],
    // Its own process group: Ctrl-C in the terminal reaches the run, not the server under its feet.
    { ...owner, cwd: folder, detached: true, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const ended = once(guard, 'exit');
  const stop = async (): Promise<void> => {
    guard.ref();
    guard.stdin?.end();
    await ended;
  };
  const uri = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  try {
    await waitUntilReady(uri);
  } catch (cause) {
    const log = readLog(`${data}.log`);
    await stop();
    throw new Error(`PostgreSQL did not start:\n${log}`, { cause });
  }
  // Nothing here keeps the run alive: it ends when the tests end.
  guard.unref();
  return { uri, stop };
}

/** PostgreSQL refuses to run as root; root lends it to an account that owns nothing else. */
export function unprivilegedOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const account of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, account], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such account: try the next.
    }
  }
  throw new Error('running as root, and there is neither a postgres nor a nobody account to run PostgreSQL under');
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export async function waitUntilReady(uri: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const client = new pg.Client({ connectionString: uri });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '(no log)';
  }
}
