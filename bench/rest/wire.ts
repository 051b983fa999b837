// Our own wire protocol against postgres.js, the quickest library for Node that pipelines and prepares as ours does: the batch alone.

import postgres from 'postgres';
import { median, ratios } from '../lib/median.ts';
import type { PlainStatement } from '../lib/pgbench.ts';
import { printRows } from '../lib/report.ts';
import { SECONDS, toHttp } from './measure.ts';
import { execute } from './read.ts';
import { openRestSetting, POOL } from './setting.ts';
import { plain, statementsFor } from './statements.ts';

const ROUNDS = 5;

export async function run(): Promise<boolean> {
  const setting = await openRestSetting();
  const library = postgres(setting.uri, { max: POOL });
  try {
    const statements = await statementsFor(toHttp('GET', '/clients?id=eq.500', {}, ''), setting.state);
    // Ours are one transaction by being sent before one Sync, which no library offers.
    const texts = [{ text: 'begin', params: [] }, ...statements.map(plain), { text: 'commit', params: [] }];
    const measured: number[] = [];
    const reference: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      measured.push(await execute(setting, statements));
      reference.push(await executeByLibrary(library, texts));
    }
    return printRows('Wire protocol: batches a second by our driver, of what postgres.js reaches', [
      {
        what: 'scope and one row by key, in one transaction',
        measured: median(measured),
        reference: median(reference),
        unit: 'batches/s',
        rounds: ratios(measured, reference),
      },
    ]);
  } finally {
    await library.end();
    await setting.close();
  }
}

async function executeByLibrary(library: postgres.Sql, texts: readonly PlainStatement[]): Promise<number> {
  const began = performance.now();
  const until = began + SECONDS * 1000;
  let batches = 0;
  await Promise.all(
    Array.from({ length: POOL }, async () => {
      const one = await library.reserve();
      while (performance.now() < until) {
        await Promise.all(texts.map(({ text, params }) => one.unsafe(text, [...params], { prepare: true })));
        batches += 1;
      }
      one.release();
    }),
  );
  return batches / ((performance.now() - began) / 1000);
}
