-- Comments, ratings, following, and notifications of what happened to followed items. All of it is reached by functions that know the caller:
-- nobody reads or writes the tables themselves. A notification is written in the transaction that did the thing, and is shown while its
-- reader may see the item.

insert into portal.setting (name, value, about) values ('COMMENTS', true, 'Accounts may comment on what they see; off: nobody writes comments.');

-- Kept by triggers, as `rating` now is, which is the average as a whole number.
alter table portal.resource
  add column rating_sum integer not null default 0,
  add column rating_count integer not null default 0,
  add column rating_average numeric(3, 2) not null default 0,
  add column comment_count integer not null default 0;
create index resource_rating on portal.resource (rating_average desc, id desc);
grant select (rating_count, rating_average, comment_count) on portal.resource to survest_anon, survest_user, survest_admin;

-- Comments --------------------------------------------------------------------------------------------------------

create table portal_private.comment (
  id integer generated always as identity primary key,
  resource_id integer not null references portal.resource on delete cascade,
  -- Accounts go, what they said stays.
  account_id integer references portal.account on delete set null,
  body text not null check (length(body) between 1 and 5000),
  created timestamptz not null default now(),
  edited timestamptz,
  -- By the owner of the item: for its author and those who can show it again.
  hidden boolean not null default false
);
create index comment_of_item on portal_private.comment (resource_id, id desc);
create index comment_of_account on portal_private.comment (account_id, created);
alter table portal_private.comment enable row level security;

create function portal_private.count_comments() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  more integer := case when tg_op <> 'DELETE' and not new.hidden then 1 else 0 end - case when tg_op <> 'INSERT' and not old.hidden then 1 else 0 end;
begin
  update portal.resource r set comment_count = r.comment_count + more
   where more <> 0 and r.id = case when tg_op = 'DELETE' then old.resource_id else new.resource_id end;
  return null;
end
$$;
create trigger counted after insert or delete or update of hidden on portal_private.comment
  for each row execute function portal_private.count_comments();

-- The text as it is kept: line breaks of one kind, no other control characters, no space around it.
create function portal_private.comment_text(given text) returns text
language plpgsql immutable as $$
declare
  cleaned text := btrim(regexp_replace(replace(replace(given, E'\r\n', E'\n'), E'\r', E'\n'), E'[\\x01-\\x08\\x0b-\\x1f\\x7f]', '', 'g'), E' \t\n');
begin
  if length(coalesce(cleaned, '')) not between 1 and 5000 then
    raise exception 'A comment has 1 to 5000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  return cleaned;
end
$$;

create function portal_private.is_moderator(who portal_private.caller, target integer) returns boolean
language sql stable
return who.admin or exists (select from portal.resource r where r.id = target and r.owner_id = who.me);

create function portal_private.require_seen(who portal_private.caller, target integer) returns void
language plpgsql stable as $$
begin
  if not portal_private.sees(who, target) then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
end
$$;

-- For whatever writes: an account that sees the item, and a portal that can be written to.
create function portal_private.require_writer(who portal_private.caller, target integer) returns void
language plpgsql stable as $$
begin
  perform portal_private.require_seen(who, target);
  if who.me is null then
    perform portal_private.refuse('an account is needed');
  end if;
  if not who.writable then
    perform portal_private.refuse('the portal is read-only');
  end if;
end
$$;

-- Who wrote something is known to who reads it.
create function portal_private.author_of(account integer) returns jsonb
language sql stable
return (select jsonb_build_object('pk', a.id, 'username', a.username, 'first_name', a.first_name, 'last_name', a.last_name)
          from portal.account a where a.id = account);

create function portal_private.comment_json(who portal_private.caller, moderates boolean, c portal_private.comment) returns jsonb
language sql stable
return jsonb_build_object('id', c.id, 'author', portal_private.author_of(c.account_id), 'body', c.body,
  'created', portal_private.moment(c.created), 'edited', portal_private.moment(c.edited), 'hidden', c.hidden,
  'may_edit', who.writable and c.account_id is not distinct from who.me and who.me is not null and portal.setting_on('COMMENTS'),
  'may_delete', who.writable and (moderates or (c.account_id is not distinct from who.me and who.me is not null)),
  'may_hide', who.writable and moderates);

