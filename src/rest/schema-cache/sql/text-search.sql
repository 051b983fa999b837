-- The configuration of full-text searches that name none, if it is the same for every role; no row otherwise.
select json_build_array(current_setting('default_text_search_config'))
where not exists (
  select from pg_db_role_setting s, unnest(s.setconfig) c
   where s.setrole <> 0 and c ilike 'default_text_search_config=%')
