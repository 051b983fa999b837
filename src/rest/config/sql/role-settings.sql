-- Settings attached to the roles a request may switch to, as PostgreSQL would apply them if the role logged in: those for
-- this database win over the general ones. Left out are settings the connecting role may not set, since one of them would
-- fail every request. Names and values are passed on as they are. From PostgreSQL 15 on a role can be granted SET on a
-- parameter; older servers get role-settings-14.sql.
select r.rolname                                  as role,
       entry.name                                 as name,
       entry.value                                as value
  from pg_catalog.pg_roles r
 cross join lateral (
   select distinct on (1) split_part(setting, '=', 1)             as name,
                          substr(setting, strpos(setting, '=') + 1) as value
     from pg_catalog.pg_db_role_setting s
    cross join lateral unnest(s.setconfig) as setting
    where s.setrole = r.oid
      and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
    order by 1, s.setdatabase desc
 ) as entry
  left join pg_catalog.pg_settings p on lower(p.name) = lower(entry.name)
 where pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER')
   and r.rolname <> current_user
   -- The request switches the role itself, and the service reads nothing but UTF-8.
   and lower(entry.name) not in ('role', 'session_authorization', 'client_encoding')
   -- A name with a dot that no module has claimed is a setting of the application: anyone may set it.
   and case when p.name is null then strpos(entry.name, '.') > 0
            else p.context = 'user' or pg_catalog.has_parameter_privilege(current_user, p.name, 'SET') end
 order by 1, 2;
