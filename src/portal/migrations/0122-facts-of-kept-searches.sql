-- A search that is asked again costs what of its hits is not for everybody, and no longer a look at each of them: with the hits, what a search asks of them
-- is kept (whether everybody sees it, type, category, extent, time of the last change), and which items had any of that changed since. Only those, and the
-- hits that not everybody sees, are looked up; who sees them is decided there, by the same rule as ever.

-- The transaction that last changed one of these facts of an item, or deleted it; no row: none since anything was kept.
create table portal_private.facts_written (
  -- Items that are gone, too.
  resource_id integer primary key,
  written xid8 not null
) with (fillfactor = 50);
create index facts_written_at on portal_private.facts_written (written);
alter table portal_private.facts_written enable row level security;

create function portal_private.note_facts() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.facts_written as f (resource_id, written) values (old.id, pg_current_xact_id())
    on conflict (resource_id) do update set written = excluded.written where f.written <> excluded.written;
  return null;
end
$$;
create trigger zz_facts_changed after update on portal.resource
  for each row when (old.last_updated <> new.last_updated or old.is_public <> new.is_public or old.obstacles <> new.obstacles
    or old.category_id is distinct from new.category_id or old.resource_type <> new.resource_type
    or old.ll_bbox_polygon::bytea is distinct from new.ll_bbox_polygon::bytea)
  execute function portal_private.note_facts();
-- New items are among those whose text was written since.
create trigger zz_facts_gone after delete on portal.resource for each row execute function portal_private.note_facts();

-- As `ids`, one for each hit. Whether everybody sees it: public, with nothing in its way.
delete from portal_private.kept_search;
alter table portal_private.kept_search
  add column is_open boolean[] not null,
  add column types text[] not null,
  add column categories integer[] not null,
  add column extents box[] not null,
  add column updated timestamptz[] not null;
alter table portal_private.kept_search alter column is_open set storage external, alter column types set storage external,
  alter column categories set storage external, alter column extents set storage external, alter column updated set storage external;

-- Items with facts that were written by transactions that a snapshot does not see, `most` of them.
create function portal_private.facts_since(since pg_snapshot, most integer) returns integer[]
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(select f.resource_id from portal_private.facts_written f
                where f.written >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(f.written, since)
                order by f.written limit most);
end
$$;

-- Hits as `candidates_sql` has them, of which nothing is known but that they were found.
create function portal_private.looked_up_sql(hits text) returns text
language sql immutable
return 'select h.resource_id as id, h.rank, null::timestamptz as updated, false as is_open from (' || hits || ') h';

