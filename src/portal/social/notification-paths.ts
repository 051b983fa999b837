// /api/v2/notifications/: what happened to items that the caller follows, newest first; marking as read, one or all; which kinds are wanted,
// and how. Everybody has their own.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { RESOURCE_TYPES } from '../kinds/item/common-fields.ts';
import { mailLanguage } from '../mail/letters.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf, type Members } from '../operations/write/body-forms.ts';
import { answerRead, answerWrite } from './ask-database.ts';
import { AUTHOR } from './author-schema.ts';
import { PAGE_PARAMETERS, parsePageQuery } from './page-query.ts';

/** The database knows the same. */
const NOTIFICATION_KINDS = ['comment', 'mention', 'data', 'content', 'metadata', 'deleted', 'new', 'source'] as const;
const NOTIFICATION_WAYS = ['in_pages', 'by_mail'] as const;

export function registerNotificationPaths(app: FastifyInstance, context: ApiContext): void {
  const path = '/api/v2/notifications';
  app.get(
    path,
    described({
      id: 'notifications_list',
      tag: 'users',
      summary: {
        en: 'What happened to followed items, newest first',
        de: 'Was mit Ressourcen geschah, denen man folgt, das Neueste zuerst',
      },
      parameters: [...PAGE_PARAMETERS, { name: 'unread', in: 'query', schema: FLAG }],
      answers: {
        200: record({
          notifications: arrayOf(reference('Notification')),
          unread: { ...UNREAD, description: 'How many are unread; 100: or more.' },
        }),
      },
      refusals: [400, 401],
      components: { Notification: NOTIFICATION },
    }),
    asAccountRoute(context, (exchange) => listNotifications(context, exchange)),
  );
  app.get(
    `${path}/unread`,
    described({
      id: 'notifications_unread',
      tag: 'users',
      summary: { en: 'How many notifications are unread', de: 'Wie viele Benachrichtigungen ungelesen sind' },
      answers: { 200: record({ unread: UNREAD }) },
      refusals: [401],
    }),
    asAccountRoute(context, (exchange) =>
      answerRead(context, exchange, raw(`select json_build_object('unread', portal.my_unread())`)),
    ),
  );
  app.patch(
    `${path}/:id`,
    described({
      id: 'notifications_mark',
      tag: 'users',
      summary: {
        en: 'Mark a notification as read or unread',
        de: 'Eine Benachrichtigung als gelesen oder ungelesen markieren',
      },
      body: record({ read: FLAG }),
      examples: { read: { read: true } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, (exchange) => markOne(context, exchange)),
  );
  app.post(
    `${path}/read`,
    described({
      id: 'notifications_mark_all',
      tag: 'users',
      summary: {
        en: 'Mark notifications as read, up to the newest that was shown',
        de: 'Benachrichtigungen als gelesen markieren, bis zur neuesten gezeigten',
      },
      body: record({ up_to: { type: 'integer', minimum: 0 } }),
      examples: { all: { up_to: 17 } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => markAll(context, exchange)),
  );
  app.get(
    `${path}/settings`,
    described({
      id: 'notifications_settings',
      tag: 'users',
      summary: { en: 'Which notifications come, and how', de: 'Welche Benachrichtigungen kommen, und wie' },
      answers: { 200: record({ settings: record(choices(record(WAYS))) }) },
      refusals: [401],
    }),
    asAccountRoute(context, (exchange) =>
      answerRead(context, exchange, raw(`select json_build_object('settings', portal.my_notification_choices())`)),
    ),
  );
  app.patch(
    `${path}/settings`,
    described({
      id: 'notifications_choose',
      tag: 'users',
      summary: {
        en: 'Choose which notifications come, and how; what is not named stays',
        de: 'Wählen, welche Benachrichtigungen kommen, und wie; was nicht genannt ist, bleibt',
      },
      body: record(choices(record(WAYS, [])), []),
      examples: { lessMail: { mention: { by_mail: false } } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => choose(context, exchange)),
  );
}

function listNotifications(context: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const query = new URLSearchParams(exchange.query);
  const page = parsePageQuery(query, 18);
  if (!page.ok) return Promise.resolve(page);
  const { before, limit } = page.value;
  const unread = String(query.get('unread') === 'true');
  return answerRead(
    context,
    exchange,
    sql<BoundValue>`select portal.my_notifications(${bound(before)}::bigint, ${bound(limit)}::integer, ${bound(unread)}::boolean)`,
  );
}

async function markOne({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const sent = await membersSent(exchange);
  if (!sent.ok) return sent;
  const { read } = sent.value;
  if (typeof read !== 'boolean') return err({ kind: 'invalid-fields', fields: { read: ['Must be a valid boolean.'] } });
  const statement = exchange.statement(
    sql<BoundValue>`select portal.mark_notifications(${bound(String(id))}::bigint, null, ${bound(String(read))}::boolean)`,
  );
  const executed = await db.write(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(json(200, { meta: { updated: Number(cellOf(executed.value[0])?.toString() ?? 0) } }));
}

/** `{"up_to": 17}`: the newest that the reader was shown. What came meanwhile stays unread. */
async function markAll({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const sent = await membersSent(exchange);
  if (!sent.ok) return sent;
  const { up_to } = sent.value;
  if (typeof up_to !== 'number' || !Number.isSafeInteger(up_to) || up_to < 0)
    return err({ kind: 'invalid-fields', fields: { up_to: ['Must be the id of the newest notification to mark.'] } });
  const statement = exchange.statement(
    sql<BoundValue>`select portal.mark_notifications(null, ${bound(String(up_to))}::bigint, true)`,
  );
  const executed = await db.write(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(json(200, { meta: { updated: Number(cellOf(executed.value[0])?.toString() ?? 0) } }));
}

async function choose(context: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const sent = await membersSent(exchange);
  if (!sent.ok) return sent;
  const wrong = wrongChoices(sent.value);
  if (Object.keys(wrong).length > 0) return err({ kind: 'invalid-fields', fields: wrong });
  const chosen = bound(JSON.stringify(sent.value));
  const language = bound(mailLanguage(exchange.request.headers['accept-language']));
  const done = await answerWrite(
    context,
    exchange,
    sql<BoundValue>`select portal.choose_notifications(${chosen}::jsonb, ${language}::text)`,
  );
  return done.ok ? ok(json(200, { meta: { updated: Object.keys(sent.value).length } })) : done;
}

/** `{"comment": {"by_mail": true}}`; closed, since the database takes it as it comes. */
function wrongChoices(choices: Members): FieldMessages {
  const wrong: Record<string, string[]> = {};
  for (const [kind, ways] of Object.entries(choices).slice(0, 20)) {
    if (!NOTIFICATION_KINDS.some((known) => known === kind))
      wrong[kind.slice(0, 100)] = [`Unknown kind: there are ${NOTIFICATION_KINDS.join(', ')}.`];
    else if (!isMembers(ways)) wrong[kind] = [expectedObject(kindOf(ways))];
    else if (
      Object.entries(ways).some(
        ([way, on]) => !NOTIFICATION_WAYS.some((known) => known === way) || typeof on !== 'boolean',
      )
    )
      wrong[kind] = [`Must have no members but ${NOTIFICATION_WAYS.join(' and ')}, each true or false.`];
  }
  return wrong;
}

async function membersSent(exchange: Exchange): Promise<Result<Members, PortalError>> {
  const sent = await bodyOf(exchange);
  if (!sent.ok) return sent;
  return isMembers(sent.value)
    ? ok(sent.value)
    : err({ kind: 'invalid-fields', fields: { non_field_errors: [expectedObject(kindOf(sent.value))] } });
}

const UNREAD: Schema = { type: 'integer', minimum: 0, maximum: 100 };

const NOTIFICATION: Schema = record({
  id: INTEGER,
  kind: { type: 'string', enum: NOTIFICATION_KINDS },
  at: MOMENT,
  read: FLAG,
  actor: orNull(AUTHOR),
  resource: record({ pk: TEXT, resource_type: { type: 'string', enum: RESOURCE_TYPES }, title: TEXT }),
  comment: { ...orNull(TEXT), description: 'The beginning of the comment that it is about.' },
});

const WAYS: Readonly<Record<string, Schema>> = Object.fromEntries(NOTIFICATION_WAYS.map((way) => [way, FLAG]));

function choices(ways: Schema): Readonly<Record<string, Schema>> {
  return Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, ways]));
}
