-- Implicit casts by function between domains and json or text, of those the connected role may execute.
-- Only functions that can be called with the value alone.
select row_to_json(representation)
from (
  select
    d.oid::int8 as domain,
    format_type(d.oid, null) as name,
    case
      when k.casttarget = 'json'::regtype then 'toJson'
      when k.castsource = 'json'::regtype then 'fromJson'
      else 'fromText'
    end as cast,
    format('%I.%I', n.nspname, p.proname) as function
  from pg_cast k
  join pg_type d
    on d.typtype = 'd'
    and (
      d.oid = k.castsource and k.casttarget = 'json'::regtype
      or d.oid = k.casttarget and k.castsource in ('json'::regtype, 'text'::regtype)
    )
  join pg_proc p on p.oid = k.castfunc
  join pg_namespace n on n.oid = p.pronamespace
  where k.castmethod = 'f'
    and k.castcontext = 'i'
    and p.pronargs - p.pronargdefaults <= 1
    and has_function_privilege(p.oid, 'execute')
  order by k.oid
) representation
