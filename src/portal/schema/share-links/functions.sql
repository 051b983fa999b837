-- The principal of the link that the request came with, whose digest the program has put into its claims; null where it is no link, or has ended, or its
-- item is in the bin. A link only reads: in a transaction that may write it is nobody.
create or replace function portal_private.find_share_link() returns integer
language plpgsql stable parallel safe as $$
declare
  claims text := current_setting('request.jwt.claims', true);
  hex text;
begin
  -- Nearly no request brings one.
  if claims is null or position('"link"' in claims) = 0 or current_setting('transaction_read_only') <> 'on' then
    return null;
  end if;
  hex := claims::jsonb ->> 'link';
  if hex !~ '^[0-9a-f]{64}$' then
    return null;
  end if;
  return (
    select l.principal
      from portal_private.share_link l join portal.resource r on r.id = l.resource_id
     where l.digest = decode(hex, 'hex') and l.is_on and (l.expires is null or l.expires > now()) and not r.metadata_only);
end
$$;

-- Of whoever asks, besides those of the account. What there is, as the REST service tells it at its root, is a list, in which links show nothing.
create or replace function portal_private.link_principals() returns integer[]
language plpgsql stable parallel safe as $$
declare
  found integer := portal_private.find_share_link();
begin
  return case when found is null or current_setting('request.path', true) = '/' then '{}' else array[found] end;
end
$$;

create or replace function portal_private.after_share_link_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.resource_grant where principal = old.principal;
  return null;
end
$$;

-- What the item shows and those who have one of its links lack of that: to see it, and where a table lists its rows to download it as well; by a link that
-- lets people download, to download whatever the caller may give.
create or replace function portal_private.links_lack(who portal_private.caller, target integer)
returns table (item integer, needs integer, principal integer, may_share boolean)
language plpgsql stable as $$
begin
  return query
    select w.item, w.wanted, w.principal, w.mask & 32 <> 0 and (who.staff or w.wanted & ~w.mask = 0)
      from (
        select s.item, m.mask, l.principal, s.needs | g.perms & m.mask & 3 as wanted
          from portal_private.shown_items(target, (select d.data from portal.app_data d join portal.resource r on r.id = d.resource_id
                 where d.resource_id = target and r.resource_type in ('geoapp', 'geostory'))) s
          cross join lateral (select portal_private.mask(who, s.item) as mask) m
          cross join portal_private.share_link l
          join portal_private.resource_grant g on g.resource_id = target and g.principal = l.principal
         where l.resource_id = target and portal_private.sees(who, s.item)) w
     where w.wanted & ~coalesce((
       select bit_or(x.perms) from portal_private.resource_grant x
        where x.resource_id = w.item
          and (x.principal in (-1, 0) or portal_private.reads_grants(who, w.item) and x.principal = w.principal)), 0) <> 0;
end
$$;

-- The links of an item for who manages its permissions, the newest first; what their visitors lack of what it shows; and links of other items by
-- which this one is seen, since it is shown there.
create or replace function portal.share_links(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require(who, target, 32);
  return jsonb_build_object(
    'path', (select case r.resource_type when 'layer' then '/layers/' when 'map' then '/maps/' when 'document' then '/documents/'
                    else '/apps/preview/' end || r.id from portal.resource r where r.id = target),
    'embed', (select case when r.resource_type in ('layer', 'map') then '/' || r.resource_type || 's/' when r.resource_type in ('geoapp', 'geostory') then '/apps/' end
                     || r.id || '/embed' from portal.resource r where r.id = target),
    'links', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'id', l.id, 'title', l.title, 'secret', translate(encode(l.secret, 'base64'), '+/', '-_'),
               'permissions', portal_private.level_of(g.perms), 'made_by', a.username, 'created', portal_private.moment(l.created),
               'renewed', portal_private.moment(l.renewed), 'expires', portal_private.moment(l.expires), 'is_on', l.is_on, 'is_good', l.is_on and (l.expires is null or l.expires > now())) order by l.id desc), '[]')
        from portal_private.share_link l
        join portal.account a on a.id = l.made_by
        join portal_private.resource_grant g on g.resource_id = target and g.principal = l.principal
       where l.resource_id = target),
    'lacking', (
      select coalesce(jsonb_agg(jsonb_build_object('pk', r.id::text, 'title', r.title, 'resource_type', r.resource_type, 'may_share', k.may_share)
               order by r.title collate portal.people, r.id), '[]')
        from (select distinct f.item, f.may_share from portal_private.links_lack(who, target) f) k
        join portal.resource r on r.id = k.item),
    'shown_by', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'id', l.id, 'permissions', portal_private.level_of(g.perms),
               'pk', case when s.seen then r.id::text end, 'item', case when s.seen then r.title end) order by l.id desc), '[]')
        from portal_private.resource_grant g
        join portal_private.share_link l on l.principal = g.principal
        join portal.resource r on r.id = l.resource_id
        cross join lateral (select portal_private.sees(who, r.id) as seen) s
       where g.resource_id = target and l.resource_id <> target));
end
$$;

-- The link, held, if it is one of an item whose permissions the caller manages.
create or replace function portal_private.take_share_link(who portal_private.caller, target integer, link integer) returns portal_private.share_link
language plpgsql as $$
declare
  taken portal_private.share_link;
begin
  perform portal_private.require(who, target, 32);
  select l.* into taken from portal_private.share_link l where l.id = link and l.resource_id = target for no key update;
  perform portal_private.missing_if(taken.id is null);
  return taken;
end
$$;

