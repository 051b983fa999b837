// Batches against batches by the processor time of this process and of the server's backends together, in turn, so that other load on the machine
// falls on all alike.

import { readFile } from 'node:fs/promises';
import type { Batch, Driver } from '../../src/pg/driver.ts';
import { median, ratios } from '../lib/median.ts';
import type { BenchRow } from '../lib/report.ts';

const ROUNDS = 3;
const MS = 500;
export const CONNECTIONS = 4;

export type Candidate = {
  readonly what: string;
  readonly batch: () => { readonly batch: Batch; readonly body: () => Buffer };
};

export async function compare(
  driver: Driver,
  pids: readonly number[],
  all: readonly Candidate[],
): Promise<readonly BenchRow[]> {
  const spent = all.map((): Spent[] => []);
  for (const candidate of all) await load(driver, pids, candidate);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, candidate] of all.entries()) spent[i]?.push(await load(driver, pids, candidate));
  const perSecond = spent.map((rounds) => rounds.map(({ server, ours }) => 1e6 / (server + ours)));
  const [reference = []] = perSecond;
  return all.map(({ what }, i) => ({
    what: `${what} (server ${Math.round(median((spent[i] ?? []).map(({ server }) => server)))} µs, here ${Math.round(median((spent[i] ?? []).map(({ ours }) => ours)))} µs)`,
    measured: median(perSecond[i] ?? []),
    reference: median(reference),
    unit: 'batches',
    rounds: ratios(perSecond[i] ?? [], reference),
  }));
}

/** Batches for each second of processor time. */
async function load(driver: Driver, pids: readonly number[], candidate: Candidate): Promise<Spent> {
  const began = performance.now();
  const before = await processorTime(pids);
  let batches = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS * 2 }, async () => {
      while (performance.now() < began + MS) {
        const { batch, body } = candidate.batch();
        const executed = await driver.execute(batch, { sharing: 'any' });
        if (!executed.ok) throw new Error(JSON.stringify(executed.error));
        body();
        batches += 1;
      }
    }),
  );
  const after = await processorTime(pids);
  const server = (after.server - before.server) / batches;
  const ours = (after.ours - before.ours) / batches;
  return { server, ours };
}

/** Microseconds. */
type Spent = { readonly server: number; readonly ours: number };

async function processorTime(pids: readonly number[]): Promise<Spent> {
  const { user, system } = process.cpuUsage();
  let server = 0;
  for (const pid of pids) server += Number((await readFile(`/proc/${pid}/schedstat`, 'latin1')).split(' ')[0]) / 1000;
  return { server, ours: user + system };
}

export async function backends(driver: Driver): Promise<readonly number[]> {
  // All connections have to be open to be counted.
  const asleep = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      driver.execute([{ text: 'select pg_backend_pid(), pg_sleep(0.2)', params: [] }]),
    ),
  );
  return asleep.map((executed) => Number(executed.ok ? executed.value[0]?.rows[0]?.[0]?.toString() : 0));
}
