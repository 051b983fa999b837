// Query and collection → the statements of a list (total and page) or of an item. A list is two statements, however long.

import { empty, join, raw, sql, where } from '../../sql/index.ts';
import type { ReadEnv, Shape } from '../represent/field.ts';
import { allColumnsSql } from '../represent/json-sql.ts';
import { EVERYTHING, type Selection } from '../represent/selection.ts';
import { type Slot, type Sql, slot } from '../represent/slot.ts';
import type { CatalogueQuery } from './catalogue-query.ts';
import type { OrderTerm } from './condition.ts';
import { conditionsSql, sortValueSql } from './condition-sql.ts';
import { fromSql, type Source } from './source.ts';

export type ReadPlan = {
  readonly shape: Shape;
  readonly source: Source;
  readonly query: CatalogueQuery;
  readonly isVisitor: boolean;
  /** Further conditions of this request. */
  readonly also?: readonly Sql[];
};

/** How many records there are, of all pages. */
export function totalSql(plan: ReadPlan): Sql {
  return sql<Slot>`select count(*) from ${fromSql(plan.source)}${where(conditionsOf(plan))}`;
}

/** The records of a page, as one JSON array. */
export function pageSql(plan: ReadPlan): Sql {
  const { source, query } = plan;
  const order = orderSql(query.order, source);
  const offset = (query.page - 1) * query.pageSize;
  const ids = sql<Slot>`select ${source.key} as id from ${fromSql(source)}${where(conditionsOf(plan))} order by ${order} limit ${slot(String(query.pageSize))}::bigint offset ${slot(String(offset))}::bigint`;
  return recordsSql(ids, order, plan);
}

/** All records that `ids` selects (as `id`), as one JSON array. */
export function recordsSql(
  ids: Sql,
  order: Sql,
  plan: Pick<ReadPlan, 'shape' | 'source' | 'isVisitor'> & {
    readonly query: Pick<CatalogueQuery, 'selection' | 'debug'>;
  },
): Sql {
  const { shape, source, query } = plan;
  const permsField = shape.byName.get('perms');
  const joined = source.isCatalogue && permsField !== undefined && query.selection.shows(permsField);
  const env: ReadEnv = { isVisitor: plan.isVisitor, perms: joined ? 'joined' : 'single' };
  const mine = joined
    ? raw(', mine as materialized (select p.* from portal.my_perms_of(array(select id from page)) p)')
    : empty;
  const perms = joined ? sql<Slot>` left join mine m on m.resource_id = ${source.key}` : empty;
  const columns = selectedColumns(plan, query.selection, env);
  return sql<Slot>`with page as materialized (${ids})${mine} select coalesce(json_agg(x), '[]') from (select ${columns} from page join ${source.table} on ${source.key} = page.id${source.joins}${perms} order by ${order}) x`;
}

/** One record as a JSON object; no row when it is not there. */
export function itemSql(id: number, plan: ReadPlan): Sql {
  const { source, query } = plan;
  const conditions = [sql<Slot>`${source.key} = ${slot(String(id))}::integer`, ...conditionsOf(plan)];
  const columns = selectedColumns(plan, query.selection, { isVisitor: plan.isVisitor, perms: 'single' });
  return sql<Slot>`select row_to_json(x) from (select ${columns} from ${fromSql(source)}${where(conditions)}) x`;
}

function selectedColumns(
  { shape, source, query }: Pick<ReadPlan, 'shape' | 'source'> & { readonly query: Pick<CatalogueQuery, 'debug'> },
  selection: Selection,
  env: ReadEnv,
): Sql {
  const columns = allColumnsSql(shape, source.row, selection, env);
  if (!query.debug) return columns;
  return join([
    columns,
    sql<Slot>`json_build_object('id', ${source.key}, 'type', ${raw(`'${shape.name}'`)}) as "_meta"`,
  ]);
}

/** Everything that a record has to fulfil to be hit by a request. */
export function conditionsOf({ source, query, isVisitor, also = [] }: ReadPlan): readonly Sql[] {
  return [...source.where, ...also, ...conditionsSql(query.conditions, { source, isVisitor })];
}

/** The key decides between equals, in the direction of the first term, so that one index can serve both. */
export function orderSql(terms: readonly OrderTerm[], source: Source): Sql {
  const [first] = terms;
  if (first === undefined) return source.order;
  const direction = (isDescending: boolean): Sql => (isDescending ? raw(' desc') : empty);
  return join([
    ...terms.map(({ path, isDescending }) => sql<Slot>`${sortValueSql(path, source.row)}${direction(isDescending)}`),
    sql<Slot>`${source.key}${direction(first.isDescending)}`,
  ]);
}

/** Nothing asked for but the records as they are. */
export const PLAIN: Pick<CatalogueQuery, 'selection' | 'debug'> = { selection: EVERYTHING, debug: false };
