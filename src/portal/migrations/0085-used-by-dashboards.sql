-- What uses an item (0074), with dashboards, and with charts, tables and videos of stories.

create or replace function portal.used_by(target integer, most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  item record;
  part text;
begin
  perform portal_private.require(who, target, 16);
  select r.resource_type, r.alternate into item from portal.resource r where r.id = target;
  part := case item.resource_type when 'layer' then 'layer' when 'map' then 'map' when 'document' then 'document' end;
  return (
    with users as (
      select m.map_id as id from portal.map_layer m where m.layer_id = target
      union
      select d.resource_id from portal.app_data d
       where part is not null
         and d.data @> jsonb_build_object('sections', jsonb_build_array(jsonb_build_object('media', jsonb_build_object(part, target))))
      union
      -- Charts and tables within stories, and dashboards.
      select d.resource_id from portal.app_data d
       where item.resource_type = 'layer'
         and (d.data @> jsonb_build_object('sections', jsonb_build_array(jsonb_build_object('media', jsonb_build_object('widget', jsonb_build_object('layer', target)))))
              or d.data @> jsonb_build_object('widgets', jsonb_build_array(jsonb_build_object('layer', target))))
      union
      select d.resource_id from portal.app_data d
       where item.resource_type = 'layer'
         and d.data @> jsonb_build_object('map', jsonb_build_object('layers', jsonb_build_array(jsonb_build_object('name', item.alternate))))
    ), told as (
      select r.id, r.resource_type, r.title,
             portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles) as is_seen
        from users u join portal.resource r on r.id = u.id
       -- What nobody sees, such as in the bin, uses nothing.
       where r.obstacles & 32 = 0 and r.id <> target
    )
    select jsonb_build_object(
        'items', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'resource_type', s.resource_type, 'title', s.title) order by s.title, s.id)
                             from (select * from told t where t.is_seen order by t.title, t.id limit most) s), '[]'),
        'total', (select count(*) from told t where t.is_seen),
        'others', (select count(*) from told t where not t.is_seen)));
end
$$;
