-- The bin tells tables from layers, as the catalogue does. Beside `bin_entries`, which the release before asks: with another column it is another function.

create function portal.bin_page(page_size integer, page_start integer)
returns table (id integer, resource_type text, title text, owner text, deleted timestamptz, deleted_by text, until timestamptz,
               may_purge boolean, is_table boolean, total bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  who portal_private.caller := portal_private.who();
begin
  return query
    select r.id, r.resource_type, r.title, a.username, b.binned_at, b.account,
           b.kept_until, who.admin or r.owner_id = who.me, r.resource_type = 'layer' and r.is_tabular, count(*) over ()
      from portal_private.bin b
      join portal.resource r on r.id = b.resource_id
      left join portal.account a on a.id = r.owner_id
     where who.admin or r.owner_id = who.me or (b.account_id = who.me and portal_private.mask(who, r.id) & 16 <> 0)
     order by b.binned_at desc, r.id desc
     limit page_size offset page_start;
end
$$;

revoke all on function portal.bin_page(integer, integer) from public;
grant execute on function portal.bin_page(integer, integer) to survest_user, survest_admin;
