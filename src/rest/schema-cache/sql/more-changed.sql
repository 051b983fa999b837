-- Whether more than these relations may have changed with them. $1: relations, by oid. Those that are gone say nothing: who
-- announces them answers for it that nothing went with them.
select to_json(exists (
  select
  from pg_class c
  where c.oid = any ($1::oid[])
    and (
      -- views, foreign tables, and what has parts
      c.relkind <> 'r'
      or exists (select from pg_inherits i where i.inhrelid = c.oid)
      or exists (select from pg_inherits i where i.inhparent = c.oid)
      -- columns and domains of its rows, which are called after it
      or exists (
        select
        from pg_type t
        join pg_depend d on d.refclassid = 'pg_type'::regclass and d.refobjid in (t.oid, t.typarray)
        where t.oid = c.reltype
          and (d.classid = 'pg_class'::regclass or d.classid = 'pg_type'::regclass and d.objid <> t.typarray)
      )
      -- defaults of other relations that use its sequence
      or exists (
        select
        from pg_depend s
        join pg_class q on q.oid = s.objid and q.relkind = 'S'
        join pg_depend d
          on d.refclassid = 'pg_class'::regclass
          and d.refobjid = q.oid
          and d.classid = 'pg_attrdef'::regclass
        join pg_attrdef e on e.oid = d.objid
        where s.classid = 'pg_class'::regclass
          and s.refclassid = 'pg_class'::regclass
          and s.refobjid = c.oid
          and s.deptype in ('a', 'i')
          and e.adrelid <> c.oid
      )
    )
))
