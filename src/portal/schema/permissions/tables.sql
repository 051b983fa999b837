-- Grants, and what follows from them: visibility, may, get_perms, set_perms, levels.

create table portal_private.resource_grant (
  resource_id integer not null references portal.resource on delete cascade,
  -- > 0 an account, < 0 a group (minus its id), 0 AnonymousUser
  principal integer not null,
  perms integer not null check (perms > 0 and perms < 512),
  primary key (resource_id, principal)
);
alter table portal_private.resource_grant enable row level security;
create index resource_grant_principal on portal_private.resource_grant (principal, resource_id);
