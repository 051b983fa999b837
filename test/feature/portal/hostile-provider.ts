// An OpenID Connect provider in this process that says what a test wants it to say, true or not.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const CLIENT = { id: 'maps', secret: 'the secret of the client, known to both' } as const;

type Answer = { readonly status?: number; readonly body: unknown };

export type HostileProvider = {
  readonly issuer: string;
  /** The ID token of the next sign-in; without one, an honest one. */
  idToken: ((honest: Honest) => Promise<string>) | undefined;
  /** Added to what it says of itself. */
  metadata: Record<string, unknown>;
  userinfo: Readonly<Record<string, unknown>> | undefined;
  /** In place of the answer with the tokens. */
  tokens: Answer | undefined;
  /** The error that it sends people back with. */
  refusal: string | undefined;
  /** How often tokens were asked for. */
  asked: number;
  sign(claims: Readonly<Record<string, unknown>>, key?: 'own' | 'foreign', kid?: string): Promise<string>;
  /** Of the sign-in that began last, as its address said. */
  nonce: string;
  close(): Promise<void>;
};

export type Honest = { readonly claims: Readonly<Record<string, unknown>>; readonly provider: HostileProvider };

export async function startHostileProvider(): Promise<HostileProvider> {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    issuer,
    idToken: undefined,
    metadata: {},
    userinfo: undefined,
    tokens: undefined,
    refusal: undefined,
    asked: 0,
    nonce: '',
    sign: (claims, key = 'own', kid = 'one') =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign((key === 'own' ? own : foreign).privateKey),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname, searchParams: asked } = new URL(request.url ?? '/', issuer);
    if (pathname === '/authorize') {
      // Everybody is signed in here already.
      provider.nonce = asked.get('nonce') ?? '';
      const back = new URL(asked.get('redirect_uri') ?? issuer);
      back.search = new URLSearchParams({
        state: asked.get('state') ?? '',
        ...(provider.refusal === undefined ? { code: 'x' } : { error: provider.refusal }),
      }).toString();
      reply.writeHead(302, { location: back.href }).end();
      return;
    }
    const { status = 200, body } = await answerTo(pathname);
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async function answerTo(path: string): Promise<Answer> {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
            ...provider.metadata,
          },
        };
      case '/jwks':
        return { body: { keys: [jwk] } };
      case '/userinfo':
        return { body: provider.userinfo ?? {} };
      case '/token': {
        provider.asked += 1;
        if (provider.tokens !== undefined) return provider.tokens;
        const claims = honestClaims(provider);
        const token = await (provider.idToken?.({ claims, provider }) ?? provider.sign(claims));
        return { body: { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token } };
      }
      default:
        return { status: 404, body: {} };
    }
  }
  return provider;
}

function honestClaims({ issuer, nonce }: HostileProvider): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: CLIENT.id,
    sub: 'person-7',
    iat: now,
    exp: now + 300,
    nonce,
    preferred_username: 'stranger',
    email: 'ada@example.org',
    email_verified: true,
  };
}
