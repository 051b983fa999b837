-- The rules. One policy per table says which rows a caller can reach at all: what it hides does not exist for the caller.
-- What a caller reaches but may not change is refused by a guard trigger, with an error, because a policy would be silent and
-- "not found" and "not allowed" are different answers. Guards stand aside where row-level security does.
--
-- The sub-selects without a reference to the row are run once per statement, whatever the number of rows.

alter table portal.resource enable row level security;

create policy seen on portal.resource
  for all to survest_anon, survest_user, survest_admin
  using ((is_public or viewers && (select portal.my_principals()))
    and (obstacles & (select portal_private.rules()) = 0 or portal_private.excused(id, owner_id, private_group, obstacles)));
create policy seen_by_admins on portal.resource
  for all to survest_admin
  using (obstacles & 32 = 0 and (select portal.is_admin()));

-- Read: everything that the API shows. Not `viewers` and the like, which tell who else may see an item.
grant select (
    id, resource_type, owner_id, group_id, metadata_only, dirty, is_approved, is_published, featured, popular_count,
    share_count, rating, created, last_updated, date, temporal_extent_start, temporal_extent_end, uuid, poc_id, metadata_author_id,
    restriction_code_type_id, license_id, category_id, spatial_representation_type_id, title, abstract, attribution, doi,
    alternate, date_type, edition, purpose, maintenance_frequency, constraints_other, language, supplemental_information,
    data_quality_statement, srid, thumbnail_url, name, workspace, store, store_type, charset, is_mosaic, has_time,
    has_elevation, time_regex, elevation_regex, use_featureinfo_custom_template, featureinfo_custom_template, default_style_id, zoom,
    projection, center_x, center_y, urlsuffix, featuredurl, app_type, doc_type, extension, mime_type, doc_url, bbox_polygon,
    ll_bbox_polygon)
  on portal.resource to survest_anon, survest_user, survest_admin;
grant insert (
    resource_type, owner_id, group_id, is_approved, is_published, featured, date, temporal_extent_start, temporal_extent_end,
    restriction_code_type_id, license_id, category_id, spatial_representation_type_id, title, abstract, attribution, doi,
    date_type, edition, purpose, maintenance_frequency, constraints_other, language, supplemental_information,
    data_quality_statement, srid, thumbnail_url, name, workspace, store, store_type, charset, is_mosaic, has_time,
    has_elevation, time_regex, elevation_regex, use_featureinfo_custom_template, featureinfo_custom_template, zoom, projection, center_x,
    center_y, urlsuffix, featuredurl, app_type, doc_type, extension, mime_type, doc_url, bbox_polygon, ll_bbox_polygon)
  on portal.resource to survest_user, survest_admin;
grant update (
    owner_id, group_id, is_approved, is_published, featured, date, temporal_extent_start, temporal_extent_end,
    restriction_code_type_id, license_id, category_id, spatial_representation_type_id, title, abstract, attribution, doi,
    date_type, edition, purpose, maintenance_frequency, constraints_other, language, supplemental_information,
    data_quality_statement, srid, thumbnail_url, name, is_mosaic, has_time, has_elevation, time_regex, elevation_regex,
    use_featureinfo_custom_template, featureinfo_custom_template, default_style_id, zoom, projection, center_x, center_y,
    urlsuffix, featuredurl, app_type, doc_type, extension, mime_type, doc_url, bbox_polygon, ll_bbox_polygon)
  on portal.resource to survest_user, survest_admin;
-- Administrators, and the service's workers who run as such, also keep what follows from stored data.
grant insert (uuid, dirty, poc_id, metadata_author_id, created, last_updated), update (dirty, poc_id, metadata_author_id,
    popular_count, share_count, rating, store, store_type, charset)
  on portal.resource to survest_admin;
grant delete on portal.resource to survest_user, survest_admin;

create function portal_private.guard_new_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  new.owner_id := coalesce(new.owner_id, who.me);
  if who.admin then
    return new;
  end if;
  if not portal.may_add() then
    perform portal_private.refuse('add_resource is needed');
  end if;
  if new.owner_id is distinct from who.me then
    perform portal_private.refuse('items are created in one''s own name');
  end if;
  if new.featured then
    perform portal_private.refuse('administrators choose what is featured');
  end if;
  if not who.staff and new.group_id is not null and not -new.group_id = any (who.principals) then
    perform portal_private.refuse('an item can be put into one''s own groups only');
  end if;
  -- Somebody else says when it is ready.
  new.is_approved := new.is_approved and not portal.setting_on('ADMIN_MODERATE_UPLOADS');
  new.is_published := new.is_published and not portal.setting_on('RESOURCE_PUBLISHING');
  return new;
