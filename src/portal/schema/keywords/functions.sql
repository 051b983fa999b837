-- Ids of the words, made where they are new.
create or replace function portal_private.keyword_ids(names text[]) returns integer[]
language plpgsql as $$
declare
  word text;
  stem text;
  ids integer[] := '{}';
  found_id integer;
begin
  foreach word in array names loop
    word := btrim(word);
    continue when word is null or word = '';
    perform portal_private.invalid_if(length(word) > 100, format('keyword "%s" is longer than 100 characters', word));
    select k.id into found_id from portal.keyword k where lower(k.name) = lower(word);
    if found_id is null then
      stem := coalesce(nullif(btrim(regexp_replace(lower(word), '[^[:alnum:]_]+', '-', 'g'), '-'), ''), 'keyword');
      insert into portal.keyword (name, slug)
        values (word, case when exists (select from portal.keyword k where k.slug = stem)
                           then stem || '-' || substr(md5(word), 1, 8) else stem end)
        on conflict do nothing;
      select k.id into strict found_id from portal.keyword k where lower(k.name) = lower(word);
    end if;
    ids := ids || found_id;
  end loop;
  return ids;
end
$$;

-- Replaces the keywords of an item.
create or replace function portal.set_keywords(target integer, names text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids integer[];
begin
  perform portal_private.require(portal_private.who(), target, 4 | 8);
  ids := portal_private.keyword_ids(names);
  delete from portal.resource_keyword k where k.resource_id = target and k.keyword_id <> all (ids);
  insert into portal.resource_keyword (resource_id, keyword_id) select distinct target, n.id from unnest(ids) n(id)
    on conflict do nothing;
  update portal.resource set last_updated = now() where id = target;
end
$$;

-- Replaces the regions of an item, given by id.
create or replace function portal.set_regions(target integer, regions integer[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  stranger integer;
begin
  perform portal_private.require(portal_private.who(), target, 4 | 8);
  select n.id into stranger from unnest(regions) n(id) where n.id not in (select r.id from portal.region r) limit 1;
  perform portal_private.invalid_if(stranger is not null, format('unknown region %s', stranger));
  delete from portal.resource_region k where k.resource_id = target and k.region_id <> all (regions);
  insert into portal.resource_region (resource_id, region_id) select distinct target, n.id from unnest(regions) n(id)
    on conflict do nothing;
  update portal.resource set last_updated = now() where id = target;
end
$$;

create or replace function portal.set_group_keywords(of_group integer, names text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids integer[];
begin
  perform portal_private.require_group_manager(of_group);
  ids := portal_private.keyword_ids(names);
  delete from portal.group_keyword k where k.group_id = of_group and k.keyword_id <> all (ids);
  insert into portal.group_keyword (group_id, keyword_id) select distinct of_group, n.id from unnest(ids) n(id)
    on conflict do nothing;
end
$$;

-- Replaces the thesaurus keywords of an item, given by id.
create or replace function portal.set_tkeywords(target integer, words integer[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  stranger integer;
begin
  perform portal_private.require(portal_private.who(), target, 4 | 8);
  select n.id into stranger from unnest(words) n(id) where not exists (select from portal.thesaurus_keyword w where w.id = n.id) limit 1;
  perform portal_private.invalid_if(stranger is not null, format('unknown thesaurus keyword %s', stranger));
  delete from portal.resource_tkeyword k where k.resource_id = target and k.keyword_id <> all (words);
  insert into portal.resource_tkeyword (resource_id, keyword_id) select distinct target, n.id from unnest(words) n(id)
    on conflict do nothing;
  update portal.resource set last_updated = now() where id = target;
end
$$;

-- How many of the items have which word of a thesaurus; `hits`: ids of items, null for everything. What the caller does not see counts for nothing.
create or replace function portal.tkeyword_counts(of_thesaurus integer, hits integer[]) returns table (keyword_id integer, items bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set max_parallel_workers_per_gather = 0 set jit = off rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select k.keyword_id, count(*)
      from portal.thesaurus_keyword w
      join portal.resource_tkeyword k on k.keyword_id = w.id
      join portal.resource r on r.id = k.resource_id
      left join (select distinct n.id from unnest(hits) n(id)) h on h.id = r.id
     where w.thesaurus_id = of_thesaurus and (hits is null or h.id is not null)
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)
     group by k.keyword_id;
end
$$;

grant execute on function
  portal.set_keywords(integer,text[]), portal.set_regions(integer,integer[]), portal.set_group_keywords(integer,text[]),
  portal.set_tkeywords(integer,integer[])
  to survest_user, survest_admin;

grant execute on function
  portal.tkeyword_counts(integer,integer[])
  to survest_anon, survest_user, survest_admin;
