// /api/v2/resources/{id}/follow/: whether the caller is told of what happens to an item. Owners are, unless they say otherwise.
// /api/v2/resources/followed/: the items of which the caller is told.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { FLAG, record, reference } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, asAccountRoute, type Handle } from '../operations/exchange.ts';
import { readList } from '../operations/read.ts';
import { pathId } from '../operations/register-collection.ts';
import { answerRead, answerWrite } from './ask-database.ts';

export function registerFollowPaths(app: FastifyInstance, context: ApiContext, resources: Collection): void {
  const path = '/api/v2/resources/:id/follow';
  const turn =
    (wanted: 'true' | 'false'): Handle =>
    async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      return answerWrite(
        context,
        exchange,
        sql<BoundValue>`select portal.follow_item(${bound(String(id))}::integer, ${bound(wanted)}::boolean)`,
      );
    };
  app.get(
    path,
    described({
      id: 'resources_following',
      tag: 'resources',
      summary: { en: 'Whether the own account follows an item', de: 'Ob das eigene Konto einer Ressource folgt' },
      answers: { 200: reference('Following') },
      refusals: [400, 401, 403, 404],
      components: { Following: record({ following: FLAG }) },
    }),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      return answerRead(
        context,
        exchange,
        sql<BoundValue>`select portal.item_following(${bound(String(id))}::integer)`,
      );
    }),
  );
  app.post(
    path,
    described({
      id: 'resources_follow',
      tag: 'resources',
      summary: { en: 'Follow an item', de: 'Einer Ressource folgen' },
      answers: { 200: reference('Following') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, turn('true')),
  );
  app.delete(
    path,
    described({
      id: 'resources_unfollow',
      tag: 'resources',
      summary: { en: 'Stop following an item', de: 'Einer Ressource nicht mehr folgen' },
      answers: { 200: reference('Following') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, turn('false')),
  );
  app.get(
    '/api/v2/resources/followed',
    asAccountRoute(context, (exchange) =>
      readList(context, exchange, resources, [raw('r.id in (select portal.followed_items())')]),
    ),
  );
}
