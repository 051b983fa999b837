create or replace function portal.set_bin_days(kept integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.bin_limit set days = kept where days <> kept
$$;

create or replace function portal_private.bin_days() returns integer
language sql stable
return (select l.days from portal_private.bin_limit l);

-- Deletes items for the caller: into the bin, or for good where nothing is kept. Those that the caller does not see are gone already; one
-- that may not be deleted refuses them all. `purged`: it is not in the bin, its files are nobody's.
create or replace function portal.delete_items(targets integer[]) returns table (id integer, purged boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  item record;
begin
  for item in select r.id, r.resource_type, r.title, r.owner_id from portal.resource r where r.id = any (targets) order by r.id for update
  loop
    -- Somebody else may have been quicker.
    continue when not portal_private.sees(who, item.id);
    perform portal_private.refuse_if(portal_private.mask(who, item.id) & 16 = 0, 'delete_resourcebase is needed');
    id := item.id;
    purged := portal_private.bin_days() = 0;
    if purged then
      delete from portal.resource r where r.id = item.id;
    else
      insert into portal_private.bin (resource_id, kept_until, account_id, account)
        values (item.id, now() + make_interval(days => portal_private.bin_days()), who.me,
                (select a.username from portal.account a where a.id = who.me));
      update portal.resource r set metadata_only = true where r.id = item.id;
      perform portal_private.audit_note('deleted', item.resource_type, item.id, item.title, jsonb_build_object('owner', item.owner_id));
    end if;
    return next;
  end loop;
end
$$;

-- The item in the bin, held, if it is there for the caller. `for_good`: owners and administrators alone.
create or replace function portal_private.take_from_bin(target integer, for_good boolean) returns portal.resource
language plpgsql as $$
declare
  who portal_private.caller := portal_private.who();
  item portal.resource;
begin
  select r.* into item from portal.resource r
    join portal_private.bin b on b.resource_id = r.id
   where r.id = target
     and (who.admin or r.owner_id = who.me or (b.account_id = who.me and portal_private.mask(who, r.id) & 16 <> 0))
     for update of r, b;
  perform portal_private.missing_if(item.id is null);
  perform portal_private.refuse_if(not who.writable, 'the portal is read-only');
  perform portal_private.refuse_if(for_good and not who.admin and item.owner_id is distinct from who.me, 'owners and administrators delete for good');
  return item;
end
$$;

-- Back to where it was, as it was.
create or replace function portal.restore_item(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  item portal.resource := portal_private.take_from_bin(target, false);
begin
  delete from portal_private.bin b where b.resource_id = target;
  update portal.resource r set metadata_only = portal_private.is_without_content(target) where r.id = target;
  perform portal_private.audit_note('restored', item.resource_type, item.id, item.title, jsonb_build_object('owner', item.owner_id));
end
$$;

create or replace function portal_private.files_of(target integer) returns setof text
language sql stable
begin atomic
  select f.blob from portal.document_file f where f.resource_id = target
  union all select t.blob from portal.thumbnail t where t.resource_id = target
  union all select p.blob from portal.raster p where p.resource_id = target;
end;

-- Ends it for good; returns the keys of its files, which are nobody's then.
create or replace function portal.purge_item(target integer) returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  files text[];
begin
  perform portal_private.take_from_bin(target, true);
  files := array(select portal_private.files_of(target));
  delete from portal.resource r where r.id = target;
  return query select unnest(files);
end
$$;

-- For the service: one item whose days are over, for good; null where there is none. One at a time, since every table that goes takes locks.
create or replace function portal.purge_next() returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  target integer;
  files text[];
begin
  select r.id into target
    from portal_private.bin b join portal.resource r on r.id = b.resource_id
   where b.kept_until <= now()
   order by b.kept_until limit 1 for update of r, b skip locked;
  if target is null then
    return null;
  end if;
  files := array(select portal_private.files_of(target));
  delete from portal.resource r where r.id = target;
  return files;
end
$$;

-- What the caller finds in the bin, the newest first; `may_purge`: owners and administrators may also end it for good.
create or replace function portal.bin_page(page_size integer, page_start integer)
returns table (id integer, resource_type text, title text, owner text, deleted timestamptz, deleted_by text, until timestamptz,
               may_purge boolean, is_table boolean, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id, r.resource_type, r.title, a.username, b.binned_at, b.account,
           b.kept_until, who.admin or r.owner_id = who.me, r.resource_type = 'layer' and r.is_tabular, count(*) over ()
      from portal_private.bin b
      join portal.resource r on r.id = b.resource_id
      left join portal.account a on a.id = r.owner_id
     where who.admin or r.owner_id = who.me or (b.account_id = who.me and portal_private.mask(who, r.id) & 16 <> 0)
     order by b.binned_at desc, r.id desc
     limit page_size offset page_start;
end
$$;

grant execute on function
  portal.set_bin_days(integer), portal.purge_next()
  to survest_authenticator;

grant execute on function
  portal.delete_items(integer[]), portal.bin_page(integer,integer), portal.restore_item(integer), portal.purge_item(integer)
  to survest_user, survest_admin;

-- An account ends itself. What it owns goes to `heir`, who shares a group with it or is an administrator: nobody is left the things of a stranger. Where
-- nobody is named it goes into the bin, and from there for good when its days are over; until then an administrator owns it and can restore it.
create or replace function portal.delete_my_account(heir text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  to_account integer;
begin
  perform portal_private.refuse_if(who.me is null or not who.writable, 'an account is needed');
  if heir <> '' then
    select a.id into to_account
      from portal.account a join portal.account_detail d on d.account_id = a.id and d.is_active
     where lower(a.username) = lower(heir) and a.id > 0 and a.id <> who.me
       and (d.is_superuser or exists (select from portal.group_member mine join portal.group_member theirs on theirs.group_id = mine.group_id
                                        join portal.user_group g on g.id = mine.group_id and not g.builtin
                                       where mine.account_id = who.me and theirs.account_id = a.id))
       for key share of a;
    if to_account is null then
      raise exception 'Nobody of your groups, and no administrator, has this name.' using errcode = 'invalid_parameter_value', hint = 'hand_over_to';
    end if;
    update portal.resource r set poc_id = to_account where r.poc_id = who.me;
    update portal.resource r set metadata_author_id = to_account where r.metadata_author_id = who.me;
    update portal.resource r set owner_id = to_account where r.owner_id = who.me;
    perform portal_private.audit_note('handed-over', 'account', who.me, (select a.username from portal.account a where a.id = who.me),
      jsonb_build_object('to', heir));
  else
    perform portal.delete_items(array(select r.id from portal.resource r
      where r.owner_id = who.me and not exists (select from portal_private.bin b where b.resource_id = r.id)));
  end if;
  delete from portal.account a where a.id = who.me;
end
$$;

grant execute on function
  portal.delete_my_account(text)
  to survest_user, survest_admin;
