// Query and collection → the statements of a list (total and page, in two statements or in one) or of an item. However long a list
// is, it is no more statements.

import { empty, join, raw, sql, where } from '../../sql/index.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import type { ReadEnv, RecordType } from '../fields/field.ts';
import { allColumnsSql, needsParts } from '../fields/json-sql.ts';
import type { Selection } from '../fields/selection.ts';
import type { CatalogueQuery } from './catalogue-query.ts';
import type { Condition, OrderTerm, Test } from './condition.ts';
import { conditionsSql, isWordSearch, searchHitsSql, sortValueSql, type WordSearch } from './condition-sql.ts';
import { valuesAsked } from './search-narrowing.ts';
import { fromSql, type OrderColumn, type Source } from './source.ts';

export type ReadPlan = {
  readonly recordType: RecordType;
  readonly source: Source;
  readonly query: CatalogueQuery;
  readonly isVisitor: boolean;
  /** Further conditions of this request. */
  readonly also?: readonly Sql[];
};

/** How many records there are, of all pages. */
export function totalSql(plan: ReadPlan): Sql {
  const { source, query, also = [] } = plan;
  if (also.length === 0) {
    if (source.countAll !== undefined && query.conditions.length === 0) return source.countAll;
    const types = query.conditions.length === 1 ? valuesAsked(query.conditions[0], 'resource_type') : undefined;
    if (source.countTypes !== undefined && types !== undefined) return source.countTypes(types);
  }
  return sql<BoundValue>`select count(*) from ${fromSql(source)}${where(conditionsOf(plan))}`;
}

export type ListSql =
  /** Total, then page. */
  | { readonly kind: 'apart'; readonly total: Sql; readonly page: Sql }
  /** Both as columns of one row. */
  | { readonly kind: 'together'; readonly both: Sql };

/** What a list makes of the ids of its page, which come in its order: `recordsSql`, or `stampsSql`. */
export type MakePage = (ids: Sql, order: Sql, plan: ReadPlan, counted?: Counted) => Sql;

/**
 * Where finding the rows is the work, they are found once, and counted and sorted after that. Where an index has them in order,
 * counting and paging are quicker apart.
 */
export function listSql(plan: ReadPlan, make: MakePage = recordsSql): ListSql {
  return plan.query.conditions.some(isCostly)
    ? { kind: 'together', both: foundSql(plan, make) }
    : { kind: 'apart', total: totalSql(plan), page: pageSql(plan, make) };
}

/** What no index of a column of the row itself answers. */
function isCostly(condition: Condition): boolean {
  if (condition.kind !== 'filter') return true;
  const { path, test, isNegated } = condition;
  return isNegated || path.through.length > 0 || path.target.kind === 'related' || !INDEXED.has(test.op);
}

const INDEXED: ReadonlySet<Test['op']> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'range', 'isnull']);

/** The records of a page, as one JSON array. */
export function pageSql(plan: ReadPlan, make: MakePage = recordsSql): Sql {
  const { source, query } = plan;
  const { joins, columns } = joinedOrder(query.order, source);
  const ids = sql<BoundValue>`select ${source.key} as id from ${fromSql(source)}${joins}${where(conditionsOf(plan))} order by ${byColumns(columns)} ${windowSql(query)}`;
  return make(ids, orderSql(query.order, source), plan);
}

/** The search that says how well each record fits, where nobody asks for another order. */
function rankingOf({ source, query }: ReadPlan): WordSearch | undefined {
  if (query.order.length > 0) return undefined;
  return query.conditions.find((condition): condition is WordSearch => isWordSearch(condition, source));
}

