-- Overviews of large layers: how many features lie in each crowded tile, and which of them stand for the others where a tile has far too
-- many to look at. Only keys are kept. A tile is drawn from the rows that these keys name, read from the layer's own table as the caller,
-- so that its policies hold at every zoom, and a row that was deleted or changed is not shown as it was.

create table portal_private.overview (
  resource_id integer primary key references portal.resource on delete cascade,
  -- False while the first one is being made.
  ready boolean not null default false,
  -- More was written at once than is noted row by row: not used until it is made anew.
  stale boolean not null default false,
  -- The state of the layer's rows (0030) it was made of.
  data text not null default '',
  -- Which columns tiles of it have; the first `needed` of them stay where a tile would be too large.
  columns text[] not null default '{}',
  needed integer not null default 0,
  -- The last zoom with a crowded tile.
  deepest smallint not null default -1,
  built timestamptz not null default now(),
  -- Why it could not be made of that state.
  failure text
);
alter table portal_private.overview enable row level security;

create table portal_private.overview_tile (
  resource_id integer not null references portal_private.overview on delete cascade,
  z smallint not null,
  x integer not null,
  y integer not null,
  -- Features in it.
  n bigint not null,
  -- Where there are very many: a key for each occupied cell of the tile in no particular order, how many features the cell has, and which part
  -- of it areas cover; and the keys of the features that are larger than a cell. Null: they are looked for when the tile is drawn.
  keys text[],
  counts integer[],
  covers real[],
  large text[],
  primary key (resource_id, z, x, y)
);
alter table portal_private.overview_tile enable row level security;

-- Rows that came or changed since.
create table portal_private.overview_fresh (
  resource_id integer not null references portal_private.overview on delete cascade,
  n bigint not null generated always as identity,
  key text not null,
  primary key (resource_id, n)
);
alter table portal_private.overview_fresh enable row level security;

-- On tables that have an overview, once per statement. Whatever is odd about the table makes the overview stale, and stops no writer.
create function portal.overview_rows_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  target integer := tg_argv[0]::integer;
  key name := (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                where i.indrelid = tg_relid and i.indisprimary and i.indnkeyatts = 1);
  most constant integer := 5000;
  noted bigint := most + 1;
begin
  if not exists (select from portal_private.overview o where o.resource_id = target and not o.stale) then
    return null;
  end if;
  if key is not null then
    execute format('insert into portal_private.overview_fresh (resource_id, key) select $1, %I::text from changed limit $2', key)
      using target, most + 1;
    get diagnostics noted = row_count;
  end if;
  if noted > most then
    update portal_private.overview o set stale = true where o.resource_id = target and not o.stale;
  end if;
  return null;
end
$$;

-- The state of a layer's rows, as `portal.layer_stamp` tells it.
create function portal_private.layer_data(target integer) returns text
language sql stable
return coalesce((select string_agg(c.n::text, '.' order by c.n) from portal_private.layer_change c
                  where c.resource_id = target and c.part = 'data'), '0');

-- For the service: layers whose overview has to be made, or made anew. Tables with row rules of their own have none, for callers see
-- different rows of them; nor have those whose changes are not noted (divided tables, a trigger that was switched off).
create function portal.due_overviews(fewest bigint, most_rows bigint, most integer) returns table (resource_id integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
begin
  return query
    select t.resource_id
      from portal_private.layer_table t
      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace
      left join portal_private.overview o on o.resource_id = t.resource_id
     where c.reltuples > fewest and c.reltuples <= most_rows and c.relkind = 'r' and not c.relhassubclass
       and not exists (select from pg_policy p where p.polrelid = c.oid
                          and p.polname not in ('survest_read', 'survest_insert', 'survest_update', 'survest_delete'))
       and exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'survest_version' and g.tgenabled <> 'D')
       and (o.resource_id is null
            or (o.data <> portal_private.layer_data(t.resource_id)
                and (o.stale or not o.ready or o.built < now() - interval '10 minutes'
                     or (select count(*) from (select from portal_private.overview_fresh f
                           where f.resource_id = t.resource_id limit 2000) few) = 2000)))
     order by o.built nulls first, t.resource_id
     limit most;
end
$$;

-- From here on changes are noted. Returns the table.
create function portal.begin_overview(target integer) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.overview (resource_id) values (target)
    on conflict (resource_id) do update set stale = portal_private.overview.stale;
  return (select t.table_name from portal_private.layer_table t where t.resource_id = target);
