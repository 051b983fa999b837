-- What the geocoder has answered, for a while, and when it may be asked next: by whichever copy of the program.

create table portal_private.geocoder_answer (
  -- Of the geocoder's address and what it was asked.
  key text primary key check (length(key) = 64),
  answer jsonb not null check (length(answer::text) <= 20000),
  answered timestamptz not null default now()
);
alter table portal_private.geocoder_answer enable row level security;
create index geocoder_answer_age on portal_private.geocoder_answer (answered);

create table portal_private.geocoder_turn (
  only_row boolean primary key default true check (only_row),
  next_at timestamptz not null default now()
);
alter table portal_private.geocoder_turn enable row level security;
