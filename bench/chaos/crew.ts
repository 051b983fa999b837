// The processes of a chaos run: on a server two copies of the program and a worker, on a database of its own one program. Whoever is ended is started again.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../test/testkit/postgres-cluster.ts';
import { commandOf, processes } from './processes.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
export const PASSWORD = 'correct horse battery';
const READY_MS = 120_000;

type Member = { readonly command: readonly string[]; readonly port: number | undefined; process: ChildProcess };

export type Crew = {
  /** Addresses of the copies that answer requests. */
  readonly urls: readonly string[];
  readonly size: number;
  /** kill -9, and a new one in its place. */
  replace(i: number): Promise<void>;
  /** SIGTERM, and a new one in its place. */
  restart(i: number): Promise<void>;
  signal(i: number, name: NodeJS.Signals): void;
  /** kill -9 of one of the processes that the program has started, such as one that reads a file; false: there is none. */
  killChild(): boolean;
  allReady(): Promise<void>;
  memoryMb(): Promise<readonly number[]>;
  doctor(): Promise<readonly string[]>;
  stop(): Promise<void>;
};

/** What the program works with: a server's address, or a database of its own in the data folder. */
export type CrewDatabase = { readonly uri: string } | 'embedded' | 'local';

export async function startCrew({ folder, database }: { folder: string; database: CrewDatabase }): Promise<Crew> {
  mkdirSync(folder, { recursive: true });
  const isOwn = typeof database === 'string';
  const plans: readonly (readonly string[])[] = isOwn ? [[]] : [[], [], ['worker']];
  const members: Member[] = [];
  const env = (port: number | undefined): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    ...(isOwn ? { SVRST_DATABASE: database } : { SVRST_DB_URI: database.uri }),
    SVRST_DATA_DIR: folder,
    SVRST_ADMIN_PASSWORD: PASSWORD,
    SVRST_PORTAL_HOST: '127.0.0.1',
    SVRST_PORTAL_PORT: String(port ?? 0),
    SVRST_SERVER_HOST: '127.0.0.1',
    SVRST_SERVER_PORT: '0',
    SVRST_DB_POOL: '6',
    SVRST_DEMO: 'false',
    SVRST_LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'crit',
  });
  const begin = (command: readonly string[], port: number | undefined): ChildProcess =>
    spawn(process.execPath, [MAIN, ...command], {
      env: env(port),
      stdio: ['ignore', 'ignore', process.env['CHAOS_LOG_LEVEL'] === undefined ? 'ignore' : 'inherit'],
    });
  for (const command of plans) {
    const port = command[0] === 'worker' ? undefined : await freePort();
    const member = { command, port, process: begin(command, port) };
    members.push(member);
    // The first makes the tables.
    await ready(member);
  }
  const member = (i: number): Member => {
    const found = members[i % members.length];
    if (found === undefined) throw new Error('there is nobody');
    return found;
  };
  const end = async (one: Member, signal: NodeJS.Signals): Promise<void> => {
    const ended =
      one.process.exitCode === null && one.process.signalCode === null ? once(one.process, 'exit') : undefined;
    one.process.kill('SIGCONT');
    one.process.kill(signal);
    await ended;
  };
  const again = async (i: number, signal: NodeJS.Signals): Promise<void> => {
    const one = member(i);
    await end(one, signal);
    one.process = begin(one.command, one.port);
  };
  return {
    urls: members.flatMap(({ port }) => (port === undefined ? [] : [`http://127.0.0.1:${port}`])),
    size: members.length,
    replace: (i) => again(i, 'SIGKILL'),
    restart: (i) => again(i, 'SIGTERM'),
    signal: (i, name) => void member(i).process.kill(name),
    killChild() {
      const parents = new Set(members.map(({ process: { pid } }) => pid));
      const child = processes().find(({ pid, parent }) => parents.has(parent) && !isGuard(pid));
      if (child !== undefined) process.kill(child.pid, 'SIGKILL');
      return child !== undefined;
    },
    async allReady() {
      for (const one of members) {
        if (one.process.exitCode !== null || one.process.signalCode !== null)
          one.process = begin(one.command, one.port);
        await ready(one);
      }
    },
    memoryMb: async () => members.map(({ process: { pid } }) => residentMb(pid ?? 0)),
    async doctor() {
      const ran = await promisify(execFile)(process.execPath, [MAIN, 'doctor', '--json'], {
        env: env(undefined),
      }).catch((error: { stdout?: string; stderr?: string }) => ({
        stdout: error.stdout ?? '',
        stderr: error.stderr ?? '',
      }));
      try {
        const { findings } = JSON.parse(ran.stdout) as { findings: { text: string }[] };
        return findings.map(({ text }) => text);
      } catch {
        return [`doctor could not look: ${ran.stderr}${ran.stdout}`];
      }
    },
    stop: async () => void (await Promise.all(members.map((one) => end(one, 'SIGTERM')))),
  };
}

async function ready({ port, process: child }: Member): Promise<void> {
  const until = performance.now() + READY_MS;
  while (port !== undefined && performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`);
    const reply = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    await reply?.text();
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (port !== undefined) throw new Error('a copy does not become ready');
}

/** The shell that a local server runs under; its own faults are those of the server. */
function isGuard(pid: number): boolean {
  return commandOf(pid).startsWith('/bin/sh');
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
