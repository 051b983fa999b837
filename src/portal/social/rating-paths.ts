// /api/v2/resources/{id}/rating/: what people think of an item, 1 to 5 stars; one rating per account, changed and taken back at will.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, asRoute } from '../operations/exchange.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import { answerRead, answerWrite } from './ask-database.ts';

export const MOST_STARS = 5;

export function registerRatingPaths(app: FastifyInstance, context: ApiContext): void {
  const path = '/api/v2/resources/:id/rating';
  app.get(
    path,
    asRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      return answerRead(context, exchange, sql<BoundValue>`select portal.item_rating(${bound(String(id))}::integer)`);
    }),
  );
  app.put(
    path,
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const sent = await bodyOf(exchange);
      if (!sent.ok) return sent;
      if (!isMembers(sent.value))
        return err({ kind: 'invalid-fields', fields: { non_field_errors: [expectedObject(kindOf(sent.value))] } });
      const { stars } = sent.value;
      if (typeof stars !== 'number' || !Number.isInteger(stars) || stars < 1 || stars > MOST_STARS)
        return err({ kind: 'invalid-fields', fields: { stars: [`Must be a whole number from 1 to ${MOST_STARS}.`] } });
      return answerWrite(
        context,
        exchange,
        sql<BoundValue>`select portal.rate_item(${bound(String(id))}::integer, ${bound(String(stars))}::integer)`,
      );
    }),
  );
  app.delete(
    path,
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
