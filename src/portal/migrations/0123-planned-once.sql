-- What nearly every request asks is planned once per connection: functions in SQL that are not put in place of their call are planned anew in every
-- statement before PostgreSQL 18, which took longer than to run them. What they answer is the same.

create or replace function portal_private.role_of(account integer) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return (select case when d.is_superuser and not ((select r.admins_need_factor from portal_private.sign_in_rule r) and not portal_private.has_factor(account))
                      then 'survest_admin' else 'survest_user' end
            from portal.account_detail d where d.account_id = account);
end
$$;

create or replace function portal.session_of(token_hash bytea)
returns table (account_id integer, username text, db_role text, data jsonb, expires timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query
    select a.id, a.username, portal_private.role_of(a.id), s.data, s.expires
      from portal_private.session s
      join portal.account a on a.id = s.account_id
      join portal.account_detail d on d.account_id = a.id
     where s.token_hash = session_of.token_hash and s.expires > now() and d.is_active;
end
$$;

create or replace function portal.token_account(account integer, granted text, session_hash bytea)
returns table (account_id integer, username text, db_role text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query
    select a.id, a.username, portal_private.role_of(a.id)
      from portal.account a
      join portal.account_detail d on d.account_id = a.id
     where a.id = account and d.is_active
       and (exists (select from portal_private.oidc_state s
                     where s.kind = 'Grant' and s.id = granted and s.payload ->> 'accountId' = account::text
                       and (s.expires is null or s.expires > now()))
         or exists (select from portal_private.session s
                     where s.token_hash = session_hash and s.account_id = account and s.expires > now()));
end
$$;

create or replace function portal_private.metadata_of(target integer) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return (select jsonb_build_object('title', r.title, 'abstract', r.abstract, 'attribution', r.attribution, 'doi', r.doi, 'date', r.date,
            'date_type', r.date_type, 'edition', r.edition, 'purpose', r.purpose, 'maintenance_frequency', r.maintenance_frequency,
            'restriction_code_type', r.restriction_code_type_id, 'constraints_other', r.constraints_other, 'license', r.license_id,
            'language', r.language, 'category', r.category_id, 'spatial_representation_type', r.spatial_representation_type_id,
            'temporal_extent_start', r.temporal_extent_start, 'temporal_extent_end', r.temporal_extent_end,
            'supplemental_information', r.supplemental_information, 'data_quality_statement', r.data_quality_statement,
            'keywords', (select coalesce(jsonb_agg(w.name order by w.name), '[]') from portal.resource_keyword k
                           join portal.keyword w on w.id = k.keyword_id where k.resource_id = r.id),
            'regions', (select coalesce(jsonb_agg(k.region_id order by k.region_id), '[]') from portal.resource_region k
                         where k.resource_id = r.id))
          from portal.resource r where r.id = target);
end
$$;

create or replace function portal_private.stamp_parts(item integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.parts_stamp as p (resource_id, stamp)
    -- Of an item that is being deleted nobody needs one.
    select r.id, gen_random_uuid() from portal.resource r where r.id = item
    on conflict (resource_id) do update set stamp = excluded.stamp;
end
$$;

-- Facets of many hits are planned for these hits (0015); to plan for few takes longer than to look them up.
alter function portal.facet_counts(text[], integer[], integer) set schema portal_private;
alter function portal_private.facet_counts(text[], integer[], integer) rename to facet_counts_of_many;

create function portal_private.facet_counts_of_few(facets text[], hits integer[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan rows 50 as $$
#variable_conflict use_column
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    with seen as materialized (
      select r.id, r.resource_type, r.category_id, r.owner_id
        from unnest(hits) h(id) cross join lateral (select * from portal.resource x where x.id = h.id offset 0) r
       where portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
    ), counted as (
      select case when grouping(s.resource_type) = 0 then 'resource_type'
                  when grouping(s.category_id) = 0 then 'category' else 'owner' end as facet,
             coalesce(s.category_id, s.owner_id) as key, s.resource_type as word, count(*) as items
        from seen s group by grouping sets (s.resource_type, s.category_id, s.owner_id)
      union all
      select 'keywords', k.keyword_id, null, count(*)
        from seen s join portal.resource_keyword k on k.resource_id = s.id where 'keywords' = any (facets) group by k.keyword_id
      union all
      select 'regions', k.region_id, null, count(*)
        from seen s join portal.resource_region k on k.resource_id = s.id where 'regions' = any (facets) group by k.region_id
    ), ranked as (
      select c.facet, c.key, c.word, c.items, count(*) over (partition by c.facet) as all_values,
             row_number() over (partition by c.facet order by c.items desc, c.word, c.key) as place
        from counted c
       where c.facet = any (facets) and (c.key is not null or c.word is not null)
    )
    select n.facet, coalesce(n.word, a.username, g.identifier, w.slug, p.code),
           coalesce(n.word, nullif(btrim(a.first_name || ' ' || a.last_name), ''), a.username, nullif(g.description, ''),
                    g.identifier, w.name, p.name),
           n.items, n.all_values
      from ranked n
      left join portal.account a on n.facet = 'owner' and a.id = n.key
      left join portal.category g on n.facet = 'category' and g.id = n.key
      left join portal.keyword w on n.facet = 'keywords' and w.id = n.key
      left join portal.region p on n.facet = 'regions' and p.id = n.key
     where n.place <= top
     order by n.facet, n.place;
end
$$;

create function portal.facet_counts(facets text[], hits integer[], top integer)
returns table (facet text, value text, label text, items bigint, "values" bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 50 as $$
begin
  if cardinality(hits) <= 1000 then
    return query select f.* from portal_private.facet_counts_of_few(facets, hits, top) f;
  else
    return query select f.* from portal_private.facet_counts_of_many(facets, hits, top) f;
  end if;
end
$$;

-- As in 0122, without waiting for those who change several items at once, which could have ended in a deadlock.
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
  -- What all that is kept has seen. Whoever changes several items is not waited for, nor made to wait; and by their values, so that what is noted at this
  -- moment is not lost.
  oldest := (select min(pg_snapshot_xmin(k.snapshot)) from portal_private.kept_search k where k.cluster = portal_private.cluster());
  delete from portal_private.facts_written f
   where (f.resource_id, f.written) in (
     select l.resource_id, l.written
       from (select o.resource_id, o.written from portal_private.facts_written o
              where o.written < oldest or o.written >= pg_snapshot_xmax(pg_current_snapshot()) limit 10000) o
       join portal_private.facts_written l on l.resource_id = o.resource_id and l.written = o.written
        for update of l skip locked);
  return true;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal_private.facet_counts_of_many(text[], integer[], integer) from survest_anon, survest_user, survest_admin;
revoke all on function portal.facet_counts(text[], integer[], integer) from public;
grant execute on function portal.facet_counts(text[], integer[], integer) to survest_anon, survest_user, survest_admin;
