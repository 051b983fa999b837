// Who is in a group: POST /api/v2/groups/{id}/members with a name and a role, DELETE …/members/{user id}. An administrator adds at
// once, a manager of the group invites; members may leave. All of that is for the database to say.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { body, INTEGER, record, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { mailLanguage, writeLetter } from '../mail/letters.ts';
import type { PortalContext } from '../portal-context.ts';
import { accountRoute, accountRow } from './account-route.ts';
import { membersOf, textFields } from './body-fields.ts';
import type { MailLinkParts } from './mail-link-routes.ts';
import { parseId } from './path-id.ts';

type Membership = { readonly username: string; readonly role: 'member' | 'manager' };

export function registerMemberRoutes(
  app: FastifyInstance,
  context: PortalContext,
  mail: MailLinkParts | undefined,
): void {
  const { db } = context;
  app.post(
    '/api/v2/groups/:id/members',
    described({
      id: 'groups_add_member',
      tag: 'groups',
      summary: {
        en: 'Add a member, or change what a member is',
        de: 'Ein Mitglied aufnehmen, oder ändern, was es ist',
      },
      body: body({ username: TEXT, role: { ...ROLE, default: 'member' } }, ['username']),
      examples: { manager: { username: 'admin', role: 'manager' }, member: { username: 'admin' } },
      answers: {
        200: MEMBER,
        201: MEMBER,
        202: record({ username: TEXT, role: ROLE, state: { type: 'string', enum: ['invited'] } }),
      },
      refusals: [400, 401, 403, 404],
      says: {
        202: {
          en: 'Invited: a member once the person has accepted',
          de: 'Eingeladen: Mitglied, sobald die Person zugesagt hat',
        },
      },
    }),
    accountRoute<{ id: string }>(context, async ({ request, reply, caller }) => {
      const group = parseId(request.params.id);
      if (group === undefined) return err({ kind: 'not-found' });
      const asked = parseMembership(request.body);
      if (!asked.ok) return asked;
      const { username, role } = asked.value;
      const added = NAME.test(username)
        ? await db.write(caller, { method: request.method, path: request.url }, [
            {
              text: `select portal.invite_group_member($1::integer, $2, $3::boolean) as outcome, a.id, a.username
              from (select) one left join portal.account a on lower(a.username) = lower($2) and a.id > 0`,
              params: [String(group), username, String(role === 'manager')],
            },
          ])
        : undefined;
      if (added === undefined) return err(UNKNOWN_USER);
      if (!added.ok) {
        const isUnknown =
          added.error.kind === 'sql' && added.error.sqlstate === '22023' && added.error.hint === 'username';
        return err(isUnknown ? UNKNOWN_USER : { kind: 'database', error: added.error });
      }
      const [outcome, id, name] = added.value[0]?.rows[0]?.map((cell) => cell?.toString()) ?? [];
      if (outcome === 'invited') {
        if (mail !== undefined) await tellInvited(mail, group, username, request.headers['accept-language']);
        return ok(reply.code(202).send({ username: username.toLowerCase(), role, state: 'invited' }));
      }
      return ok(reply.code(outcome === 'added' ? 201 : 200).send({ pk: Number(id), username: name, role }));
    }),
  );

  app.delete(
    '/api/v2/groups/:id/members/:account',
    described({
      id: 'groups_remove_member',
      tag: 'groups',
      summary: { en: 'Remove a member', de: 'Ein Mitglied entfernen' },
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    accountRoute<{ id: string; account: string }>(context, async (asked) => {
      const { id, account: member } = asked.request.params;
      const [group, account] = [parseId(id), parseId(member)];
      if (group === undefined || account === undefined) return err({ kind: 'not-found' });
      const text = 'select portal.remove_group_member($1::integer, $2::integer)';
      const removed = await accountRow(context, asked, 'write', text, String(group), String(account));
      if (!removed.ok) return removed;
      return removed.value?.[0]?.toString() === 't' ? ok(asked.reply.code(204).send()) : err({ kind: 'not-found' });
    }),
  );

  /** Whether there is somebody to write to, the letter alone tells. A letter that cannot be written leaves the invitation as it is. */
  async function tellInvited(
    { mailer, publicUrl }: MailLinkParts,
    group: number,
    name: string,
    language: string | undefined,
  ): Promise<void> {
    const found = await db.service([
      {
        text: 'select username, email, title, invited_by, portal.language_of_letters($2) from portal.invitation_letter($1::integer, $2)',
        params: [String(group), name],
      },
    ]);
    const [username, email, title = '', by = '', chosen] = found.ok
      ? (found.value[0]?.rows[0]?.map((cell) => cell?.toString()) ?? [])
      : [];
    if (username === undefined || email === undefined) return;
    const letter = { kind: 'group-invitation', username, group: title, by, link: `${publicUrl}/groups` } as const;
    mailer.post(writeLetter(email, letter, mailLanguage(chosen ?? language)));
  }
}

/** What can be the name of an account; anything else is not asked about. */
const NAME = /^[\w.@+-]{1,150}$/u;
const UNKNOWN_USER: PortalError = {
  kind: 'invalid-fields',
  fields: { username: ['There is no account with this name.'] },
};

function parseMembership(body: unknown): Result<Membership, PortalError> {
  const named = textFields(body, ['username']);
  if (!named.ok) return named;
  const { role = 'member' } = membersOf(body);
  if (role !== 'member' && role !== 'manager') {
    return err({
      kind: 'invalid-fields',
      fields: { role: ['This is not a valid choice: it is either "member" or "manager".'] },
    });
  }
  return ok({ username: named.value.username, role });
}

const ROLE: Schema = { type: 'string', enum: ['member', 'manager'] };

const MEMBER: Schema = record({ pk: INTEGER, username: TEXT, role: ROLE });
