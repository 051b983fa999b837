// Lists and items: query string → one batch → the bytes PostgreSQL made, in their envelope.

import { PIPELINED } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Statement, StatementResult } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Sql } from '../fields/bound-value.ts';
import { sideload } from '../fields/sideload.ts';
import { type CatalogueQuery, hasRegex, parseCatalogueQuery } from '../query/catalogue-query.ts';
import { itemSql, listSql, pageSql, type ReadPlan } from '../query/catalogue-sql.ts';
import { isBeyondEnd, listEnvelope, namedEnvelope } from '../query/envelope.ts';
import { shownSize } from '../query/paging.ts';
import { stampedShape } from '../query/stamped-sql.ts';
import type { Collection } from './collection.ts';
import type { Answer, ApiContext, Exchange } from './exchange.ts';
import { type ExecuteAsCaller, type Records, readStamped, readStampedItem, statementsOf } from './read-stamped.ts';

/** What of a collection this request is about. */
export function planOf(collection: Collection, query: CatalogueQuery, { isVisitor }: Exchange): ReadPlan {
  return { recordType: collection.recordType, source: collection.source, query, isVisitor };
}

/** `also`: further conditions of this list. */
export async function readList(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  also: readonly Sql[] = collection.listed,
): Promise<Result<Answer, PortalError>> {
  if (exchange.isVisitor && collection.visitors === 'refused') return err({ kind: 'not-authenticated' });
  const query = parseCatalogueQuery(exchange.query, collection.rules);
  if (!query.ok) return query;
  if (collection.isBare === true && !(exchange.isVisitor && collection.visitors !== 'welcome')) {
    return readBare(context.db, exchange, { ...planOf(collection, query.value, exchange), also });
  }
  const found = await readRecords(context, exchange, collection, query.value, also);
  return found.ok ? answerList(exchange, collection, query.value, found.value.total, found.value.records) : found;
}

/** A window of a collection as the caller sees it, without an envelope. Where visitors see nothing, there is nothing. */
export async function readRecords(
  { db, kept }: Pick<ApiContext, 'db' | 'kept'>,
  exchange: Exchange,
  collection: Collection,
  query: CatalogueQuery,
  also: readonly Sql[] = collection.listed,
): Promise<Result<Records, PortalError>> {
  const none = Buffer.from('[]');
  if (exchange.isVisitor && collection.visitors !== 'welcome') return ok({ total: 0, records: none });
  const plan = { ...planOf(collection, query, exchange), also };
  const execute = executeAs(db, exchange, query);
  const columns = stampedShape(plan);
  if (columns !== undefined) {
    const read = await readStamped(kept, kept.shapeOf(columns, exchange.base), plan, execute);
    if (!read.ok) return err(readFailure(read.error, query));
    return read;
  }
  const executed = await execute(statementsOf(listSql(plan)));
  if (!executed.ok) return err(readFailure(executed.error, query));
  const [total, page] = executed.value.flatMap(({ rows }) => rows[0] ?? []);
  return ok({ total: Number(total?.toString() ?? 0), records: page ?? none });
}

function answerList(
  exchange: Exchange,
  collection: Collection,
  query: CatalogueQuery,
  total: number,
  records: Uint8Array,
): Result<Answer, PortalError> {
  if (isBeyondEnd(query, total)) return err({ kind: 'invalid-page' });
  const { json, more } = besides(collection, query, records);
  const body = listEnvelope(json, {
    more,
    page: query.page,
    pageSize: shownSize(query, total),
    total,
    member: collection.list,
    origin: exchange.base,
    target: exchange.target,
  });
  return ok({ status: 200, body });
}

/** Lists without pages end here: more than anybody keeps, and still no flood. */
export const MAX_BARE = 10_000;

async function readBare(
  db: ApiContext['db'],
  exchange: Exchange,
  plan: ReadPlan,
): Promise<Result<Answer, PortalError>> {
  const all = { ...plan, query: { ...plan.query, page: 1, pageSize: MAX_BARE } };
  const statement = exchange.statement(pageSql(all));
  const executed = await db.read(exchange.caller, exchange.info, withTimeLimit(plan.query, [statement]));
  if (!executed.ok) return err(readFailure(executed.error, plan.query));
  return ok({ status: 200, body: cellOf(executed.value.at(-1)) ?? '[]' });
}

/** Records in the name that the collection gives them, if it does; `meta` tells what became of the request. */
export function envelope(
  collection: Collection,
  form: 'item' | 'list',
  json: Uint8Array,
  meta: Readonly<Record<string, unknown>> = {},
): Uint8Array {
  const more = Object.keys(meta).length === 0 ? '' : `,"meta":${JSON.stringify(meta)}`;
  if (collection.isBare !== true) return namedEnvelope(collection[form], json, more);
  // A bare record has no room beside it, so `meta` is its last member.
  return more === '' ? json : Buffer.concat([json.subarray(0, -1), Buffer.from(`${more}}`)]);
}

