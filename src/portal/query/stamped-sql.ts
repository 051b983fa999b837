// A list as stamps instead of records: of every item of its page, what its record follows from, in a tenth of the time. Records that were
// made before are kept by their stamps (operations/record-cache.ts); those that are missing are made by a second statement, each
// with the stamp that it has in the same snapshot. Who sees what is decided by the same statements as everywhere: ids by the policies,
// stamps by `portal.item_stamps`, which holds the caller's permissions in them.

import { empty, join, raw, render, sql, where } from '../../sql/index.ts';
import { arrayText, BASE, type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import type { Field } from '../fields/field.ts';
import { needsParts } from '../fields/json-sql.ts';
import { EVERYTHING } from '../fields/selection.ts';
import { conditionsOf, type MakePage, type ReadPlan, selectedColumns } from './catalogue-sql.ts';
import { fromSql } from './source.ts';

/** The columns of a record that follows from its stamp alone, as text; undefined: more is asked for. */
export function stampedShape({ recordType, source, query, isVisitor }: ReadPlan): string | undefined {
  const { selection, debug } = query;
  if (!source.isCatalogue || debug || selection.narrow !== undefined) return undefined;
  if (!recordType.fields.every((field) => !selection.shows(field) || isCovered(field, selection.below(field))))
    return undefined;
  const { text, params } = render(
    selectedColumns({ recordType, source, query }, selection, { isVisitor, hasParts: true }),
  );
  return params.every((param) => param === BASE) ? text : undefined;
}

function isCovered({ isStamped, type }: Field, below: typeof EVERYTHING): boolean {
  return isStamped === true && ((type.kind !== 'one' && type.kind !== 'many') || below === EVERYTHING);
}

/** The function whose stamps cover what is shown. */
function stampsOf({ recordType, query }: Pick<ReadPlan, 'recordType' | 'query'>): Sql {
  const hasStyles = recordType.fields.some((field) => field.followsStyles === true && query.selection.shows(field));
  return raw(hasStyles ? 'portal.item_stamps_with_styles' : 'portal.item_stamps');
}

/** `[[id, stamp, extent] …]` of a page, as JSON; the extent where it follows from other items, as the caller sees them. */
export const stampsSql: MakePage = (ids, _order, plan, counted) => {
  const before = counted === undefined ? empty : sql<BoundValue>`${counted.before}, `;
  const total = counted === undefined ? empty : sql<BoundValue>`${counted.total}, `;
  return sql<BoundValue>`with ${before}page as materialized (${ids}) select ${total}coalesce((select json_agg(json_build_array(s.resource_id, s.stamp, ${EXTENT})) from ${stampsOf(plan)}(array(select page.id from page)) s), '[]')`;
};

const EXTENT = raw('case when s.is_placed then portal.map_extent(s.resource_id)::text end');

/** A row of id, stamp and extent of one item; none where it is not there for the caller. */
export function stampSql(id: number, plan: ReadPlan): Sql {
  const { source } = plan;
  const key = sql<BoundValue>`${bound(String(id))}::integer`;
  const conditions = conditionsOf(plan);
  // Whether the caller sees it is decided by `item_stamps`; only who asks for more has to look at the item besides.
  const wanted =
    conditions.length === 0
      ? sql<BoundValue>`array[${key}]`
      : sql<BoundValue>`array(select ${source.key} from ${fromSql(source)}${where([sql<BoundValue>`${source.key} = ${key}`, ...conditions])})`;
  return sql<BoundValue>`select s.resource_id, s.stamp, ${EXTENT} from ${stampsOf(plan)}(${wanted}) s`;
}

/** Rows of id, stamp, extent and record, of these items that the caller sees. */
export function stampedRecordsSql(ids: readonly number[], plan: ReadPlan): Sql {
  const { recordType, source, query, isVisitor } = plan;
  const hasParts = needsParts(recordType, query.selection);
  const columns = selectedColumns(plan, query.selection, { isVisitor, hasParts });
  const wanted = sql<BoundValue>`page as materialized (select unnest(${bound(arrayText(ids))}::integer[]) as id), stamps as materialized (select s.* from ${stampsOf(plan)}(array(select id from page)) s)`;
  const parts = raw(', parts as materialized (select p.* from portal.item_parts(array(select id from page)) p)');
  const joined = sql<BoundValue>` left join parts m on m.resource_id = ${source.key}`;
  return sql<BoundValue>`with ${wanted}${hasParts ? parts : empty} select ${join([raw('s.resource_id'), raw('s.stamp'), EXTENT])}, (select row_to_json(x) from (select ${columns}) x) from stamps s join ${source.table} on ${source.key} = s.resource_id${source.joins}${hasParts ? joined : empty}`;
}
