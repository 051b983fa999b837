// Page addresses of GeoNode that name an item → a redirect to our page of it, for who sees the item. For others nothing is there, as
// everywhere.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, type Exchange, exchangeOf } from '../operations/exchange.ts';
import { sendErrorPage, wantsErrorPage } from '../pages/register-pages.ts';
import { findLayer, findRecords } from './find-records.ts';
import type { Json } from './v1-records.ts';

type Params = { readonly id?: string; readonly name?: string };

export function redirectToItem(
  context: ApiContext,
  collection: Collection,
  to: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const who = await context.identify(request);
    if (!who.ok) return context.answerError(request, reply, who.error);
    const exchange = exchangeOf(context, request, who.value);
    const found = await findItem(context, exchange, collection, request.params as Params);
    if (!found.ok) return context.answerError(request, reply, found.error, who.value);
    if (found.value === undefined)
      return wantsErrorPage(request)
        ? sendErrorPage(reply)
        : context.answerError(request, reply, { kind: 'not-found' }, who.value);
    const id = String(found.value['pk']);
    const name = encodeURIComponent(String(found.value['username'] ?? ''));
    reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
    return reply.redirect(to.replace('{id}', id).replace('{name}', name), 302);
  };
}

async function findItem(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  { id, name }: Params,
): Promise<Result<Json | undefined, PortalError>> {
  if (name !== undefined && collection.list === 'layers') return findLayer(context, exchange, collection, name);
  if (id !== undefined && !/^[1-9]\d{0,8}$/.test(id)) return ok(undefined);
  const [filter, value] = name === undefined ? ['pk', id ?? ''] : ['username', name];
  const query = new URLSearchParams({ [`filter{${filter}}`]: value });
  const found = await findRecords(context, exchange, collection, String(query), { limit: 1, offset: 0 });
  return found.ok ? ok(found.value.records[0]) : found;
}
