// The replicas of the settings: their pools, the connections by which they and the primary are watched, and what is told of them.

import type { Observe } from '../kernel/observation.ts';
import type { Environment } from '../kernel/options/collect.ts';
import type { Driver } from '../pg/driver.ts';
import { connectSettings } from '../pg/postgres/connect-settings.ts';
import { makePostgresDriver } from '../pg/postgres/postgres-driver.ts';
import type { LeftOut } from '../pg/replicas/replica.ts';
import { type ReplicaEvent, Replicas } from '../pg/replicas/replicas.ts';
import type { ServerConfig } from './config/config.ts';
import { VERSION } from './version.ts';

/** A server that says nothing for so long is left out; with the pause between two looks that is less than a second. */
const SILENT_MS = 600;
const CONNECT_MS = 2000;
/** The log of the primary takes its locks on a replica as well, and may keep them long: while a slow reader holds it up, the primary has let go. */
const LOCK_MS = 1000;

/** Undefined: the embedded database has none. */
export function openReplicas(
  config: ServerConfig,
  env: Environment,
  observe: Observe,
  rereadUri?: () => Promise<string | undefined>,
): Replicas | undefined {
  const { dbUri } = config;
  if (dbUri === undefined) return undefined;
  const watch = (uri: string, more: { readonly rereadUri?: () => Promise<string | undefined> } = {}): Driver =>
    makePostgresDriver({
      uri,
      ...more,
      env,
      applicationName: `Survest ${VERSION} health check`,
      poolSize: 1,
      idleMs: 60_000,
      acquisitionTimeoutMs: SILENT_MS,
      connectTimeoutMs: SILENT_MS,
      batchTimeoutMs: SILENT_MS,
      ...(config.dbPreparedStatements ? {} : { statementCacheSize: 0 }),
    });
  const reads = (uri: string): Driver =>
    makePostgresDriver({
      uri,
      env,
      applicationName: `Survest ${VERSION}`,
      poolSize: config.dbPool,
      acquisitionTimeoutMs: config.dbPoolAcquisitionTimeout * 1000,
      idleMs: config.dbPoolMaxIdletime * 1000,
      lifetimeMs: config.dbPoolMaxLifetime * 1000,
      connectTimeoutMs: CONNECT_MS,
      lockTimeoutMs: LOCK_MS,
      sharesConnections: config.serverShortcuts.includes('shared-connections'),
      limitsToProcessors: config.serverShortcuts.includes('processor-limit'),
      ...(config.dbPreparedStatements ? {} : { statementCacheSize: 0 }),
    });
  return new Replicas({
    watchPrimary: () => watch(dbUri, rereadUri === undefined ? {} : { rereadUri }),
    open: (uri) => ({ reads: () => reads(uri), watch: () => watch(uri) }),
    nameOf: (uri) => nameOf(uri, env),
    onEvent: (event) => observe(told(event)),
  });
}

function nameOf(uri: string, env: Environment): string {
  const settings = connectSettings(uri, env, undefined);
  const host = settings.ok ? settings.value.hosts[0] : undefined;
  return host === undefined ? 'unknown' : `${host.host}:${host.port}`;
}

function told({ server, leftOut, message }: ReplicaEvent): Parameters<Observe>[0] {
  if (leftOut === undefined) return { kind: 'replica-used', server };
  return { kind: 'replica-left-out', server, why: `${WHY[leftOut]}${message === undefined ? '' : `: ${message}`}` };
}

const WHY: { readonly [Why in LeftOut]: string } = {
  unknown: 'the primary has not told its position yet',
  unreachable: 'it does not answer',
  'not-a-replica': 'it is no replica, or no longer one',
  'other-cluster': 'it is a replica of another server than db-uri names',
  paused: 'its replay is paused (pg_wal_replay_resume() goes on)',
  lagging: 'it is further behind the primary than db-replica-max-lag',
};
