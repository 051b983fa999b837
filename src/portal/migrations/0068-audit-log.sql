-- The audit log: who signed in or failed to, whose permissions, memberships and accounts were changed, what was deleted, which switches
-- were turned. Each entry is written by a trigger in the transaction of the act, so there is none without the other. Entries are only added:
-- no role of the program reaches the table, and a trigger refuses every change, to its owner as well.

create table portal_private.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Names are kept as they were: accounts and items may be gone when somebody reads this.
  actor integer,
  actor_name text,
  act text not null,
  subject text not null,
  subject_id integer,
  name text,
  detail jsonb
);
alter table portal_private.audit enable row level security;

create function portal_private.refuse_audit_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'Entries of the audit log are not changed.' using errcode = 'insufficient_privilege';
end
$$;
create trigger only_added before update or delete or truncate on portal_private.audit
  for each statement execute function portal_private.refuse_audit_change();

create function portal_private.audit_note(act text, subject text, subject_id integer, name text, detail jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me integer := portal_private.find_me();
begin
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    values (me, (select a.username from portal.account a where a.id = me), act, subject, subject_id, left(name, 300), detail);
end
$$;

-- Sign-ins: sessions by their trigger, the others by the service. Failures are noted as often as a password was compared, which is throttled.
create function portal_private.audit_session() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name)
    select a.id, a.username, 'sign-in', 'account', a.id, a.username from portal.account a where a.id = new.account_id;
  return null;
end
$$;
create trigger audit after insert on portal_private.session for each row execute function portal_private.audit_session();

create function portal.note_sign_in(account_name text, client text, succeeded boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into portal_private.audit (actor, actor_name, act, subject, subject_id, name, detail)
    select a.id, a.username, case when succeeded then 'sign-in' else 'sign-in-failed' end, 'account', a.id, left(account_name, 300),
           jsonb_build_object('address', left(client, 100))
      from (select) one left join portal.account a on lower(a.username) = lower(account_name);
end
$$;

-- Deletions.
create function portal_private.audit_item_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('deleted', old.resource_type, old.id, old.title, jsonb_build_object('owner', old.owner_id));
  return null;
end
$$;
create trigger audit after delete on portal.resource for each row execute function portal_private.audit_item_gone();

-- Permissions: one entry for each item of a statement. What an item begins with is none, nor what goes with it.
create function portal_private.audit_grants() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  changed_item record;
begin
  for changed_item in
    select r.id, r.resource_type, r.title,
           jsonb_object_agg(case when g.principal > 0 then coalesce('user ' || a.username, g.principal::text)
                                 when g.principal < 0 then coalesce('group ' || u.slug, g.principal::text) else 'user AnonymousUser' end,
                            to_jsonb(portal.perm_names(g.perms))) as grants
      from changed g
      join portal.resource r on r.id = g.resource_id and r.created <> now()
      left join portal.account a on a.id = g.principal
      left join portal.user_group u on u.id = -g.principal
     group by r.id
  loop
    perform portal_private.audit_note(tg_argv[0], changed_item.resource_type, changed_item.id, changed_item.title, changed_item.grants);
  end loop;
  return null;
end
$$;
create trigger audit_insert after insert on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.audit_grants('granted');
create trigger audit_update after update on portal_private.resource_grant referencing new table as changed
  for each statement execute function portal_private.audit_grants('granted');
create trigger audit_delete after delete on portal_private.resource_grant referencing old table as changed
  for each statement execute function portal_private.audit_grants('revoked');

-- Accounts, groups, members.
create function portal_private.audit_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note(case tg_op when 'INSERT' then 'created' else 'deleted' end, 'account', coalesce(new.id, old.id),
    coalesce(new.username, old.username), null);
  return null;
end
$$;
create trigger audit after insert or delete on portal.account for each row execute function portal_private.audit_account();

create function portal_private.audit_account_detail() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('changed', 'account', new.account_id, (select a.username from portal.account a where a.id = new.account_id),
    jsonb_build_object('is_active', new.is_active, 'is_staff', new.is_staff, 'is_superuser', new.is_superuser));
  return null;
end
$$;
create trigger audit after update on portal.account_detail for each row
  when ((old.is_active, old.is_staff, old.is_superuser) is distinct from (new.is_active, new.is_staff, new.is_superuser))
  execute function portal_private.audit_account_detail();

create function portal_private.audit_password() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('password-changed', 'account', new.account_id,
    (select a.username from portal.account a where a.id = new.account_id), null);
  return null;
end
$$;
create trigger audit after update of password_hash on portal_private.credential for each row
  when (old.password_hash is distinct from new.password_hash) execute function portal_private.audit_password();

create function portal_private.audit_group() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note(case tg_op when 'INSERT' then 'created' else 'deleted' end, 'group', coalesce(new.id, old.id),
    coalesce(new.title, old.title), null);
  return null;
end
$$;
create trigger audit after insert or delete on portal.user_group for each row execute function portal_private.audit_group();

create function portal_private.audit_member() returns trigger
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
create trigger audit after insert or update or delete on portal.group_member for each row execute function portal_private.audit_member();

-- Switches.
create function portal_private.audit_setting() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform portal_private.audit_note('setting-changed', 'setting', null, new.name, to_jsonb(new.value));
  return null;
end
$$;
create trigger audit after update on portal.setting for each row
  when (old.value is distinct from new.value) execute function portal_private.audit_setting();

-- For administrators: the newest first, below an id.
create function portal.audit_entries(below bigint, most integer)
returns table (id bigint, at timestamptz, actor integer, actor_name text, act text, subject text, subject_id integer, name text, detail jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
begin
  if not portal_private.find_admin() then
    perform portal_private.refuse('only administrators read the audit log');
  end if;
  return query
    select e.id, e.at, e.actor, e.actor_name, e.act, e.subject, e.subject_id, e.name, e.detail
      from portal_private.audit e where e.id < coalesce(below, 9223372036854775807) order by e.id desc limit most;
end
$$;

revoke all on all functions in schema portal_private from public;
revoke all on function portal.note_sign_in(text, text, boolean), portal.audit_entries(bigint, integer) from public;
grant execute on function portal.note_sign_in(text, text, boolean) to survest_authenticator;
grant execute on function portal.audit_entries(bigint, integer) to survest_user, survest_admin;
