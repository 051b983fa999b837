// A primary and a streaming replica of it, two real servers on loopback, for one test file. Both are gone when the file ends, in whatever way.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPostgres } from './postgres-binaries.ts';
import { freePort, SETTINGS, startCluster, unprivilegedOwner, waitUntilReady } from './postgres-cluster.ts';

export type ReplicatedCluster = {
  readonly primary: string;
  readonly replica: string;
  /** kill -9; its files stay. */
  killReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** The processes of the replica hold still, or go on, as on a machine that is gone. */
  freezeReplica(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
};

const GUARD = `
"$0" -D "$1" "\${@:2}" </dev/null >>"$1.log" 2>&1 &
server=$!
trap '' INT TERM HUP
cat >/dev/null
kill -INT "$server" 2>/dev/null
wait "$server"
`;

export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('there is no PostgreSQL');
  const primary = await startCluster(binaries);
  const folder = mkdtempSync(join(tmpdir(), 'survest-replica-'));
  const owner = unprivilegedOwner();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const copy = [
    '--dbname',
    primary.uri,
    '--pgdata',
    data,
    '--checkpoint',
    'fast',
    '--write-recovery-conf',
    '--no-sync',
  ];
  execFileSync(baseBackup(binaries.bin), copy, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const replica = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', unix_socket_directories: folder, port };
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  let guard: ReturnType<typeof spawn> | undefined;

  async function startReplica(): Promise<void> {
    guard = spawn('bash', ['-c', GUARD, join(binaries?.bin ?? '', 'postgres'), data, ...options], {
      ...owner,
      cwd: folder,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.unref();
    await waitUntilReady(replica);
  }

  async function end(signal: 'SIGKILL' | undefined): Promise<void> {
    const ending = guard;
    if (ending === undefined) return;
    guard = undefined;
    const ended = once(ending, 'exit');
    ending.ref();
    if (signal !== undefined) process.kill(pid(), signal);
    ending.stdin?.end();
    await ended;
  }

  function pid(): number {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  function processes(): readonly number[] {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid())], { encoding: 'utf8' });
    return [pid(), ...children.split('\n').map(Number)].filter((one) => one > 0);
  }

  await startReplica();
  return {
    primary: primary.uri,
    replica,
    killReplica: () => end('SIGKILL'),
    startReplica,
    freezeReplica(signal) {
      for (const one of processes()) process.kill(one, signal);
    },
    async stop() {
      await end(undefined);
      rmSync(folder, { recursive: true, force: true });
      await primary.stop();
    },
  };
}

/** Beside the server's programs, be they links to another folder. */
function baseBackup(bin: string): string {
  const places = [bin, dirname(realpathSync(join(bin, 'postgres'))), dirname(realpathSync(join(bin, 'initdb')))];
  const found = places.map((place) => join(place, 'pg_basebackup')).find((path) => existsSync(path));
  return found ?? 'pg_basebackup';
}
