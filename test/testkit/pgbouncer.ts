// A transaction pooler in front of a test's server: PgBouncer, as an operator would set it up. Its two server connections
// are handed from one client to another between transactions, so whatever a session keeps is soon somebody else's.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, unprivilegedOwner } from './postgres-cluster.ts';

export type Pooler = {
  /** The same database, by way of the pooler. */
  readonly uri: (direct: string) => string;
  stop(): Promise<void>;
};

/** Its path; undefined when it is not on this machine. */
export function findPgbouncer(): string | undefined {
  for (const path of ['pgbouncer', '/usr/sbin/pgbouncer']) {
    try {
      execFileSync(path, ['--version'], { stdio: 'ignore' });
      return path;
    } catch {
      // Not there: try the next.
    }
  }
  return undefined;
}

/** `users`: who may connect; the server itself asks none of them for a password. */
export async function startPgbouncer(program: string, server: URL, users: readonly string[]): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'survest-pooler-'));
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const known = join(folder, 'users.txt');
  writeFileSync(known, users.map((user) => `"${user}" ""\n`).join(''));
  writeFileSync(
    config,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
      'default_pool_size = 2',
      'auth_type = trust',
      `auth_file = ${known}`,
      '',
    ].join('\n'),
  );
  const owner = unprivilegedOwner();
  if (owner !== undefined) for (const path of [folder, config, known]) chownSync(path, owner.uid, owner.gid);
  const child = spawn(program, [config], { ...owner, cwd: folder, stdio: 'ignore' });
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    uri: (direct) => {
      const url = new URL(direct);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    async stop() {
      process.off('exit', onExit);
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
