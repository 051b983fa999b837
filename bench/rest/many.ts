// Many rows through HTTP, against pgbench with the statements that PostgREST sends for the same requests: one that makes the whole body. So the reference
// has the database's part of a PostgREST, and nothing of its HTTP; what a PostgREST itself reaches, `npm run bench against` tells where there is one.

import { type BenchRow, printRows } from '../lib/report.ts';
import { measure, type RestCase } from './measure.ts';
import { openRestSetting } from './setting.ts';

/** A table with many columns. */
export const WIDE: string = `
create table bench.wide as select n as id, ${Array.from({ length: 20 }, (_, i) => `'Value ${i} of ' || n as t${i}`).join(', ')}, now() + n * interval '1 s' as at, md5(n::text)::uuid as u from generate_series(1, 2000) n;
alter table bench.wide add primary key (id);
grant select on bench.wide to bench_anon;
analyze bench.wide;
`;

/** A hundred rows to insert. */
export const NOTES: string = JSON.stringify(
  Array.from({ length: 100 }, (_, i) => ({ title: `Title ${i}`, body: `Text of note ${i}`, rank: i })),
);

const SETTINGS = `nullif(current_setting('response.headers', true), '') as response_headers, nullif(current_setting('response.status', true), '') as response_status`;

function body(rows: string): string {
  return `with pgrst_source as (${rows}) select null::bigint as total_result_set, pg_catalog.count(_postgrest_t) as page_total, coalesce(json_agg(_postgrest_t), '[]') as body, ${SETTINGS}, '' as response_inserted from (select * from pgrst_source) _postgrest_t`;
}

/** A level of an embed, joined laterally. */
function lateral(name: string, columns: string, from: string): string {
  return `left join lateral (select json_agg(${name}) as ${name} from (select ${columns} from ${from}) as ${name}) as ${name} on true`;
}

const TASKS = lateral('tasks_2', 't.id, t.name, t.done', 'bench.tasks t where t.project_id = p.id');
const PROJECTS = lateral(
  'projects_1',
  `p.id, p.name, coalesce(tasks_2.tasks_2, '[]') as tasks`,
  `bench.projects p ${TASKS} where p.client_id = c.id`,
);

export const CASES: readonly RestCase[] = [
  {
    what: '1,000 rows of four columns',
    target: '/projects?limit=1000&order=id',
    reference: { text: body('select p.* from bench.projects p order by p.id limit 1000 offset 0'), params: [] },
    ratio: 1.2,
  },
  {
    what: '100 rows of 23 columns',
    target: '/wide?limit=100&order=id',
    reference: { text: body('select w.* from bench.wide w order by w.id limit 100 offset 0'), params: [] },
    ratio: 1.2,
  },
  {
    what: 'three levels: 10 clients, 100 projects, 500 tasks',
    target: '/clients?id=gte.500&limit=10&order=id&select=id,name,projects(id,name,tasks(id,name,done))',
    reference: {
      text: body(
        `select c.id, c.name, coalesce(projects_1.projects_1, '[]') as projects from bench.clients c ${PROJECTS} where c.id >= $1 order by c.id limit 10 offset 0`,
      ),
      params: ['500'],
    },
    ratio: 0.7,
  },
  {
    what: '100 rows inserted',
    method: 'POST',
    target: '/notes',
    headers: { 'Content-Type': 'application/json' },
    body: NOTES,
    expect: 201,
    reference: {
      text: `with pgrst_source as (with pgrst_payload as (select $1::json as json_data), pgrst_body as (select case when json_typeof(json_data) = 'array' then json_data else json_build_array(json_data) end as val from pgrst_payload) insert into bench.notes (title, body, rank) select title, body, rank from json_to_recordset((select val from pgrst_body)) as _(title text, body text, rank int) returning 1) select '' as total_result_set, pg_catalog.count(_postgrest_t) as page_total, array[]::text[] as header, ''::text as body, ${SETTINGS} from (select * from pgrst_source) _postgrest_t`,
      params: [NOTES],
    },
    ratio: 0.7,
  },
];

export async function run(): Promise<boolean> {
  const setting = await openRestSetting({}, [], [WIDE]);
  try {
    const rows: BenchRow[] = [];
    for (const one of CASES) rows.push(await measure(one, setting));
    return printRows('Many rows: requests a second, of what pgbench reaches with the statements of PostgREST', rows);
  } finally {
    await setting.close();
  }
}
