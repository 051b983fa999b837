-- An import that something else kept from its end (the database stopped, the store did not answer) is not held against its file: outages are
-- counted apart from attempts, which end with the death of a worker that the file may have caused.

alter table staging.run add column outages integer not null default 0;
