// `{collection}/{id}/permissions`: who may do what with an item, as levels (none, view, download, edit, manage, owner), the way newer clients
// read and write it. The same permissions as in `get_perms` and `set_perms`; what a level stands for is decided in the database.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql, where } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import type { Collection } from '../operations/collection.ts';
import { wholeBody } from '../operations/create.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf, type Members } from '../operations/write/body-forms.ts';
import { levelsDescribed } from './levels-described.ts';
import { permissionComplaint } from './permission-complaint.ts';

type Levels = { readonly users: readonly { avatar: string }[] };

export function registerLevelPaths(
  app: FastifyInstance,
  context: ApiContext,
  collections: readonly Pick<Collection, 'path' | 'source'>[],
): void {
  for (const collection of collections) {
    const path = `${collection.path}/:id/permissions`;
    const what = levelsDescribed(collection.path);
    app.get(
      path,
      described(what.get),
      asAccountRoute(context, (exchange) => answerLevels(context, exchange, collection)),
    );
    for (const [method, replaces] of [
      ['put', true],
      ['patch', false],
    ] as const) {
      app.route({
        method,
        url: path,
        bodyLimit: BODY_LIMIT,
        ...described(what[method]),
        handler: asAccountRoute(context, async (exchange) => {
          const spec = await specOf(exchange);
          if (!spec.ok) return spec;
          const change = (id: Sql): Sql =>
            sql<BoundValue>`select portal.set_levels(${id}, ${bound(JSON.stringify(spec.value))}::jsonb, ${raw(String(replaces))})`;
          return answerLevels(context, exchange, collection, change, spec.value);
        }),
      });
    }
    // Nobody but the owner is left.
    app.delete(
      path,
      described(what.delete),
      asAccountRoute(context, (exchange) =>
        answerLevels(
          context,
          exchange,
          collection,
          (id) => sql<BoundValue>`select portal.end_share_links(${id}), portal.set_perms(${id}, '{}'::jsonb)`,
        ),
      ),
    );
  }
}

/**
 * The levels as they are, after the change. They are read when it is done: somebody who has taken the own permissions away may not know
 * them any more, and is told that it is done.
 */
async function answerLevels(
  { db }: ApiContext,
  exchange: Exchange,
  { source }: Pick<Collection, 'source'>,
  change?: (id: Sql) => Sql,
  spec: unknown = {},
): Promise<Result<Answer, PortalError>> {
  const number = pathId(exchange);
  if (number === undefined) return err({ kind: 'not-found' });
  // A map is none among the documents: there is nothing then to be changed or shown.
  const isIt = where([sql<BoundValue>`${source.key} = ${bound(String(number))}::integer`, ...source.where]);
  const here = sql<BoundValue>`(select ${source.key} from ${source.table}${isIt})`;
  const { caller, info } = exchange;
  if (change !== undefined) {
    const changed = await db.write(caller, info, [exchange.statement(change(here))]);
    if (!changed.ok) {
      const { error } = changed;
      const complaint = error.kind === 'sql' ? permissionComplaint(error, spec) : undefined;
      return err(complaint ?? { kind: 'database', error });
    }
  }
  const executed = await db.read(caller, info, [
    exchange.statement(sql<BoundValue>`select portal.get_levels(${here})`),
  ]);
  if (!executed.ok) {
    const { error } = executed;
    const isHidden = error.kind === 'sql' && (error.sqlstate === 'P0002' || error.sqlstate === '42501');
    return change !== undefined && isHidden ? ok({ status: 204 }) : err({ kind: 'database', error });
  }
  const levels = JSON.parse(cellOf(executed.value[0])?.toString() ?? 'null') as Levels | null;
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
