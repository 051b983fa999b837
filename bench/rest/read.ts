// Reads through HTTP, each against pgbench sending the same statements; and the batch alone, without HTTP.

import { median, ratios } from '../lib/median.ts';
import { pgbench } from '../lib/pgbench.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { measure, type RestCase, ROUNDS, SECONDS, toHttp } from './measure.ts';
import { openRestSetting, POOL, type RestSetting } from './setting.ts';
import { plain, statementsFor } from './statements.ts';

export const CASES: readonly RestCase[] = [
  { what: 'one row by key', target: '/clients?id=eq.500', ratio: 0.5 },
  { what: 'another row each time', target: '/tasks?id=eq.%n', ratio: 0.5 },
  { what: 'one row by key, with token', target: '/clients?id=eq.500', withToken: true, ratio: 0.55 },
  { what: 'a hundred rows', target: '/projects?limit=100&order=id', ratio: 0.7 },
  {
    what: 'two-level embed',
    target: '/clients?id=gte.500&limit=10&order=id&select=id,name,projects(id,name,tasks(id,name,done))',
    ratio: 0.7,
  },
  { what: 'a keyset page', target: '/projects?limit=100&order=id&after=', ratio: 0.5 },
  {
    what: 'groups with conditions',
    target: '/projects?id=lte.1000&select=client_id,n:count()&having=(count().gt.1)&order=count().desc&limit=10',
    ratio: 0.6,
  },
  {
    what: 'the first of each group',
    target: '/projects?id=lte.1000&select=id,client_id&distinct=client_id&order=id.desc&limit=10',
    ratio: 0.6,
  },
  {
    what: 'a window function',
    target: '/projects?id=lte.1000&select=id,n:row_number().over(partition(client_id),order(id))&order=id&limit=10',
    ratio: 0.6,
  },
  { what: 'one column against another', target: '/projects?id=lte(col).client_id&select=id&limit=10', ratio: 0.5 },
  {
    what: 'ranked text',
    target: '/clients?id=lte.100&select=id&name=wfts.client&order=name.ts_rank(client).desc,id&limit=10',
    ratio: 0.6,
  },
  // By POST: the program that sends the load does not know the method QUERY.
  {
    what: 'a hundred rows, asked by a body',
    method: 'POST',
    target: '/projects/query',
    body: '{"limit":"100","order":"id"}',
    ratio: 0.5,
  },
];

export async function run(): Promise<boolean> {
  const setting = await openRestSetting();
  try {
    const rows: BenchRow[] = [await batchRow(setting)];
    for (const one of CASES) rows.push(await measure(one, setting));
    return printRows('REST reads: requests a second, of what pgbench reaches with the same statements', rows);
  } finally {
    await setting.close();
  }
}

async function batchRow(setting: RestSetting): Promise<BenchRow> {
  const statements = await statementsFor(toHttp('GET', '/clients?id=eq.500', {}, ''), setting.state);
  const ours: number[] = [];
  const ceilings: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ceilings.push(
      await pgbench(statements.map(plain), { bin: setting.bin, uri: setting.uri, clients: POOL, seconds: SECONDS }),
    );
    ours.push(await execute(setting, statements));
  }
  return {
    what: 'the batch alone',
    measured: median(ours),
    reference: median(ceilings),
    unit: 'batches/s',
    target: 0.8,
    rounds: ratios(ours, ceilings),
  };
}

export async function execute(
  { driver }: RestSetting,
  statements: Awaited<ReturnType<typeof statementsFor>>,
): Promise<number> {
  const began = performance.now();
  const until = began + SECONDS * 1000;
  let batches = 0;
  await Promise.all(
    Array.from({ length: POOL }, async () => {
      while (performance.now() < until) {
        // As the service sends a read.
        const executed = await driver.execute(statements, { sharing: 'any' });
        if (!executed.ok) throw new Error(JSON.stringify(executed.error));
        batches += 1;
      }
    }),
  );
  return batches / ((performance.now() - began) / 1000);
}