-- In SQL, what a search by words finds: `id`, `rank`, `updated`, and whether it `is_open`: then it is there and everybody sees it. Others are to be looked
-- up, `updated` included. Hits may be left out that are not of these types, categories (their identifiers, or these in small letters) and boxes; null: all.
create function portal_private.candidates_sql(words text[], of_types text[], of_categories text[], boxes double precision[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  most constant integer := 500;
  statement text := portal_private.hits_sql(words);
  unkept text := portal_private.looked_up_sql(statement);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  since pg_snapshot := (select k.snapshot from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster());
  worded integer[];
  changed integer[];
  columns text := 'unnest(k.ids) as id, unnest(k.ranks) as rank, unnest(k.updated) as updated, unnest(k.is_open) as is_open';
  narrowed text := '';
  kept text;
begin
  if since is null then
    return unkept;
  end if;
  worded := portal_private.written_since(since, most + 1);
  if cardinality(worded) > most then
    return unkept;
  end if;
  changed := portal_private.facts_since(since, most + 1);
  if of_types is not null then
    columns := columns || ', unnest(k.types) as type';
    narrowed := narrowed || format(' and u.type = any (%L::text[])', of_types);
  end if;
  if of_categories is not null then
    columns := columns || ', unnest(k.categories) as category';
    narrowed := narrowed || format(' and u.category = any (%L::integer[])', array(
      select c.id from portal.category c where c.identifier = any (of_categories) or lower(c.identifier) = any (of_categories)));
  end if;
  if boxes is not null then
    columns := columns || ', unnest(k.extents) as extent';
    -- What has no extent of its own may have another one.
    narrowed := narrowed || format(' and (u.extent && any (%L::box[]) or u.extent is null)', array(
      select box(point(boxes[i], boxes[i + 1]), point(boxes[i + 2], boxes[i + 3])) from generate_series(1, cardinality(boxes), 4) i));
  end if;
  kept := ' from (select ' || columns || format(' from portal_private.kept_search k where k.asked = %L::bytea) u', asked_for);
  if cardinality(changed) > most then
    -- So much has changed that all of them are looked up.
    kept := 'select u.id, u.rank, u.updated, false as is_open' || kept || ' where true';
  elsif cardinality(changed) = 0 then
    kept := 'select u.id, u.rank, u.updated, u.is_open' || kept || ' where true' || narrowed;
  else
    kept := format('select u.id, u.rank, u.updated, u.is_open and not (u.id = any (%1$L::integer[])) as is_open%2$s where (u.id = any (%1$L::integer[]) or true%3$s)',
                   changed, kept, narrowed);
  end if;
  return case when cardinality(worded) = 0 then kept
              else format('%1$s and not (u.id = any (%2$L::integer[])) union all %3$s', kept, worded, portal_private.looked_up_sql(
                     format('%1$s and t.resource_id = any (%2$L::integer[])', statement, worded))) end;
end
$$;

-- Those of the candidates that the caller ($1) sees, and that are of these types: `seen` (id, rank, updated). Null: there are none to look for.
create function portal_private.seen_sql(candidates text, of_types text[] default null) returns text
language sql immutable
return 'with f as materialized (' || candidates || '),
  seen as materialized (
    select f.id, f.rank, f.updated from f where f.is_open
    union all
    select r.id, f.rank, r.last_updated from f join portal.resource r on r.id = f.id
     where not f.is_open and portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)'
  || case when of_types is null then '' else format(' and r.resource_type = any (%L::text[])', of_types) end || ')';

-- Hits that the caller sees. Whoever asks for certain types, categories (identifiers) and boxes anyway says so here: what is of none of them may be missing.
create function portal.search_hits(words text[], of_types text[], of_categories text[], boxes double precision[])
returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text := portal_private.candidates_sql(words, of_types, of_categories, boxes);
  is_known boolean := false;
begin
  return query execute portal_private.seen_sql(hits) || ' select s.id, s.rank from seen s' using who;
  if found then
    return;
  end if;
  -- Similar words are for who sees nothing that has these words, of whatever type and wherever it is.
  if num_nonnulls(of_types, of_categories, boxes) > 0 then
    execute portal_private.seen_sql(portal_private.candidates_sql(words, null, null, null)) || ' select exists (select from seen)' into is_known using who;
  end if;
  hits := portal_private.looked_up_sql(portal_private.similar_hits_sql(words));
  if hits is not null and not is_known then
    return query execute portal_private.seen_sql(hits) || ' select s.id, s.rank from seen s' using who;
  end if;
end
$$;

create or replace function portal.search_hits(words text[]) returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
begin
  return query select h.id, h.rank from portal.search_hits(words, null, null, null) h;
end
$$;

create or replace function portal.search_page(words text[], types text[], skipped bigint, most integer) returns table (id integer, place bigint, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text;
begin
  foreach hits in array array[portal_private.candidates_sql(words, types, null, null), null] loop
    hits := coalesce(hits, portal_private.looked_up_sql(portal_private.similar_hits_sql(words)));
    exit when hits is null;
    return query execute portal_private.seen_sql(hits, types) || ',
      page as (select s.id, s.rank, s.updated from seen s order by s.rank desc, s.updated desc, s.id desc offset $2 limit $3)
      select p.id, row_number() over (order by p.rank desc, p.updated desc, p.id desc), n.total
        from (select count(*) as total from seen) n left join page p on true where n.total > 0'
      using who, skipped, most;
    if found then
      return;
    end if;
  end loop;
  return query select null::integer, null::bigint, 0::bigint;
end
$$;

-- As in 0121, and what of the hits may be asked for. Kept anew, too, when there are many hits to be looked up because of what was changed since.
create or replace function portal.keep_search(words text[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  statement text := portal_private.hits_sql(words);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  known portal_private.kept_search;
  made integer;
  oldest xid8;
begin
  if portal_private.cluster() is null or not pg_try_advisory_xact_lock(hashtextextended('portal kept searches', 0)) then
    return false;
  end if;
  select k.* into known from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster();
  if found and cardinality(portal_private.written_since(known.snapshot, 50)) < 50
     and cardinality(portal_private.facts_since(known.snapshot, 50)) < 50 then
    -- Those that nobody asks for any more go first.
    update portal_private.kept_search k set kept = now() where k.asked = asked_for and k.kept < now() - interval '5 minutes';
    return false;
  end if;
  -- Numbers of another cluster would be in the future for ever.
  update portal_private.search_text t set body = t.body
   where t.resource_id = any (array(select w.resource_id from portal_private.search_text w
                                     where w.written >= pg_snapshot_xmax(pg_current_snapshot()) limit 1000));
  execute 'insert into portal_private.kept_search (asked, cluster, snapshot, hits, ids, ranks, is_open, types, categories, extents, updated)
    select $1, $2, pg_current_snapshot(), f.hits, f.ids, f.ranks, f.is_open, f.types, f.categories, f.extents, f.updated
      from (select count(*) as hits, array_agg(r.id) as ids, array_agg(h.rank) as ranks, array_agg(r.is_public and r.obstacles = 0) as is_open,
                   array_agg(r.resource_type) as types, array_agg(coalesce(r.category_id, 0)) as categories,
                   array_agg(r.ll_bbox_polygon::box) as extents, array_agg(r.last_updated) as updated
              from (' || statement || ' limit 500001) h join portal.resource r on r.id = h.resource_id) f
     where f.hits between 1 and 500000
    on conflict (asked) do update set cluster = excluded.cluster, snapshot = excluded.snapshot, hits = excluded.hits, ids = excluded.ids,
      ranks = excluded.ranks, is_open = excluded.is_open, types = excluded.types, categories = excluded.categories, extents = excluded.extents,
      updated = excluded.updated, kept = now()' using asked_for, portal_private.cluster();
  get diagnostics made = row_count;
  if made = 0 then
    return false;
  end if;
  -- Some 60 MB at most.
  delete from portal_private.kept_search k
   where k.asked in (select x.asked from (select o.asked, row_number() over (order by o.kept desc, o.asked) as place,
                                                 sum(o.hits) over (order by o.kept desc, o.asked) as hits
                                            from portal_private.kept_search o) x
                      where x.place > 200 or x.hits > 1000000);
  -- What all that is kept has seen. By their values as well: whoever notes a newer one at this moment does not lose it.
  oldest := (select min(pg_snapshot_xmin(k.snapshot)) from portal_private.kept_search k where k.cluster = portal_private.cluster());
  delete from portal_private.facts_written f
   where (f.resource_id, f.written) in (select o.resource_id, o.written from portal_private.facts_written o
                                         where o.written < oldest or o.written >= pg_snapshot_xmax(pg_current_snapshot()) limit 10000);
  return true;
end
$$;

drop function portal_private.found_sql(text[]);
-- Of the few that are looked up the key finds the row as quickly, and every change of an item is five per cent quicker without this one.
drop index portal.resource_found;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.search_hits(text[], text[], text[], double precision[]) from public;
grant execute on function portal.search_hits(text[], text[], text[], double precision[]) to survest_anon, survest_user, survest_admin;
