-- What a database holds beyond rows, as one line per catalogue: equal lines, nothing was left behind.
-- Where a catalogue is small its rows are compared; of the big ones the number of rows and who may use them.

with small (name, rows) as (
  select 'pg_namespace', (select string_agg(t::text, '' order by oid) from pg_namespace t where nspname !~ '^pg_(toast_)?temp_')
  union all select 'pg_authid', (select string_agg(rolname || rolsuper || rolbypassrls || coalesce(rolpassword, ''), '' order by oid) from pg_authid)
  union all select 'pg_auth_members', (select string_agg(t::text, '' order by oid) from pg_auth_members t)
  union all select 'pg_default_acl', (select string_agg(t::text, '' order by oid) from pg_default_acl t)
  union all select 'pg_db_role_setting', (select string_agg(t::text, '') from pg_db_role_setting t)
  union all select 'pg_extension', (select string_agg(t::text, '' order by oid) from pg_extension t)
  union all select 'pg_event_trigger', (select string_agg(t::text, '' order by oid) from pg_event_trigger t)
  union all select 'pg_shdescription', (select string_agg(t::text, '' order by objoid) from pg_shdescription t)
  union all select 'pg_database', (select string_agg(datname || coalesce(datacl::text, ''), '' order by oid) from pg_database)
  union all select 'pg_foreign_server', (select string_agg(t::text, '' order by oid) from pg_foreign_server t)
  union all select 'pg_publication', (select string_agg(t::text, '' order by oid) from pg_publication t)
  union all select 'pg_policy', (select string_agg(polname, '' order by oid) from pg_policy)
  union all select 'pg_trigger', (select string_agg(tgname, '' order by oid) from pg_trigger)
  union all select 'pg_file_settings', (select string_agg(name || setting, '' order by name) from pg_file_settings where sourcefile like '%auto.conf')
),
big (name, rows) as (
  select 'pg_class', (select count(*) || coalesce(string_agg(relname || relacl::text, '' order by oid) filter (where oid >= 16384), '') from pg_class)
  union all select 'pg_proc', (select count(*) || coalesce(string_agg(proname || proacl::text, '' order by oid) filter (where oid >= 16384), '') from pg_proc)
  union all select 'pg_type', (select count(*) || coalesce(string_agg(typname || typacl::text, '' order by oid) filter (where oid >= 16384), '') from pg_type)
  union all select 'pg_constraint', (select count(*)::text from pg_constraint)
  union all select 'pg_attrdef', (select count(*)::text from pg_attrdef)
  union all select 'pg_rewrite', (select count(*)::text from pg_rewrite)
  union all select 'pg_cast', (select count(*)::text from pg_cast)
  union all select 'pg_operator', (select count(*)::text from pg_operator)
  union all select 'pg_opclass', (select count(*)::text from pg_opclass)
  union all select 'pg_collation', (select count(*)::text from pg_collation)
  union all select 'pg_ts_config', (select count(*)::text from pg_ts_config)
  union all select 'pg_ts_dict', (select count(*)::text from pg_ts_dict)
  union all select 'pg_language', (select count(*)::text from pg_language)
  union all select 'pg_description', (select count(*)::text from pg_description)
  union all select 'pg_statistic_ext', (select count(*)::text from pg_statistic_ext)
  union all select 'pg_largeobject_metadata', (select count(*)::text from pg_largeobject_metadata)
)
select name || ' ' || md5(coalesce(rows, '')) from (table small union all table big) all_of_them;
