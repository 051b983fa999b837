// The schema cache of 10,000 tables is loaded anew while requests go on: how much longer than before does the slowest wait?

import { httpRequest } from '../lib/http-load.ts';
import { type MixedResult, mixedLoad } from '../lib/mixed-load.ts';
import { wideSchema } from '../schema-cache/wide-schema.ts';
import { openRestSetting } from './setting.ts';

const MAX_EXTRA_MS = 50;
const SECONDS = 12;
const RELOADS = 3;

export async function run(): Promise<boolean> {
  const setting = await openRestSetting({ SVRST_DB_SCHEMAS: 'bench, wide' }, [], wideSchema());
  try {
    // A pace that leaves the machine room: full speed would measure the queue, not the reload.
    const load = {
      port: setting.port,
      requests: [httpRequest('GET', '/clients?id=eq.500'), httpRequest('GET', '/projects?limit=20&order=id')],
      connections: 8,
      pauseMs: 10,
    };
    await mixedLoad({ ...load, seconds: 3 });
    const quiet = await mixedLoad({ ...load, seconds: SECONDS });
    const loading = mixedLoad({ ...load, seconds: SECONDS });
    for (let i = 0; i < RELOADS; i++) {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await setting.driver.execute([{ text: `notify pgrst, 'reload schema'`, params: [] }]);
    }
    const busy = await loading;
    const extra = worst(busy) - worst(quiet);
    console.log('\nReload of 10,000 tables during requests');
    console.log(`  slowest answer ${worst(quiet).toFixed(0)} ms without, ${worst(busy).toFixed(0)} ms with reloads`);
    console.log(`  ${extra.toFixed(0)} ms longer${extra <= MAX_EXTRA_MS ? '' : `  ABOVE ${MAX_EXTRA_MS} ms`}`);
    const failed = Object.keys(busy.statuses).filter((status) => status !== '200');
    if (failed.length > 0) console.log(`  other answers: ${JSON.stringify(busy.statuses)}`);
    return extra <= MAX_EXTRA_MS && failed.length === 0;
  } finally {
    await setting.close();
  }
}

function worst({ slowest }: MixedResult): number {
  return Math.max(...slowest);
}
