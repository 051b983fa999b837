// The statements by which a schema is applied, and by which it is recorded what was: `migration` has the changes, `schema_file` the checksums of
// the files that are applied again, `schema_object` the functions, views, policies and triggers that each of these files made.

import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import type { Param, Statement } from '../driver.ts';

export type RecordTables = {
  readonly schema: string;
  readonly changes: string;
  readonly files: string;
  readonly objects: string;
};

export function recordTables(schema: string): RecordTables {
  const table = (name: string): string => `${quoteIdent(schema)}.${quoteIdent(name)}`;
  return { schema, changes: table('migration'), files: table('schema_file'), objects: table('schema_object') };
}

export function statement(text: string, ...params: Param[]): Statement {
  return { text, params };
}

/** Whether the tables of changes and of files are there. Asked of the catalogue's rows: what `to_regclass` says may be older than a lock that we waited for. */
export function findRecord({ schema }: RecordTables): Statement {
  const has = (name: string): string =>
    `exists (select from pg_catalog.pg_tables where schemaname = $1 and tablename = '${name}')`;
  return statement(`select ${has('migration')}, ${has('schema_file')}`, schema);
}

/** The column with the program's version is younger than the table. */
export function readChanges({ changes }: RecordTables): Statement {
  return statement(`select number, checksum, file, to_jsonb(m)->>'program' from ${changes} m order by number`);
}

export function readFiles({ files }: RecordTables): Statement {
  return statement(`select file, checksum, program from ${files}`);
}

export function readObjects({ objects }: RecordTables): Statement {
  return statement(`select object, file from ${objects} order by object`);
}

export function lockRecord({ changes }: RecordTables): Statement {
  return statement('select pg_advisory_xact_lock(hashtextextended($1, 0))', `migrate ${changes}`);
}

export function createRecord({ schema, changes, files, objects }: RecordTables): string {
  return `create schema if not exists ${quoteIdent(schema)};
    create table if not exists ${changes} (
      number integer primary key, file text not null, checksum text not null, applied_at timestamptz not null default now(), program text);
    alter table ${changes} add column if not exists program text;
    create table if not exists ${files} (
      file text primary key, checksum text not null, applied_at timestamptz not null default now(), program text not null);
    create table if not exists ${objects} (object text primary key, file text not null);`;
}

/** Functions may name what a later file makes. */
export const BEGIN_APPLYING = `set local check_function_bodies = off; set local survest.applying = 'on';`;

/** A file that ends the transaction ends this setting with it. */
export const STILL_APPLYING = `do $$ begin
  if current_setting('survest.applying', true) is distinct from 'on' then
    raise exception 'the file ends its own transaction' using errcode = 'invalid_transaction_termination';
  end if;
end $$;`;

export function noteChange(
  { changes }: RecordTables,
  number: number,
  file: string,
  checksum: string,
  program: string,
): string {
  return `insert into ${changes} (number, file, checksum, program)
    values (${number}, ${quoteLiteral(file)}, ${quoteLiteral(checksum)}, ${quoteLiteral(program)});`;
}

export function noteFile({ files }: RecordTables, file: string, checksum: string, program: string): string {
  return `insert into ${files} (file, checksum, program)
    values (${quoteLiteral(file)}, ${quoteLiteral(checksum)}, ${quoteLiteral(program)})
    on conflict (file) do update set checksum = excluded.checksum, program = excluded.program, applied_at = now();`;
}

export function forgetFile({ files, objects }: RecordTables, file: string): string {
  return `delete from ${files} where file = ${quoteLiteral(file)}; delete from ${objects} where file = ${quoteLiteral(file)};`;
}

/** What this transaction has made or made anew behind that command, and no other file has: it was this one. */
export function noteObjects(
  { objects }: RecordTables,
  file: string,
  schemas: readonly string[],
  behind: number,
): string {
  return `insert into ${objects} (object, file)
    select o.object, ${quoteLiteral(file)} from (${madeNow(schemas, behind)}) o on conflict do nothing;`;
}

/** What this transaction has made or made anew behind that command; -1: all of it. */
export function madeNow(schemas: readonly string[], behind: number): string {
  return `select o.object from (${objectsOf(schemas)}) o where o.xmin = pg_current_xact_id()::xid and o.command > ${behind}`;
}

/** The last command of this transaction that has touched one of them. */
export function lastCommand(schemas: readonly string[]): Statement {
  return statement(
    `select coalesce(max(o.command), -1) from (${objectsOf(schemas)}) o where o.xmin = pg_current_xact_id()::xid`,
  );
}

export function presentObjects(schemas: readonly string[]): Statement {
  return statement(`select o.object from (${objectsOf(schemas)}) o`);
}

