-- The space of all layers, for the state of the program. To measure a table PostgreSQL reads all about it, its policies and triggers among it: of a
-- hundred thousand tables that took a minute, for one figure. Of more than some thousands their pages are added up as the catalogue has them since
-- each was last analysed.
create function portal_private.space_of_layers() returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  place oid := 'layers'::regnamespace;
begin
  if (select count(*) from pg_class c where c.relnamespace = place and c.relkind in ('r', 'm')) <= 5000 then
    return (select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c where c.relnamespace = place and c.relkind in ('r', 'm'));
  end if;
  return (select coalesce(sum(c.relpages::bigint + coalesce(long.relpages, 0)), 0) * current_setting('block_size')::bigint
            from pg_class c left join pg_class long on long.oid = c.reltoastrelid and c.reltoastrelid <> 0
           where c.relnamespace = place and c.relkind in ('r', 'm', 'i'));
end
$$;
revoke all on function portal_private.space_of_layers() from public;

do $$
declare
  known text := pg_get_functiondef('portal.operation_status()'::regprocedure);
  made text := regexp_replace(known, $q$coalesce\(\(select sum\(pg_total_relation_size\(c\.oid\)\) from pg_class c join pg_namespace n on n\.oid = c\.relnamespace\s+where n\.nspname = 'layers' and c\.relkind in \('r', 'm'\)\), 0\)$q$,
    'portal_private.space_of_layers()');
begin
  if made = known then
    raise exception 'portal.operation_status is not as this migration knows it';
  end if;
  execute made;
end
$$;
