-- The role of the statement. Inside a security definer function current_user is the definer, but `role` still is what the
-- service has set; without SET ROLE it is the role that logged in.
create or replace function portal_private.caller_role() returns text
language sql stable parallel safe
return coalesce(nullif(nullif(current_setting('role', true), 'none'), ''), session_user::text);

-- The account number of the claims. Tokens of a foreign issuer may carry anything as sub: that is nobody, not an error.
create or replace function portal_private.claimed_account() returns integer
language plpgsql stable parallel safe as $$
declare
  sub text := nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub';
begin
  return case when sub ~ '^[1-9][0-9]{0,8}$' and portal_private.caller_role() <> 'survest_anon' then sub::integer end;
end
$$;

-- Account id; null for visitors, for deactivated and for deleted accounts.
create or replace function portal_private.find_me() returns integer
language plpgsql stable parallel safe as $$
declare
  claimed integer := portal_private.claimed_account();
begin
  if claimed is null then
    return null;
  end if;
  return (select d.account_id from portal.account_detail d where d.account_id = claimed and d.is_active);
end
$$;

-- An administrator is who runs as survest_admin and, where the claims name an account, is an active superuser still.
-- Without an account it is the service itself, or an operator who holds the signing key.
create or replace function portal_private.find_admin() returns boolean
language plpgsql stable parallel safe as $$
declare
  claimed integer;
begin
  if portal_private.caller_role() <> 'survest_admin' then
    return false;
  end if;
  claimed := portal_private.claimed_account();
  return claimed is null
      or exists (select from portal.account_detail d where d.account_id = claimed and d.is_active and d.is_superuser);
end
$$;

-- Staff may change whatever they see, and see every account.
create or replace function portal_private.find_staff(me integer, admin boolean) returns boolean
language plpgsql stable parallel safe as $$
begin
  return admin or (me is not null and (select d.is_staff from portal.account_detail d where d.account_id = me));
end
$$;

-- One number per principal: the account's id, the ids of its groups with a minus. Everybody is in `anonymous` (-1), every
-- account in `registered-members` (-2).
-- The link that the request came with is added by who knows the request.
create or replace function portal_private.find_principals(me integer) returns integer[]
language plpgsql stable parallel safe as $$
begin
  if me is null then
    return '{-1}';
  end if;
  return array[me, -1, -2] || array(select -g.group_id from portal.group_member g where g.account_id = me);
end
$$;

-- Which obstacles of an item (portal.resource.obstacles) count for the caller, one bit each.
--   1 visitors, moderated: not approved, or neither published nor in an open group
--   2 visitors, publishing: not published
--   4 visitors, private groups: in a private group
--   8 accounts, moderated and publishing: not approved
--  16 accounts, private groups: in a private group
--  32 everybody: metadata_only        64 all but administrators: dirty
create or replace function portal_private.find_rules(me integer, admin boolean) returns integer
language plpgsql stable parallel safe as $$
declare
  moderate boolean;
  publish boolean;
  private boolean;
begin
  if admin then
    return 32;
  end if;
  select bool_or(s.value) filter (where s.name = 'ADMIN_MODERATE_UPLOADS'),
         bool_or(s.value) filter (where s.name = 'RESOURCE_PUBLISHING'),
         bool_or(s.value) filter (where s.name = 'GROUP_PRIVATE_RESOURCES')
    into moderate, publish, private
    from portal.setting s;
  if me is null then
    return 32 | 64 | moderate::integer | publish::integer * 2 | private::integer * 4;
  end if;
  return 32 | 64 | (moderate and publish)::integer * 8 | private::integer * 16;
end
$$;

-- Numbers of links (room share-links), which are no groups.
create or replace function portal_private.is_link(principal integer) returns boolean
language sql immutable parallel safe
return principal < -1000000000;

-- As `find_me`, `find_admin`, `find_staff`, `setting_on`, `find_principals` and `find_rules` have it, each row looked up once. Nearly every
-- request asks several times.
create or replace function portal_private.who() returns portal_private.caller
language plpgsql stable parallel safe as $$
declare
  claimed integer := portal_private.claimed_account();
  is_admin boolean := portal_private.caller_role() = 'survest_admin';
  me integer;
  is_superuser boolean;
  is_staff boolean;
  groups integer[];
  link integer[] := portal_private.link_principals();
  -- In a statement of its own, without parameters: it has one plan, whoever is the first to ask.
  is_on text[] := array(select s.name from portal.setting s where s.value);