/** Total and page in one row, what fits best first. */
function rankedSql(plan: ReadPlan, ranking: WordSearch, make: MakePage): Sql {
  const { source, query } = plan;
  const conditions = query.conditions.filter((condition) => condition !== ranking);
  const quick = searchPageSql(plan, ranking, conditions, make);
  if (quick !== undefined) return quick;
  const others = conditionsOf({ ...plan, query: { ...query, conditions } }, true);
  const hits = sql<BoundValue>`hits as materialized (select ${source.key} as id, w.rank, ${source.order.value} as o0 from ${fromSql(source)} join ${searchHitsSql(ranking, conditions)} w on w.id = ${source.key}${where(others)})`;
  const down = raw(source.order.isDescending ? ' desc' : '');
  const order = sql<BoundValue>`h.rank desc, h.o0${down}, h.id${down}`;
  const ids = sql<BoundValue>`select h.id, row_number() over (order by ${order}) as place from hits h order by ${order} ${windowSql(query)}`;
  return make(ids, raw('page.place'), plan, countedHits(hits));
}

/** Where nothing but words and types is asked for, the database finds, ranks and counts in one go (`portal.search_page`). Undefined: more is asked for. */
function searchPageSql(
  plan: ReadPlan,
  { words }: WordSearch,
  others: readonly Condition[],
  make: MakePage,
): Sql | undefined {
  const { source, query, also = [] } = plan;
  const types =
    others.length === 1 && source.countTypes !== undefined ? valuesAsked(others[0], 'resource_type') : undefined;
  if (source.searchPage === undefined || also.length > 0 || (others.length > 0 && types === undefined))
    return undefined;
  const { page, pageSize, offset = (page - 1) * pageSize } = query;
  const found = source.searchPage({ words, types, skipped: offset, most: pageSize });
  const ids = raw('select f.id, f.place from found f where f.id is not null order by f.place');
  return make(ids, raw('page.place'), plan, {
    before: sql<BoundValue>`found as materialized (select * from ${found})`,
    total: raw('(select max(f.total) from found f)'),
  });
}

/** Total and page in one row. */
function foundSql(plan: ReadPlan, make: MakePage): Sql {
  const ranking = rankingOf(plan);
  if (ranking !== undefined) return rankedSql(plan, ranking, make);
  const { source, query } = plan;
  const { joins, columns } = joinedOrder(query.order, source);
  const sorted = columns.map(({ value }, n) => sql<BoundValue>`${value} as ${raw(`o${n}`)}`);
  const hits = sql<BoundValue>`hits as materialized (select ${source.key} as id, ${join(sorted)} from ${fromSql(source)}${joins}${where(conditionsOf(plan))})`;
  const byHits = columns.map(({ isDescending }, n) => ({ value: raw(`h.o${n}`), isDescending }));
  const ids = sql<BoundValue>`select h.id from hits h order by ${byColumns(byHits)} ${windowSql(query)}`;
  return make(ids, orderSql(query.order, source), plan, countedHits(hits));
}

/**
 * Where the page begins at the beginning, its size stands in the text and not in a parameter: only then can the database know
 * that one plan is good for all callers, and stop making new ones.
 */
function windowSql({
  page,
  pageSize,
  offset = (page - 1) * pageSize,
}: Pick<CatalogueQuery, 'page' | 'pageSize' | 'offset'>): Sql {
  return offset === 0
    ? raw(`limit ${pageSize}`)
    : sql<BoundValue>`limit ${bound(String(pageSize))}::bigint offset ${bound(String(offset))}::bigint`;
}

/** What goes before the page, and how many there are of all pages. */
export type Counted = { readonly before: Sql; readonly total: Sql };

function countedHits(hits: Sql): Counted {
  return { before: hits, total: raw('(select count(*) from hits)') };
}

/** All records that `ids` selects (as `id`), as one JSON array; with `counted`, after the number of all. */
export function recordsSql(
  ids: Sql,
  order: Sql,
  plan: Pick<ReadPlan, 'recordType' | 'source' | 'isVisitor'> & {
    readonly query: Pick<CatalogueQuery, 'selection' | 'debug'>;
  },
  counted?: Counted,
): Sql {
  const { recordType, source, query, isVisitor } = plan;
  const hasParts = source.isCatalogue && needsParts(recordType, query.selection);
  const columns = selectedColumns(plan, query.selection, { isVisitor, hasParts });
  const parts = hasParts
    ? raw(', parts as materialized (select p.* from portal.item_parts(array(select id from page)) p)')
    : empty;
  const joined = hasParts ? sql<BoundValue>` left join parts m on m.resource_id = ${source.key}` : empty;
  const before = counted === undefined ? empty : sql<BoundValue>`${counted.before}, `;
  const total = counted === undefined ? empty : sql<BoundValue>`${counted.total}, `;
  return sql<BoundValue>`with ${before}page as materialized (${ids})${parts} select ${total}coalesce(json_agg(x), '[]') from (select ${columns} from page join ${source.table} on ${source.key} = page.id${source.joins}${joined} order by ${order}) x`;
}

