-- Settings of the service that are attached to the connecting role, in general and for this database.
-- $1: prefix of their names ('pgrst.'). Settings attached to the database alone do not count, as in the model.
select split_part(entry, '=', 1)                  as name,
       substr(entry, strpos(entry, '=') + 1)      as value,
       s.setdatabase <> 0                         as in_database
  from pg_catalog.pg_db_role_setting s
 cross join lateral unnest(s.setconfig) as entry
 where s.setrole = (select oid from pg_catalog.pg_roles where rolname = current_user)
   and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
   and starts_with(entry, $1)
 order by 1, 3;
