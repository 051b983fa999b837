-- The owner of a map may have lost sight of a layer in it.
create or replace view portal.viewer_store with (security_barrier) as
  select r.id, a.username as "user", coalesce(r.name, r.title) as name, r.created as creation_date,
         r.last_updated as last_update, portal.seen_config(r.id, d.data) as data, d.attributes
    from portal.resource r
    join portal.account a on a.id = r.owner_id
    left join portal.app_data d on d.resource_id = r.id
   where r.resource_type = 'map' and not r.metadata_only
     and (r.owner_id = (select portal.me()) or (select portal.is_admin()));
