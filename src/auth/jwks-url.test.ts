import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Claims } from './check-claims.ts';
import { type JwksEvent, type JwksOptions, makeJwksVerifier, parseJwksUrl } from './jwks-url.ts';
import type { Verifier } from './verify-jwt.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const one = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const two = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const publicJwk = (key: KeyObject, kid: string): object => ({
  ...key.export({ format: 'jwk' }),
  kid,
  alg: 'ES256',
  use: 'sig',
});
const signedBy = (key: KeyObject, kid: string, claims: Claims = { role: 'r' }): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(key);

type Answer = { status: number; body: string; headers?: Record<string, string> } | 'hang' | 'reset';
let answer: Answer;
let asked: number;
let events: JwksEvent[];
let server: Server;
let url: URL;

const serves = (...keys: object[]): Answer => ({ status: 200, body: JSON.stringify({ keys }) });

beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    if (answer === 'hang') return;
    if (answer === 'reset') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json?secret=hush`);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = 0;
  events = [];
  answer = serves(publicJwk(one.publicKey, 'one'));
});

function make(jwks: JwksOptions = {}): Verifier<Claims> {
  return makeJwksVerifier(
    url,
    { audience: undefined, cacheMaxLifetime: 0, cacheMaxEntries: 1000, derive: (claims) => claims },
    { observe: (event) => events.push(event), ...jwks },
  );
}

describe('keys at an address', () => {
  test('are fetched with the first token, once for all that come at the same time', async () => {
    const verifier = make();
    expect(asked).toBe(0);
    const tokens = await Promise.all(['a', 'b', 'c'].map((sub) => signedBy(one.privateKey, 'one', { sub })));
    const found = await Promise.all(tokens.map((token) => verifier.verify(token, NOW)));
    expect(found.map((answer) => answer.ok)).toEqual([true, true, true]);
    expect(asked).toBe(1);
    expect(events).toEqual([{ kind: 'jwks-loaded', keys: 1 }]);
  });

  test('a token seen before is answered at once', async () => {
    const verifier = make();
    const token = await signedBy(one.privateKey, 'one');
    const first = await verifier.verify(token, NOW);
    expect(verifier.verify(token, NOW + 1)).toBe(first);
  });

  test('a token that names an unknown key has them fetched again, and is accepted when the key is there now', async () => {
    const verifier = make();
    await verifier.verify(await signedBy(one.privateKey, 'one'), NOW);
    answer = serves(publicJwk(two.publicKey, 'two'));
    expect(await verifier.verify(await signedBy(two.privateKey, 'two'), NOW + MINUTE)).toMatchObject({ ok: true });
    expect(asked).toBe(2);
  });

  test('a key that is gone is gone for tokens seen before too', async () => {
    const verifier = make();
    const old = await signedBy(one.privateKey, 'one');
    await verifier.verify(old, NOW);
    answer = serves(publicJwk(two.publicKey, 'two'));
    await verifier.verify(await signedBy(two.privateKey, 'two'), NOW + MINUTE);
    expect(await verifier.verify(old, NOW + MINUTE)).toEqual({ ok: false, error: { kind: 'jwt-no-key' } });
  });

  test('a key that came right after they were fetched is found at once, too', async () => {
    const verifier = make();
    await verifier.verify(await signedBy(one.privateKey, 'one'), NOW);
    answer = serves(publicJwk(two.publicKey, 'two'));
    expect(await verifier.verify(await signedBy(two.privateKey, 'two'), NOW + 10)).toMatchObject({ ok: true });
  });

  test('invented key ids cannot make us ask more than twice a minute, and once out of turn', async () => {
    const verifier = make();
    for (let second = 0; second < 60; second += 1) {
      const found = await verifier.verify(await signedBy(two.privateKey, `made-up-${second}`), NOW + second * 1000);
      expect(found).toEqual({ ok: false, error: { kind: 'jwt-no-key' } });
    }
    expect(asked).toBe(3);
  });

  test('a wrong signature does not make us ask', async () => {
    const verifier = make();
    await verifier.verify(await signedBy(one.privateKey, 'one'), NOW);
    const forged = await signedBy(two.privateKey, 'one');
    expect(await verifier.verify(forged, NOW + MINUTE)).toEqual({ ok: false, error: { kind: 'jwt-bad-signature' } });
    expect(asked).toBe(1);
  });

  test('are fetched anew in the background after a while, while tokens are judged by those at hand', async () => {
    let isLoadedAgain = (): void => {};
    const loadedAgain = new Promise<void>((resolve) => {
      isLoadedAgain = resolve;
    });
    const verifier = make({
      observe: (event) => {
        events.push(event);
        if (events.length === 2) isLoadedAgain();
      },
    });
    const token = await signedBy(one.privateKey, 'one');
    const first = await verifier.verify(token, NOW);
    expect(verifier.verify(token, NOW + 6 * MINUTE)).toBe(first);
    await loadedAgain;
    expect(asked).toBe(2);
    // The same set again: what was remembered is still there.
    expect(verifier.verify(token, NOW + 6 * MINUTE)).toBe(first);
  });

  test('a clock that was set back does not stop the fetching', async () => {
    const verifier = make();
    await verifier.verify(await signedBy(one.privateKey, 'one'), NOW);
    answer = serves(publicJwk(two.publicKey, 'two'));
    expect(await verifier.verify(await signedBy(two.privateKey, 'two'), NOW - 60 * MINUTE)).toMatchObject({ ok: true });
  });
});

describe('when the address fails', () => {
  const failures: [string, Answer][] = [
    ['an error', { status: 500, body: '{"keys":[]}' }],
    ['not found', { status: 404, body: '' }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['something else than a JWK set', { status: 200, body: '{"error":"no"}' }],
    ['a set without a usable key', { status: 200, body: '{"keys":[{"kty":"odd"}]}' }],
    ['an empty set', { status: 200, body: '{"keys":[]}' }],
    ['a lost connection', 'reset'],
    ['no answer', 'hang'],
  ];

  test.each(failures)('%s: the keys at hand stay in use', async (_, failure) => {
    const verifier = make(failure === 'hang' ? { timeoutMs: 2000 } : {});
    const token = await signedBy(one.privateKey, 'one');
    await verifier.verify(token, NOW);
    answer = failure;
    expect(await verifier.verify(await signedBy(two.privateKey, 'two'), NOW + MINUTE)).toEqual({
      ok: false,
      error: { kind: 'jwt-no-key' },
    });
    expect(asked).toBe(2);
    expect(events.at(-1)).toMatchObject({ kind: 'jwks-failed', kept: true });
    expect(await verifier.verify(token, NOW + MINUTE)).toMatchObject({ ok: true });
    expect(await verifier.verify(await signedBy(one.privateKey, 'one', { sub: 'new' }), NOW + MINUTE)).toMatchObject({
      ok: true,
    });
  });

  test.each(failures)(
    '%s, and no keys yet: the token is not judged, and the next attempt waits a little',
    async (_, failure) => {
      const verifier = make(failure === 'hang' ? { timeoutMs: 2000 } : {});
      const token = await signedBy(one.privateKey, 'one');
      answer = failure;
      expect(await verifier.verify(token, NOW)).toEqual({ ok: false, error: { kind: 'jwt-keys-unavailable' } });
      expect(verifier.verify(token, NOW + 1999)).toEqual({ ok: false, error: { kind: 'jwt-keys-unavailable' } });
      expect(asked).toBe(1);
      answer = serves(publicJwk(one.publicKey, 'one'));
      expect(await verifier.verify(token, NOW + 2000)).toMatchObject({ ok: true });
      const [failed] = events;
      expect(failed).toMatchObject({ kind: 'jwks-failed', kept: false });
      expect(JSON.stringify(failed)).not.toContain('hush');
    },
  );
});

describe('parseJwksUrl', () => {
  test.each([
    'a passphrase of thirty-two bytes',
    '{"kty":"oct"}',
    'https',
    'https://',
    'ftp://example.org/keys',
    ' https://example.org/',
  ])('%s is not an address', (secret) => {
    expect(parseJwksUrl(secret)).toBeUndefined();
  });

  test.each([
    'https://issuer.example.org/jwks',
    'HTTPS://issuer.example.org/jwks',
    'http://localhost:8080/jwks',
    'http://127.0.0.1/jwks',
    'http://[::1]:8080/jwks',
    'http://keycloak:8080/realms/x/protocol/openid-connect/certs',
  ])('%s is one', (secret) => {
    expect(parseJwksUrl(secret)).toMatchObject({ ok: true });
  });

  test.each(['http://issuer.example.org/jwks', 'http://10.0.0.1/jwks', 'https://me:hush@issuer.example.org/jwks'])(
    '%s is refused, without being repeated',
    (secret) => {
      const parsed = parseJwksUrl(secret);
      expect(parsed).toMatchObject({ ok: false });
      expect(JSON.stringify(parsed)).not.toMatch(/hush|example|10\.0/);
    },
  );
});
