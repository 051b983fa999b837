-- What hangs on a page of items, in one question: the people behind them, group, keywords, regions, links, and what the caller may
-- do with each. Under policies every one of these would be asked for, planned and proved row by row, though all of it follows from
-- the item itself being seen; so it is proved once here, and the rest is looked up with the definer's rights.

create type portal.group_name as (id integer, slug text);

create function portal.item_parts(resources integer[])
returns table (
  resource_id integer,
  perms text[],
  -- Whoever sees an item sees who owns, keeps and describes it.
  owner portal.account,
  poc portal.account,
  metadata_author portal.account,
  -- A private group is none to outsiders, even on an item that they see.
  "group" portal.group_name,
  keywords portal.keyword[],
  regions portal.region[],
  links portal.link[],
  has_thumbnail boolean
)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  -- Look-ups by key, one by one: joined, the planner would read whole small tables for every item.
  return query
    select r.id,
           portal.perm_names(portal_private.allowed(who, r.resource_type,
             (select bit_or(x.perms) from portal_private.resource_grant x
               where x.resource_id = r.id and x.principal = any (who.principals || 0)))),
           (select a from portal.account a where a.id = r.owner_id),
           (select a from portal.account a where a.id = r.poc_id),
           (select a from portal.account a where a.id = r.metadata_author_id),
           (select row(g.id, g.slug)::portal.group_name from portal.user_group g
             where g.id = r.group_id and (g.access <> 'private' or portal_private.sees_group(who, g))),
           array(select (select w from portal.keyword w where w.id = k.keyword_id)
                   from portal.resource_keyword k where k.resource_id = r.id),
           array(select (select n from portal.region n where n.id = k.region_id)
                   from portal.resource_region k where k.resource_id = r.id),
           array(select l from portal.link l where l.resource_id = r.id),
           exists (select from portal.thumbnail t where t.resource_id = r.id
                     and (t.curated or r.resource_type <> 'document' or portal_private.mask(who, r.id) & 2 <> 0))
      from portal.resource r
     where r.id = any (resources)
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
end
$$;

revoke all on function portal.item_parts(integer[]) from public;
grant execute on function portal.item_parts(integer[]) to survest_anon, survest_user, survest_admin;
