-- Who is asking: account, groups, what counts for the caller.

-- Who is asking, all of it, for functions that decide on one item.
create type portal_private.caller as (
  me integer,
  admin boolean,
  staff boolean,
  writable boolean, -- false for all but administrators while the portal is read-only
  principals integer[],
  rules integer
);
