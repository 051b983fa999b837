-- Announces every change of the schema on the channel that REST services listen on. May be run again at any time.
-- {{channel}} is the channel's name as a literal. Where nothing but some tables has changed, for certain, the announcement
-- names them by their oids, and the services look at those alone. They know themselves what to do about tables with heirs.
-- The functions run as whoever changes the schema, who may have no right to anything in ours: they use the catalogue alone.

create schema if not exists survest;

create or replace function survest.announce_ddl() returns event_trigger
  language plpgsql set search_path = pg_catalog, pg_temp as
$$
declare
  is_certain boolean;
  tables text;
begin
  -- Temporary tables are nobody's API, a refreshed view is the same view, and who may use a table is asked when it is used.
  select bool_and(t.oid is not null), string_agg(distinct t.oid::text, ' ')
    into is_certain, tables
    from pg_event_trigger_ddl_commands() c
    -- the table that the object is, or is a part of; null: it is something else
    cross join lateral (
      select case c.classid
          when 'pg_class'::regclass then (
            select case k.relkind
                when 'r' then k.oid
                when 'i' then (select i.indrelid from pg_index i where i.indexrelid = k.oid)
                when 'S' then (
                  select d.refobjid
                  from pg_depend d
                  where d.classid = 'pg_class'::regclass
                    and d.objid = k.oid
                    and d.refclassid = 'pg_class'::regclass
                    and d.deptype in ('a', 'i')
                )
              end
            from pg_class k
            where k.oid = c.objid
          )
          when 'pg_constraint'::regclass then (select nullif(k.conrelid, 0) from pg_constraint k where k.oid = c.objid)
          when 'pg_policy'::regclass then (select p.polrelid from pg_policy p where p.oid = c.objid)
          when 'pg_trigger'::regclass then (select g.tgrelid from pg_trigger g where g.oid = c.objid)
        end as oid
    ) t
   where c.schema_name is distinct from 'pg_temp'
     and c.command_tag <> 'REFRESH MATERIALIZED VIEW'
     and not (c.command_tag in ('GRANT', 'REVOKE') and c.object_type in ('TABLE', 'SEQUENCE'));
  if not is_certain or length(tables) > 7000 then
    perform pg_notify({{channel}}, 'reload schema');
  elsif tables is not null then
    perform pg_notify({{channel}}, 'reload schema ' || tables);
  end if;
end
$$;

create or replace function survest.announce_drop() returns event_trigger
  language plpgsql set search_path = pg_catalog, pg_temp as
$$
declare
  is_certain boolean;
  tables text;
begin
  with dropped as (
    select * from pg_event_trigger_dropped_objects() d where not d.is_temporary
  )
  select
      -- What was asked for is a table or a part of one. What else went ("normal") belonged to somebody who used it, unless it was
      -- a part of the same table.
      bool_and(
        case
          when d.original then d.object_type in ('table', 'table column', 'table constraint')
          when d.normal then
            d.object_type in ('table constraint', 'default value', 'trigger')
            and exists (select from dropped o where o.object_type = 'table' and o.address_names = d.address_names[1:2])
          else true
        end
      ),
      -- A constraint goes with a command that names its table, too.
      string_agg(distinct d.objid::text, ' ') filter (where d.object_type in ('table', 'table column'))
    into is_certain, tables
    from dropped d;
  if not is_certain or length(tables) > 7000 then
    perform pg_notify({{channel}}, 'reload schema');
  elsif tables is not null then
    perform pg_notify({{channel}}, 'reload schema ' || tables);
  end if;
end
$$;

drop event trigger if exists survest_announce_ddl;
create event trigger survest_announce_ddl on ddl_command_end execute function survest.announce_ddl();

drop event trigger if exists survest_announce_drop;
create event trigger survest_announce_drop on sql_drop execute function survest.announce_drop();
