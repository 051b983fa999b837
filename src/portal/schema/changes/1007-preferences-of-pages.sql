-- The theme and the language of the pages belong to the account as well. Wider than before, so that no row is against it.
alter table portal.preference drop constraint preference_known,
  add constraint preference_known check ((name, value) in (('tour', 'done'), ('theme', 'auto'), ('theme', 'light'), ('theme', 'dark'),
    ('language', 'en'), ('language', 'de'), ('language', 'fr'), ('language', 'es')));
