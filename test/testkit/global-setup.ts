// Once per `vitest run`: finds the engines, starts a private PostgreSQL, tells the test files, and cleans up at the end.
//
// TEST_DB_URI            an existing server to use instead (superuser); databases of the run are dropped at its end
// TEST_PG_BIN            the folder of the PostgreSQL programs to use
// TEST_EVERYWHERE        every suite on both engines, as `npm run test:all` has it; else see embedded-suites.ts
// TEST_NAMED             files are named: without PostgreSQL they run on the embedded engine, whether or not they are listed
// TEST_ENGINES           only these engines, for a quick run: TEST_ENGINES=postgres
// TEST_REQUIRE_ENGINES   engines whose absence is a failure; with CI=true all are required

import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureEmbeddedAssets } from '../../src/pg/pglite/embedded-assets.ts';
import { compileScripts } from './compiled-scripts.ts';
import { ENGINES, type Engine, type EngineAbsent, type Engines } from './engines.ts';
import { startEngineHost } from './pglite/engine-host.ts';
import { findPostgres } from './postgres-binaries.ts';
import { startCluster } from './postgres-cluster.ts';
import { dropDatabases } from './postgres-database.ts';
import { roomInMemory } from './room-in-memory.ts';

const CACHE = resolve('node_modules/.cache/survest');

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const env = process.env;
  const wanted = list(env['TEST_ENGINES']) ?? ENGINES;
  const prefix = `survest_test_${randomBytes(4).toString('hex')}`;

  const [{ scripts, remove }, postgres, pglite] = await Promise.all([
    compileScripts(CACHE),
    wanted.includes('postgres') ? readyPostgres(env) : LEFT_OUT,
    wanted.includes('pglite') ? readyPglite() : LEFT_OUT,
  ]);
  const stop = async (): Promise<void> => {
    remove();
    await Promise.all([postgres, pglite].map((engine) => ('stop' in engine ? engine.stop(prefix) : undefined)));
  };

  const states = { postgres: postgres.state, pglite: pglite.state };
  const required = list(env['TEST_REQUIRE_ENGINES']) ?? (env['CI'] === 'true' ? ENGINES : []);
  for (const engine of required) {
    const state = states[engine];
    if (state.kind === 'ready') continue;
    await stop();
    throw new Error(`the engine ${engine} is required in this run: ${state.reason}`);
  }
  for (const engine of ENGINES)
    console.log(` ${engine}: ${'about' in states[engine] ? states[engine].about : states[engine].reason}`);
  const isPostgres = states.postgres.kind === 'ready';
  const everywhere = [env['TEST_EVERYWHERE'], env['TEST_ENGINES'], isPostgres ? '' : env['TEST_NAMED']].some(Boolean);
  if (!everywhere)
    console.log(
      isPostgres
        ? ' Suites in which PGlite cannot differ run on PostgreSQL alone: npm run test:all runs every suite on both.'
        : ' Suites in which PGlite cannot differ are left out without PostgreSQL: npm run test:all runs every suite on PGlite.',
    );
  project.provide('engines', { ...states, prefix, everywhere });
  project.provide('scripts', scripts);
  return stop;
}

type Prepared<S> = { readonly state: S; stop(prefix: string): Promise<void> } | { readonly state: EngineAbsent };

const LEFT_OUT: { readonly state: EngineAbsent } = { state: { kind: 'absent', reason: 'left out by TEST_ENGINES' } };

/**
 * Nothing here is analyzed, so small statements look dear, and compiling one takes longer than all else that it does (30 ms of 31 for a
 * password's row). The setting `jit` itself stays as servers have it: tests see who turns it off.
 */
const NO_COMPILING = { jit_above_cost: '-1' };

async function readyPostgres(env: NodeJS.ProcessEnv): Promise<Prepared<Engines['postgres']>> {
  const given = env['TEST_DB_URI'];
  if (given !== undefined) {
    return {
      state: { kind: 'ready', uri: given, about: 'the server of TEST_DB_URI' },
      stop: (prefix) => dropDatabases(given, prefix),
    };
  }
  const binaries = findPostgres(env);
  if (binaries === undefined) {
    return { state: { kind: 'absent', reason: 'no PostgreSQL with PostGIS was found, and TEST_DB_URI names none' } };
  }
  const { uri, stop } = await startCluster(binaries, NO_COMPILING, roomInMemory() ?? tmpdir());
  return { state: { kind: 'ready', uri, about: `PostgreSQL ${binaries.version} in ${binaries.bin}` }, stop };
}

async function readyPglite(): Promise<Prepared<Engines['pglite']>> {
  try {
    const assets = await ensureEmbeddedAssets(CACHE);
    const { port, stop } = await startEngineHost(assets);
    return { state: { kind: 'ready', assets, host: port, about: 'PGlite in this process' }, stop };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { state: { kind: 'absent', reason: `PGlite does not work here: ${said}` } };
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
