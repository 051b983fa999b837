// What of the database belongs into a backup, asked of its catalogue: tables and their columns, what refers to what, sequences, and the
// statements that make the tables of layers. Run with an empty search path, so that every name is written with its schema.

/**
 * Schemas whose rows are kept. Not the change log of live streams, whose entries name transactions and oids of this server. Of `staging` only
 * the list of imports: its tables are loaded again by who takes an import up.
 */
const OURS = `('portal', 'portal_private', 'jobs', 'staging', 'layers')`;

const NOT_OF_AN_EXTENSION = `not exists (select from pg_catalog.pg_depend d
   where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e')`;

export const SERVER: string = `
select pg_catalog.current_setting('server_version'), e.extversion, n.nspname,
       (select r.rolsuper or r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = current_user),
       pg_catalog.to_regclass('survest.migration') is not null
  from (select) as one
  left join pg_catalog.pg_extension e on e.extname = 'postgis'
  left join pg_catalog.pg_namespace n on n.oid = e.extnamespace`;

export const MIGRATIONS: string = 'select number, file, checksum from survest.migration order by number';

/** Partitions are read through the table they are parts of. */
export const TABLES: string = `
select c.oid, n.nspname, c.relname, c.relkind,
       (select pg_catalog.json_agg(a.attname order by a.attnum) from pg_catalog.pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''),
       pg_catalog.pg_get_userbyid(c.relowner) = current_user,
       c.relrowsecurity and (c.relforcerowsecurity or not pg_catalog.pg_has_role(c.relowner, 'USAGE')),
       exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid and not p.polpermissive),
       pg_catalog.pg_table_size(c.oid)
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname in ${OURS} and c.relkind in ('r', 'p') and not c.relispartition
   and (n.nspname <> 'staging' or c.relname = 'run') and c.relname <> 'backup_run'
   and ${NOT_OF_AN_EXTENSION}
 order by n.nspname, c.relname`;

/** Which table refers to which, by oids. */
export const REFERENCES: string = `
select distinct k.conrelid, k.confrelid from pg_catalog.pg_constraint k
 where k.contype = 'f' and k.conrelid <> k.confrelid and k.conparentid = 0`;

export const SEQUENCES: string = `
select n.nspname, c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname in ${OURS} and n.nspname <> 'staging' and c.relkind = 'S' and ${NOT_OF_AN_EXTENSION}
 order by n.nspname, c.relname`;

export const QUEUES: string = 'select name from jobs.queue order by name';

/** Coordinate systems that imports have brought along (portal.own_srid). */
export const OWN_SYSTEMS: string = 'srid between 960001 and 998999';

export const USED_FILES: string = 'select distinct u.blob from portal.used_blobs() u order by 1';

/** What is in the database and is not kept, a sentence each. */
export const LEFT_OUT: string = `
select pg_catalog.format('the schema %I is not the portal''s: %s table(s) and view(s) of it are not in this backup', n.nspname, count(*))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname not in ('portal', 'portal_private', 'jobs', 'staging', 'layers', 'survest', 'survest_live', 'pg_catalog', 'information_schema')
   and n.nspname !~ '^pg_(toast|temp)' and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${NOT_OF_AN_EXTENSION}
 group by n.nspname
union all
select pg_catalog.format('%s %I.%I is not in this backup',
         case c.relkind when 'v' then 'the view' when 'm' then 'the materialized view' else 'the foreign table' end, n.nspname, c.relname)
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname = 'layers' and c.relkind in ('v', 'm', 'f')
union all
select pg_catalog.format('the function %s is not in this backup', p.oid::pg_catalog.regprocedure)
  from pg_catalog.pg_proc p where p.pronamespace = 'layers'::pg_catalog.regnamespace
union all
select pg_catalog.format('the trigger %I on %s is not in this backup: its function %s is not the portal''s', t.tgname, t.tgrelid::pg_catalog.regclass,
         t.tgfoid::pg_catalog.regprocedure)
  from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid join pg_catalog.pg_proc p on p.oid = t.tgfoid
 where c.relnamespace = 'layers'::pg_catalog.regnamespace and not t.tgisinternal and t.tgparentid = 0
   and p.pronamespace <> all (array['portal', 'portal_private', 'survest_live', 'pg_catalog']::pg_catalog.regnamespace[])
 order by 1`;

/** Columns of layers whose type no other place would know. */
export const STRANGE_TYPES: string = `
select pg_catalog.format('the column %I of %s has the type %s', a.attname, c.oid::pg_catalog.regclass, pg_catalog.format_type(a.atttypid, a.atttypmod))
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_type t on t.oid = a.atttypid
  join pg_catalog.pg_type e on e.oid = case when t.typcategory = 'A' and t.typelem <> 0 then t.typelem else t.oid end
 where c.relnamespace = 'layers'::pg_catalog.regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
   and e.typnamespace not in ('pg_catalog'::pg_catalog.regnamespace)
   and not exists (select from pg_catalog.pg_depend d
                    where d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass and d.objid = e.oid and d.deptype = 'e')
 order by 1`;

