// The link of an account to a person of the provider, for its owner: GET /account/oidc/link says whether there is one, POST … begins to make it and
// answers where the browser is to go, DELETE … takes it back. Both changes need proof. The provider sends the browser back to the address of every
// sign-in (provider-routes), which finishes what was begun here.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { PortalContext } from '../../portal-context.ts';
import { accountRoute, accountRow } from '../account-route.ts';
import type { Prove } from '../proof.ts';
import { BEGIN_LINK, READ_LINK, REMOVE_LINK } from './described.ts';

export type LinkParts = {
  readonly issuer: string;
  readonly prove: Prove;
  /** Keeps in the browser for whom the link is made; the address at the provider. Undefined: the provider does not answer. */
  readonly begin: (reply: FastifyReply, account: number) => Promise<string | undefined>;
};

const PATH = '/account/oidc/link';

export function registerLinkRoutes(app: FastifyInstance, context: PortalContext, parts: LinkParts): void {
  app.get(
    PATH,
    described(READ_LINK),
    accountRoute(context, async (asked) => {
      const told = await accountRow(context, asked, 'read', 'select portal.my_provider_link($1)', parts.issuer);
      if (!told.ok) return told;
      return ok(asked.reply.type('application/json; charset=utf-8').send(told.value?.[0]?.toString() ?? '{}'));
    }),
  );

  app.post(
    PATH,
    described(BEGIN_LINK),
    accountRoute(context, async (asked) => {
      const proved = await parts.prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const url = await parts.begin(asked.reply, asked.caller.id);
      return url === undefined ? err(NO_ANSWER) : ok(asked.reply.send({ url }));
    }),
  );

  app.delete(
    PATH,
    described(REMOVE_LINK),
    accountRoute(context, async (asked) => {
      const proved = await parts.prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const gone = await accountRow(context, asked, 'write', 'select portal.unlink_provider($1)', parts.issuer);
      if (!gone.ok) return gone;
      return gone.value?.[0]?.toString() === 't' ? ok(asked.reply.code(204).send()) : err({ kind: 'not-found' });
    }),
  );
}

const NO_ANSWER: PortalError = {
  kind: 'remote-failed',
  detail: 'The provider does not answer as it should. Try again later, or tell the administrators.',
};
