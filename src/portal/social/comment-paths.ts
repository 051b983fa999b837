// /api/v2/resources/{id}/comments/: comments on an item of any type: reading, writing, editing, hiding, deleting. Who may do which, the
// functions of the database say.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, asRoute, type Exchange } from '../operations/exchange.ts';
import { bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import { answerRead, answerWrite } from './ask-database.ts';
import { AUTHOR } from './author-schema.ts';
import { PAGE_PARAMETERS, parsePageQuery } from './page-query.ts';

/** The database knows the same. */
const MAX_COMMENT = 5000;

type Change = { readonly body: string | null; readonly hidden: boolean | null };

export function registerCommentPaths(app: FastifyInstance, context: ApiContext): void {
  const path = '/api/v2/resources/:id/comments';
  app.get(
    path,
    described({
      id: 'resources_comments',
      tag: 'resources',
      summary: { en: 'Comments on an item, newest first', de: 'Kommentare zu einer Ressource, die neuesten zuerst' },
      parameters: PAGE_PARAMETERS,
      answers: { 200: COMMENTS },
      refusals: [400, 404],
      components: { Comment: COMMENT },
    }),
    asRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const page = parsePageQuery(new URLSearchParams(exchange.query), 9);
      if (!page.ok) return page;
      const { before, limit } = page.value;
      return answerRead(
        context,
        exchange,
        sql<BoundValue>`select portal.item_comments(${number(id)}, ${bound(before)}::integer, ${bound(limit)}::integer)`,
      );
    }),
  );
  app.post(
    path,
    described({
      id: 'resources_add_comment',
      tag: 'resources',
      summary: { en: 'Comment on an item', de: 'Eine Ressource kommentieren' },
      body: record({ body: BODY }),
      examples: { comment: { body: 'Which year is this of?' } },
      answers: { 201: reference('Comment') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const id = pathId(exchange);
      if (id === undefined) return err({ kind: 'not-found' });
      const asked = await changeOf(exchange);
      if (!asked.ok) return asked;
      const { body } = asked.value;
      if (body === null) return err({ kind: 'invalid-fields', fields: { body: ['This field is required.'] } });
      return answerWrite(
        context,
        exchange,
        sql<BoundValue>`select portal.add_comment(${number(id)}, ${bound(body)}::text)`,
        201,
      );
    }),
  );
  app.patch(
    `${path}/:comment`,
    described({
      id: 'resources_change_comment',
      tag: 'resources',
      summary: {
        en: 'Change the own comment; owners of the item and administrators hide and show comments',
        de: 'Den eigenen Kommentar ändern; wem die Ressource gehört und wer verwaltet, blendet Kommentare aus und ein',
      },
      body: record({ body: BODY, hidden: FLAG }, []),
      examples: { text: { body: 'Which year is this of, please?' }, hide: { hidden: true } },
      answers: { 200: reference('Comment') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const named = commentOf(exchange);
      if (!named.ok) return named;
      const asked = await changeOf(exchange);
      if (!asked.ok) return asked;
      const { item, comment } = named.value;
      const { body, hidden } = asked.value;
      const hide = hidden === null ? null : String(hidden);
      return answerWrite(
        context,
        exchange,
        sql<BoundValue>`select portal.change_comment(${item}, ${comment}, ${bound(body)}::text, ${bound(hide)}::boolean)`,
      );
    }),
  );
  app.delete(
    `${path}/:comment`,
    described({
      id: 'resources_delete_comment',
      tag: 'resources',
      summary: { en: 'Delete a comment', de: 'Einen Kommentar löschen' },
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const named = commentOf(exchange);
      if (!named.ok) return named;
      const { item, comment } = named.value;
      return answerWrite(context, exchange, sql<BoundValue>`select portal.delete_comment(${item}, ${comment})`, 204);
    }),
  );
}

function number(id: number | string): Sql {
  return sql<BoundValue>`${bound(String(id))}::integer`;
}

function commentOf(exchange: Exchange): Result<{ readonly item: Sql; readonly comment: Sql }, PortalError> {
  const id = pathId(exchange);
  const comment = pathPart(exchange, 'comment');
  if (id === undefined || !/^\d{1,9}$/.test(comment)) return err({ kind: 'not-found' });
  return ok({ item: number(id), comment: number(comment) });
}

/** `{"body": "…"}`, `{"hidden": true}`; null: not said. */
async function changeOf(exchange: Exchange): Promise<Result<Change, PortalError>> {
  const sent = await bodyOf(exchange);
  if (!sent.ok) return sent;
  if (!isMembers(sent.value))
    return err({ kind: 'invalid-fields', fields: { non_field_errors: [expectedObject(kindOf(sent.value))] } });
  const { body = null, hidden = null } = sent.value;
  const fields: Record<string, string[]> = {};
  if (body !== null && typeof body !== 'string') fields['body'] = ['Not a valid string.'];
  else if (body?.includes('\0') === true) fields['body'] = ['Null characters are not allowed.'];
  else if (body !== null && (body.trim() === '' || [...body.slice(0, 3 * MAX_COMMENT)].length > MAX_COMMENT))
    fields['body'] = [`A comment has 1 to ${MAX_COMMENT} characters.`];
  if (hidden !== null && typeof hidden !== 'boolean') fields['hidden'] = ['Must be a valid boolean.'];
  if (Object.keys(fields).length > 0) return err({ kind: 'invalid-fields', fields });
  return ok({
    body: typeof body === 'string' ? body : null,
    hidden: typeof hidden === 'boolean' ? hidden : null,
  });
}

const BODY: Schema = { type: 'string', minLength: 1, maxLength: MAX_COMMENT };

const COMMENT: Schema = record({
  id: INTEGER,
  author: orNull(AUTHOR),
  body: { ...TEXT, description: 'Plain text with line breaks.' },
  created: MOMENT,
  edited: orNull(MOMENT),
  hidden: { ...FLAG, description: 'Shown to its author, the owner of the item and administrators only.' },
  may_edit: FLAG,
  may_delete: FLAG,
  may_hide: FLAG,
});

const COMMENTS: Schema = record({
  comments: arrayOf(reference('Comment')),
  total: { type: 'integer', minimum: 0, description: 'How many there are that nobody has hidden.' },
  may_comment: FLAG,
  is_open: { ...FLAG, description: 'Whether comments are written in this portal.' },
});
