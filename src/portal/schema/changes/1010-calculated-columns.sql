-- What a calculation of a column, or a change of its type, has overwritten is kept, too.
alter table portal_private.kept_data add column details jsonb;
alter table portal_private.kept_data drop constraint kept_data_kind_check,
  add constraint kept_data_kind_check check (kind in ('replace', 'append', 'calculate', 'type'));
