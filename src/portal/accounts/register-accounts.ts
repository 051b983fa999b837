// The routes about accounts: signing in, passwords, members of groups.

import type { FastifyInstance } from 'fastify';
import type { PortalContext } from '../portal-context.ts';
import type { CheckPassword } from './check-password.ts';
import { registerMemberRoutes } from './member-routes.ts';
import { registerPasswordRoute } from './password-route.ts';
import { registerSessionRoutes } from './session-routes.ts';
import type { Sessions } from './sessions.ts';

export type AccountParts = { readonly checkPassword: CheckPassword; readonly sessions: Sessions };

export function registerAccounts(app: FastifyInstance, context: PortalContext, parts: AccountParts): void {
  registerSessionRoutes(app, context, parts);
  registerPasswordRoute(app, context, parts);
  registerMemberRoutes(app, context);
}
