// POST /account/delete: an account ends itself. Its items go to somebody who is named, or into the bin; that is for the database to do. Who asks proves to
// be its owner.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { body, TEXT } from '../description/schema.ts';
import type { PortalContext } from '../portal-context.ts';
import type { AccountParts } from './account-parts.ts';
import { accountRoute } from './account-route.ts';
import { membersOf } from './body-fields.ts';
import { makeProof } from './proof.ts';

export function registerLeaveRoute(app: FastifyInstance, context: PortalContext, parts: AccountParts): void {
  const { db } = context;
  const prove = makeProof(context, parts);
  app.post(
    '/account/delete',
    described({
      id: 'account_delete',
      tag: 'account',
      summary: {
        en: 'Delete the own account: its items go to `hand_over_to`, or into the bin, from which administrators restore them',
        de: 'Das eigene Konto löschen: was ihm gehört, geht an `hand_over_to` oder in den Papierkorb, aus dem Administratoren es zurückholen',
      },
      body: body(
        {
          hand_over_to: { ...TEXT, description: 'Somebody who shares a group with the account, or an administrator.' },
          password: { type: 'string', format: 'password' },
          code: { ...TEXT, description: 'Of the second factor, in place of the password.' },
        },
        [],
      ),
      answers: { 204: undefined },
      refusals: [400, 401, 403, 429],
    }),
    accountRoute(context, async ({ request, reply, caller }) => {
      const { hand_over_to: heir = '' } = membersOf(request.body);
      if (typeof heir !== 'string' || heir.includes('\0')) return err(invalid('This value must be text.'));
      const proved = await prove(request, caller);
      if (!proved.ok) return proved;
      const gone = await db.write(caller, { method: request.method, path: request.url }, [
        { text: 'select portal.delete_my_account($1)', params: [heir.trim()] },
      ]);
      if (!gone.ok) {
        const { error } = gone;
        const isHeir = error.kind === 'sql' && error.sqlstate === '22023' && error.hint === 'hand_over_to';
        return err(isHeir ? invalid(error.message) : { kind: 'database', error });
      }
      await parts.sessions.end(request, reply);
      return ok(reply.code(204).send());
    }),
  );
}

function invalid(said: string) {
  return { kind: 'invalid-fields', fields: { hand_over_to: [said] } } as const;
}
