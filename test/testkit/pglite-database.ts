// A database of its own for one suite, on the embedded engine: fixture files → an engine in memory with them in it.

import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { DbError, Driver } from '../../src/pg/driver.ts';
import type { EmbeddedAssets } from '../../src/pg/pglite/embedded-assets.ts';
import { startEngine } from '../../src/pg/pglite/engine.ts';
import { makePgliteDriver } from '../../src/pg/pglite/pglite-driver.ts';
import type { TestDatabase } from './database.ts';
import { borrowEngine } from './pglite/lent-engine.ts';
import { readFixtures } from './pglite/snapshot-engine.ts';

export type PgliteSource =
  /** One of the warm engines of the run. */
  | { readonly kind: 'lent'; readonly host: number }
  /** One of its own, in this process, as the program has it; for tests about the engine itself. */
  | { readonly kind: 'own'; readonly assets: EmbeddedAssets };

export async function openPgliteDatabase(source: PgliteSource, fixtures: readonly string[]): Promise<TestDatabase> {
  const start =
    source.kind === 'lent'
      ? () => borrowEngine(source.host, fixtures)
      : () => startEngine({ dataDir: null, ...source.assets });
  let isStarted = false;
  const driver = makePgliteDriver({
    start: () => {
      if (isStarted) return Promise.reject(new Error('the engine died, and its database was in memory'));
      isStarted = true;
      return start();
    },
    acquisitionTimeoutMs: 100_000,
  });
  try {
    if (source.kind === 'own') {
      const { scripts, hasPostgis } = readFixtures(fixtures);
      if (!hasPostgis) await runScript(driver, 'drop extension postgis', 'template');
      for (const { path, sql } of scripts) await runScript(driver, sql, `fixture ${path}`);
    } else await runScript(driver, 'select', 'engine');
  } catch (error) {
    await driver.close();
    throw error;
  }
  return asTestDatabase(driver);
}

/** A driver of the embedded engine as the tests use databases. */
export function asTestDatabase(driver: Driver): TestDatabase {
  return {
    engine: 'pglite',
    driver,
    uri: undefined,
    script: (sql) => runScript(driver, sql, 'script'),
    query: <T>(sql: string, params: unknown[] = []) => query<T>(driver, sql, params),
    close: () => driver.close(),
  };
}

async function runScript(driver: Driver, sql: string, what: string): Promise<void> {
  const done = await driver.script(sql);
  if (!done.ok) throw asThrown(done.error, what);
}

async function query<T>(driver: Driver, sql: string, params: unknown[]): Promise<T[]> {
  const executed = await driver.execute([{ text: sql, params: params.map(prepareValue), describe: true }]);
  if (!executed.ok) throw asThrown(executed.error, 'query');
  const [result] = executed.value;
  const columns = (result?.fields ?? []).map(({ name, type }) => ({
    name,
    parse: pg.types.getTypeParser(type, 'text'),
  }));
  return (result?.rows ?? []).map((row) => {
    const cells = columns.map(({ name, parse }, i) => {
      const cell = row[i];
      return [name, cell === null || cell === undefined ? null : parse(cell.toString('utf8'))];
    });
    return Object.fromEntries(cells) as T;
  });
}

function asThrown(error: DbError, what: string): Error {
  const message = 'message' in error ? error.message : error.kind;
  // As `pg` throws them: the SQLSTATE is `code`.
  return Object.assign(
    new Error(`${what}: ${message}`),
    error.kind === 'sql' ? { code: error.sqlstate, ...error } : {},
  );
}