/** One record as a JSON object; no row when it is not there. */
export function itemSql(id: number, plan: ReadPlan): Sql {
  const { recordType, source, query, isVisitor } = plan;
  const key = sql<BoundValue>`${bound(String(id))}::integer`;
  const conditions = [sql<BoundValue>`${source.key} = ${key}`, ...conditionsOf(plan)];
  const hasParts = source.isCatalogue && needsParts(recordType, query.selection);
  const columns = selectedColumns(plan, query.selection, { isVisitor, hasParts });
  const joined = hasParts
    ? sql<BoundValue>` left join portal.item_parts(array[${key}]) m on m.resource_id = ${source.key}`
    : empty;
  return sql<BoundValue>`select row_to_json(x) from (select ${columns} from ${fromSql(source)}${joined}${where(conditions)}) x`;
}

export function selectedColumns(
  {
    recordType,
    source,
    query,
  }: Pick<ReadPlan, 'recordType' | 'source'> & { readonly query: Pick<CatalogueQuery, 'debug'> },
  selection: Selection,
  env: ReadEnv,
): Sql {
  const columns = allColumnsSql(recordType, source.row, selection, env);
  if (!query.debug) return columns;
  return join([
    columns,
    sql<BoundValue>`json_build_object('id', ${source.key}, 'type', ${raw(`'${recordType.name}'`)}) as "_meta"`,
  ]);
}

/** Everything that a record has to fulfil to be hit by a request. */
export function conditionsOf(plan: ReadPlan, isNarrowed: boolean = hasWordSearch(plan)): readonly Sql[] {
  const { source, query, isVisitor, also = [] } = plan;
  return [...source.where, ...also, ...conditionsSql(query.conditions, { source, isVisitor, isNarrowed })];
}

function hasWordSearch({ source, query }: ReadPlan): boolean {
  return query.conditions.some((condition) => isWordSearch(condition, source));
}

/** What a few rows are sorted by: related values are looked up for each. */
function orderSql(terms: readonly OrderTerm[], source: Source): Sql {
  return byColumns(
    withKey(
      terms.map(({ path, isDescending }) => ({ value: sortValueSql(path, source.row), isDescending })),
      source,
    ),
  );
}

/** The same for all rows: related records are joined, so that each of them is looked at once and not once per row. */
function joinedOrder(
  terms: readonly OrderTerm[],
  source: Source,
): { readonly joins: Sql; readonly columns: readonly OrderColumn[] } {
  const joins: Sql[] = [];
  const columns = terms.map(({ path, isDescending }): OrderColumn => {
    let row = source.row;
    for (const { relation } of path.through) {
      const inner = `s${joins.length}`;
      const { from, on } = relation.rows(row, inner);
      joins.push(sql<BoundValue>` left join ${from} on ${on}`);
      row = inner;
    }
    return { value: sortValueSql({ ...path, through: [] }, row), isDescending };
  });
  return { joins: join(joins, ''), columns: withKey(columns, source) };
}

/** The key decides between equals, in the direction of the first column, so that one index can serve both. */
function withKey(columns: readonly OrderColumn[], source: Source): readonly OrderColumn[] {
  const [first = source.order, ...rest] = columns;
  return [first, ...rest, { value: source.key, isDescending: first.isDescending }];
}

function byColumns(columns: readonly OrderColumn[]): Sql {
  return join(columns.map(({ value, isDescending }) => sql<BoundValue>`${value}${raw(isDescending ? ' desc' : '')}`));
}
