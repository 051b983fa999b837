-- Styles that maps have of their own go along when a column of the layer is renamed, as those of the layer do: in what a map keeps of the layer, and in
-- the configuration that viewers read.

create function portal_private.renamed_in(said text, old_name text, new_name text, space text) returns text
language plpgsql immutable as $$
declare
  verb text;
begin
  foreach verb in array array['get', 'has', '!has'] loop
    said := replace(said, format('["%s",%s%s]', verb, space, to_json(old_name)), format('["%s",%s%s]', verb, space, to_json(new_name)));
  end loop;
  return said;
end
$$;

create function portal_private.rename_in_maps(target integer, old_name text, new_name text) returns void
language plpgsql as $$
declare
  layer_name text := (select r.alternate from portal.resource r where r.id = target);
begin
  -- As JSON is written by programs, and as the database writes it.
  update portal.map_layer m set layer_params = portal_private.renamed_in(portal_private.renamed_in(m.layer_params, old_name, new_name, ''), old_name, new_name, ' ')
   where m.layer_id = target and strpos(m.layer_params, to_json(old_name)::text) > 0;
  update portal.app_data d
     set data = jsonb_set(d.data, '{map,layers}', (
       select jsonb_agg(case when l.layer ->> 'name' = layer_name then portal_private.renamed_in(l.layer::text, old_name, new_name, ' ')::jsonb else l.layer end order by l.n)
         from jsonb_array_elements(d.data #> '{map,layers}') with ordinality l (layer, n)))
   where d.data @> jsonb_build_object('map', jsonb_build_object('layers', jsonb_build_array(jsonb_build_object('name', layer_name))))
     and strpos(d.data::text, to_json(old_name)::text) > 0;
end
$$;

create or replace function portal_private.after_attribute_renamed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.rename_in_joins(new.resource_id, old.attribute, new.attribute);
  perform portal_private.rename_in_maps(new.resource_id, old.attribute, new.attribute);
  return null;
end
$$;

revoke all on all functions in schema portal_private from public;
