-- Tables that are followed by logical decoding: members of the publication survest_live. Nothing is recorded when they are written to; the service
-- reads their keys from the server's log.

-- Follows a table, and its children, by logical decoding instead of triggers: needs the rights of its owner, and of the publication's. Partitions are
-- part of their table. Following it again changes nothing.
create or replace function survest_live.publish(relation regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  one record;
  keyless regclass;
begin
  if (select c.relkind from pg_class c where c.oid = relation) not in ('r', 'p') then
    raise exception '% is no table', relation using errcode = 'wrong_object_type',
      hint = 'A view is followed by its tables.';
  end if;
  -- PostgreSQL refuses to update rows of a published table that it cannot name, and would do so from the next update on.
  with recursive family (oid) as (
    select relation::oid union select i.inhrelid from family f join pg_inherits i on i.inhparent = f.oid
  )
  select f.oid into keyless from family f join pg_class c on c.oid = f.oid
  where c.relkind in ('r', 'p')
    and (c.relreplident = 'n'
      or c.relreplident = 'd' and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary))
  limit 1;
  if keyless is not null then
    raise exception '% has no primary key by which logical decoding could name its rows', keyless using errcode = 'object_not_in_prerequisite_state',
      hint = format('Add one, or say ALTER TABLE %s REPLICA IDENTITY FULL, or follow it by triggers (--triggers).', keyless);
  end if;
  if not exists (select from pg_publication p where p.pubname = 'survest_live') then
    create publication survest_live with (publish_via_partition_root = true);
  end if;
  for one in
    with recursive family (oid) as (
      select relation::oid
      union
      select i.inhrelid from family f join pg_inherits i on i.inhparent = f.oid join pg_class c on c.oid = i.inhrelid
      where not c.relispartition
    )
    select f.oid::regclass as name,
      -- Nothing but the key leaves the server, where it can be told so (from PostgreSQL 15 on).
      case when c.relreplident = 'd' and current_setting('server_version_num')::integer >= 150000 then (
        select format('(%s)', string_agg(format('%I', a.attname), ', ' order by a.attnum))
        from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
        where i.indrelid = c.oid and i.indisprimary
      ) else '' end as columns
    from family f join pg_class c on c.oid = f.oid
    where c.relkind in ('r', 'p') and not exists (
      select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid where p.pubname = 'survest_live' and r.prrelid = f.oid
    )
  loop
    execute format('alter publication survest_live add table only %s %s', one.name, one.columns);
  end loop;
end
$$;

create or replace function survest_live.unpublish(relation regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  one regclass;
begin
  for one in
    with recursive family (oid) as (
      select relation::oid union select i.inhrelid from family f join pg_inherits i on i.inhparent = f.oid
    )
    select r.prrelid from family f join pg_publication_rel r on r.prrelid = f.oid join pg_publication p on p.oid = r.prpubid
    where p.pubname = 'survest_live'
  loop
    execute format('alter publication survest_live drop table only %s', one);
  end loop;
end
$$;

-- Streams of the table look at everything again, and at how it is followed.
create or replace function survest_live.refollowed(relation regclass) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  insert into survest_live.change (relation) values (relation);
  select pg_notify('survest_live', '');
$$;

revoke all on function survest_live.publish(regclass), survest_live.unpublish(regclass), survest_live.refollowed(regclass) from public;
