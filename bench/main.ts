// npm run bench [-- --keep] [name…]: measures, prints ratios, and ends with 1 when one is below its target. `--keep` writes them to
// bench/results as well.

import { keepResults } from './lib/keep.ts';
import { printed } from './lib/report.ts';

const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<boolean> }>>> = {
  read: () => import('./rest/read.ts'),
  write: () => import('./rest/write.ts'),
  grammar: () => import('./rest/grammar.ts'),
  devices: () => import('./rest/devices.ts'),
  against: () => import('./rest/against.ts'),
  wire: () => import('./rest/wire.ts'),
  rows: () => import('./rest/rows.ts'),
  embeds: () => import('./rest/embeds.ts'),
  once: () => import('./rest/once.ts'),
  many: () => import('./rest/many.ts'),
  stream: () => import('./rest/stream.ts'),
  live: () => import('./rest/live.ts'),
  'live-writes': () => import('./rest/live-writes.ts'),
  soak: () => import('./rest/soak.ts'),
  fuzz: () => import('./rest/fuzz.ts'),
  reload: () => import('./rest/reload.ts'),
  schema: () => import('./schema-cache/load.ts'),
  request: () => import('./rest/request.ts'),
  'schema-fuzz': () => import('./schema-cache/fuzz.ts'),
  portal: () => import('./portal/api.ts'),
  search: () => import('./portal/search.ts'),
  permissions: () => import('./portal/permissions.ts'),
  tiles: () => import('./tiles/main.ts'),
  overviews: () => import('./tiles/overviews.ts'),
  wms: () => import('./wms/main.ts'),
  import: () => import('./import/main.ts'),
  fair: () => import('./fair/main.ts'),
  start: () => import('./start/main.ts'),
  chaos: () => import('./chaos/main.ts'),
};

const asked = process.argv.slice(2).filter((word) => word !== '--keep' && !/^[\d.]+$/.test(word));
// Chaos takes minutes by itself (`npm run bench chaos 10`), and has to be asked for.
const names = asked.length > 0 ? asked : Object.keys(BENCHES).filter((name) => name !== 'chaos');
let reached = true;
for (const name of names) {
  const load = BENCHES[name];
  if (load === undefined) {
    console.error(`no benchmark is called ${name}; there are: ${Object.keys(BENCHES).join(', ')}`);
    process.exit(1);
  }
  reached = (await (await load()).run()) && reached;
}
if (process.argv.includes('--keep')) console.log(`\nkept as ${await keepResults(names, printed)}`);
process.exitCode = reached ? 0 : 1;
