create trigger not_by_token before insert or update or delete on portal_private.totp
  for each row execute function portal_private.guard_way_in();

create trigger not_by_token before insert or update or delete on portal_private.recovery_code
  for each row execute function portal_private.guard_way_in();

create trigger not_by_token before insert or update or delete on portal_private.code_try
  for each row execute function portal_private.guard_way_in();

create trigger not_by_token before insert or update or delete on portal_private.passkey
  for each row execute function portal_private.guard_way_in();
