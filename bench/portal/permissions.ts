// A million decisions of the permission model, on every surface of the program, against a brute-force model. Not a measure of speed but of
// trust; `MATRIX_SEED` repeats a run, `MATRIX_DECISIONS` makes it shorter.

import { makeProver, seeded } from '../../test/attacks/prove-permissions.ts';
import { openLayerKit } from '../../test/feature/mapserver/layer-kit.ts';
import { PORTAL_SCHEMA } from '../../test/testkit/portal-schema.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { openPostgresDatabase } from '../../test/testkit/postgres-database.ts';

export async function run(): Promise<boolean> {
  const seed = Number(process.env['MATRIX_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
  const enough = Number(process.env['MATRIX_DECISIONS'] ?? 1_000_000);
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  const cluster = await startCluster(binaries);
  try {
    const db = await openPostgresDatabase({ uri: cluster.uri, prefix: 'permissions' }, PORTAL_SCHEMA);
    const kit = await openLayerKit(db);
    const prover = await makeProver(kit);
    const random = seeded(seed);
    console.log(`\n${enough} decisions on every surface, seed ${seed}`);
    const disagreements: string[] = [];
    let decisions = 0;
    let rounds = 0;
    while (decisions < enough && disagreements.length < 20) {
      const proof = await prover
        .round(random)
        .catch((error: unknown) => ({ decisions: 0, disagreements: [String(error)] }));
      decisions += proof.decisions;
      disagreements.push(...proof.disagreements);
      rounds += 1;
      if (rounds % 50 === 0) console.log(`  ${decisions} decisions, ${disagreements.length} disagreements`);
    }
    await prover.close();
    await kit.close();
    await db.close();
    console.log(`  ${decisions} decisions in ${rounds} rounds, ${disagreements.length} disagreements`);
    for (const one of disagreements.slice(0, 20)) console.log(`  ${one}`);
    return disagreements.length === 0;
  } finally {
    await cluster.stop();
  }
}
