// What newcomers wait for, and what the program takes while nobody asks anything: the parts of a start, and the memory at rest. Times are the
// middle of three; memory is what its processes hold (`VmRSS`), half a minute after the start.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openEmbedded } from '../../src/pg/pglite/open-embedded.ts';
import { migratePortal } from '../../src/server/portal/migrate-portal.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { median } from '../lib/median.ts';
import { MAIN } from '../lib/program.ts';
import { type BenchRow, printRows } from '../lib/report.ts';

const ROUNDS = 3;
const REST_MS = 30_000;
const LIMITS = { empty: 3000, migrated: 200, first: 10_000, later: 5000 } as const;
const MEGABYTES = { demo: 350, restEmbedded: 200, restPostgres: 120 } as const;

export async function run(): Promise<boolean> {
  const parts: Record<keyof typeof LIMITS, number[]> = { empty: [], migrated: [], first: [], later: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await inFolder(async (folder) => {
      const { empty, migrated } = await startDatabase(folder);
      parts.empty.push(empty);
      parts.migrated.push(migrated);
    });
    await inFolder(async (folder) => {
      for (const start of ['first', 'later'] as const) {
        const began = performance.now();
        const program = await startSurvest([], folder);
        parts[start].push(performance.now() - began);
        await program.stop();
      }
    });
  }
  const times = printRows('A start, in milliseconds: the limit, in what it takes', [
    within('an empty folder becomes a database of this version', LIMITS.empty, median(parts.empty), 'ms'),
    within('a database of this version is checked', LIMITS.migrated, median(parts.migrated), 'ms'),
    within('first start, with the demo, to the first answer', LIMITS.first, median(parts.first), 'ms'),
    within('later start, to the first answer', LIMITS.later, median(parts.later), 'ms'),
  ]);
  const rest = printRows('Memory at rest, in megabytes: the limit, in what it takes', await memoryAtRest());
  return times && rest;
}

function within(what: string, limit: number, measured: number, unit: string): BenchRow {
  return { what, measured: limit, reference: measured, unit, target: 1 };
}

async function startDatabase(folder: string): Promise<{ readonly empty: number; readonly migrated: number }> {
  const began = performance.now();
  const templatePath = join(dirname(MAIN), '../embedded/template.tar.gz');
  const opened = await openEmbedded({ dataDir: folder, templatePath });
  if (!opened.ok) throw new Error(opened.error.message);
  const made = await migratePortal(opened.value);
  const empty = performance.now() - began;
  const again = performance.now();
  const checked = await migratePortal(opened.value);
  const migrated = performance.now() - again;
  await opened.value.close();
  if (!made.ok || !checked.ok) throw new Error('the database was not brought to this version');
  return { empty, migrated };
}

async function memoryAtRest(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  const measure = async (what: string, limit: number, args: readonly string[], folder: string): Promise<void> => {
    const program = await startSurvest(args, folder);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    rows.push(within(what, limit, memoryOf(program.child.pid ?? 0), 'MB'));
    await program.stop();
  };
  await inFolder((folder) => measure('everything, with the demo', MEGABYTES.demo, [], folder));
  await inFolder((folder) => measure('survest rest, embedded', MEGABYTES.restEmbedded, ['rest'], folder));
  const binaries = findPostgres(process.env);
  if (binaries === undefined) return rows;
  const cluster = await startCluster(binaries);
  await inFolder((folder) =>
    measure('survest rest, on PostgreSQL', MEGABYTES.restPostgres, ['rest', '--db-uri', cluster.uri], folder),
  );
  await cluster.stop();
  return rows;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'survest-bench-start-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves once it has answered a request. */
async function startSurvest(
  args: readonly string[],
  folder: string,
): Promise<{ readonly child: ChildProcess; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const isRest = args[0] === 'rest';
  const ports = isRest ? ['--server-port', `${port}`] : ['--portal-port', `${port}`, '--server-port', '0'];
  const own = args.includes('--db-uri') ? [] : ['--data-dir', folder];
  const env = { ...process.env, SVRST_ADMIN_PASSWORD: 'a password for benchmarks' };
  const child = spawn(process.execPath, [MAIN, ...args, ...ports, ...own], { env, stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (child.exitCode === null) {
    const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    await reply?.arrayBuffer();
    if (reply !== undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`);
  return {
    child,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Of a process and those it has started, in megabytes. */
function memoryOf(pid: number): number {
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN);
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return kilobytes / 1024 + children.reduce((sum, child) => sum + memoryOf(child), 0);
}
