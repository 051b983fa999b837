// POST /api/v2/users/{id}/hand_over/: an administrator hands everything that an account owns to another one, usually before deleting it.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { textFields } from '../../accounts/body-fields.ts';
import { described } from '../../description/described-route.ts';
import { body, reference, TEXT } from '../../description/schema.ts';
import { type BoundValue, bound } from '../../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, json } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { bodyOf, pathId } from '../../operations/register-collection.ts';

export function registerHandOverPath(app: FastifyInstance, context: ApiContext): void {
  app.post(
    '/api/v2/users/:id/hand_over',
    described({
      id: 'users_hand_over',
      tag: 'users',
      summary: {
        en: 'Hand everything that the account owns to another one; for administrators',
        de: 'Alles, was dem Konto gehört, einem anderen übergeben; für Administratoren',
      },
      body: body({ username: TEXT }),
      examples: { toAdmin: { username: 'admin' } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const to = textFields(body.value, ['username']);
      if (!to.ok) return to;
      const statement = exchange.statement(
        sql<BoundValue>`select portal.hand_over_items(${bound(String(id))}::integer, ${bound(to.value.username)}::text)`,
      );
      const executed = await context.db.write(exchange.caller, exchange.info, [statement]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return ok(json(200, { meta: { updated: Number(cellOf(executed.value[0])?.toString() ?? 0) } }));
    }),
  );
}
