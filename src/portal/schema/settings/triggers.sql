create trigger audit after update on portal.setting for each row
  when (old.value is distinct from new.value) execute function portal_private.audit_setting('name', 'value');
