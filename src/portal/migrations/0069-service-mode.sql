-- The mode of service: normal, read-only (nobody writes), maintenance (nobody but administrators gets in), with a message for people. One row,
-- so that all copies of the program follow it. Writes are refused here and not by the copies, so that none is accepted once the mode is set;
-- what has begun may end.

create table portal_private.service_mode (
  only_row boolean primary key default true check (only_row),
  mode text not null default 'normal' check (mode in ('normal', 'read-only', 'maintenance')),
  message text not null default '' check (length(message) <= 500 and message !~ '[[:cntrl:]]'),
  since timestamptz not null default now()
);
insert into portal_private.service_mode default values;
alter table portal_private.service_mode enable row level security;

create function portal.service_mode() returns table (mode text, message text, since timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1 as $$
begin
  return query select m.mode, m.message, m.since from portal_private.service_mode m;
end
$$;

create function portal.set_service_mode(wanted text, said text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  told text := coalesce(nullif(btrim(said), ''), case wanted
    when 'read-only' then 'Nothing can be changed at the moment. Please come again later.'
    when 'maintenance' then 'The portal is being maintained. Please come again later.' else '' end);
begin
  if not portal_private.find_admin() then
    perform portal_private.refuse('only administrators change the mode of service');
  end if;
  if wanted is null or wanted not in ('normal', 'read-only', 'maintenance') then
    raise exception 'The mode must be one of normal, read-only, maintenance.' using errcode = '22023';
  end if;
  if length(told) > 500 or told ~ '[[:cntrl:]]' then
    raise exception 'The message must be one line of at most 500 characters.' using errcode = '22023';
  end if;
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

-- Called in the scope of every flight of a caller that may write.
create function portal.check_writable() returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  now_in portal_private.service_mode;
begin
  select * into now_in from portal_private.service_mode;
  if now_in.mode = 'normal' or now_in.mode = 'maintenance' and portal_private.find_admin() then
    return;
  end if;
  raise exception '%', now_in.message using errcode = 'SV503', hint = now_in.mode;
end
$$;

revoke all on function portal.service_mode(), portal.set_service_mode(text, text), portal.check_writable() from public;
grant execute on function portal.set_service_mode(text, text) to survest_admin;
grant execute on function portal.check_writable() to survest_anon, survest_user, survest_admin, survest_authenticator;
grant execute on function portal.service_mode() to survest_authenticator;
