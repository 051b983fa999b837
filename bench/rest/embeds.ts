// Embedded rows → JSON: as one body of `json_agg`, as cells with `json_agg` in them, and level by level (`rest/query/levels-sql.ts`), by processor time.

import { readFile } from 'node:fs/promises';
import type { Statement } from '../../src/pg/driver.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { loadRestConfig } from '../../src/rest/config/load-config.ts';
import { makeShape } from '../../src/rest/pipeline/make-shape.ts';
import type { ShapeStatement } from '../../src/rest/pipeline/shape-cache.ts';
import { makePlan } from '../../src/rest/plan/make-plan.ts';
import { RESPONSE_STATEMENT } from '../../src/rest/query/main-query.ts';
import { parseRequest } from '../../src/rest/request/parse-request.ts';
import { fillParams } from '../../src/rest/run/fill-params.ts';
import { JSON_ARRAY, JsonRows } from '../../src/rest/run/json-rows.ts';
import { LevelRows } from '../../src/rest/run/level-rows.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { printRows } from '../lib/report.ts';
import { backends, type Candidate, CONNECTIONS, compare } from './processor-time.ts';
import { loadState } from './statements.ts';

const CASES: readonly (readonly [what: string, target: string])[] = [
  [
    '10 clients, 100 projects, 500 tasks',
    '/clients?id=gte.500&limit=10&order=id&select=id,name,projects(id,name,tasks(id,name,done))',
  ],
  ['100 projects with 500 tasks', '/projects?id=gte.500&limit=100&order=id&select=*,tasks(*)'],
  ['1,000 projects with 5,000 tasks', '/projects?id=gte.500&limit=1000&order=id&select=*,tasks(*)'],
  ['five projects with 25 tasks', '/projects?id=gte.500&limit=5&order=id&select=*,tasks(*)'],
  ['one project with five tasks', '/projects?id=eq.500&select=*,tasks(*)'],
  ['100 clients without rows inside', '/clients?limit=100&order=id&select=*,projects(*)&projects.id=eq.0'],
];

const SCOPE: Statement = {
  name: 'scope',
  text: `select set_config('transaction_read_only', 'on', true), set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true)`,
  params: ['bench', '{}'],
  ignoreRows: true,
};
const TAIL: Statement = { name: 'tail', text: RESPONSE_STATEMENT, params: [] };

export async function run(): Promise<boolean> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL on this machine');
  const cluster = await startCluster(binaries);
  const driver = makePostgresDriver({ uri: cluster.uri, poolSize: CONNECTIONS });
  try {
    const made = await driver.script(await readFile(new URL('./schema.sql', import.meta.url), 'utf8'));
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    const loaded = await loadRestConfig({
      args: [],
      env: { SVRST_DB_URI: cluster.uri, SVRST_DB_SCHEMAS: 'bench', SVRST_DB_ANON_ROLE: 'bench_anon' },
      file: undefined,
      database: [],
      readText: () => Promise.reject(new Error('no files')),
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const { config } = loaded.value;
    const { cache } = await loadState(driver, config);
    if (cache === undefined) throw new Error('no schema');
    const pids = await backends(driver);
    for (const [what, target] of CASES) {
      const [path = '', query = ''] = target.split('?');
      const request = parseRequest(
        { method: 'GET', path, query, headers: {}, body: Buffer.alloc(0) },
        config,
        cache.timezones,
      );
      if (!request.ok) throw new Error(JSON.stringify(request.error));
      const plan = makePlan(request.value, { cache, config });
      if (!plan.ok || plan.value.kind !== 'read') throw new Error(JSON.stringify(plan));
      const filled = ({ text, params, name }: ShapeStatement): Statement => ({
        text,
        params: fillParams(params, request.value),
        ...(name === undefined ? {} : { name }),
      });
      const shape = makeShape(request.value, plan.value, { prepare: true });
      const { rows, levels } = makeShape(request.value, { ...plan.value, fewRows: false }, { prepare: true });
      const cells = rows?.held.cells;
      if (levels === undefined || cells === undefined) throw new Error('no levels');
      let size = 1024;
      const all: readonly Candidate[] = [
        { what: 'json_agg', batch: () => ({ batch: [SCOPE, filled(shape.main)], body: () => Buffer.alloc(0) }) },
        {
          what: 'cells, and json_agg for embeds',
          batch: () => {
            const into = new JsonRows(JSON_ARRAY, false);
            return { batch: [SCOPE, { ...filled(cells), into }, TAIL], body: () => into.out.take() };
          },
        },
        {
          what: 'levels',
          batch: () => {
            const into = new LevelRows(levels.layout, size);
            return {
              batch: [SCOPE, { ...filled(levels.statement), into }],
              body: () => {
                into.finish();
                size = into.out.at + 512;
                return into.out.take();
              },
            };
          },
        },
      ];
      printRows(
        `Embedded rows, ${what}: batches in a second of processor time, of the first`,
        await compare(driver, pids, all),
      );
    }
    return true;
  } finally {
    await driver.close();
    await cluster.stop();
  }
}
