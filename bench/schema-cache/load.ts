// How long a schema cache takes to load from 10,000 tables with 10,000 foreign keys, how long that keeps other work of the
// process waiting, and how long a misspelt name takes to be recognised.

import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { loadSchemaCache } from '../../src/rest/schema-cache/introspect.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { median } from '../lib/median.ts';
import { watchForStalls } from '../lib/stalls.ts';
import { wideSchema } from './wide-schema.ts';

const RUNS = 3;
const MAX_MS = 3000;

export async function run(): Promise<boolean> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  const cluster = await startCluster(binaries);
  const driver = makePostgresDriver({ uri: cluster.uri });
  try {
    for (const script of wideSchema()) {
      const made = await driver.script(script);
      if (!made.ok) throw new Error(JSON.stringify(made.error));
    }
    console.log('\nSchema cache of 10,000 tables with 10,000 foreign keys');
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) times.push(await loadOnce(driver));
    const took = median(times);
    console.log(`  median ${took.toFixed(0)} ms${took < MAX_MS ? '' : `  ABOVE ${MAX_MS} ms`}`);
    return took < MAX_MS;
  } finally {
    await driver.close();
    await cluster.stop();
  }
}

async function loadOnce(driver: ReturnType<typeof makePostgresDriver>): Promise<number> {
  const stall = watchForStalls();
  const began = performance.now();
  const loaded = await loadSchemaCache(driver, { schemas: ['wide'], extraSearchPath: ['public'] });
  const took = performance.now() - began;
  const longest = stall();
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const asked = performance.now();
  for (let i = 0; i < 1000; i++) loaded.value.nearestTable('wide', `invoicse_0${i}`);
  const each = performance.now() - asked;
  console.log(
    `  loaded in ${took.toFixed(0)} ms, longest stall ${longest.toFixed(0)} ms; a misspelt name ${each.toFixed(0)} µs`,
  );
  return took;
}
