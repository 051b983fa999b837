// Drafts → statements: the row itself, and the functions that keep what hangs on it.

import { empty, join, raw, sql } from '../../../sql/index.ts';
import { type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import type { SetterTime } from '../../fields/write.ts';
import type { Writer } from '../collection.ts';
import { type Draft, givenText } from './draft.ts';
import type { Resolved } from './resolve-references.ts';

export type Assignment = { readonly column: string; readonly value: Sql };

/** Values for columns of the row. Every reference was found before. */
export function assignments(draft: Draft, resolved: Resolved, isNew: boolean): readonly Assignment[] {
  const made: Assignment[] = [];
  for (const [field, given] of draft) {
    const text = resolved.textOf(field, given);
    const value = bound(text.ok ? text.value : null);
    const { write } = field;
    switch (write.kind) {
      case 'column':
        made.push({ column: write.column, value: sql<BoundValue>`${value}::${raw(write.cast)}` });
        break;
      case 'reference':
        made.push({ column: write.column, value: sql<BoundValue>`${value}::integer` });
        break;
      default:
        break;
    }
  }
  return [...made, ...extents(draft, isNew)];
}

/**
 * The two extents of an item are one in WGS 84: where only one of them is sent, the other follows, as long as the item's own
 * coordinate system is that one.
 */
function extents(draft: Draft, isNew: boolean): readonly Assignment[] {
  const own = givenText(draft, 'bbox_polygon');
  const wgs84 = givenText(draft, 'll_bbox_polygon');
  if (own === undefined && wgs84 === undefined) return [];
  // As it will be: sent along, the default of a new item, or the one it has.
  const sent = givenText(draft, 'srid') ?? (isNew ? 'EPSG:4326' : undefined);
  const srid = sent === undefined ? raw('w.srid') : sql<BoundValue>`${bound(sent)}::text`;
  const code = sql<BoundValue>`coalesce(substring(${srid} from '^EPSG:([0-9]{1,6})$')::integer, 0)`;
  const geometry = (text: string | null, number: Sql): Sql =>
    sql<BoundValue>`st_setsrid(st_geomfromgeojson(${bound(text)}::text), ${number})`;
  const other = (column: string, text: string | null): Assignment => ({
    column,
    value: sql<BoundValue>`case when ${srid} = 'EPSG:4326' then ${geometry(text, raw('4326'))}${isNew ? empty : raw(` else w.${column}`)} end`,
  });
  return [
    own === undefined ? other('bbox_polygon', wgs84 ?? null) : { column: 'bbox_polygon', value: geometry(own, code) },
    wgs84 === undefined
      ? other('ll_bbox_polygon', own ?? null)
      : { column: 'll_bbox_polygon', value: geometry(wgs84, raw('4326')) },
  ];
}

/** A new row; returns its id. */
export function insertSql(writer: Writer, fixed: Writer['fixed'], values: readonly Assignment[]): Sql {
  const all = [...Object.entries(fixed).map(([column, value]) => ({ column, value })), ...values];
  const columns = join(all.map(({ column }) => raw(column)));
  return sql<BoundValue>`insert into ${raw(writer.table)} (${columns}) values (${join(all.map(({ value }) => value))}) returning id`;
}

/** Changes the rows that `ids` selects; returns theirs. Without anything to change the rows are touched all the same. */
export function updateSql(writer: Writer, values: readonly Assignment[], ids: Sql): Sql {
  const sets =
    values.length === 0
      ? raw(`${writer.touched} = w.${writer.touched}`)
      : join(values.map(({ column, value }) => sql<BoundValue>`${raw(column)} = ${value}`));
  return sql<BoundValue>`update ${raw(writer.table)} w set ${sets} where w.id in (${ids}) returning w.id`;
}

/** Deletes the rows that `ids` selects; returns theirs, and whether each is gone for good. */
export function deleteSql(writer: Writer, ids: Sql): Sql {
  if (writer.remove !== undefined) return writer.remove(ids);
  return sql<BoundValue>`delete from ${raw(writer.table)} w where w.id in (${ids}) returning w.id, true`;
}

/** What is kept by functions, of one time. `done`: fields that were dealt with otherwise. */
export function setterSql(
  id: Sql,
  draft: Draft,
  resolved: Resolved,
  time: SetterTime,
  done: ReadonlySet<string> = NONE,
): readonly Sql[] {
  const statements: Sql[] = [];
  for (const [field, given] of draft) {
    const setter = setterOf(field);
    if (setter === undefined || done.has(field.name)) continue;
    const text = resolved.textOf(field, given);
    const value = text.ok ? text.value : null;
    const when = typeof setter.when === 'function' ? setter.when(value) : setter.when;
    if (when === time) statements.push(...setter.statements(id, sql<BoundValue>`${bound(value)}`));
  }
  return statements;
}

const NONE: ReadonlySet<string> = new Set();

function setterOf({ write }: Field) {
  return write.kind === 'setter' || write.kind === 'references' || write.kind === 'names' ? write.setter : undefined;
}
