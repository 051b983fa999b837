-- Giving permissions does not tell which names there are. A name that the caller knows no account of is taken as it stands, whether
-- there is one or not: where there is none the name is reserved, under the number that its account will have. Staff, who see every
-- account, are told about names that nobody has.

create table portal_private.reserved_name (
  id integer primary key default nextval(pg_get_serial_sequence('portal.account', 'id')),
  username text not null unique check (length(username) between 1 and 150 and username ~ '^[\w.@+-]+$')
);
alter table portal_private.reserved_name enable row level security;

-- Who gets the name gets its number, and so what was given to the name.
create function portal_private.take_reserved_name() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  reserved integer;
begin
  delete from portal_private.reserved_name n where n.username = new.username returning n.id into reserved;
  new.id := coalesce(reserved, new.id);
  return new;
end
$$;
create trigger take_reserved_name before insert on portal.account
  for each row execute function portal_private.take_reserved_name();

-- A reservation goes with its last grant.
create function portal_private.drop_reserved_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.reserved_name n
   using gone g
   where n.id = g.principal and not exists (select from portal_private.resource_grant x where x.principal = n.id);
  return null;
end
$$;
create trigger drop_reserved_names after delete on portal_private.resource_grant
  referencing old table as gone for each statement execute function portal_private.drop_reserved_names();

-- Is a name that no account has one that the caller cannot tell from others?
create function portal_private.might_be_name(who portal_private.caller, name text) returns boolean
language sql stable
return not who.staff and name <> 'AnonymousUser' and name ~ '^[\w.@+-]{1,150}$';

create or replace function portal_private.parse_perms(who portal_private.caller, target integer, spec jsonb, member text)
returns table (principal integer, perms integer)
language plpgsql as $$
declare
  entry record;
  permission jsonb;
  kind text := (select r.resource_type from portal.resource r where r.id = target);
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
      if principal is null then
        select n.id into principal from portal_private.reserved_name n where n.username = entry.key for key share;
        -- Staff are shown reserved names, and may send them back.
        if principal is null and not portal_private.might_be_name(who, entry.key) then
          raise exception 'unknown user "%"', entry.key using errcode = 'invalid_parameter_value';
        end if;
        continue when perms = 0 or target = 0;
        if principal is null then
          insert into portal_private.reserved_name (username) values (entry.key)
            on conflict (username) do update set username = excluded.username
            returning id into principal;
        end if;
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

-- {"users": {name: [permission, …]}, "groups": {name: [permission, …]}}, for the owner, staff, and who may change it.
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
      'users', coalesce(jsonb_object_agg(coalesce(a.username, n.username), to_jsonb(portal.perm_names(g.perms)))
                          filter (where coalesce(a.id, n.id) is not null), '{}'),
      'groups', coalesce(jsonb_object_agg(u.slug, to_jsonb(portal.perm_names(g.perms)))
                           filter (where u.id is not null), '{}'))
      from portal_private.resource_grant g
      left join portal.account a on a.id = case when g.principal = 0 then -1 when g.principal > 0 then g.principal end
      left join portal_private.reserved_name n on n.id = g.principal
      left join portal.user_group u on u.id = case when g.principal < 0 then -g.principal end
     where g.resource_id = target);
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
        select jsonb_agg(jsonb_build_object('id', case when k.seen then g.id end, 'username', coalesce(a.username, n.username),
                 'first_name', case when k.seen then a.first_name else '' end,
                 'last_name', case when k.seen then a.last_name else '' end,
                 'avatar', coalesce(case when k.seen then a.avatar end, '/avatar/' || case when k.seen then g.id else 0 end || '.svg'),
                 'permissions', case when g.id = r.owner_id then 'owner' else portal_private.level_of(g.perms) end,
                 'is_superuser', case when who.staff or a.id = who.me then d.is_superuser end,
                 'is_staff', case when who.staff or a.id = who.me then d.is_staff end)
               order by g.id is distinct from r.owner_id, coalesce(a.username, n.username))
          from (select x.principal as id, x.perms from portal_private.resource_grant x where x.resource_id = r.id and x.principal > 0
                union all
                select r.owner_id, 0 where r.owner_id is not null and not exists (
                  select from portal_private.resource_grant x where x.resource_id = r.id and x.principal = r.owner_id)) g
          left join portal.account a on a.id = g.id
          left join portal.account_detail d on d.account_id = a.id
          left join portal_private.reserved_name n on n.id = g.id
          cross join lateral (select a.id is not null and portal_private.sees_account(who, a.id) as seen) k
         where coalesce(a.id, n.id) is not null), '[]'),
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

-- As before; a user named by `username` is one, whether or not there is such an account yet.
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
  reserved boolean;
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
      reserved := false;
      if member = 'users' then
        if entry ->> 'id' is null then
          select a.id, a.username into found_id, found_name from portal.account a where a.id > 0 and a.username = named;
          if found_id is null then
            select n.id into found_id from portal_private.reserved_name n where n.username = named;
            reserved := found_id is not null or portal_private.might_be_name(who, named);
            found_name := named;
          end if;
        else
          select a.id, a.username into found_id, found_name from portal.account a where a.id > 0 and a.id = number;
        end if;
        select g.perms into held from portal_private.resource_grant g where g.resource_id = target and g.principal = found_id;
        -- A number is no name that somebody has been told: it counts for accounts that the caller knows.
        if not reserved and found_id is null or (entry ->> 'id' is not null and held is null and found_id is distinct from item.owner_id
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
