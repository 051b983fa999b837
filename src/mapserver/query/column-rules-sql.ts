// The rules of a layer's columns, asked of the database's catalogue; and the rows of small tables that foreign keys lead to. Read as
// the caller: what they may not read offers no choices. Pure.

import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { ident, sql } from '../../sql/index.ts';
import type { Reference } from '../columns/column-rules.ts';
import { toStatement, whole } from './value.ts';

/** One row, one cell: `CatalogueRules` as JSON. */
export function columnRulesStatement({ table }: Pick<VectorLayer, 'table'>): Statement {
  return {
    name: 'layer_column_rules',
    text: `
with t as (select c.oid from pg_catalog.pg_class c where c.oid = to_regclass('layers.' || quote_ident($1)))
select json_build_object(
  'columns', coalesce((
    select json_agg(json_build_object(
        'column', a.attname,
        'type', case when y.typtype = 'd' then format_type(y.typbasetype, y.typtypmod) else format_type(a.atttypid, a.atttypmod) end,
        'enums', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e
                   where e.enumtypid = case when y.typtype = 'd' then y.typbasetype else y.oid end),
        'comment', col_description(t.oid, a.attnum),
        'references', (
          select json_build_object('schema', n.nspname, 'table', f.relname, 'key', k.attname,
              'label', (select l.attname from pg_catalog.pg_attribute l
                         where l.attrelid = f.oid and l.attnum > 0 and not l.attisdropped and l.attnum <> k.attnum
                           and l.atttypid in ('text'::regtype, 'varchar'::regtype)
                         order by l.attnum limit 1))
            from pg_catalog.pg_constraint r
            join pg_catalog.pg_class f on f.oid = r.confrelid
            join pg_catalog.pg_namespace n on n.oid = f.relnamespace
            join pg_catalog.pg_attribute k on k.attrelid = f.oid and k.attnum = r.confkey[1]
           where r.conrelid = t.oid and r.contype = 'f' and r.conkey = array[a.attnum]
             and has_schema_privilege(n.oid, 'usage') and has_table_privilege(f.oid, 'select')
           order by r.oid limit 1)) order by a.attnum)
      from pg_catalog.pg_attribute a join pg_catalog.pg_type y on y.oid = a.atttypid
     where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped), '[]'),
  'checks', coalesce((
    select json_agg(json_build_object('name', r.conname, 'kind', r.contype, 'text', coalesce(pg_get_expr(r.conbin, r.conrelid), ''),
        'columns', array(select a.attname from pg_catalog.pg_attribute a
                          where a.attrelid = t.oid and a.attnum = any (r.conkey) order by a.attnum)) order by r.conname)
      from pg_catalog.pg_constraint r where r.conrelid = t.oid and r.contype in ('c', 'u', 'x', 'p', 'f')
       and (r.contype <> 'c' or length(pg_get_expr(r.conbin, r.conrelid)) < 20000)), '[]'))
  from t`,
    params: [table],
  };
}

/** A row per row of the other table: its key and what it is called, as JSON. One more than `most` says that they are too many. */
export function choicesStatement({ schema, table, key, label }: Reference, most: number): Statement {
  const called = label === null ? sql<never>`null` : sql<never>`left(f.${ident(label)}::text, 200)`;
  return toStatement(
    sql`select json_build_array(f.${ident(key)}, ${called}) from ${ident(schema, table)} as f order by ${called}, f.${ident(key)} limit ${whole(most + 1)}`,
  );
}
