// PUT /api/v2/users/{id}/password: one's own with the old one, anybody's as an administrator. Every session of the account
// ends; the one that asked goes on as a new one.

import type { FastifyInstance } from 'fastify';
import type { AccountCaller } from '../../auth/caller.ts';
import { hashPassword } from '../../auth/password.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { body, reference, type Schema } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import type { AccountParts } from './account-parts.ts';
import { accountRoute } from './account-route.ts';
import { setPassword } from './account-store.ts';
import { membersOf, textFields } from './body-fields.ts';
import { passwordComplaint } from './password-rules.ts';
import { parseId } from './path-id.ts';

type Change = { readonly account: number; readonly password: string; readonly body: unknown; readonly address: string };

export function registerPasswordRoute(app: FastifyInstance, context: PortalContext, parts: AccountParts): void {
  const { db, addressOf } = context;
  const { checkPassword, sessions } = parts;

  app.put(
    '/api/v2/users/:id/password',
    described({
      id: 'users_set_password',
      tag: 'users',
      summary: {
        en: 'Set the password: one’s own with the old one, anybody’s as an administrator',
        de: 'Das Passwort setzen: das eigene mit dem alten, als Administrator jedes',
      },
      body: body({ password: PASSWORD, old_password: { ...PASSWORD, description: 'For one’s own.' } }, ['password']),
      examples: { byAdministrator: { password: 'a long new password' } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    accountRoute<{ id: string }>(context, async ({ request, reply, caller }) => {
      const account = parseId(request.params.id);
      if (account === undefined) return err({ kind: 'not-found' });
      const asked = parsePassword(request.body);
      if (!asked.ok) return asked;
      const change = { account, password: asked.value, body: request.body, address: addressOf(request) };
      const changed = account === caller.id ? await changeOwn(caller, change) : await changeOther(caller, change);
      if (!changed.ok) return changed;
      if (account === caller.id && caller.via === 'session') {
        const begun = await sessions.begin(request, reply, caller);
        if (!begun.ok) return begun;
      }
      return ok(reply.send({ meta: { updated: 1 } }));
    }),
  );

  async function changeOwn(caller: AccountCaller, asked: Change): Promise<Result<void, PortalError>> {
    const old = textFields(asked.body, ['old_password']);
    if (!old.ok) return old;
    const right = await checkPassword({
      username: caller.username,
      password: old.value.old_password,
      address: asked.address,
    });
    if (!right.ok) {
      const isWrong = right.error.kind === 'bad-credentials' && right.error.reason === 'password';
      return isWrong ? fieldError('old_password', 'Invalid password.') : right;
    }
    const complaint = passwordComplaint(asked.password, caller.username);
    if (complaint !== undefined) return fieldError('password', complaint);
    const set = await setPassword(db, caller.id, await hashPassword(asked.password));
    return set.ok ? set : err({ kind: 'database', error: set.error });
  }

  /** Whether the caller may is for the database to say; before that, whether there is such an account for the caller. */
  async function changeOther(caller: AccountCaller, asked: Change): Promise<Result<void, PortalError>> {
    const info = { method: 'PUT', path: `/api/v2/users/${asked.account}/password` };
    const seen = await db.read(caller, info, [
      {
        text: 'select a.username from portal.account_detail d join portal.account a on a.id = d.account_id where a.id = $1',
        params: [String(asked.account)],
      },
    ]);
    if (!seen.ok) return err({ kind: 'database', error: seen.error });
    const username = seen.value[0]?.rows[0]?.[0]?.toString();
    if (username === undefined) return err({ kind: 'not-found' });
    const complaint = passwordComplaint(asked.password, username);
    if (complaint !== undefined) return fieldError('password', complaint);
    const set = await db.write(caller, info, [
      {
        text: 'select portal.set_password($1::integer, $2)',
        params: [String(asked.account), await hashPassword(asked.password)],
      },
    ]);
    return set.ok ? ok(undefined) : err({ kind: 'database', error: set.error });
  }
}

/** `new_password` is what forms of other portals call it. */
function parsePassword(body: unknown): Result<string, PortalError> {
  const { password, new_password: alias } = membersOf(body);
  const fields = textFields({ password: password ?? alias }, ['password']);
  return fields.ok ? ok(fields.value.password) : fields;
}

function fieldError(field: string, message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { [field]: [message] } });
}

const PASSWORD: Schema = { type: 'string', format: 'password' };
