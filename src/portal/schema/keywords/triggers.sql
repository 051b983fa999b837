create trigger stamped after update on portal.keyword for each statement execute function portal_private.after_words();

create trigger faceted after insert or delete on portal.resource_keyword
  for each row execute function portal_private.after_part('keywords', 'keyword_id');

create trigger versions_before before insert or delete on portal.resource_keyword
  for each row execute function portal_private.version_before_metadata();

create trigger told after insert or delete on portal.resource_keyword
  for each row execute function portal_private.told_of('metadata');

create trigger stamped after insert or update or delete on portal.resource_keyword
  for each row execute function portal_private.after_stamped_part();

create trigger faceted after insert or delete on portal.resource_region
  for each row execute function portal_private.after_part('regions', 'region_id');

create trigger versions_before before insert or delete on portal.resource_region
  for each row execute function portal_private.version_before_metadata();

create trigger told after insert or delete on portal.resource_region
  for each row execute function portal_private.told_of('metadata');

create trigger stamped after insert or update or delete on portal.resource_region
  for each row execute function portal_private.after_stamped_part();

create trigger stamped after update on portal.thesaurus for each statement execute function portal_private.after_words();

create trigger stamped after update on portal.thesaurus_keyword for each statement execute function portal_private.after_words();

create trigger stamped after insert or update or delete on portal.resource_tkeyword
  for each row execute function portal_private.after_stamped_part();

create trigger words_come after insert on portal.resource_keyword
  referencing new table as changed for each statement execute function portal_private.after_terms();
create trigger words_go after delete on portal.resource_keyword
  referencing old table as changed for each statement execute function portal_private.after_terms();

create trigger words_come after insert on portal.resource_tkeyword
  referencing new table as changed for each statement execute function portal_private.after_terms();
create trigger words_go after delete on portal.resource_tkeyword
  referencing old table as changed for each statement execute function portal_private.after_terms();

create trigger words_come after insert on portal.resource_region
  referencing new table as changed for each statement execute function portal_private.after_terms();
create trigger words_go after delete on portal.resource_region
  referencing old table as changed for each statement execute function portal_private.after_terms();
