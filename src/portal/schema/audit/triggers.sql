create trigger only_added before update or delete or truncate on portal_private.audit
  for each statement execute function portal_private.refuse_audit_change();
