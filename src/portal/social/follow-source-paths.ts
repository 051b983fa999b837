// /api/v2/users/{id}/follow/ and /api/v2/groups/{id}/follow/: whether the caller is told of new items of a person or a group.
// /api/v2/following/: the people and groups of whose items the caller is told.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, INTEGER, record, reference, TEXT } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, type Handle } from '../operations/exchange.ts';
import { pathId } from '../operations/register-collection.ts';
import { answerRead, answerWrite } from './ask-database.ts';
import { AUTHOR } from './author-schema.ts';

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
      described({
        id: `${collection}_following`,
        tag: collection,
        summary: {
          en: 'Whether the own account follows a person or a group',
          de: 'Ob das eigene Konto einer Person oder Gruppe folgt',
        },
        answers: { 200: reference('Following') },
        refusals: [400, 401, 403, 404],
      }),
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
    app.post(
      path,
      described({
        id: `${collection}_follow`,
        tag: collection,
        summary: {
          en: 'Be told of new items of a person or a group',
          de: 'Von neuen Ressourcen einer Person oder Gruppe erfahren',
        },
        answers: { 200: reference('Following') },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, turn('true')),
    );
    app.delete(
      path,
      described({
        id: `${collection}_unfollow`,
        tag: collection,
        summary: { en: 'Stop following a person or a group', de: 'Einer Person oder Gruppe nicht mehr folgen' },
        answers: { 200: reference('Following') },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, turn('false')),
    );
  }
  app.get(
    '/api/v2/following',
    described({
      id: 'following_list',
      tag: 'users',
      summary: {
        en: 'People and groups that the own account follows',
        de: 'Personen und Gruppen, denen das eigene Konto folgt',
      },
      answers: {
        200: record({ users: arrayOf(AUTHOR), groups: arrayOf(record({ pk: INTEGER, name: TEXT, title: TEXT })) }),
      },
      refusals: [401],
    }),
    asAccountRoute(context, (exchange) => answerRead(context, exchange, raw('select portal.followed_sources()'))),
  );
}
