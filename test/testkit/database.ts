// A real database for a suite: engine and fixture files → a database of its own, dropped at the end.
//
// Fixtures are plain SQL scripts (no psql commands), run in order by the superuser into a template that is made once per
// run and cloned per suite. Two things to know when writing one:
// - Roles belong to the whole server, not to a database, and other fixtures may have made them already:
//     do $$ begin create role api_user nologin; exception when duplicate_object then null; end $$;
//   For the same reason a test does not change roles that other suites use; it makes one of its own.
// - `alter database … set` is not copied to a clone. Say it in the suite: `db().script(…)` with current_database().

import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import type { Driver } from '../../src/pg/driver.ts';
import { describeNotRun } from './describe-needing.ts';
import { isEmbeddedSuite } from './embedded-suites.ts';
import { ENGINES, type Engine, type Engines } from './engines.ts';
import { openPgliteDatabase, type PgliteSource } from './pglite-database.ts';
import { openPostgresDatabase } from './postgres-database.ts';

export { ENGINES, type Engine } from './engines.ts';

export type TestDatabase = {
  readonly engine: Engine;
  readonly driver: Driver;
  /** Connection URI as superuser; undefined on pglite, which only this process can reach. */
  readonly uri: string | undefined;
  /** Runs any number of statements as superuser; throws what the database says. */
  script(sql: string): Promise<void>;
  /** Runs one statement as superuser. Values arrive as `pg` makes them: numbers, strings, dates, parsed JSON. */
  query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
};

export type OpenOptions = {
  /** The embedded engine in this process instead of a warm one that is lent; for tests about the engine itself. */
  readonly ownEngine?: boolean;
};

export async function openDatabase(
  engine: Engine,
  fixtures: readonly string[],
  options: OpenOptions = {},
): Promise<TestDatabase> {
  const engines = enginesOfRun();
  switch (engine) {
    case 'postgres': {
      if (engines.postgres.kind === 'absent') throw new Error(engines.postgres.reason);
      return openPostgresDatabase({ uri: engines.postgres.uri, prefix: engines.prefix }, fixtures);
    }
    case 'pglite': {
      if (engines.pglite.kind === 'absent') throw new Error(engines.pglite.reason);
      const { assets, host } = engines.pglite;
      const source: PgliteSource = options.ownEngine === true ? { kind: 'own', assets } : { kind: 'lent', host };
      return openPgliteDatabase(source, fixtures);
    }
  }
}

export type SuiteOptions = OpenOptions & {
  /** Absolute paths of .sql files, run in this order. */
  readonly fixtures?: readonly string[];
  /** Only these engines; for suites about one engine's own behaviour. */
  readonly engines?: readonly Engine[];
  /** What an engine cannot do, said by reason; the run lists it at its end. */
  readonly skip?: Partial<Record<Engine, string>>;
};

/**
 * Runs the suite on PostgreSQL, and on the embedded engine if the two can differ in it (`embedded-suites.ts`): as `name [postgres]` and
 * `name [pglite]`, each on a database of its own.
 */
export function onEachEngine(name: string, options: SuiteOptions, suite: (db: () => TestDatabase) => void): void {
  const engines = enginesOfRun();
  const possible = options.engines ?? ENGINES;
  const isForPostgres = possible.includes('postgres') && options.skip?.postgres === undefined;
  const isForBoth = !isForPostgres || engines.everywhere || isEmbeddedSuite(expect.getState().testPath);
  for (const engine of possible) {
    if (engine === 'pglite' && !isForBoth) continue;
    const title = `${name} [${engine}]`;
    const state = engines[engine];
    const reason = options.skip?.[engine] ?? (state.kind === 'absent' ? state.reason : undefined);
    if (reason !== undefined) {
      describeNotRun(title, reason, () => suite(unopened));
      continue;
    }
    describe(title, () => {
      let database: TestDatabase | undefined;
      beforeAll(async () => {
        database = await openDatabase(engine, options.fixtures ?? [], options);
      });
      afterAll(async () => {
        await database?.close();
      });
      suite(() => database ?? unopened());
    });
  }
}

/** Throws in a unit test: the project `unit` starts no engine (`test/testkit/test-projects.ts`). */
function enginesOfRun(): Engines {
  const engines = inject('engines') as Engines | undefined;
  if (engines === undefined)
    throw new Error('unit tests have no database: import test/testkit/database.ts in the test file itself');
  return engines;
}

function unopened(): never {
  throw new Error('the database is there once the tests run: call db() inside a test or a hook, not while collecting');
}
