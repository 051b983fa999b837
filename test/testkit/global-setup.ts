// Once per `vitest run`: finds the engines, starts a private PostgreSQL, tells the test files, and cleans up at the end.
//
// TEST_DB_URI            an existing server to use instead (superuser); databases of the run are dropped at its end
// TEST_PG_BIN            the folder of the PostgreSQL programs to use
// TEST_ENGINES           only these engines, for a quick run: TEST_ENGINES=postgres
// TEST_REQUIRE_ENGINES   engines whose absence is a failure; with CI=true all are required

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureEmbeddedAssets } from '../../src/pg/pglite/embedded-assets.ts';
import { ENGINES, type Engine, type Engines } from './engines.ts';
import { findPostgres } from './postgres-binaries.ts';
import { type PostgresCluster, startCluster } from './postgres-cluster.ts';
import { dropDatabases } from './postgres-database.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const env = process.env;
  const wanted = list(env['TEST_ENGINES']) ?? ENGINES;
  const prefix = `survest_test_${randomBytes(4).toString('hex')}`;
  const given = env['TEST_DB_URI'];

  let cluster: PostgresCluster | undefined;
  let postgres: Engines['postgres'] = { kind: 'absent', reason: 'left out by TEST_ENGINES' };
  if (wanted.includes('postgres')) {
    const binaries = given === undefined ? findPostgres(env) : undefined;
    if (binaries !== undefined) cluster = await startCluster(binaries);
    const uri = given ?? cluster?.uri;
    postgres =
      uri === undefined
        ? { kind: 'absent', reason: 'no PostgreSQL with PostGIS was found, and TEST_DB_URI names none' }
        : { kind: 'ready', uri };
  }
  let pglite: Engines['pglite'] = { kind: 'absent', reason: 'left out by TEST_ENGINES' };
  if (wanted.includes('pglite')) pglite = await findPglite();

  const engines: Engines = { postgres, pglite, prefix };
  const required = list(env['TEST_REQUIRE_ENGINES']) ?? (env['CI'] === 'true' ? ENGINES : []);
  for (const engine of required) {
    const state = engines[engine];
    if (state.kind === 'ready') continue;
    await cluster?.stop();
    throw new Error(`the engine ${engine} is required in this run: ${state.reason}`);
  }
  project.provide('engines', engines);

  return async () => {
    if (cluster !== undefined) await cluster.stop();
    else if (postgres.uri !== undefined) await dropDatabases(postgres.uri, prefix);
  };
}

async function findPglite(): Promise<Engines['pglite']> {
  try {
    return { kind: 'ready', assets: await ensureEmbeddedAssets(resolve('node_modules/.cache/survest')) };
  } catch (error) {
    return { kind: 'absent', reason: `PGlite does not work here: ${error instanceof Error ? error.message : error}` };
  }
}

function list(text: string | undefined): readonly Engine[] | undefined {
  if (text === undefined || text === '') return undefined;
  return text.split(',').map((name) => {
    const engine = ENGINES.find((known) => known === name.trim());
    if (engine === undefined) throw new Error(`unknown engine "${name}": there are ${ENGINES.join(' and ')}`);
    return engine;
  });
}
