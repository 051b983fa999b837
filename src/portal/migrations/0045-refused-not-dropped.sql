-- What was dropped in silence is refused: a permission that the kind of item does not have, and a coordinate system that is none.

create or replace function portal_private.parse_perms(who portal_private.caller, target integer, spec jsonb, member text)
returns table (principal integer, perms integer)
language plpgsql as $$
declare
  entry record;
  permission jsonb;
  kind text := (select r.resource_type from portal.resource r where r.id = target);
begin
  if spec -> member is null or jsonb_typeof(spec -> member) = 'null' then
    return;
  end if;
  if jsonb_typeof(spec -> member) <> 'object' then
    raise exception '"%" must be an object of names and permission lists', member using errcode = 'invalid_parameter_value';
  end if;
  for entry in select e.key, e.value from jsonb_each(spec -> member) e loop
    if jsonb_typeof(entry.value) <> 'array' then
      raise exception 'permissions of "%" must be a list', entry.key using errcode = 'invalid_parameter_value';
    end if;
    perms := 0;
    for permission in select p.value from jsonb_array_elements(entry.value) p loop
      if jsonb_typeof(permission) <> 'string' or portal.perm_bit(permission #>> '{}') is null then
        raise exception 'unknown permission "%"', permission #>> '{}' using errcode = 'invalid_parameter_value';
      end if;
      -- Target 0 is a layer that is still to come.
      if portal.perm_bit(permission #>> '{}') & ~portal_private.full_mask(coalesce(kind, 'layer')) <> 0 then
        raise exception 'a % has no permission "%"', kind, permission #>> '{}' using errcode = 'invalid_parameter_value';
      end if;
      perms := perms | portal.perm_bit(permission #>> '{}');
    end loop;
    principal := null;
    -- The row is held until the end of the transaction, so that a principal cannot vanish under its grant.
    if member = 'users' then
      select case a.id when -1 then 0 else a.id end into principal
        from portal.account a where a.username = entry.key for key share;
      if principal is null then
        raise exception 'unknown user "%"', entry.key using errcode = 'invalid_parameter_value';
      end if;
      return next;
      if principal = 0 then
        principal := -1;
        return next;
      end if;
    else
      -- A private group is unknown to outsiders, unless it is named here already.
      select -g.id into principal
        from portal.user_group g
       where g.slug = entry.key
         and (portal_private.sees_group(who, g)
              or exists (select from portal_private.resource_grant x where x.resource_id = target and x.principal = -g.id))
         for key share;
      if principal is null then
        raise exception 'unknown group "%"', entry.key using errcode = 'invalid_parameter_value';
      end if;
      return next;
    end if;
  end loop;
end
$$;

-- Names of other authorities are not looked at: systems without a number of EPSG are told apart by them.
do $srid$
declare
  gis text := (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'postgis');
begin
  execute pg_catalog.format($make$
    create function portal_private.check_srid() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      if not exists (select from %1$I.spatial_ref_sys s where s.srid = substr(new.srid, 6)::integer) then
        raise exception 'resource_srid_known: there is no coordinate system %%', new.srid using errcode = 'check_violation';
      end if;
      return new;
    end
    $$ $make$, gis);
end
$srid$;
revoke all on function portal_private.check_srid() from public;
create trigger srid_is_known before insert on portal.resource
  for each row when (new.srid ~* '^EPSG:[0-9]{1,9}$' and new.srid <> 'EPSG:4326') execute function portal_private.check_srid();
create trigger srid_stays_known before update of srid on portal.resource
  for each row when (new.srid is distinct from old.srid and new.srid ~* '^EPSG:[0-9]{1,9}$' and new.srid <> 'EPSG:4326')
  execute function portal_private.check_srid();
