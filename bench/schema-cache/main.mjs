// How long a schema cache takes to load from a wide database, how long it keeps other work waiting meanwhile, and how
// much memory it keeps; then how long a misspelt name takes. Makes a database of its own on the given server and drops it.
//
//   node --expose-gc bench/schema-cache/main.mjs postgresql://postgres@localhost/postgres [tables] [views] [functions]

import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { makePostgresDriver } from '../../dist/pg/postgres/postgres-driver.js';
import { loadSchemaCache } from '../../dist/rest/schema-cache/introspect.js';
import { wideSchema } from './wide-schema.mjs';

const RUNS = 5;
const [uri, tables = '10000', views = '0', functions = '0'] = process.argv.slice(2);
if (uri === undefined) throw new Error('give the URI of a server where databases may be made');

const name = `survest_bench_${process.pid}`;
const own = new URL(uri);
own.pathname = `/${name}`;
await query(uri, [`create database ${name}`]);
try {
  const made = performance.now();
  await query(own.href, wideSchema({ tables: Number(tables), views: Number(views), functions: Number(functions) }));
  console.log(`made ${tables} tables, ${views} views, ${functions} functions in ${since(made)}`);
  const driver = makePostgresDriver({ uri: own.href });
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let cache;
  for (let run = 1; run <= RUNS; run++) {
    const stall = watchForStalls();
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const loaded = await loadSchemaCache(driver, { schemas: ['wide'], extraSearchPath: ['public'] });
    const took = since(begun);
    const longest = stall();
    const used = process.cpuUsage(cpu);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    cache = loaded.value;
    globalThis.gc?.();
    const kept = (process.memoryUsage().heapUsed - before) / 1e6;
    const busy = Math.round((used.user + used.system) / 1000);
    console.log(
      `load ${run}: ${took}, ${busy} ms of it busy here, longest stall ${longest.toFixed(1)} ms, keeps ${kept.toFixed(0)} MB`,
    );
  }
  console.log(cache.summary);

  const indexed = performance.now();
  const near = cache.nearestTable('wide', 'invoicse_00421');
  console.log(`first misspelt name: ${since(indexed)} (${near})`);
  const asked = performance.now();
  for (let i = 0; i < 1000; i++) cache.nearestTable('wide', `invoicse_0${i}`);
  console.log(`each further one: ${((performance.now() - asked) / 1000).toFixed(3)} ms`);
  await driver.close();
} finally {
  await query(uri, [`drop database ${name} with (force)`]);
}

/** @param {string} at @param {Iterable<string>} scripts */
async function query(at, scripts) {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  for (const script of scripts) await client.query(script);
  await client.end();
}

/** The longest time in which a timer of one millisecond did not get its turn. */
function watchForStalls() {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/** @param {number} begun */
function since(begun) {
  return `${Math.round(performance.now() - begun)} ms`;
}
