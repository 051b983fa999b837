-- Columns of layers have formats, and layers pop-ups.
alter table portal.attribute add column format jsonb check (jsonb_typeof(format) = 'object' and length(format::text) <= 1000);
alter table portal.resource add column popup jsonb check (jsonb_typeof(popup) = 'object' and length(popup::text) <= 1000000);