end
$$;
-- Before `prepare_new` in the alphabet, which works with the owner found here.
create trigger guard_new before insert on portal.resource
  for each row when (pg_catalog.row_security_active('portal.resource'))
  execute function portal_private.guard_new_resource();

create function portal_private.guard_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  mask integer := portal_private.mask(who, old.id);
begin
  if tg_op = 'DELETE' then
    if mask & 16 = 0 then
      perform portal_private.refuse('delete_resourcebase is needed');
    end if;
    return old;
  end if;

  if mask & (4 | 8) = 0 and (
      (new.title, new.abstract, new.attribution, new.doi, new.date, new.date_type, new.edition, new.purpose,
       new.maintenance_frequency, new.restriction_code_type_id, new.constraints_other, new.license_id, new.language,
       new.category_id, new.spatial_representation_type_id, new.temporal_extent_start, new.temporal_extent_end,
       new.supplemental_information, new.data_quality_statement)
      is distinct from
      (old.title, old.abstract, old.attribution, old.doi, old.date, old.date_type, old.edition, old.purpose,
       old.maintenance_frequency, old.restriction_code_type_id, old.constraints_other, old.license_id, old.language,
       old.category_id, old.spatial_representation_type_id, old.temporal_extent_start, old.temporal_extent_end,
       old.supplemental_information, old.data_quality_statement)) then
    perform portal_private.refuse('change_resourcebase_metadata or change_resourcebase is needed');
  end if;
  if mask & 4 = 0 and (
      (new.group_id, new.srid, new.thumbnail_url, new.name, new.is_mosaic, new.has_time, new.has_elevation, new.time_regex,
       new.elevation_regex, new.use_featureinfo_custom_template, new.featureinfo_custom_template, new.zoom, new.projection,
       new.center_x, new.center_y, new.urlsuffix, new.featuredurl, new.app_type, new.doc_type, new.extension, new.mime_type,
       new.doc_url, new.bbox_polygon::bytea, new.ll_bbox_polygon::bytea)
      is distinct from
      (old.group_id, old.srid, old.thumbnail_url, old.name, old.is_mosaic, old.has_time, old.has_elevation, old.time_regex,
       old.elevation_regex, old.use_featureinfo_custom_template, old.featureinfo_custom_template, old.zoom, old.projection,
       old.center_x, old.center_y, old.urlsuffix, old.featuredurl, old.app_type, old.doc_type, old.extension, old.mime_type,
       old.doc_url, old.bbox_polygon::bytea, old.ll_bbox_polygon::bytea)) then
    perform portal_private.refuse('change_resourcebase is needed');
  end if;
  if mask & 256 = 0 and new.default_style_id is distinct from old.default_style_id then
    perform portal_private.refuse('change_layer_style is needed');
  end if;
  if mask & 64 = 0 and (new.is_approved, new.is_published) is distinct from (old.is_approved, old.is_published) then
    perform portal_private.refuse('publish_resourcebase is needed');
  end if;
  if not who.admin and new.featured is distinct from old.featured then
    perform portal_private.refuse('administrators choose what is featured');
  end if;
  if not who.admin and new.owner_id is distinct from old.owner_id then
    perform portal_private.refuse('administrators choose the owner');
  end if;
  if not who.staff and new.group_id is distinct from old.group_id and new.group_id is not null
     and not -new.group_id = any (who.principals) then
    perform portal_private.refuse('an item can be put into one''s own groups only');
  end if;
  -- Nobody may change anything: not even the time of the last change.
  if mask & (4 | 8 | 64 | 256) = 0 then
    perform portal_private.refuse('change_resourcebase is needed');
  end if;
  new.last_updated := now();
  return new;
end
$$;
create trigger guard before update or delete on portal.resource
  for each row when (pg_catalog.row_security_active('portal.resource')) execute function portal_private.guard_resource();

