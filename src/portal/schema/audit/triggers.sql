create trigger only_added before update or delete or truncate on portal_private.audit
  for each statement execute function portal_private.refuse_audit_change();

-- Whoever changes a way to sign in, and by whatever address of the program: the owner is told.
create trigger account_letter after insert on portal_private.audit for each row
  when (new.subject = 'account' and new.act in
    ('password-changed', 'factor-added', 'factor-removed', 'factor-reset', 'recovery-code-used', 'token-made', 'identity-linked'))
  execute function portal_private.queue_account_letter();
