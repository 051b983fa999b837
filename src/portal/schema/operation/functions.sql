create or replace function portal.service_mode() returns table (mode text, message text, since timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query select m.mode, m.message, m.since from portal_private.service_mode m;
end
$$;

create or replace function portal.set_service_mode(wanted text, said text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  told text := coalesce(nullif(btrim(said), ''), case wanted
    when 'read-only' then 'Nothing can be changed at the moment. Please come again later.'
    when 'maintenance' then 'The portal is being maintained. Please come again later.' else '' end);
begin
  perform portal_private.refuse_if(not portal_private.find_admin(), 'only administrators change the mode of service');
  perform portal_private.invalid_if(wanted is null or wanted not in ('normal', 'read-only', 'maintenance'),
    'The mode must be one of normal, read-only, maintenance.');
  perform portal_private.invalid_if(length(told) > 500 or told ~ '[[:cntrl:]]', 'The message must be one line of at most 500 characters.');
  if wanted = 'normal' then
    told := '';
  end if;
  update portal_private.service_mode m
     set since = case when m.mode = wanted then m.since else now() end, mode = wanted, message = told
   where (m.mode, m.message) is distinct from (wanted, told);
  if found then
    perform portal_private.audit_note('mode-changed', 'setting', null, wanted, jsonb_build_object('message', told));
  end if;
end
$$;

-- Called in the scope of every batch of a caller that may write.
-- A token that may only read may send what is too long for an address, such as a filter of a WFS; what would write is refused here.
create or replace function portal.check_writable() returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  now_in portal_private.service_mode;
begin
  if current_setting('request.method', true) not in ('GET', 'HEAD', 'OPTIONS')
     and not coalesce(portal_private.token_scope(), 'write') ~ '(^| )write( |$)' then
    raise exception 'This token may only read.' using errcode = 'insufficient_privilege';
  end if;
  select * into now_in from portal_private.service_mode;
  if now_in.mode = 'normal' or now_in.mode = 'maintenance' and portal_private.find_admin() then
    return;
  end if;
  raise exception '%', now_in.message using errcode = 'SV503', hint = now_in.mode;
end
$$;

create or replace function portal.beat(copy uuid, on_host text, process integer, its_version text, its_services text, stopping boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.program_copy as c (id, host, pid, version, services, is_stopping)
    values (copy, left(on_host, 255), process, left(its_version, 100), its_services, stopping)
    on conflict (id) do update set seen = now(), is_stopping = stopping;
  -- Who was killed could not take its leave.
  delete from portal_private.program_copy c where c.seen < now() - interval '1 day';
end
$$;

create or replace function portal.leave(copy uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from portal_private.program_copy c where c.id = copy
$$;

create or replace function portal_private.storage_of(account integer)
returns table (layers bigint, files bigint)
language sql stable
begin atomic
  select coalesce((select sum(pg_total_relation_size(c.oid)) from portal.resource r
                     join portal_private.layer_table t on t.resource_id = r.id
                     join pg_class c on c.relname = t.table_name and c.relnamespace = (select n.oid from pg_namespace n where n.nspname = 'layers')
                    where r.owner_id = storage_of.account), 0)::bigint,
         (coalesce((select sum(f.size) from portal.resource r join portal.document_file f on f.resource_id = r.id where r.owner_id = storage_of.account), 0)
        + coalesce((select sum(f.size) from portal.resource r join portal.raster f on f.resource_id = r.id where r.owner_id = storage_of.account), 0)
        + coalesce((select sum(f.size) from portal.upload u join portal.upload_file f on f.upload_id = u.id where u.user_id = storage_of.account), 0)
        + coalesce((select sum(f.received) from portal_private.sent_file f where f.account_id = storage_of.account), 0))::bigint;
end;

-- Null: no limit.
create or replace function portal_private.storage_allowed(account integer) returns bigint
language sql stable
return nullif(coalesce((select q.bytes from portal_private.storage_quota q where q.account_id = storage_allowed.account),
                       (select d.bytes from portal_private.storage_default d)), 0);

-- Before something is stored, and when what refers to it is written.
create or replace function portal.check_storage(more bigint) returns void
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

create or replace function portal_private.check_storage_after() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal.check_storage(0);
  return null;
end
$$;

create or replace function portal.set_storage_default(allowed bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update portal_private.storage_default d set bytes = allowed where d.bytes <> allowed
$$;

-- Null: what the settings say for everybody; 0: no limit.
create or replace function portal.set_storage_quota(account integer, allowed bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  named text := (select a.username from portal.account a where a.id = account and a.id > 0);
begin
  perform portal_private.refuse_if(not portal_private.find_admin(), 'only administrators change how much space an account may use');
  perform portal_private.missing_if(named is null, 'There is no such account.');
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
create or replace function portal.storage_use(most integer)
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

-- The state of everything, for administrators and the program's own commands.
create or replace function portal.operation_status() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.refuse_if(not portal_private.find_admin(), 'only administrators see how the program runs');
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
        'layers', portal_private.space_of_layers(),
        'files', coalesce((select sum(f.size) from portal.document_file f), 0) + coalesce((select sum(f.size) from portal.raster f), 0)
               + coalesce((select sum(f.size) from portal.upload_file f), 0)
               + coalesce((select sum(f.received) from portal_private.sent_file f), 0)),
    'audit', jsonb_build_object('entries', (select count(*) from portal_private.audit), 'since', (select portal_private.moment(min(e.at)) from portal_private.audit e)));
end
$$;

grant execute on function
  portal.set_service_mode(text,text), portal.set_storage_quota(integer,bigint), portal.operation_status()
  to survest_admin;

grant execute on function
  portal.service_mode(), portal.beat(uuid,text,integer,text,text,boolean), portal.leave(uuid), portal.set_storage_default(bigint)
  to survest_authenticator;

grant execute on function
  portal.check_storage(bigint), portal.storage_use(integer)
  to survest_user, survest_admin;

grant execute on function
  portal.check_writable()
  to survest_anon, survest_user, survest_admin, survest_authenticator;
