-- A search that is asked again costs what its hits cost, and no longer what finding them costs: which items have its words, and how well they fit, is kept
-- with the snapshot in which it was found. Whatever was written by transactions that this snapshot does not see is looked at anew, so what is kept
-- never is out of date, nobody who writes waits for it, and nobody has to tell it of anything. It says nothing of who sees what: that is decided for
-- each request, by the same rule as ever.

-- The transaction that last wrote what is searched. Null: older than this.
alter table portal_private.search_text add column written xid8;
create index search_text_written on portal_private.search_text (written);

create function portal_private.note_written() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.written := pg_current_xact_id();
  return new;
end
$$;
create trigger written before insert or update of body, terms, vector on portal_private.search_text
  for each row execute function portal_private.note_written();

create table portal_private.kept_search (
  -- Of the statement that finds the hits: it has the words in it, and the languages that they are looked for in.
  asked bytea primary key,
  -- Numbers of transactions mean something in one cluster only; a backup may be restored in another.
  cluster bigint not null,
  snapshot pg_snapshot not null,
  hits integer not null,
  ids integer[] not null,
  ranks real[] not null,
  kept timestamptz not null default now()
);
alter table portal_private.kept_search enable row level security;
-- Numbers that are read whole every time.
alter table portal_private.kept_search alter column ids set storage external, alter column ranks set storage external;

-- Null where nobody says which cluster it is: then nothing is kept.
create function portal_private.cluster() returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
    return (select c.system_identifier from pg_control_system() c);
  end if;
  return null;
end
$$;

-- Items whose text was written by transactions that a snapshot does not see, `most` of them. By the index, whatever is known of the values in it.
create function portal_private.written_since(since pg_snapshot, most integer) returns integer[]
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(select t.resource_id from portal_private.search_text t
                where t.written >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(t.written, since)
                order by t.written limit most);
end
$$;

-- The same rows as `hits_sql`, from what is kept as far as there is.
create function portal_private.found_sql(words text[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  most constant integer := 500;
  statement text := portal_private.hits_sql(words);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  since pg_snapshot := (select k.snapshot from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster());
  changed integer[];
begin
  if since is null then
    return statement;
  end if;
  changed := portal_private.written_since(since, most + 1);
  if cardinality(changed) > most then
    return statement;
  end if;
  return format('select u.resource_id, u.rank from portal_private.kept_search k cross join unnest(k.ids, k.ranks) u(resource_id, rank) where k.asked = %L::bytea', asked_for)
    || case when cardinality(changed) = 0 then '' else
         format(' and u.resource_id <> all (%1$L::integer[]) union all %2$s and t.resource_id = any (%1$L::integer[])', changed, statement) end;
end
$$;

-- For the service: keeps what a search finds, unless that is done and little was written since. Whether it was kept now.
create function portal.keep_search(words text[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  statement text := portal_private.hits_sql(words);
  asked_for bytea := sha256(convert_to(statement, 'UTF8'));
  known portal_private.kept_search;
  made integer;
begin
  if portal_private.cluster() is null or not pg_try_advisory_xact_lock(hashtextextended('portal kept searches', 0)) then
    return false;
  end if;
  select k.* into known from portal_private.kept_search k where k.asked = asked_for and k.cluster = portal_private.cluster();
  if found and cardinality(portal_private.written_since(known.snapshot, 50)) < 50 then
    -- Those that nobody asks for any more go first.
    update portal_private.kept_search k set kept = now() where k.asked = asked_for and k.kept < now() - interval '5 minutes';
    return false;
  end if;
  -- Numbers of another cluster would be in the future for ever.
  update portal_private.search_text t set body = t.body
   where t.resource_id = any (array(select w.resource_id from portal_private.search_text w
                                     where w.written >= pg_snapshot_xmax(pg_current_snapshot()) limit 1000));
  execute 'insert into portal_private.kept_search (asked, cluster, snapshot, hits, ids, ranks)
    select $1, $2, pg_current_snapshot(), f.hits, f.ids, f.ranks
      from (select count(*) as hits, array_agg(h.resource_id) as ids, array_agg(h.rank) as ranks from (' || statement || ' limit 500001) h) f
     where f.hits between 1 and 500000
    on conflict (asked) do update set cluster = excluded.cluster, snapshot = excluded.snapshot, hits = excluded.hits, ids = excluded.ids,
      ranks = excluded.ranks, kept = now()' using asked_for, portal_private.cluster();
  get diagnostics made = row_count;
  if made = 0 then
    return false;
  end if;
  -- Some 30 MB at most.
  delete from portal_private.kept_search k
   where k.asked in (select x.asked from (select o.asked, row_number() over (order by o.kept desc, o.asked) as place,
                                                 sum(o.hits) over (order by o.kept desc, o.asked) as hits
                                            from portal_private.kept_search o) x
                      where x.place > 200 or x.hits > 4000000);
  return true;
end
$$;

-- What a search looks at of an item to decide whether it is shown, and to count it: read from the index alone.
create index resource_found on portal.resource (id)
  include (resource_type, category_id, owner_id, private_group, is_public, viewers, obstacles, last_updated);

create or replace function portal.search_hits(words text[]) returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text;
begin
  foreach hits in array array[portal_private.found_sql(words), null] loop
    hits := coalesce(hits, portal_private.similar_hits_sql(words));
    if hits is null then
      return;
    end if;
    return query execute 'with f as materialized (' || hits || ')
      select r.id, f.rank from f join portal.resource r on r.id = f.resource_id
       where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)' using who;
    if found then
      return;
    end if;
  end loop;
end
$$;

create or replace function portal.search_page(words text[], types text[], skipped bigint, most integer) returns table (id integer, place bigint, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text;
begin
  foreach hits in array array[portal_private.found_sql(words), null] loop
    hits := coalesce(hits, portal_private.similar_hits_sql(words));
    exit when hits is null;
    return query execute 'with f as materialized (' || hits || '),
      seen as materialized (
        select r.id, f.rank, r.last_updated from f join portal.resource r on r.id = f.resource_id
         where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)'
           || case when types is null then '' else ' and r.resource_type = any ($2)' end || '),
      page as (select s.id, s.rank, s.last_updated from seen s order by s.rank desc, s.last_updated desc, s.id desc offset $3 limit $4)
      select p.id, row_number() over (order by p.rank desc, p.last_updated desc, p.id desc), n.total
        from (select count(*) as total from seen) n left join page p on true where n.total > 0'
      using who, types, skipped, most;
    if found then
      return;
    end if;
  end loop;
  return query select null::integer, null::bigint, 0::bigint;
end
$$;

-- Planned for whatever items are asked for: to plan it for each one took longer than to run it.
alter function portal.item_parts(integer[]) set plan_cache_mode = force_generic_plan;
alter function portal.item_stamps(integer[]) set plan_cache_mode = force_generic_plan;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.keep_search(text[]) from public;
grant execute on function portal.keep_search(text[]) to survest_authenticator;
