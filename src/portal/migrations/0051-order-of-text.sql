-- Text is sorted, and compared without case, as people do, by Unicode's own rules (ICU): letters first, then accents, then case. The
-- collation of the database does not matter, so that the embedded engine, a cluster in the locale C and one in German give the same lists.

do $collation$
declare
  -- A server without ICU sorts by code points, and folds case where its own library can.
  base text := (select c.collname from pg_catalog.pg_collation c
                 where c.collname in ('und-x-icu', 'C.UTF-8', 'C.utf8', 'C') and c.collnamespace = 'pg_catalog'::regnamespace
                   and c.collencoding in (-1, pg_catalog.pg_char_to_encoding(pg_catalog.getdatabaseencoding()))
                 order by array_position(array['und-x-icu', 'C.UTF-8', 'C.utf8', 'C'], c.collname::text) limit 1);
begin
  execute pg_catalog.format('create collation portal.people from pg_catalog.%I', base);
end
$collation$;

-- The plain index of titles stays: it is what finds a title that is known.
create index resource_title_people on portal.resource (title collate portal.people, id);
create index user_group_title_people on portal.user_group (title collate portal.people, id);
create index account_username_people on portal.account (username collate portal.people, id);

-- What is searched is in lower case in the same manner.
create or replace function portal_private.after_text() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.search_text (resource_id, body)
    values (new.id, lower((new.title || e'\n' || new.abstract) collate portal.people))
    on conflict (resource_id) do update set body = excluded.body where search_text.body <> excluded.body;
  return null;
end
$$;

create or replace function portal.search_ids(words text[]) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  word text;
  condition text := '';
begin
  foreach word in array words loop
    condition := condition || format(' and t.body like %L',
      '%' || replace(replace(replace(lower(word collate portal.people), '\', '\\'), '%', '\%'), '_', '\_') || '%');
  end loop;
  return query execute
    'select r.id from portal_private.search_text t join portal.resource r on r.id = t.resource_id
      where portal_private.shown($1, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles)' || condition
    using portal_private.who();
end
$$;

create or replace function portal.fulltext_ids(query text) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1000 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id from portal_private.search_text t join portal.resource r on r.id = t.resource_id
     where t.words @@ websearch_to_tsquery('simple', lower(query collate portal.people))
       and portal_private.shown(who, r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles);
end
$$;

update portal_private.search_text t set body = lower((r.title || e'\n' || r.abstract) collate portal.people)
  from portal.resource r
 where r.id = t.resource_id and t.body <> lower((r.title || e'\n' || r.abstract) collate portal.people);