/**
 * The tables of layers as statements: `before` their rows, `after` them, `last` when all tables have theirs. Grants are told apart, with the
 * role that each is for: another place may not have it.
 */
export const DEFINITIONS: string = `
with recursive layer as (
  select c.oid, c.relname, c.relkind, c.relispartition, c.relpersistence, c.reloptions, c.relrowsecurity, c.relforcerowsecurity, c.relacl, c.relowner,
         pg_catalog.format('%I.%I', n.nspname, c.relname) as name, n.nspname,
         (select count(*) from (
            with recursive up as (
              select i.inhparent from pg_catalog.pg_inherits i where i.inhrelid = c.oid
              union all select i.inhparent from up join pg_catalog.pg_inherits i on i.inhrelid = up.inhparent)
            select from up) above) as depth
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'layers' and c.relkind in ('r', 'p')
),
owned as (
  select d.refobjid as owner, d.refobjsubid as attnum, d.deptype, s.oid, pg_catalog.format('%I.%I', n.nspname, s.relname) as name, s.relacl,
         pg_catalog.format('increment by %s minvalue %s maxvalue %s start with %s cache %s%s', q.seqincrement, q.seqmin, q.seqmax, q.seqstart,
           q.seqcache, case when q.seqcycle then ' cycle' else '' end) as shape,
         pg_catalog.format_type(q.seqtypid, null) as type
    from pg_catalog.pg_depend d
    join pg_catalog.pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_catalog.pg_namespace n on n.oid = s.relnamespace
    join pg_catalog.pg_sequence q on q.seqrelid = s.oid
   where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
     and d.deptype in ('a', 'i') and d.refobjid in (select oid from layer)
),
col as (
  select a.attrelid, a.attnum, pg_catalog.format('%I %s%s%s%s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
           case when a.attcollation <> 0 and a.attcollation <> t.typcollation then (
             select pg_catalog.format(' collate %I.%I', n.nspname, o.collname) from pg_catalog.pg_collation o
               join pg_catalog.pg_namespace n on n.oid = o.collnamespace where o.oid = a.attcollation) else '' end,
           case when a.attgenerated = 's' then ' generated always as (' || pg_catalog.pg_get_expr(f.adbin, f.adrelid) || ') stored'
                when a.attgenerated = 'v' then ' generated always as (' || pg_catalog.pg_get_expr(f.adbin, f.adrelid) || ')'
                when a.attidentity <> '' then pg_catalog.format(' generated %s as identity (sequence name %s %s)',
                  case a.attidentity when 'a' then 'always' else 'by default' end, o.name, o.shape)
                when f.adbin is not null then ' default ' || pg_catalog.pg_get_expr(f.adbin, f.adrelid) else '' end,
           case when a.attnotnull then ' not null' else '' end) as text
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_type t on t.oid = a.atttypid
    left join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
    left join owned o on o.owner = a.attrelid and o.attnum = a.attnum and o.deptype = 'i'
   where a.attrelid in (select oid from layer) and a.attnum > 0 and not a.attisdropped
),
line as (
  select l.oid, 'before' as part, 10 as rank, o.name as by, pg_catalog.format('create sequence %s as %s %s', o.name, o.type, o.shape) as text, null::text as role
    from layer l join owned o on o.owner = l.oid and o.deptype = 'a'
  union all
  select l.oid, 'before', 20, '', pg_catalog.format('create %stable %s (%s)%s%s', case l.relpersistence when 'u' then 'unlogged ' else '' end, l.name,
           (select pg_catalog.string_agg(k.text, ', ' order by k.attnum) from col k where k.attrelid = l.oid),
           case when l.relkind = 'p' then ' partition by ' || pg_catalog.pg_get_partkeydef(l.oid) else '' end,
           case when l.reloptions is null then '' else ' with (' || pg_catalog.array_to_string(l.reloptions, ', ') || ')' end), null
    from layer l
  union all
  select l.oid, 'before', 30, o.name, pg_catalog.format('alter sequence %s owned by %s.%I', o.name, l.name, a.attname), null
    from layer l join owned o on o.owner = l.oid and o.deptype = 'a' join pg_catalog.pg_attribute a on a.attrelid = l.oid and a.attnum = o.attnum
  union all
  select l.oid, 'before', 40, '', case when l.relispartition
           then pg_catalog.format('alter table %s attach partition %s %s', p.oid::pg_catalog.regclass, l.name, pg_catalog.pg_get_expr(c.relpartbound, c.oid))
           else pg_catalog.format('alter table %s inherit %s', l.name, p.oid::pg_catalog.regclass) end, null
    from layer l join pg_catalog.pg_inherits i on i.inhrelid = l.oid join pg_catalog.pg_class p on p.oid = i.inhparent
    join pg_catalog.pg_class c on c.oid = l.oid
  union all
  select l.oid, case when k.contype = 'f' then 'last' else 'after' end, case k.contype when 'p' then 10 when 'u' then 11 else 12 end, k.conname,
         pg_catalog.format('alter table %s add constraint %I %s', l.name, k.conname, pg_catalog.pg_get_constraintdef(k.oid)), null
    from layer l join pg_catalog.pg_constraint k on k.conrelid = l.oid
   where k.contype in ('p', 'u', 'x', 'c', 'f') and k.conparentid = 0 and k.conislocal
  union all
  select l.oid, 'after', 20, i.indexrelid::pg_catalog.regclass::text, pg_catalog.pg_get_indexdef(i.indexrelid), null
    from layer l join pg_catalog.pg_index i on i.indrelid = l.oid
   where not exists (select from pg_catalog.pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     and not exists (select from pg_catalog.pg_inherits h where h.inhrelid = i.indexrelid)
  union all
  select l.oid, 'after', 30, d.objsubid::text, case when d.objsubid = 0
           then pg_catalog.format('comment on table %s is %L', l.name, d.description)
           else pg_catalog.format('comment on column %s.%I is %L', l.name, a.attname, d.description) end, null
    from layer l join pg_catalog.pg_description d on d.objoid = l.oid and d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
    left join pg_catalog.pg_attribute a on a.attrelid = l.oid and a.attnum = d.objsubid
  union all
  select l.oid, 'after', 40, t.tgname, pg_catalog.pg_get_triggerdef(t.oid), null
    from layer l join pg_catalog.pg_trigger t on t.tgrelid = l.oid join pg_catalog.pg_proc p on p.oid = t.tgfoid
   where not t.tgisinternal and t.tgparentid = 0
     and p.pronamespace = any (array['portal', 'portal_private', 'survest_live', 'pg_catalog']::pg_catalog.regnamespace[])
  union all
  select l.oid, 'after', 41, t.tgname, pg_catalog.format('alter table %s %s trigger %I', l.name,
           case t.tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end, t.tgname), null
    from layer l join pg_catalog.pg_trigger t on t.tgrelid = l.oid join pg_catalog.pg_proc p on p.oid = t.tgfoid
   where not t.tgisinternal and t.tgparentid = 0 and t.tgenabled <> 'O'
     and p.pronamespace = any (array['portal', 'portal_private', 'survest_live', 'pg_catalog']::pg_catalog.regnamespace[])
  union all
  select l.oid, 'after', 50, '', pg_catalog.format('alter table %s enable row level security', l.name), null from layer l where l.relrowsecurity
  union all
  select l.oid, 'after', 51, '', pg_catalog.format('alter table %s force row level security', l.name), null from layer l where l.relforcerowsecurity
  union all
  select l.oid, 'after', 52, p.polname, pg_catalog.format('create policy %I on %s as %s for %s to %s%s%s', p.polname, l.name,
           case when p.polpermissive then 'permissive' else 'restrictive' end,
           case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
           (select pg_catalog.string_agg(case when r = 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(r)) end, ', ')
              from pg_catalog.unnest(p.polroles) r),
           ' using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')',
           ' with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')'), null
    from layer l join pg_catalog.pg_policy p on p.polrelid = l.oid
  union all
  -- Who runs as that role alters these tables when a layer's data is replaced.
  select l.oid, 'grant', 5, '', pg_catalog.format('alter table %s owner to survest_authenticator', l.name), 'survest_authenticator'
    from layer l where pg_catalog.pg_get_userbyid(l.relowner) = 'survest_authenticator' and not l.relispartition
  union all
  select l.oid, 'grant', 10, g.grantee::text || g.privilege_type, pg_catalog.format('grant %s on %s to %s%s', g.privilege_type, l.name,
           case when g.grantee = 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(g.grantee)) end,
           case when g.is_grantable then ' with grant option' else '' end),
         case when g.grantee = 0 then 'public' else pg_catalog.pg_get_userbyid(g.grantee) end
    from layer l, pg_catalog.aclexplode(l.relacl) g where g.grantee <> l.relowner
  union all
  select l.oid, 'grant', 20, a.attnum::text || g.grantee::text || g.privilege_type, pg_catalog.format('grant %s (%I) on %s to %s%s', g.privilege_type, a.attname, l.name,
           case when g.grantee = 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(g.grantee)) end,
           case when g.is_grantable then ' with grant option' else '' end),
         case when g.grantee = 0 then 'public' else pg_catalog.pg_get_userbyid(g.grantee) end
    from layer l join pg_catalog.pg_attribute a on a.attrelid = l.oid and a.attacl is not null, pg_catalog.aclexplode(a.attacl) g
   where g.grantee <> l.relowner
  union all
  select l.oid, 'grant', 30, o.name || g.grantee::text || g.privilege_type, pg_catalog.format('grant %s on sequence %s to %s', g.privilege_type, o.name,
           case when g.grantee = 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(g.grantee)) end),
         case when g.grantee = 0 then 'public' else pg_catalog.pg_get_userbyid(g.grantee) end
    from layer l join owned o on o.owner = l.oid, pg_catalog.aclexplode(o.relacl) g where g.grantee <> l.relowner
)
select l.nspname, l.relname, i.part, i.text, i.role
  from line i join layer l on l.oid = i.oid
 order by l.depth, l.relname, i.part, i.rank, i.by collate "C"`;
