// /api/v2/resources/{id}/comments/: comments on an item of any type: reading, writing, editing, hiding, deleting. Who may do which, the
// functions of the database say.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type ApiContext, asAccountRoute, asRoute, type Exchange } from '../operations/exchange.ts';
import { bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import { answerRead, answerWrite } from './ask-database.ts';
import { parsePageQuery } from './page-query.ts';

/** The database knows the same. */
export const MAX_COMMENT = 5000;

type Change = { readonly body: string | null; readonly hidden: boolean | null };

export function registerCommentPaths(app: FastifyInstance, context: ApiContext): void {
  const path = '/api/v2/resources/:id/comments';
  app.get(
    path,
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
