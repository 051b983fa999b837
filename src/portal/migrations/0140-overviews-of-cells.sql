-- Overviews of large layers, as cells: for each crowded tile the aggregates of all its features by squares of four pixels, in the bytes of
-- mapserver/cells/cell-codec.ts. They take the place of overviews that kept keys (0061): a tile is read as one row, and shows what the
-- features have together instead of one of them. Tables with row rules of their own have none, for callers see different rows of them.

drop trigger overview on portal.style;
drop trigger overview on portal.layer_style;
drop trigger overview on portal.map_layer;
drop function
  portal.due_overviews(bigint, bigint, integer), portal.begin_overview(integer), portal.keep_overview(integer, text[], integer),
  portal.keep_overview_tile(integer, integer, integer, integer, bigint, text[], integer[], real[], text[]),
  portal.finish_overview(integer, text), portal.layer_overview(integer), portal.overview_tile(integer, integer, integer, integer),
  portal.overview_cells(integer, integer, integer, integer), portal.overview_fresh(integer), portal.due_overview_columns(integer),
  portal.begin_overview_columns(integer), portal.keep_overview_columns(integer, text[], integer),
  portal_private.overview_after_style(), portal_private.overview_after_layer_style(), portal_private.overview_after_map_layer(),
  portal_private.note_overview_styles(integer);
-- Triggers of layer tables that noted keys go with their function.
drop function portal.overview_rows_changed() cascade;
drop table portal_private.overview_fresh, portal_private.overview_tile, portal_private.overview;

create table portal_private.overview (
  resource_id integer primary key references portal.resource on delete cascade,
  -- Which of the tiles are the present ones; null: none were made yet.
  generation integer,
  -- The state of the layer's rows (0030) it was made of.
  data text not null default '',
  -- The form of the bytes: of another one they are made anew.
  form integer not null default 0,
  -- What maps have to know: mapserver/cells/detail.ts, and the columns of cells.
  facts json,
  -- The columns of cells.
  columns text[] not null default '{}',
  -- Made anew as a whole: styles or columns changed, or more rows at once than are noted.
  stale boolean not null default true,
  -- Begun and not finished: what was noted before is forgotten, so it is made from the beginning if its maker ended.
  building boolean not null default false,
  built timestamptz not null default now(),
  -- Why it could not be made of that state.
  failure text
);
alter table portal_private.overview enable row level security;

create table portal_private.overview_tile (
  resource_id integer not null references portal_private.overview on delete cascade,
  generation integer not null,
  z smallint not null,
  x integer not null,
  y integer not null,
  cells bytea not null,
  primary key (resource_id, generation, z, x, y)
);
alter table portal_private.overview_tile enable row level security;

-- Where rows came, went or changed since: tiles of zoom 16.
create table portal_private.overview_change (
  resource_id integer not null references portal_private.overview on delete cascade,
  n bigint not null generated always as identity,
  x integer not null,
  y integer not null,
  primary key (resource_id, n)
);
alter table portal_private.overview_change enable row level security;

-- On tables that have an overview, once per statement, with the rows as `changed`. Whatever is odd about the table or its places makes the
-- overview due as a whole, and stops no writer.
create function portal.overview_rows_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  target constant integer := tg_argv[0]::integer;
  shape constant name := tg_argv[1];
  gis constant name := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis');
  most constant integer := 500;
  noted bigint;
begin
  if not exists (select from portal_private.overview o where o.resource_id = target and not o.stale) then
    return null;
  end if;
  begin
    execute format(
      'with places as (
         select %1$I.st_transform(%1$I.st_setsrid(%1$I.st_makepoint((%1$I.st_xmin(g) + %1$I.st_xmax(g)) / 2, (%1$I.st_ymin(g) + %1$I.st_ymax(g)) / 2),
                %1$I.st_srid(g)), 3857) as p from (select %2$I as g from changed where %2$I is not null limit 100000) c)
       insert into portal_private.overview_change (resource_id, x, y)
       select distinct $1, least(65535, greatest(0, floor((%1$I.st_x(p) / 40075016.685578488 + 0.5) * 65536)))::integer,
              least(65535, greatest(0, floor((0.5 - %1$I.st_y(p) / 40075016.685578488) * 65536)))::integer from places limit $2', gis, shape)
      using target, most + 1;
    get diagnostics noted = row_count;
  exception when others then
    noted := most + 1;
  end;
  if noted > most then
    update portal_private.overview o set stale = true where o.resource_id = target and not o.stale;
  end if;
  return null;
end
$$;

