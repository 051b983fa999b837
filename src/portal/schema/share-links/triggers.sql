create trigger grants_go_too after delete on portal_private.share_link
  for each row execute function portal_private.after_share_link_gone();
