// Rows → JSON, candidate against candidate in one process on one server, in turn, so that other load on the machine falls on all alike.
// Counted is the processor time of this process and of the server's backends together, which other load does not change much.
// What decides how the REST service has its bodies made: `rest/query/body-sql.ts`, `rest/run/json-rows.ts`.

import { readFile } from 'node:fs/promises';
import type { Batch, Statement } from '../../src/pg/driver.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { JSON_ARRAY, JsonRows } from '../../src/rest/run/json-rows.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { printRows } from '../lib/report.ts';
import { backends, type Candidate, CONNECTIONS, compare } from './processor-time.ts';

const SCHEMA = `
create table narrow as select n as id, 'Name ' || n as name, n * 1.5 as budget, n % 7 = 0 as done, n / 10 as parent from generate_series(1, 10000) n;
create table wide as select n as id, ${Array.from({ length: 20 }, (_, i) => `'Value ${i} of ' || n as t${i}`).join(', ')}, now() + n * interval '1 s' as at, md5(n::text)::uuid as u from generate_series(1, 2000) n;
create unique index on narrow (id);
create unique index on wide (id);
analyze;
`;

const SETTINGS = `nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`;
const SCOPE: Statement = {
  name: 'scope',
  text: `select set_config('transaction_read_only', 'on', true), set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true)`,
  params: ['public', '{}'],
  ignoreRows: true,
};
const WRITE_SCOPE: Statement = {
  name: 'write_scope',
  text: `select set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true)`,
  params: ['public', '{}'],
  ignoreRows: true,
};
const TAIL: Statement = { name: 'tail', text: `select ${SETTINGS}`, params: [] };

function candidates(name: string, columns: readonly string[], rows: string): readonly Candidate[] {
  const pieces = columns.map(
    (column, i) => `'${i === 0 ? '{' : ','}"${column}":' || coalesce(to_json(t.${column})::text, 'null')`,
  );
  const row = `${pieces.join(' || ')} || '}'`;
  const one = (key: string, text: string): (() => { batch: Batch; body: () => Buffer }) => {
    const main: Statement = { name: `${name}_${key}`, text, params: [] };
    return () => ({ batch: [SCOPE, main], body: () => Buffer.alloc(0) });
  };
  return [
    {
      what: 'json_agg of rows',
      batch: one(
        'agg',
        `select null as total, count(*) as page, coalesce(json_agg(t.*), '[]') as body, ${SETTINGS} from (${rows}) as t`,
      ),
    },
    {
      what: 'string_agg of pieces',
      batch: one(
        'pieces',
        `select null as total, count(*) as page, '[' || coalesce(string_agg(${row}, E', \\n '), '') || ']' as body, ${SETTINGS} from (${rows}) as t`,
      ),
    },
    {
      what: 'a row_to_json for each row',
      batch: () => ({
        batch: [SCOPE, { name: `${name}_row`, text: `select row_to_json(t.*) from (${rows}) as t`, params: [] }, TAIL],
        body: () => Buffer.alloc(0),
      }),
    },
    {
      what: 'cells, written as JSON here',
      batch: () => {
        const into = new JsonRows(JSON_ARRAY, false);
        return {
          batch: [SCOPE, { name: `${name}_cells`, text: rows, params: [], into }, TAIL],
          body: () => into.out.take(),
        };
      },
    },
    {
      what: 'cells, without what the database wishes',
      batch: () => {
        const into = new JsonRows(JSON_ARRAY, false);
        return {
          batch: [SCOPE, { name: `${name}_cells`, text: rows, params: [], into }],
          body: () => into.out.take(),
        };
      },
    },
  ];
}

const BY_KEY = 'from bench.clients c where c.id >= 500 order by c.id limit 10';
const TASKS = 'select t.id, t.name, t.done from bench.tasks t where t.project_id = p.id';
const projects = (tasks: string): string =>
  `select p.id, p.name, (${tasks}) as tasks from bench.projects p where p.client_id = c.id`;
const piece = (name: string, value: string): string => `'"${name}":' || coalesce(${value}, 'null')`;
const pieced = (members: readonly string[]): string =>
  `'[' || coalesce(string_agg('{' || ${members.join(" || ',' || ")} || '}', E', \\n '), '') || ']'`;