-- Two apps of one name would be mixed up by people who see both. A name that the caller cannot see is free: the answer
-- must not tell that it is taken. Two people who give the same name at the same moment do not see each other's row: the second one
-- waits for the first.
create function portal_private.guard_app_name() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('portal app ' || new.name, 0));
  if exists (select from portal.resource r
              where r.resource_type in ('geoapp', 'geostory') and r.name = new.name and r.id <> new.id) then
    raise exception 'A GeoApp with the same ''name'' already exists!' using errcode = 'unique_violation';
  end if;
  return new;
end
$$;
create trigger named_once before insert or update of name on portal.resource
  for each row when (new.resource_type in ('geoapp', 'geostory') and pg_catalog.row_security_active('portal.resource'))
  execute function portal_private.guard_app_name();

-- Accounts and groups ---------------------------------------------------------------------------------------------

-- Groups: open ones for every account, private ones for members and staff. A visitor knows the name of an open group from an
-- item of it, and nothing more.
alter table portal.user_group enable row level security;
create policy seen on portal.user_group
  for all to survest_user, survest_admin
  using ((select portal.me()) is not null and (access <> 'private' or id = any ((select portal.my_groups())::integer[]))
      or (select portal.is_staff()));
create policy named_on_items on portal.user_group
  for select to survest_anon
  using (access <> 'private' and exists (select from portal.resource r where r.group_id = user_group.id));
grant select (id, slug) on portal.user_group to survest_anon;
grant select on portal.user_group to survest_user, survest_admin;
grant insert (slug, title, description, email, logo, access), update (slug, title, description, email, logo, access), delete
  on portal.user_group to survest_user, survest_admin;

-- Members of a group are known to who sees the group; one's own memberships always. Pseudo groups have no list of members.
alter table portal.group_member enable row level security;
create policy seen on portal.group_member
  for select to survest_user, survest_admin
  using (account_id = (select portal.me()) or (select portal.is_staff())
      or (group_id > 10 and exists (select from portal.user_group g where g.id = group_id)));
grant select on portal.group_member to survest_user, survest_admin;

alter table portal.group_in_category enable row level security;
create policy seen on portal.group_in_category
  for all to survest_user, survest_admin
  using (exists (select from portal.user_group g where g.id = group_id));
grant select, insert, delete on portal.group_in_category to survest_user, survest_admin;

-- The face of an account: one's own, all for staff, else the people behind items and groups that the caller sees. Nearly always
-- the account owns a visible item; the function asks about the rest, so that lists need not plan for it.
create function portal_private.knows(account integer) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return exists (select from portal.resource r where r.poc_id = account
                    and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles))
      or exists (select from portal.resource r where r.metadata_author_id = account
                    and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles))
      or exists (select from portal.group_member m join portal.user_group g on g.id = m.group_id
                  where m.account_id = account and not g.builtin and portal_private.sees_group(who, g));
end
$$;
alter table portal.account enable row level security;
create policy seen on portal.account
  for all to survest_anon, survest_user, survest_admin
  using (id > 0 and (
    id = (select portal.me())
    or (select portal.is_staff())
    or exists (select from portal.resource r where r.owner_id = account.id)
    or portal_private.knows(id)
  ));
grant select on portal.account to survest_anon, survest_user, survest_admin;
grant update (username, first_name, last_name, avatar), delete on portal.account to survest_user, survest_admin;

-- The list of users is this table joined to the faces: oneself, or everybody for staff.
alter table portal.account_detail enable row level security;
create policy seen on portal.account_detail
  for all to survest_user, survest_admin
  using (account_id = (select portal.me()) or (select portal.is_staff()));
grant select on portal.account_detail to survest_user, survest_admin;
grant update (email) on portal.account_detail to survest_user;
grant update (email, is_active, is_staff, is_superuser) on portal.account_detail to survest_admin;

-- What the API calls ----------------------------------------------------------------------------------------------

-- May the caller do this with that item? False for what it cannot see, and for names that are no permission.
create function portal.may(target integer, permission text) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return coalesce(portal_private.sees(who, target)
              and portal_private.mask(who, target) & portal.perm_bit(permission) <> 0, false);
end
$$;

