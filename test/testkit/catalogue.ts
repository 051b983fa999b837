// What a database's catalogue says of the portal, a line each: relations, columns, constraints, indexes, functions with their bodies, policies, triggers,
// grants, comments, sequences, types, extensions. Two databases with the same lines are the same but for their rows and the order of columns.

import type { TestDatabase } from './database.ts';

const CATALOGUE = String.raw`
with ours as (
  select oid, nspname from pg_catalog.pg_namespace
   where nspname in ('portal', 'portal_private', 'jobs', 'staging', 'layers', 'survest_live')
), rel as (
  select c.*, n.nspname, pg_catalog.format('%I.%I', n.nspname, c.relname) as name
    from pg_catalog.pg_class c join ours n on n.oid = c.relnamespace
)
select line from (
  select 'schema ' || nspname || ' owner ' || pg_get_userbyid(nspowner) || ' acl ' || coalesce((select string_agg(a::text, ' ' order by a::text) from unnest(nspacl) a), '-')
         || ' comment ' || coalesce(obj_description(oid, 'pg_namespace'), '-') as line from pg_namespace where nspname in (select nspname from ours)
  union all
  select 'extension ' || extname || ' in ' || extnamespace::regnamespace from pg_extension
  union all
  select 'relation ' || name || ' kind ' || relkind::text || ' persistence ' || relpersistence::text || ' owner ' || pg_get_userbyid(relowner) || ' rls ' || relrowsecurity::text || '/' || relforcerowsecurity::text
         || ' options ' || coalesce(array_to_string(reloptions, ','), '-') || ' acl ' || coalesce((select string_agg(a::text, ' ' order by a::text) from unnest(relacl) a), '-')
         || ' comment ' || coalesce(obj_description(oid, 'pg_class'), '-') || ' partition ' || coalesce(pg_get_partkeydef(oid), '-') || ' of ' || coalesce(pg_get_expr(relpartbound, oid), '-')
    from rel where relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'view ' || name || ' ' || pg_get_viewdef(oid) from rel where relkind in ('v', 'm')
  union all
  select 'sequence ' || name || ' ' || concat_ws(' ', format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle)
         || ' owned by ' || coalesce((select d.refobjid::regclass || '.' || a.attname from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                                       where d.classid = 'pg_class'::regclass and d.objid = rel.oid and d.deptype in ('a', 'i') limit 1), '-')
    from rel join pg_sequence s on s.seqrelid = rel.oid
  union all
  select 'column ' || name || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
         || ' identity ' || a.attidentity::text || ' generated ' || a.attgenerated::text || ' default ' || coalesce(pg_get_expr(f.adbin, f.adrelid), '-')
         || ' collation ' || coalesce((select o.collname from pg_collation o where o.oid = a.attcollation), '-') || ' storage ' || a.attstorage::text
         || ' acl ' || coalesce((select string_agg(x::text, ' ' order by x::text) from unnest(a.attacl) x), '-') || ' comment ' || coalesce(col_description(rel.oid, a.attnum), '-')
         || ' statistics ' || coalesce(a.attstattarget::text, '-') || ' options ' || coalesce(a.attoptions::text, '-')
    from rel join pg_attribute a on a.attrelid = rel.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef f on f.adrelid = rel.oid and f.adnum = a.attnum
   where rel.relkind in ('r', 'p', 'v', 'm', 'c')
  union all
  select 'constraint ' || name || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) || ' validated ' || k.convalidated
    from rel join pg_constraint k on k.conrelid = rel.oid where k.contype not in ('n', 't')
  union all
  select 'index ' || pg_get_indexdef(i.indexrelid) || ' options ' || coalesce(array_to_string(c.reloptions, ','), '-') || ' valid ' || i.indisvalid
    from pg_index i join rel on rel.oid = i.indrelid join pg_class c on c.oid = i.indexrelid where rel.relkind in ('r', 'p', 'm')
  union all
  select 'function ' || p.oid::regprocedure || ' -> ' || coalesce(pg_get_function_result(p.oid), '-') || ' owner ' || pg_get_userbyid(p.proowner)
         || ' acl ' || coalesce((select string_agg(a::text, ' ' order by a::text) from unnest(p.proacl) a), '-') || ' comment ' || coalesce(obj_description(p.oid, 'pg_proc'), '-')
         || E'\n' || pg_get_functiondef(p.oid)
    from pg_proc p where p.pronamespace in (select oid from ours) and p.prokind in ('f', 'p')
  union all
  select 'aggregate ' || p.oid::regprocedure from pg_proc p where p.pronamespace in (select oid from ours) and p.prokind = 'a'
  union all
  select 'policy ' || p.polname || ' on ' || name || ' ' || p.polcmd::text || ' permissive ' || p.polpermissive || ' to ' || (select string_agg(case when r = 0 then 'public' else pg_get_userbyid(r) end, ',' order by pg_get_userbyid(r)) from unnest(p.polroles) r)
         || ' using ' || coalesce(pg_get_expr(p.polqual, p.polrelid), '-') || ' check ' || coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '-')
    from pg_policy p join rel on rel.oid = p.polrelid
  union all
  select 'trigger on ' || name || ' ' || pg_get_triggerdef(t.oid) || ' enabled ' || t.tgenabled::text from pg_trigger t join rel on rel.oid = t.tgrelid where not t.tgisinternal
  union all
  select 'type ' || t.oid::regtype || ' ' || t.typtype::text || ' acl ' || coalesce(t.typacl::text, '-') || coalesce((select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), '')
    from pg_type t where t.typnamespace in (select oid from ours) and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
  union all
  select 'collation ' || n.nspname || '.' || c.collname || ' ' || coalesce(to_jsonb(c) ->> 'colliculocale', to_jsonb(c) ->> 'colllocale', c.collcollate, '-') from pg_collation c join ours n on n.oid = c.collnamespace
  union all
  select 'default privileges ' || coalesce(defaclnamespace::regnamespace::text, '-') || ' ' || defaclobjtype::text || ' ' || defaclacl::text from pg_default_acl
  union all
  select 'event trigger ' || evtname from pg_event_trigger
  union all
  select 'statistics ' || pg_get_statisticsobjdef(oid) from pg_statistic_ext
  union all
  select 'operator of postgis leakproof ' || p.oid::regprocedure from pg_proc p where p.proleakproof and p.pronamespace not in ('pg_catalog'::regnamespace) and p.proname like 'geometry%'
) all_of_it order by line collate "C"`;

export async function catalogueOf(db: TestDatabase): Promise<readonly string[]> {
  return (await db.query<{ line: string }>(CATALOGUE)).map(({ line }) => line);
}
