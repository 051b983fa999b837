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

create or replace function portal_private.audit_note(act text, subject text, subject_id integer, name text, detail jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal_private.find_me();
begin
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    values (me, (select a.username from portal.account a where a.id = me), act, subject, subject_id, left(name, 300), detail);
end
$$;

-- Sign-ins: sessions by their trigger, the others by the service. Failures are noted as often as a password was compared, which is throttled.
-- What is noted of them: browsers that sign in, tokens that are made and revoked. A script's password is noted where it is compared.
create or replace function portal_private.audit_session() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  noted portal_private.session;
  kind text;
begin
  if tg_op = 'DELETE' then
    noted := old;
  else
    noted := new;
  end if;
  kind := coalesce(noted.data ->> 'kind', 'browser');
  if kind = 'script' or (tg_op = 'DELETE' and (kind <> 'token' or noted.expires <= now())) then
    return null;
  end if;
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    select a.id, a.username,
           case when kind = 'browser' then 'sign-in' when tg_op = 'INSERT' then 'token-made' else 'token-revoked' end,
           'account', a.id, a.username,
           case when kind = 'token' then jsonb_build_object('name', noted.data ->> 'name', 'scope', noted.data ->> 'scope') end
      from portal.account a where a.id = noted.account_id;
  return null;
end
$$;

create or replace function portal.note_sign_in(account_name text, client text, succeeded boolean) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    select a.id, a.username, case when succeeded then 'sign-in' else 'sign-in-failed' end, 'account', a.id, left(account_name, 300),
           jsonb_build_object('address', left(client, 100))
      from (select) one left join portal.account a on lower(a.username) = lower(account_name)
$$;

-- Accounts, groups, members. `audit_made(what, column)`: the column has the name.
create or replace function portal_private.audit_made() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made jsonb := to_jsonb(coalesce(new, old));
begin
  perform portal_private.audit_note(case tg_op when 'INSERT' then 'created' else 'deleted' end, tg_argv[0], (made ->> 'id')::integer, made ->> tg_argv[1], null);
  return null;
end
$$;

create or replace function portal_private.audit_account_detail() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('changed', 'account', new.account_id, (select a.username from portal.account a where a.id = new.account_id),
    jsonb_build_object('is_active', new.is_active, 'is_staff', new.is_staff, 'is_superuser', new.is_superuser));
  return null;
end
$$;

create or replace function portal_private.audit_password() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('password-changed', 'account', new.account_id,
    (select a.username from portal.account a where a.id = new.account_id), null);
  return null;
end
$$;

create or replace function portal_private.audit_member() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  in_group integer := coalesce(new.group_id, old.group_id);
  who integer := coalesce(new.account_id, old.account_id);
begin
  perform portal_private.audit_note(case tg_op when 'INSERT' then 'member-added' when 'DELETE' then 'member-removed' else 'member-changed' end,
    'group', in_group, (select u.title from portal.user_group u where u.id = in_group),
    jsonb_build_object('account', who, 'username', (select a.username from portal.account a where a.id = who), 'is_manager', new.is_manager));
  return null;
end
$$;

-- Switches, and what else administrators set. Its arguments are the column that names it and the one that holds its value.
create or replace function portal_private.audit_setting() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('setting-changed', 'setting', null,
    case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0], to_jsonb(new) -> tg_argv[1]);
  return null;
end
$$;

create or replace function portal.trim_audit(days integer) returns integer
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

create or replace function portal.find_audit_entries(below bigint, most integer, acts text[], who text, about text, since timestamptz, until timestamptz)
returns table (id bigint, at timestamptz, actor integer, actor_name text, act text, subject text, subject_id integer, name text, detail jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
begin
  perform portal_private.refuse_if(not portal_private.find_admin(), 'only administrators read the audit log');
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

create or replace function portal_private.audit_provider_identity() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('identity-linked', 'account', new.account_id,
    (select a.username from portal.account a where a.id = new.account_id), jsonb_build_object('issuer', new.issuer));
  return null;
end
$$;

create or replace function portal_private.audit_factor(act text, account integer, factor text) returns void
language sql set search_path = pg_catalog, pg_temp as $$
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    select coalesce(portal_private.find_me(), account), (select b.username from portal.account b where b.id = coalesce(portal_private.find_me(), account)),
           audit_factor.act, 'account', a.id, a.username, jsonb_build_object('factor', factor)
      from portal.account a where a.id = account
$$;

create or replace function portal_private.audit_comment(act text, c portal_private.comment) returns void
language sql as $$
  select portal_private.audit_note(act, r.resource_type, r.id, r.title, jsonb_build_object('comment', c.id,
      'author', (select a.username from portal.account a where a.id = c.account_id), 'body', left(c.body, 300)))
     from portal.resource r where r.id = c.resource_id
$$;

grant execute on function
  portal.note_sign_in(text,text,boolean), portal.trim_audit(integer)
  to survest_authenticator;

grant execute on function
  portal.find_audit_entries(bigint,integer,text[],text,text,timestamp with time zone,timestamp with time zone)
  to survest_user, survest_admin;
