-- Totals and facets that are known without counting.

-- Several rows of one kind add up. Whoever writes takes one that nobody else holds, or adds one: nobody waits for anybody.
create table portal_private.tally (
  is_public boolean not null,
  obstacles integer not null,
  resource_type text not null,
  items bigint not null
) with (fillfactor = 20);
alter table portal_private.tally enable row level security;

create table portal_private.facet_tally (
  facet text not null,
  key text not null,
  -- Public, and nothing in its way: seen by everybody, whatever the switches say. What nobody sees is not counted at all.
  is_open boolean not null,
  items bigint not null
) with (fillfactor = 50);
alter table portal_private.facet_tally enable row level security;
create index facet_tally_key on portal_private.facet_tally (facet, key, is_open);

create table portal_private.shared_item (
  principal integer not null,
  resource_id integer not null,
  resource_type text not null,
  obstacles integer not null
);
alter table portal_private.shared_item enable row level security;
-- Everything that is counted stands in the index. Nobody is told of an item twice, so it is no constraint, which would have to be looked at for every row.
create index shared_item_of on portal_private.shared_item (principal, resource_type, resource_id, obstacles);
