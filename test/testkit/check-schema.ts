// Random schemas put to the proof: made in a database, loaded, described and read, and compared with what the catalogue itself
// says. What does not hold comes back in words, each with the seed that shows it again.

import type { SchemaCache } from '../../src/rest/schema-cache/schema-cache.ts';
import type { TestDatabase } from './database.ts';
import { NOBODY, type RandomSchema, randomSchema } from './random-schema.ts';
import { openRest, type RestClient } from './rest-client.ts';

export type Proof = {
  readonly findings: readonly string[];
  readonly statements: number;
  readonly failed: number;
  readonly relations: number;
  readonly requests: number;
};

/** `role`: whoever owns it all. */
export async function proveSchemas(db: TestDatabase, seeds: readonly number[], role: string): Promise<Proof> {
  const schemas = seeds.map(randomSchema);
  const failed = await makeSchemas(db, schemas);
  const findings: string[] = [];
  let relations = 0;
  let requests = 0;
  // Connected as the superuser: what is read depends on no grant.
  const rest = await openRest(
    { ...db, uri: undefined },
    {
      'db-schemas': schemas.map(({ name }) => name).join(','),
      'db-extra-search-path': '',
      'db-anon-role': role,
      'openapi-mode': 'ignore-privileges',
      'db-tx-end': 'rollback',
    },
  );
  try {
    const { cache } = rest.service.state();
    if (cache === undefined) throw new Error('no schema was loaded');
    for (const [i, { name }] of schemas.entries()) {
      const told = await compare(db, cache, name);
      const asked = await describeAndRead(rest, cache, name);
      requests += asked.requests;
      relations += cache.tablesOf(name).length;
      for (const finding of [...told, ...asked.findings]) findings.push(`seed ${seeds[i]}: ${finding}`);
    }
  } finally {
    await rest.close();
    for (const { name } of schemas) await db.script(`drop schema if exists "${name}" cascade`);
  }
  return {
    findings,
    statements: schemas.reduce((n, { statements }) => n + statements.length, 0),
    failed,
    relations,
    requests,
  };
}

/** One statement that fails is not the end of the others. Returns how many did. */
async function makeSchemas(db: TestDatabase, schemas: readonly RandomSchema[]): Promise<number> {
  await db.script('drop table if exists public.fuzz_failed; create table public.fuzz_failed (said text)');
  for (const { statements } of schemas) {
    const guarded = statements.map((statement) => {
      const text = `'${statement.replaceAll("'", "''")}'`;
      return `do $guard$ begin execute ${text}; exception when others then insert into public.fuzz_failed values (sqlerrm); end $guard$;`;
    });
    await db.script(`set client_min_messages = error; set standard_conforming_strings = on; ${guarded.join('\n')}`);
  }
  const [row] = await db.query<{ n: string }>('select count(*)::text as n from public.fuzz_failed');
  return Number(row?.n);
}

type CatalogueRelation = {
  readonly name: string;
  readonly columns: readonly { name: string; type: string; generated: boolean; notNull: boolean }[] | null;
  readonly key: readonly string[] | null;
};

