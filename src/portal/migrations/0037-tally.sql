-- How many items there are of each kind that a total is made of, kept while they come, change and go: a total then costs what the
-- caller sees beyond the public items, and no longer what everybody sees. It is part of the same snapshot as the list, so both
-- always agree.

-- Several rows of one kind add up. Whoever writes takes one that nobody else holds, or adds one: nobody waits for anybody.
create table portal_private.tally (
  is_public boolean not null,
  obstacles integer not null,
  resource_type text not null,
  items bigint not null
) with (fillfactor = 20);
alter table portal_private.tally enable row level security;

create function portal_private.count_items(of_public boolean, of_obstacles integer, of_type text, more bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  free tid;
begin
  select t.ctid into free from portal_private.tally t
   where t.is_public = of_public and t.obstacles = of_obstacles and t.resource_type = of_type
   limit 1 for update skip locked;
  if found then
    update portal_private.tally t set items = t.items + more where t.ctid = free;
  else
    insert into portal_private.tally (is_public, obstacles, resource_type, items)
      values (of_public, of_obstacles, of_type, more);
  end if;
end
$$;

create function portal_private.after_items() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    perform portal_private.count_items(old.is_public, old.obstacles, old.resource_type, -1);
    perform portal_private.count_items(new.is_public, new.obstacles, new.resource_type, 1);
  else
    perform portal_private.count_items(c.is_public, c.obstacles, c.resource_type,
                                       case tg_op when 'INSERT' then count(*) else -count(*) end)
       from changed c group by c.is_public, c.obstacles, c.resource_type;
  end if;
  return null;
end
$$;
create trigger counted_insert after insert on portal.resource
  referencing new table as changed for each statement execute function portal_private.after_items();
create trigger counted_delete after delete on portal.resource
  referencing old table as changed for each statement execute function portal_private.after_items();
create trigger counted_update after update on portal.resource
  for each row when ((old.is_public, old.obstacles, old.resource_type)
    is distinct from (new.is_public, new.obstacles, new.resource_type))
  execute function portal_private.after_items();

-- How many items the caller sees, of one type or of all; `without`: only those that have none of these obstacles (2 not published,
-- 8 not approved). The same number as `select count(*) from portal.resource`: of the public items only those are looked at that
-- have something in their way, and of the others only those that are shared with the caller.
create function portal.visible_count(of_type text default null, without integer default 0) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  stopped integer[];
  counted bigint;
begin
  if who.admin then
    return (select coalesce(sum(t.items), 0) from portal_private.tally t
             where t.obstacles & (32 | without) = 0 and (of_type is null or t.resource_type = of_type));
  end if;
  select coalesce(sum(t.items), 0), array_agg(distinct t.obstacles) filter (where t.obstacles & who.rules <> 0)
    into counted, stopped
    from portal_private.tally t
   where t.is_public and t.obstacles & without = 0 and (of_type is null or t.resource_type = of_type);
  if stopped is not null then
    counted := counted - (select count(*) from portal.resource r
                           where r.is_public and r.obstacles = any (stopped) and (of_type is null or r.resource_type = of_type)
                             and not portal_private.excuses(who, r.id, r.owner_id, r.private_group, r.obstacles));
  end if;
  -- `offset 0`: by their viewers, and not by their type, of which there may be very many.
  return counted + (select count(*)
                      from (select * from portal.resource x where x.viewers && who.principals offset 0) r
                     where (of_type is null or r.resource_type = of_type) and r.obstacles & without = 0
                       and (r.obstacles & who.rules = 0
                         or portal_private.excuses(who, r.id, r.owner_id, r.private_group, r.obstacles)));
end
$$;

revoke all on function portal.visible_count(text, integer) from public;
grant execute on function portal.visible_count(text, integer) to survest_anon, survest_user, survest_admin;
revoke all on all functions in schema portal_private from public;
