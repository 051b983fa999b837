-- What an account prefers, by name: nothing is kept of what is as usual. Everybody reads and changes their own.

create table portal.preference (
  account_id integer not null references portal.account on delete cascade,
  name text not null,
  value text not null,
  primary key (account_id, name),
  -- `tour`: the first steps were shown, or not wanted.
  constraint preference_known check ((name, value) in (('tour', 'done')))
);
alter table portal.preference enable row level security;
create policy own on portal.preference for all to survest_user, survest_admin
  using (account_id = (select portal.me()))
  with check (account_id = (select portal.me()) and (select portal.writable()));
grant select, delete, update (value) on portal.preference to survest_user, survest_admin;
grant insert (account_id, name, value) on portal.preference to survest_user, survest_admin;
