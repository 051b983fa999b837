// The routes about accounts: signing in, passwords, members of groups and invitations to them.

import type { FastifyInstance } from 'fastify';
import type { PortalContext } from '../portal-context.ts';
import type { PageParts } from './account-parts.ts';
import { registerInvitationRoutes } from './invitation-routes.ts';
import { registerLeaveRoute } from './leave-route.ts';
import { registerMailLinkRoutes } from './mail-link-routes.ts';
import { registerMemberRoutes } from './member-routes.ts';
import { registerPasswordRoute } from './password-route.ts';
import { makeProof } from './proof.ts';
import { registerProviderRoutes } from './provider/provider-routes.ts';
import { registerSessionRoutes } from './session-routes.ts';

export function registerAccounts(app: FastifyInstance, context: PortalContext, parts: PageParts): void {
  registerSessionRoutes(app, context, parts);
  registerPasswordRoute(app, context, parts);
  registerLeaveRoute(app, context, parts);
  registerMemberRoutes(app, context, parts.mail);
  registerInvitationRoutes(app, context);
  if (parts.provider !== undefined) registerProviderRoutes(app, context, parts.provider, parts);
  if (parts.mail !== undefined) registerMailLinkRoutes(app, context, parts.mail, makeProof(context, parts));
}