-- The newest first, below an id.
create function portal.item_comments(target integer, below integer, most integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  moderates boolean;
begin
  perform portal_private.require_seen(who, target);
  moderates := portal_private.is_moderator(who, target);
  return jsonb_build_object(
    'comments', (
      select coalesce(jsonb_agg(portal_private.comment_json(who, moderates, c.one) order by (c.one).id desc), '[]')
        from (select x as one from portal_private.comment x
               where x.resource_id = target and (below is null or x.id < below)
                 and (not x.hidden or moderates or x.account_id = who.me)
               order by x.id desc limit least(most, 100)) c),
    'total', (select r.comment_count from portal.resource r where r.id = target),
    'may_comment', who.me is not null and who.writable and portal.setting_on('COMMENTS'),
    'is_open', portal.setting_on('COMMENTS'));
end
$$;

-- Ratings ---------------------------------------------------------------------------------------------------------

create table portal_private.rating (
  resource_id integer not null references portal.resource on delete cascade,
  account_id integer not null references portal.account on delete cascade,
  stars smallint not null check (stars between 1 and 5),
  rated timestamptz not null default now(),
  primary key (resource_id, account_id)
);
create index rating_of_account on portal_private.rating (account_id);
alter table portal_private.rating enable row level security;

-- Added to, not counted anew: two people who rate at the same moment are both in it.
create function portal_private.sum_ratings() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  more integer := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
  stars integer := case when tg_op = 'DELETE' then 0 else new.stars end - case when tg_op = 'INSERT' then 0 else old.stars end;
begin
  update portal.resource r
     set rating_count = r.rating_count + more, rating_sum = r.rating_sum + stars,
         rating_average = coalesce(round((r.rating_sum + stars)::numeric / nullif(r.rating_count + more, 0), 2), 0),
         rating = coalesce(round((r.rating_sum + stars)::numeric / nullif(r.rating_count + more, 0)), 0)
   where r.id = case when tg_op = 'DELETE' then old.resource_id else new.resource_id end;
  return null;
end
$$;
create trigger summed after insert or delete or update of stars on portal_private.rating
  for each row execute function portal_private.sum_ratings();

create function portal.item_rating(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require_seen(who, target);
  return (select jsonb_build_object('average', r.rating_average, 'count', r.rating_count,
                   'mine', (select g.stars from portal_private.rating g where g.resource_id = target and g.account_id = who.me))
            from portal.resource r where r.id = target);
end
$$;

-- `given` null: the caller's rating is taken back.
create function portal.rate_item(target integer, given integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require_writer(who, target);
  if given is null then
    delete from portal_private.rating g where g.resource_id = target and g.account_id = who.me;
  elsif given between 1 and 5 then
    insert into portal_private.rating (resource_id, account_id, stars) values (target, who.me, given)
      on conflict (resource_id, account_id) do update set stars = excluded.stars, rated = now();
  else
    raise exception 'A rating is a number from 1 to 5.' using errcode = 'invalid_parameter_value';
  end if;
  return portal.item_rating(target);
end
$$;

-- Following -------------------------------------------------------------------------------------------------------

-- Owners follow what is theirs unless a row says otherwise.
create table portal_private.follow (
  account_id integer not null references portal.account on delete cascade,
  resource_id integer not null references portal.resource on delete cascade,
  wanted boolean not null,
  since timestamptz not null default now(),
  primary key (account_id, resource_id)
);
create index follow_of_item on portal_private.follow (resource_id, account_id);
alter table portal_private.follow enable row level security;

create function portal_private.follows(account integer, target integer) returns boolean
language sql stable
return coalesce((select f.wanted from portal_private.follow f where f.account_id = account and f.resource_id = target),
                exists (select from portal.resource r where r.id = target and r.owner_id = account));

create function portal.item_following(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require_seen(who, target);
  return jsonb_build_object('following', who.me is not null and portal_private.follows(who.me, target));
end
$$;

-- As many as are told of a change in the transaction that makes it.
create function portal.follow_item(target integer, want boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require_writer(who, target);
  if portal_private.follows(who.me, target) <> want then
    if want and (select count(*) from portal_private.follow f where f.resource_id = target and f.wanted) >= 500 then
      raise exception 'This item is followed by 500 people already; no more can be told of it.' using errcode = 'invalid_parameter_value';
    end if;
    if want and (select count(*) from portal_private.follow f where f.account_id = who.me and f.wanted) >= 1000 then
      raise exception 'You follow 1000 items already. Stop following some of them first.' using errcode = 'invalid_parameter_value';
    end if;
    insert into portal_private.follow (account_id, resource_id, wanted) values (who.me, target, want)
      on conflict (account_id, resource_id) do update set wanted = excluded.wanted, since = now();
  end if;
  return portal.item_following(target);
end
$$;

-- What the caller follows by choice or by owning it; the lists of items ask with their own rules.
create function portal.followed_items() returns setof integer
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

-- Notifications ---------------------------------------------------------------------------------------------------

create table portal_private.notification (
  id bigint generated always as identity primary key,
  account_id integer not null references portal.account on delete cascade,
  kind text not null check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted')),
  -- No key: that an item was deleted is told when it is gone.
  resource_id integer not null,
  resource_type text not null,
  title text not null,
  actor_id integer references portal.account on delete set null,
  comment_id integer references portal_private.comment on delete cascade,
  at timestamptz not null default now(),
  in_pages boolean not null,
  is_read boolean not null default false,
  -- Still to be sent by mail.
  mail_due boolean not null
);
create index notification_of_account on portal_private.notification (account_id, id desc) where in_pages;
create index notification_unread on portal_private.notification (account_id) where in_pages and not is_read;
create index notification_of_item on portal_private.notification (resource_id, kind, at);
create index notification_due on portal_private.notification (account_id) where mail_due;
create index notification_at on portal_private.notification (at);
create index notification_actor on portal_private.notification (actor_id);
create index notification_comment on portal_private.notification (comment_id) where comment_id is not null;
alter table portal_private.notification enable row level security;

-- What an account chose; without a row it is as usual: in the pages, and by mail where somebody is spoken to.
create table portal_private.notification_choice (
  account_id integer not null references portal.account on delete cascade,
  kind text not null check (kind in ('comment', 'mention', 'data', 'content', 'metadata', 'deleted')),
  in_pages boolean not null,
  by_mail boolean not null,
  -- Of letters: that of the page where it was chosen.
  language text not null default 'en' check (language ~ '^[a-z]{2}$'),
  primary key (account_id, kind)
);
alter table portal_private.notification_choice enable row level security;

-- Somebody else as a caller: to know what they would see.
create function portal_private.who_is(account integer) returns portal_private.caller
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
create function portal_private.tell(told integer[], what text, target integer, of_comment integer) returns void
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

create function portal_private.followers(target integer) returns integer[]
language sql stable
return array(
  select f.account_id from portal_private.follow f where f.resource_id = target and f.wanted
  union
  select r.owner_id from portal.resource r
   where r.id = target and r.owner_id is not null
     and not exists (select from portal_private.follow f where f.resource_id = target and f.account_id = r.owner_id));

-- Changes by a person. Those of ten minutes are one notification: a person who edits feature by feature is no flood. What the service does by
-- itself (extents, overviews) has nobody's name and is not told.
create function portal_private.tell_change(target integer, what text) returns void
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

create function portal_private.told_of_data() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.tell_change(new.resource_id, 'data');
  return null;
end
$$;
create trigger told after insert on portal_private.layer_change
  for each row when (new.part = 'data') execute function portal_private.told_of_data();

create function portal_private.told_of_content() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.tell_change(new.resource_id, 'content');
  return null;
end
$$;
create trigger told after update on portal.app_data
  for each row when (old.data is distinct from new.data) execute function portal_private.told_of_content();
create trigger told after insert or update on portal.document_file
  for each row execute function portal_private.told_of_content();

create function portal_private.told_of_metadata() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_table_name = 'resource' then
    perform portal_private.tell_change(new.id, 'metadata');
  elsif tg_op = 'DELETE' then
    perform portal_private.tell_change(old.resource_id, 'metadata');
  else
    perform portal_private.tell_change(new.resource_id, 'metadata');
  end if;
  return null;
end
$$;
create trigger told after update on portal.resource
  for each row when ((old.title, old.abstract, old.attribution, old.doi, old.date, old.date_type, old.edition, old.purpose,
      old.maintenance_frequency, old.restriction_code_type_id, old.constraints_other, old.license_id, old.language, old.category_id,
      old.spatial_representation_type_id, old.temporal_extent_start, old.temporal_extent_end, old.supplemental_information,
      old.data_quality_statement)
    is distinct from (new.title, new.abstract, new.attribution, new.doi, new.date, new.date_type, new.edition, new.purpose,
      new.maintenance_frequency, new.restriction_code_type_id, new.constraints_other, new.license_id, new.language, new.category_id,
      new.spatial_representation_type_id, new.temporal_extent_start, new.temporal_extent_end, new.supplemental_information,
      new.data_quality_statement))
  execute function portal_private.told_of_metadata();
create trigger told after insert or delete on portal.resource_keyword
  for each row execute function portal_private.told_of_metadata();
create trigger told after insert or delete on portal.resource_region
  for each row execute function portal_private.told_of_metadata();

-- Deleted: put into the bin, or gone at once. What was told of the item before goes with it; restored, it was not deleted.
create function portal_private.told_of_bin() returns trigger
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
create trigger told after insert or delete on portal_private.bin
  for each row execute function portal_private.told_of_bin();

create function portal_private.told_of_deletion() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.notification n where n.resource_id = old.id and n.kind <> 'deleted';
  -- One in the bin is out of everybody's sight, and so nobody is told a second time.
  perform portal_private.tell(portal_private.followers(old.id), 'deleted', old.id, null);
  return old;
end
$$;
-- Last of those in the alphabet: nobody refuses it any more, and who follows it is still known.
create trigger zz_told before delete on portal.resource for each row execute function portal_private.told_of_deletion();

-- Writing comments, which tells of them ---------------------------------------------------------------------------

-- Accounts that a text speaks to as `@name`, if they see the item; ten at most.
create function portal_private.spoken_to(content text, target integer) returns integer[]
language sql stable
return array(
  select a.id
    from (select distinct lower(rtrim(m.found[1], '.')) as name
            from regexp_matches(content, '(?:^|[[:space:](,;])@([A-Za-z0-9_.+-]{1,150})', 'g') m(found) limit 10) s
    join portal.account a on lower(a.username) = s.name and a.id > 0
   where portal_private.sees(portal_private.who_is(a.id), target));

create function portal.add_comment(target integer, content text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  made portal_private.comment;
  named integer[];
begin
  perform portal_private.require_writer(who, target);
  if not portal.setting_on('COMMENTS') then
    perform portal_private.refuse('comments are switched off');
  end if;
  if (select count(*) from portal_private.comment c where c.account_id = who.me and c.created > now() - interval '10 minutes') >= 30 then
    raise exception 'You wrote 30 comments within ten minutes. Please wait a little.' using errcode = 'invalid_parameter_value';
  end if;
  insert into portal_private.comment (resource_id, account_id, body) values (target, who.me, portal_private.comment_text(content))
    returning * into made;
  named := portal_private.spoken_to(made.body, target);
  perform portal_private.tell(named, 'mention', target, made.id);
  -- Who is spoken to is told once.
  perform portal_private.tell(array(select f.account from unnest(portal_private.followers(target)) f(account)
                                     where not f.account = any (named)), 'comment', target, made.id);
  return portal_private.comment_json(who, portal_private.is_moderator(who, target), made);
end
$$;

-- The comment for the caller, held. Hidden ones are there for their author and for moderators.
create function portal_private.take_comment(who portal_private.caller, target integer, wanted integer) returns portal_private.comment
language plpgsql as $$
declare
  found_comment portal_private.comment;
begin
  perform portal_private.require_writer(who, target);
  select * into found_comment from portal_private.comment c
   where c.id = wanted and c.resource_id = target
     and (not c.hidden or c.account_id = who.me or portal_private.is_moderator(who, target))
     for update;
  if found_comment.id is null then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
  return found_comment;
end
$$;

-- Null leaves as it is: authors change the text, moderators what is hidden.
create function portal.change_comment(target integer, wanted integer, content text, hide boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  c portal_private.comment := portal_private.take_comment(who, target, wanted);
  moderates boolean := portal_private.is_moderator(who, target);
begin
  if content is not null and c.account_id is distinct from who.me then
    perform portal_private.refuse('authors change what they wrote');
  end if;
  if content is not null and not portal.setting_on('COMMENTS') then
    perform portal_private.refuse('comments are switched off');
  end if;
  if hide is not null and not moderates then
    perform portal_private.refuse('owners of the item and administrators hide comments');
  end if;
  if content is not null and portal_private.comment_text(content) <> c.body then
    update portal_private.comment x set body = portal_private.comment_text(content), edited = now() where x.id = c.id;
  end if;
  if hide is not null and hide <> c.hidden then
    update portal_private.comment x set hidden = hide where x.id = c.id;
    perform portal_private.audit_comment(case when hide then 'comment-hidden' else 'comment-shown' end, c);
  end if;
  select * into c from portal_private.comment x where x.id = wanted;
  return portal_private.comment_json(who, moderates, c);
end
$$;

create function portal_private.audit_comment(act text, c portal_private.comment) returns void
language plpgsql as $$
begin
  perform portal_private.audit_note(act, r.resource_type, r.id, r.title, jsonb_build_object('comment', c.id,
      'author', (select a.username from portal.account a where a.id = c.account_id), 'body', left(c.body, 300)))
     from portal.resource r where r.id = c.resource_id;
end
$$;

create function portal.delete_comment(target integer, wanted integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  c portal_private.comment := portal_private.take_comment(who, target, wanted);
begin
  if c.account_id is distinct from who.me then
    if not portal_private.is_moderator(who, target) then
      perform portal_private.refuse('authors, owners of the item and administrators delete comments');
    end if;
    perform portal_private.audit_comment('comment-deleted', c);
  end if;
  delete from portal_private.comment x where x.id = c.id;
end
$$;

-- Reading notifications -------------------------------------------------------------------------------------------

-- While the reader may see the item, and the comment; that it was deleted stays told.
create function portal_private.is_told(who portal_private.caller, n portal_private.notification) returns boolean
language plpgsql stable as $$
begin
  return n.kind = 'deleted'
      or portal_private.sees(who, n.resource_id)
         and (n.comment_id is null or exists (select from portal_private.comment c where c.id = n.comment_id
                and (not c.hidden or portal_private.is_moderator(who, n.resource_id))));
end
$$;

create function portal_private.unread(who portal_private.caller) returns integer
language sql stable
return (select count(*) from (
          select from portal_private.notification n
           where n.account_id = who.me and n.in_pages and not n.is_read and portal_private.is_told(who, n) limit 100) u);

create function portal_private.notification_json(who portal_private.caller, n portal_private.notification) returns jsonb
language sql stable
return jsonb_build_object('id', n.id, 'kind', n.kind, 'at', portal_private.moment(n.at), 'read', n.is_read,
  -- Who changes an item is not for everybody who sees it; who says something is.
  'actor', case when n.comment_id is not null or portal_private.sees_account(who, n.actor_id) then portal_private.author_of(n.actor_id) end,
  'resource', jsonb_build_object('pk', n.resource_id::text, 'resource_type', n.resource_type,
    'title', coalesce((select r.title from portal.resource r where r.id = n.resource_id and n.kind <> 'deleted'), n.title)),
  'comment', (select left(c.body, 300) from portal_private.comment c where c.id = n.comment_id));

-- The newest first, below an id. `unread` stops at a hundred.
create function portal.my_notifications(below bigint, most integer, only_unread boolean) returns jsonb
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
create function portal.my_unread() returns integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.unread(portal_private.who());
end
$$;

-- One, or all up to one: what came after the page was read stays unread. How many were changed.
create function portal.mark_notifications(one bigint, up_to bigint, as_read boolean) returns integer
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

create function portal.my_notification_choices() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select jsonb_object_agg(k.kind, jsonb_build_object('in_pages', coalesce(c.in_pages, true), 'by_mail', coalesce(c.by_mail, k.kind = 'mention')))
            from unnest(array['comment', 'mention', 'data', 'content', 'metadata', 'deleted']) k(kind)
            left join portal_private.notification_choice c on c.account_id = portal_private.find_me() and c.kind = k.kind);
end
$$;

-- {"comment": {"in_pages": true, "by_mail": false}}; what is not named stays.
create function portal.choose_notifications(chosen jsonb, spoken text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal_private.find_me();
begin
  if me is null then
    perform portal_private.refuse('an account is needed');
  end if;
  insert into portal_private.notification_choice as c (account_id, kind, in_pages, by_mail, language)
    select me, k.key, coalesce((k.value ->> 'in_pages')::boolean, (before.value ->> 'in_pages')::boolean),
           coalesce((k.value ->> 'by_mail')::boolean, (before.value ->> 'by_mail')::boolean), spoken
      from jsonb_each(chosen) k
      join jsonb_each(portal.my_notification_choices()) before on before.key = k.key
    on conflict (account_id, kind) do update set in_pages = excluded.in_pages, by_mail = excluded.by_mail, language = excluded.language;
end
$$;

-- For the service: what is to be sent by mail, a letter for each account, taken so that no other copy of the program sends it too. What its
-- reader sees no longer, or has read meanwhile, is not sent.
create function portal.take_letters(most integer) returns table (username text, email text, language text, items jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp rows 20 as $$
declare
  reader record;
  who portal_private.caller;
begin
  for reader in
    select a.id, a.username, d.email, coalesce((select max(c.language) from portal_private.notification_choice c where c.account_id = a.id), 'en') as language
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

-- Ninety days are kept, and a thousand of each account.
create function portal.sweep_notifications() returns integer
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

revoke all on all functions in schema portal_private from public;
revoke all on function
  portal.item_comments(integer, integer, integer), portal.add_comment(integer, text), portal.change_comment(integer, integer, text, boolean),
  portal.delete_comment(integer, integer), portal.item_rating(integer), portal.rate_item(integer, integer), portal.item_following(integer),
  portal.follow_item(integer, boolean), portal.followed_items(), portal.my_notifications(bigint, integer, boolean), portal.my_unread(),
  portal.mark_notifications(bigint, bigint, boolean), portal.my_notification_choices(), portal.choose_notifications(jsonb, text),
  portal.take_letters(integer), portal.sweep_notifications()
  from public;
grant execute on function portal.item_comments(integer, integer, integer), portal.item_rating(integer)
  to survest_anon, survest_user, survest_admin;
grant execute on function
  portal.add_comment(integer, text), portal.change_comment(integer, integer, text, boolean), portal.delete_comment(integer, integer),
  portal.rate_item(integer, integer), portal.item_following(integer), portal.follow_item(integer, boolean), portal.followed_items(),
  portal.my_notifications(bigint, integer, boolean), portal.my_unread(), portal.mark_notifications(bigint, bigint, boolean),
  portal.my_notification_choices(), portal.choose_notifications(jsonb, text)
  to survest_user, survest_admin;
grant execute on function portal.take_letters(integer), portal.sweep_notifications() to survest_authenticator;
