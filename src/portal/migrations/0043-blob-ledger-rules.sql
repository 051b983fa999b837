-- The ledger of files is reached by functions alone: row-level security without a policy, as on every table.

alter table portal_private.blob_made enable row level security;
