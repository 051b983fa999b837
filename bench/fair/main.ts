// Whether one who asks for the heaviest things holds up those who read: for each kind of heavy work one caller does it again and again, while
// ten others read lists, items, tiles and rows. `BENCH_ENGINE=embedded` or `postgres` measures one engine; `BENCH_ONLY=count,wms` some kinds;
// `BENCH_SIZE` says how many features there are.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { writeShapefile } from '../import/write-shapefile.ts';
import { AUTHORIZATION, MAIN, type Program, startProgram } from '../lib/program.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { readLightly } from './light-load.ts';

const MANY = Number(process.env['BENCH_SIZE'] ?? 300_000);
const FEW = 500;
const FOR_MS = 12_000;
/** Longest that 99 of 100 answers may take, in milliseconds. */
const LIMITS = { embedded: 500, postgres: 200 } as const;

type Engine = keyof typeof LIMITS;

type Place = {
  readonly program: Program;
  readonly folder: string;
  /** Of the database, for commands beside the program. */
  readonly environment: NodeJS.ProcessEnv;
  readonly many: string;
  readonly files: readonly string[];
};

type Heavy = { readonly name: string; readonly work: (place: Place) => Promise<unknown> };

const asked = (name: string, path: (many: string, n: number) => string): Heavy => {
  let n = 0;
  const work: Heavy['work'] = ({ program, many }) => {
    n += 1;
    return fetched(`${program.portal}${path(many, n)}`);
  };
  return { name, work };
};

// Each asks for something new each time, so that nothing is answered from a cache.
const HEAVY: readonly Heavy[] = [
  asked('count', (many, n) => `/rest/v1/${many}?select=fid&limit=1&value=gt.${n / 7}`),
  asked('sort', (many, n) => `/rest/v1/${many}?select=fid,name&order=name.desc,value&limit=100&value=gt.${n / 7}`),
  asked(
    'hits',
    (many, n) =>
      `/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=portal:${many}&resultType=hits&cql_filter=value>${n / 7}`,
  ),
  asked(
    'aggregates',
    (many, n) => `/ogc/collections/${many}/aggregates?group=name&measure=avg&of=value&filter=value>${n / 7}`,
  ),
  asked('tile', (many, n) => `/tiles/${many}/0/0/0.mvt?filter=value>${n / 7}`),
  asked('hexagons', (many, n) => `/tiles/${many}/hexagons/1/${n % 2}/0.mvt?size=${32}&filter=value>${n / 7}`),
  asked(
    'wms',
    (many, n) =>
      `/wms?service=WMS&version=1.1.1&request=GetMap&layers=${many}&styles=&srs=EPSG:4326&bbox=-180,-90,${170 + (n % 10)},90&width=2048&height=1024&format=image/png`,
  ),
  asked('features', (many, n) => `/ogc/collections/${many}/items?limit=10000&offset=${10_000 * (n % 9)}`),
  asked('download', (many) => `/download/${many}.geojson`),
  asked('search', (_, n) => `/api/v2/resources/?search=layer+${n}&page_size=100`),
  { name: 'import', work: ({ program, files }) => program.upload(files) },
  {
    name: 'backup',
    async work({ folder, environment }) {
      const file = join(folder, `backup-${performance.now()}.zip`);
      await promisify(execFile)(process.execPath, [MAIN, 'backup', file, '--data-dir', join(folder, 'data')], {
        env: environment,
      });
      await rm(file, { force: true });
    },
  },
];

export async function run(): Promise<boolean> {
  const engines = (process.env['BENCH_ENGINE']?.split(',') ?? ['embedded', 'postgres']) as Engine[];
  let reached = true;
  for (const engine of engines) reached = (await measure(engine)) && reached;
  return reached;
}

