-- A page of a search by words: found, held against the rule of the policy, ranked and counted in one go. `search_hits` gives every hit to a statement
-- that looks all of them up in the catalogue once more; for a word that most items have that was most of the work. What it finds, and in which
-- order, is the same; a page's records are read under the policies, as ever.

-- `condition` in SQL → what search_hits and search_page have in common: items with every word, and how well they fit. The words are looked for first, in
-- a step of their own: how many items a caller sees is more than the planner believes, and it would begin with these.
create function portal_private.hits_sql(words text[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  word text;
  one tsquery;
  asked tsquery;
  condition text := 'true';
begin
  foreach word in array words loop
    one := portal_private.word_query(word);
    asked := case when asked is null then one when one is null then asked else asked || one end;
    condition := condition || format(' and (%st.body like %L)',
      case when one is null then '' else format('t.vector @@ %L::tsquery or ', one::text) end, portal_private.like_pattern(word));
  end loop;
  -- A title that begins with what was typed comes before all others.
  return format('select t.resource_id, (coalesce(ts_rank(''{0.1, 0.2, 0.6, 1}''::real[], t.vector, %L::tsquery), 0) + case when t.body like %L then 1 else 0 end)::real as rank
    from portal_private.search_text t where %s', asked::text, substr(portal_private.like_pattern(array_to_string(words, ' ')), 2), condition);
end
$$;

-- The same for words that are like those of the search. Null: one of them is like none.
create function portal_private.similar_hits_sql(words text[]) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  asked tsquery := portal_private.similar_query(words, true);
begin
  return case when asked is not null then format('select t.resource_id, ts_rank(''{0.1, 0.2, 0.6, 1}''::real[], t.vector, %1$L::tsquery) as rank
    from portal_private.search_text t where t.vector @@ %1$L::tsquery', asked::text) end;
end
$$;

create or replace function portal.search_hits(words text[]) returns table (id integer, rank real)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text;
begin
  foreach hits in array array[portal_private.hits_sql(words), null] loop
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

-- The ids of a page, the best first and the newest of equals, each with the number of all that were found; where the page has none, one row without
-- an id. `types`: of these alone; null: of all.
create function portal.search_page(words text[], types text[], skipped bigint, most integer) returns table (id integer, place bigint, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
  hits text;
begin
  foreach hits in array array[portal_private.hits_sql(words), null] loop
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

revoke all on all functions in schema portal_private from public;
revoke all on function portal.search_page(text[], text[], bigint, integer) from public;
grant execute on function portal.search_page(text[], text[], bigint, integer) to survest_anon, survest_user, survest_admin;
