// A database with the benchmark's schema, the built server in front of it, and a token: what every REST benchmark needs.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { loadRestConfig } from '../../src/rest/config/load-config.ts';
import type { RestState } from '../../src/rest/pipeline/state.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { loadState } from './statements.ts';

export const POOL = 16;
export const SECRET = 'a secret for benchmarks, 32 characters or more';

export type RunningServer = { readonly port: number; readonly pid: number; stop(): Promise<void> };

export type RestSetting = {
  readonly bin: string;
  readonly uri: string;
  readonly port: number;
  readonly state: RestState;
  readonly driver: ReturnType<typeof makePostgresDriver>;
  readonly token: string;
  readonly serverPid: number;
  /** One more server on the same database, with other settings. */
  another(env: Readonly<Record<string, string>>): Promise<RunningServer>;
  close(): Promise<void>;
};

/** `nodeArgs`: for the server's process, such as `--cpu-prof`; `scripts`: more for the database than the usual schema. */
export async function openRestSetting(
  env: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
  scripts: Iterable<string> = [],
): Promise<RestSetting> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  const cluster = await startCluster(binaries);
  const driver = makePostgresDriver({ uri: cluster.uri, poolSize: POOL });
  const made = await driver.script(await readFile(new URL('./schema.sql', import.meta.url), 'utf8'));
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  for (const script of scripts) {
    const more = await driver.script(script);
    if (!more.ok) throw new Error(JSON.stringify(more.error));
  }
  const settings = {
    SVRST_DB_URI: cluster.uri,
    SVRST_DB_SCHEMAS: 'bench',
    SVRST_DB_ANON_ROLE: 'bench_anon',
    SVRST_DB_AGGREGATES_ENABLED: 'true',
    SVRST_DB_POOL: String(POOL),
    SVRST_JWT_SECRET: SECRET,
    SVRST_SERVER_HOST: '127.0.0.1',
    SVRST_SERVER_PORT: '0',
    ...env,
  };
  const config = await loadRestConfig({
    args: [],
    env: settings,
    file: undefined,
    database: [],
    readText: () => Promise.reject(new Error('no files')),
  });
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const state = await loadState(driver, config.value.config);
  const server = await startServer(settings, nodeArgs);
  return {
    bin: binaries.bin,
    uri: cluster.uri,
    port: server.port,
    state,
    driver,
    token: tokenFor({ role: 'bench_user', exp: Math.floor(Date.now() / 1000) + 3600 }),
    serverPid: server.pid,
    another: (more) => startServer({ ...settings, ...more }, nodeArgs),
    async close() {
      await server.stop();
      await driver.close();
      await cluster.stop();
    },
  };
}

async function startServer(
  settings: Readonly<Record<string, string>>,
  nodeArgs: readonly string[],
): Promise<RunningServer> {
  const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
  const server = spawn(process.execPath, [...nodeArgs, main, 'rest'], {
    env: { ...withoutOurs(process.env), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await portOf(server);
  return {
    port,
    pid: server.pid ?? 0,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

/** The benchmark's own variables would be unknown settings to the program. */
export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SVRST_')));
}

/** Waits for the schema to be loaded; the address is said before. */
function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined && text.includes('Schema cache loaded')) resolve(Number(port));
    });
    server.once('exit', () => reject(new Error(`the server ended:\n${text}`)));
  });
}

export function tokenFor(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}
