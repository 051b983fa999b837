-- Announces every change of the schema on the channel that REST services listen on. May be run again at any time.
-- {{channel}} is the channel's name as a literal.

create schema if not exists survest;

create or replace function survest.announce_ddl() returns event_trigger
  language plpgsql set search_path = pg_catalog, pg_temp as
$$
begin
  -- Temporary tables are nobody's API, and a refreshed view is the same view.
  if exists (
    select from pg_event_trigger_ddl_commands() as c
    where c.schema_name is distinct from 'pg_temp' and c.command_tag <> 'REFRESH MATERIALIZED VIEW'
  ) then
    perform pg_notify({{channel}}, 'reload schema');
  end if;
end
$$;

create or replace function survest.announce_drop() returns event_trigger
  language plpgsql set search_path = pg_catalog, pg_temp as
$$
begin
  if exists (select from pg_event_trigger_dropped_objects() as d where not d.is_temporary) then
    perform pg_notify({{channel}}, 'reload schema');
  end if;
end
$$;

drop event trigger if exists survest_announce_ddl;
create event trigger survest_announce_ddl on ddl_command_end execute function survest.announce_ddl();

drop event trigger if exists survest_announce_drop;
create event trigger survest_announce_drop on sql_drop execute function survest.announce_drop();
