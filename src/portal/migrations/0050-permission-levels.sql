-- Permissions as levels, the way newer clients show and set them: none, view, download, edit, manage, and owner. A level stands for a set of
-- permissions; what somebody holds that is no such set is shown as the level it comes closest to, and stays as it is when that level is
-- sent back. Everything is written by portal.set_perms.

create function portal_private.level_bits(level text, resource_type text) returns integer
language sql immutable parallel safe
return portal_private.full_mask(resource_type) & case level
  when 'none' then 0
  when 'view' then 1
  when 'download' then 1 | 2
  when 'edit' then 1 | 2 | 4 | 8 | 128 | 256
  when 'manage' then 511
  when 'owner' then 511
end;

create function portal_private.level_of(perms integer) returns text
language sql immutable parallel safe
return case when coalesce(perms, 0) & (16 | 32 | 64) <> 0 then 'manage'
            when perms & (4 | 8 | 128 | 256) <> 0 then 'edit'
            when perms & 2 <> 0 then 'download'
            when perms & 1 <> 0 then 'view'
            else 'none' end;

-- The policy of portal.account, for functions that run past it.
create function portal_private.sees_account(who portal_private.caller, account integer) returns boolean
language plpgsql stable parallel safe as $$
begin
  return who.staff or account is not distinct from who.me
      or exists (select from portal.resource r where r.owner_id = account
                    and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles))
      or portal_private.knows(account);
end
$$;

-- {"users": [{id, username, …, permissions}], "organizations": […], "groups": […]}; to whom portal.get_perms answers. `groups` are the two that
-- everybody and every account is in. What the caller could not know of an account otherwise is not told here: its person's names are empty, and
-- whether it is an administrator's is null.
create function portal.get_levels(target integer) returns jsonb
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
-- named holds nothing any more; without, they keep what they have. 22023 names what is not known.
create function portal.set_levels(target integer, spec jsonb, replace boolean) returns void
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
  members text[] := '{}';
  names text[] := '{}';
  masks integer[] := '{}';
begin
  if jsonb_typeof(spec) is distinct from 'object' then
    raise exception 'permissions must be an object' using errcode = 'invalid_parameter_value';
  end if;
  select k into member from jsonb_object_keys(spec) k where k not in ('users', 'organizations', 'groups') limit 1;
  if member is not null then
    raise exception 'unknown member "%"', member using errcode = 'invalid_parameter_value';
  end if;
  select r.owner_id, r.resource_type into item from portal.resource r where r.id = target;
  foreach member in array array['users', 'organizations', 'groups'] loop
    continue when jsonb_typeof(coalesce(spec -> member, 'null')) = 'null';
    if jsonb_typeof(spec -> member) <> 'array' then
      raise exception '"%" must be a list', member using errcode = 'invalid_parameter_value';
    end if;
    for entry in select e.value from jsonb_array_elements(spec -> member) e loop
      if jsonb_typeof(entry) <> 'object' then
        raise exception 'entries of "%" must be objects', member using errcode = 'invalid_parameter_value';
      end if;
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
          raise exception 'unknown user "%"', named using errcode = 'invalid_parameter_value';
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
          raise exception 'unknown group "%"', named using errcode = 'invalid_parameter_value';
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
  perform portal.set_perms(target, (
    select jsonb_object_agg(m.member, case when replace then '{}' else present -> m.member end || coalesce((
             select jsonb_object_agg(w.name, to_jsonb(portal.perm_names(w.mask)) order by w.n)
               from unnest(members, names, masks) with ordinality w(member, name, mask, n) where w.member = m.member), '{}'))
      from unnest(array['users', 'groups']) m(member)));
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.get_levels(integer), portal.set_levels(integer, jsonb, boolean) from public;
grant execute on function portal.get_levels(integer), portal.set_levels(integer, jsonb, boolean) to survest_user, survest_admin;
