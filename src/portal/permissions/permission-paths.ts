// Who may do what with an item: read and replaced as a whole, for whoever the database lets.

import type { FastifyInstance } from 'fastify';
import { PIPELINED } from '../../auth/caller-db.ts';
import { err, ok } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { reference } from '../description/schema.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { wholeBody } from '../operations/create.ts';
import { type ApiContext, asAccountRoute } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import { permissionComplaint } from './permission-complaint.ts';

const READ: Described = {
  id: 'resources_get_perms',
  tag: 'resources',
  summary: { en: 'What is related to it', de: 'Was dazu gehört' },
  answers: { 200: reference('Permissions') },
  refusals: [403, 404],
};

const REPLACE: Described = {
  id: 'resources_set_perms',
  tag: 'resources',
  summary: { en: 'Replace', de: 'Ersetzen' },
  body: reference('SentPermissions'),
  examples: { everybody: { users: {}, groups: { anonymous: ['view_resourcebase'] } } },
  answers: { 200: reference('SentPermissions') },
  refusals: [400, 403, 404],
};

/** `{"users": {name: [permission, …]}, "groups": {name: [permission, …]}}` */
export function registerPermissionPaths(app: FastifyInstance, context: ApiContext): void {
  const { db } = context;
  const path = '/api/v2/resources';
  app.get(
    `${path}/:id/get_perms`,
    described(READ),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const statement = exchange.statement(sql<BoundValue>`select portal.get_perms(${bound(String(id))}::integer)`);
      const executed = await db.read(exchange.caller, exchange.info, [statement], PIPELINED);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return ok({ status: 200, body: cellOf(executed.value[0]) ?? '{}' });
    }),
  );
  // Otherwise it would be looked for among the fields of the item.
  app.get(`${path}/:id/set_perms`, { config: { isRefusal: true } }, (request, reply) =>
    context.answerError(request, reply.header('Allow', 'OPTIONS, PUT'), { kind: 'method-not-allowed', method: 'GET' }),
  );
  app.put(
    `${path}/:id/set_perms`,
    described(REPLACE),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      // Everything is replaced: who sends nothing at all did not mean to take everything away.
      if (!isMembers(body.value)) return err(wholeBody(expectedObject(kindOf(body.value ?? null))));
      const spec = JSON.stringify(body.value);
      const statement = exchange.statement(
        sql<BoundValue>`select portal.set_perms(${bound(String(id))}::integer, ${bound(spec)}::jsonb)`,
      );
      const executed = await db.write(exchange.caller, exchange.info, [statement]);
      if (executed.ok) return ok({ status: 200, body: spec });
      const { error } = executed;
      const complaint = error.kind === 'sql' ? permissionComplaint(error, body.value) : undefined;
      return err(complaint ?? { kind: 'database', error });
    }),
  );
}
