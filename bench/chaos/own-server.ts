// A PostgreSQL server of a chaos run, with the guarantees of a real one (fsync, synchronous commit), that can be killed, paused and started again.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { freePort, unprivilegedOwner, waitUntilReady } from '../../test/testkit/postgres-cluster.ts';
import type { DatabaseServer } from './faults.ts';

export class OwnServer implements DatabaseServer {
  readonly uri: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.uri = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  }

  static async start(folder: string): Promise<OwnServer> {
    mkdirSync(folder, { recursive: true });
    const owner = unprivilegedOwner();
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    const data = join(folder, 'data');
    execFileSync(
      join(binaries(), 'initdb'),
      ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
      { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const server = new OwnServer(folder, await freePort());
    await server.begin();
    return server;
  }

  async begin(): Promise<void> {
    const owner = unprivilegedOwner();
    const settings = {
      port: String(this.#port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.#folder,
      max_connections: '100',
      // Backends of a postmaster that was killed are still ending when the next one begins.
      restart_after_crash: 'on',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    for (;;) {
      const child = spawn(join(binaries(), 'postgres'), ['-D', join(this.#folder, 'data'), ...args], {
        ...owner,
        cwd: this.#folder,
        stdio: 'ignore',
      });
      this.#process = child;
      const ended = once(child, 'exit').then(() => 'ended' as const);
      if ((await Promise.race([waitUntilReady(this.uri), ended])) !== 'ended') return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  async kill(): Promise<boolean> {
    const child = this.#process;
    if (child === undefined) return false;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await this.begin();
    return true;
  }

  /** Ends some of the connections of the program, whatever they are doing. */
  async endBackends(): Promise<number> {
    const client = new pg.Client({ connectionString: this.uri });
    client.on('error', () => {});
    await client.connect();
    try {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name ilike 'survest%' and random() < 0.5`,
      );
      return rowCount ?? 0;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGINT');
    await ended;
  }
}

function binaries(): string {
  const found = findPostgres(process.env);
  if (found === undefined) throw new Error('there is no PostgreSQL');
  return found.bin;
}
