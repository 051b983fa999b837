// The portal as a client of an OpenID Connect provider (openid-client): discovery, the authorization code flow with PKCE, state and nonce. Signature,
// issuer, audience and times of the ID token are checked by the library, signatures also where the token came straight from the provider.

import type { Configuration } from 'openid-client';
import type { Clock } from '../../../kernel/clock.ts';
import type { Claims } from './person.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** What one sign-in keeps in the person's browser until the provider sends it back. */
export type Begun = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Each throws what went wrong: the provider's refusal, an answer that is not to be trusted, a connection that failed. */
export type ProviderClient = {
  begin(): Promise<{ readonly url: string; readonly begun: Begun }>;
  /** `answer`: the address that the provider sent the browser back to. */
  finish(answer: URL, begun: Begun): Promise<Claims>;
  /** Where the person signs out of the provider, too; undefined: it has no such place. */
  signOutUrl(backTo: string): Promise<string | undefined>;
};

const DISCOVERY_MS = 3600_000;
/** A provider that is away is not asked for every visitor. */
const RETRY_MS = 5000;
const TIMEOUT_SECONDS = 10;
const MAX_ANSWER_BYTES = 1024 * 1024;

type Library = typeof import('openid-client');
/** How far the provider's clock may be ahead of ours. */
const CLOCK_SECONDS = 60;

type Known = { readonly library: Library; readonly config: Configuration };

export function makeProviderClient(settings: ProviderSettings, redirectUri: string, clock: Clock): ProviderClient {
  let known: { readonly found: Promise<Known>; readonly until: { at: number } } | undefined;

  const discovered = (): Promise<Known> => {
    if (known !== undefined && clock.ticks() < known.until.at) return known.found;
    const until = { at: clock.ticks() + DISCOVERY_MS };
    const found = discover(settings);
    known = { found, until };
    found.catch(() => {
      until.at = clock.ticks() + RETRY_MS;
    });
    return found;
  };

  return {
    async begin() {
      const { library, config } = await discovered();
      const begun = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: settings.scopes.join(' '),
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, begun };
    },
    async finish(answer, { state, nonce, verifier }) {
      const { library, config } = await discovered();
      const tokens = await library.authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || claims.sub.length > 255) throw new Error('the ID token names nobody');
      // The library looks at when it ends. One that was issued later than now was not issued at this sign-in.
      const latest = clock.now() / 1000 + CLOCK_SECONDS;
      const { iat, auth_time: signedIn = 0 } = claims;
      if (iat > latest || signedIn > latest)
        throw new Error('the ID token is from the future: is one of the clocks wrong?');
      if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Many providers tell mail address and groups there alone. It has to be about the same person, and what was signed counts first.
      const more = await library.fetchUserInfo(config, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    },
    async signOutUrl(backTo) {
      const { library, config } = await discovered();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return library.buildEndSessionUrl(config, { post_logout_redirect_uri: backTo }).href;
    },
  };
}

/** The library is loaded by portals that have a provider, and by no other. */
async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Known> {
  const library = await import('openid-client');
  const config = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
    timeout: TIMEOUT_SECONDS,
    [library.customFetch]: boundedFetch,
    // The settings take plain HTTP for providers on this machine alone.
    execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
  });
  const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = config.serverMetadata();
  if (clientSecret === undefined) {
    library.enableNonRepudiationChecks(config);
    return { library, config };
  }
  const prove = ways.includes('client_secret_basic') ? library.ClientSecretBasic : library.ClientSecretPost;
  const proving = new library.Configuration(config.serverMetadata(), clientId, undefined, prove(clientSecret));
  proving.timeout = TIMEOUT_SECONDS;
  proving[library.customFetch] = boundedFetch;
  if (issuer.startsWith('http:')) library.allowInsecureRequests(proving);
  library.enableNonRepudiationChecks(proving);
  return { library, config: proving };
}

/** A provider that has gone astray costs memory for one answer of a megabyte. */
const boundedFetch: import('openid-client').CustomFetch = async (url, options) => {
  const reply = await fetch(url, options as RequestInit);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the provider answered more than a megabyte');
    parts.push(part);
  }
  const hasBody = bytes > 0;
  return new Response(hasBody ? Buffer.concat(parts) : null, { status: reply.status, headers: reply.headers });
};
