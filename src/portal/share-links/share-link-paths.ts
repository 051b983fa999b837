// `resources/{id}/share_links`: secret addresses of an item for whoever has them, made, changed, renewed and ended by who manages its permissions. What a
// link is good for is decided in the database.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { BODY_LIMIT, bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf, type Members } from '../operations/write/body-forms.ts';
import { newLinkSecret } from './link-secret.ts';
import { CHANGE, END, LIST, MAKE, RENEW, SHARE } from './share-links-described.ts';

export function registerShareLinkPaths(app: FastifyInstance, context: ApiContext): void {
  const all = '/api/v2/resources/:id/share_links';
  const one = `${all}/:link`;
  app.get(
    all,
    described(LIST),
    asAccountRoute(context, (exchange) => answerLinks(context, exchange, 200)),
  );
  app.post(
    all,
    { bodyLimit: BODY_LIMIT, ...described(MAKE) },
    asAccountRoute(context, async (exchange) => {
      const asked = await specOf(exchange, MADE_WITH);
      if (!asked.ok) return asked;
      const { title = '', permissions = 'view', expires = null } = asked.value;
      return answerLinks(
        context,
        exchange,
        201,
        (id) =>
          sql<BoundValue>`select portal.make_share_link(${id}, ${bound(`\\x${newLinkSecret().toString('hex')}`)}::bytea, ${bound(title as string)}, ${bound(permissions as string)}, ${bound(expires as string | null)}::timestamptz)`,
      );
    }),
  );
  app.post(
    `${all}/share`,
    described(SHARE),
    asAccountRoute(context, (exchange) =>
      answerLinks(context, exchange, 200, (id) => sql<BoundValue>`select portal.share_with_links(${id})`),
    ),
  );
  app.patch(
    one,
    { bodyLimit: BODY_LIMIT, ...described(CHANGE) },
    asAccountRoute(context, async (exchange) => {
      const asked = await specOf(exchange, CHANGED_WITH);
      if (!asked.ok) return asked;
      const spec = JSON.stringify(asked.value);
      return answerLinks(
        context,
        exchange,
        200,
        (id, link) => sql<BoundValue>`select portal.change_share_link(${id}, ${link}, ${bound(spec)}::jsonb)`,
      );
    }),
  );
  app.post(
    `${one}/renew`,
    described(RENEW),
    asAccountRoute(context, (exchange) =>
      answerLinks(
        context,
        exchange,
        200,
        (id, link) =>
          sql<BoundValue>`select portal.renew_share_link(${id}, ${link}, ${bound(`\\x${newLinkSecret().toString('hex')}`)}::bytea)`,
      ),
    ),
  );
  app.delete(
    one,
    described(END),
    asAccountRoute(context, (exchange) =>
      answerLinks(context, exchange, 200, (id, link) => sql<BoundValue>`select portal.end_share_link(${id}, ${link})`),
    ),
  );
}

type Kept = {
  readonly path: string;
  readonly embed: string | null;
  readonly links: readonly { readonly secret: string }[];
};

/** The links as they are after the change. */
async function answerLinks(
  { db }: ApiContext,
  exchange: Exchange,
  status: number,
  change?: (id: Sql, link: Sql) => Sql,
): Promise<Result<Answer, PortalError>> {
  const number = pathId(exchange);
  const linkPart = pathPart(exchange, 'link');
  if (number === undefined || (linkPart !== '' && !/^[1-9]\d{0,8}$/.test(linkPart))) return err({ kind: 'not-found' });
  const id = sql<BoundValue>`${bound(String(number))}::integer`;
  const link = sql<BoundValue>`${bound(linkPart === '' ? null : linkPart)}::integer`;
  const statements = [
    ...(change === undefined ? [] : [change(id, link)]),
    sql<BoundValue>`select portal.share_links(${id})`,
  ].map(exchange.statement);
  const { caller, info } = exchange;
  const executed = await db[change === undefined ? 'read' : 'write'](caller, info, statements);
  if (!executed.ok) {
    const { error } = executed;
    return err(
      error.kind === 'sql' && error.sqlstate === '22023'
        ? { kind: 'invalid-fields', fields: { [fieldOf(error.message)]: [error.message] } }
        : { kind: 'database', error },
    );
  }
  const { path, embed, links, ...rest } = JSON.parse(cellOf(executed.value.at(-1))?.toString() ?? '{}') as Kept;
  const shown = links.map(({ secret, ...one }) => ({
    ...one,
    url: `${exchange.base}${path}?unlisted=${secret}`,
    embed_url: embed === null ? null : `${exchange.base}${embed}?unlisted=${secret}`,
  }));
  return ok(json(status, { links: shown, ...rest }));
}

/** Which member of the body a message of the database is about. */
function fieldOf(message: string): string {
  if (message.startsWith('A link ends')) return 'expires';
  if (message.startsWith('A link lets')) return 'permissions';
  return message.startsWith("A link's title") ? 'title' : 'non_field_errors';
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/;

const isMoment = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value)));

/** What a member may be, and how that is said. */
type Form = readonly [isIt: (value: unknown) => boolean, said: string];

const MADE_WITH: Readonly<Record<string, Form>> = {
  title: [(value) => typeof value === 'string' && !value.includes('\0'), 'Must be a text.'],
  permissions: [(value) => value === 'view' || value === 'download', 'Must be "view" or "download".'],
  expires: [isMoment, 'Must be a time such as 2030-01-31T12:00:00Z, or null.'],
};
const CHANGED_WITH: Readonly<Record<string, Form>> = {
  ...MADE_WITH,
  is_on: [(value) => typeof value === 'boolean', 'Must be true or false.'],
};

async function specOf(
  exchange: Exchange,
  forms: Readonly<Record<string, Form>>,
): Promise<Result<Members, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const sent = body.value ?? {};
  if (!isMembers(sent))
    return err({ kind: 'invalid-fields', fields: { non_field_errors: [expectedObject(kindOf(sent))] } });
  const fields: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(sent)) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) fields[name.slice(0, 100)] = ['There is no such member.'];
    else if (!form[0](value)) fields[name] = [form[1]];
  }
  return Object.keys(fields).length === 0 ? ok(sent) : err({ kind: 'invalid-fields', fields });
}
