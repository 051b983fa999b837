// A database of its own for one suite, on the embedded engine: fixture files → a fresh engine in memory with them in it.
// Each suite starts one, from the template of the build: PGlite can neither clone a database nor be emptied reliably.

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { DbError, Driver } from '../../src/pg/driver.ts';
import { startEngine } from '../../src/pg/pglite/engine.ts';
import { makePgliteDriver } from '../../src/pg/pglite/pglite-driver.ts';
import type { TestDatabase } from './database.ts';

export async function openPgliteDatabase(
  assets: { readonly template: string; readonly bundle: string },
  fixtures: readonly string[],
): Promise<TestDatabase> {
  let isStarted = false;
  const driver = makePgliteDriver({
    start: () => {
      if (isStarted) return Promise.reject(new Error('the engine died, and its database was in memory'));
      isStarted = true;
      return startEngine({ dataDir: null, ...assets });
    },
    acquisitionTimeoutMs: 60_000,
  });
  const scripts = fixtures.map((path) => ({ path, sql: readFileSync(path, 'utf8') }));
  try {
    // The template has PostGIS; a database on a server has it only when its fixtures ask for it.
    if (!scripts.some(({ sql }) => /postgis/i.test(sql))) await runScript(driver, 'drop extension postgis', 'template');
    for (const { path, sql } of scripts) await runScript(driver, sql, `fixture ${path}`);
  } catch (error) {
    await driver.close();
    throw error;
  }
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
  const flown = await driver.fly([{ text: sql, params: params.map(prepareValue), describe: true }]);
  if (!flown.ok) throw asThrown(flown.error, 'query');
  const [result] = flown.value;
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
