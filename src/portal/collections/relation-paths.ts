// `{collection}/{id}/{field}`: what is related to an item, or a field of it that is not shown otherwise.

import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql, where } from '../../sql/index.ts';
import { WHOLE } from '../catalogue/catalogue-query.ts';
import { conditionsOf, PLAIN, recordsSql } from '../catalogue/catalogue-sql.ts';
import { namedEnvelope } from '../catalogue/envelope.ts';
import { parseSelection } from '../catalogue/field-selection.ts';
import { parseQueryParams } from '../catalogue/query-params.ts';
import { fromSql, type Source } from '../catalogue/source.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { ReadEnv, Relation, Shape } from '../represent/field.ts';
import { relatedMany } from '../represent/json-sql.ts';
import { EVERYTHING, type Selection } from '../represent/selection.ts';
import { type Slot, type Sql, slot } from '../represent/slot.ts';
import type { Collection } from './collection.ts';
import type { Answer, ApiContext, Exchange } from './exchange.ts';
import { cellOf, MAX_BARE, planOf, visitorAnswer } from './read.ts';

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
  const field = collection.shape.byName.get(name);
  const valueName = Object.hasOwn(collection.valuePaths, name) ? collection.valuePaths[name] : undefined;
  const relation = field?.type.kind === 'many' ? field.type.relation : undefined;
  if (relation === undefined && valueName === undefined) return err({ kind: 'not-found' });
  const params = parseQueryParams(exchange.query);
  for (const key of params.names()) {
    if (!key.startsWith('filter{')) continue;
    return err({ kind: 'invalid-request', messages: ['Filtering is not enabled on relation endpoints.'] });
  }
  const selection = relation === undefined ? ok(EVERYTHING) : parseSelection(params, relation.shape());
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
  return ok({ status: 200, body: namedEnvelope(relation?.shape().plural ?? valueName ?? name, found.value) });
}

/** Related records as a bare list. */
export async function readBareList(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  relation: Relation,
): Promise<Result<Answer, PortalError>> {
  const selection = parseSelection(parseQueryParams(exchange.query), relation.shape());
  if (!selection.ok) return selection;
  const list = relatedMany(relation, collection.source.row, selection.value, singleEnv(exchange));
  const found = await readOf(context, exchange, collection, id, list);
  if (!found.ok) return found;
  return found.value === undefined ? err({ kind: 'not-found' }) : ok({ status: 200, body: found.value });
}

/** Whole records of another collection as a bare list: `ids` selects them, given the item's own id. */
export type BareRecords = {
  readonly shape: Shape;
  readonly source: Source;
  readonly ids: (id: Sql) => Sql;
  readonly order: Sql;
};

export async function readBareRecords(
  { db }: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  records: BareRecords,
): Promise<Result<Answer, PortalError>> {
  const refused = visitorAnswer(exchange, collection);
  if (refused !== undefined) return err(refused);
  const selection: Result<Selection, PortalError> = parseSelection(parseQueryParams(exchange.query), records.shape);
  if (!selection.ok) return selection;
  if (id === undefined) return err({ kind: 'not-found' });
  const { shape, source, ids, order } = records;
  const key = sql<Slot>`${slot(String(id))}::integer`;
  const first = sql<Slot>`select ${source.key} as id from ${source.table} where ${source.key} in (${ids(key)}) order by ${order} ${raw(`limit ${MAX_BARE}`)}`;
  const list = recordsSql(first, order, {
    shape,
    source,
    isVisitor: exchange.isVisitor,
    query: { ...PLAIN, selection: selection.value },
  });
  const flown = await db.read(exchange.caller, exchange.info, [
    exchange.statement(rowOf(collection, exchange, id, raw('true'))),
    exchange.statement(list),
  ]);
  if (!flown.ok) return err({ kind: 'database', error: flown.error });
  if (flown.value[0]?.rows.length === 0) return err({ kind: 'not-found' });
  return ok({ status: 200, body: cellOf(flown.value[1]) ?? '[]' });
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
  const flown = await db.read(exchange.caller, exchange.info, [
    exchange.statement(rowOf(collection, exchange, id, expression)),
  ]);
  if (!flown.ok) return err({ kind: 'database', error: flown.error });
  const [row] = flown.value[0]?.rows ?? [];
  return ok(row === undefined ? undefined : (row[0] ?? Buffer.from('null')));
}

function rowOf(collection: Collection, exchange: Exchange, id: number, expression: Sql): Sql {
  const { source } = collection;
  const also = [sql<Slot>`${source.key} = ${slot(String(id))}::integer`];
  return sql<Slot>`select ${expression} from ${fromSql(source)}${where(conditionsOf({ ...planOf(collection, WHOLE, exchange), also }))}`;
}

function singleEnv({ isVisitor }: Exchange): ReadEnv {
  return { isVisitor, hasParts: false };
}
