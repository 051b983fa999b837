create or replace function portal_private.follows(account integer, target integer) returns boolean
language sql stable
return coalesce((select f.wanted from portal_private.follow f where f.account_id = account and f.resource_id = target),
                exists (select from portal.resource r where r.id = target and r.owner_id = account));

create or replace function portal.item_following(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require_seen(who, target);
  return jsonb_build_object('following', who.me is not null and portal_private.follows(who.me, target));
end
$$;

-- As many as are told of a change in the transaction that makes it.
create or replace function portal.follow_item(target integer, want boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require_writer(who, target);
  if portal_private.follows(who.me, target) <> want then
    perform portal_private.invalid_if(want and (select count(*) from portal_private.follow f where f.resource_id = target and f.wanted) >= 500,
      'This item is followed by 500 people already; no more can be told of it.');
    perform portal_private.invalid_if(want and (select count(*) from portal_private.follow f where f.account_id = who.me and f.wanted) >= 1000,
      'You follow 1000 items already. Stop following some of them first.');
    insert into portal_private.follow (account_id, resource_id, wanted) values (who.me, target, want)
      on conflict (account_id, resource_id) do update set wanted = excluded.wanted, since = now();
  end if;
  return portal.item_following(target);
end
$$;

-- What the caller follows by choice or by owning it; the lists of items ask with their own rules.
create or replace function portal.followed_items() returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  me integer := portal_private.find_me();
begin
  return query
    select f.resource_id from portal_private.follow f where f.account_id = me and f.wanted
    union
    select r.id from portal.resource r where r.owner_id = me
       and not exists (select from portal_private.follow f where f.account_id = me and f.resource_id = r.id and not f.wanted);
end
$$;

-- Somebody else as a caller: to know what they would see.
create or replace function portal_private.who_is(account integer) returns portal_private.caller
language plpgsql stable as $$
declare
  who portal_private.caller;
begin
  select d.account_id, d.is_superuser, d.is_staff or d.is_superuser into who.me, who.admin, who.staff
    from portal.account_detail d where d.account_id = account and d.is_active;
  who.admin := coalesce(who.admin, false);
  who.staff := coalesce(who.staff, false);
  who.writable := false;
  who.principals := portal_private.find_principals(who.me);
  who.rules := portal_private.find_rules(who.me, who.admin);
  return who;
end
$$;

-- Tells accounts, except the one who did it and those who want no word of the kind.
create or replace function portal_private.tell(told integer[], what text, target integer, of_comment integer) returns void
language plpgsql as $$
declare
  me integer := portal_private.find_me();
begin
  insert into portal_private.notification (account_id, kind, resource_id, resource_type, title, actor_id, comment_id, in_pages, mail_due)
    select t.account, what, r.id, r.resource_type, r.title, me, of_comment,
           coalesce(c.in_pages, true), coalesce(c.by_mail, what = 'mention') and length(d.email) >= 3
      from portal.resource r
      cross join (select distinct u.account from unnest(told) u(account)) t
      join portal.account_detail d on d.account_id = t.account and d.is_active
      left join portal_private.notification_choice c on c.account_id = t.account and c.kind = what
     where r.id = target and t.account <> me and (coalesce(c.in_pages, true) or coalesce(c.by_mail, what = 'mention'))
       -- What is told of later is looked at when it is read; of what is gone it is known now or never.
       and portal_private.shown(portal_private.who_is(t.account), r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
end
$$;

create or replace function portal_private.followers(target integer) returns integer[]
language sql stable
return array(
  select f.account_id from portal_private.follow f where f.resource_id = target and f.wanted
  union
  select r.owner_id from portal.resource r
   where r.id = target and r.owner_id is not null
     and not exists (select from portal_private.follow f where f.resource_id = target and f.account_id = r.owner_id));

-- Changes by a person. Those of ten minutes are one notification: a person who edits feature by feature is no flood. What the service does by
-- itself (extents, overviews) has nobody's name and is not told.
create or replace function portal_private.tell_change(target integer, what text) returns void
language plpgsql as $$
declare
  me integer := portal_private.find_me();
begin
  if me is not null and not exists (select from portal_private.notification n
       where n.resource_id = target and n.kind = what and n.at > now() - interval '10 minutes' and n.actor_id = me) then
    perform portal_private.tell(portal_private.followers(target), what, target, null);
  end if;
end
$$;

-- `told_of(kind)`: the item, or what hangs on it, was changed.
create or replace function portal_private.told_of() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_table_name = 'resource' then
    perform portal_private.tell_change(new.id, tg_argv[0]);
  elsif tg_op = 'DELETE' then
    perform portal_private.tell_change(old.resource_id, tg_argv[0]);
  else
    perform portal_private.tell_change(new.resource_id, tg_argv[0]);
  end if;
  return null;
end
$$;

-- Deleted: put into the bin, or gone at once. What was told of the item before goes with it; restored, it was not deleted.
create or replace function portal_private.told_of_bin() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform portal_private.tell(portal_private.followers(new.resource_id), 'deleted', new.resource_id, null);
  elsif exists (select from portal.resource r where r.id = old.resource_id) then
    delete from portal_private.notification n where n.resource_id = old.resource_id and n.kind = 'deleted';
  end if;
  return null;
end
$$;

-- Accounts that a text speaks to as `@name`, if they see the item; ten at most.
create or replace function portal_private.spoken_to(content text, target integer) returns integer[]
language sql stable
return array(
  select a.id
    from (select distinct lower(rtrim(m.found[1], '.')) as name
            from regexp_matches(content, '(?:^|[[:space:](,;])@([A-Za-z0-9_.+-]{1,150})', 'g') m(found) limit 10) s
    join portal.account a on lower(a.username) = s.name and a.id > 0
   where portal_private.sees(portal_private.who_is(a.id), target));

-- While the reader may see the item, and the comment; that it was deleted stays told.
create or replace function portal_private.is_told(who portal_private.caller, n portal_private.notification) returns boolean
language plpgsql stable as $$
begin
  return n.kind = 'deleted'
      or portal_private.sees(who, n.resource_id)
         and (n.comment_id is null or exists (select from portal_private.comment c where c.id = n.comment_id
                and (not c.hidden or portal_private.is_moderator(who, n.resource_id))));
end
$$;

create or replace function portal_private.unread(who portal_private.caller) returns integer
language sql stable
return (select count(*) from (
          select from portal_private.notification n
           where n.account_id = who.me and n.in_pages and not n.is_read and portal_private.is_told(who, n)
          union all
          -- An invitation waits for an answer.
          select from portal.my_invitations()
           limit 100) u);

create or replace function portal_private.notification_json(who portal_private.caller, n portal_private.notification) returns jsonb
language sql stable
return jsonb_build_object('id', n.id, 'kind', n.kind, 'at', portal_private.moment(n.at), 'read', n.is_read,
  -- Who changes an item is not for everybody who sees it; who says something is.
  'actor', case when n.comment_id is not null or portal_private.sees_account(who, n.actor_id) then portal_private.author_of(n.actor_id) end,
  'resource', jsonb_build_object('pk', n.resource_id::text, 'resource_type', n.resource_type,
    'title', coalesce((select r.title from portal.resource r where r.id = n.resource_id and n.kind <> 'deleted'), n.title)),
  'comment', (select left(c.body, 300) from portal_private.comment c where c.id = n.comment_id));

-- The newest first, below an id. `unread` stops at a hundred.
create or replace function portal.my_notifications(below bigint, most integer, only_unread boolean) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return jsonb_build_object(
    'notifications', (
      select coalesce(jsonb_agg(portal_private.notification_json(who, n.one) order by (n.one).id desc), '[]')
        from (select x as one from portal_private.notification x
               where x.account_id = who.me and x.in_pages and (below is null or x.id < below) and not (only_unread and x.is_read)
                 and portal_private.is_told(who, x)
               order by x.id desc limit least(most, 100)) n),
    'unread', portal_private.unread(who));
end
$$;

-- For the head of every page.
create or replace function portal.my_unread() returns integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.unread(portal_private.who());
end
$$;

-- One, or all up to one: what came after the page was read stays unread. How many were changed.
create or replace function portal.mark_notifications(one bigint, up_to bigint, as_read boolean) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  changed integer;
begin
  update portal_private.notification n set is_read = as_read
   where n.account_id = portal_private.find_me() and n.in_pages and n.is_read <> as_read and (n.id = one or n.id <= up_to);
  get diagnostics changed = row_count;
  return changed;
end
$$;

create or replace function portal.my_notification_choices() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select jsonb_object_agg(k.kind, jsonb_build_object('in_pages', coalesce(c.in_pages, true), 'by_mail', coalesce(c.by_mail, k.kind = 'mention')))
            from unnest(array['comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new', 'source']) k(kind)
            left join portal_private.notification_choice c on c.account_id = portal_private.find_me() and c.kind = k.kind);
end
$$;

-- {"comment": {"in_pages": true, "by_mail": false}}; what is not named stays.
create or replace function portal.choose_notifications(chosen jsonb, spoken text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal_private.find_me();
begin
  perform portal_private.refuse_if(me is null, 'an account is needed');
  insert into portal_private.notification_choice as c (account_id, kind, in_pages, by_mail, language)
    select me, k.key, coalesce((k.value ->> 'in_pages')::boolean, (before.value ->> 'in_pages')::boolean),
           coalesce((k.value ->> 'by_mail')::boolean, (before.value ->> 'by_mail')::boolean), spoken
      from jsonb_each(chosen) k
      join jsonb_each(portal.my_notification_choices()) before on before.key = k.key
    on conflict (account_id, kind) do update set in_pages = excluded.in_pages, by_mail = excluded.by_mail, language = excluded.language;
end
$$;

-- Of letters: that of the account's pages, else that of the page where it chose its notifications.
create or replace function portal_private.language_of(account integer) returns text
language sql stable
return coalesce((select p.value from portal.preference p where p.account_id = account and p.name = 'language'),
                (select max(c.language) from portal_private.notification_choice c where c.account_id = account), 'en');

-- Null: nobody has this name, or has chosen anything.
create or replace function portal.language_of_letters(name text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select p.value from portal.preference p join portal.account a on a.id = p.account_id where p.name = 'language' and lower(a.username) = lower(language_of_letters.name));

-- For the service: what is to be sent by mail, a letter for each account, taken so that no other copy of the program sends it too. What its
-- reader sees no longer, or has read meanwhile, is not sent.
create or replace function portal.take_letters(most integer) returns table (username text, email text, language text, items jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp rows 20 as $$
declare
  reader record;
  who portal_private.caller;
begin
  for reader in
    select a.id, a.username, d.email, portal_private.language_of(a.id) as language
      from portal.account a join portal.account_detail d on d.account_id = a.id
     where a.id in (select n.account_id from portal_private.notification n where n.mail_due limit 1000)
     order by a.id limit most
       for no key update of a skip locked
  loop
    who := portal_private.who_is(reader.id);
    with taken as (
      update portal_private.notification n set mail_due = false where n.account_id = reader.id and n.mail_due returning n as one
    )
    select jsonb_agg(portal_private.notification_json(who, t.one) order by (t.one).id) into items
      from (select x.one from taken x where not (x.one).is_read order by (x.one).id desc limit 20) t
     where who.me is not null and portal_private.is_told(who, t.one);
    if items is not null and length(reader.email) >= 3 then
      username := reader.username;
      email := reader.email;
      language := reader.language;
      return next;
    end if;
  end loop;
end
$$;

-- For the service: taken so that no other copy of the program sends it too.
create or replace function portal.take_account_letters(most integer)
returns table (username text, email text, language text, act text, detail jsonb, at timestamptz)
language sql security definer set search_path = pg_catalog, pg_temp rows 20
begin atomic
  with taken as (
    delete from portal_private.account_letter l
     where l.id in (select o.id from portal_private.account_letter o order by o.id limit most for update skip locked)
    returning l.account_id, l.act, l.detail, l.email, l.at, l.id
  )
  select a.username, t.email, portal_private.language_of(a.id), t.act, t.detail, t.at
    from taken t join portal.account a on a.id = t.account_id
   where t.at > now() - interval '1 day'
   order by t.id;
end;

-- Ninety days are kept, and a thousand of each account.
create or replace function portal.sweep_notifications() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone integer;
  more integer;
begin
  delete from portal_private.notification n where n.at < now() - interval '90 days';
  get diagnostics gone = row_count;
  delete from portal_private.notification n
   using (select c.account_id,
                 (select k.id from portal_private.notification k where k.account_id = c.account_id order by k.id desc offset 1000 limit 1) as last_one
            from portal_private.notification c group by c.account_id having count(*) > 1000) over_full
   where n.account_id = over_full.account_id and n.id <= over_full.last_one;
  get diagnostics more = row_count;
  return gone + more;
end
$$;

create or replace function portal_private.sees_source(who portal_private.caller, source text, target integer) returns boolean
language plpgsql stable as $$
begin
  if source = 'owner' then
    return exists (select from portal.account a where a.id = target and a.id > 0) and portal_private.sees_account(who, target);
  end if;
  return exists (select from portal.user_group g where g.id = target and not g.builtin and portal_private.sees_group(who, g));
end
$$;

create or replace function portal_private.follows_source(account integer, source text, target integer) returns boolean
language sql stable
return case source when 'owner' then exists (select from portal_private.follow_owner f where f.account_id = account and f.owner_id = target)
                   else exists (select from portal_private.follow_group f where f.account_id = account and f.group_id = target) end;

-- `source`: 'owner' or 'group'.
create or replace function portal.source_following(source text, target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.missing_if(not portal_private.sees_source(who, source, target));
  return jsonb_build_object('following', who.me is not null and portal_private.follows_source(who.me, source, target));
end
$$;

-- As many as are told of an item in the transaction that shares it. Whom one cannot see any more one can still stop following.
create or replace function portal.follow_source(source text, target integer, want boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.refuse_if(who.me is null, 'an account is needed');
  perform portal_private.missing_if(not portal_private.follows_source(who.me, source, target) and not portal_private.sees_source(who, source, target));
  perform portal_private.refuse_if(not who.writable, 'the portal is read-only');
  if not want then
    delete from portal_private.follow_owner f where source = 'owner' and f.account_id = who.me and f.owner_id = target;
    delete from portal_private.follow_group f where source = 'group' and f.account_id = who.me and f.group_id = target;
  elsif not portal_private.follows_source(who.me, source, target) then
    perform portal_private.invalid_if(source = 'owner' and target = who.me, 'You know of your own items already.');
    if (select count(*) from portal_private.follow_owner f where source = 'owner' and f.owner_id = target)
       + (select count(*) from portal_private.follow_group f where source = 'group' and f.group_id = target) >= 500 then
      raise exception '500 people follow already; no more can be told.' using errcode = 'invalid_parameter_value';
    end if;
    perform portal_private.invalid_if((select count(*) from portal_private.follow_owner f where f.account_id = who.me)
       + (select count(*) from portal_private.follow_group f where f.account_id = who.me) >= 200,
      'You follow 200 people and groups already. Stop following some of them first.');
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
create or replace function portal.followed_sources() returns jsonb
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
create or replace function portal_private.told_of_new() returns trigger
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

create or replace function portal_private.follow_username() returns trigger
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

grant execute on function
  portal.take_letters(integer), portal.take_account_letters(integer), portal.sweep_notifications(), portal.language_of_letters(text)
  to survest_authenticator;

grant execute on function
  portal.item_following(integer), portal.follow_item(integer,boolean), portal.followed_items(),
  portal.my_notifications(bigint,integer,boolean), portal.my_unread(), portal.mark_notifications(bigint,bigint,boolean),
  portal.my_notification_choices(), portal.choose_notifications(jsonb,text), portal.source_following(text,integer),
  portal.follow_source(text,integer,boolean), portal.followed_sources()
  to survest_user, survest_admin;
