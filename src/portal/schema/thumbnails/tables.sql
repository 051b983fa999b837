-- Which thumbnails are to be drawn.

create table portal.thumbnail (
  resource_id integer not null references portal.resource on delete cascade,
  -- Given by a person; wins over the one drawn from the data.
  curated boolean not null default false,
  blob text not null,
  mime_type text not null default 'image/png' check (length(mime_type) <= 255),
  made timestamptz not null default now(),
  primary key (resource_id, curated)
);
alter table portal.thumbnail enable row level security;
create index thumbnail_blob on portal.thumbnail (blob);

-- One row per change, taken away when the picture is drawn. Rows are only added: writers of one layer do not wait for each other.
create table portal_private.thumbnail_due (
  resource_id integer not null references portal.resource on delete cascade,
  n bigint not null generated always as identity,
  primary key (resource_id, n)
);
alter table portal_private.thumbnail_due enable row level security;
