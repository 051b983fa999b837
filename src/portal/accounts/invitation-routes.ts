// Invitations to groups. One's own: GET /api/v2/invitations, answered with PUT /api/v2/invitations/{group} `{"accept": true}`.
// Of a group, for its managers: GET /api/v2/invitations/{group}, taken back with DELETE …/{group}/{name}. They are made by POST on
// the members of the group. Who sees and answers which is for the database to say.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { StatementResult } from '../../pg/driver.ts';
import { described } from '../description/described-route.ts';
import {
  arrayOf,
  body,
  FLAG,
  INTEGER,
  MOMENT,
  orNull,
  record,
  reference,
  type Schema,
  TEXT,
} from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import { membersOf } from './body-fields.ts';
import { parseId } from './path-id.ts';

type Statement = { readonly text: string; readonly params: readonly string[] };

export function registerInvitationRoutes(app: FastifyInstance, { db, identify, answerError }: PortalContext): void {
  /** Answers with what one statement says, as the account that asks; with what is wrong once it is known who asks. */
  const ask = async (
    request: FastifyRequest,
    reply: FastifyReply,
    way: 'read' | 'write',
    statement: Statement | PortalError | undefined,
    answer: (result: StatementResult | undefined) => FastifyReply | undefined,
  ): Promise<FastifyReply> => {
    const who = await identify(request);
    if (!who.ok) return answerError(request, reply, who.error);
    const caller = who.value;
    if (caller.kind === 'visitor') return answerError(request, reply, { kind: 'not-authenticated' });
    if (statement === undefined || 'kind' in statement)
      return answerError(request, reply, statement ?? { kind: 'not-found' }, caller);
    const executed = await db[way](caller, { method: request.method, path: request.url }, [statement]);
    if (!executed.ok) return answerError(request, reply, { kind: 'database', error: executed.error }, caller);
    return answer(executed.value[0]) ?? answerError(request, reply, { kind: 'not-found' }, caller);
  };
  const sendList = (reply: FastifyReply, result: StatementResult | undefined): FastifyReply =>
    reply.type('application/json; charset=utf-8').send(`{"invitations":${result?.rows[0]?.[0]?.toString() ?? '[]'}}`);
  const wasThere = (result: StatementResult | undefined): boolean => result?.rows[0]?.[0]?.toString() === 't';

  app.get(
    '/api/v2/invitations',
    described({
      id: 'invitations_list',
      tag: 'groups',
      summary: { en: 'One’s own invitations to groups', de: 'Die eigenen Einladungen in Gruppen' },
      answers: { 200: record({ invitations: arrayOf(INVITATION) }) },
      refusals: [401, 403],
    }),
    (request, reply) => ask(request, reply, 'read', { text: OWN, params: [] }, (result) => sendList(reply, result)),
  );

  app.get<{ Params: { group: string } }>(
    '/api/v2/invitations/:group',
    described({
      id: 'invitations_of_group',
      tag: 'groups',
      summary: {
        en: 'Open invitations of a group, for its managers',
        de: 'Offene Einladungen einer Gruppe, für ihre Verwalter',
      },
      answers: { 200: record({ invitations: arrayOf(record({ username: TEXT, role: ROLE, date: MOMENT })) }) },
      refusals: [400, 401, 403, 404],
    }),
    (request, reply) => {
      const group = parseId(request.params.group);
      return ask(
        request,
        reply,
        'read',
        group === undefined ? undefined : { text: OF_GROUP, params: [String(group)] },
        (result) => sendList(reply, result),
      );
    },
  );

  app.put<{ Params: { group: string } }>(
    '/api/v2/invitations/:group',
    described({
      id: 'invitations_answer',
      tag: 'groups',
      summary: { en: 'Accept or decline an invitation', de: 'Eine Einladung annehmen oder ablehnen' },
      body: body({ accept: FLAG }),
      examples: { join: { accept: true } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    (request, reply) => {
      const group = parseId(request.params.group);
      const { accept } = membersOf(request.body);
      const statement =
        group === undefined
          ? undefined
          : {
              text: 'select portal.answer_invitation($1::integer, $2::boolean)',
              params: [String(group), String(accept)],
            };
      const complaint: PortalError | undefined =
        typeof accept === 'boolean'
          ? undefined
          : { kind: 'invalid-fields', fields: { accept: ['Must be a valid boolean.'] } };
      return ask(request, reply, 'write', complaint ?? statement, (result) =>
        wasThere(result) ? reply.send({ meta: { updated: 1 } }) : undefined,
      );
    },
  );

  app.delete<{ Params: { group: string; username: string } }>(
    '/api/v2/invitations/:group/:username',
    described({
      id: 'invitations_withdraw',
      tag: 'groups',
      summary: { en: 'Withdraw an invitation', de: 'Eine Einladung zurückziehen' },
      parameters: [{ name: 'username', in: 'path', schema: { type: 'string', maxLength: 150 } }],
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    (request, reply) => {
      const group = parseId(request.params.group);
      const { username: name } = request.params;
      const statement =
        group === undefined || name.includes('\0')
          ? undefined
          : { text: 'select portal.withdraw_invitation($1::integer, $2)', params: [String(group), name] };
      return ask(request, reply, 'write', statement, (result) =>
        wasThere(result) ? reply.code(204).send() : undefined,
      );
    },
  );
}

const OWN = `
  select coalesce(json_agg(json_build_object(
    'group', json_build_object('pk', i.group_id, 'slug', i.slug, 'title', i.title, 'description', i.description),
    'role', case when i.as_manager then 'manager' else 'member' end,
    'invited_by', i.invited_by, 'date', to_char(i.invited at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))), '[]')
  from portal.my_invitations() i`;

const OF_GROUP = `
  select coalesce(json_agg(json_build_object(
    'username', i.username, 'role', case when i.as_manager then 'manager' else 'member' end, 'date', to_char(i.invited at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    order by i.username), '[]')
  from portal.group_invitation i
  where i.group_id = $1 and (portal.is_admin() or portal.is_manager(i.group_id))`;

const ROLE: Schema = { type: 'string', enum: ['member', 'manager'] };

const INVITATION: Schema = record({
  group: record({ pk: INTEGER, slug: TEXT, title: TEXT, description: TEXT }),
  role: ROLE,
  invited_by: orNull(TEXT),
  date: MOMENT,
});
