// The PostgreSQL that tests run against: TEST_PG_BIN, or the newest release with PostGIS that the program itself would find.

import { findPostgres as findInstalls, type PostgresInstall } from '../../src/pg/local/find-postgres.ts';

export type PostgresBinaries = PostgresInstall;

export function findPostgres(env: NodeJS.ProcessEnv): PostgresBinaries | undefined {
  return findInstalls({ bin: env['TEST_PG_BIN'], path: env['PATH'] ?? '' })[0];
}
