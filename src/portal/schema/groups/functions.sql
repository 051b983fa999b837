create or replace function portal.is_manager(of_group integer) returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
  caller integer := portal_private.find_me();
begin
  return exists (select from portal.group_member m
                  where m.group_id = of_group and m.account_id = caller and m.is_manager);
end
$$;

-- The policy of portal.user_group for accounts.
create or replace function portal_private.sees_group(who portal_private.caller, g portal.user_group) returns boolean
language sql stable parallel safe
return coalesce(who.staff or (who.me is not null and (g.access <> 'private' or -g.id = any (who.principals))), false)
       and g.id is not null;

create or replace function portal_private.after_membership() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refresh_can_add(case when tg_op = 'DELETE' then old.account_id else new.account_id end);
  return null;
end
$$;

create or replace function portal_private.guard_group() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin boolean := portal.is_admin();
begin
  perform portal_private.refuse_if(not portal.writable(), 'the portal is read-only');
  perform portal_private.refuse_if(tg_op <> 'INSERT' and old.builtin, 'this group is part of the portal');
  perform portal_private.refuse_if(tg_op = 'INSERT' and not admin, 'groups are made by portal.make_group');
  perform portal_private.refuse_if(tg_op <> 'INSERT' and not admin and not portal.is_manager(old.id),
    'groups are changed by administrators and their managers');
  perform portal_private.refuse_if(tg_op = 'DELETE' and not admin and exists (select from portal.group_member m where m.group_id = old.id and m.account_id <> portal.me()),
    'a group with other members is deleted by administrators');
  perform portal_private.refuse_if(tg_op = 'UPDATE' and not admin and new.slug is distinct from old.slug, 'group names are given by administrators');
  if tg_op = 'UPDATE' then
    new.last_modified := now();
  end if;
  return coalesce(new, old);
end
$$;

create or replace function portal_private.guard_group_category() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  touched integer := case when tg_op = 'DELETE' then old.group_id else new.group_id end;
begin
  perform portal_private.refuse_if(not portal.writable() or not (portal.is_admin() or portal.is_manager(touched)),
    'groups are changed by administrators and their managers');
  return coalesce(new, old);
end
$$;

-- A name for addresses, of a title: `Wasser & Böden` is `wasser-boden`. One that is taken gets an end.
create or replace function portal_private.slug_of(title text) returns text
language plpgsql as $$
declare
  plain text := regexp_replace(normalize(replace(lower(title), 'ß', 'ss'), nfkd), '[\u0300-\u036f]', '', 'g');
  slug text := coalesce(nullif(trim(both '-' from left(trim(both '-' from regexp_replace(plain, '[^a-z0-9]+', '-', 'g')), 44)), ''), 'group');
  free text := slug;
begin
  while exists (select from portal.user_group g where g.slug = free) loop
    free := slug || '-' || substr(md5(random()::text), 1, 4);
  end loop;
  return free;
end
$$;

-- A new group. An account that makes one leads it; administrators make groups for others. Without a name of its own it gets one that is made of the title.
create or replace function portal.make_group(title text, slug text, description text, email text, logo text, access text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  made integer;
begin
  perform portal_private.refuse_if(not who.writable, 'the portal is read-only');
  perform portal_private.refuse_if(not who.admin and (who.me is null or not portal.setting_on('GROUPS_BY_ACCOUNTS')),
    'groups are made by administrators');
  perform portal_private.invalid_if(not who.admin and (select count(*) from portal.group_member m where m.account_id = who.me and m.is_manager) >= 100,
    'You lead 100 groups already. Leave or delete some of them first.');
  insert into portal.user_group (slug, title, description, email, logo, access)
    values (coalesce(nullif(make_group.slug, ''), portal_private.slug_of(make_group.title)), make_group.title, make_group.description, make_group.email,
            make_group.logo, make_group.access)
    returning id into made;
  if not who.admin then
    insert into portal.group_member (group_id, account_id, is_manager) values (made, who.me, true);
  end if;
  return made;
end
$$;

-- Ends a membership; members may leave on their own. Tells whether there was one.
create or replace function portal.remove_group_member(from_group integer, account integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if account is distinct from portal.me() or from_group = 3 or not portal.writable() then
    perform portal_private.require_group_manager(from_group);
  end if;
  delete from portal.group_member where group_id = from_group and account_id = account;
  return found;
end
$$;

create or replace function portal_private.require_group_manager(of_group integer) returns void
language plpgsql as $$
declare
  who portal_private.caller := portal_private.who();
  found_group portal.user_group;
begin
  select * into found_group from portal.user_group g where g.id = of_group;
  perform portal_private.missing_if(not portal_private.sees_group(who, found_group));
  perform portal_private.refuse_if(not who.writable or not (who.admin or (not found_group.builtin and portal.is_manager(of_group))),
    'groups are changed by administrators and their managers');
end
$$;

-- What a person is asked: a list of their own.
create or replace function portal.my_invitations() returns table (
  group_id integer, slug text, title text, description text, as_manager boolean, invited_by text, invited timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select g.id, g.slug, g.title, g.description, i.as_manager, by.username, i.invited
    from portal.account a
    join portal.group_invitation i on lower(i.username) = lower(a.username)
    join portal.user_group g on g.id = i.group_id
    left join portal.account by on by.id = i.invited_by
   where a.id = portal.me()
   order by i.invited desc, g.id;
end;

-- Makes the account of that name a member, changes what kind of member it is, or invites it: `added`, `changed`, `invited`.
create or replace function portal.invite_group_member(to_group integer, name text, as_manager boolean default false) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  admin boolean := portal.is_admin();
  found_account integer;
begin
  perform portal_private.require_group_manager(to_group);
  perform portal_private.invalid_if(to_group in (1, 2), 'every account is a member of this group');
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
  perform portal_private.invalid_if((select count(*) from portal.group_invitation i where i.group_id = to_group) >= 1000,
    'a group has at most 1000 open invitations: withdraw some of them first');
  insert into portal.group_invitation (group_id, username, as_manager, invited_by)
    values (to_group, lower(name), invite_group_member.as_manager, portal.me())
    on conflict (group_id, username) do update
      set as_manager = excluded.as_manager, invited_by = excluded.invited_by, invited = now();
  return 'invited';
end
$$;

-- The answer of the invited. False: there was no such invitation.
create or replace function portal.answer_invitation(of_group integer, accepts boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  invitation portal.group_invitation;
begin
  perform portal_private.refuse_if(me is null or not portal.writable(), 'invitations are answered by whom they name');
  delete from portal.group_invitation i
   using portal.account a
   where a.id = me and lower(a.username) = lower(i.username) and i.group_id = of_group
   returning i.* into invitation;
  if not found then
    return false;
  end if;
  if accepts then
    insert into portal.group_member (group_id, account_id, is_manager) values (of_group, me, invitation.as_manager)
      on conflict (group_id, account_id) do update set is_manager = group_member.is_manager or excluded.is_manager;
  end if;
  return true;
end
$$;

-- Taken back by who may invite. False: there was none.
create or replace function portal.withdraw_invitation(of_group integer, name text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_group_manager(of_group);
  delete from portal.group_invitation i where i.group_id = of_group and lower(i.username) = lower(name);
  return found;
end
$$;

grant execute on function
  portal.make_group(text,text,text,text,text,text), portal.remove_group_member(integer,integer), portal.my_invitations(),
  portal.invite_group_member(integer,text,boolean), portal.answer_invitation(integer,boolean), portal.withdraw_invitation(integer,text)
  to survest_user, survest_admin;

grant execute on function
  portal.is_manager(integer)
  to survest_anon, survest_user, survest_admin;
