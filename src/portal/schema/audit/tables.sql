-- The audit log.

create table portal_private.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Names are kept as they were: accounts and items may be gone when somebody reads this.
  actor integer,
  actor_name text,
  act text not null,
  subject text not null,
  subject_id integer,
  name text,
  detail jsonb
);
alter table portal_private.audit enable row level security;
create index audit_at on portal_private.audit (at);
create index audit_act on portal_private.audit (act, id);
create index audit_actor on portal_private.audit (actor, id);
