-- The end of a process says little about the import that ran in it: it counts against the import (`attempts`) only where that ran alone
-- there, and ended in the stage in which it had ended before. All other ends are counted apart.

alter table staging.run add column interruptions integer not null default 0;
-- How the attempt at hand runs; null: none has begun, or it was given back in words. Whoever claims an import that has one here knows that
-- its process ended without a word.
alter table staging.run add column under_way text check (under_way in ('beside', 'alone'));
-- The stage of the last end that counts.
alter table staging.run add column ended_in text;
