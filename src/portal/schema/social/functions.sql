create or replace function portal_private.count_comments() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  more integer := case when tg_op <> 'DELETE' and not new.hidden then 1 else 0 end - case when tg_op <> 'INSERT' and not old.hidden then 1 else 0 end;
begin
  update portal.resource r set comment_count = r.comment_count + more
   where more <> 0 and r.id = case when tg_op = 'DELETE' then old.resource_id else new.resource_id end;
  return null;
end
$$;

-- The text as it is kept: line breaks of one kind, no other control characters, no space around it.
create or replace function portal_private.comment_text(given text) returns text
language plpgsql immutable as $$
declare
  cleaned text := btrim(regexp_replace(replace(replace(given, E'\r\n', E'\n'), E'\r', E'\n'), E'[\\x01-\\x08\\x0b-\\x1f\\x7f]', '', 'g'), E' \t\n');
begin
  perform portal_private.invalid_if(length(coalesce(cleaned, '')) not between 1 and 5000, 'A comment has 1 to 5000 characters.');
  return cleaned;
end
$$;

create or replace function portal_private.is_moderator(who portal_private.caller, target integer) returns boolean
language sql stable
return who.admin or exists (select from portal.resource r where r.id = target and r.owner_id = who.me);

create or replace function portal_private.require_seen(who portal_private.caller, target integer) returns void
language plpgsql stable as $$
begin
  perform portal_private.missing_if(not portal_private.sees(who, target));
end
$$;

-- For whatever writes: an account that sees the item, and a portal that can be written to.
create or replace function portal_private.require_writer(who portal_private.caller, target integer) returns void
language plpgsql stable as $$
begin
  perform portal_private.require_seen(who, target);
  perform portal_private.refuse_if(who.me is null, 'an account is needed');
  perform portal_private.refuse_if(not who.writable, 'the portal is read-only');
end
$$;

-- Who wrote something is known to who reads it.
create or replace function portal_private.author_of(account integer) returns jsonb
language sql stable
return (select jsonb_build_object('pk', a.id, 'username', a.username, 'first_name', a.first_name, 'last_name', a.last_name)
          from portal.account a where a.id = account);

create or replace function portal_private.comment_json(who portal_private.caller, moderates boolean, c portal_private.comment) returns jsonb
language sql stable
return jsonb_build_object('id', c.id, 'author', portal_private.author_of(c.account_id), 'body', c.body,
  'created', portal_private.moment(c.created), 'edited', portal_private.moment(c.edited), 'hidden', c.hidden,
  'may_edit', who.writable and c.account_id is not distinct from who.me and who.me is not null and portal.setting_on('COMMENTS'),
  'may_delete', who.writable and (moderates or (c.account_id is not distinct from who.me and who.me is not null)),
  'may_hide', who.writable and moderates);

-- The newest first, below an id.
create or replace function portal.item_comments(target integer, below integer, most integer) returns jsonb
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

-- Added to, not counted anew: two people who rate at the same moment are both in it.
create or replace function portal_private.sum_ratings() returns trigger
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

create or replace function portal.item_rating(target integer) returns jsonb
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
create or replace function portal.rate_item(target integer, given integer) returns jsonb
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

create or replace function portal.add_comment(target integer, content text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  made portal_private.comment;
  named integer[];
begin
  perform portal_private.require_writer(who, target);
  perform portal_private.refuse_if(not portal.setting_on('COMMENTS'), 'comments are switched off');
  perform portal_private.invalid_if((select count(*) from portal_private.comment c where c.account_id = who.me and c.created > now() - interval '10 minutes') >= 30,
    'You wrote 30 comments within ten minutes. Please wait a little.');
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
create or replace function portal_private.take_comment(who portal_private.caller, target integer, wanted integer) returns portal_private.comment
language plpgsql as $$
declare
  found_comment portal_private.comment;
begin
  perform portal_private.require_writer(who, target);
  select * into found_comment from portal_private.comment c
   where c.id = wanted and c.resource_id = target
     and (not c.hidden or c.account_id = who.me or portal_private.is_moderator(who, target))
     for update;
  perform portal_private.missing_if(found_comment.id is null);
  return found_comment;
end
$$;

-- Null leaves as it is: authors change the text, moderators what is hidden.
create or replace function portal.change_comment(target integer, wanted integer, content text, hide boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  c portal_private.comment := portal_private.take_comment(who, target, wanted);
  moderates boolean := portal_private.is_moderator(who, target);
begin
  perform portal_private.refuse_if(content is not null and c.account_id is distinct from who.me, 'authors change what they wrote');
  perform portal_private.refuse_if(content is not null and not portal.setting_on('COMMENTS'), 'comments are switched off');
  perform portal_private.refuse_if(hide is not null and not moderates, 'owners of the item and administrators hide comments');
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

create or replace function portal.delete_comment(target integer, wanted integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  c portal_private.comment := portal_private.take_comment(who, target, wanted);
begin
  if c.account_id is distinct from who.me then
    perform portal_private.refuse_if(not portal_private.is_moderator(who, target), 'authors, owners of the item and administrators delete comments');
    perform portal_private.audit_comment('comment-deleted', c);
  end if;
  delete from portal_private.comment x where x.id = c.id;
end
$$;

grant execute on function
  portal.rate_item(integer,integer), portal.add_comment(integer,text), portal.change_comment(integer,integer,text,boolean),
  portal.delete_comment(integer,integer)
  to survest_user, survest_admin;

grant execute on function
  portal.item_comments(integer,integer,integer), portal.item_rating(integer)
  to survest_anon, survest_user, survest_admin;
