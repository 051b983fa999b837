-- What a layer's data were before a file replaced them, and which rows a file has added: kept for a while, so that either is undone.

create table portal_private.kept_data (
  id bigint generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  -- 'replace': the rows that were there; 'append': the keys of those that came.
  kind text not null check (kind in ('replace', 'append')),
  made_at timestamptz not null default now(),
  -- As it was called then.
  account text
);
create index kept_data_resource on portal_private.kept_data (resource_id);
create table portal_private.kept_row (
  kept_id bigint not null references portal_private.kept_data on delete cascade,
  content jsonb not null
);
create index kept_row_kept on portal_private.kept_row (kept_id);
alter table portal_private.kept_data enable row level security;
alter table portal_private.kept_row enable row level security;

-- The table of a layer whose rows the caller may change; raises otherwise.
create function portal.changeable_table(target integer) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_table text := portal.layer_table(target);
begin
  if found_table is null then
    raise exception 'There is no such table.' using errcode = 'no_data_found';
  end if;
  if not portal.may(target, 'change_layer_data') then
    perform portal_private.refuse('change_layer_data is needed');
  end if;
  return found_table;
end
$$;

-- What can be undone, the newest first, for who may change the rows.
create function portal.kept_data(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  return jsonb_build_object('kept', (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'rows', (select count(*) from portal_private.kept_row r where r.kept_id = k.id),
        'at', to_char(k.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'by', k.account) order by k.id desc), '[]')
      from portal_private.kept_data k where k.resource_id = target));
end
$$;

-- Of which kind it is, for who may change the rows; null: there is none.
create function portal.kept_kind(target integer, wanted bigint) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  return (select k.kind from portal_private.kept_data k where k.id = wanted and k.resource_id = target);
end
$$;

-- For the service, in the transaction that changes the rows. They are handed over in parts by the owner of the table, who alone reads all of them.
create function portal.keep_data(target integer, what text, by text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept bigint;
begin
  insert into portal_private.kept_data (resource_id, kind, account) values (target, what, by) returning id into kept;
  return kept;
end
$$;

create function portal.keep_rows(kept bigint, found_rows jsonb[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.kept_row (kept_id, content) select kept, r from unnest(found_rows) r;
end
$$;

create function portal.kept_rows(kept bigint) returns setof jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select r.content from portal_private.kept_row r where r.kept_id = kept;
end
$$;

create function portal.forget_kept(kept bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.kept_data k where k.id = kept;
end
$$;

create function portal.forget_kept_data(days integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.kept_data k where k.made_at < now() - make_interval(days => days);
end
$$;

revoke all on all functions in schema portal_private from public;
do $$
declare
  one text;
begin
  foreach one in array array['keep_data(integer, text, text)', 'keep_rows(bigint, jsonb[])', 'kept_rows(bigint)', 'forget_kept(bigint)',
      'forget_kept_data(integer)'] loop
    execute format('revoke all on function portal.%s from public', one);
    execute format('grant execute on function portal.%s to survest_authenticator', one);
  end loop;
end
$$;
revoke all on function portal.changeable_table(integer), portal.kept_data(integer), portal.kept_kind(integer, bigint) from public;
grant execute on function portal.changeable_table(integer), portal.kept_data(integer), portal.kept_kind(integer, bigint) to survest_user, survest_admin;
