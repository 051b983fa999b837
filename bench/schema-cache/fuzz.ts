// Thousands of random schemas, each loaded, described and read, and compared with what the catalogue says, on both engines. Not a
// measure of speed but of trust; `FUZZ_SEED` repeats a run.

import { fileURLToPath } from 'node:url';
import { ensureEmbeddedAssets } from '../../src/pg/pglite/embedded-assets.ts';
import { proveSchemas } from '../../test/testkit/check-schema.ts';
import type { TestDatabase } from '../../test/testkit/database.ts';
import { openPgliteDatabase } from '../../test/testkit/pglite-database.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { openPostgresDatabase } from '../../test/testkit/postgres-database.ts';
import { WORLD } from '../../test/testkit/random-schema.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/survest', import.meta.url));
const TOGETHER = 10;
const COUNTS = { postgres: 4000, pglite: 500 } as const;

export async function run(): Promise<boolean> {
  const first = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  const cluster = await startCluster(binaries);
  try {
    const server = await openPostgresDatabase({ uri: cluster.uri, prefix: 'fuzz' }, []);
    const onServer = await prove(server, first, COUNTS.postgres);
    const embedded = await openPgliteDatabase({ kind: 'own', assets: await ensureEmbeddedAssets(CACHE) }, []);
    return (await prove(embedded, first, COUNTS.pglite)) && onServer;
  } finally {
    await cluster.stop();
  }
}

async function prove(db: TestDatabase, first: number, count: number): Promise<boolean> {
  console.log(`\n${count} random schemas on ${db.engine}, from seed ${first} on`);
  const findings: string[] = [];
  let [relations, requests] = [0, 0];
  try {
    await db.script(WORLD);
    for (let seed = first; seed < first + count; seed += TOGETHER) {
      const seeds = Array.from({ length: TOGETHER }, (_, i) => seed + i);
      const proof = await proveSchemas(db, seeds, 'postgres');
      findings.push(...proof.findings);
      relations += proof.relations;
      requests += proof.requests;
    }
  } finally {
    await db.close();
  }
  console.log(`  ${relations} relations, ${requests} requests, ${findings.length} findings`);
  for (const finding of findings.slice(0, 20)) console.log(`  ${finding}`);
  return findings.length === 0;
}
