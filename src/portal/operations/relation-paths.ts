// `{collection}/{id}/{field}`: what is related to an item, or a field of it that is not shown otherwise.

import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql, where } from '../../sql/index.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import type { ReadEnv, Relation } from '../fields/field.ts';
import { relatedMany } from '../fields/json-sql.ts';
import { EVERYTHING } from '../fields/selection.ts';
import { parseCatalogueQuery, WHOLE } from '../query/catalogue-query.ts';
import { conditionsOf, pageSql } from '../query/catalogue-sql.ts';
import { namedEnvelope } from '../query/envelope.ts';
import { parseSelection } from '../query/field-selection.ts';
import { parseQueryParams } from '../query/query-params.ts';
import { fromSql } from '../query/source.ts';
import type { Collection } from './collection.ts';
import type { Answer, ApiContext, Exchange } from './exchange.ts';
import { cellOf, MAX_BARE, planOf, readFailure, visitorAnswer, withTimeLimit } from './read.ts';
import type { RelatedList } from './related-list.ts';

/** As clients have always been told here: a text, not an object. */
const NO_PARENT: Answer = { status: 404, body: '"Not found"' };

export async function readRelation(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  name: string,
): Promise<Result<Answer, PortalError>> {
  if (exchange.isVisitor && collection.visitors === 'refused') return err({ kind: 'not-authenticated' });
  const field = collection.recordType.byName.get(name);
  const valueName = Object.hasOwn(collection.valuePaths, name) ? collection.valuePaths[name] : undefined;
  const relation = field?.type.kind === 'many' ? field.type.relation : undefined;
  if (relation === undefined && valueName === undefined) return err({ kind: 'not-found' });
  const params = parseQueryParams(exchange.query);
  for (const key of params.names()) {
    if (!key.startsWith('filter{')) continue;
    return err({ kind: 'invalid-request', messages: ['Filtering is not enabled on relation endpoints.'] });
  }
  const selection = relation === undefined ? ok(EVERYTHING) : parseSelection(params, relation.recordType());
  if (!selection.ok) return selection;
  const { row } = collection.source;
  const env = singleEnv(exchange);
  const found = await readOf(
    context,
    exchange,
    collection,
    id,
    relation === undefined
      ? (field?.shown?.(row, env) ?? raw('null'))
      : relatedMany(relation, row, selection.value, env),
  );
  if (!found.ok) return found;
  if (found.value === undefined) return ok(NO_PARENT);
  return ok({ status: 200, body: namedEnvelope(relation?.recordType().plural ?? valueName ?? name, found.value) });
}

/** Related records as a bare list. */
export async function readBareList(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  relation: Relation,
): Promise<Result<Answer, PortalError>> {
  const selection = parseSelection(parseQueryParams(exchange.query), relation.recordType());
  if (!selection.ok) return selection;
  const list = relatedMany(relation, collection.source.row, selection.value, singleEnv(exchange));
  const found = await readOf(context, exchange, collection, id, list);
  if (!found.ok) return found;
  return found.value === undefined ? err({ kind: 'not-found' }) : ok({ status: 200, body: found.value });
}

/** Whole records of another collection, as a bare list: all of them, or the page that was asked for. */
export async function readRelatedList(
  { db }: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  { recordType, source, rules, ids }: RelatedList,
): Promise<Result<Answer, PortalError>> {
  const refused = visitorAnswer(exchange, collection);
  if (refused !== undefined) return err(refused);
  const query = parseCatalogueQuery(exchange.query, rules);
  if (!query.ok) return query;
  if (id === undefined) return err({ kind: 'not-found' });
  const params = parseQueryParams(exchange.query);
  const isPaged = ['page', 'page_size', 'per_page'].some((name) => params.first(name) !== undefined);
  const asked = isPaged ? query.value : { ...query.value, page: 1, pageSize: MAX_BARE };
  const also = [sql<BoundValue>`${source.key} in (${ids(sql<BoundValue>`${bound(String(id))}::integer`)})`];
  const statements = [
    exchange.statement(rowOf(collection, exchange, id, raw('true'))),
    exchange.statement(pageSql({ recordType, source, query: asked, isVisitor: exchange.isVisitor, also })),
  ];
  const executed = await db.read(exchange.caller, exchange.info, withTimeLimit(query.value, statements));
  if (!executed.ok) return err(readFailure(executed.error, query.value));
  const [parent, list] = executed.value.slice(-statements.length);
  if (parent?.rows.length === 0) return err({ kind: 'not-found' });
  const body = cellOf(list) ?? Buffer.from('[]');
  return asked.page > 1 && body.toString() === '[]' ? err({ kind: 'invalid-page' }) : ok({ status: 200, body });
}

/** One expression of one row of the collection; undefined: the row is not there for this caller. */
export async function readOf(
  { db }: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  expression: Sql,
): Promise<Result<Buffer | undefined, PortalError>> {
  const refused = visitorAnswer(exchange, collection);
  if (refused !== undefined) return refused.kind === 'not-found' ? ok(undefined) : err(refused);
  if (id === undefined) return ok(undefined);
  const executed = await db.read(exchange.caller, exchange.info, [
    exchange.statement(rowOf(collection, exchange, id, expression)),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [row] = executed.value[0]?.rows ?? [];
  return ok(row === undefined ? undefined : (row[0] ?? Buffer.from('null')));
}

function rowOf(collection: Collection, exchange: Exchange, id: number, expression: Sql): Sql {
  const { source } = collection;
  const also = [sql<BoundValue>`${source.key} = ${bound(String(id))}::integer`];
  return sql<BoundValue>`select ${expression} from ${fromSql(source)}${where(conditionsOf({ ...planOf(collection, WHOLE, exchange), also }))}`;
}

function singleEnv({ isVisitor }: Exchange): ReadEnv {
  return { isVisitor, hasParts: false };
}
