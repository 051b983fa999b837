create trigger stamped after update on portal.keyword for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.thesaurus for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.thesaurus_keyword for each statement execute function portal_private.after_words();

-- Facets count what hangs on an item, versions of its description keep it, and followers are told of it.
do $words$
declare
  word record;
begin
  for word in select * from (values ('resource_keyword', 'keywords', 'keyword_id'), ('resource_region', 'regions', 'region_id')) w(part, facet, key) loop
    execute pg_catalog.format('create trigger faceted after insert or delete on portal.%I
      for each row execute function portal_private.after_part(%L, %L)', word.part, word.facet, word.key);
    execute pg_catalog.format('create trigger versions_before before insert or delete on portal.%I
      for each row execute function portal_private.version_before_metadata()', word.part);
    execute pg_catalog.format('create trigger told after insert or delete on portal.%I
      for each row execute function portal_private.told_of(''metadata'')', word.part);
  end loop;
end
$words$;
