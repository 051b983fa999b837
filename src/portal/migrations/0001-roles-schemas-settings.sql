-- The ground the rest stands on: four cluster-wide roles, three schemas, PostGIS, the switches of the portal.
-- Roles belong to the cluster, so they may be there already, made by another database a moment ago: every step
-- looks first and takes "somebody else was faster" for an answer.

do $roles$
declare
  wanted record;
  bad text;
  -- From PostgreSQL 16 on, who creates a role is a member of it who may not take it.
  able text := case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end;
begin
  for wanted in
    select * from (values
      ('survest_anon', 'nologin'),
      ('survest_user', 'nologin'),
      ('survest_admin', 'nologin'),
      ('survest_authenticator', 'login noinherit')
    ) as r(name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      begin
        execute pg_catalog.format('create role %I %s', wanted.name, wanted.attributes);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;

  -- A role that skips row-level security would make every policy below a decoration.
  select pg_catalog.string_agg(rolname, ', ') into bad
    from pg_catalog.pg_roles
   where rolname in ('survest_anon', 'survest_user', 'survest_admin', 'survest_authenticator')
     and (rolsuper or rolbypassrls or rolcreaterole);
  if bad is not null then
    raise exception 'role(s) % must not be superuser, bypass row-level security or create roles', bad
      using errcode = 'invalid_role_specification';
  end if;

  for wanted in
    select m.granted, m.holder
      from (values
        ('survest_anon', 'survest_authenticator'),
        ('survest_user', 'survest_authenticator'),
        ('survest_admin', 'survest_authenticator'),
        ('survest_anon', current_user::text),
        ('survest_user', current_user::text),
        ('survest_admin', current_user::text)
      ) as m(granted, holder)
      join pg_catalog.pg_roles h on h.rolname = m.holder
     where not h.rolsuper and not pg_catalog.pg_has_role(h.oid, m.granted, able)
  loop
    begin
      execute pg_catalog.format('grant %I to %I', wanted.granted, wanted.holder);
    exception
      when unique_violation or duplicate_object then null;
      when internal_error then null; -- "tuple concurrently updated": another database granted it just now
    end;
  end loop;
end
$roles$;

create schema if not exists portal;
create schema if not exists portal_private;
create schema if not exists layers;
comment on schema portal is 'The catalogue. Row-level security here decides who sees and changes what.';
comment on schema portal_private is 'Grants, secrets and helpers. No API role can name anything in it.';
comment on schema layers is 'One table per vector layer, each under the grants of its catalogue entry.';

-- Schema usage is checked when a statement is parsed. Policies and SQL-standard function bodies were parsed long before,
-- so they reach into portal_private; a caller's own text does not.
grant usage on schema portal, layers to survest_anon, survest_user, survest_admin, survest_authenticator;
-- Importers run as the service's own role and make the layer tables.
grant create on schema layers to survest_authenticator;

create extension if not exists postgis;

-- Trigram search where the server has it; without it the same search runs over the whole text table.
do $trgm$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
  end if;
end
$trgm$;

-- Row-level security forbids an index to answer a condition whose operator might tell something about rows the caller may
-- not see. `&&` on geometries looks at two boxes and never raises, so it may be called leakproof, and spatial indexes work
-- under policies. Only a superuser can say so; elsewhere spatial filters still answer right, but read the whole table.
-- A PostGIS upgrade forgets the mark, so the function can be called again.
create function portal_private.mark_spatial_operators_leakproof() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  fn regprocedure;
begin
  for fn in
    select p.oid::regprocedure
      from pg_proc p
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
     where e.extname = 'postgis' and p.proname in ('geometry_overlaps', 'geometry_overlaps_nd') and p.pronargs = 2
       and not p.proleakproof
  loop
    execute format('alter function %s leakproof', fn);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end
$$;
revoke all on function portal_private.mark_spatial_operators_leakproof() from public;
select portal_private.mark_spatial_operators_leakproof();

-- The switches that policies and defaults obey. The names are those of the documentation.
create table portal.setting (
  name text primary key,
  value boolean not null,
  about text not null
);
insert into portal.setting (name, value, about) values
  ('ADMIN_MODERATE_UPLOADS', false, 'New items wait for approval; visitors see approved items only.'),
  ('RESOURCE_PUBLISHING', false, 'New items wait to be published; visitors see published items only.'),
  ('GROUP_PRIVATE_RESOURCES', false, 'Items of a private group are for its members only.'),
  ('DEFAULT_ANONYMOUS_VIEW_PERMISSION', true, 'Everybody may see a new item; off: only the groups of its owner.'),
  ('DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION', true, 'Everybody may download a new item; off: only the groups of its owner.'),
  ('READ_ONLY', false, 'Nobody but administrators changes anything.');

-- Two habits of the functions here and below, both measured. They are in plpgsql, which keeps the plans of its statements for
-- the session; a function in SQL is planned anew by every statement that calls it (before PostgreSQL 18). And only the ones
-- that somebody calls from outside change the user and the search path, once; helpers that nobody else may execute inherit
-- both.
create function portal.setting_on(setting text) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce((select s.value from portal.setting s where s.name = setting), false);
end
$$;
revoke all on function portal.setting_on(text) from public;
grant execute on function portal.setting_on(text) to survest_anon, survest_user, survest_admin, survest_authenticator;
