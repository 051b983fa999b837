-- Where the data of a layer came from, when they were renewed last and by what, and how that compares with how often they were said to be renewed.

-- How long data may be without a change that were said to be renewed so often; null: nothing that could be late.
create or replace function portal_private.cadence(frequency text) returns interval
language sql immutable parallel safe
return case frequency
         when 'continual' then interval '1 day'
         when 'daily' then interval '1 day'
         when 'weekly' then interval '7 days'
         when 'fortnightly' then interval '14 days'
         when 'monthly' then interval '1 month'
         when 'quarterly' then interval '3 months'
         when 'biannually' then interval '6 months'
         when 'annually' then interval '1 year'
       end;

-- The last time that the data of a layer were renewed, and by what: of a file, by a process, by edits, by another service. Whatever was
-- last counts. None: nobody has noted any, as of a table of the database that others fill.
create or replace function portal_private.renewals(target integer) returns table (how text, renewed timestamptz, account text, origin text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  (select case when u.session ? 'process' then 'process' else 'upload' end, coalesce(u.finished, u.date), a.username::text,
          coalesce((select f.name from portal.upload_file f where f.upload_id = u.id and f.base order by f.id limit 1), u.session -> 'process' ->> 'id')
     from portal.upload_layer l join portal.upload u on u.id = l.upload_id left join portal.account a on a.id = u.user_id
    where l.resource_id = target and u.state = 'PROCESSED'
    order by u.id desc limit 1)
  union all
  (select 'edit', e.made_at, e.account, null from portal_private.layer_edit e where e.resource_id = target order by e.id desc limit 1)
  union all
  (select 'process', l.made_at, l.account, l.process from portal_private.layer_lineage l where l.resource_id = target)
  union all
  (select 'service', s.harvested, null, s.title
     from portal_private.remote_layer r join portal_private.remote_service s on s.id = r.service_id
    where r.resource_id = target and s.harvested is not null);
end;

-- When the data were renewed last, for callers who see the layer. What was made empty here was new when it was made.
create or replace function portal.data_updated(target integer) returns timestamptz
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not portal_private.sees(portal_private.who(), target) then
    return null;
  end if;
  return (select coalesce((select max(n.renewed) from portal_private.renewals(target) n),
                          case when r.resource_type = 'layer' and not r.is_registered and r.remote is null then r.created end)
            from portal.resource r where r.id = target);
end
$$;

-- `fresh` within the time that was declared, `due` for half as long again, `overdue` after that; null: nothing was declared, or nothing is known.
create or replace function portal.freshness(target integer) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  every interval := (select portal_private.cadence(r.maintenance_frequency) from portal.resource r where r.id = target);
  updated timestamptz;
begin
  if every is null then
    return null;
  end if;
  updated := portal.data_updated(target);
  return case when updated is null then null
              when now() <= updated + every then 'fresh'
              when now() <= updated + every * 1.5 then 'due'
              else 'overdue' end;
end
$$;

-- All of it at once, and what was made of the layer, for callers who see it. Who renewed it, and of which file, is told to those who may take the data
-- away, as its history is.
create or replace function portal.provenance(target integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  who portal_private.caller := portal_private.who();
  item record;
  knows boolean;
  latest record;
  updated timestamptz;
begin
  select r.resource_type, r.is_registered, r.remote is not null as is_remote, r.created, r.maintenance_frequency as frequency,
         portal_private.cadence(r.maintenance_frequency) as every
    into item from portal.resource r where r.id = target;
  perform portal_private.missing_if(not found or item.resource_type <> 'layer' or not portal_private.sees(who, target), 'There is no such layer.');
  knows := portal.may(target, 'download_resourcebase');
  select n.* into latest from portal_private.renewals(target) n order by n.renewed desc limit 1;
  updated := portal.data_updated(target);
  return jsonb_build_object(
    'source', case when item.is_remote then 'service'
                   when item.is_registered then 'table'
                   when exists (select from portal_private.layer_lineage l where l.resource_id = target) then 'process'
                   when exists (select from portal.upload_layer l where l.resource_id = target) then 'upload'
                   else 'form' end,
    'created', to_char(item.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'updated', to_char(updated at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'how', latest.how,
    'by', case when knows then latest.account end,
    'of', case when knows then latest.origin end,
    'frequency', item.frequency,
    'due', to_char((updated + item.every) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'freshness', portal.freshness(target),
    'made', (
      with made as (
        select r.id, r.title, portal_private.sees(who, r.id) as seen
          from portal_private.layer_lineage l join portal.resource r on r.id = l.resource_id
         where l.sources @> jsonb_build_array(jsonb_build_object('id', target)))
      select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title)), '[]')
        from (select m.id, m.title from made m where m.seen order by m.id limit 100) m));
end
$$;

grant execute on function
  portal.data_updated(integer), portal.freshness(integer), portal.provenance(integer)
  to survest_anon, survest_user, survest_admin;
