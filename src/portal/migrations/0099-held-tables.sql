-- A lock on the table of a layer for the time of one transaction, so that two that change its columns, or all of its rows, run one after the other:
-- what the second has read of the table is still so when it writes. It is taken before the first lock on the table itself; those would be taken
-- in steps, by both, and each would wait for the other. Readers and single edits are not held up by it.

create function portal_private.hold_number(target integer) returns bigint
language sql immutable
return hashtextextended('portal table ' || target, 0);

-- For callers who may change the rows of the layer; raises otherwise.
create function portal.hold_table(target integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.changeable_table(target);
  perform pg_advisory_xact_lock(portal_private.hold_number(target));
end
$$;

-- Both sides of a join, the lower number first, whichever of them is the layer; then what they are. Raises as `portal.join_sides` does.
create function portal.hold_join(target integer, source integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.join_sides(target, source);
  perform pg_advisory_xact_lock(portal_private.hold_number(least(target, source)));
  perform pg_advisory_xact_lock(portal_private.hold_number(greatest(target, source)));
  return portal.join_sides(target, source);
end
$$;

revoke all on function portal_private.hold_number(integer), portal.hold_table(integer), portal.hold_join(integer, integer) from public;
grant execute on function portal.hold_table(integer), portal.hold_join(integer, integer) to survest_user, survest_admin;