export async function readItem(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
): Promise<Result<Answer, PortalError>> {
  const refused = visitorAnswer(exchange, collection);
  if (refused?.kind === 'not-authenticated') return err(refused);
  const query = parseCatalogueQuery(exchange.query, collection.rules);
  if (!query.ok) return query;
  if (id === undefined || refused !== undefined) return err({ kind: 'not-found' });
  const found = await readRecord(context, exchange, planOf(collection, query.value, exchange), id);
  if (!found.ok) return err(readFailure(found.error, query.value));
  const record = found.value;
  if (record === undefined) return err({ kind: 'not-found' });
  if (collection.isBare === true) return ok({ status: 200, body: record });
  const { json, more } = besides(collection, query.value, record);
  return ok({ status: 200, body: namedEnvelope(collection.item, json, more) });
}

/** Kept under its stamp where it follows from that, else made anew; undefined: it is not there for the caller. */
async function readRecord(
  { db, kept }: Pick<ApiContext, 'db' | 'kept'>,
  exchange: Exchange,
  plan: ReadPlan,
  id: number,
): Promise<Result<Buffer | undefined, DbError>> {
  const execute = executeAs(db, exchange, plan.query);
  const columns = stampedShape(plan);
  if (columns !== undefined) return readStampedItem(kept, kept.shapeOf(columns, exchange.base), id, plan, execute);
  const executed = await execute([itemSql(id, plan)]);
  return executed.ok ? ok(cellOf(executed.value[0])) : executed;
}

function executeAs(db: ApiContext['db'], exchange: Exchange, query: CatalogueQuery): ExecuteAsCaller {
  return async (fragments) => {
    const statements = withTimeLimit(query, fragments.map(exchange.statement));
    const executed = await db.read(exchange.caller, exchange.info, statements, PIPELINED);
    return executed.ok ? ok(executed.value.slice(-fragments.length)) : executed;
  };
}

/** What a visitor is told of an item without the database being asked; undefined: it is asked. */
export function visitorAnswer(
  { isVisitor }: Pick<Exchange, 'isVisitor'>,
  { visitors }: Pick<Collection, 'visitors'>,
): PortalError | undefined {
  if (!isVisitor || visitors === 'welcome') return undefined;
  return { kind: visitors === 'see-nothing' ? 'not-found' : 'not-authenticated' };
}

/** The records, and what was asked to stand beside them. A list that has the name of the records themselves would hide them. */
function besides(
  { recordType, list, item }: Collection,
  { sideloading }: CatalogueQuery,
  records: Uint8Array,
): { readonly json: Uint8Array; readonly more: string } {
  if (sideloading === undefined) return { json: records, more: '' };
  const parsed = JSON.parse(Buffer.from(records).toString()) as Record<string, unknown> | Record<string, unknown>[];
  const loaded = sideload(recordType, [parsed].flat(), sideloading);
  const json = Array.isArray(parsed) ? loaded.records : loaded.records[0];
  const more = [...loaded.sides].map(
    ([name, side]) => `,${JSON.stringify(name === list || name === item ? `+${name}` : name)}:${JSON.stringify(side)}`,
  );
  return { json: Buffer.from(JSON.stringify(json)), more: more.join('') };
}

/** Long enough for an honest expression over a large catalogue. The embedded engine has no such limit. */
const REGEX_SECONDS = 5;
const TIME_LIMIT: Statement = {
  text: `select set_config('statement_timeout', '${REGEX_SECONDS}s', true)`,
  params: [],
  name: 'portal_time_limit',
};

/**
 * For statements that find very few rows with one value and very many with another: the plan that is good for any of them, which
 * PostgreSQL turns to after the fifth time, takes ten times as long.
 */
const FRESH_PLAN: Statement = {
  text: "select pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true)",
  params: [],
  name: 'portal_fresh_plan',
};

export function withFreshPlan(statements: readonly Statement[]): readonly Statement[] {
  return [FRESH_PLAN, ...statements];
}

export function withTimeLimit(query: CatalogueQuery, statements: readonly Statement[]): readonly Statement[] {
  return hasRegex(query) ? [TIME_LIMIT, ...statements] : statements;
}

export function readFailure(error: DbError, query: CatalogueQuery): PortalError {
  if (error.kind === 'sql' && error.sqlstate === '57014' && hasRegex(query)) {
    return { kind: 'invalid-request', messages: ['The regular expression takes too long.'] };
  }
  return { kind: 'database', error };
}

/** The first cell of the first row. */
export function cellOf(result: StatementResult | undefined): Buffer | undefined {
  return result?.rows[0]?.[0] ?? undefined;
}

export function numberIn(result: StatementResult | undefined): number {
  return Number(cellOf(result)?.toString() ?? 0);
}
