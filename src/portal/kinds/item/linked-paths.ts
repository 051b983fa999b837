// `{collection}/{id}/linked_resources`: items that an item is linked to, and those that are linked to it, as newer clients read and change them.
// Links of documents and the layers of maps are among them. What the caller does not see at the other end is not there.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { raw, sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import type { Collection } from '../../operations/collection.ts';
import { wholeBody } from '../../operations/create.ts';
import {
  type Answer,
  type ApiContext,
  asAccountRoute,
  asRoute,
  type Exchange,
  json,
} from '../../operations/exchange.ts';
import { cellOf, numberIn, planOf, readFailure, withTimeLimit } from '../../operations/read.ts';
import { bodyOf, pathId } from '../../operations/register-collection.ts';
import { readOf } from '../../operations/relation-paths.ts';
import { expectedObject, isMembers, kindOf } from '../../operations/write/body-forms.ts';
import { type CatalogueQuery, parseCatalogueQuery } from '../../query/catalogue-query.ts';
import { pageSql, totalSql } from '../../query/catalogue-sql.ts';
import { MAX_PAGE_SIZE } from '../../query/paging.ts';
import { parseQueryParams } from '../../query/query-params.ts';
import { linksDescribed } from './links-described.ts';

/** More links are made in several requests. */
const MAX_TARGETS = 1000;

type Linked = Readonly<Record<string, unknown>> & { readonly pk: string };

/** `isInternal`: those that follow from what a map is made of, and are not made or taken away here. */
function linkedIds(id: Sql, direction: 'to' | 'by', isInternal: boolean): Sql {
  const [from, to] = direction === 'to' ? (['source', 'target'] as const) : (['target', 'source'] as const);
  const of = { source: ['document_id', 'map_id'], target: ['resource_id', 'layer_id'] } as const;
  return isInternal
    ? sql<BoundValue>`select m.${raw(of[to][1])} from portal.map_layer m where m.${raw(of[from][1])} = ${id} and m.layer_id is not null`
    : sql<BoundValue>`select l.${raw(`${to}_id`)} from portal.resource_link l where l.${raw(`${from}_id`)} = ${id} union all select d.${raw(of[to][0])} from portal.document_link d where d.${raw(of[from][0])} = ${id}`;
}

export function registerLinkedPaths(
  app: FastifyInstance,
  context: ApiContext,
  resources: Collection,
  collections: readonly Collection[],
): void {
  for (const collection of collections) {
    const path = `${collection.path}/:id/linked_resources`;
    const what = linksDescribed(collection.path);
    // Documents had a list of theirs before.
    if (!collection.path.endsWith('/documents')) {
      app.get(
        path,
        described(what.get),
        asRoute(context, (exchange) => readLinked(context, exchange, collection, resources)),
      );
    }
    app.post(
      path,
      described(what.post),
      asAccountRoute(context, (exchange) => changeLinks(context, exchange, collection, 'add')),
    );
    app.delete(
      path,
      described(what.delete),
      asAccountRoute(context, (exchange) => changeLinks(context, exchange, collection, 'remove')),
    );
  }
}

async function readLinked(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  resources: Collection,
): Promise<Result<Answer, PortalError>> {
  const query = parseCatalogueQuery(exchange.query, resources.rules);
  if (!query.ok) return query;
  const here = await idHere(context, exchange, collection);
  if (!here.ok) return here;
  const id = sql<BoundValue>`${bound(String(here.value))}::integer`;
  // Who asks for no page means all of them; `total` tells when there are more than a page can hold.
  const params = parseQueryParams(exchange.query);
  const isPaged = params.first('page_size') !== undefined || params.first('per_page') !== undefined;
  const asked: CatalogueQuery = isPaged ? query.value : { ...query.value, pageSize: MAX_PAGE_SIZE };
  const plans = (['to', 'by'] as const).flatMap((direction) =>
    [false, true].map((isInternal) => ({
      ...planOf(resources, asked, exchange),
      also: [sql<BoundValue>`r.id in (${linkedIds(id, direction, isInternal)})`],
    })),
  );
  const statements = [...plans.map((plan) => pageSql(plan)), ...plans.map(totalSql)].map(exchange.statement);
  const executed = await context.db.read(exchange.caller, exchange.info, withTimeLimit(asked, statements));
  if (!executed.ok) return err(readFailure(executed.error, asked));
  const results = executed.value.slice(-statements.length);
  const [to, insideTo, by, insideBy] = results.map(
    (result, at) => (at < plans.length ? JSON.parse(cellOf(result)?.toString() ?? '[]') : []) as readonly Linked[],
  );
  const total = results.slice(plans.length).reduce((sum, result) => sum + numberIn(result), 0);
  const linkedTo = [...marked(to, false), ...marked(insideTo, true)];
  const linkedBy = [...marked(by, false), ...marked(insideBy, true)];
  const all = new Map([...linkedTo, ...linkedBy].map((item) => [item.pk, item]));
  return ok(json(200, { total, linked_to: linkedTo, linked_by: linkedBy, resources: [...all.values()] }));
}

