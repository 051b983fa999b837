// Revoking and introspecting our access tokens. They are JWTs, which the library leaves alone at these two endpoints: it has
// authenticated the client by then and refuses the token; here it is looked at after all.

import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { TokenClaims } from './access-token.ts';
import type { BearerTokens } from './bearer-tokens.ts';

export type OidcMiddleware = Parameters<Provider['use']>[0];

export function answerForStructuredTokens(bearer: BearerTokens): OidcMiddleware {
  return async (context, next) => {
    await next();
    // The library's own routes have added `oidc`; a path it does not know has none.
    if (!('oidc' in context)) return;
    const ctx = context as unknown as KoaContextWithOIDC;
    if (!isRefusedToken(ctx)) return;
    const { client, params } = ctx.oidc;
    const token = params?.['token'];
    if (client === undefined || typeof token !== 'string') return;
    const claims = await bearer.read(token);
    if (ctx.oidc.route === 'revocation') {
      // Somebody else's token, and one that is void anyway, are answered the same (RFC 7009, 2.2).
      if (claims !== undefined && mayRevoke(client, claims.clientId)) await revoke(ctx, claims);
      ctx.status = 200;
      ctx.body = '';
      return;
    }
    const mayKnow = claims !== undefined && mayIntrospect(client, claims.clientId);
    ctx.status = 200;
    ctx.body = mayKnow ? await introspect(bearer, token, claims) : { active: false };
  };
}

/** Who asks, and whose token it is. */
type Asking = { readonly clientId: string; readonly clientAuthMethod?: string | undefined };

export function mayRevoke(client: Asking, tokenOf: string | undefined): boolean {
  return client.clientId === tokenOf;
}

/** A public client proves nothing about itself, so it is told about its own tokens only. */
export function mayIntrospect(client: Asking, tokenOf: string | undefined): boolean {
  return client.clientAuthMethod !== 'none' || client.clientId === tokenOf;
}

function isRefusedToken(ctx: KoaContextWithOIDC): boolean {
  const body: unknown = ctx.body;
  return (
    ctx.status === 400 &&
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    body.error === 'unsupported_token_type' &&
    (ctx.oidc.route === 'revocation' || ctx.oidc.route === 'introspection')
  );
}

/** The token is only as good as the grant behind it; with that go the refresh tokens too. */
async function revoke(ctx: KoaContextWithOIDC, { grantId }: TokenClaims): Promise<void> {
  if (grantId === undefined) return;
  const { provider } = ctx.oidc;
  await provider.RefreshToken.revokeByGrantId(grantId);
  await provider.Grant.adapter.destroy(grantId);
}

async function introspect(bearer: BearerTokens, token: string, claims: TokenClaims): Promise<Record<string, unknown>> {
  const account = await bearer.accountOf(token);
  if (!account.ok) return { active: false };
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const { exp, iat, iss, aud, scope, sub, jti } = payload as Record<string, unknown>;
  return {
    active: true,
    username: account.value.username,
    client_id: claims.clientId,
    token_type: 'Bearer',
    ...{ exp, iat, iss, aud, scope, sub, jti },
  };
}
