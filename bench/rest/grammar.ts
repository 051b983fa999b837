// The grammar beyond PostgREST's, a line for each part of it, through HTTP against pgbench sending the same statements. Where a request sends
// more than its own statement (an explanation, a batch, a procedure), the ceiling is the bare statement of what it is about.

import { type BenchRow, printRows } from '../lib/report.ts';
import { measure, type RestCase } from './measure.ts';
import { CASES as READS } from './read.ts';
import { openRestSetting, type RestSetting, tokenFor } from './setting.ts';
import { CASES as WRITES } from './write.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };

const WORLD = `
  create extension if not exists postgis;
  create table bench.places (id int primary key, name text not null, at geometry(Point, 4326) not null);
  insert into bench.places
    select n, 'Place ' || n, st_setsrid(st_makepoint((n * 37 % 36000) / 100.0 - 180, (n * 91 % 16000) / 100.0 - 80), 4326)
    from generate_series(1, 100000) n;
  create index on bench.places using gist (at);
  create table bench.limited (id int primary key, name text not null);
  insert into bench.limited select n, 'Row ' || n from generate_series(1, 1000) n;
  comment on table bench.limited is '@survest limit rows=100 filter=id order=id operators=eq,in depth=1';
  create table bench.old_notes (id int primary key, client_id int not null);
  create table bench.new_notes (id int primary key, client_id int not null);
  insert into bench.old_notes select n, n from generate_series(1, 500) n;
  insert into bench.new_notes select n, n from generate_series(501, 1000) n;
  create view bench.all_notes as select * from bench.old_notes union all select * from bench.new_notes;
  comment on view bench.all_notes is '@survest primary-key id
@survest foreign-key client_id references clients(id)';
  create procedure bench.double(n int, inout result int default null) language plpgsql as 'begin result := n * 2; end';
  create function bench.clients_named(part text) returns setof bench.clients language sql stable
    as 'select * from bench.clients where name >= part';
  create schema tenant_a;
  create table tenant_a.clients (id int primary key, name text not null);
  insert into tenant_a.clients select n, 'Client ' || n from generate_series(1, 1000) n;
  grant usage on schema tenant_a to bench_user;
  grant select on all tables in schema tenant_a to bench_user;
  create extension if not exists pg_trgm;
  create table bench.words (id int primary key, word text not null);
  insert into bench.words select n, substr(md5(n::text), 1, 12) from generate_series(1, 20000) n;
  create index on bench.words using gist (word gist_trgm_ops);
  do $$ begin
    if exists (select from pg_available_extensions where name = 'vector') then
      create extension if not exists vector;
      execute 'create table bench.embeddings (id int primary key, embedding vector(3) not null)';
      execute 'insert into bench.embeddings select n, array[n % 100, n % 77, n % 31]::vector from generate_series(1, 20000) n';
      execute 'create index on bench.embeddings using hnsw (embedding vector_l2_ops)';
    end if;
  end $$;
  grant select on all tables in schema bench to bench_anon, bench_user;
  grant usage, select on all sequences in schema bench to bench_anon, bench_user;
  analyze;
`;

function known(cases: readonly RestCase[], what: string): RestCase {
  const found = cases.find((one) => one.what === what);
  if (found === undefined) throw new Error(`no case is called ${what}`);
  return found;
}

