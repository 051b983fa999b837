-- Lists cost less: no search for the items of a caller reads a list of what has not been put into the index yet, and who is asking is found in one go.

-- Whoever gives permissions puts them into the index at once. Kept aside until a vacuum, as by default, they were read by every total, one by one: 4,400 of
-- them took as long as the total itself.
alter index portal.resource_viewers set (fastupdate = off);
select pg_catalog.gin_clean_pending_list('portal.resource_viewers');

-- As `find_me`, `find_admin`, `find_staff`, `setting_on`, `find_principals` and `find_rules` have it, each row looked up once. Nearly every request asks
-- several times.
create or replace function portal_private.who() returns portal_private.caller
language plpgsql stable parallel safe as $$
declare
  who portal_private.caller;
  claimed integer := portal_private.claimed_account();
  is_superuser boolean;
  is_staff boolean;
  read_only boolean;
  moderate boolean;
  publish boolean;
  private boolean;
begin
  if claimed is not null then
    select d.account_id, d.is_superuser, d.is_staff into who.me, is_superuser, is_staff
      from portal.account_detail d where d.account_id = claimed and d.is_active;
  end if;
  who.admin := portal_private.caller_role() = 'survest_admin' and (claimed is null or coalesce(is_superuser, false));
  who.staff := who.admin or coalesce(is_staff, false);
  select coalesce(bool_or(s.value) filter (where s.name = 'READ_ONLY'), false),
         bool_or(s.value) filter (where s.name = 'ADMIN_MODERATE_UPLOADS'),
         bool_or(s.value) filter (where s.name = 'RESOURCE_PUBLISHING'),
         bool_or(s.value) filter (where s.name = 'GROUP_PRIVATE_RESOURCES')
    into read_only, moderate, publish, private
    from portal.setting s;
  who.writable := who.admin or not read_only;
  if who.me is null then
    who.principals := '{-1}';
  else
    who.principals := array[who.me, -1, -2] || array(select -g.group_id from portal.group_member g where g.account_id = who.me);
  end if;
  who.rules := case when who.admin then 32
                    when who.me is null then 32 | 64 | moderate::integer | publish::integer * 2 | private::integer * 4
                    else 32 | 64 | (moderate and publish)::integer * 8 | private::integer * 16 end;
  return who;
end
$$;

revoke all on all functions in schema portal_private from public;
