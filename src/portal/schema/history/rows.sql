insert into portal_private.history_limit values ('entries', 10000), ('days', 365), ('rows', 500);