/** By the parts of the grammar, in the order of the documentation. */
const CASES: readonly (readonly [part: string, one: RestCase])[] = [
  ['batch', known(WRITES, 'a batch of three inserts')],
  ['batch', known(WRITES, 'a batch whose second request uses the first')],
  ['nested', known(WRITES, 'a paper with three pages inside it, shown')],
  [
    'nested',
    {
      what: 'upsert with rows inside',
      method: 'POST',
      target: '/clients?select=id,projects(id)',
      headers: { ...JSON_BODY, Prefer: 'resolution=merge-duplicates, return=minimal, missing=keep' },
      body: JSON.stringify({
        id: 900,
        name: 'Client 900',
        city: 'City 0',
        projects: [{ id: 8991, name: 'Project 8991', budget: 1 }],
      }),
      expect: 200,
      ratio: 0.4,
    },
  ],
  ['rows', known(WRITES, 'ten rows, each with its own value, in one update')],
  ['rows', known(WRITES, 'increment')],
  ['rows', known(WRITES, 'JSON patch of a document')],
  ['query', known(READS, 'a hundred rows, asked by a body')],
  ['groups', known(READS, 'groups with conditions')],
  ['groups', known(READS, 'the first of each group')],
  ['groups', known(READS, 'a window function')],
  ['pages', known(READS, 'a keyset page')],
  [
    'pages',
    {
      what: 'a keyset page of a function',
      target: '/rpc/clients_named?part=Client%205&order=name&limit=20&after=',
      ratio: 0.5,
    },
  ],
  ['spatial', { what: 'places in a box', target: '/places?select=id&at=bbox.10,10,12,12&limit=50', ratio: 0.5 }],
  [
    'spatial',
    {
      what: 'places in a polygon',
      target: '/places?select=id,name&at=st_within.POLYGON((10%2010,14%2010,14%2014,10%2014,10%2010))&limit=50',
      ratio: 0.5,
    },
  ],
  [
    'spatial',
    {
      what: 'the ten nearest places',
      target: '/places?select=id,name&order=at.nearest(POINT(10%2050))&limit=10',
      ratio: 0.5,
    },
  ],
  ['spatial', known(READS, 'one column against another')],
  ['spatial', known(READS, 'ranked text')],
  [
    'spatial',
    {
      what: 'the ten most similar words',
      target: '/words?select=id,word&order=word.trgm_distance(c4ca4238a0b9)&limit=10',
      ratio: 0.5,
    },
  ],
  [
    'why',
    {
      what: 'one row, with its access explained',
      target: '/clients?id=eq.500',
      headers: { Prefer: 'explain=access' },
      // Grants and policies are asked for on top, in three batches: a diagnosis, whose ratio says only that it did not get worse.
      ceiling: { target: '/clients?id=eq.500', headers: { Prefer: '' } },
      ratio: 0.03,
    },
  ],
  ['limits', { what: 'one row of a table with limits', target: '/limited?id=eq.5', ratio: 0.5 }],
  [
    'procedures',
    {
      what: 'CALL of a procedure',
      method: 'POST',
      target: '/rpc/double',
      headers: JSON_BODY,
      body: '{"n":2}',
      // One statement; CALL needs a transaction that it cannot end, and its arguments in a setting: seven.
      ceiling: { method: 'POST', target: '/rpc/add', headers: JSON_BODY, body: '{"a":1,"b":2}' },
      ratio: 0.2,
    },
  ],
  [
    'told keys',
    {
      what: 'an embed through a view of a UNION',
      target: '/all_notes?id=eq.700&select=id,clients(name)',
      ratio: 0.5,
    },
  ],
];

/** Where the extension is there. */
const VECTORS: RestCase = {
  what: 'the ten nearest vectors',
  target: '/embeddings?select=id&order=embedding.l2_distance([50,20,10])&limit=10',
  ratio: 0.5,
};

export async function run(): Promise<boolean> {
  const setting = await openRestSetting({ SVRST_DB_EXPLAIN_ROLES: 'bench_anon' }, [], [WORLD]);
  try {
    const rows: BenchRow[] = [];
    for (const [part, one] of CASES) rows.push(named(part, await measure(one, setting)));
    if (setting.state.cache?.table('bench', 'embeddings') === undefined)
      console.log('not measured, as the server has no extension "vector": the ten nearest vectors');
    else rows.push(named('spatial', await measure(VECTORS, setting)));
    rows.push(named('tenants', await tenantRow(setting)));
    return printRows(
      'The grammar beyond PostgREST’s: requests a second, of what pgbench reaches with the bare statements',
      rows,
    );
  } finally {
    await setting.close();
  }
}

function named(part: string, row: BenchRow): BenchRow {
  return { ...row, what: `${part}: ${row.what}` };
}

/** The schema of a request from a claim of its token: the same row in the schema of the tenant, and in the one that everybody has. */
async function tenantRow(setting: RestSetting): Promise<BenchRow> {
  const tenants = { SVRST_DB_SCHEMA_CLAIM: '.tenant', SVRST_DB_TENANT_SCHEMAS: 'tenant_*' };
  const server = await setting.another(tenants);
  try {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const token = tokenFor({ role: 'bench_user', tenant: 'tenant_a', exp });
    const one: RestCase = {
      what: 'one row in the schema of the tenant',
      target: '/clients?id=eq.500',
      headers: { Authorization: `Bearer ${token}` },
      ratio: 0.5,
    };
    return await measure(one, { ...setting, port: server.port });
  } finally {
    await server.stop();
  }
}
