// `POST /o/register`: an application that nobody has registered before registers itself (RFC 7591), as agents do. Anybody may, so what is made of it is bounded: public
// clients alone, that prove themselves by PKCE; few from one address; forgotten after a while. Whether one may act for a person, that person is asked.

import type { FastifyInstance } from 'fastify';
import { makeRateLimiter } from '../../http/rate-limiter.ts';
import { addressKey } from '../../kernel/address-key.ts';
import { membersOf } from '../accounts/body-fields.ts';
import type { PortalContext } from '../portal-context.ts';
import { complaintAbout, metadataOf } from './client-routes.ts';
import { makeOidcStore } from './oidc-adapter.ts';
import { REGISTRATION } from './provider.ts';
import type { Providers } from './providers.ts';

const DAYS_S = 90 * 24 * 3600;
const RATE = { requests: 10, perSeconds: 3600 };
/** Of all addresses together. */
const RATE_OF_ALL = { requests: 200, perSeconds: 3600 };
const MAX_URIS = 10;
const MAX_URI = 1000;
const MAX_NAME = 100;

export function registerClientRegistration(app: FastifyInstance, context: PortalContext, providers: Providers): void {
  const { db, clock, addressOf, baseUrl, answerError } = context;
  const store = makeOidcStore(db, 'Client');
  const limiter = makeRateLimiter();

  app.post(REGISTRATION, async (request, reply) => {
    const refuse = (error: string, description: string): unknown =>
      reply.code(400).header('Cache-Control', 'no-store').send({ error, error_description: description });
    const now = clock.now();
    const wait = Math.max(limiter.take(addressKey(addressOf(request)), RATE, now), limiter.take('', RATE_OF_ALL, now));
    if (wait > 0) return answerError(request, reply, { kind: 'throttled', retryAfterSeconds: wait });
    const {
      client_name: name = 'An application',
      redirect_uris: uris,
      token_endpoint_auth_method: method,
    } = membersOf(request.body);
    if (typeof name !== 'string') return refuse('invalid_client_metadata', 'client_name is a text.');
    if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_URIS || !uris.every(isRedirect))
      return refuse(
        'invalid_redirect_uri',
        `redirect_uris are one to ${MAX_URIS} addresses: https, or http of this very machine (127.0.0.1, [::1], localhost).`,
      );
    if (method !== undefined && method !== 'none')
      return refuse(
        'invalid_client_metadata',
        'Only public clients register themselves: token_endpoint_auth_method is none.',
      );
    const shown = name
      .replaceAll(/[\p{C}]/gu, ' ')
      .trim()
      .slice(0, MAX_NAME);
    const registered = metadataOf({ name: shown, redirectUris: uris, confidential: false }, undefined);
    // Those that end on the machine of their person are native applications, which may choose a port anew each time.
    const metadata = { ...registered, application_type: uris.every(isLoopback) ? 'native' : 'web' } as const;
    const complaint = await complaintAbout(providers(baseUrl(request)), metadata);
    if (complaint !== undefined) return refuse('invalid_redirect_uri', complaint);
    await store.upsert(metadata.client_id, metadata, DAYS_S);
    return reply
      .code(201)
      .header('Cache-Control', 'no-store')
      .send({ ...metadata, client_id_issued_at: Math.floor(now / 1000) });
  });
}

function isRedirect(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > MAX_URI || !URL.canParse(uri)) return false;
  return new URL(uri).protocol === 'https:' || isLoopback(uri);
}

function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost');
}
