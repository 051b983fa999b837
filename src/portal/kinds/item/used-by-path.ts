// GET /api/v2/resources/{id}/used_by/: maps, stories and apps that use an item, so that whoever is about to delete it knows. Those that the
// caller does not see are a number.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import { arrayOf, INTEGER, record, TEXT } from '../../description/schema.ts';
import { type BoundValue, bound } from '../../fields/bound-value.ts';
import { type ApiContext, asAccountRoute } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { pathId } from '../../operations/register-collection.ts';
import { RESOURCE_TYPES } from './common-fields.ts';

/** Named at most; `total` tells how many there are. */
const MAX_NAMED = '20';

export function registerUsedByPath(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/resources/:id/used_by',
    described({
      id: 'resources_used_by',
      tag: 'resources',
      summary: {
        en: 'Maps, stories and apps that use it; those that the caller does not see are counted. For who may delete it',
        de: 'Karten, Storys und Apps, die es verwenden; nicht sichtbare werden gezählt. Für alle, die es löschen dürfen',
      },
      answers: {
        200: record({
          items: arrayOf(record({ id: INTEGER, resource_type: { type: 'string', enum: RESOURCE_TYPES }, title: TEXT })),
          total: INTEGER,
          others: INTEGER,
        }),
      },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const statement = exchange.statement(
        sql<BoundValue>`select portal.used_by(${bound(String(id))}::integer, ${bound(MAX_NAMED)}::integer)`,
      );
      const executed = await context.db.read(exchange.caller, exchange.info, [statement]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return ok({ status: 200, body: cellOf(executed.value[0])?.toString() ?? '{}' });
    }),
  );
}
