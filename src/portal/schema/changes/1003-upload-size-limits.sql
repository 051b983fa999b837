-- How large files may be, where an administrator has set less than the program's own limits.
create table portal.upload_size_limit (
  slug text primary key check (slug in ('dataset_upload_size', 'document_upload_size')),
  max_size bigint not null check (max_size > 0)
);
alter table portal.upload_size_limit enable row level security;
