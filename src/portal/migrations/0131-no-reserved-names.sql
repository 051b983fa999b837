-- Names that nobody has are refused, wherever permissions or invitations are given, and nothing is changed: 0064 kept what was given to such a name for
-- whoever took it. That a signed-in person can learn so whether a name exists is accepted.

delete from portal_private.resource_grant g using portal_private.reserved_name n where g.principal = n.id;
drop trigger take_reserved_name on portal.account;
drop trigger drop_reserved_names on portal_private.resource_grant;
drop function portal_private.take_reserved_name();
drop function portal_private.drop_reserved_names();

-- Ten at most are named.
create function portal_private.refuse_unknown(what text, names text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if cardinality(names) > 0 then
    raise exception 'unknown % %', what || case when cardinality(names) > 1 then 's' else '' end,
      (select string_agg('"' || left(n, 150) || '"', ', ') from unnest(names) n) using errcode = 'invalid_parameter_value';
  end if;
end
$$;

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
  if jsonb_typeof(spec -> member) <> 'object' then
    raise exception '"%" must be an object of names and permission lists', member using errcode = 'invalid_parameter_value';
  end if;
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
    if jsonb_typeof(entry.value) <> 'array' then
      raise exception 'permissions of "%" must be a list', entry.key using errcode = 'invalid_parameter_value';
    end if;
    perms := 0;
    for permission in select p.value from jsonb_array_elements(entry.value) p loop
      if jsonb_typeof(permission) <> 'string' or portal.perm_bit(permission #>> '{}') is null then
        raise exception 'unknown permission "%"', permission #>> '{}' using errcode = 'invalid_parameter_value';
      end if;
      -- Target 0 is a layer that is still to come.
      if portal.perm_bit(permission #>> '{}') & ~portal_private.full_mask(coalesce(kind, 'layer')) <> 0 then
        raise exception 'a % has no permission "%"', kind, permission #>> '{}' using errcode = 'invalid_parameter_value';
      end if;
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

create or replace function portal.get_perms(target integer) returns jsonb
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

drop function portal_private.might_be_name(portal_private.caller, text);
drop table portal_private.reserved_name;

-- Makes the account of that name a member, changes what kind of member it is, or invites it: `added`, `changed`, `invited`.
create or replace function portal.invite_group_member(to_group integer, name text, as_manager boolean default false) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin boolean := portal.is_admin();
  found_account integer;
begin
  perform portal_private.require_group_manager(to_group);
  if to_group in (1, 2) then
    raise exception 'every account is a member of this group' using errcode = 'invalid_parameter_value';
  end if;
  select a.id into found_account from portal.account a where lower(a.username) = lower(name) and a.id > 0;
  update portal.group_member m set is_manager = invite_group_member.as_manager
   where m.group_id = to_group and m.account_id = found_account;
  if found then
    return 'changed';
  end if;
  if found_account is null then
    raise exception 'unknown account "%"', name using errcode = 'invalid_parameter_value', hint = 'username';
  end if;
  if admin then
    insert into portal.group_member (group_id, account_id, is_manager) values (to_group, found_account, invite_group_member.as_manager);
    return 'added';
  end if;
  if (select count(*) from portal.group_invitation i where i.group_id = to_group) >= 1000 then
    raise exception 'a group has at most 1000 open invitations: withdraw some of them first' using errcode = 'invalid_parameter_value';
  end if;
  insert into portal.group_invitation (group_id, username, as_manager, invited_by)
    values (to_group, lower(name), invite_group_member.as_manager, portal.me())
    on conflict (group_id, username) do update
      set as_manager = excluded.as_manager, invited_by = excluded.invited_by, invited = now();
  return 'invited';
end
$$;

-- An invitation is for the account that has the name now: it goes with it, and follows it to another name.
delete from portal.group_invitation i where not exists (select from portal.account a where lower(a.username) = lower(i.username) and a.id > 0);
create function portal_private.follow_username() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal.group_invitation i
   where tg_op = 'DELETE' and lower(i.username) = lower(old.username);
  if tg_op = 'UPDATE' then
    update portal.group_invitation i set username = lower(new.username) where lower(i.username) = lower(old.username);
  end if;
  return null;
end
$$;
create trigger follow_username after delete or update of username on portal.account
  for each row execute function portal_private.follow_username();

revoke all on all functions in schema portal_private from public;
