-- Who may see a layer looks at it: maps, tiles, what lies at a place. Its rows as a list are for whoever may download it, or change them, on
-- every service alike: in the REST service, too, where this function is asked before every read.

create or replace function portal.visible_relations(relations regclass[], required boolean) returns regclass[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden bigint[];
  method text := current_setting('request.method', true);
begin
  hidden := array(
    select asked.place
      from unnest(relations) with ordinality asked (relation, place)
      join pg_class c on c.oid = asked.relation
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'layers'
      join portal_private.layer_table t on t.table_name = c.relname
     where not portal.may(t.resource_id, 'view_resourcebase')
     order by asked.place);
  if required and hidden <> '{}' then
    raise exception 'the relation is hidden' using errcode = 'SV205', detail = hidden[1]::text;
  end if;
  -- A body can ask as well: in a transaction of its own such a request is read-only, in a batch it is told by its address.
  if required and method is distinct from 'OPTIONS'
     and (method in ('GET', 'HEAD', 'QUERY') or current_setting('transaction_read_only') = 'on'
          or current_setting('request.path', true) like '%_/query') then
    if exists (
      select from unnest(relations) asked (relation)
        join pg_class c on c.oid = asked.relation
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'layers'
        join portal_private.layer_table t on t.table_name = c.relname
       where not portal.may(t.resource_id, 'download_resourcebase')
         and not portal.may(t.resource_id, 'change_layer_data')) then
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
