-- For operators: which copies of the program are alive, how jobs stand, who uses how much space and may; and how long the audit log is kept.

-- Copies of the program: each says every few seconds that it is there.
create table portal_private.program_copy (
  id uuid primary key,
  host text not null check (length(host) <= 255),
  pid integer not null,
  version text not null check (length(version) <= 100),
  services text not null check (services in ('all', 'portal', 'worker')),
  started timestamptz not null default now(),
  seen timestamptz not null default now(),
  is_stopping boolean not null default false
);
alter table portal_private.program_copy enable row level security;

create function portal.beat(copy uuid, on_host text, process integer, its_version text, its_services text, stopping boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.program_copy as c (id, host, pid, version, services, is_stopping)
    values (copy, left(on_host, 255), process, left(its_version, 100), its_services, stopping)
    on conflict (id) do update set seen = now(), is_stopping = stopping;
  -- Who was killed could not take its leave.
  delete from portal_private.program_copy c where c.seen < now() - interval '1 day';
end
$$;

create function portal.leave(copy uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from portal_private.program_copy c where c.id = copy;
end
$$;

-- Space: the table of a layer with its indexes, files of documents, rasters, files of uploads. The allowance of an account is its own row here, or what
-- the settings of the program say for everybody (0: as much as there is).
create table portal_private.storage_default (
  only_row boolean primary key default true check (only_row),
  bytes bigint not null default 0 check (bytes >= 0)
);
insert into portal_private.storage_default default values;
alter table portal_private.storage_default enable row level security;
create table portal_private.storage_quota (
  account_id integer primary key references portal.account on delete cascade,
  -- 0: as much as there is.
  bytes bigint not null check (bytes >= 0)
);
alter table portal_private.storage_quota enable row level security;

create function portal_private.storage_of(account integer)
returns table (layers bigint, files bigint)
language sql stable
begin atomic
  select coalesce((select sum(pg_total_relation_size(c.oid)) from portal.resource r
                     join portal_private.layer_table t on t.resource_id = r.id
                     join pg_class c on c.relname = t.table_name and c.relnamespace = (select n.oid from pg_namespace n where n.nspname = 'layers')
                    where r.owner_id = storage_of.account), 0)::bigint,
         (coalesce((select sum(f.size) from portal.resource r join portal.document_file f on f.resource_id = r.id where r.owner_id = storage_of.account), 0)
        + coalesce((select sum(f.size) from portal.resource r join portal.raster f on f.resource_id = r.id where r.owner_id = storage_of.account), 0)
        + coalesce((select sum(f.size) from portal.upload u join portal.upload_file f on f.upload_id = u.id where u.user_id = storage_of.account), 0))::bigint;
end;

-- Null: no limit.
create function portal_private.storage_allowed(account integer) returns bigint
language sql stable
return nullif(coalesce((select q.bytes from portal_private.storage_quota q where q.account_id = storage_allowed.account),
                       (select d.bytes from portal_private.storage_default d)), 0);

-- Before something is stored, and when what refers to it is written.
create function portal.check_storage(more bigint) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal_private.find_me();
  allowed bigint;
  used bigint;
begin
  if me is null then
    return;
  end if;
  allowed := portal_private.storage_allowed(me);
  if allowed is null then
    return;
  end if;
  select s.layers + s.files into used from portal_private.storage_of(me) s;
  if used + greatest(more, 0) > allowed then
    raise exception using errcode = 'SV413',
      message = format('Your layers and files use %s of the %s that your account is allowed%s. Delete something, or ask an administrator for more.',
                       pg_size_pretty(used), pg_size_pretty(allowed),
                       case when more > 0 then format(', and this has %s', pg_size_pretty(more)) else '' end);
  end if;
end
$$;

create function portal_private.check_storage_after() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.check_storage(0);
  return null;
end
$$;
create trigger storage after insert or update on portal.document_file for each statement execute function portal_private.check_storage_after();
create trigger storage after insert on portal.upload_file for each statement execute function portal_private.check_storage_after();

create function portal.set_storage_default(allowed bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update portal_private.storage_default d set bytes = allowed where d.bytes <> allowed;
end
$$;

-- Null: what the settings say for everybody; 0: no limit.
create function portal.set_storage_quota(account integer, allowed bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  named text := (select a.username from portal.account a where a.id = account and a.id > 0);
begin
  if not portal_private.find_admin() then
    perform portal_private.refuse('only administrators change how much space an account may use');
  end if;
  if named is null then
    raise exception 'There is no such account.' using errcode = 'P0002';
  end if;
  if allowed is null then
    delete from portal_private.storage_quota q where q.account_id = account;
  else
    insert into portal_private.storage_quota as q (account_id, bytes) values (account, allowed)
      on conflict (account_id) do update set bytes = allowed;
  end if;
  perform portal_private.audit_note('quota-changed', 'account', account, named, jsonb_build_object('bytes', allowed));
end
$$;

-- Administrators see everybody who uses any, the most first; others themselves.
create function portal.storage_use(most integer)
returns table (pk integer, username text, layers bigint, files bigint, used bigint, allowed bigint, quota bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  me integer := portal_private.find_me();
  all_of_them boolean := portal_private.find_admin();
begin
  return query
    select a.id, a.username::text, s.layers, s.files, s.layers + s.files, portal_private.storage_allowed(a.id), q.bytes
      from portal.account a
      cross join lateral portal_private.storage_of(a.id) s
      left join portal_private.storage_quota q on q.account_id = a.id
     where a.id > 0 and (a.id = me or all_of_them and (s.layers + s.files > 0 or q.account_id is not null))
     order by 5 desc, 1 limit least(most, 1000);
end
$$;

create function portal_private.moment(at timestamptz) returns text
language sql stable
return to_char(moment.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The state of everything, for administrators and the program's own commands.
create function portal.operation_status() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not portal_private.find_admin() then
    perform portal_private.refuse('only administrators see how the program runs');
  end if;
  return jsonb_build_object(
    'mode', (select jsonb_build_object('mode', m.mode, 'message', m.message, 'since', case when m.mode <> 'normal' then portal_private.moment(m.since) end) from portal_private.service_mode m),
    'copies', coalesce((select jsonb_agg(jsonb_build_object('host', c.host, 'pid', c.pid, 'version', c.version, 'services', c.services,
        'started', portal_private.moment(c.started), 'silent_seconds', round(extract(epoch from now() - c.seen)),
        'state', case when c.seen < now() - interval '60 seconds' then 'silent' when c.is_stopping then 'stopping' else 'alive' end)
        order by c.started) from (select * from portal_private.program_copy order by seen desc limit 100) c), '[]'),
    'queues', coalesce((select jsonb_agg(to_jsonb(q) order by q.queue) from (
        select j.name as queue, count(*) filter (where j.state in ('created', 'retry')) as waiting, count(*) filter (where j.state = 'active') as active,
               count(*) filter (where j.state = 'failed') as failed,
               coalesce(round(extract(epoch from now() - min(j.start_after) filter (where j.state in ('created', 'retry') and j.start_after <= now()))), 0) as waiting_seconds
          from jobs.job j where j.state in ('created', 'retry', 'active', 'failed') group by j.name) q), '[]'),
    'failed_jobs', coalesce((select jsonb_agg(to_jsonb(f)) from (
        select j.name as queue, j.id, portal_private.moment(j.completed_on) as at, j.retry_count + 1 as attempts, left(coalesce(j.output ->> 'message', j.output::text), 1000) as message
          from jobs.job j where j.state = 'failed' order by j.completed_on desc nulls last limit 20) f), '[]'),
    'uploads', coalesce((select jsonb_object_agg(u.state, u.n) from (select state, count(*) as n from portal.upload group by state) u), '{}'),
    'failed_uploads', coalesce((select jsonb_agg(to_jsonb(f)) from (
        select u.id, u.name, portal_private.moment(u.date) as at, a.username as owner, left(u.session ->> 'error_msg', 1000) as message
          from portal.upload u left join portal.account a on a.id = u.user_id where u.state = 'INVALID' order by u.date desc, u.id desc limit 20) f), '[]'),
    'database', jsonb_build_object('bytes', pg_database_size(current_database()), 'version', current_setting('server_version'),
        'connections', (select count(*) from pg_stat_activity s where s.datname = current_database()),
        'replicas', coalesce((select jsonb_agg(jsonb_build_object('name', r.application_name, 'state', r.state,
            'lag_seconds', round(extract(epoch from r.replay_lag)::numeric, 1))) from pg_stat_replication r where r.state is not null), '[]')),
    'storage', jsonb_build_object(
        'layers', coalesce((select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                             where n.nspname = 'layers' and c.relkind in ('r', 'm')), 0),
        'files', coalesce((select sum(f.size) from portal.document_file f), 0) + coalesce((select sum(f.size) from portal.raster f), 0)
               + coalesce((select sum(f.size) from portal.upload_file f), 0)),
    'audit', jsonb_build_object('entries', (select count(*) from portal_private.audit), 'since', (select portal_private.moment(min(e.at)) from portal_private.audit e)));
end
$$;

-- The audit log is kept for as long as the settings say. Removal is an act like others, and recorded.
create or replace function portal_private.refuse_audit_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' and current_setting('survest.trims_audit', true) = 'on' then
    return null;
  end if;
  raise exception 'Entries of the audit log are not changed.' using errcode = 'insufficient_privilege';
end
$$;

create index audit_at on portal_private.audit (at);
create index audit_act on portal_private.audit (act, id);
create index audit_actor on portal_private.audit (actor, id);

create function portal.trim_audit(days integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone integer;
  until timestamptz := now() - make_interval(days => days);
begin
  if days is null or days < 1 then
    return 0;
  end if;
  perform set_config('survest.trims_audit', 'on', true);
  delete from portal_private.audit e where e.id in (select o.id from portal_private.audit o where o.at < until order by o.at limit 100000);
  get diagnostics gone = row_count;
  perform set_config('survest.trims_audit', 'off', true);
  if gone > 0 then
    perform portal_private.audit_note('audit-trimmed', 'audit', null, null, jsonb_build_object('entries', gone, 'days', days, 'before', until));
  end if;
  return gone;
end
$$;

create function portal.find_audit_entries(below bigint, most integer, acts text[], who text, about text, since timestamptz, until timestamptz)
returns table (id bigint, at timestamptz, actor integer, actor_name text, act text, subject text, subject_id integer, name text, detail jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
begin
  if not portal_private.find_admin() then
    perform portal_private.refuse('only administrators read the audit log');
  end if;
  return query
    select e.id, e.at, e.actor, e.actor_name, e.act, e.subject, e.subject_id, e.name, e.detail
      from portal_private.audit e
     where e.id < coalesce(below, 9223372036854775807)
       and (acts is null or e.act = any (acts))
       and (who is null or lower(e.actor_name) = lower(who))
       and (about is null or position(lower(about) in lower(coalesce(e.name, ''))) > 0)
       and (since is null or e.at >= since) and (until is null or e.at < until)
     order by e.id desc limit most;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.beat(uuid, text, integer, text, text, boolean), portal.leave(uuid), portal.check_storage(bigint), portal.set_storage_default(bigint),
  portal.set_storage_quota(integer, bigint), portal.storage_use(integer), portal.operation_status(), portal.trim_audit(integer),
  portal.find_audit_entries(bigint, integer, text[], text, text, timestamptz, timestamptz) from public;
grant execute on function portal.beat(uuid, text, integer, text, text, boolean), portal.leave(uuid), portal.set_storage_default(bigint), portal.trim_audit(integer)
  to survest_authenticator;
grant execute on function portal.check_storage(bigint), portal.storage_use(integer) to survest_user, survest_admin;
grant execute on function portal.set_storage_quota(integer, bigint), portal.operation_status() to survest_admin;
grant execute on function portal.find_audit_entries(bigint, integer, text[], text, text, timestamptz, timestamptz) to survest_user, survest_admin;
