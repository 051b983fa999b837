insert into portal_private.version_limit (versions) values (50);
