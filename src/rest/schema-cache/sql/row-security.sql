-- Whether any relation of the database has row-level security.
select to_json(exists (select from pg_class where relrowsecurity))