function objectsOf(schemas: readonly string[]): string {
  const ours = `(select n.oid from pg_catalog.pg_namespace n where n.nspname in (${schemas.map(quoteLiteral).join(', ')}))`;
  // Which types are written with their schema differs from one release of PostgreSQL to another.
  return `select i.type || ' ' || pg_catalog.replace(i.identity, 'pg_catalog.', '') as object, d.xmin, d.cmin::text::bigint as command
    from (select 'pg_catalog.pg_proc'::pg_catalog.regclass as class, p.oid, p.xmin, p.cmin from pg_catalog.pg_proc p where p.pronamespace in ${ours}
          union all
          select 'pg_catalog.pg_class'::pg_catalog.regclass, c.oid, c.xmin, c.cmin from pg_catalog.pg_class c
           where c.relkind = 'v' and c.relnamespace in ${ours}
          union all
          select 'pg_catalog.pg_policy'::pg_catalog.regclass, p.oid, p.xmin, p.cmin from pg_catalog.pg_policy p
            join pg_catalog.pg_class c on c.oid = p.polrelid where c.relnamespace in ${ours}
          union all
          select 'pg_catalog.pg_trigger'::pg_catalog.regclass, t.oid, t.xmin, t.cmin from pg_catalog.pg_trigger t
            join pg_catalog.pg_class c on c.oid = t.tgrelid where not t.tgisinternal and c.relnamespace in ${ours}) d,
         pg_catalog.pg_identify_object(d.class, d.oid, 0) i`;
}

/** Before a file is applied again: its policies and triggers go, and what was granted on its functions is taken back. */
export function undoObjects(objects: readonly string[]): string {
  return objects
    .map((object) => {
      const [kind = '', ...rest] = object.split(' ');
      return kind === 'policy' || kind === 'trigger' ? `drop ${kind} if exists ${rest.join(' ')};` : '';
    })
    .join('\n');
}

/** As statements: what is granted on functions of the list to others than their owners. */
export function grantsOn(objects: readonly string[]): Statement {
  return statement(
    `select distinct pg_catalog.format('revoke all on function %s from %s', p.oid::pg_catalog.regprocedure,
              case when g.grantee = 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(g.grantee)) end)
       from pg_catalog.unnest($1::text[]) o(object)
       join pg_catalog.pg_proc p on p.oid = pg_catalog.to_regprocedure(pg_catalog.substr(o.object, 10))
      cross join pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) g
      where o.object like 'function %' and g.grantee <> p.proowner`,
    asArray(objects),
  );
}

/** Nobody may execute a function because nothing is said of it. */
export function closeFunctions({ objects }: RecordTables): string {
  return `do $$ declare one text; begin
    for one in select p.oid::pg_catalog.regprocedure from ${objects} o
                 join pg_catalog.pg_proc p on p.oid = pg_catalog.to_regprocedure(pg_catalog.substr(o.object, 10))
                where o.object like 'function %'
                  and exists (select from pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) g where g.grantee = 0)
    loop execute 'revoke all on function ' || one || ' from public'; end loop;
  end $$;`;
}

/** What depends on one of them and is none of them keeps all: PostgreSQL says what it is. */
export function dropObjects(objects: readonly string[]): string {
  const named = (kind: string): readonly string[] =>
    objects.filter((object) => object.startsWith(`${kind} `)).map((object) => object.slice(kind.length + 1));
  return ['view', 'function']
    .map((kind) => (named(kind).length === 0 ? '' : `drop ${kind} if exists ${named(kind).join(', ')};`))
    .join('\n');
}

export function asArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** PostGIS may be in another schema than where the lines were read. */
const WITHOUT_GIS = `pg_catalog.replace(o.object, coalesce((select pg_catalog.quote_ident(n.nspname) || '.' from pg_catalog.pg_extension e
  join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'), '..'), '')`;

/** What a database has, a line each: as `FormerForm.lines`. */
export function formerObjects(schemas: readonly string[]): Statement {
  const ours = `n.nspname in (${schemas.map(quoteLiteral).join(', ')})`;
  return statement(`select ${WITHOUT_GIS} from (${objectsOf(schemas)}) o
    union all
    select 'column ' || pg_catalog.format('%I.%I.%I', n.nspname, c.relname, a.attname) || ' ' || t.typname || case when a.attnotnull then ' not null' else '' end
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_catalog.pg_type t on t.oid = a.atttypid
     where ${ours} and c.relkind in ('r', 'p') and not c.relispartition
    union all
    select pg_catalog.format('index %I.%I of %I', n.nspname, x.relname, c.relname)
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_index i on i.indrelid = c.oid join pg_catalog.pg_class x on x.oid = i.indexrelid
     where ${ours} and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`);
}

export function keepFormerObjects({ objects }: RecordTables, schemas: readonly string[]): string {
  return `insert into ${objects} (object, file)
    select o.object, '' from (${objectsOf(schemas)}) o where ${WITHOUT_GIS} = any ($1::text[])`;
}
