-- Who may do what: one row per item and principal, the permissions as bits. Effective permissions, defaults for new items, and
-- reading and replacing an item's grants. Nobody but these functions touches the table; the visibility columns of the item
-- follow in the same transaction.

create table portal_private.resource_grant (
  resource_id integer not null references portal.resource on delete cascade,
  -- > 0 an account, < 0 a group (minus its id), 0 AnonymousUser
  principal integer not null,
  perms integer not null check (perms > 0 and perms < 512),
  primary key (resource_id, principal)
);
create index resource_grant_principal on portal_private.resource_grant (principal, resource_id);
alter table portal_private.resource_grant enable row level security;

-- Permission names and bits ---------------------------------------------------------------------------------------

create function portal.perm_bit(permission text) returns integer
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

create function portal.perm_names(mask integer) returns text[]
language sql immutable parallel safe
return array_remove(array[
  case when mask & 1 <> 0 then 'view_resourcebase' end,
  case when mask & 2 <> 0 then 'download_resourcebase' end,
  case when mask & 4 <> 0 then 'change_resourcebase' end,
  case when mask & 8 <> 0 then 'change_resourcebase_metadata' end,
  case when mask & 16 <> 0 then 'delete_resourcebase' end,
  case when mask & 32 <> 0 then 'change_resourcebase_permissions' end,
  case when mask & 64 <> 0 then 'publish_resourcebase' end,
  case when mask & 128 <> 0 then 'change_layer_data' end,
  case when mask & 256 <> 0 then 'change_layer_style' end], null);

create function portal_private.full_mask(resource_type text) returns integer
language sql immutable parallel safe
return case when resource_type = 'layer' then 511 else 127 end;

-- What an owner keeps whatever is granted. Where items are moderated, others decide on publication and permissions.
create function portal_private.owner_mask(resource_type text) returns integer
language plpgsql stable as $$
begin
  return portal_private.full_mask(resource_type)
         & case when portal.setting_on('RESOURCE_PUBLISHING') or portal.setting_on('ADMIN_MODERATE_UPLOADS')
                then ~(32 | 64) else ~0 end;
end
$$;

-- Grants of a new item.
create function portal_private.default_grants(owner integer, resource_type text)
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
    union all
    select -1, e.perms from everybody e
    union all
    select -t.group_id, 3 & ~e.perms from team t, everybody e
  )
  select w.principal, w.perms from wanted w where w.perms <> 0;
end
$$;

-- The visibility columns ------------------------------------------------------------------------------------------

-- Row by row with plain parameters: such plans are kept, where one over a set of ids is made anew for every set.
create function portal_private.refresh_viewers(target integer) returns void
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

create function portal_private.after_grants() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  touched integer;
begin
  for touched in select distinct c.resource_id from changed c loop
    perform portal_private.refresh_viewers(touched);
  end loop;
  return null;
end
$$;
create trigger viewers_follow_insert after insert on portal_private.resource_grant
  referencing new table as changed for each statement execute function portal_private.after_grants();
create trigger viewers_follow_update after update on portal_private.resource_grant
  referencing new table as changed for each statement execute function portal_private.after_grants();
create trigger viewers_follow_delete after delete on portal_private.resource_grant
  referencing old table as changed for each statement execute function portal_private.after_grants();

-- A new row must be visible to whoever inserts it before its grants can exist, so the columns are filled from the same
-- defaults beforehand. A layer whose name is taken gets another one.
create function portal_private.prepare_new_resource() returns trigger
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
  return new;
end
$$;
create trigger prepare_new before insert on portal.resource
  for each row execute function portal_private.prepare_new_resource();

create function portal_private.after_new_resource() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.resource_grant (resource_id, principal, perms)
    select new.id, d.principal, d.perms from portal_private.default_grants(new.owner_id, new.resource_type) d;
  return null;
