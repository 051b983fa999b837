create trigger guard before insert or update or delete on portal.account
  for each row when (pg_catalog.row_security_active('portal.account')) execute function portal_private.guard_account();

-- After `guard` in the alphabet, so it runs for who may delete.
create trigger hand_over before delete on portal.account for each row execute function portal_private.hand_over();

create trigger grants_go_too after delete on portal.account
  for each row execute function portal_private.after_principal_gone();

create trigger deleted_account_is_forgotten after delete on portal.account
  for each row execute function portal_private.after_account_end();

create trigger audit after insert or delete on portal.account for each row execute function portal_private.audit_made('account', 'username');

create trigger not_by_token before update of username or delete on portal.account
  for each row execute function portal_private.guard_account_by_token();

create trigger follow_username after delete or update of username on portal.account
  for each row execute function portal_private.follow_username();

create trigger new_account_contributes after insert on portal.account_detail
  for each row execute function portal_private.after_new_account();

create trigger staff_may_add after insert or update of is_staff, is_superuser on portal.account_detail
  for each row execute function portal_private.after_account_flags();

create trigger one_admin_stays after update of is_superuser, is_active or delete on portal.account_detail
  for each row when (old.is_superuser and old.is_active) execute function portal_private.keep_one_admin();

create trigger guard before update on portal.account_detail
  for each row when (pg_catalog.row_security_active('portal.account_detail'))
  execute function portal_private.guard_account_detail();

create trigger deactivated_account_is_logged_out after update of is_active on portal.account_detail
  for each row when (old.is_active and not new.is_active) execute function portal_private.after_deactivation();

create trigger audit after update on portal.account_detail for each row
  when ((old.is_active, old.is_staff, old.is_superuser) is distinct from (new.is_active, new.is_staff, new.is_superuser))
  execute function portal_private.audit_account_detail();

create trigger not_by_token before insert or update on portal.account_detail
  for each row execute function portal_private.guard_detail_by_token();

create trigger one_account_per_email before insert or update of email on portal.account_detail
  for each row execute function portal_private.guard_email();

create trigger email_letter after update of email on portal.account_detail for each row
  when (old.email <> new.email and length(old.email) >= 3) execute function portal_private.queue_email_letter();