create or replace function portal_private.note_share_link(act text, link portal_private.share_link) returns void
language sql as $$
  select portal_private.audit_note(act, r.resource_type, r.id, r.title,
           jsonb_strip_nulls(jsonb_build_object('link', link.id, 'title', nullif(link.title, ''), 'expires', link.expires, 'off', case when not link.is_on then true end)))
    from portal.resource r where r.id = link.resource_id
$$;

create or replace function portal_private.check_link_end(expires timestamptz) returns void
language plpgsql as $$
begin
  perform portal_private.invalid_if(expires <= now(), 'A link ends in the future.');
end
$$;

-- To view, or to view and download: a link gives nobody more than whoever makes it holds.
create or replace function portal_private.let_link(who portal_private.caller, link portal_private.share_link, level text) returns void
language plpgsql as $$
declare
  bits integer := portal_private.level_bits(level, 'layer');
begin
  perform portal_private.invalid_if(level is null or level not in ('view', 'download'), 'A link lets people view, or download.');
  perform portal_private.refuse_if(not who.staff and bits & ~portal_private.mask(who, link.resource_id) <> 0, 'only permissions one holds can be given');
  insert into portal_private.resource_grant (resource_id, principal, perms) values (link.resource_id, link.principal, bits)
    on conflict (resource_id, principal) do update set perms = excluded.perms where resource_grant.perms <> excluded.perms;
  -- What the item shows is downloaded by the link no more, either.
  update portal_private.resource_grant g set perms = 1
   where level = 'view' and g.principal = link.principal and g.perms <> 1;
end
$$;

-- Twenty for an item: each is somebody's to look after. Links do not make links.
create or replace function portal.make_share_link(target integer, secret bytea, title text, level text, expires timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  made portal_private.share_link;
begin
  perform portal_private.require(who, target, 32);
  perform portal_private.refuse_if(who.me is null, 'links are made by accounts');
  perform portal_private.check_link_end(expires);
  perform portal_private.invalid_if(length(title) > 100, 'A link''s title has at most 100 characters.');
  -- One at a time: the count is true until this one is in.
  perform from portal.resource r where r.id = target for no key update;
  perform portal_private.invalid_if((select count(*) from portal_private.share_link l where l.resource_id = target) >= 20,
    'An item has at most 20 links: end one of them first.');
  insert into portal_private.share_link (resource_id, title, secret, made_by, expires)
    values (target, coalesce(make_share_link.title, ''), make_share_link.secret, who.me, make_share_link.expires) returning * into made;
  perform portal_private.let_link(who, made, level);
  perform portal_private.note_share_link('link-made', made);
  return made.id;
end
$$;

-- `spec` has what is to change: "title", "permissions", "expires" (null: never), "is_on".
create or replace function portal.change_share_link(target integer, link integer, spec jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  changed portal_private.share_link := portal_private.take_share_link(who, target, link);
begin
  if spec ? 'expires' then
    changed.expires := (spec ->> 'expires')::timestamptz;
    perform portal_private.check_link_end(changed.expires);
  end if;
  changed.title := coalesce(spec ->> 'title', changed.title);
  perform portal_private.invalid_if(length(changed.title) > 100, 'A link''s title has at most 100 characters.');
  changed.is_on := coalesce((spec ->> 'is_on')::boolean, changed.is_on);
  update portal_private.share_link l set (title, expires, is_on) = (changed.title, changed.expires, changed.is_on) where l.id = changed.id;
  if spec ? 'permissions' then
    perform portal_private.let_link(who, changed, spec ->> 'permissions');
  end if;
  perform portal_private.note_share_link('link-changed', changed);
end
$$;

-- Another secret: whoever has the one before has nothing any more.
create or replace function portal.renew_share_link(target integer, link integer, secret bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  renewed portal_private.share_link := portal_private.take_share_link(portal_private.who(), target, link);
begin
  update portal_private.share_link l set secret = renew_share_link.secret, renewed = now() where l.id = renewed.id;
  perform portal_private.note_share_link('link-renewed', renewed);
end
$$;

-- One of the item's own is gone. One of another item shows this one no more.
create or replace function portal.end_share_link(target integer, link integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  ended portal_private.share_link;
begin
  perform portal_private.require(who, target, 32);
  select l.* into ended from portal_private.share_link l where l.id = link for update;
  if ended.resource_id = target then
    delete from portal_private.share_link l where l.id = ended.id;
    perform portal_private.note_share_link('link-ended', ended);
    return;
  end if;
  delete from portal_private.resource_grant g where g.resource_id = target and g.principal = ended.principal;
  perform portal_private.missing_if(not found);
end
$$;

-- Of an item that nobody but its owner is to see.
create or replace function portal.end_share_links(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.require(portal_private.who(), target, 32);
  perform portal.end_share_link(target, l.id)
     from portal_private.share_link l join portal_private.resource_grant g on g.principal = l.principal where g.resource_id = target;
end
$$;

-- Lets the links of the item show what it shows, where the caller may: to view it, or what else that takes.
create or replace function portal.share_with_links(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
begin
  perform portal_private.require(who, target, 32);
  insert into portal_private.resource_grant (resource_id, principal, perms)
    select f.item, f.principal, f.needs from portal_private.links_lack(who, target) f where f.may_share order by f.item, f.principal
    on conflict (resource_id, principal) do update set perms = resource_grant.perms | excluded.perms;
end
$$;

grant execute on function
  portal.share_links(integer), portal.make_share_link(integer,bytea,text,text,timestamptz), portal.change_share_link(integer,integer,jsonb),
  portal.renew_share_link(integer,integer,bytea), portal.end_share_link(integer,integer), portal.end_share_links(integer),
  portal.share_with_links(integer)
  to survest_user, survest_admin;
