// The database of the settings: the server that `db-uri` names, the private one of `data-dir`, or the embedded one there.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertNever } from '../kernel/assert-never.ts';
import type { Observation, Observe } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { LockOwner } from '../pg/data-folder/folder-lock.ts';
import type { Driver } from '../pg/driver.ts';
import { borrowDriver } from '../pg/lent/borrow-driver.ts';
import { socketPath } from '../pg/lent/socket-path.ts';
import { findPostgres } from '../pg/local/find-postgres.ts';
import type { PgliteEvent } from '../pg/pglite/events.ts';
import { type EmbeddedError, type EmbeddedOptions, openEmbedded } from '../pg/pglite/open-embedded.ts';
import type { PostgresEvent } from '../pg/postgres/events.ts';
import { makePostgresDriver } from '../pg/postgres/postgres-driver.ts';
import { upgradeEmbedded } from './backup/upgrade-embedded.ts';
import type { ServerConfig } from './config/config.ts';
import { whyNotBegun, whyNothingThere } from './config/database-choice.ts';
import { installPlaces, startLocal } from './open-local-database.ts';
import { VERSION } from './version.ts';
import { waitForFolder } from './wait-for-folder.ts';

export type OpenedDatabase = {
  readonly driver: Driver;
  /** Others may be at work in it at the same time: it is a server, or borrowed from the program that has the embedded one open. */
  readonly isShared: boolean;
  close(): Promise<void>;
};

type Opened = Result<OpenedDatabase, EmbeddedError | { readonly message: string }>;

export const EMBEDDED_POSTGIS: string = fileURLToPath(new URL('../embedded/postgis', import.meta.url));
/** The data folder of a fresh embedded database, as the build makes it. */
export const EMBEDDED_TEMPLATE: string = fileURLToPath(new URL('../embedded/template.tar.gz', import.meta.url));

export async function openDatabase(
  config: ServerConfig,
  env: Environment,
  observe: Observe,
  rereadUri?: () => Promise<string | undefined>,
  owner?: LockOwner,
): Promise<Opened> {
  const wrong = whyNotBegun(config);
  if (wrong !== undefined) return err({ message: wrong });
  if (config.dbUri === undefined) {
    const opened = await openEmbedded(embeddedOptions(config, observe, owner));
    if (!opened.ok) return opened;
    const driver = opened.value;
    return ok({ driver, isShared: false, close: () => driver.close() });
  }
  const isLocal = config.database === 'local';
  observe({ kind: 'pool-sized', max: config.dbPool });
  const driver = makePostgresDriver({
    uri: config.dbUri,
    ...(rereadUri === undefined || isLocal ? {} : { rereadUri }),
    // libpq's variables are about servers that somebody else runs.
    env: isLocal ? {} : env,
    applicationName: `Survest ${VERSION}`,
    replicationUri: config.liveReplicationUri,
    poolSize: config.dbPool,
    acquisitionTimeoutMs: config.dbPoolAcquisitionTimeout * 1000,
    idleMs: config.dbPoolMaxIdletime * 1000,
    lifetimeMs: config.dbPoolMaxLifetime * 1000,
    sharesConnections: config.serverShortcuts.includes('shared-connections'),
    limitsToProcessors: config.serverShortcuts.includes('processor-limit'),
    ...(config.dbPreparedStatements ? {} : { statementCacheSize: 0 }),
    onEvent: (event) => {
      const observation = observationOf(event);
      if (observation !== undefined) observe(observation);
    },
  });
  if (!isLocal) return ok({ driver, isShared: true, close: () => driver.close() });
  const server = await startLocal(config, driver, observe, owner);
  if (!server.ok) {
    await driver.close();
    return server;
  }
  return ok({
    driver,
    isShared: true,
    close: async () => {
      await driver.close();
      await server.value?.close();
    },
  });
}

/** The same for a program that serves: an embedded database of an earlier release of PostgreSQL is brought to this one first. */
export async function openForService(
  config: ServerConfig,
  env: Environment,
  observe: Observe,
  rereadUri: (() => Promise<string | undefined>) | undefined,
  /** `command`: as others are told who has the folder. `signal`: nobody wants it any more. */
  { command, signal }: { readonly command: string; readonly signal: AbortSignal },
): Promise<Result<OpenedDatabase, { readonly message: string }>> {
  const tell = (line: string): void => observe({ kind: 'config-noticed', line });
  const owner = { command, isBrief: false };
  const offer = config.dbUri === undefined ? localServerOffer(config) : undefined;
  const open = (): Promise<Opened> =>
    waitForFolder(() => openDatabase(config, env, observe, rereadUri, owner), {
      tell,
      signal,
      serviceWaitMs: config.dataDirWait * 1000,
    });
  const opened = await open();
  if (opened.ok && offer !== undefined) tell(offer);
  if (opened.ok || !('kind' in opened.error) || opened.error.kind !== 'other-release') return opened;
  const upgraded = await upgradeEmbedded(embeddedOptions(config, observe, owner), opened.error.major, tell);
  if (upgraded === undefined) return opened;
  return upgraded.ok ? open() : upgraded;
}

