-- Files of documents, links to other items.

create table portal.document_file (
  resource_id integer primary key references portal.resource on delete cascade,
  blob text not null,
  file_name text not null check (length(file_name) <= 255),
  size bigint not null check (size >= 0),
  uploaded timestamptz not null default now()
);
alter table portal.document_file enable row level security;
create index document_file_blob on portal.document_file (blob);

create table portal.document_link (
  document_id integer not null references portal.resource on delete cascade,
  resource_id integer not null references portal.resource on delete cascade,
  primary key (document_id, resource_id)
);
alter table portal.document_link enable row level security;
create index document_link_resource on portal.document_link (resource_id);