function marked(items: readonly Linked[] | undefined, internal: boolean): readonly Linked[] {
  return (items ?? []).map((item) => ({ internal, ...item }));
}

/** The item of the path, if it is one of this collection and the caller sees it. */
async function idHere(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
): Promise<Result<number, PortalError>> {
  const id = pathId(exchange);
  const found = await readOf(context, exchange, collection, id, raw('true'));
  if (!found.ok) return found;
  return id === undefined || found.value === undefined ? err({ kind: 'not-found' }) : ok(id);
}

async function changeLinks(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  how: 'add' | 'remove',
): Promise<Result<Answer, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const targets = targetsOf(body.value);
  if (!targets.ok) return targets;
  const here = await idHere(context, exchange, collection);
  if (!here.ok) return here;
  const id = sql<BoundValue>`${bound(String(here.value))}::integer`;
  const ids = sql<BoundValue>`${bound(arrayText(targets.value.map(String)))}::integer[]`;
  const { db } = context;
  if (how === 'add') {
    const strangers = sql<BoundValue>`select n.id from unnest(${ids}) n(id) where n.id = ${id} or not exists (select from portal.resource r where r.id = n.id) limit 10`;
    const looked = await db.read(exchange.caller, exchange.info, [exchange.statement(strangers)]);
    if (!looked.ok) return err({ kind: 'database', error: looked.error });
    const messages = (looked.value[0]?.rows ?? []).map(([cell]) =>
      Number(cell?.toString()) === here.value
        ? 'An item cannot be linked to itself.'
        : `Invalid pk "${cell?.toString()}" - object does not exist.`,
    );
    if (messages.length > 0) return err({ kind: 'invalid-fields', fields: { target: messages } });
  }
  // Links of documents stand where they always stood, so that both ways to read them agree.
  const statements =
    how === 'add'
      ? [
          sql<BoundValue>`insert into portal.document_link (document_id, resource_id) select r.id, n.id from portal.resource r, unnest(${ids}) n(id) where r.id = ${id} and r.resource_type = 'document' on conflict do nothing`,
          sql<BoundValue>`insert into portal.resource_link (source_id, target_id) select r.id, n.id from portal.resource r, unnest(${ids}) n(id) where r.id = ${id} and r.resource_type <> 'document' on conflict do nothing`,
        ]
      : [
          sql<BoundValue>`delete from portal.document_link l where l.document_id = ${id} and l.resource_id = any (${ids}) returning l.resource_id`,
          sql<BoundValue>`delete from portal.resource_link l where l.source_id = ${id} and l.target_id = any (${ids}) returning l.target_id`,
        ];
  const executed = await db.write(exchange.caller, exchange.info, statements.map(exchange.statement));
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  if (how === 'add') return ok(json(201, { success: targets.value, error: [] }));
  const gone = new Set(executed.value.flatMap(({ rows }) => rows.map(([cell]) => Number(cell?.toString()))));
  return ok(
    json(200, {
      success: targets.value.filter((target) => gone.has(target)),
      // They were not linked.
      error: targets.value.filter((target) => !gone.has(target)),
    }),
  );
}

/** `{"target": 5}`, `{"target": [5, 6]}`; numbers may be texts. */
function targetsOf(body: unknown): Result<readonly number[], PortalError> {
  if (!isMembers(body)) return err(wholeBody(expectedObject(kindOf(body ?? null))));
  const { target } = body;
  if (target === undefined) return wrongTarget('This field is required.');
  const given: readonly unknown[] = Array.isArray(target) ? target : [target];
  if (given.length === 0 || given.length > MAX_TARGETS)
    return wrongTarget(`Enter the ids of one to ${MAX_TARGETS} items.`);
  const ids = new Set<number>();
  for (const one of given) {
    const text = typeof one === 'number' || typeof one === 'string' ? String(one) : '';
    if (!/^\d{1,9}$/.test(text)) return wrongTarget('Enter ids of items: whole numbers.');
    ids.add(Number(text));
  }
  return ok([...ids]);
}

function wrongTarget(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { target: [message] } });
}
