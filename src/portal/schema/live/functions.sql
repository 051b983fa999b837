
-- Of a portal: who reads the log, and what grants do to it. The log itself is made by src/pg/change-log/sql/install.sql, before this.

grant usage on schema survest_live to survest_authenticator;
grant select, delete on survest_live.change to survest_authenticator;

-- Grants of a layer decide who sees its rows: any of them may be seen, or not, from now on.
create or replace function portal_private.grants_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into survest_live.change (relation)
    select distinct c.oid from changed g
      join portal_private.layer_table t on t.resource_id = g.resource_id
      join pg_class c on c.relname = t.table_name and c.relnamespace = 'layers'::regnamespace;
  if found then
    perform pg_notify('survest_live', '');
  end if;
  return null;
end
$$;

grant execute on function
  survest_live.record(), survest_live.follow(regclass)
  to survest_authenticator;
