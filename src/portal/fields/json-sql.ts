// RecordType and selection → the SQL that makes its JSON. PostgreSQL builds every record; what comes back is passed on as bytes.

import { empty, Fragment, join, raw, sql } from '../../sql/index.ts';
import type { BoundValue, Sql } from './bound-value.ts';
import type { Field, ReadEnv, RecordType, Relation } from './field.ts';
import { EVERYTHING, type Selection } from './selection.ts';

/** json_build_object takes a hundred arguments at most. */
const MAX_PAIRS = 50;

/** `"pk", r.id …` as columns of a select, each named as its field: row_to_json makes the record of them. */
function columnsSql(recordType: RecordType, row: string, selection: Selection, env: ReadEnv): Sql {
  return join(
    recordType.fields
      .filter((field) => selection.shows(field))
      .map((field) => sql<BoundValue>`${fieldSql(field, row, selection, env)} as ${raw(`"${field.name}"`)}`),
  );
}

/** One record as JSON. */
function recordSql(recordType: RecordType, row: string, selection: Selection, env: ReadEnv): Sql {
  const fields = recordType.fields.filter((field) => selection.shows(field));
  if (fields.length > MAX_PAIRS)
    return sql<BoundValue>`(select row_to_json(x) from (select ${columnsSql(recordType, row, selection, env)}) x)`;
  const pairs = fields.map(
    (field) => sql<BoundValue>`${raw(`'${field.name}'`)}, ${fieldSql(field, row, selection, env)}`,
  );
  return sql<BoundValue>`json_build_object(${join(pairs)})`;
}

function fieldSql(field: Field, row: string, selection: Selection, env: ReadEnv): Sql {
  switch (field.type.kind) {
    case 'one':
      return relatedOne(field.type.relation, row, selection.below(field), env);
    case 'many':
      return relatedMany(field.type.relation, row, selection.below(field), env);
    default:
      return field.shown?.(row, env) ?? raw('null');
  }
}

function relatedOne(relation: Relation, outer: string, selection: Selection, env: ReadEnv): Sql {
  if (env.hasParts && relation.part !== undefined) {
    const record = `(m.${relation.part})`;
    const there = join([raw(`${record}.id is not null`), ...narrowed(selection, record)], ' and ');
    return sql<BoundValue>`case when ${there} then ${recordSql(relation.recordType(), record, selection, bare(env))} end`;
  }
  const inner = innerName(outer);
  const { from, on } = relation.rows(outer, inner);
  const conditions = join([on, ...narrowed(selection, inner)], ' and ');
  return sql<BoundValue>`(select ${recordSql(relation.recordType(), inner, selection, bare(env))} from ${from} where ${conditions})`;
}

/** A list of related records, `[]` when there are none. */
export function relatedMany(relation: Relation, outer: string, selection: Selection, env: ReadEnv): Sql {
  const inner = innerName(outer);
  const { from, on } =
    env.hasParts && relation.part !== undefined
      ? { from: raw(`unnest(m.${relation.part}) ${inner}`), on: raw('true') }
      : relation.rows(outer, inner);
  const order = relation.order === undefined ? empty : sql<BoundValue>` order by ${relation.order(inner)}`;
  const record = recordSql(relation.recordType(), inner, selection, bare(env));
  const conditions = join([on, ...narrowed(selection, inner)], ' and ');
  return sql<BoundValue>`(select coalesce(json_agg(${record}${order}), '[]') from ${from} where ${conditions})`;
}

function narrowed({ narrow }: Selection, row: string): readonly Sql[] {
  return narrow?.(row) ?? [];
}

function bare(env: ReadEnv): ReadEnv {
  return env.hasParts ? { ...env, hasParts: false } : env;
}

/** Does anything that is shown stand among an item's parts? */
export function needsParts(recordType: RecordType, selection: Selection): boolean {
  return recordType.fields.some((field) => isPart(field) && selection.shows(field));
}

function isPart({ usesParts, type }: Field): boolean {
  return usesParts === true || ((type.kind === 'one' || type.kind === 'many') && type.relation.part !== undefined);
}

/** Each level of a nested query has its own name for the row: r, r1, r11 … */
export function innerName(outer: string): string {
  return `${outer}1`;
}

// The columns of a whole record are the same in nearly every request: made once per record type and kind of caller.
const kept = new WeakMap<RecordType, Map<string, Sql>>();

export function allColumnsSql(recordType: RecordType, row: string, selection: Selection, env: ReadEnv): Sql {
  if (selection !== EVERYTHING) return columnsSql(recordType, row, selection, env);
  const key = `${row} ${env.isVisitor} ${env.hasParts}`;
  let ofRecordType = kept.get(recordType);
  if (ofRecordType === undefined) {
    ofRecordType = new Map();
    kept.set(recordType, ofRecordType);
  }
  let columns = ofRecordType.get(key);
  if (columns === undefined) {
    columns = squeezed(columnsSql(recordType, row, selection, env));
    ofRecordType.set(key, columns);
  }
  return columns;
}

/** Neighbouring texts as one: hundreds of chunks become a dozen. */
function squeezed(fragment: Sql): Sql {
  const chunks: Sql['chunks'][number][] = [];
  for (const chunk of fragment.chunks) {
    const last = chunks.at(-1);
    if (typeof chunk === 'string' && typeof last === 'string') chunks[chunks.length - 1] = last + chunk;
    else chunks.push(chunk);
  }
  return new Fragment(chunks);
}
