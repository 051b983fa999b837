// Invitations to groups. One's own: GET /api/v2/invitations, answered with PUT /api/v2/invitations/{group} `{"accept": true}`.
// Of a group, for its managers: GET /api/v2/invitations/{group}, taken back with DELETE …/{group}/{name}. They are made by POST on
// the members of the group. Who sees and answers which is for the database to say.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import type { Row } from '../../pg/driver.ts';
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
import type { PortalContext } from '../portal-context.ts';
import { accountRoute, accountRow } from './account-route.ts';
import { membersOf } from './body-fields.ts';
import { parseId } from './path-id.ts';

export function registerInvitationRoutes(app: FastifyInstance, context: PortalContext): void {
  const sendList = (reply: FastifyReply, row: Row | undefined): FastifyReply =>
    reply.type('application/json; charset=utf-8').send(`{"invitations":${row?.[0]?.toString() ?? '[]'}}`);
  const wasThere = (row: Row | undefined): boolean => row?.[0]?.toString() === 't';

  app.get(
    '/api/v2/invitations',
    described({
      id: 'invitations_list',
      tag: 'groups',
      summary: { en: 'One’s own invitations to groups', de: 'Die eigenen Einladungen in Gruppen' },
      answers: { 200: record({ invitations: arrayOf(INVITATION) }) },
      refusals: [401, 403],
    }),
    accountRoute(context, async (asked) => {
      const found = await accountRow(context, asked, 'read', OWN);
      return found.ok ? ok(sendList(asked.reply, found.value)) : found;
    }),
  );

  app.get(
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
    accountRoute<{ group: string }>(context, async (asked) => {
      const group = parseId(asked.request.params.group);
      if (group === undefined) return err({ kind: 'not-found' });
      const found = await accountRow(context, asked, 'read', OF_GROUP, String(group));
      return found.ok ? ok(sendList(asked.reply, found.value)) : found;
    }),
  );

  app.put(
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
    accountRoute<{ group: string }>(context, async (asked) => {
      const { accept } = membersOf(asked.request.body);
      if (typeof accept !== 'boolean')
        return err({ kind: 'invalid-fields', fields: { accept: ['Must be a valid boolean.'] } });
      const group = parseId(asked.request.params.group);
      if (group === undefined) return err({ kind: 'not-found' });
      const text = 'select portal.answer_invitation($1::integer, $2::boolean)';
      const found = await accountRow(context, asked, 'write', text, String(group), String(accept));
      if (!found.ok) return found;
      return wasThere(found.value) ? ok(asked.reply.send({ meta: { updated: 1 } })) : err({ kind: 'not-found' });
    }),
  );

  app.delete(
    '/api/v2/invitations/:group/:username',
    described({
      id: 'invitations_withdraw',
      tag: 'groups',
      summary: { en: 'Withdraw an invitation', de: 'Eine Einladung zurückziehen' },
      parameters: [{ name: 'username', in: 'path', schema: { type: 'string', maxLength: 150 } }],
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    accountRoute<{ group: string; username: string }>(context, async (asked) => {
      const { group: id, username } = asked.request.params;
      const group = parseId(id);
      if (group === undefined || username.includes('\0')) return err({ kind: 'not-found' });
      const text = 'select portal.withdraw_invitation($1::integer, $2)';
      const found = await accountRow(context, asked, 'write', text, String(group), username);
      if (!found.ok) return found;
      return wasThere(found.value) ? ok(asked.reply.code(204).send()) : err({ kind: 'not-found' });
    }),
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
