-- Links between items, whatever their types: a report and the layers it is about, a map and the story that tells of it. Those of documents
-- are in portal.document_link already and stay there. A link is seen by who sees both ends, and made and taken away by who may
-- change the item that it belongs to.

create table portal.resource_link (
  source_id integer not null references portal.resource on delete cascade,
  target_id integer not null references portal.resource on delete cascade,
  primary key (source_id, target_id),
  constraint resource_link_to_another check (source_id <> target_id)
);
create index resource_link_target on portal.resource_link (target_id);
alter table portal.resource_link enable row level security;
create policy seen on portal.resource_link for all to survest_anon, survest_user, survest_admin
  using (exists (select from portal.resource r where r.id = source_id)
    and exists (select from portal.resource r where r.id = target_id));
create trigger guard before insert or update or delete on portal.resource_link
  for each row when (pg_catalog.row_security_active('portal.resource_link'))
  execute function portal_private.guard_part('12', 'source_id');
grant select on portal.resource_link to survest_anon, survest_user, survest_admin;
grant insert, delete on portal.resource_link to survest_user, survest_admin;
