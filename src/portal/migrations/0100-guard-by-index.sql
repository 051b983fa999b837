-- Which relations the caller may know of, and read: as 0062 has it, with work that does not grow with the number of layers. The table of a relation was looked for by a
-- comparison of a name with a text, in the order of names, for which no index was of use; permissions were then asked of every layer there is. The lookup is a subquery of
-- its own now (offset 0), so that permissions are asked of what it finds.

create or replace function portal.visible_relations(relations regclass[], required boolean) returns regclass[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden bigint[];
  layers integer[];
  method text := current_setting('request.method', true);
begin
  select array_agg(t.resource_id),
         array_agg(asked.place order by asked.place) filter (where not portal.may(t.resource_id, 'view_resourcebase'))
    into layers, hidden
    from unnest(relations) with ordinality asked (relation, place)
    join pg_class c on c.oid = asked.relation
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'layers'
    cross join lateral (
      select l.resource_id from portal_private.layer_table l where l.table_name = c.relname::text collate "default" offset 0) t;
  hidden := coalesce(hidden, '{}');
  if required and hidden <> '{}' then
    raise exception 'the relation is hidden' using errcode = 'SV205', detail = hidden[1]::text;
  end if;
  -- A body can ask as well: in a transaction of its own such a request is read-only, in a batch it is told by its address.
  if required and method is distinct from 'OPTIONS'
     and (method in ('GET', 'HEAD', 'QUERY') or current_setting('transaction_read_only') = 'on'
          or current_setting('request.path', true) like '%_/query') then
    if exists (
      select from unnest(layers) asked (id)
       where not portal.may(asked.id, 'download_resourcebase') and not portal.may(asked.id, 'change_layer_data')) then
      raise exception 'Reading the rows of this layer needs the permission to download it.'
        using errcode = 'insufficient_privilege';
    end if;
  end if;
  return array(
    select asked.relation
      from unnest(relations) with ordinality asked (relation, place)
     where asked.place <> all (hidden));
end
$$;