async function measure(engine: Engine): Promise<boolean> {
  const binaries = engine === 'postgres' ? findPostgres(process.env) : undefined;
  if (engine === 'postgres' && binaries === undefined)
    throw new Error('PostgreSQL with PostGIS is not on this machine');
  const cluster = binaries === undefined ? undefined : await startCluster(binaries);
  const folder = await mkdtemp(join(tmpdir(), 'survest-bench-fair-'));
  try {
    const program = await startProgram(cluster?.uri, join(folder, 'data'), 'native');
    const rows: BenchRow[] = [];
    try {
      const files = await writeShapefile(join(folder, 'many'), MANY);
      console.log(`${engine}: ${MANY} areas imported in ${(await program.upload(files)).toFixed(1)} s`);
      await program.upload(await writeShapefile(join(folder, 'few'), FEW));
      const { many, few, item } = await publish(program);
      const environment = { ...process.env, ...(cluster === undefined ? {} : { SVRST_DB_URI: cluster.uri }) };
      const place: Place = { program, folder, environment, many, files };
      const light = [
        '/api/v2/resources/?page_size=10',
        `/api/v2/resources/${item}/`,
        `/tiles/${few}/3/0/5.mvt`,
        `/rest/v1/${few}?select=fid,name,value&limit=20`,
      ];
      const only = process.env['BENCH_ONLY']?.split(',');
      for (const heavy of [undefined, ...HEAVY]) {
        if (heavy !== undefined && only !== undefined && !only.includes(heavy.name)) continue;
        rows.push(await beside(place, light, heavy, LIMITS[engine]));
      }
    } finally {
      await program.stop();
    }
    return printRows(
      `Ten readers beside one heavy caller, ${engine}: what 99 of 100 may take, in what they take`,
      rows,
    );
  } finally {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function beside(
  place: Place,
  light: readonly string[],
  heavy: Heavy | undefined,
  limit: number,
): Promise<BenchRow> {
  const end = performance.now() + FOR_MS;
  const isOver = (): boolean => performance.now() > end;
  const port = Number(new URL(place.program.portal).port);
  const reading = readLightly(port, light, isOver);
  let done = 0;
  let longest = 0;
  const failures = new Map<string, number>();
  while (heavy !== undefined && !isOver()) {
    const began = performance.now();
    try {
      await heavy.work(place);
      done += 1;
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).slice(0, 120).replaceAll(/\d+/g, 'N');
      failures.set(why, (failures.get(why) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    longest = Math.max(longest, performance.now() - began);
  }
  const { times, refused } = await reading;
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  const said = [...failures, ...[...refused].map(([status, count]) => [`readers got ${status}`, count] as const)];
  const name = heavy?.name ?? 'nobody heavy';
  console.log(
    `  ${name}: readers ${times.length}, p50 ${at(0.5).toFixed(0)}, p99 ${at(0.99).toFixed(0)}, longest ${at(1).toFixed(0)} ms; heavy ${done} times, longest ${(longest / 1000).toFixed(1)} s${said.map(([why, count]) => `; ${count} × ${why}`).join('')}`,
  );
  const p99 = refused.size > 0 ? Number.POSITIVE_INFINITY : at(0.99);
  return { what: name, measured: limit, reference: p99, unit: 'ms', target: 1 };
}

async function fetched(url: string): Promise<void> {
  const reply = await fetch(url, { headers: { authorization: AUTHORIZATION, prefer: 'count=exact' } });
  const body = await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${reply.status} ${Buffer.from(body).toString('utf8', 0, 160)}`);
}

/** Everybody may see both layers; their names, and the number of the small one. */
async function publish(
  program: Program,
): Promise<{ readonly many: string; readonly few: string; readonly item: number }> {
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
  const listed = await fetch(`${program.portal}/api/v2/datasets/?page_size=50`, { headers });
  const { datasets } = (await listed.json()) as { datasets: { pk: string; name: string }[] };
  const found = (name: string): { pk: string; name: string } => {
    const one = datasets.find((dataset) => dataset.name === name);
    if (one === undefined)
      throw new Error(`no layer ${name} among ${datasets.map((dataset) => dataset.name).join(', ')}`);
    return one;
  };
  const [many, few] = [found('many'), found('few')];
  for (const { pk } of [many, few]) {
    const body = JSON.stringify({ groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } });
    const reply = await fetch(`${program.portal}/api/v2/resources/${pk}/set_perms/`, { method: 'PUT', headers, body });
    if (!reply.ok) throw new Error(`not published: ${reply.status} ${await reply.text()}`);
  }
  return { many: many.name, few: few.name, item: Number(few.pk) };
}
