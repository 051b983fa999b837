create or replace function portal.perm_bit(permission text) returns integer
language sql immutable parallel safe
return case permission
  when 'view_resourcebase' then 1
  when 'download_resourcebase' then 2
  when 'change_resourcebase' then 4
  when 'change_resourcebase_metadata' then 8
  when 'delete_resourcebase' then 16
  when 'change_resourcebase_permissions' then 32
  when 'publish_resourcebase' then 64
  when 'change_layer_data' then 128
  when 'change_layer_style' then 256
end;

-- Expressions with bodies of the standard are read when they are made, so no search path has to be set around each call, and the planner puts
-- them in place of the call. Setting the path took three quarters of the time.
create or replace function portal.perm_names(mask integer) returns text[]
language sql immutable parallel safe
return array_remove(array[
    case when mask & 1 <> 0 then 'view_resourcebase' end, case when mask & 2 <> 0 then 'download_resourcebase' end,
    case when mask & 4 <> 0 then 'change_resourcebase' end, case when mask & 8 <> 0 then 'change_resourcebase_metadata' end,
    case when mask & 16 <> 0 then 'delete_resourcebase' end, case when mask & 32 <> 0 then 'change_resourcebase_permissions' end,
    case when mask & 64 <> 0 then 'publish_resourcebase' end, case when mask & 128 <> 0 then 'change_layer_data' end,
    case when mask & 256 <> 0 then 'change_layer_style' end], null);

create or replace function portal_private.full_mask(resource_type text) returns integer
language sql immutable parallel safe
return case when resource_type = 'layer' then 511 else 127 end;

-- What an owner keeps whatever is granted. Where items are moderated, others decide on publication and permissions.
create or replace function portal_private.owner_mask(resource_type text) returns integer
language plpgsql stable as $$
begin
  return portal_private.full_mask(resource_type)
         & case when portal.setting_on('RESOURCE_PUBLISHING') or portal.setting_on('ADMIN_MODERATE_UPLOADS')
                then ~(32 | 64) else ~0 end;
end
$$;

-- Grants of a new item.
create or replace function portal_private.default_grants(owner integer, resource_type text)
returns table (principal integer, perms integer)
language plpgsql stable as $$
begin
  return query with
  everybody as (
    select (case when portal.setting_on('DEFAULT_ANONYMOUS_VIEW_PERMISSION') then 1 else 0 end
          | case when portal.setting_on('DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION') then 2 else 0 end) as perms
  ),
  team as (
    select m.group_id from portal.group_member m join portal.user_group g on g.id = m.group_id
     where m.account_id = owner and not g.builtin
  ),
  wanted as (
    select owner as principal, portal_private.owner_mask(resource_type) as perms where owner is not null
    union all
    select distinct m.account_id, portal_private.full_mask(resource_type)
      from portal.group_member m
     where m.is_manager and m.group_id in (select t.group_id from team t) and m.account_id <> owner
       and (portal.setting_on('RESOURCE_PUBLISHING') or portal.setting_on('ADMIN_MODERATE_UPLOADS'))
    union all
    select -1, e.perms from everybody e
    union all
    select -t.group_id, 3 & ~e.perms from team t, everybody e
  )
  select w.principal, w.perms from wanted w where w.perms <> 0;
end
$$;

