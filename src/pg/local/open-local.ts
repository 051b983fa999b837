// A data folder → its private PostgreSQL server: made where there is none, started, prepared for the program, started again when it ends by
// itself, and stopped with the program.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LockOwner } from '../data-folder/folder-lock.ts';
import { tightenFolderMode } from '../data-folder/private-folder.ts';
import { undoReplacing } from '../data-folder/replace-database.ts';
import { type FolderTaken, takeDataFolder } from '../data-folder/take-data-folder.ts';
import type { Driver } from '../driver.ts';
import { makePostgresDriver } from '../postgres/postgres-driver.ts';
import { findPostgres, type InstallPlaces, MIN_MAJOR, type PostgresInstall } from './find-postgres.ts';
import { LOCAL_DATABASE, LOCAL_SUPERUSER, type LocalPlace, localPlace, localUri } from './local-place.ts';
import { clusterMajor, makeCluster, writeServerFiles } from './make-cluster.ts';
import { prepareCluster, prepareDatabase } from './prepare-database.ts';
import { giveTo, type ServerAccount, serverAccount, whyOutOfReach } from './server-account.ts';
import { type ServerProcess, startProcess, stopLeftOver } from './server-process.ts';

export type LocalOptions = {
  readonly dataDir: string;
  readonly installs: InstallPlaces;
  /** Connections of the program; the server keeps some more for commands and its own tools. */
  readonly connections: number;
  /** Told to others who want the folder meanwhile. */
  readonly owner?: LockOwner | undefined;
  readonly onEvent: (event: LocalEvent) => void;
};

export type LocalEvent =
  | { readonly kind: 'cluster-made'; readonly folder: string; readonly version: string }
  | { readonly kind: 'server-started'; readonly version: string; readonly ms: number }
  /** A newer release is installed beside the one that made the cluster. */
  | { readonly kind: 'newer-installed'; readonly major: number; readonly newest: number }
  /** It ended by itself and is started again; `message`: what it said last. */
  | { readonly kind: 'server-lost'; readonly message: string }
  | { readonly kind: 'restart-failed'; readonly message: string; readonly retryInMs: number };

export type LocalError = FolderTaken | { readonly kind: 'local-unusable'; readonly message: string };

export type LocalServer = { close(): Promise<void> };

const SPARE_CONNECTIONS = 20;
const POLL_MS = 50;
/** A crash leaves up to `max_wal_size` of log to replay. */
const START_MS = 10 * 60_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const RETRY_MS = [1000, 2000, 4000, 8000, 16_000, 30_000] as const;

export async function openLocal(options: LocalOptions): Promise<Result<LocalServer, LocalError>> {
  const dataDir = resolve(options.dataDir);
  const account = serverAccount();
  if (!account.ok) return unusable(account.error);
  try {
    if (!existsSync(dataDir)) tightenFolderMode(dataDir);
  } catch (error) {
    return unusable(`the folder "${dataDir}" cannot be used: ${String(error)}`);
  }
  const lock = takeDataFolder(dataDir, options.owner);
  if (!lock.ok) return lock;
  try {
    const server = await openLocked(localPlace(dataDir), account.value, options);
    if (!server.ok) {
      lock.value.release();
      return server;
    }
    return ok({
      close: async () => {
        try {
          await server.value.close();
        } finally {
          lock.value.release();
        }
      },
    });
  } catch (cause) {
    lock.value.release();
    return unusable(cause instanceof Error ? cause.message : String(cause));
  }
}

