-- The id that a layer of a map has in the viewer's configuration (`msId`): newer clients find the row of a layer by it.
alter table portal.map_layer add column viewer_id text check (length(viewer_id) <= 255);
grant update (viewer_id) on portal.map_layer to survest_user, survest_admin;

-- Of layers that are there already, what was kept of their configuration tells it.
do $fill$
declare
  kept record;
begin
  for kept in select m.id, m.layer_params from portal.map_layer m where m.layer_params like '{%"id"%' loop
    begin
      update portal.map_layer m set viewer_id = left(kept.layer_params::json ->> 'id', 255) where m.id = kept.id;
    exception when invalid_text_representation then
      null; -- No JSON: whoever wrote it by another way did not mean a configuration.
    end;
  end loop;
end
$fill$;
