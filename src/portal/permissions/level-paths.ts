// `{collection}/{id}/permissions`: who may do what with an item, as levels (none, view, download, edit, manage, owner), the way newer clients
// read and write it. The same permissions as in `get_perms` and `set_perms`; what a level stands for is decided in the database.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql, where } from '../../sql/index.ts';
import type { Collection } from '../collections/collection.ts';
import { wholeBody } from '../collections/create.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange } from '../collections/exchange.ts';
import { cellOf } from '../collections/read.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../collections/register-collection.ts';
import { expectedObject, isMembers, kindOf, type Members } from '../collections/write/body-forms.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Slot, type Sql, slot } from '../represent/slot.ts';
import { permissionComplaint } from './permission-complaint.ts';

export const LEVELS = ['none', 'view', 'download', 'edit', 'manage', 'owner'] as const;

type Levels = { readonly users: readonly { avatar: string }[] };

export function registerLevelPaths(
  app: FastifyInstance,
  context: ApiContext,
  collections: readonly Pick<Collection, 'path' | 'source'>[],
): void {
  for (const collection of collections) {
    const path = `${collection.path}/:id/permissions`;
    const limits = { bodyLimit: BODY_LIMIT };
    app.get(
      path,
      asAccountRoute(context, (exchange) => answerLevels(context, exchange, collection, [])),
    );
    for (const [method, replaces] of [
      ['PUT', true],
      ['PATCH', false],
    ] as const) {
      app.route({
        method,
        url: path,
        ...limits,
        handler: asAccountRoute(context, async (exchange) => {
          const spec = await specOf(exchange);
          if (!spec.ok) return spec;
          const change = (id: Sql): Sql =>
            sql<Slot>`select portal.set_levels(${id}, ${slot(JSON.stringify(spec.value))}::jsonb, ${raw(String(replaces))})`;
          return answerLevels(context, exchange, collection, [change], spec.value);
        }),
      });
    }
    // Nobody but the owner is left.
    app.delete(
      path,
      asAccountRoute(context, (exchange) =>
        answerLevels(context, exchange, collection, [(id) => sql<Slot>`select portal.set_perms(${id}, '{}'::jsonb)`]),
      ),
    );
  }
}

/** The levels as they are, after the changes. */
async function answerLevels(
  { db }: ApiContext,
  exchange: Exchange,
  { source }: Pick<Collection, 'source'>,
  changes: readonly ((id: Sql) => Sql)[],
  spec: unknown = {},
): Promise<Result<Answer, PortalError>> {
  const number = pathId(exchange);
  if (number === undefined) return err({ kind: 'not-found' });
  const id = sql<Slot>`${slot(String(number))}::integer`;
  // A map is none among the documents: there is nothing then to be changed or shown.
  const isIt = where([sql<Slot>`${source.key} = ${id}`, ...source.where]);
  const here = sql<Slot>`(select ${source.key} from ${source.table}${isIt})`;
  const statements = [...changes.map((change) => change(here)), sql<Slot>`select portal.get_levels(${here})`];
  const flown = await db[changes.length === 0 ? 'read' : 'write'](
    exchange.caller,
    exchange.info,
    statements.map(exchange.statement),
  );
  if (!flown.ok) {
    const { error } = flown;
    const complaint = error.kind === 'sql' ? permissionComplaint(error, spec) : undefined;
    return err(complaint ?? { kind: 'database', error });
  }
  const levels = JSON.parse(cellOf(flown.value.at(-1))?.toString() ?? 'null') as Levels | null;
  if (levels === null) return err({ kind: 'not-found' });
  const users = levels.users.map((user) => ({
    ...user,
    avatar: user.avatar.startsWith('/') ? exchange.base + user.avatar : user.avatar,
  }));
  return ok({ status: 200, body: JSON.stringify({ ...levels, users }) });
}

/** JSON, or a form whose field `permissions` holds it, as older clients send it. */
async function specOf(exchange: Exchange): Promise<Result<Members, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const form = isMembers(body.value) ? body.value['permissions'] : undefined;
  const spec = typeof form === 'string' ? parsed(form) : (form ?? body.value);
  // Everything is replaced: who sends nothing at all did not mean to take everything away.
  return isMembers(spec) ? ok(spec) : err(wholeBody(expectedObject(kindOf(spec ?? null))));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