-- Row by row with plain parameters: such plans are kept, where one over a set of ids is made anew for every set.
create or replace function portal_private.refresh_viewers(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  everybody boolean;
  listed integer[];
begin
  select coalesce(bool_or(g.principal in (-1, 0)), false), coalesce(array_agg(g.principal order by g.principal), '{}')
    into everybody, listed
    from portal_private.resource_grant g where g.resource_id = target and g.perms & 1 <> 0;
  if everybody then
    listed := '{}';
  end if;
  update portal.resource set is_public = everybody, viewers = listed
   where id = target and (is_public <> everybody or viewers <> listed);
end
$$;

-- The audit log has one entry for each item of a statement; what an item begins with is none, nor what goes with it. Grants of a layer decide who sees
-- its rows: to live streams, any of them may be seen, or not, from now on.
create or replace function portal_private.after_grants() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  item record;
  touched integer;
begin
  for item in
    select r.id, r.resource_type, r.title,
           jsonb_object_agg(case when g.principal > 0 then coalesce('user ' || a.username, g.principal::text)
                                 when portal_private.is_link(g.principal) then 'link ' || (-1000000000 - g.principal)
                                 when g.principal < 0 then coalesce('group ' || u.slug, g.principal::text) else 'user AnonymousUser' end,
                            to_jsonb(portal.perm_names(g.perms))) as grants
      from changed g
      join portal.resource r on r.id = g.resource_id and r.created <> now()
      left join portal.account a on a.id = g.principal
      left join portal.user_group u on u.id = -g.principal
     group by r.id
  loop
    perform portal_private.audit_note(case tg_op when 'DELETE' then 'revoked' else 'granted' end, item.resource_type, item.id, item.title, item.grants);
  end loop;
  insert into survest_live.change (relation)
    select distinct c.oid from changed g
      join portal_private.layer_table t on t.resource_id = g.resource_id
      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace;
  if found then
    perform pg_notify('survest_live', '');
  end if;
  for touched in select distinct c.resource_id from changed c loop
    perform portal_private.refresh_viewers(touched);
  end loop;
  return null;
end
$$;

-- A new row must be visible to whoever inserts it before its grants can exist, so the columns are filled from the same
-- defaults beforehand. A layer whose name is taken gets another one.
create or replace function portal_private.prepare_new_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.private_group := (select g.id from portal.user_group g where g.id = new.group_id and g.access = 'private');
  if new.resource_type = 'layer' then
    new.workspace := coalesce(new.workspace, 'portal');
    new.name := coalesce(new.name, regexp_replace(regexp_replace(new.title, '[^\w.]', '_', 'g'), '^([0-9])', '_\1'));
    new.alternate := new.workspace || ':' || new.name;
    while exists (select from portal.resource r where r.resource_type = 'layer' and r.alternate = new.alternate) loop
      new.alternate := new.workspace || ':' || new.name || '_' || substr(md5(random()::text), 1, 4);
    end loop;
    new.name := substr(new.alternate, length(new.workspace) + 2);
  elsif new.resource_type in ('geoapp', 'geostory') then
    new.name := coalesce(new.name, new.title);
    new.app_type := coalesce(new.app_type, case new.resource_type when 'geostory' then 'GeoStory' else 'GeoApp' end);
  end if;
  new.poc_id := coalesce(new.poc_id, new.owner_id);
  new.metadata_author_id := coalesce(new.metadata_author_id, new.owner_id);
  select coalesce(bool_or(d.principal = -1), false),
         coalesce(array_agg(d.principal order by d.principal), '{}')
    into new.is_public, new.viewers
    from portal_private.default_grants(new.owner_id, new.resource_type) d
   where d.perms & 1 <> 0;
  if new.is_public then
    new.viewers := '{}';
  end if;
  perform portal_private.check_srid(new.srid);
  return new;
end
$$;

create or replace function portal_private.after_new_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.resource_grant (resource_id, principal, perms)
    select new.id, d.principal, d.perms from portal_private.default_grants(new.owner_id, new.resource_type) d;
  perform portal_private.index_text(array[new.id]);
  if new.resource_type = 'map' then
    perform portal_private.want_thumbnail(new.id);
  end if;
  return null;
end
$$;

create or replace function portal_private.after_owner() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.owner_id is not null then
    insert into portal_private.resource_grant (resource_id, principal, perms)
      values (new.id, new.owner_id, portal_private.owner_mask(new.resource_type))
      on conflict (resource_id, principal) do update set perms = resource_grant.perms | excluded.perms;
  end if;
  delete from portal_private.resource_grant where resource_id = new.id and principal = old.owner_id;
  return null;
end
$$;

-- An account that is deleted leaves its items to an administrator.
create or replace function portal_private.hand_over() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  heir integer := (select min(d.account_id) from portal.account_detail d
                    where d.is_superuser and d.is_active and d.account_id <> old.id);
begin
  if old.id = -1 then
    raise exception 'AnonymousUser is part of the portal' using errcode = 'restrict_violation';
  end if;
  if heir is null and exists (select from portal.resource r where r.owner_id = old.id) then
    raise exception 'No administrator to hand the resources of % to.', old.username using errcode = 'restrict_violation';
  end if;
  update portal.resource set poc_id = heir where poc_id = old.id;
  update portal.resource set metadata_author_id = heir where metadata_author_id = old.id;
  update portal.resource set owner_id = heir where owner_id = old.id;
  return old;
end
$$;

-- After the row is gone: a set_perms that was naming it has finished by then, and nothing can name it any more.
create or replace function portal_private.after_principal_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.resource_grant
   where principal = case tg_table_name when 'account' then old.id else -old.id end;
  return null;
end
$$;

-- Do the obstacles of an item not hold for the calling account? An owner passes all but metadata_only, a member of the
-- private group its privacy, who may publish the item its lack of approval. The row's columns come in as arguments, because the
-- row may be one that is just being written.
create or replace function portal_private.excuses(who portal_private.caller, id integer, owner_id integer, private_group integer,
  obstacles integer) returns boolean
language plpgsql stable parallel safe as $$
declare
  bits integer := obstacles & who.rules;
begin
  if who.me is null or bits & 32 <> 0 then
    return false;
  elsif owner_id = who.me then
    return true;
  end if;
  return coalesce(bits & 64 = 0
     and (bits & 16 = 0 or -private_group = any (who.principals))
     and (bits & 8 = 0 or exists (select from portal_private.resource_grant g
                                   where g.resource_id = id and g.perms & 64 <> 0 and g.principal = any (who.principals))),
    false);
end
$$;

-- For the policy, which asks only about items that have an obstacle, and they are few: cheap on the whole. Restricted, so that
-- lists and their totals run without parallel workers: to start them takes longer than counting 100,000 items alone, and a
-- portal has many readers at once.
create or replace function portal_private.excused(id integer, owner_id integer, private_group integer, obstacles integer) returns boolean
language plpgsql stable parallel restricted security definer cost 1 set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.excuses(portal_private.who(), id, owner_id, private_group, obstacles);
end
$$;

-- The policies of portal.resource in one expression, for functions that run with the definer's rights and so past them.
create or replace function portal_private.shown(who portal_private.caller, id integer, owner_id integer, private_group integer,
  is_public boolean, viewers integer[], obstacles integer) returns boolean
language sql stable parallel safe
return (obstacles & 32 = 0 and who.admin)
    or ((is_public or viewers && who.principals)
      and (obstacles & who.rules = 0 or portal_private.excuses(who, id, owner_id, private_group, obstacles)));

create or replace function portal_private.sees(who portal_private.caller, target integer) returns boolean
language plpgsql stable parallel safe as $$
begin
  return coalesce((select portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
                     from portal.resource r where r.id = target), false);
end
$$;

-- What the caller may do with an item of that type, given the bits granted to its principals, visibility aside. Staff hold
-- every bit, visitors at most view and download, and in read-only mode nobody but administrators holds more than that.
create or replace function portal_private.allowed(who portal_private.caller, resource_type text, granted integer) returns integer
language sql stable parallel safe
return portal_private.full_mask(resource_type)
     & case when who.writable and (who.me is not null or who.admin) then 511 else 3 end
     & case when who.staff then 511 else coalesce(granted, 0) end;

create or replace function portal_private.mask(who portal_private.caller, target integer) returns integer
language plpgsql stable parallel safe as $$
begin
  return coalesce((
    select portal_private.allowed(who, r.resource_type,
             (select bit_or(g.perms) from portal_private.resource_grant g
               where g.resource_id = target and g.principal = any (who.principals || 0)))
      from portal.resource r where r.id = target), 0);
end
$$;

-- For guards and policies.
create or replace function portal_private.mask_of(target integer) returns integer
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.mask(portal_private.who(), target);
end
$$;

-- Raises unless the caller sees the item (P0002: not found) and holds one of the bits on it (42501: refused).
create or replace function portal_private.require(who portal_private.caller, target integer, bits integer) returns void
language plpgsql as $$
begin
  perform portal_private.missing_if(not portal_private.sees(who, target));
  perform portal_private.refuse_if(portal_private.mask(who, target) & bits = 0, array_to_string(portal.perm_names(bits), ' or ') || ' is needed');
end
$$;

create or replace function portal_private.guard_new_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  new.owner_id := coalesce(new.owner_id, who.me);
  if who.admin then
    return new;
  end if;
  perform portal_private.refuse_if(not portal.may_add(), 'add_resource is needed');
  perform portal_private.refuse_if(new.owner_id is distinct from who.me, 'items are created in one''s own name');
  perform portal_private.refuse_if(new.featured, 'administrators choose what is featured');
  perform portal_private.refuse_if(not who.staff and new.group_id is not null and not -new.group_id = any (who.principals),
    'an item can be put into one''s own groups only');
  -- Somebody else says when it is ready.
  new.is_approved := new.is_approved and not portal.setting_on('ADMIN_MODERATE_UPLOADS');
  new.is_published := new.is_published and not portal.setting_on('RESOURCE_PUBLISHING');
  return new;
end
$$;

create or replace function portal_private.guard_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  mask integer := portal_private.mask(who, old.id);
begin
  if tg_op = 'DELETE' then
    perform portal_private.refuse_if(mask & 16 = 0, 'delete_resourcebase is needed');
    return old;
  end if;

  perform portal_private.refuse_if(mask & (4 | 8) = 0 and portal_private.redescribed(old, new),
    'change_resourcebase_metadata or change_resourcebase is needed');
  if mask & 4 = 0 and (
      (new.group_id, new.srid, new.thumbnail_url, new.name, new.is_mosaic, new.has_time, new.has_elevation, new.time_regex,
       new.elevation_regex, new.use_featureinfo_custom_template, new.featureinfo_custom_template, new.popup, new.default_filter, new.zoom, new.projection,
       new.center_x, new.center_y, new.urlsuffix, new.featuredurl, new.app_type, new.doc_type, new.extension, new.mime_type,
       new.doc_url, new.bbox_polygon::bytea, new.ll_bbox_polygon::bytea)
      is distinct from
      (old.group_id, old.srid, old.thumbnail_url, old.name, old.is_mosaic, old.has_time, old.has_elevation, old.time_regex,
       old.elevation_regex, old.use_featureinfo_custom_template, old.featureinfo_custom_template, old.popup, old.default_filter, old.zoom, old.projection,
       old.center_x, old.center_y, old.urlsuffix, old.featuredurl, old.app_type, old.doc_type, old.extension, old.mime_type,
       old.doc_url, old.bbox_polygon::bytea, old.ll_bbox_polygon::bytea)) then
    perform portal_private.refuse('change_resourcebase is needed');
  end if;
  perform portal_private.refuse_if(mask & 256 = 0 and new.default_style_id is distinct from old.default_style_id, 'change_layer_style is needed');
  perform portal_private.refuse_if(mask & 64 = 0 and (new.is_approved, new.is_published) is distinct from (old.is_approved, old.is_published),
    'publish_resourcebase is needed');
  perform portal_private.refuse_if(not who.admin and new.featured is distinct from old.featured, 'administrators choose what is featured');
  perform portal_private.refuse_if(not who.admin and new.owner_id is distinct from old.owner_id, 'administrators choose the owner');
  if not who.staff and new.group_id is distinct from old.group_id and new.group_id is not null
     and not -new.group_id = any (who.principals) then
    perform portal_private.refuse('an item can be put into one''s own groups only');
  end if;
  -- Nobody may change anything: not even the time of the last change.
  perform portal_private.refuse_if(mask & (4 | 8 | 64 | 256) = 0, 'change_resourcebase is needed');
  new.last_updated := now();
  return new;
end
$$;

-- The face of an account: one's own, all for staff, else the people behind items and groups that the caller sees. Nearly always
-- the account owns a visible item; the function asks about the rest, so that lists need not plan for it.
create or replace function portal_private.knows(account integer) returns boolean
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

-- May the caller do this with that item? False for what it cannot see, and for names that are no permission. What is registered is only read:
-- nobody has the permission to change its rows, administrators included.
create or replace function portal.may(target integer, permission text) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return coalesce(portal_private.sees(who, target)
              and portal_private.mask(who, target) & portal.perm_bit(permission) <> 0
              and (permission <> 'change_layer_data'
                   or not exists (select from portal_private.registered_table g where g.resource_id = target)), false);
end
$$;

-- The `perms` of an item: what the caller may do with it.
create or replace function portal.my_perms(target integer) returns text[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return portal.perm_names(case when portal_private.sees(who, target) then portal_private.mask(who, target) else 0 end
    & case when exists (select from portal_private.registered_table g where g.resource_id = target)
           then ~portal.perm_bit('change_layer_data') else -1 end);
end
$$;

-- Of what the caller sees: who may do what with it is told to its owner, to staff, and to who may change that.
create or replace function portal_private.reads_grants(who portal_private.caller, target integer) returns boolean
language sql stable
return who.staff or portal_private.mask(who, target) & 32 <> 0
    or exists (select from portal.resource r where r.id = target and r.owner_id = who.me);

-- {"users": {name: [permission, …]}, "groups": {name: [permission, …]}}
create or replace function portal.get_perms(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.missing_if(not portal_private.sees(who, target));
  perform portal_private.refuse_if(not portal_private.reads_grants(who, target), 'change_resourcebase_permissions is needed');
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
create or replace function portal_private.parse_perms(who portal_private.caller, target integer, spec jsonb, member text)
returns table (principal integer, perms integer)
language plpgsql as $$
declare
  entry record;
  permission jsonb;
  kind text := (select r.resource_type from portal.resource r where r.id = target);
  unknown text[];
begin
  if spec -> member is null or jsonb_typeof(spec -> member) = 'null' then
    return;
  end if;
  perform portal_private.invalid_if(jsonb_typeof(spec -> member) <> 'object', format('"%s" must be an object of names and permission lists', member));
  unknown := array(
    select distinct p.value #>> '{}'
      from jsonb_each(spec -> member) e
      cross join lateral jsonb_array_elements(case jsonb_typeof(e.value) when 'array' then e.value else '[]' end) p
     where jsonb_typeof(p.value) = 'string' and portal.perm_bit(p.value #>> '{}') is null
     order by 1 limit 10);
  perform portal_private.refuse_unknown('permission', unknown);
  if member = 'users' then
    unknown := array(select k from jsonb_object_keys(spec -> member) k
                      where not exists (select from portal.account a where a.username = k) order by 1 limit 10);
    perform portal_private.refuse_unknown('user', unknown);
  else
    -- A private group is unknown to outsiders, unless it is named here already.
    unknown := array(
      select k from jsonb_object_keys(spec -> member) k
       where not exists (
         select from portal.user_group g
          where g.slug = k
            and (portal_private.sees_group(who, g)
                 or exists (select from portal_private.resource_grant x where x.resource_id = target and x.principal = -g.id)))
       order by 1 limit 10);
    perform portal_private.refuse_unknown('group', unknown);
  end if;
  for entry in select e.key, e.value from jsonb_each(spec -> member) e loop
    perform portal_private.invalid_if(jsonb_typeof(entry.value) <> 'array', format('permissions of "%s" must be a list', entry.key));
    perms := 0;
    for permission in select p.value from jsonb_array_elements(entry.value) p loop
      perform portal_private.invalid_if(jsonb_typeof(permission) <> 'string' or portal.perm_bit(permission #>> '{}') is null,
        format('unknown permission "%s"', permission #>> '{}'));
      -- Target 0 is a layer that is still to come.
      perform portal_private.invalid_if(portal.perm_bit(permission #>> '{}') & ~portal_private.full_mask(coalesce(kind, 'layer')) <> 0,
        format('a %s has no permission "%s"', kind, permission #>> '{}'));
      perms := perms | portal.perm_bit(permission #>> '{}');
    end loop;
    principal := null;
    -- The row is held until the end of the transaction, so that a principal cannot vanish under its grant.
    if member = 'users' then
      select case a.id when -1 then 0 else a.id end into principal
        from portal.account a where a.username = entry.key for key share;
      continue when principal is null;
      return next;
      if principal = 0 then
        principal := -1;
        return next;
      end if;
    else
      select -g.id into principal from portal.user_group g where g.slug = entry.key for key share;
      continue when principal is null;
      return next;
    end if;
  end loop;
end
$$;

-- Replaces every grant of the item but those of links, which end by themselves or are ended. SQLSTATE P0002 the item is not there for the caller, 42501 not allowed, 22023 the
-- specification names an unknown user, group or permission.
create or replace function portal.set_perms(target integer, spec jsonb) returns void
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
  perform portal_private.invalid_if(spec is null or jsonb_typeof(spec) <> 'object', 'permissions must be an object');
  select k into stranger from jsonb_object_keys(spec) k where k not in ('users', 'groups') limit 1;
  perform portal_private.invalid_if(stranger is not null, format('unknown member "%s"', stranger));

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
  perform portal_private.refuse_if(not who.staff and exists (
      select from unnest(wanted_principals, wanted_perms) w(principal, perms)
        left join portal_private.resource_grant g on g.resource_id = target and g.principal = w.principal
       where w.principal is distinct from item.owner_id and w.perms & ~coalesce(g.perms, 0) & ~mine <> 0),
    'only permissions one holds can be given');
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
    delete from portal_private.resource_grant g
     where g.resource_id = target and g.principal <> all (wanted_principals) and not portal_private.is_link(g.principal)
  )
  insert into portal_private.resource_grant (resource_id, principal, perms)
    select target, w.principal, w.perms from unnest(wanted_principals, wanted_perms) w(principal, perms)
    on conflict (resource_id, principal) do update set perms = excluded.perms
      where resource_grant.perms <> excluded.perms;
end
$$;

-- metadata_only takes an item out of sight of everybody, its owner included, so it cannot be an ordinary update. Who could change the item can
-- bring it back. What is in the bin comes back by the bin alone.
create or replace function portal.set_metadata_only(target integer, hidden boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if not (portal_private.mask(who, target) & 4 <> 0
          and exists (select from portal.resource r where r.id = target and r.metadata_only)
          and not exists (select from portal_private.bin b where b.resource_id = target)) then
    perform portal_private.require(who, target, 4);
  end if;
  update portal.resource set metadata_only = hidden, last_updated = now()
   where id = target and metadata_only is distinct from hidden;
end
$$;

-- Items on which the group holds view or change, as far as the caller sees the group and them.
create or replace function portal.group_resources(of_group integer) returns setof integer
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

create or replace function portal.permission_fault(spec jsonb) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform from portal_private.parse_perms(who, 0, spec, 'users');
  perform from portal_private.parse_perms(who, 0, spec, 'groups');
  return null;
exception when invalid_parameter_value then
  return sqlerrm;
end
$$;

-- Permissions of an item, first of all of one that is being made. Who may set them does so. Where new items are moderated owners may
-- not, but what this transaction has made they can keep from others: nothing is given here, only taken away.
create or replace function portal.set_new_perms(target integer, spec jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if portal_private.mask(who, target) & 32 <> 0 or not exists (
       select from portal.resource r where r.id = target and r.owner_id = who.me and r.xmin = pg_current_xact_id()::xid) then
    perform portal.set_perms(target, spec);
    return;
  end if;
  -- One statement, so that the triggers find the grants complete.
  with wanted as materialized (
    select p.principal, bit_or(p.perms) as perms
      from (select * from portal_private.parse_perms(who, target, spec, 'users')
            union all
            select * from portal_private.parse_perms(who, target, spec, 'groups')) p
     group by p.principal
  ), gone as (
    delete from portal_private.resource_grant g
     where g.resource_id = target and g.principal <> who.me
       and not exists (select from wanted w where w.principal = g.principal and w.perms & g.perms <> 0)
  )
  update portal_private.resource_grant g set perms = g.perms & w.perms
    from wanted w
   where g.resource_id = target and g.principal = w.principal and g.principal <> who.me
     and g.perms & w.perms not in (0, g.perms);
end
$$;

-- The number is of a link that is on and has not ended.
create or replace function portal_private.is_good_link(viewer integer) returns boolean
language plpgsql stable as $$
begin
  return exists (select from portal_private.share_link l where l.principal = viewer and l.is_on and (l.expires is null or l.expires > now()));
end
$$;

-- `public`: everybody sees it. `shared`: others than its owner do. Null: the caller does not see it.
create or replace function portal.sharing_of(target integer) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select case when r.is_public then 'public'
                    when exists (select from unnest(r.viewers) v where v is distinct from r.owner_id
                                   and (not portal_private.is_link(v) or portal_private.is_good_link(v))) then 'shared'
                    else 'private' end
          from portal.resource r
         where r.id = target and portal_private.sees(portal_private.who(), target));

create or replace function portal_private.level_bits(level text, resource_type text) returns integer
language sql immutable parallel safe
return portal_private.full_mask(resource_type) & case level
  when 'none' then 0
  when 'view' then 1
  when 'download' then 1 | 2
  when 'edit' then 1 | 2 | 4 | 8 | 128 | 256
  when 'manage' then 511
  when 'owner' then 511
end;

create or replace function portal_private.level_of(perms integer) returns text
language sql immutable parallel safe
return case when coalesce(perms, 0) & (16 | 32 | 64) <> 0 then 'manage'
            when perms & (4 | 8 | 128 | 256) <> 0 then 'edit'
            when perms & 2 <> 0 then 'download'
            when perms & 1 <> 0 then 'view'
            else 'none' end;

-- The policy of portal.account, for functions that run past it.
create or replace function portal_private.sees_account(who portal_private.caller, account integer) returns boolean
language plpgsql stable parallel safe as $$
begin
  return who.staff or account is not distinct from who.me
      or exists (select from portal.resource r where r.owner_id = account
                    and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles))
      or portal_private.knows(account);
end
$$;

-- As before; an account that the caller does not know otherwise has no number here, for a number would tell it from a reserved name.
create or replace function portal.get_levels(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal.get_perms(target);
  return (
    select jsonb_build_object(
      'users', coalesce((
        select jsonb_agg(jsonb_build_object('id', a.id, 'username', a.username,
                 'first_name', case when k.seen then a.first_name else '' end,
                 'last_name', case when k.seen then a.last_name else '' end,
                 'avatar', coalesce(case when k.seen then a.avatar end, '/avatar/' || a.id || '.svg'),
                 'permissions', case when a.id = r.owner_id then 'owner' else portal_private.level_of(g.perms) end,
                 'is_superuser', case when who.staff or a.id = who.me then d.is_superuser end,
                 'is_staff', case when who.staff or a.id = who.me then d.is_staff end)
               order by a.id is distinct from r.owner_id, a.username)
          from (select x.principal as id, x.perms from portal_private.resource_grant x where x.resource_id = r.id and x.principal > 0
                union all
                select r.owner_id, 0 where r.owner_id is not null and not exists (
                  select from portal_private.resource_grant x where x.resource_id = r.id and x.principal = r.owner_id)) g
          join portal.account a on a.id = g.id
          join portal.account_detail d on d.account_id = a.id
          cross join lateral (select portal_private.sees_account(who, a.id) as seen) k), '[]'),
      'organizations', coalesce((
        select jsonb_agg(jsonb_build_object('id', u.id, 'title', u.title, 'name', u.slug, 'logo', u.logo,
                 'permissions', portal_private.level_of(g.perms)) order by u.title, u.id)
          from portal_private.resource_grant g join portal.user_group u on u.id = -g.principal
         where g.resource_id = r.id and g.principal < -2), '[]'),
      'groups', (
        select jsonb_agg(jsonb_build_object('id', u.id, 'title', u.title, 'name', u.slug,
                 'permissions', portal_private.level_of(
                   (select bit_or(g.perms) from portal_private.resource_grant g
                     where g.resource_id = r.id and (g.principal = -u.id or u.id = 1 and g.principal = 0)))) order by u.id)
          from portal.user_group u where u.id in (1, 2)))
      from portal.resource r where r.id = target);
end
$$;

-- The same form, or parts of it, sent back. An entry names an account or group by `id`, or by `username` or `name`. With `replace`, who is not
-- named holds nothing any more; without, they keep what they have.
create or replace function portal.set_levels(target integer, spec jsonb, replace boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  present jsonb := portal.get_perms(target);
  item record;
  member text;
  entry jsonb;
  named text;
  number integer;
  level text;
  found_id integer;
  found_name text;
  held integer;
  unknown_users text[] := '{}';
  unknown_groups text[] := '{}';
  members text[] := '{}';
  names text[] := '{}';
  masks integer[] := '{}';
begin
  perform portal_private.invalid_if(jsonb_typeof(spec) is distinct from 'object', 'permissions must be an object');
  select k into member from jsonb_object_keys(spec) k where k not in ('users', 'organizations', 'groups') limit 1;
  perform portal_private.invalid_if(member is not null, format('unknown member "%s"', member));
  select r.owner_id, r.resource_type into item from portal.resource r where r.id = target;
  foreach member in array array['users', 'organizations', 'groups'] loop
    continue when jsonb_typeof(coalesce(spec -> member, 'null')) = 'null';
    perform portal_private.invalid_if(jsonb_typeof(spec -> member) <> 'array', format('"%s" must be a list', member));
    for entry in select e.value from jsonb_array_elements(spec -> member) e loop
      perform portal_private.invalid_if(jsonb_typeof(entry) <> 'object', format('entries of "%s" must be objects', member));
      named := coalesce(entry ->> 'id', entry ->> case member when 'users' then 'username' else 'name' end, '');
      number := case when entry ->> 'id' ~ '^[0-9]{1,9}$' then (entry ->> 'id')::integer end;
      level := entry ->> 'permissions';
      found_id := null;
      if member = 'users' then
        if entry ->> 'id' is null then
          select a.id, a.username into found_id, found_name from portal.account a where a.id > 0 and a.username = named;
        else
          select a.id, a.username into found_id, found_name from portal.account a where a.id > 0 and a.id = number;
        end if;
        select g.perms into held from portal_private.resource_grant g where g.resource_id = target and g.principal = found_id;
        -- A number is no name that somebody has been told: it counts for accounts that the caller knows.
        if found_id is null or (entry ->> 'id' is not null and held is null and found_id is distinct from item.owner_id
                                and not portal_private.sees_account(who, found_id)) then
          unknown_users := unknown_users || named;
          continue;
        end if;
      else
        if entry ->> 'id' is null then
          select u.id, u.slug into found_id, found_name from portal.user_group u where u.slug = named;
        else
          select u.id, u.slug into found_id, found_name from portal.user_group u where u.id = number;
        end if;
        select bit_or(g.perms) into held from portal_private.resource_grant g
         where g.resource_id = target and (g.principal = -found_id or found_id = 1 and g.principal = 0);
        if found_id is null or (member = 'groups') <> (found_id in (1, 2)) or (held is null and not exists (
             select from portal.user_group u where u.id = found_id and portal_private.sees_group(who, u))) then
          unknown_groups := unknown_groups || named;
          continue;
        end if;
      end if;
      -- Who owns the item is not said here; the owner stays it, and nobody else becomes it.
      if level is null or portal_private.level_bits(level, item.resource_type) is null
         or level = 'owner' and (member <> 'users' or found_id is distinct from item.owner_id) then
        raise exception 'unknown level "%" of "%"', coalesce(level, ''), named using errcode = 'invalid_parameter_value';
      end if;
      continue when member = 'users' and found_id = item.owner_id;
      members := members || case member when 'users' then 'users' else 'groups' end;
      names := names || found_name;
      masks := masks || case when level = portal_private.level_of(held) then coalesce(held, 0)
                             else portal_private.level_bits(level, item.resource_type) end;
      -- Everybody is the group that everybody is in.
      if member = 'groups' and found_id = 1 then
        present := present #- '{users,AnonymousUser}';
      end if;
    end loop;
  end loop;
  perform portal_private.refuse_unknown('user', unknown_users[1:10]);
  perform portal_private.refuse_unknown('group', unknown_groups[1:10]);
  perform portal.set_perms(target, (
    select jsonb_object_agg(m.member, case when replace then '{}' else present -> m.member end || coalesce((
             select jsonb_object_agg(w.name, to_jsonb(portal.perm_names(w.mask)) order by w.n)
               from unnest(members, names, masks) with ordinality w(member, name, mask, n) where w.member = m.member), '{}'))
      from unnest(array['users', 'groups']) m(member)));
end
$$;

-- What OPTIONS may promise: the writing verbs of an address of the API that would not be refused to the caller as a whole. By the same
-- functions that the guards of the tables ask; whether a single value may be written, only writing tells.
--
-- `collection` is the first part of the address, `item` the number in it, `below` what follows that. Null: nothing is known of such an
-- address, and it takes what it takes; visitors write nowhere.
create or replace function portal.allowed_verbs(collection text, item integer, below text) returns text[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  admin boolean := portal.is_admin();
  writable boolean := portal.writable();
begin
  if me is null then
    return '{}';
  end if;
  case
    when collection in ('resources', 'layers', 'datasets', 'maps', 'documents', 'geoapps', 'geostories') then
      return case
        when item is null and below is not null then null
        when item is null then portal_private.verbs_if(writable, portal_private.verbs_if(portal.may_add(), '{POST}') || '{PATCH,DELETE}'::text[])
        when below is null then
          portal_private.verbs_if(portal.may(item, 'change_resourcebase') or portal.may(item, 'change_resourcebase_metadata')
                                    or portal.may(item, 'publish_resourcebase'), '{PUT,PATCH}')
          || portal_private.verbs_if(portal.may(item, 'delete_resourcebase'), '{DELETE}')
        when below = 'delete' then portal_private.verbs_if(portal.may(item, 'delete_resourcebase'), '{DELETE}')
        when below in ('set_perms', 'permissions') then
          portal_private.verbs_if(portal.may(item, 'change_resourcebase_permissions'), '{POST,PUT,PATCH,DELETE}')
        when below in ('replace', 'append') then portal_private.verbs_if(portal.may(item, 'change_layer_data'), '{POST,PUT}') end;
    when collection = 'users' then
      return portal_private.verbs_if(writable, case
        when item is null then portal_private.verbs_if(admin, '{POST}') || '{PATCH,DELETE}'::text[]
        else portal_private.verbs_if(admin or item = me, '{PUT,PATCH,DELETE}') end);
    when collection = 'groups' then
      return portal_private.verbs_if(writable, case
        when item is null and admin then '{POST,PATCH,DELETE}'
        when item is null then
          portal_private.verbs_if(portal.setting_on('GROUPS_BY_ACCOUNTS'), '{POST}')
          || portal_private.verbs_if(exists (select from portal.group_member m where m.account_id = me and m.is_manager), '{PATCH}')
        -- Whoever is in a group may leave it.
        when below ~ '^members/' then
          portal_private.verbs_if(admin or portal.is_manager(item) or below = 'members/' || me, '{DELETE}')
        when exists (select from portal.user_group g where g.id = item and g.builtin) then '{}'
        when below = 'members' then portal_private.verbs_if(admin or portal.is_manager(item), '{POST}')
        -- A manager deletes a group that nobody else is in.
        when admin or portal.is_manager(item) then
          '{PUT,PATCH}'::text[] || portal_private.verbs_if(
            admin or not exists (select from portal.group_member m where m.group_id = item and m.account_id <> me), '{DELETE}') end);
    when collection in ('uploads', 'upload') then
      return portal_private.verbs_if(portal.may_add() and (item is null or exists (
        select from portal.upload u where u.id = item and (u.user_id = me or admin))), '{POST,PUT,PATCH,DELETE}');
    when collection = 'settings' then
      return portal_private.verbs_if(admin, '{PATCH}');
    else
      return null;
  end case;
end
$$;

-- None also where the verbs are not known.
create or replace function portal_private.verbs_if(may boolean, verbs text[]) returns text[]
language sql immutable
return case when may and verbs is not null then verbs else '{}' end;

-- Ten at most are named.
create or replace function portal_private.refuse_unknown(what text, names text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if cardinality(names) > 0 then
    raise exception 'unknown % %', what || case when cardinality(names) > 1 then 's' else '' end,
      (select string_agg('"' || left(n, 150) || '"', ', ') from unnest(names) n) using errcode = 'invalid_parameter_value';
  end if;
end
$$;

grant execute on function
  portal.set_perms(integer,jsonb), portal.set_metadata_only(integer,boolean), portal.group_resources(integer),
  portal.permission_fault(jsonb), portal.set_new_perms(integer,jsonb), portal.get_levels(integer),
  portal.set_levels(integer,jsonb,boolean)
  to survest_user, survest_admin;

grant execute on function
  portal.perm_bit(text), portal.perm_names(integer), portal_private.excused(integer,integer,integer,integer),
  portal_private.mask_of(integer), portal_private.knows(integer), portal.may(integer,text), portal.my_perms(integer),
  portal.get_perms(integer), portal.sharing_of(integer), portal.allowed_verbs(text,integer,text)
  to survest_anon, survest_user, survest_admin;
