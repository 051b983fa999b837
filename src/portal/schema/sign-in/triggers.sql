create trigger audit after update of password_hash on portal_private.credential for each row
  when (old.password_hash is distinct from new.password_hash) execute function portal_private.audit_password();

create trigger audit after insert on portal_private.session for each row execute function portal_private.audit_session();

create trigger audit_end after delete on portal_private.session for each row execute function portal_private.audit_session();

create trigger audit after insert on portal_private.provider_identity
  for each row execute function portal_private.audit_provider_identity();

create trigger not_by_token before insert or update or delete on portal_private.credential
  for each row execute function portal_private.guard_way_in();

create trigger not_by_token before insert or update or delete on portal_private.session
  for each row execute function portal_private.guard_way_in();

create trigger not_by_token before insert or update or delete on portal_private.provider_identity
  for each row execute function portal_private.guard_way_in();