const RELATIONS = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
              'generated', a.attgenerated <> '' or a.attidentity = 'a', 'notNull', a.attnotnull) order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select json_agg(a.attname order by k.n)
       from pg_index i cross join unnest(i.indkey::int2[]) with ordinality k (attnum, n)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary) as key
  from pg_class c
  where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  order by c.relname collate "C"`;

const FOREIGN_KEYS = `
  select k.conname as name, s.relname as owner, t.relname as target,
    (select json_agg(json_build_array(a.attname, b.attname) order by p.n)
       from unnest(k.conkey, k.confkey) with ordinality p (own, far, n)
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.own
       join pg_attribute b on b.attrelid = k.confrelid and b.attnum = p.far) as pairs
  from pg_constraint k join pg_class s on s.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0 and s.relnamespace = $1::text::regnamespace
    and t.relnamespace = s.relnamespace and not s.relispartition and not t.relispartition`;

const ROUTINES = `
  select p.proname as name, count(*)::int as count
  from pg_proc p
  cross join lateral (
    select count(*) filter (where coalesce(p.proargnames[n], '') = '') as unnamed,
      bool_and(t.type in ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'xml'::regtype))
        filter (where coalesce(p.proargnames[n], '') = '') as are_bodies
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality t (type, n)
    where coalesce(p.proargmodes[n], 'i') in ('i', 'b', 'v')
  ) arguments
  where p.pronamespace = $1::text::regnamespace and p.prokind in ('f', 'p') and p.prorettype <> 'trigger'::regtype
    and (arguments.unnamed = 0 or arguments.unnamed = 1 and arguments.are_bodies)
  group by p.proname order by p.proname collate "C"`;

async function compare(db: TestDatabase, cache: SchemaCache, schema: string): Promise<string[]> {
  const findings: string[] = [];
  const same = (what: string, known: unknown, told: unknown): void => {
    const [a, b] = [JSON.stringify(known), JSON.stringify(told)];
    if (a !== b) findings.push(`${what}: the cache has ${a}, the catalogue ${b}`);
  };
  const named = `"${schema}"`;
  await db.script('set search_path = pg_catalog');
  const relations = await db.query<CatalogueRelation>(RELATIONS, [named]);
  same(
    'relations',
    cache.tablesOf(schema).map(({ name }) => name),
    relations.map(({ name }) => name),
  );
  for (const { name, columns, key } of relations) {
    const table = cache.table(schema, name);
    if (table === undefined) continue;
    const known = [...table.columns.values()];
    same(
      `columns of ${name}`,
      known.map((column) => [column.name, column.nominalType, column.generated === true]),
      (columns ?? []).map((column) => [column.name, column.type, column.generated]),
    );
    const open = known.filter((column) => column.nullable).map((column) => column.name);
    for (const column of columns ?? [])
      if (column.notNull && open.includes(column.name)) findings.push(`${name}.${column.name} takes no null`);
    if (table.kind === 'table' || table.kind === 'partitioned-table')
      same(`key of ${name}`, table.primaryKey, key ?? []);
  }
  for (const { name, owner, target, pairs } of await db.query<{
    name: string;
    owner: string;
    target: string;
    pairs: unknown;
  }>(FOREIGN_KEYS, [named])) {
    const found = cache
      .relationshipsOf({ schema, name: owner })
      .find(
        (one) =>
          (one.kind === 'many-to-one' || (one.kind === 'one-to-one' && one.holdsKey === true)) &&
          one.constraint === name &&
          one.foreign.name === target,
      );
    same(
      `key ${name} of ${owner} to ${target}`,
      found !== undefined && 'columns' in found ? found.columns : undefined,
      pairs,
    );
  }
  const routines = await db.query<{ name: string; count: number }>(ROUTINES, [named]);
  const counts = new Map<string, number>();
  for (const { name } of cache.routinesOf(schema)) counts.set(name, (counts.get(name) ?? 0) + 1);
  same(
    'functions',
    [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    routines.map(({ name, count }) => [name, count]),
  );
  return findings;
}

/** What the database says of objects that nobody can read: circles of views; no data yet, or no wrapper. */
const SAID: readonly string[] = ['42P17', '55000'];
const REFUSED = '42501';

const DESCRIPTIONS = ['application/openapi+json', 'application/vnd.oai.openapi+json;version=3.1'];

async function describeAndRead(
  rest: RestClient,
  cache: SchemaCache,
  schema: string,
): Promise<{ readonly findings: string[]; readonly requests: number }> {
  const findings: string[] = [];
  let requests = 0;
  const headers = { 'accept-profile': schema };
  const get = async (target: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    requests += 1;
    const { status, body } = await rest.get(target, { ...headers, ...more });
    const text = String(body);
    if (status === 200 || status === 206 || status === 300) return text;
    if (!SAID.includes(codeOf(text))) findings.push(`GET ${target}: ${status} ${text.slice(0, 300)}`);
    return text;
  };
  for (const accept of DESCRIPTIONS) {
    const text = await get('/', { accept });
    const { paths } = JSON.parse(text) as { paths?: Readonly<Record<string, unknown>> };
    const missing = cache.tablesOf(schema).filter(({ name }) => !hasPath(paths ?? {}, name));
    if (missing.length > 0) findings.push(`${accept} does without ${missing.map(({ name }) => name).join(', ')}`);
  }
  for (const { name } of cache.tablesOf(schema)) {
    const path = `/${encodeURIComponent(name)}`;
    await get(`${path}?limit=1`);
    const refused = await rest.request('GET', path, { headers, as: NOBODY });
    if (codeOf(String(refused.body)) !== REFUSED)
      findings.push(`GET ${path} as nobody: ${refused.status} ${refused.body}`);
    // The name of the relation itself means its children alone, which not all of these are.
    const related = cache.relationshipsOf({ schema, name }).filter(({ isSelf }) => !isSelf);
    for (const one of related.filter((_, i) => i < 2 || i === related.length - 1)) {
      const target = one.kind === 'computed' ? one.routine.name : one.foreign.name;
      const embed = `"${target.replace(/["\\]/g, '\\$&')}"`;
      await get(`${path}?select=${encodeURIComponent(`e:${embed}(*)`)}&limit=1`);
    }
  }
  return { findings, requests };
}

function codeOf(text: string): string {
  return (JSON.parse(text || '{}') as { code?: string }).code ?? '';
}

function hasPath(paths: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.keys(paths).some((path) => path === `/${name}` || decoded(path) === `/${name}`);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
