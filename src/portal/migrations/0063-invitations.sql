-- Nobody is in a group without having agreed. Who manages a group invites, and the invited answer; administrators, who could do
-- anything with an account anyway, add members at once. And a manager gets what the group is granted, no more: items that members
-- make later are not the manager's, unless the portal is moderated, where managers are the ones who approve.

-- By name, not by account: a name that nobody has is invited like any other, so inviting does not tell which names there are.
create table portal.group_invitation (
  group_id integer not null references portal.user_group on delete cascade,
  username text not null check (length(username) between 1 and 150 and username ~ '^[\w.@+-]+$'),
  as_manager boolean not null default false,
  invited_by integer references portal.account on delete set null,
  invited timestamptz not null default now(),
  primary key (group_id, username)
);
create index group_invitation_username on portal.group_invitation (lower(username));
create index group_invitation_invited_by on portal.group_invitation (invited_by);

-- For the invited, the managers of the group and administrators. The title is told with it: who is asked to join has to know what.
alter table portal.group_invitation enable row level security;
create policy seen on portal.group_invitation
  for select to survest_user, survest_admin
  using (lower(username) = (select lower(a.username) from portal.account a where a.id = (select portal.me()))
      or (select portal.is_admin())
      or portal.is_manager(group_id));
grant select on portal.group_invitation to survest_user, survest_admin;

-- What a person is asked: a list of their own.
create function portal.my_invitations() returns table (
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
-- SQLSTATE 22023 with the hint `username` where an administrator names nobody.
create function portal.invite_group_member(to_group integer, name text, as_manager boolean default false) returns text
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
  if admin then
    if found_account is null then
      raise exception 'unknown account "%"', name using errcode = 'invalid_parameter_value', hint = 'username';
    end if;
    insert into portal.group_member (group_id, account_id, is_manager) values (to_group, found_account, invite_group_member.as_manager);
    return 'added';
  end if;
  if name !~ '^[\w.@+-]{1,150}$' then
    raise exception 'unknown account "%"', name using errcode = 'invalid_parameter_value', hint = 'username';
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

-- The older way in, by number: an invitation as well, unless an administrator asks.
create or replace function portal.add_group_member(to_group integer, account integer, as_manager boolean default false) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name text;
begin
  perform portal_private.require_group_manager(to_group);
  select a.username into name from portal.account a where a.id = account and a.id > 0;
  if name is null then
    raise exception 'unknown account %', account using errcode = 'invalid_parameter_value';
  end if;
  perform portal.invite_group_member(to_group, name, as_manager);
end
$$;

-- The answer of the invited. False: there was no such invitation.
create function portal.answer_invitation(of_group integer, accepts boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal.me();
  invitation portal.group_invitation;
begin
  if me is null or not portal.writable() then
    perform portal_private.refuse('invitations are answered by whom they name');
  end if;
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
create function portal.withdraw_invitation(of_group integer, name text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require_group_manager(of_group);
  delete from portal.group_invitation i where i.group_id = of_group and lower(i.username) = lower(name);
  return found;
end
$$;

-- Grants of a new item. As before, but for the managers of the owner's groups.
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

revoke all on function portal.my_invitations(), portal.invite_group_member(integer, text, boolean),
  portal.answer_invitation(integer, boolean), portal.withdraw_invitation(integer, text) from public;
grant execute on function portal.my_invitations(), portal.invite_group_member(integer, text, boolean),
  portal.answer_invitation(integer, boolean), portal.withdraw_invitation(integer, text) to survest_user, survest_admin;
