create trigger audit after insert or update or delete on portal.basemap for each row execute function portal_private.audit_setting('id', 'definition');
