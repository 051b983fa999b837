-- Layers have a filter that maps with them begin with.
alter table portal.resource add column default_filter jsonb check (jsonb_typeof(default_filter) = 'object' and length(default_filter::text) <= 40000);