-- The `perms` of an item: what the caller may do with it.
create function portal.my_perms(target integer) returns text[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return portal.perm_names(case when portal_private.sees(who, target) then portal_private.mask(who, target) else 0 end);
end
$$;

-- The same for a page of items at once; items that the caller cannot see are missing.
create function portal.my_perms_of(resources integer[]) returns table (resource_id integer, perms text[])
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id, portal.perm_names(portal_private.allowed(who, r.resource_type, g.perms))
      from portal.resource r
      left join lateral (select bit_or(x.perms) as perms from portal_private.resource_grant x
                          where x.resource_id = r.id and x.principal = any (who.principals || 0)) g on true
     where r.id = any (resources)
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
end
$$;

-- {"users": {name: [permission, …]}, "groups": {name: [permission, …]}}, for the owner, staff, and who may change it.
create function portal.get_perms(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if not portal_private.sees(who, target) then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
  if portal_private.mask(who, target) & 32 = 0 and not who.staff
     and not exists (select from portal.resource r where r.id = target and r.owner_id = who.me) then
    perform portal_private.refuse('change_resourcebase_permissions is needed');
  end if;
  return (
    select jsonb_build_object(
      'users', coalesce(jsonb_object_agg(a.username, to_jsonb(portal.perm_names(g.perms)))
                          filter (where a.id is not null), '{}'),
      'groups', coalesce(jsonb_object_agg(u.slug, to_jsonb(portal.perm_names(g.perms)))
                           filter (where u.id is not null), '{}'))
      from portal_private.resource_grant g
      left join portal.account a on a.id = case when g.principal = 0 then -1 when g.principal > 0 then g.principal end
      left join portal.user_group u on u.id = case when g.principal < 0 then -g.principal end
     where g.resource_id = target);
end
$$;

-- Reads one member of a specification into principals and bits; complains by name about what it does not know.
create function portal_private.parse_perms(who portal_private.caller, target integer, spec jsonb, member text)
returns table (principal integer, perms integer)
language plpgsql as $$
declare
  entry record;
  permission jsonb;
begin
  if spec -> member is null or jsonb_typeof(spec -> member) = 'null' then
    return;
  end if;
  if jsonb_typeof(spec -> member) <> 'object' then
    raise exception '"%" must be an object of names and permission lists', member using errcode = 'invalid_parameter_value';
  end if;
  for entry in select e.key, e.value from jsonb_each(spec -> member) e loop
    if jsonb_typeof(entry.value) <> 'array' then
      raise exception 'permissions of "%" must be a list', entry.key using errcode = 'invalid_parameter_value';
    end if;
    perms := 0;
    for permission in select p.value from jsonb_array_elements(entry.value) p loop
      if jsonb_typeof(permission) <> 'string' or portal.perm_bit(permission #>> '{}') is null then
        raise exception 'unknown permission "%"', permission #>> '{}' using errcode = 'invalid_parameter_value';
      end if;
      perms := perms | portal.perm_bit(permission #>> '{}');
    end loop;
    principal := null;
    -- The row is held until the end of the transaction, so that a principal cannot vanish under its grant.
    if member = 'users' then
      select case a.id when -1 then 0 else a.id end into principal
        from portal.account a where a.username = entry.key for key share;
      if principal is null then
        raise exception 'unknown user "%"', entry.key using errcode = 'invalid_parameter_value';
      end if;
      return next;
      if principal = 0 then
        principal := -1;
        return next;
      end if;
    else
      -- A private group is unknown to outsiders, unless it is named here already.
      select -g.id into principal
        from portal.user_group g
       where g.slug = entry.key
         and (portal_private.sees_group(who, g)
              or exists (select from portal_private.resource_grant x where x.resource_id = target and x.principal = -g.id))
         for key share;
      if principal is null then
        raise exception 'unknown group "%"', entry.key using errcode = 'invalid_parameter_value';
      end if;
      return next;
    end if;
  end loop;
end
$$;

-- Replaces every grant of the item. SQLSTATE P0002 the item is not there for the caller, 42501 not allowed, 22023 the
-- specification names an unknown user, group or permission.
create function portal.set_perms(target integer, spec jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  item record;
  mine integer;
  stranger text;
  wanted_principals integer[];
  wanted_perms integer[];
begin
  perform portal_private.require(who, target, 32);
  -- One writer per item at a time; what it holds is looked at when it is its turn.
  select r.owner_id, r.resource_type into item from portal.resource r where r.id = target for no key update;
  mine := portal_private.mask(who, target);
  if spec is null or jsonb_typeof(spec) <> 'object' then
    raise exception 'permissions must be an object' using errcode = 'invalid_parameter_value';
  end if;
  select k into stranger from jsonb_object_keys(spec) k where k not in ('users', 'groups') limit 1;
  if stranger is not null then
    raise exception 'unknown member "%"', stranger using errcode = 'invalid_parameter_value';
  end if;

  select coalesce(array_agg(w.principal), '{}'), coalesce(array_agg(w.perms), '{}')
    into wanted_principals, wanted_perms
    from (select p.principal, bit_or(p.perms) & portal_private.full_mask(item.resource_type) as perms
            from (select * from portal_private.parse_perms(who, target, spec, 'users')
                  union all
                  select * from portal_private.parse_perms(who, target, spec, 'groups')
                  union all
                  -- The owner keeps the full set whatever was asked for.
                  select item.owner_id, portal_private.owner_mask(item.resource_type) where item.owner_id is not null) p
           group by p.principal) w
   where w.perms <> 0;

  -- Nobody gives away more than they hold themselves; what others have held before may stay.
  if not who.staff and exists (
      select from unnest(wanted_principals, wanted_perms) w(principal, perms)
        left join portal_private.resource_grant g on g.resource_id = target and g.principal = w.principal
       where w.principal is distinct from item.owner_id and w.perms & ~coalesce(g.perms, 0) & ~mine <> 0) then
    perform portal_private.refuse('only permissions one holds can be given');
  end if;
  -- An owner asking for more than an owner may have gets what an owner may have.
  if not who.staff then
    wanted_perms := array(
      select case when w.principal is not distinct from item.owner_id
                  then w.perms & (portal_private.owner_mask(item.resource_type) | coalesce(g.perms, 0) | mine) else w.perms end
        from unnest(wanted_principals, wanted_perms) with ordinality w(principal, perms, n)
        left join portal_private.resource_grant g on g.resource_id = target and g.principal = w.principal
       order by w.n);
  end if;

  -- One statement, so that the triggers find the grants complete and write the visibility columns once.
  with gone as (
    delete from portal_private.resource_grant g where g.resource_id = target and g.principal <> all (wanted_principals)
  )
  insert into portal_private.resource_grant (resource_id, principal, perms)
    select target, w.principal, w.perms from unnest(wanted_principals, wanted_perms) w(principal, perms)
    on conflict (resource_id, principal) do update set perms = excluded.perms
      where resource_grant.perms <> excluded.perms;
end
$$;

-- metadata_only takes an item out of sight of everybody, its owner included, so it cannot be an ordinary update. Who could
-- change the item can bring it back.
create function portal.set_metadata_only(target integer, hidden boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if not (portal_private.mask(who, target) & 4 <> 0
          and exists (select from portal.resource r where r.id = target and r.metadata_only)) then
    perform portal_private.require(who, target, 4);
  end if;
  update portal.resource set metadata_only = hidden, last_updated = now()
   where id = target and metadata_only is distinct from hidden;
end
$$;

-- Items on which the group holds view or change, as far as the caller sees the group and them.
create function portal.group_resources(of_group integer) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id from portal_private.resource_grant g join portal.resource r on r.id = g.resource_id
     where g.principal = -of_group and g.perms & (1 | 4) <> 0
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
       and exists (select from portal.user_group u where u.id = of_group and portal_private.sees_group(who, u));
end
$$;

-- One more reader of an item.
create function portal.count_view(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if portal_private.sees(portal_private.who(), target) then
    update portal.resource set popular_count = popular_count + 1 where id = target;
  end if;
end
$$;

revoke all on all functions in schema portal_private from public;
grant execute on function portal_private.knows(integer) to survest_anon, survest_user, survest_admin;
revoke all on function
  portal.may(integer, text), portal.my_perms(integer), portal.my_perms_of(integer[]), portal.get_perms(integer),
  portal.set_perms(integer, jsonb), portal.set_metadata_only(integer, boolean), portal.group_resources(integer),
  portal.count_view(integer)
  from public;
grant execute on function
  portal.may(integer, text), portal.my_perms(integer), portal.my_perms_of(integer[]), portal.get_perms(integer),
  portal.count_view(integer)
  to survest_anon, survest_user, survest_admin;
grant execute on function
  portal.set_perms(integer, jsonb), portal.set_metadata_only(integer, boolean), portal.group_resources(integer)
  to survest_user, survest_admin;