end
$$;
create trigger new_resource_has_grants after insert on portal.resource
  for each row execute function portal_private.after_new_resource();

create function portal_private.after_owner() returns trigger
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
create trigger grants_follow_owner after update of owner_id on portal.resource
  for each row when (old.owner_id is distinct from new.owner_id) execute function portal_private.after_owner();

-- Principals that go -----------------------------------------------------------------------------------------------

-- An account that is deleted leaves its items to an administrator.
create function portal_private.hand_over() returns trigger
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
-- After `guard` in the alphabet, so it runs for who may delete.
create trigger hand_over before delete on portal.account for each row execute function portal_private.hand_over();

-- After the row is gone: a set_perms that was naming it has finished by then, and nothing can name it any more.
create function portal_private.after_principal_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.resource_grant
   where principal = case tg_table_name when 'account' then old.id else -old.id end;
  return null;
end
$$;
create trigger grants_go_too after delete on portal.account
  for each row execute function portal_private.after_principal_gone();
create trigger grants_go_too after delete on portal.user_group
  for each row execute function portal_private.after_principal_gone();

-- Effective permissions -------------------------------------------------------------------------------------------

-- Do the obstacles of an item not hold for the calling account? An owner passes all but metadata_only, a member of the
-- private group its privacy, who may publish the item its lack of approval. The row's columns come in as arguments, because the
-- row may be one that is just being written.
create function portal_private.excuses(who portal_private.caller, id integer, owner_id integer, private_group integer,
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
create function portal_private.excused(id integer, owner_id integer, private_group integer, obstacles integer) returns boolean
language plpgsql stable parallel restricted security definer cost 1 set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.excuses(portal_private.who(), id, owner_id, private_group, obstacles);
end
$$;

-- The policies of portal.resource in one expression, for functions that run with the definer's rights and so past them.
create function portal_private.shown(who portal_private.caller, id integer, owner_id integer, private_group integer,
  is_public boolean, viewers integer[], obstacles integer) returns boolean
language sql stable parallel safe
return (obstacles & 32 = 0 and who.admin)
    or ((is_public or viewers && who.principals)
      and (obstacles & who.rules = 0 or portal_private.excuses(who, id, owner_id, private_group, obstacles)));

create function portal_private.sees(who portal_private.caller, target integer) returns boolean
language plpgsql stable parallel safe as $$
begin
  return coalesce((select portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
                     from portal.resource r where r.id = target), false);
end
$$;

-- What the caller may do with an item of that type, given the bits granted to its principals, visibility aside. Staff hold
-- every bit, visitors at most view and download, and in read-only mode nobody but administrators holds more than that.
create function portal_private.allowed(who portal_private.caller, resource_type text, granted integer) returns integer
language sql stable parallel safe
return portal_private.full_mask(resource_type)
     & case when who.writable and (who.me is not null or who.admin) then 511 else 3 end
     & case when who.staff then 511 else coalesce(granted, 0) end;

create function portal_private.mask(who portal_private.caller, target integer) returns integer
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
create function portal_private.mask_of(target integer) returns integer
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.mask(portal_private.who(), target);
end
$$;

-- Raises unless the caller sees the item (P0002: not found) and holds one of the bits on it (42501: refused).
create function portal_private.require(who portal_private.caller, target integer, bits integer) returns void
language plpgsql as $$
begin
  if not portal_private.sees(who, target) then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
  if portal_private.mask(who, target) & bits = 0 then
    perform portal_private.refuse(array_to_string(portal.perm_names(bits), ' or ') || ' is needed');
  end if;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.perm_bit(text), portal.perm_names(integer) from public;
grant execute on function portal.perm_bit(text), portal.perm_names(integer) to survest_anon, survest_user, survest_admin;
-- Named in policies, which are parsed already; the schema stays closed.
grant execute on function portal_private.mask_of(integer), portal_private.excused(integer, integer, integer, integer)
  to survest_anon, survest_user, survest_admin;
