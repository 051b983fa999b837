// A suite about live streams, once for each way in which changes are heard of: by triggers on both engines, and by logical decoding on a server of its
// own that has `wal_level = logical`. On a shared server a slot would wait for the transactions of other suites.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import {
  type FollowedBy,
  followTablesSql,
  installChangeLogSql,
  installDecodingSql,
  publishTablesSql,
  releaseTablesSql,
  unfollowTablesSql,
} from '../../src/pg/change-log/install-change-log.ts';
import { AUTHENTICATOR } from '../fixtures/rest/fixture.ts';
import { onEachEngine, type SuiteOptions, type TestDatabase } from './database.ts';
import { describeNeeding } from './describe-needing.ts';
import { findPostgres } from './postgres-binaries.ts';
import { type PostgresCluster, startCluster } from './postgres-cluster.ts';
import { openPostgresDatabase } from './postgres-database.ts';

export type LiveWay = {
  readonly by: FollowedBy;
  /** Puts up what it takes, and follows the tables, for the service of the tests. */
  follow(tables: readonly string[]): string;
  release(tables: readonly string[]): string;
};

const TRIGGERS: LiveWay = {
  by: 'triggers',
  follow: (tables) => installChangeLogSql(AUTHENTICATOR) + followTablesSql(tables),
  release: unfollowTablesSql,
};

export const DECODING: LiveWay = {
  by: 'decoding',
  follow: (tables) =>
    `alter role ${AUTHENTICATOR} replication;
    ${installChangeLogSql(AUTHENTICATOR)}${installDecodingSql()}${publishTablesSql(tables)}`,
  release: releaseTablesSql,
};

export function onEachWay(
  name: string,
  options: SuiteOptions,
  suite: (db: () => TestDatabase, way: LiveWay) => void,
): void {
  onEachEngine(`${name}, by triggers`, options, (db) => suite(db, TRIGGERS));
  onLogicalServer(`${name}, by logical decoding`, options.fixtures ?? [], (db) => suite(db, DECODING));
}

/** `settings`: of the server. */
export function onLogicalServer(
  name: string,
  fixtures: readonly string[],
  suite: (db: () => TestDatabase) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  const { postgres } = inject('engines');
  const binaries = postgres.kind === 'ready' ? findPostgres(process.env) : undefined;
  const missing = binaries === undefined ? 'there is no PostgreSQL whose settings could be chosen' : undefined;
  describeNeeding(missing, name, () => {
    let cluster: PostgresCluster | undefined;
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      if (binaries === undefined) return;
      cluster = await startCluster(binaries, { wal_level: 'logical', ...settings });
      database = await openPostgresDatabase(
        { uri: cluster.uri, prefix: `t_${randomBytes(4).toString('hex')}` },
        fixtures,
      );
    });
    afterAll(async () => {
      await database?.close();
      await cluster?.stop();
    });
    suite(() => {
      if (database === undefined) throw new Error('the database is there once the tests run');
      return database;
    });
  });
}
