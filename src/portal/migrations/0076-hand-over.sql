-- Items of an account handed to another one, by an administrator: before the account is deleted, which would leave them to the first
-- administrator. What rests in the bin goes along.

create function portal.hand_over_items(from_account integer, to_username text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  heir integer;
  handed integer;
begin
  if not portal_private.find_admin() then
    perform portal_private.refuse('administrators choose the owner');
  end if;
  if not exists (select from portal.account a where a.id = from_account and a.id > 0) then
    raise exception 'Not found.' using errcode = 'no_data_found';
  end if;
  select a.id into heir from portal.account a
    join portal.account_detail d on d.account_id = a.id and d.is_active
   where a.username = to_username and a.id > 0 for key share of a;
  if heir is null or heir = from_account then
    raise exception 'unknown user "%"', to_username using errcode = 'invalid_parameter_value';
  end if;
  update portal.resource r set poc_id = heir where r.poc_id = from_account;
  update portal.resource r set metadata_author_id = heir where r.metadata_author_id = from_account;
  update portal.resource r set owner_id = heir where r.owner_id = from_account;
  get diagnostics handed = row_count;
  perform portal_private.audit_note('handed-over', 'account', from_account,
    (select a.username from portal.account a where a.id = from_account), jsonb_build_object('to', to_username, 'items', handed));
  return handed;
end
$$;
revoke all on function portal.hand_over_items(integer, text) from public;
grant execute on function portal.hand_over_items(integer, text) to survest_user, survest_admin;
