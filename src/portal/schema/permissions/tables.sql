-- Grants, and what follows from them: visibility, may, get_perms, set_perms, levels.

create table portal_private.resource_grant (
  resource_id integer not null references portal.resource on delete cascade,
  -- > 0 an account, < 0 a group (minus its id), 0 AnonymousUser, beyond -1000000000 a link that shows the item to whoever has it
  principal integer not null,
  perms integer not null check (perms > 0 and perms < 512),
  primary key (resource_id, principal),
  constraint resource_grant_links_read check (principal > -1000000000 or perms < 4)
);
alter table portal_private.resource_grant enable row level security;
create index resource_grant_principal on portal_private.resource_grant (principal, resource_id);
