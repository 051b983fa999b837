-- The roles, schemas and extensions that everything else stands on.
--
-- Every statement of a caller runs as survest_anon, survest_user or survest_admin; the program logs in as survest_authenticator and takes one of
-- them. Roles belong to the server, not to a database: they may be there already.

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

create extension if not exists postgis;

-- Trigram search where the server has it; without it the same search reads the whole text table.
do $trgm$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
  end if;
end
$trgm$;

create schema if not exists portal;
create schema if not exists portal_private;
create schema if not exists layers;
create schema jobs;
create schema staging;

comment on schema portal is 'The catalogue. Row-level security here decides who sees and changes what.';
comment on schema portal_private is 'Grants, secrets and helpers. No API role can name anything in it.';
comment on schema layers is 'One table per vector layer, each under the grants of its catalogue entry.';
comment on schema jobs is 'Work that goes on after the answer. For the service only.';
comment on schema staging is 'Tables of imports that are not published yet. For the service only.';

-- USAGE on a schema is checked when a statement is parsed. Policies and SQL-standard function bodies are parsed when they are made, so they may
-- name what is in portal_private; a caller's own statement may not.
grant usage on schema portal, layers to survest_anon, survest_user, survest_admin, survest_authenticator;
-- Imports run as the service's own role and make the tables of layers, queues and imports.
grant create on schema layers to survest_authenticator;
grant usage on schema jobs to survest_authenticator;
grant usage, create on schema staging to survest_authenticator;
