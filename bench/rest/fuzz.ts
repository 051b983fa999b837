// A hundred thousand random requests that mean harm, in every position of the grammar. Not a measure of speed but of trust: no answer is a
// fault of ours, none is slow, and the database is as before. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` makes it shorter.

import fc from 'fast-check';
import { hostile, POSITIONS, written } from '../../test/attacks/hostile-requests.ts';
import { REST_FIXTURE } from '../../test/fixtures/rest/fixture.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { openPostgresDatabase } from '../../test/testkit/postgres-database.ts';
import { openRest } from '../../test/testkit/rest-client.ts';

/** Nothing that is sent here is longer than some thousand characters, and no table has more than some hundred rows. */
const SLOW_MS = 1000;
const AT_ONCE = 8;

export async function run(): Promise<boolean> {
  const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
  const wanted = Number(process.env['FUZZ_REQUESTS'] ?? 100_000);
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  const cluster = await startCluster(binaries);
  try {
    const db = await openPostgresDatabase({ uri: cluster.uri, prefix: 'fuzz' }, REST_FIXTURE);
    const rest = await openRest(db, {
      'db-aggregates-enabled': 'true',
      'db-plan-enabled': 'true',
      'db-max-rows': '50',
    });
    console.log(`\n${wanted} hostile requests in ${Object.keys(POSITIONS).length} positions, seed ${seed}`);
    const findings: string[] = [];
    const statuses = new Map<number, number>();
    let slowest = 0;
    const positions = Object.entries(POSITIONS);
    const shots = fc.sample(fc.record({ n: fc.nat(positions.length - 1), text: hostile, isEncoded: fc.boolean() }), {
      numRuns: wanted,
      seed,
    });
    const shoot = async ({ n, text, isEncoded }: (typeof shots)[number]): Promise<void> => {
      const [name, position] = positions[n] ?? [];
      if (position === undefined) return;
      const isInTarget = position('\u0001').target.includes('\u0001');
      const { method, target, ...sent } = position(isInTarget ? written(text, isEncoded) : text);
      const from = performance.now();
      const { status, body } = await rest.request(method, target, sent);
      const took = performance.now() - from;
      slowest = Math.max(slowest, took);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // PostgreSQL's own limits are its own: 54xxx is told as 500.
      if (status >= 500 && !/"code":"54/.test(String(body)))
        findings.push(`${name}: ${status} for ${method} ${target}: ${String(body).slice(0, 200)}`);
      if (took > SLOW_MS) findings.push(`${name}: ${Math.round(took)} ms for ${method} ${target}`);
    };
    for (let at = 0; at < shots.length && findings.length < 50; at += AT_ONCE)
      await Promise.all(shots.slice(at, at + AT_ONCE).map(shoot));
    await rest.close();
    await db.close();
    console.log(
      `  by status: ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, n]) => `${status} ${n}`)
        .join(', ')}`,
    );
    console.log(`  slowest ${Math.round(slowest)} ms, ${findings.length} findings`);
    for (const finding of findings.slice(0, 20)) console.log(`  ${finding}`);
    return findings.length === 0;
  } finally {
    await cluster.stop();
  }
}
