-- What is put into the bin rests there for as long as the setting says at that moment: a setting that is lowered later, or a program that is started
-- without it, takes nothing away that people were told they could bring back.

alter table portal_private.bin add column kept_until timestamptz;
update portal_private.bin set kept_until = binned_at + make_interval(days => greatest(portal_private.bin_days(), 30));
alter table portal_private.bin alter column kept_until set default now() + interval '30 days', alter column kept_until set not null;
create index bin_kept_until on portal_private.bin (kept_until);
drop index portal_private.bin_binned_at;

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
    if portal_private.mask(who, item.id) & 16 = 0 then
      perform portal_private.refuse('delete_resourcebase is needed');
    end if;
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

create or replace function portal.bin_entries(page_size integer, page_start integer)
returns table (id integer, resource_type text, title text, owner text, deleted timestamptz, deleted_by text, until timestamptz,
               may_purge boolean, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id, r.resource_type, r.title, a.username, b.binned_at, b.account,
           b.kept_until, who.admin or r.owner_id = who.me, count(*) over ()
      from portal_private.bin b
      join portal.resource r on r.id = b.resource_id
      left join portal.account a on a.id = r.owner_id
     where who.admin or r.owner_id = who.me or (b.account_id = who.me and portal_private.mask(who, r.id) & 16 <> 0)
     order by b.binned_at desc, r.id desc
     limit page_size offset page_start;
end
$$;

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
