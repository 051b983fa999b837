create trigger told after insert or delete on portal_private.bin
  for each row execute function portal_private.told_of_bin();
