insert into portal_private.sql_console_rule default values;
