-- Settings of the load's transaction.
-- search_path: nothing but the catalogue is visible, so every other name is printed with its schema. pg_temp is named and
--   last: left out, it would come first, and a temporary table called pg_class on a pooled connection would be read instead.
-- jit: compiling takes longer than running, and big catalogues are costed high enough to trigger it.
-- statement_timeout: the one meant for requests must not keep the service from starting.
select
  set_config('search_path', 'pg_catalog, pg_temp', true),
  set_config('jit', 'off', true),
  set_config('work_mem', '64MB', true),
  set_config('statement_timeout', '0', true)