begin
  if claimed is not null then
    select d.account_id, d.is_superuser, d.is_staff, array(select -g.group_id from portal.group_member g where g.account_id = claimed)
      into me, is_superuser, is_staff, groups
      from portal.account_detail d where d.account_id = claimed and d.is_active;
    is_admin := is_admin and coalesce(is_superuser, false);
  end if;
  return row(
    me, is_admin, is_admin or coalesce(is_staff, false), is_admin or 'READ_ONLY' <> all (is_on),
    case when me is null then '{-1}' else array[me, -1, -2] || groups end || link,
    case when is_admin then 32
         when me is null then 32 | 64 | ('ADMIN_MODERATE_UPLOADS' = any (is_on))::integer | ('RESOURCE_PUBLISHING' = any (is_on))::integer * 2
                                      | ('GROUP_PRIVATE_RESOURCES' = any (is_on))::integer * 4
         else 32 | 64 | (is_on @> '{ADMIN_MODERATE_UPLOADS, RESOURCE_PUBLISHING}')::integer * 8 | ('GROUP_PRIVATE_RESOURCES' = any (is_on))::integer * 16
    end)::portal_private.caller;
end
$$;

create or replace function portal.me() returns integer
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.find_me();
end
$$;

create or replace function portal.is_admin() returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.find_admin();
end
$$;

create or replace function portal.is_staff() returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.find_staff(portal_private.find_me(), portal_private.find_admin());
end
$$;

create or replace function portal.writable() returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return not portal.setting_on('READ_ONLY') or portal_private.find_admin();
end
$$;

create or replace function portal.my_principals() returns integer[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.find_principals(portal_private.find_me()) || portal_private.link_principals();
end
$$;

-- Ids of the caller's groups, `anonymous` and `registered-members` among them.
create or replace function portal.my_groups() returns integer[]
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return array(select -p.n from unnest(portal_private.find_principals(portal_private.find_me())) p(n) where p.n < 0);
end
$$;

-- For policies, which run once per statement with the caller's rights.
create or replace function portal_private.rules() returns integer
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
  return portal_private.find_rules(portal_private.find_me(), portal_private.find_admin());
end
$$;

-- Raised wherever a caller may see a thing but not do this with it. API: 403.
create or replace function portal_private.refuse(what text) returns void
language plpgsql as $$
begin
  raise exception 'You do not have permission to perform this action.' using errcode = 'insufficient_privilege', detail = what;
end
$$;

create or replace function portal_private.refuse_if(wrong boolean, what text) returns void
language plpgsql as $$
begin
  if wrong then
    perform portal_private.refuse(what);
  end if;
end
$$;

-- API: 404.
create or replace function portal_private.missing_if(wrong boolean, message text default 'Not found.') returns void
language plpgsql as $$
begin
  if wrong then
    raise exception using errcode = 'no_data_found', message = message;
  end if;
end
$$;

-- API: 400.
create or replace function portal_private.invalid_if(wrong boolean, message text) returns void
language plpgsql as $$
begin
  if wrong then
    raise exception using errcode = 'invalid_parameter_value', message = message;
  end if;
end
$$;

-- For functions that administrators and the service itself may call, and that hold no EXECUTE for others.
create or replace function portal_private.require_admin_or_service() returns void
language plpgsql as $$
begin
  perform portal_private.refuse_if(portal_private.caller_role() in ('survest_anon', 'survest_user', 'survest_admin') and not portal_private.find_admin(),
    'administrators only');
end
$$;

create or replace function portal_private.require_admin() returns void
language plpgsql as $$
begin
  perform portal_private.refuse_if(not portal.is_admin(), 'administrators register tables');
end
$$;

grant execute on function
  portal.me(), portal.is_admin(), portal.is_staff(), portal.writable(), portal.my_principals(), portal.my_groups(),
  portal_private.rules()
  to survest_anon, survest_user, survest_admin;
