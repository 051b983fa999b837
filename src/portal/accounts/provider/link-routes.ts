// The link of an account to a person of the provider, for its owner: GET /account/oidc/link says whether there is one, POST … begins to make it and
// answers where the browser is to go, DELETE … takes it back. Both changes need proof. The provider sends the browser back to the address of every
// sign-in (provider-routes), which finishes what was begun here.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../auth/caller.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Param } from '../../../pg/driver.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { PortalContext } from '../../portal-context.ts';
import type { Prove } from '../proof.ts';
import { BEGIN_LINK, READ_LINK, REMOVE_LINK } from './described.ts';

type Known = Caller & { kind: 'account' };
type Asked = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Known };
type Handled = Promise<Result<FastifyReply, PortalError>>;

export type LinkParts = {
  readonly issuer: string;
  readonly prove: Prove;
  /** Keeps in the browser for whom the link is made; the address at the provider. Undefined: the provider does not answer. */
  readonly begin: (reply: FastifyReply, account: number) => Promise<string | undefined>;
};

const PATH = '/account/oidc/link';

export function registerLinkRoutes(app: FastifyInstance, context: PortalContext, parts: LinkParts): void {
  const { db, identify, answerError } = context;

  /** For accounts. */
  const route =
    (handle: (asked: Asked) => Handled) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const who = await identify(request);
      if (!who.ok) return answerError(request, reply, who.error);
      const caller = who.value;
      if (caller.kind === 'visitor') return answerError(request, reply, { kind: 'not-authenticated' });
      const done = await handle({ request, reply: reply.header('Cache-Control', 'no-store'), caller });
      return done.ok ? done.value : answerError(request, reply, done.error, caller);
    };
  const cellOf = async (
    { request, caller }: Asked,
    way: 'read' | 'write',
    text: string,
    ...params: Param[]
  ): Promise<Result<string | undefined, PortalError>> => {
    const executed = await db[way](caller, { method: request.method, path: request.url }, [{ text, params }]);
    return executed.ok
      ? ok(executed.value[0]?.rows[0]?.[0]?.toString())
      : err({ kind: 'database', error: executed.error });
  };

  app.get(
    PATH,
    described(READ_LINK),
    route(async (asked) => {
      const told = await cellOf(asked, 'read', 'select portal.my_provider_link($1)', parts.issuer);
      if (!told.ok) return told;
      return ok(asked.reply.type('application/json; charset=utf-8').send(told.value ?? '{}'));
    }),
  );

  app.post(
    PATH,
    described(BEGIN_LINK),
    route(async (asked) => {
      const proved = await parts.prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const url = await parts.begin(asked.reply, asked.caller.id);
      return url === undefined ? err(NO_ANSWER) : ok(asked.reply.send({ url }));
    }),
  );

  app.delete(
    PATH,
    described(REMOVE_LINK),
    route(async (asked) => {
      const proved = await parts.prove(asked.request, asked.caller);
      if (!proved.ok) return proved;
      const gone = await cellOf(asked, 'write', 'select portal.unlink_provider($1)', parts.issuer);
      if (!gone.ok) return gone;
      return gone.value === 't' ? ok(asked.reply.code(204).send()) : err({ kind: 'not-found' });
    }),
  );
}

const NO_ANSWER: PortalError = {
  kind: 'remote-failed',
  detail: 'The provider does not answer as it should. Try again later, or tell the administrators.',
};