create function portal_private.overview_stale(target integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.overview o set stale = true where o.resource_id = target and not o.stale;
$$;

-- Which columns cells have follows from styles: those of the layer, and those that maps have of their own for it.
create function portal_private.overview_after_style() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_table_name = 'style' then
    perform portal_private.overview_stale(l.resource_id) from portal.layer_style l where l.style_id = new.id;
  elsif tg_table_name = 'layer_style' then
    perform portal_private.overview_stale(new.resource_id);
  else
    perform portal_private.overview_stale(new.layer_id);
  end if;
  return null;
end
$$;
create trigger overview after update on portal.style for each row execute function portal_private.overview_after_style();
create trigger overview after insert on portal.layer_style for each row execute function portal_private.overview_after_style();
create trigger overview after insert or update of layer_id, layer_params on portal.map_layer
  for each row when (new.layer_id is not null and strpos(new.layer_params, '"survest:style"') > 0)
  execute function portal_private.overview_after_style();

-- For the service: layers whose overview has to be made, made anew, or brought up to date, the most urgent first.
create function portal.due_overviews(fewest bigint, its_form integer, most integer) returns table (resource_id integer, whole boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
begin
  return query
    select t.resource_id, o.generation is null or o.stale or o.building or o.form <> its_form
      from portal_private.layer_table t
      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace
      left join portal_private.overview o on o.resource_id = t.resource_id
     where c.reltuples > fewest and c.relkind = 'r' and not c.relhassubclass
       and not exists (select from pg_policy p where p.polrelid = c.oid
                          and p.polname not in ('survest_read', 'survest_insert', 'survest_update', 'survest_delete'))
       and exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'survest_version' and g.tgenabled <> 'D')
       and (o.resource_id is null
            or (o.generation is null and o.failure is null)
            or o.form <> its_form
            or ((o.stale or o.building) and o.failure is null)
            or exists (select from portal_private.overview_change h where h.resource_id = t.resource_id)
            -- What failed is tried again with other rows.
            or (o.failure is not null and o.data <> portal_private.layer_data(t.resource_id)))
     order by o.built nulls first, t.resource_id
     limit most;
end
$$;

-- From here on changes are noted. Returns the table, the state of its rows and the number of the new generation.
create function portal.begin_overview(target integer) returns table (table_name text, data text, generation integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.overview (resource_id) values (target) on conflict on constraint overview_pkey do nothing;
  update portal_private.overview o set stale = false, building = true, failure = null where o.resource_id = target;
  delete from portal_private.overview_tile t using portal_private.overview o
   where o.resource_id = target and t.resource_id = target and t.generation is distinct from o.generation;
  delete from portal_private.overview_change h where h.resource_id = target;
  return query
    select l.table_name::text, portal_private.layer_data(target), coalesce(o.generation, 0) + 1
      from portal_private.layer_table l, portal_private.overview o where l.resource_id = target and o.resource_id = target;
end
$$;

create function portal.keep_overview_tile(target integer, its_generation integer, its_z integer, its_x integer, its_y integer, its_cells bytea)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.overview_tile as t values (target, its_generation, its_z, its_x, its_y, its_cells)
  on conflict on constraint overview_tile_pkey do update set cells = excluded.cells;
$$;

-- Tiles look different now: the layer has a new version.
create function portal.finish_overview(target integer, its_generation integer, its_data text, its_form integer, its_columns text[], its_facts json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.overview o
     set generation = its_generation, building = false, data = its_data, form = its_form, columns = its_columns, facts = its_facts, built = now(), failure = null
   where o.resource_id = target;
  delete from portal_private.overview_tile t where t.resource_id = target and t.generation <> its_generation;
  perform portal_private.note_layer_change(target, 'data');
end
$$;

create function portal.fail_overview(target integer, its_data text, why text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.overview o set failure = left(why, 1000), building = false, data = its_data, built = now() where o.resource_id = target;
$$;

-- The places that changed so far, to be aggregated anew.
create function portal.overview_changes(target integer) returns table (generation integer, facts json, upto bigint, x integer, y integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select o.generation, o.facts, c.upto, c.x, c.y from portal_private.overview o,
           (select h.x, h.y, max(max(h.n)) over () as upto from portal_private.overview_change h
             where h.resource_id = target group by h.x, h.y) c
     where o.resource_id = target;
end
$$;

-- They are in it now. Of a process that ends before, they stay noted.
create function portal.renewed_overview(target integer, upto bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.overview_change h where h.resource_id = target and h.n <= upto;
  update portal_private.overview o set data = portal_private.layer_data(target), built = now() where o.resource_id = target;
  perform portal_private.note_layer_change(target, 'data');
end
$$;

-- What maps have to know of it; null: there is none that can be used. `updating`: rows changed since.
create function portal.layer_overview(target integer) returns json
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select json_build_object('facts', o.facts,
                   'updating', o.stale or exists (select from portal_private.overview_change h where h.resource_id = target))
            from portal_private.overview o
           where o.resource_id = target and o.generation is not null and portal_private.sees(portal_private.who(), target));
end
$$;

-- The cells of tiles; no row: too few features for that. `changed`: rows have changed in it since.
create function portal.overview_cells(target integer, its_z integer, xs integer[], ys integer[])
returns table (x integer, y integer, cells bytea, changed boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 10 as $$
begin
  if not portal_private.sees(portal_private.who(), target) then
    return;
  end if;
  return query
    select t.x, t.y, t.cells, exists (select from portal_private.overview_change h
             where h.resource_id = target and h.x >> (16 - its_z) = t.x and h.y >> (16 - its_z) = t.y)
      from portal_private.overview o
      join portal_private.overview_tile t on t.resource_id = o.resource_id and t.generation = o.generation and t.z = its_z
      join unnest(xs, ys) w(x, y) on w.x = t.x and w.y = t.y
     where o.resource_id = target;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.overview_rows_changed(), portal.due_overviews(bigint, integer, integer), portal.begin_overview(integer),
  portal.keep_overview_tile(integer, integer, integer, integer, integer, bytea),
  portal.finish_overview(integer, integer, text, integer, text[], json), portal.fail_overview(integer, text, text),
  portal.overview_changes(integer), portal.renewed_overview(integer, bigint),
  portal.layer_overview(integer), portal.overview_cells(integer, integer, integer[], integer[])
  from public;
grant execute on function
  portal.overview_rows_changed(), portal.due_overviews(bigint, integer, integer), portal.begin_overview(integer),
  portal.keep_overview_tile(integer, integer, integer, integer, integer, bytea),
  portal.finish_overview(integer, integer, text, integer, text[], json), portal.fail_overview(integer, text, text),
  portal.overview_changes(integer), portal.renewed_overview(integer, bigint)
  to survest_authenticator;
grant execute on function
  portal.layer_overview(integer), portal.overview_cells(integer, integer, integer[], integer[])
  to survest_anon, survest_user, survest_admin;
