// Everything about tokens and the OpenID provider on the portal's address.

import type { FastifyInstance } from 'fastify';
import type { AccountParts } from '../accounts/account-parts.ts';
import type { PortalContext } from '../portal-context.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { registerClientRegistration } from './client-registration.ts';
import { registerClientRoutes } from './client-routes.ts';
import { registerInteractions } from './interaction-routes.ts';
import { mountProvider } from './mount-provider.ts';
import { makeProviders } from './providers.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';
import type { SigningKeys } from './signing-keys.ts';
import { registerTokenRoute } from './token-route.ts';
import { registerUserinfo } from './userinfo-routes.ts';

export type OidcParts = AccountParts & {
  readonly keys: SigningKeys;
  readonly bearer: BearerTokens;
  /** Applications register themselves. */
  readonly registersClients: boolean;
  /** Set on every reply of the portal. */
  readonly headers: Readonly<Record<string, string>>;
};

export async function registerOidc(app: FastifyInstance, context: PortalContext, parts: OidcParts): Promise<void> {
  const { db, observe, baseUrl } = context;
  const { keys, bearer, registersClients } = parts;
  const providers = makeProviders({ db, keys, bearer, registersClients, observe });
  registerTokenRoute(app, context, parts);
  registerSignInRoutes(app, context, parts);
  registerUserinfo(app, context, parts);
  registerClientRoutes(app, context, providers);
  if (registersClients) registerClientRegistration(app, context, providers);
  registerInteractions(app, context, { ...parts, providers });
  await mountProvider(app, { providers, baseUrl, headers: parts.headers });
}
