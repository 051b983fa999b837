-- Takes back what event-trigger.sql made. The schema stays: others may have things in it.

drop event trigger if exists survest_announce_ddl;
drop event trigger if exists survest_announce_drop;
drop function if exists survest.announce_ddl();
drop function if exists survest.announce_drop();
