insert into portal_private.search_config values ('simple'), ('english');
