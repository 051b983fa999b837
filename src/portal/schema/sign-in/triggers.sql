create trigger audit after update of password_hash on portal_private.credential for each row
  when (old.password_hash is distinct from new.password_hash) execute function portal_private.audit_password();

create trigger audit after insert on portal_private.session for each row execute function portal_private.audit_session();

create trigger audit_end after delete on portal_private.session for each row execute function portal_private.audit_session();

create trigger audit after insert on portal_private.provider_identity
  for each row execute function portal_private.audit_provider_identity();

-- What lets somebody in is not changed by a token.
do $ways$
declare
  way text;
begin
  foreach way in array array['credential', 'session', 'provider_identity', 'totp', 'recovery_code', 'code_try', 'passkey', 'mail_link', 'confirmed_email'] loop
    execute pg_catalog.format('create trigger not_by_token before insert or update or delete on portal_private.%I
      for each row execute function portal_private.guard_way_in()', way);
  end loop;
end
$ways$;
