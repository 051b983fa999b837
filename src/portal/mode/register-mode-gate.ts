// Turns requests away by the mode of service, before anything is read of them. In maintenance that is everything but signing in, what the sign-in page
// needs, and what administrators ask; in read-only mode files alone, since all other writes are refused by the database.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLOSED_RETRY_SECONDS, onlyReads, type ServiceMode } from '../../http/service-mode.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import { wantsErrorPage } from '../pages/register-pages.ts';
import type { PortalContext } from '../portal-context.ts';
import { CLOSED_POLICY, closedPage } from './closed-page.ts';

/** What the page needs on which administrators sign in, and what says why everything else is closed. */
const OPEN_IN_MAINTENANCE =
  /^\/(?:account\/(?:login(?:\/second|\/passkey|\/passkey\/options)?|logout|session|defaults|oidc\/start|oidc\/callback)\/?|api\/v2\/mode\/?|health\/?|assets\/[^?]*|favicon[^/?]*)(?:\?|$)/;

export function registerModeGate(app: FastifyInstance, context: PortalContext): void {
  app.addHook('onRequest', async (request, reply) => {
    const mode = context.mode();
    if (mode.kind === 'normal') return;
    if (mode.kind === 'read-only') {
      if (onlyReads(request.method) || !isForm(request) || isOpen(request)) return;
    } else if (isOpen(request) || (await isByAdministrator(context, request))) return;
    leaveUnread(request);
    return turnAway(context, request, reply, mode);
  });
}

function turnAway(
  context: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
  mode: Exclude<ServiceMode, { kind: 'normal' }>,
): FastifyReply {
  if (!wantsErrorPage(request))
    return context.answerError(request, reply, { kind: 'service-closed', mode: mode.kind, message: mode.message });
  return reply
    .code(503)
    .headers({
      'Retry-After': String(CLOSED_RETRY_SECONDS),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CLOSED_POLICY,
    })
    .type('text/html; charset=utf-8')
    .send(closedPage(mode.message, request.headers['accept-language']));
}

function isOpen({ url }: FastifyRequest): boolean {
  return OPEN_IN_MAINTENANCE.test(url);
}

function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') === true;
}

/** Wrong credentials are nobody's. */
async function isByAdministrator({ identify }: PortalContext, request: FastifyRequest): Promise<boolean> {
  const who = await identify(request);
  return who.ok && who.value.kind === 'account' && who.value.role === 'survest_admin';
}
