create trigger not_by_token before insert or update or delete on portal_private.mail_link
  for each row execute function portal_private.guard_way_in();

create trigger not_by_token before insert or update or delete on portal_private.confirmed_email
  for each row execute function portal_private.guard_way_in();