/** The caller holds the lock of the data folder. */
export async function openLocked(
  place: LocalPlace,
  account: ServerAccount,
  options: LocalOptions,
): Promise<Result<LocalServer, LocalError>> {
  const { onEvent } = options;
  const reach = whyOutOfReach(account, dirname(place.cluster));
  if (reach !== undefined) return unusable(reach);
  // First, for the release of the cluster that is put back is the one to be chosen.
  undoReplacing(place.cluster);
  clearDrafts(place);
  const chosen = chooseInstall(place, findPostgres(options.installs), options);
  if (!chosen.ok) return chosen;
  const install = chosen.value;
  if (!existsSync(join(place.cluster, 'PG_VERSION'))) {
    const made = await makeCluster(install, place, account);
    if (!made.ok) return unusable(made.error);
    onEvent({ kind: 'cluster-made', folder: place.cluster, version: install.version });
  }
  mkdirSync(place.socketFolder, { recursive: true, mode: 0o700 });
  giveTo(account, place.socketFolder);
  const started = await start();
  if (!started.ok) return unusable(started.error);
  let running = started.value;
  const stopping = new AbortController();
  const supervised = supervise();
  return ok({
    async close() {
      stopping.abort();
      await running.stop();
      await supervised;
      rmSync(place.socketFolder, { recursive: true, force: true });
    },
  });

  async function start(): Promise<Result<ServerProcess, string>> {
    const began = performance.now();
    await stopLeftOver(install, place, account);
    writeServerFiles(place, account, options.connections + SPARE_CONNECTIONS);
    const server = startProcess(install, place, account);
    const ready = await prepare(server, place);
    if (!ready.ok) {
      await server.stop();
      return err(`PostgreSQL in "${place.cluster}" ${ready.error}`);
    }
    onEvent({ kind: 'server-started', version: install.version, ms: performance.now() - began });
    return ok(server);
  }

  async function supervise(): Promise<void> {
    for (;;) {
      await running.ended;
      if (stopping.signal.aborted) return;
      onEvent({ kind: 'server-lost', message: running.lastLines() });
      for (let attempt = 0; ; attempt += 1) {
        const again = await start().catch((cause: unknown) => err(String(cause)));
        if (again.ok) {
          running = again.value;
          // Asked to stop while it started.
          if (stopping.signal.aborted) await running.stop();
          break;
        }
        const retryInMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? POLL_MS;
        onEvent({ kind: 'restart-failed', message: again.error, retryInMs });
        await delay(retryInMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
      }
    }
  }
}

/** The release that made the cluster, or the newest one for a new cluster. */
function chooseInstall(
  place: LocalPlace,
  installs: readonly PostgresInstall[],
  { installs: { bin }, onEvent }: LocalOptions,
): Result<PostgresInstall, LocalError> {
  const [newest] = installs;
  const major = existsSync(join(place.cluster, 'PG_VERSION')) ? clusterMajor(place) : undefined;
  if (major === undefined) {
    if (newest !== undefined) return ok(newest);
    return unusable(
      `database = local runs PostgreSQL ${MIN_MAJOR} or later with PostGIS, and ${bin === undefined ? 'none is installed' : `there is none in pg-bin ("${bin}")`}: install it (on Debian and Ubuntu: apt install postgresql postgis), name its folder with pg-bin, or use the embedded database`,
    );
  }
  const install = installs.find((each) => each.major === major);
  if (install === undefined) {
    const others = installs.map((each) => each.major).join(', ');
    return unusable(
      `the database in "${place.cluster}" was made by PostgreSQL ${major}, which is not installed with PostGIS${others === '' ? '' : ` (installed: ${others})`}. It was left as it is: install PostgreSQL ${major} again, beside the other if there is one; survest move --to local then brings the database to the newest release`,
    );
  }
  if (newest !== undefined && newest.major > major) onEvent({ kind: 'newer-installed', major, newest: newest.major });
  return ok(install);
}

async function prepare(server: ServerProcess, place: LocalPlace): Promise<Result<void, string>> {
  const cluster = superuser(place, LOCAL_SUPERUSER);
  try {
    const answers = await waitUntilReady(server, cluster);
    if (!answers.ok) return answers;
    const made = await prepareCluster(cluster);
    if (!made.ok) return err(`could not be prepared: ${made.error}`);
  } finally {
    await cluster.close();
  }
  const database = superuser(place, LOCAL_DATABASE);
  try {
    const prepared = await prepareDatabase(database);
    return prepared.ok ? prepared : err(`could not be prepared: ${prepared.error}`);
  } finally {
    await database.close();
  }
}

async function waitUntilReady(server: ServerProcess, driver: Driver): Promise<Result<void, string>> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const answered = await driver.execute([{ text: 'select 1', params: [] }]);
    if (answered.ok) return ok(undefined);
    const said = 'message' in answered.error ? answered.error.message : answered.error.kind;
    if (server.hasEnded()) return err(`did not start: ${server.lastLines() || said}`);
    if (performance.now() > deadline) return err(`did not answer within ${START_MS / 60_000} minutes: ${said}`);
    await delay(POLL_MS);
  }
}

function superuser(place: LocalPlace, database: string): Driver {
  return makePostgresDriver({
    uri: localUri(place, LOCAL_SUPERUSER, database),
    env: {},
    applicationName: 'Survest (start)',
    poolSize: 1,
    statementCacheSize: 0,
  });
}

/** What a start left that was killed while it made a cluster: nothing in it was anybody's yet. */
function clearDrafts({ cluster }: LocalPlace): void {
  const parent = dirname(cluster);
  const prefix = `${basename(cluster)}.new-`;
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix) && UUID.test(name.slice(prefix.length)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function unusable(message: string): Result<never, LocalError> {
  return err({ kind: 'local-unusable', message });
}
