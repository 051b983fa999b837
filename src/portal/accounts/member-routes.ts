// Who is in a group: POST /api/v2/groups/{id}/members with a name and a role, DELETE …/members/{user id}. Administrators and
// the group's managers; members may leave. All of that is for the database to say.

import type { FastifyInstance } from 'fastify';
import type { CallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import { accountNamed } from './account-store.ts';
import { membersOf, textFields } from './body-fields.ts';
import { parseId } from './path-id.ts';

type Membership = { readonly username: string; readonly role: 'member' | 'manager' };

export function registerMemberRoutes(app: FastifyInstance, { db, identify, answerError }: PortalContext): void {
  app.post<{ Params: { id: string } }>('/api/v2/groups/:id/members', async (request, reply) => {
    const who = await identify(request);
    if (!who.ok) return answerError(request, reply, who.error);
    const caller = who.value;
    if (caller.kind === 'visitor') return answerError(request, reply, { kind: 'not-authenticated' });
    const group = parseId(request.params.id);
    if (group === undefined) return answerError(request, reply, { kind: 'not-found' }, caller);
    const asked = parseMembership(request.body);
    if (!asked.ok) return answerError(request, reply, asked.error, caller);
    const { username, role } = asked.value;
    const account = await findAccount(db, username);
    if (!account.ok) return answerError(request, reply, account.error, caller);
    const added = await db.write(caller, { method: request.method, path: request.url }, [
      {
        text: 'select 1 from portal.group_member where group_id = $1 and account_id = $2',
        params: [String(group), String(account.value.id)],
      },
      {
        text: 'select portal.add_group_member($1::integer, $2::integer, $3::boolean)',
        params: [String(group), String(account.value.id), String(role === 'manager')],
      },
    ]);
    if (!added.ok) {
      // Told only to those who may add members: the database looks at that first.
      const isUnknown = account.value.id === NOBODY && added.error.kind === 'sql' && added.error.sqlstate === '22023';
      const error: PortalError = isUnknown ? UNKNOWN_USER : { kind: 'database', error: added.error };
      return answerError(request, reply, error, caller);
    }
    const isNew = added.value[0]?.rows.length === 0;
    return reply.code(isNew ? 201 : 200).send({ pk: account.value.id, username: account.value.username, role });
  });

  app.delete<{ Params: { id: string; account: string } }>(
    '/api/v2/groups/:id/members/:account',
    async (request, reply) => {
      const who = await identify(request);
      if (!who.ok) return answerError(request, reply, who.error);
      const caller = who.value;
      if (caller.kind === 'visitor') return answerError(request, reply, { kind: 'not-authenticated' });
      const [group, account] = [parseId(request.params.id), parseId(request.params.account)];
      if (group === undefined || account === undefined) {
        return answerError(request, reply, { kind: 'not-found' }, caller);
      }
      const removed = await db.write(caller, { method: request.method, path: request.url }, [
        {
          text: 'select portal.remove_group_member($1::integer, $2::integer)',
          params: [String(group), String(account)],
        },
      ]);
      if (!removed.ok) return answerError(request, reply, { kind: 'database', error: removed.error }, caller);
      if (removed.value[0]?.rows[0]?.[0]?.toString() !== 't') {
        return answerError(request, reply, { kind: 'not-found' }, caller);
      }
      return reply.code(204).send();
    },
  );
}

const NOBODY = 0;
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

/** An id that no account has stands for a name that no account has. */
async function findAccount(
  db: CallerDb,
  username: string,
): Promise<Result<{ readonly id: number; readonly username: string }, PortalError>> {
  const found = await accountNamed(db, username);
  if (!found.ok) return err({ kind: 'database', error: found.error });
  return ok(found.value ?? { id: NOBODY, username });
}
