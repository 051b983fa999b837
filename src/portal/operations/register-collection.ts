// The routes that every collection has.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw } from '../../sql/index.ts';
import { parseId } from '../accounts/path-id.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { isMultipart, readForm } from '../files/multipart.ts';
import type { Collection } from './collection.ts';
import { createRecords } from './create.ts';
import { deleteItem, deleteNamed } from './delete.ts';
import { describeCollection } from './describe.ts';
import { type ApiContext, asAccountRoute, asRoute, type Exchange, type Handle, json } from './exchange.ts';
import { readItem, readList } from './read.ts';
import { readOf, readRelation } from './relation-paths.ts';
import { updateCollection, updateItem } from './update.ts';
import { isTooDeep, MAX_DEPTH } from './write/json-depth.ts';

/** Documents of geostories and viewers are large; a record is not. */
export const BODY_LIMIT: number = 16 * 1024 * 1024;

/** What a collection does in its own way. */
export type OwnHandlers = {
  readonly create?: Handle;
  readonly change?: Handle;
  /** A multipart form that is put in an item's place; undefined: its fields are those of the record. */
  readonly takeForm?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
};

export function registerCollection(
  app: FastifyInstance,
  context: ApiContext,
  collection: Collection,
  own?: OwnHandlers,
): void {
  const { path } = collection;
  const limits = { bodyLimit: BODY_LIMIT };
  const description = describeCollection(collection, context.enablePatchAll && collection.writer !== undefined);

  app.get(
    path,
    asRoute(context, (exchange) => readList(context, exchange, collection)),
  );
  app.options(
    path,
    asRoute(context, async () => ok(json(200, description))),
  );
  app.get(
    `${path}/:id`,
    asRoute(context, (exchange) => readItem(context, exchange, collection, pathId(exchange))),
  );
  // To who does not see the item it is not there, whatever is asked. Only a browser that asks on behalf of another site sends no credentials along.
  app.options(
    `${path}/:id`,
    asRoute(context, async (exchange) => {
      if (exchange.request.headers['access-control-request-method'] !== undefined) return ok(json(200, description));
      const seen = await readOf(context, exchange, collection, pathId(exchange), raw('true'));
      if (!seen.ok) return seen;
      return seen.value === undefined ? err({ kind: 'not-found' }) : ok(json(200, description));
    }),
  );
  app.get(
    `${path}/:id/:field`,
    asRoute(context, (exchange) =>
      readRelation(context, exchange, collection, pathId(exchange), pathPart(exchange, 'field')),
    ),
  );
  if (collection.writer === undefined) return;

  const create: Handle = async (exchange) => {
    const body = await bodyOf(exchange);
    return body.ok ? createRecords(context, exchange, collection, body.value) : body;
  };
  const change: Handle = async (exchange) => {
    const body = await bodyOf(exchange);
    return body.ok ? updateItem(context, exchange, collection, pathId(exchange), body.value) : body;
  };
  app.post(path, limits, asAccountRoute(context, own?.create ?? create));
  const put = asAccountRoute(context, own?.change ?? change);
  const takeForm = own?.takeForm;
  app.put(`${path}/:id`, limits, (request, reply) =>
    takeForm !== undefined && isMultipart(request) ? takeForm(request, reply) : put(request, reply),
  );
  app.patch(`${path}/:id`, limits, asAccountRoute(context, own?.change ?? change));
  app.delete(
    `${path}/:id`,
    asAccountRoute(context, (exchange) => deleteItem(context, exchange, collection, pathId(exchange))),
  );
  if (collection.isBare === true || !(context.enableBulkUpdate || context.enablePatchAll)) return;

  app.patch(
    path,
    limits,
    asAccountRoute(context, async (exchange) => {
      const body = await bodyOf(exchange);
      return body.ok ? updateCollection(context, exchange, collection, body.value) : body;
    }),
  );
  if (!context.enableBulkUpdate) return;
  app.delete(
    path,
    limits,
    asAccountRoute(context, async (exchange) => {
      const body = await bodyOf(exchange);
      return body.ok ? deleteNamed(context, exchange, collection, body.value) : body;
    }),
  );
}

export function pathId(exchange: Exchange): number | undefined {
  return parseId(pathPart(exchange, 'id'));
}

export function pathPart({ request }: Exchange, name: string): string {
  const { [name]: part = '' } = request.params as Readonly<Record<string, string>>;
  return part;
}

/** JSON and simple forms were read already; a multipart form is read here, where it is known who sends it. */
export async function bodyOf({ request }: Exchange): Promise<Result<unknown, PortalError>> {
  if (isMultipart(request)) return readForm(request, { maxFileBytes: 0 });
  // A record has a few levels around the deepest document it may hold.
  if (isTooDeep(request.body, MAX_DEPTH + 10))
    return err({ kind: 'bad-request', detail: 'The body is nested too deep.' });
  return ok(request.body);
}
