insert into portal_private.words_stamp (stamp) values (pg_catalog.gen_random_uuid());
