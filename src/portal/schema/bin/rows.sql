insert into portal_private.bin_limit (days) values (0);
