-- A map's configuration names layers in more places than its list of layers: widgets, charts, the timeline, the attribute table, groups, addresses. Whoever
-- does not see a layer is told of none of them, in whatever version. Which names are layers is noted when a configuration is saved, of those that the one
-- who saves it sees: looking for names when it is read would tell anybody who writes a name whether there is such a layer.

-- Never fewer: versions keep names that the map has no longer. Without a key to the layer: a deleted one is seen by nobody.
create table portal_private.map_reference (
  map_id integer not null references portal.resource on delete cascade,
  token text not null,
  layer_id integer not null,
  primary key (map_id, token)
);
alter table portal_private.map_reference enable row level security;

-- `workspace:name` wherever it stands in a text, also in an address, and without what viewers append to make an id of it (`portal:roads__7`).
create function portal_private.layer_tokens(said text) returns table (token text)
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
begin atomic
  with found as (
    select m[1] as token
      from regexp_matches(regexp_replace(said, '%3A', ':', 'gi'), '[^\s"'':,;/?&=<>()\[\]{}\\%]+:[^\s"'':,;/?&=<>()\[\]{}\\%]+', 'g') m
  )
  select f.token from found f union select regexp_replace(f.token, '__[^_]*$', '') from found f;
end;

-- And names without a workspace, where they are called one.
create function portal_private.layers_named_in(config jsonb) returns table (token text, layer_id integer)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select t.token, r.id
    from (select l.token, substr(l.token, strpos(l.token, ':') + 1) as name from portal_private.layer_tokens(config::text) l
          union
          select p.name #>> '{}', p.name #>> '{}' from jsonb_path_query(config, 'strict $.**.name ? (@.type() == "string")', '{}', true) p(name)) t
    join portal.resource r on r.resource_type = 'layer' and r.name = t.name
   where length(t.token) between 1 and 500;
end;

create function portal_private.note_references() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if new.data is not null and exists (select from portal.resource r where r.id = new.resource_id and r.resource_type = 'map') then
    insert into portal_private.map_reference (map_id, token, layer_id)
      select distinct on (n.token) new.resource_id, n.token, n.layer_id from portal_private.layers_named_in(new.data) n
       where portal_private.sees(who, n.layer_id)
       order by n.token, n.layer_id
       limit greatest(0, 10000 - (select count(*) from portal_private.map_reference f where f.map_id = new.resource_id))
      on conflict (map_id, token) do nothing;
  end if;
  return null;
end
$$;
create trigger note_references after insert or update of data on portal.app_data
  for each row execute function portal_private.note_references();

insert into portal_private.map_reference (map_id, token, layer_id)
  select distinct on (c.map_id, n.token) c.map_id, n.token, n.layer_id
    from (select d.resource_id as map_id, d.data from portal.app_data d where d.data is not null
          union all
          select v.resource_id, v.body -> 'data' from portal_private.version v where v.part = 'content' and v.body -> 'data' is not null) c
    join portal.resource r on r.id = c.map_id and r.resource_type = 'map'
   cross join lateral portal_private.layers_named_in(c.data) n
   order by c.map_id, n.token, n.layer_id;

-- A configuration without what refers to one of the tokens; null: nothing of it is left. What refers to a layer goes with the object that it is part of
-- (a widget, a layer of a list), up to the next list; of the configuration itself, and of `map` in it, only the member.
create function portal_private.unreferenced(value jsonb, under text, depth integer, tokens text[]) returns jsonb
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  kept jsonb;
  has_lost boolean;
begin
  case jsonb_typeof(value)
    when 'string' then
      return case when (under = 'name' and value #>> '{}' = any (tokens))
                    or exists (select from portal_private.layer_tokens(value #>> '{}') t where t.token = any (tokens)) then null else value end;
    when 'array' then
      select coalesce(jsonb_agg(e.kept order by e.n) filter (where e.kept is not null), '[]') into kept
        from (select portal_private.unreferenced(a.item, under, depth + 1, tokens) as kept, a.n
                from jsonb_array_elements(value) with ordinality a(item, n)) e;
      return case when kept = '[]' and value <> '[]' and under <> all (array['layers', 'groups', 'nodes', 'maps', 'widgets', 'backgrounds']) then null
                  else kept end;
    when 'object' then
      select coalesce(jsonb_object_agg(m.key, m.kept) filter (where m.kept is not null), '{}'), bool_or(m.kept is null)
        into kept, has_lost
        from (select o.key, portal_private.unreferenced(o.value, o.key, depth + 1, tokens) as kept
                from jsonb_each(value) o
               where not exists (select from portal_private.layer_tokens(o.key) t where t.token = any (tokens))) m;
      return case when has_lost and depth > 0 and not (depth = 1 and under = 'map') then null else kept end;
    else
      return value;
  end case;
end
$$;

create or replace function portal.seen_config(map integer, config jsonb) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  tokens text[];
begin
  tokens := array(
    select f.token from portal_private.map_reference f where f.map_id = map and not portal_private.sees(who, f.layer_id)
    union
    select m.name from portal.map_layer m where m.map_id = map and m.layer_id is not null and m.name is not null and not portal_private.sees(who, m.layer_id));
  return case when tokens = '{}' or config is null then config else portal_private.unreferenced(config, '', 0, tokens) end;
end
$$;

create or replace function portal.item_version(target integer, version bigint) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (
    select jsonb_build_object('id', f.id, 'part', f.part, 'style', s.name, 'style_id', f.style_id,
             'made', to_char(f.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'by', f.account, 'current', f.is_current,
             'body', case when f.part = 'content' then jsonb_build_object('data', portal.seen_config(target, v.body -> 'data')) else v.body end)
      from portal_private.versions_for(target) f
      join portal_private.version v on v.id = f.id
      left join portal.style s on s.id = f.style_id
     where f.id = version);
end
$$;

-- The owner of a map may have lost sight of a layer in it.
create or replace view portal.viewer_store with (security_barrier) as
  select r.id, a.username as "user", coalesce(r.name, r.title) as name, r.created as creation_date,
         r.last_updated as last_update, portal.seen_config(r.id, d.data) as data, d.attributes
    from portal.resource r
    join portal.account a on a.id = r.owner_id
    left join portal.app_data d on d.resource_id = r.id
   where r.resource_type = 'map' and not r.metadata_only
     and (r.owner_id = (select portal.me()) or (select portal.is_admin()));

revoke all on all functions in schema portal_private from public;
