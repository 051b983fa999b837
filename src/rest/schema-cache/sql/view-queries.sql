-- The stored query of each view, as PostgreSQL prints its parse tree (view-columns.ts reads it). $1: views by oid.
-- Parsing it here with regular expressions takes ten times as long as sending it.
select r.ev_class, r.ev_action::text
from pg_rewrite r
where r.ev_class = any ($1::oid[]) and r.ev_type = '1'
