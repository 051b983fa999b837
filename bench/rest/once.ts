// What is computed from a client's text: as a bare call, as a sub-select (`rest/query/once-sql.ts`), and as a call with its configuration, which the
// planner computes; by processor time. A page of a short full-text query where there is an index, over all rows of a table, and of a long one.

import type { Statement } from '../../src/pg/driver.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { printRows } from '../lib/report.ts';
import { backends, CONNECTIONS, compare } from './processor-time.ts';

const SCHEMA = `
create table articles (id int primary key, title text not null, words tsvector not null);
insert into articles
select n, 'article ' || n, to_tsvector('english', 'word' || n % 1000 || ' and word' || n % 77 || ' common')
  from generate_series(1, 20000) n;
create index on articles using gin (words);
create table few as select * from articles limit 200;
analyze articles;
analyze few`;

const LONG = `common ${Array.from({ length: 300 }, (_, i) => `-x${i}`).join(' ')}`;

const CASES: readonly (readonly [what: string, table: string, words: string])[] = [
  ['a short text, by the index', 'articles', 'word500 word38'],
  ['a short text, 200 rows looked at', 'few', 'word500'],
  ['a text of 2,000 letters, 200 rows looked at', 'few', LONG],
];

export async function run(): Promise<boolean> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL on this machine');
  const cluster = await startCluster(binaries);
  const driver = makePostgresDriver({ uri: cluster.uri, poolSize: CONNECTIONS });
  try {
    const made = await driver.script(SCHEMA);
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    const pids = await backends(driver);
    for (const [at, [what, table, words]] of CASES.entries()) {
      // As requests prepare theirs.
      const statement = (name: string, query: string): Statement => ({
        name: `${name}_${at}`,
        text: `select id, title from ${table} where words @@ ${query} order by id limit 10`,
        params: [words],
      });
      const batchOf = (name: string, query: string) => () => ({
        batch: [statement(name, query)],
        body: () => Buffer.alloc(0),
      });
      printRows(
        `Full-text filters, ${what}: batches in a second of processor time, of the bare call`,
        await compare(driver, pids, [
          { what: 'a bare call', batch: batchOf('bare', 'websearch_to_tsquery($1)') },
          { what: 'a sub-select', batch: batchOf('once', '(select websearch_to_tsquery($1))') },
          { what: 'a call with its configuration', batch: batchOf('named', "websearch_to_tsquery('english', $1)") },
        ]),
      );
    }
    return true;
  } finally {
    await driver.close();
    await cluster.stop();
  }
}
