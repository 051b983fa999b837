-- Following people and groups: who follows an account or a group is told of items of theirs once they can see them, be it that they are new, shared
-- now, or the group's now. As with items, all of it is reached by functions that know the caller.

create table portal_private.follow_owner (
  account_id integer not null references portal.account on delete cascade,
  owner_id integer not null references portal.account on delete cascade,
  since timestamptz not null default now(),
  primary key (account_id, owner_id)
);
create index follow_owner_of on portal_private.follow_owner (owner_id, account_id);
alter table portal_private.follow_owner enable row level security;

create table portal_private.follow_group (
  account_id integer not null references portal.account on delete cascade,
  group_id integer not null references portal.user_group on delete cascade,
  since timestamptz not null default now(),
  primary key (account_id, group_id)
);
create index follow_group_of on portal_private.follow_group (group_id, account_id);
alter table portal_private.follow_group enable row level security;

-- Wider than before, so that no row is against it.
alter table portal_private.notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new')) not valid;
alter table portal_private.notification_choice drop constraint notification_choice_kind_check,
  add constraint notification_choice_kind_check check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new')) not valid;

create function portal_private.sees_source(who portal_private.caller, source text, target integer) returns boolean
language plpgsql stable as $$
begin
  if source = 'owner' then
    return exists (select from portal.account a where a.id = target and a.id > 0) and portal_private.sees_account(who, target);
  end if;
  return exists (select from portal.user_group g where g.id = target and not g.builtin and portal_private.sees_group(who, g));
end
$$;

create function portal_private.follows_source(account integer, source text, target integer) returns boolean
language sql stable
return case source when 'owner' then exists (select from portal_private.follow_owner f where f.account_id = account and f.owner_id = target)
                   else exists (select from portal_private.follow_group f where f.account_id = account and f.group_id = target) end;

-- `source`: 'owner' or 'group'.
create function portal.source_following(source text, target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if not portal_private.sees_source(who, source, target) then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
  return jsonb_build_object('following', who.me is not null and portal_private.follows_source(who.me, source, target));
end
$$;

-- As many as are told of an item in the transaction that shares it. Whom one cannot see any more one can still stop following.
create function portal.follow_source(source text, target integer, want boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  if who.me is null then
    perform portal_private.refuse('an account is needed');
  end if;
  if not portal_private.follows_source(who.me, source, target) and not portal_private.sees_source(who, source, target) then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
  if not who.writable then
    perform portal_private.refuse('the portal is read-only');
  end if;
  if not want then
    delete from portal_private.follow_owner f where source = 'owner' and f.account_id = who.me and f.owner_id = target;
    delete from portal_private.follow_group f where source = 'group' and f.account_id = who.me and f.group_id = target;
  elsif not portal_private.follows_source(who.me, source, target) then
    if source = 'owner' and target = who.me then
      raise exception 'You know of your own items already.' using errcode = 'invalid_parameter_value';
    end if;
    if (select count(*) from portal_private.follow_owner f where source = 'owner' and f.owner_id = target)
       + (select count(*) from portal_private.follow_group f where source = 'group' and f.group_id = target) >= 500 then
      raise exception '500 people follow already; no more can be told.' using errcode = 'invalid_parameter_value';
    end if;
    if (select count(*) from portal_private.follow_owner f where f.account_id = who.me)
       + (select count(*) from portal_private.follow_group f where f.account_id = who.me) >= 200 then
      raise exception 'You follow 200 people and groups already. Stop following some of them first.' using errcode = 'invalid_parameter_value';
    end if;
    if source = 'owner' then
      insert into portal_private.follow_owner (account_id, owner_id) values (who.me, target) on conflict do nothing;
    else
      insert into portal_private.follow_group (account_id, group_id) values (who.me, target) on conflict do nothing;
    end if;
  end if;
  return jsonb_build_object('following', want);
end
$$;

-- Those that the caller still sees.
create function portal.followed_sources() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return jsonb_build_object(
    'users', (select coalesce(jsonb_agg(portal_private.author_of(f.owner_id) order by f.since desc), '[]')
                from portal_private.follow_owner f where f.account_id = who.me and portal_private.sees_source(who, 'owner', f.owner_id)),
    'groups', (select coalesce(jsonb_agg(jsonb_build_object('pk', g.id, 'name', g.slug, 'title', g.title) order by f.since desc), '[]')
                 from portal_private.follow_group f join portal.user_group g on g.id = f.group_id
                where f.account_id = who.me and portal_private.sees_source(who, 'group', f.group_id)));
end
$$;

-- At the end of the transaction: only then is it known whom an item is shared with. Whoever saw it before is not told, nor anybody twice.
create function portal_private.told_of_new() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.notification (account_id, kind, resource_id, resource_type, title, actor_id, in_pages, mail_due)
    select f.account_id, 'new', r.id, r.resource_type, r.title, r.owner_id, coalesce(c.in_pages, true),
           coalesce(c.by_mail, false) and length(d.email) >= 3
      from portal.resource r
      cross join lateral (select o.account_id from portal_private.follow_owner o where o.owner_id = r.owner_id
                          union select g.account_id from portal_private.follow_group g where g.group_id = r.group_id) f
      join portal.account_detail d on d.account_id = f.account_id and d.is_active
      left join portal_private.notification_choice c on c.account_id = f.account_id and c.kind = 'new'
     where r.id = new.id and f.account_id is distinct from r.owner_id and f.account_id is distinct from portal_private.find_me()
       and (coalesce(c.in_pages, true) or coalesce(c.by_mail, false))
       and portal_private.shown(portal_private.who_is(f.account_id), r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
       and (tg_op = 'INSERT'
         or not portal_private.shown(portal_private.who_is(f.account_id), old.id, old.owner_id, old.private_group, old.is_public, old.viewers, old.obstacles)
         -- New in the group.
         or old.group_id is distinct from r.group_id
            and exists (select from portal_private.follow_group g where g.group_id = r.group_id and g.account_id = f.account_id))
       and not exists (select from portal_private.notification n where n.resource_id = r.id and n.kind = 'new' and n.account_id = f.account_id);
  return null;
end
$$;
create constraint trigger told_of_new after insert on portal.resource deferrable initially deferred
  for each row execute function portal_private.told_of_new();
create constraint trigger told_of_shared after update on portal.resource deferrable initially deferred
  for each row when ((old.is_public, old.viewers, old.obstacles, old.private_group, old.group_id)
    is distinct from (new.is_public, new.viewers, new.obstacles, new.private_group, new.group_id))
  execute function portal_private.told_of_new();

create or replace function portal.my_notification_choices() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select jsonb_object_agg(k.kind, jsonb_build_object('in_pages', coalesce(c.in_pages, true), 'by_mail', coalesce(c.by_mail, k.kind = 'mention')))
            from unnest(array['comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new']) k(kind)
            left join portal_private.notification_choice c on c.account_id = portal_private.find_me() and c.kind = k.kind);
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.source_following(text, integer), portal.follow_source(text, integer, boolean), portal.followed_sources() from public;
grant execute on function portal.source_following(text, integer), portal.follow_source(text, integer, boolean), portal.followed_sources()
  to survest_user, survest_admin;