/** For a first start on a machine that could do better; undefined: there is nothing to offer. */
function localServerOffer(config: ServerConfig): string | undefined {
  if (existsSync(join(config.dataDir, 'database'))) return undefined;
  const [newest] = findPostgres(installPlaces(config));
  if (newest === undefined) return undefined;
  return `PostgreSQL ${newest.major} with PostGIS is installed on this machine, and serves more people at once than the embedded database: "survest move --to local" brings the database to a private server of it (docs/operations.md)`;
}

function embeddedOptions(config: ServerConfig, observe: Observe, owner: LockOwner | undefined): EmbeddedOptions {
  return {
    ...(owner === undefined ? {} : { owner }),
    dataDir: config.dataDir,
    templatePath: EMBEDDED_TEMPLATE,
    bufferMegabytes: config.embeddedBuffers,
    acquisitionTimeoutMs: config.dbPoolAcquisitionTimeout * 1000,
    onEvent: (event) => {
      const observation = embeddedObservation(event);
      if (observation !== undefined) observe(observation);
    },
  };
}

export type CommandWaits = {
  /** As others are told who has the folder: survest backup. */
  readonly command: string;
  /** Makes a database where there is none; others would report on an empty one that nobody meant. */
  readonly begins: boolean;
  readonly tell: (line: string) => void;
};

/**
 * The same for a command. The embedded database has one program at a time: where a service has it open, the command asks that one; where another
 * command has, or a service that only starts or ends, it waits.
 */
export function openForCommand(
  config: ServerConfig,
  env: Environment,
  { command, begins, tell }: CommandWaits,
): Promise<Result<OpenedDatabase, { readonly message: string }>> {
  const open = async (): Promise<Opened> => {
    const nothing = begins ? undefined : whyNothingThere(config);
    if (nothing !== undefined) return err({ message: nothing });
    const opened = await openDatabase(config, env, () => {}, undefined, { command, isBrief: true });
    if (opened.ok || !('kind' in opened.error) || opened.error.kind !== 'folder-locked') return opened;
    const borrowed = await borrowDriver(socketPath(config.dataDir).path);
    if (borrowed === undefined) return opened;
    if (!borrowed.ok) return borrowed;
    return ok({ driver: borrowed.value, isShared: true, close: () => borrowed.value.close() });
  };
  return waitForFolder(open, { tell, serviceWaitMs: config.dataDirWait * 1000 });
}

/** The same for a command that cannot ask a running program: it waits for other commands alone. */
export function openAlone(config: ServerConfig, env: Environment, { command, tell }: CommandWaits): Promise<Opened> {
  const owner = { command, isBrief: true };
  return waitForFolder(() => openDatabase(config, env, () => {}, undefined, owner), { tell, serviceWaitMs: 0 });
}

function embeddedObservation(event: PgliteEvent): Observation | undefined {
  switch (event.kind) {
    case 'folder-tightened': {
      const line = `the folder "${event.folder}" could be read by every account of this machine; now by its owner alone (mode 0700)`;
      return { kind: 'config-noticed', line };
    }
    case 'folder-open': {
      const line = `the folder "${event.folder}" can be read by other accounts of this machine, and its mode cannot be changed`;
      return { kind: 'config-noticed', line };
    }
    case 'engine-interrupted': {
      const why = event.why === 'time' ? 'took too long' : 'went on after its caller had left';
      const message = `a statement ${why} (${event.afterMs} ms): the embedded database was ended under it and starts again`;
      return { kind: 'connection-lost', message };
    }
    case 'engine-died':
    case 'engine-start-failed':
      return { kind: 'connection-lost', message: event.message };
    case 'pool-timeout':
      return { kind: 'pool-timeout', afterMs: event.afterMs };
    case 'engine-started':
    case 'engine-closed':
    case 'table-vacuumed':
    case 'retried':
      return undefined;
    default:
      return assertNever(event);
  }
}

/** What of the driver's life is worth telling; undefined: nothing. */
function observationOf(event: PostgresEvent): Observation | undefined {
  switch (event.kind) {
    case 'connected':
      return { kind: 'pool-connection', event: 'opened' };
    case 'closed':
      return event.reason === 'lost' || event.reason === 'unclean'
        ? { kind: 'connection-lost', message: event.message }
        : { kind: 'pool-connection', event: 'closed' };
    case 'pool-timeout':
      return { kind: 'pool-timeout', afterMs: event.afterMs };
    case 'cancel-failed':
      return { kind: 'connection-lost', message: event.message };
    case 'uri-changed':
      return { kind: 'config-noticed', line: 'db-uri was read again, and has changed; new connections follow it' };
    case 'pooler-suspected':
      return {
        kind: 'connection-lost',
        message: `${event.message}; there seems to be a transaction pooler in front of the database: set db-prepared-statements = false and db-channel-enabled = false`,
      };
    // Who wanted the connection says so, with what it means for them.
    case 'connect-failed':
    case 'cancel-sent':
    case 'retried':
      return undefined;
    default:
      return assertNever(event);
  }
}
