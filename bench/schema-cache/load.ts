// How long a schema cache takes to load from 10,000 tables with 10,000 foreign keys, and to follow a change of one of them; how
// long that keeps other work of the process waiting, and how long a misspelt name takes to be recognised.

import type { Driver } from '../../src/pg/driver.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { type LoadedSchema, loadSchema, updateSchema } from '../../src/rest/schema-cache/introspect.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { median } from '../lib/median.ts';
import { watchForStalls } from '../lib/stalls.ts';
import { wideSchema } from './wide-schema.ts';

const RUNS = 3;
const MAX_MS = 3000;
const MAX_UPDATE_MS = 500;

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
    const updates: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      const { took, loaded } = await loadOnce(driver);
      times.push(took);
      updates.push(await updateOnce(driver, loaded, i));
    }
    const [took, updated] = [median(times), median(updates)];
    console.log(`  median ${took.toFixed(0)} ms${took < MAX_MS ? '' : `  ABOVE ${MAX_MS} ms`}`);
    console.log(
      `  one table changed: ${updated.toFixed(0)} ms${updated < MAX_UPDATE_MS ? '' : `  ABOVE ${MAX_UPDATE_MS} ms`}`,
    );
    return took < MAX_MS && updated < MAX_UPDATE_MS;
  } finally {
    await driver.close();
    await cluster.stop();
  }
}

async function loadOnce(driver: Driver): Promise<{ readonly took: number; readonly loaded: LoadedSchema }> {
  const stall = watchForStalls();
  const began = performance.now();
  const loaded = await loadSchema(driver, { schemas: ['wide'], extraSearchPath: ['public'] });
  const took = performance.now() - began;
  const longest = stall();
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const asked = performance.now();
  for (let i = 0; i < 1000; i++) loaded.value.cache.nearestTable('wide', `invoicse_0${i}`);
  const each = performance.now() - asked;
  console.log(
    `  loaded in ${took.toFixed(0)} ms, longest stall ${longest.toFixed(0)} ms; a misspelt name ${each.toFixed(0)} µs`,
  );
  return { took, loaded: loaded.value };
}

async function updateOnce(driver: Driver, before: LoadedSchema, i: number): Promise<number> {
  const table = `wide.changed_${i}`;
  await driver.script(`create table ${table} (id int primary key, other_id bigint references wide.orders_00000)`);
  const asked = await driver.execute([{ text: 'select $1::regclass::oid', params: [table] }]);
  const oid = asked.ok ? Number(asked.value[0]?.rows[0]?.[0]) : Number.NaN;
  const stall = watchForStalls();
  const began = performance.now();
  const updated = await updateSchema(driver, before, new Set([oid]));
  const took = performance.now() - began;
  const longest = stall();
  if (!updated.ok || updated.value === undefined) throw new Error('a new table is not followed');
  console.log(`  one table changed: followed in ${took.toFixed(0)} ms, longest stall ${longest.toFixed(0)} ms`);
  return took;
}
