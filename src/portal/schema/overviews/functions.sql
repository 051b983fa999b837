-- On tables that have an overview, once per statement, with the rows as `changed`. Whatever is odd about the table or its places makes the
-- overview due as a whole, and stops no writer.
create or replace function portal.overview_rows_changed() returns trigger
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

-- The state of a layer's rows, as `portal.layer_stamp` tells it.
create or replace function portal_private.layer_data(target integer) returns text
language sql stable
return coalesce((select string_agg(c.n::text, '.' order by c.n) from portal_private.layer_change c
                  where c.resource_id = target and c.part = 'data'), '0');

-- For the service: layers whose overview has to be made, made anew, or brought up to date, the most urgent first.
create or replace function portal.due_overviews(fewest bigint, its_form integer, most integer) returns table (resource_id integer, whole boolean)
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
create or replace function portal.begin_overview(target integer) returns table (table_name text, data text, generation integer)
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

create or replace function portal.keep_overview_tile(target integer, its_generation integer, its_z integer, its_x integer, its_y integer, its_cells bytea)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.overview_tile as t values (target, its_generation, its_z, its_x, its_y, its_cells)
  on conflict on constraint overview_tile_pkey do update set cells = excluded.cells;
$$;

-- Tiles look different now: the layer has a new version.
create or replace function portal.finish_overview(target integer, its_generation integer, its_data text, its_form integer, its_columns text[], its_facts json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.overview o
     set generation = its_generation, building = false, data = its_data, form = its_form, columns = its_columns, facts = its_facts, built = now(), failure = null
   where o.resource_id = target;
  delete from portal_private.overview_tile t where t.resource_id = target and t.generation <> its_generation;
  perform portal_private.note_layer_change(target, 'data');
end
$$;

-- What maps have to know of it; null: there is none that can be used. `updating`: rows changed since.
create or replace function portal.layer_overview(target integer) returns json
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select json_build_object('facts', o.facts,
                   'updating', o.stale or exists (select from portal_private.overview_change h where h.resource_id = target))
            from portal_private.overview o
           where o.resource_id = target and o.generation is not null and portal_private.sees(portal_private.who(), target));
end
$$;

-- The cells of tiles; no row: too few features for that. `changed`: rows have changed in it since.
create or replace function portal.overview_cells(target integer, its_z integer, xs integer[], ys integer[])
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

-- Which columns cells have follows from styles: those of the layer, and those that maps have of their own for it.
create or replace function portal_private.overview_after_style() returns trigger
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

create or replace function portal_private.overview_stale(target integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.overview o set stale = true where o.resource_id = target and not o.stale;
$$;

create or replace function portal.fail_overview(target integer, its_data text, why text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.overview o set failure = left(why, 1000), building = false, data = its_data, built = now() where o.resource_id = target;
$$;

-- The places that changed so far, to be aggregated anew.
create or replace function portal.overview_changes(target integer) returns table (generation integer, facts json, upto bigint, x integer, y integer)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.generation, o.facts, c.upto, c.x, c.y from portal_private.overview o,
         (select h.x, h.y, max(max(h.n)) over () as upto from portal_private.overview_change h
           where h.resource_id = target group by h.x, h.y) c
   where o.resource_id = target
$$;

-- They are in it now. Of a process that ends before, they stay noted.
create or replace function portal.renewed_overview(target integer, upto bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.overview_change h where h.resource_id = target and h.n <= upto;
  update portal_private.overview o set data = portal_private.layer_data(target), built = now() where o.resource_id = target;
  perform portal_private.note_layer_change(target, 'data');
end
$$;

grant execute on function
  portal.overview_rows_changed(), portal.due_overviews(bigint,integer,integer), portal.begin_overview(integer),
  portal.keep_overview_tile(integer,integer,integer,integer,integer,bytea),
  portal.finish_overview(integer,integer,text,integer,text[],json), portal.fail_overview(integer,text,text),
  portal.overview_changes(integer), portal.renewed_overview(integer,bigint)
  to survest_authenticator;

grant execute on function
  portal.layer_overview(integer), portal.overview_cells(integer,integer,integer[],integer[])
  to survest_anon, survest_user, survest_admin;
