-- Nobody but those named here.
revoke all on portal.map_layer, portal.app_data, portal.viewer_store
  from public, survest_anon, survest_user, survest_admin, survest_authenticator;

grant select on portal.map_layer to survest_anon, survest_user, survest_admin;
grant insert, update (
    layer_id, stack_order, name, store, format, opacity, styles, transparent, fixed, "group", visibility, ows_url, layer_params,
    source_params, local, viewer_id), delete on portal.map_layer
  to survest_user, survest_admin;
-- A layer that the caller does not see cannot be put into a map: the refusal is the same as for one that does not exist.
create policy seen on portal.map_layer for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = map_id))
  with check (exists (select from portal.resource r where r.id = map_id and r.resource_type = 'map')
    and (layer_id is null or exists (select from portal.resource r where r.id = layer_id and r.resource_type = 'layer')));
-- In lists of a map's layers they are not there at all, and who replaces the layers of a map leaves them where they are.
create policy layer_seen on portal.map_layer as restrictive for all to survest_anon, survest_user, survest_admin
  using (layer_id is null or exists (select from portal.resource r where r.id = layer_id));

grant select on portal.app_data to survest_anon, survest_user, survest_admin;
grant insert, update (data, attributes), delete on portal.app_data to survest_user, survest_admin;
create policy seen on portal.app_data for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = resource_id));

grant select on portal.viewer_store to survest_user, survest_admin;