const shown = [piece('id', 'r.id::text'), piece('name', 'to_json(r.name)::text')];

/** Three levels, the two inner ones as JSON. */
const EMBEDS: readonly Candidate[] = (
  [
    [
      'json_agg of rows',
      `select coalesce(json_agg(r.*), '[]') from (${projects(`select coalesce(json_agg(r.*), '[]') from (${TASKS}) as r`)}) as r`,
    ],
    [
      'string_agg of pieces, numbers as they are',
      `select (${pieced([...shown, piece('tasks', 'r.tasks')])})::json from (${projects(`select ${pieced([...shown, piece('done', 'r.done::text')])} from (${TASKS}) as r`)}) as r`,
    ],
    [
      'json_agg of json_build_object',
      `select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'tasks', r.tasks)), '[]') from (${projects(`select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'done', r.done)), '[]') from (${TASKS}) as r`)}) as r`,
    ],
  ] as const
).map(([what, inner], i) => ({
  what,
  batch: () => {
    const into = new JsonRows(JSON_ARRAY, false);
    const text = `select c.id, c.name, (${inner}) as projects ${BY_KEY}`;
    return { batch: [SCOPE, { name: `embed_${i}`, text, params: [], into }, TAIL], body: () => into.out.take() };
  },
}));

const NOTES = Array.from({ length: 100 }, (_, i) => ({ title: `Title ${i}`, body: `Text of note ${i}`, rank: i }));
const arrayOf = (key: 'title' | 'body' | 'rank'): string => `{${NOTES.map((note) => `"${note[key]}"`).join()}}`;
const counted = (rows: string): string =>
  `with written as (insert into bench.notes (title, body, rank) ${rows} returning 1) select count(*), ${SETTINGS} from written`;

const INSERTS: readonly Candidate[] = (
  [
    [
      'json_to_recordset',
      counted('select b.* from json_to_recordset($1::json) as b(title text, body text, rank int)'),
      [JSON.stringify(NOTES)],
    ],
    [
      'jsonb_to_recordset',
      counted('select b.* from jsonb_to_recordset($1::jsonb) as b(title text, body text, rank int)'),
      [JSON.stringify(NOTES)],
    ],
    [
      'unnest of an array for each column',
      counted('select * from unnest($1::text[], $2::text[], $3::int[])'),
      [arrayOf('title'), arrayOf('body'), arrayOf('rank')],
    ],
  ] as const
).map(([what, text, params], i) => ({
  what,
  batch: () => ({
    batch: [WRITE_SCOPE, { name: `insert_${i}`, text, params }],
    body: () => Buffer.alloc(0),
  }),
}));

const NARROW = ['id', 'name', 'budget', 'done', 'parent'];
const WIDE = ['id', ...Array.from({ length: 20 }, (_, i) => `t${i}`), 'at', 'u'];
const CASES = [
  { what: '1 row of five columns', all: candidates('one', NARROW, 'select narrow.* from narrow where id = 500') },
  {
    what: '20 rows of five columns',
    all: candidates('few', NARROW, 'select narrow.* from narrow order by id limit 20'),
  },
  {
    what: '1,000 rows of five columns',
    all: candidates('many', NARROW, 'select narrow.* from narrow order by id limit 1000'),
  },
  { what: '100 rows of 23 columns', all: candidates('wide', WIDE, 'select wide.* from wide order by id limit 100') },
  { what: 'three levels, 10 clients with 100 projects and 500 tasks', all: EMBEDS },
  { what: 'a hundred rows inserted', all: INSERTS },
];

export async function run(): Promise<boolean> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL on this machine');
  const cluster = await startCluster(binaries);
  const driver = makePostgresDriver({ uri: cluster.uri, poolSize: CONNECTIONS });
  try {
    const made = await driver.script((await readFile(new URL('./schema.sql', import.meta.url), 'utf8')) + SCHEMA);
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    const pids = await backends(driver);
    for (const { what, all } of CASES)
      printRows(
        `Rows to JSON, ${what}: batches in a second of processor time, of the first`,
        await compare(driver, pids, all),
      );
    return true;
  } finally {
    await driver.close();
    await cluster.stop();
  }
}
