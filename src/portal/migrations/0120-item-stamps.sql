-- Lists of items cost a third: an item has a stamp that changes with everything its record shows, so that a record, once made, is kept and shown again
-- to whoever the database says may see exactly that one.
--
-- A stamp stands in a row and is random: whoever sees the row sees what was written with it, whatever commits in the meantime, and no two versions
-- share one, not after a backup was restored either. Nobody waits for anybody but for who changes the same item.

-- The item's own row. Rows that are there get one stamp together, without being written: a stamp counts beside its item's number.
do $$
begin
  execute pg_catalog.format('alter table portal.resource add column stamp uuid not null default %L', pg_catalog.gen_random_uuid());
end
$$;
alter table portal.resource alter column stamp set default pg_catalog.gen_random_uuid();

create function portal_private.stamp_item() returns trigger
language plpgsql as $$
begin
  new.stamp := pg_catalog.gen_random_uuid();
  return new;
end
$$;
create trigger zz_stamped before update on portal.resource for each row execute function portal_private.stamp_item();

-- What hangs on an item; no row: nothing of it has changed since there are stamps.
create table portal_private.parts_stamp (
  resource_id integer primary key references portal.resource on delete cascade,
  stamp uuid not null
) with (fillfactor = 70);
alter table portal_private.parts_stamp enable row level security;

create function portal_private.stamp_parts(item integer) returns void
language sql set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.parts_stamp as p (resource_id, stamp)
    -- Of an item that is being deleted nobody needs one.
    select r.id, gen_random_uuid() from portal.resource r where r.id = item
    on conflict (resource_id) do update set stamp = excluded.stamp
$$;

create function portal_private.after_stamped_part() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform portal_private.stamp_parts(old.resource_id);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.resource_id <> old.resource_id then
    perform portal_private.stamp_parts(new.resource_id);
  end if;
  return null;
end
$$;
create trigger stamped after insert or update or delete on portal.resource_keyword
  for each row execute function portal_private.after_stamped_part();
create trigger stamped after insert or update or delete on portal.resource_region
  for each row execute function portal_private.after_stamped_part();
create trigger stamped after insert or update or delete on portal.resource_tkeyword
  for each row execute function portal_private.after_stamped_part();
create trigger stamped after insert or update or delete on portal.link
  for each row execute function portal_private.after_stamped_part();
create trigger stamped after insert or update or delete on portal.thumbnail
  for each row execute function portal_private.after_stamped_part();
create trigger stamped after insert or update or delete on portal.document_file
  for each row execute function portal_private.after_stamped_part();

-- Words that many items share: all records are made anew when one is rewritten, which administrators do now and then. New ones, and ones that go
-- (which takes them off their items), are no concern of it.
create table portal_private.words_stamp (
  is_one boolean primary key default true check (is_one),
  stamp uuid not null
);
alter table portal_private.words_stamp enable row level security;
insert into portal_private.words_stamp (stamp) values (pg_catalog.gen_random_uuid());

create function portal_private.after_words() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.words_stamp w set stamp = gen_random_uuid();
  return null;
end
$$;
create trigger stamped after update on portal.keyword for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.region for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.thesaurus_keyword for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.thesaurus for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.category for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.license for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.restriction_code_type for each statement execute function portal_private.after_words();
create trigger stamped after update on portal.spatial_representation_type for each statement execute function portal_private.after_words();

-- Of each of these items that the caller sees, in their order: the stamp of its record as the caller sees it, which holds all that the record follows from
-- besides the portal's address. Permissions, people and the group stand in it as they are. `is_placed`: its extent follows from other items, which the
-- stamp knows nothing of; compare it, too.
create function portal.item_stamps(resources integer[]) returns table (resource_id integer, stamp text, is_placed boolean)
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  asking integer[] := who.principals || 0;
  common text := (select w.stamp::text from portal_private.words_stamp w) || portal.setting_on('READ_ONLY');
begin
  return query
    select r.id,
           row(r.stamp, (select p.stamp from portal_private.parts_stamp p where p.resource_id = r.id), common,
               portal_private.allowed(who, r.resource_type,
                 (select bit_or(x.perms) from portal_private.resource_grant x
                   where x.resource_id = r.id and x.principal = any (asking))),
               (select a from portal.account a where a.id = r.owner_id),
               case when r.poc_id <> r.owner_id then (select a from portal.account a where a.id = r.poc_id) end,
               case when r.metadata_author_id <> r.owner_id then (select a from portal.account a where a.id = r.metadata_author_id) end,
               case when r.group_id is not null then
                 (select g.slug from portal.user_group g
                   where g.id = r.group_id and (g.access <> 'private' or portal_private.sees_group(who, g))) end)::text,
           r.resource_type = 'map' and r.srid = 'EPSG:4326' and (r.bbox_polygon is null or r.ll_bbox_polygon is null)
      from unnest(resources) with ordinality as wanted (id, n)
      join portal.resource r on r.id = wanted.id
     where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
     order by wanted.n;
end
$$;

revoke all on function portal.item_stamps(integer[]) from public;
grant execute on function portal.item_stamps(integer[]) to survest_anon, survest_user, survest_admin;
revoke all on all functions in schema portal_private from public;