end
$$;

-- Takes the place of the one before, in the transaction whose snapshot it was made of: what that has seen is fresh no longer.
create function portal.keep_overview(target integer, its_columns text[], its_needed integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.overview_tile o where o.resource_id = target;
  delete from portal_private.overview_fresh f where f.resource_id = target;
  update portal_private.overview o
     set ready = true, stale = false, columns = its_columns, needed = its_needed, deepest = -1, built = now(), failure = null
   where o.resource_id = target;
end
$$;

create function portal.keep_overview_tile(
  target integer, its_z integer, its_x integer, its_y integer, its_n bigint,
  its_keys text[], its_counts integer[], its_covers real[], its_large text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.overview_tile values (target, its_z, its_x, its_y, its_n, its_keys, its_counts, its_covers, its_large);
  update portal_private.overview o set deepest = its_z where o.resource_id = target and o.deepest < its_z;
end
$$;

-- Tiles look different now: the layer has a new version.
create function portal.finish_overview(target integer, why_not text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if why_not is null then
    perform portal_private.note_layer_change(target, 'data');
  end if;
  update portal_private.overview o
     set data = portal_private.layer_data(target), built = now(), failure = left(why_not, 1000), ready = o.ready and why_not is null
   where o.resource_id = target;
end
$$;

-- What tiles have to know of it; null: there is none that can be used.
create function portal.layer_overview(target integer) returns json
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select json_build_object('columns', o.columns, 'needed', o.needed, 'deepest', o.deepest)
            from portal_private.overview o
           where o.resource_id = target and o.ready and portal_private.sees(portal_private.who(), target));
end
$$;

-- How crowded a tile is; no row: not crowded. `stale`: nothing of it holds any more.
create function portal.overview_tile(target integer, its_z integer, its_x integer, its_y integer)
returns table (n bigint, has_keys boolean, stale boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query
    select t.n, t.keys is not null, o.stale
      from portal_private.overview o
      left join portal_private.overview_tile t on t.resource_id = o.resource_id and t.z = its_z and t.x = its_x and t.y = its_y
     where o.resource_id = target and o.ready and (t.n is not null or o.stale)
       and portal_private.sees(portal_private.who(), target);
end
$$;

-- The keys of a tile. `cover` is null where the feature is drawn as it is.
create function portal.overview_cells(target integer, its_z integer, its_x integer, its_y integer)
returns table (key text, n integer, cover real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 10000 as $$
begin
  if not portal_private.sees(portal_private.who(), target) then
    return;
  end if;
  return query
    with tile as (select t.keys, t.counts, t.covers, t.large from portal_private.overview_tile t
                   where t.resource_id = target and t.z = its_z and t.x = its_x and t.y = its_y)
    select u.large, 1, null::real from tile t, unnest(t.large) u(large)
    union all
    select u.key, u.n, u.cover from tile t, unnest(t.keys, t.counts, t.covers) u(key, n, cover);
end
$$;

create function portal.overview_fresh(target integer) returns table (key text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
begin
  if not portal_private.sees(portal_private.who(), target) then
    return;
  end if;
  return query select distinct f.key from portal_private.overview_fresh f where f.resource_id = target limit 20000;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.overview_rows_changed(), portal.due_overviews(bigint, bigint, integer), portal.begin_overview(integer),
  portal.keep_overview(integer, text[], integer),
  portal.keep_overview_tile(integer, integer, integer, integer, bigint, text[], integer[], real[], text[]),
  portal.finish_overview(integer, text), portal.layer_overview(integer),
  portal.overview_tile(integer, integer, integer, integer), portal.overview_cells(integer, integer, integer, integer),
  portal.overview_fresh(integer)
  from public;
grant execute on function
  portal.overview_rows_changed(), portal.due_overviews(bigint, bigint, integer), portal.begin_overview(integer),
  portal.keep_overview(integer, text[], integer),
  portal.keep_overview_tile(integer, integer, integer, integer, bigint, text[], integer[], real[], text[]),
  portal.finish_overview(integer, text)
  to survest_authenticator;
grant execute on function
  portal.layer_overview(integer), portal.overview_tile(integer, integer, integer, integer),
  portal.overview_cells(integer, integer, integer, integer), portal.overview_fresh(integer)
  to survest_anon, survest_user, survest_admin;
