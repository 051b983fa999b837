-- Before the db-pre-config function runs: marks every name it may set, so that what it did set can be told from what the
-- session began with. $1: names, $2: the mark. Ends with the transaction.
select pg_catalog.set_config(name, $2, true) from unnest($1::text[]) as name;
