create trigger counted after insert or delete or update of hidden on portal_private.comment
  for each row execute function portal_private.count_comments();

create trigger summed after insert or delete or update of stars on portal_private.rating
  for each row execute function portal_private.sum_ratings();
