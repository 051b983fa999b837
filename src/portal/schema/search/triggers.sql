create trigger written before insert or update of body, terms, vector on portal_private.search_text
  for each row execute function portal_private.note_written();
