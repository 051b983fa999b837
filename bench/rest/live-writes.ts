// What writers pay for live streams: statements per second on a table that is followed by triggers, by logical decoding with a slot that reads along, and on
// the same table that is not followed, in turns on one server with `wal_level = logical`.

import {
  followTablesSql,
  installChangeLogSql,
  installDecodingSql,
  PUBLICATION,
  publishTablesSql,
} from '../../src/pg/change-log/install-change-log.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { median } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';

const ROUNDS = 7;
const WAYS = ['plain', 'recorded', 'decoded'] as const;

const CASES = [
  { what: 'insert of 1 row', sql: () => INSERT, times: 1000 },
  { what: 'insert of 1,000 rows', sql: () => `${INSERT} from generate_series(1, 1000)`, times: 20 },
  { what: 'insert of 10,000 rows', sql: () => `${INSERT} from generate_series(1, 10000)`, times: 4 },
  {
    what: 'update of 1 row',
    sql: (i: number) => `update NAME set name = 'x${i}' where id = ${(i % 100) + 1}`,
    times: 1000,
  },
];
const INSERT = `insert into NAME (id, name) select nextval('ids'), 'new'`;

export async function run(): Promise<boolean> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('there is no PostgreSQL');
  const cluster = await startCluster(binaries, { wal_level: 'logical' });
  const driver = makePostgresDriver({ uri: cluster.uri, poolSize: 1 });
  const script = async (sql: string): Promise<void> => {
    const done = await driver.script(sql);
    if (!done.ok) throw new Error(JSON.stringify(done.error));
  };
  try {
    await script(`create sequence ids start 1000;
      ${WAYS.map((name) => `create table ${name} (id integer primary key, name text not null); insert into ${name} select n, 'row' from generate_series(1, 100) n;`).join('\n')}
      ${installChangeLogSql('postgres')}${installDecodingSql()}`);
    await script(`${followTablesSql(['recorded'])}${publishTablesSql(['decoded'])}`);
    await new Promise<void>((resolve) => {
      driver.decode?.(PUBLICATION, ({ kind }) => {
        if (kind === 'following') resolve();
      });
    });
    const rows: BenchRow[] = [];
    for (const { what, sql, times } of CASES) {
      const rates = { plain: [] as number[], recorded: [] as number[], decoded: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        for (const name of WAYS) {
          const began = performance.now();
          for (let i = 0; i < times; i++) await script(sql(i).replace('NAME', name));
          rates[name].push(times / ((performance.now() - began) / 1000));
        }
      }
      for (const name of ['recorded', 'decoded'] as const)
        rows.push({
          what: `${what}, ${name === 'recorded' ? 'triggers' : 'logical decoding'}`,
          measured: median(rates[name]),
          reference: median(rates.plain),
          unit: '/s',
        });
    }
    return printRows('Live streams: writes of a followed table, of those of the same table that is not', rows);
  } finally {
    await driver.close();
    await cluster.stop();
  }
}
