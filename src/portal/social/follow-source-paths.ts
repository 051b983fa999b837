// /api/v2/users/{id}/follow/ and /api/v2/groups/{id}/follow/: whether the caller is told of new items of a person or a group.
// /api/v2/following/: the people and groups of whose items the caller is told.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, type Handle } from '../operations/exchange.ts';
import { pathId } from '../operations/register-collection.ts';
import { answerRead, answerWrite } from './ask-database.ts';

/** Path of the collection → what the database calls it. */
const SOURCES = { users: 'owner', groups: 'group' } as const;

export function registerFollowSourcePaths(app: FastifyInstance, context: ApiContext): void {
  for (const [collection, source] of Object.entries(SOURCES)) {
    const path = `/api/v2/${collection}/:id/follow`;
    const turn =
      (wanted: 'true' | 'false'): Handle =>
      async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        return answerWrite(
          context,
          exchange,
          sql<BoundValue>`select portal.follow_source(${bound(source)}, ${bound(String(id))}::integer, ${bound(wanted)}::boolean)`,
        );
      };
    app.get(
      path,
      asAccountRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        return answerRead(
          context,
          exchange,
          sql<BoundValue>`select portal.source_following(${bound(source)}, ${bound(String(id))}::integer)`,
        );
      }),
    );
    app.post(path, asAccountRoute(context, turn('true')));
    app.delete(path, asAccountRoute(context, turn('false')));
  }
  app.get(
    '/api/v2/following',
    asAccountRoute(context, (exchange) => answerRead(context, exchange, raw('select portal.followed_sources()'))),
  );
}
