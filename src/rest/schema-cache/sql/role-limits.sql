-- Comments on roles that have directives in them.
select json_build_object('role', r.rolname, 'description', d.description)
from pg_roles r
join pg_shdescription d on d.objoid = r.oid and d.classoid = 'pg_authid'::regclass
where d.description like '%@survest%'
