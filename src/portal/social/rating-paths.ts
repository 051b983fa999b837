// /api/v2/resources/{id}/rating/: what people think of an item, 1 to 5 stars; one rating per account, changed and taken back at will.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { record, reference, type Schema } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, asRoute } from '../operations/exchange.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import { answerRead, answerWrite } from './ask-database.ts';

const MAX_STARS = 5;

export function registerRatingPaths(app: FastifyInstance, context: ApiContext): void {
  const path = '/api/v2/resources/:id/rating';
  app.get(
    path,
    described({
      id: 'resources_rating',
      tag: 'resources',
      summary: { en: 'How an item was rated', de: 'Wie eine Ressource bewertet wurde' },
      answers: { 200: reference('Rating') },
      refusals: [404],
      components: { Rating: RATING },
    }),
    asRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      return answerRead(context, exchange, sql<BoundValue>`select portal.item_rating(${bound(String(id))}::integer)`);
    }),
  );
  app.put(
    path,
    described({
      id: 'resources_rate',
      tag: 'resources',
      summary: {
        en: 'Rate an item, or change the own rating',
        de: 'Eine Ressource bewerten oder die eigene Bewertung ändern',
      },
      body: record({ stars: { type: 'integer', minimum: 1, maximum: MAX_STARS } }),
      examples: { good: { stars: 4 } },
      answers: { 200: reference('Rating') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const sent = await bodyOf(exchange);
      if (!sent.ok) return sent;
      if (!isMembers(sent.value))
        return err({ kind: 'invalid-fields', fields: { non_field_errors: [expectedObject(kindOf(sent.value))] } });
      const { stars } = sent.value;
      if (typeof stars !== 'number' || !Number.isInteger(stars) || stars < 1 || stars > MAX_STARS)
        return err({ kind: 'invalid-fields', fields: { stars: [`Must be a whole number from 1 to ${MAX_STARS}.`] } });
      return answerWrite(
        context,
        exchange,
        sql<BoundValue>`select portal.rate_item(${bound(String(id))}::integer, ${bound(String(stars))}::integer)`,
      );
    }),
  );
  app.delete(
    path,
    described({
      id: 'resources_unrate',
      tag: 'resources',
      summary: { en: 'Take the own rating back', de: 'Die eigene Bewertung zurücknehmen' },
      answers: { 200: reference('Rating') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      return answerWrite(
        context,
        exchange,
        sql<BoundValue>`select portal.rate_item(${bound(String(id))}::integer, null)`,
      );
    }),
  );
}

const RATING: Schema = record({
  average: { type: 'number', minimum: 0, maximum: MAX_STARS, description: '0: nobody has rated it.' },
  count: { type: 'integer', minimum: 0 },
  mine: { type: 'integer', minimum: 1, maximum: MAX_STARS, nullable: true },
});
