// `resources/{id}/audience`: what those that an item is shared with lack of the items that it shows, and giving them just that. And the same question of
// what is not saved yet. The database answers both.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, body, FLAG, INTEGER, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { RESOURCE_TYPES } from '../kinds/item/common-fields.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf, type Members } from '../operations/write/body-forms.ts';
import { permissionComplaint } from './permission-complaint.ts';

export function registerAudiencePaths(app: FastifyInstance, context: ApiContext): void {
  const one = '/api/v2/resources/:id/audience';
  const components = { Audience: AUDIENCE };
  app.get(
    one,
    described({
      id: 'resources_audience',
      tag: 'resources',
      summary: {
        en: 'Whom it is shared with, and what they lack of the items that it shows; for who shares it',
        de: 'Mit wem es geteilt ist und was denen von dem fehlt, was es zeigt; für den, der es teilt',
      },
      answers: { 200: reference('Audience') },
      refusals: [401, 403, 404],
      components,
    }),
    asAccountRoute(context, (exchange) =>
      onItem(context, exchange, 'read', (id) => sql<BoundValue>`select portal.item_audience(${id}, null, null)`),
    ),
  );
  app.post(
    one,
    described({
      id: 'resources_audience_share',
      tag: 'resources',
      summary: {
        en: 'Give them what they lack, where the caller may, and nothing else',
        de: 'Ihnen geben, was fehlt, soweit man das darf, und nichts sonst',
      },
      answers: { 200: reference('Audience') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, (exchange) =>
      onItem(context, exchange, 'write', (id) => sql<BoundValue>`select portal.share_with_audience(${id})`),
    ),
  );
  app.post(
    '/api/v2/audience',
    { bodyLimit: BODY_LIMIT, ...described(QUESTION) },
    asAccountRoute(context, async (exchange) => {
      const asked = await bodyOf(exchange);
      if (!asked.ok) return asked;
      const parsed = parseQuestion(asked.value);
      if (!parsed.ok) return parsed;
      const { item, permissions, data } = parsed.value;
      const id = item === null ? raw('null::integer') : sql<BoundValue>`${bound(String(item))}::integer`;
      const config = data === undefined ? raw('null') : sql<BoundValue>`${bound(JSON.stringify(data))}::jsonb`;
      // Names of groups and people are held while they are read, which is a write to the database.
      return ask(
        context,
        exchange,
        'write',
        sql<BoundValue>`select portal.item_audience(${id}, ${bound(JSON.stringify(permissions))}::jsonb, ${config})`,
        permissions,
      );
    }),
  );
}

async function onItem(
  context: ApiContext,
  exchange: Exchange,
  way: 'read' | 'write',
  query: (id: Sql) => Sql,
): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  return ask(context, exchange, way, query(sql<BoundValue>`${bound(String(id))}::integer`));
}

async function ask(
  { db }: ApiContext,
  { caller, info, statement }: Exchange,
  way: 'read' | 'write',
  query: Sql,
  spec?: unknown,
): Promise<Result<Answer, PortalError>> {
  const executed = await db[way](caller, info, [statement(query)]);
  if (executed.ok) return ok({ status: 200, body: cellOf(executed.value[0]) ?? 'null' });
  const { error } = executed;
  const complaint = error.kind === 'sql' ? permissionComplaint(error, spec) : undefined;
  return err(complaint ?? { kind: 'database', error });
}

type Question = { readonly item: number | null; readonly permissions: Members; readonly data: unknown };

function parseQuestion(value: unknown): Result<Question, PortalError> {
  const refuse = (field: string, said: string): Result<never, PortalError> =>
    err({ kind: 'invalid-fields', fields: { [field]: [said] } });
  if (!isMembers(value)) return refuse('non_field_errors', expectedObject(kindOf(value ?? null)));
  const { item = null, permissions, data } = value;
  const number = item === null ? null : Number(item);
  if (number !== null && !(Number.isInteger(number) && number > 0 && number < 2 ** 31))
    return refuse('item', 'The number of an item is wanted.');
  if (!isMembers(permissions)) return refuse('permissions', expectedObject(kindOf(permissions ?? null)));
  return ok({ item: number, permissions, data });
}

const AUDIENCE: Schema = record({
  public: { ...FLAG, description: 'Everybody sees it; groups and people are not counted then.' },
  members: { ...FLAG, description: 'Every account sees it.' },
  groups: INTEGER,
  people: { ...INTEGER, description: 'Besides its owner.' },
  lacking: {
    ...arrayOf(
      record({
        pk: TEXT,
        title: TEXT,
        resource_type: { type: 'string', enum: RESOURCE_TYPES },
        needs: {
          ...arrayOf(TEXT),
          description: 'To see it is enough, but for tables: to see rows in a list is to download them.',
        },
        may_share: { ...FLAG, description: 'The caller may give them what they lack.' },
        groups: { ...arrayOf(TEXT), description: 'Those that lack it; `anonymous` is everybody.' },
        users: arrayOf(TEXT),
      }),
    ),
    description: 'Items that it shows, as far as the caller sees them.',
  },
});

const QUESTION = {
  id: 'audience_ask',
  tag: 'resources',
  summary: {
    en: 'What those lack with whom something would be shared, before it is saved',
    de: 'Was denen fehlt, mit denen etwas geteilt würde, bevor es gespeichert ist',
  },
  body: body(
    {
      item: { ...orNull(INTEGER), description: 'The item that it is about; not sent of one that does not exist yet.' },
      permissions: { ...reference('SentPermissions'), description: 'As `set_perms` takes them.' },
      data: {
        description: 'What a dashboard or story would say; `{"layers": [id, …]}` of a map. Not sent: as it is saved.',
      },
    },
    ['permissions'],
  ),
  examples: {
    everybody: { permissions: { users: {}, groups: { anonymous: ['view_resourcebase'] } }, data: { layers: [1] } },
  },
  answers: { 200: reference('Audience') },
  refusals: [400, 401, 403, 404],
} as const;
