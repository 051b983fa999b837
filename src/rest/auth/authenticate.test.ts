import { createHmac, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { type ClaimPath, parseClaimPath } from '../../auth/claim-path.ts';
import type { HttpHeaders } from '../../http/http-message.ts';
import { standingClock } from '../../kernel/clock.ts';
import type { Result } from '../../kernel/result.ts';
import type { AuthError } from './auth-error.ts';
import { type AuthContext, type AuthSettings, authenticate, makeAuthContext, type Who } from './authenticate.ts';

const SECRET = 'a passphrase of thirty-two bytes';
const NOW = 1_700_000_000_000;
const ROLE = path('.role');

function path(text: string): ClaimPath {
  const parsed = parseClaimPath(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function context(settings: Partial<AuthSettings> = {}): AuthContext {
  const made = makeAuthContext(
    {
      dbAnonRole: 'anon',
      dbSchemaClaim: undefined,
      jwtAud: undefined,
      jwtCacheMaxEntries: 1000,
      jwtCacheMaxLifetime: 0,
      jwtCookie: undefined,
      jwtRoleClaimKey: ROLE,
      jwtSecret: SECRET,
      jwtSecretIsBase64: false,
      ...settings,
    },
    { clock: standingClock(NOW) },
  );
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

function bearer(payload: string | object, secret: string | Buffer = SECRET): { authorization: string } {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const signed = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(text).toString('base64url')}`;
  return { authorization: `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}` };
}

const ask = async (headers: HttpHeaders, settings: Partial<AuthSettings> = {}): Promise<Result<Who, AuthError>> =>
  authenticate(headers, context(settings), true);

describe('without a token', () => {
  test('the request runs as the anonymous role', async () => {
    expect(await ask({})).toEqual({
      ok: true,
      value: { role: 'anon', isAnonymous: true, claimsJson: '{"role":"anon"}', claims: {}, hasToken: false },
    });
  });

  test('another scheme is no token', async () => {
    expect(await ask({ authorization: 'Basic dTpw' })).toMatchObject({ ok: true, value: { role: 'anon' } });
  });

  test('it is refused when there is no anonymous role', async () => {
    expect(await ask({}, { dbAnonRole: undefined })).toEqual({ ok: false, error: { kind: 'anonymous-disabled' } });
  });

  test('no secret is needed', async () => {
    expect(await ask({}, { jwtSecret: undefined })).toMatchObject({ ok: true });
  });
});

describe('with a token', () => {
  test('the request runs as the role it names, with all its claims', async () => {
    expect(await ask(bearer({ role: 'writer', sub: '7', deep: { a: [1] } }))).toEqual({
      ok: true,
      value: {
        role: 'writer',
        isAnonymous: false,
        claimsJson: '{"role":"writer","sub":"7","deep":{"a":[1]}}',
        claims: { role: 'writer', sub: '7', deep: { a: [1] } },
        hasToken: true,
      },
    });
  });

  test('that names no role the request is anonymous, and keeps its claims', async () => {
    expect(await ask(bearer({ sub: '7' }))).toMatchObject({
      ok: true,
      value: { role: 'anon', isAnonymous: true, claimsJson: '{"sub":"7","role":"anon"}' },
    });
  });

  test('that names no role the request is refused when there is no anonymous one', async () => {
    expect(await ask(bearer({ sub: '7' }), { dbAnonRole: undefined })).toEqual({
      ok: false,
      error: { kind: 'anonymous-disabled' },
    });
  });

  test('that names the anonymous role the request is anonymous', async () => {
    expect(await ask(bearer({ role: 'anon' }))).toMatchObject({ ok: true, value: { isAnonymous: true } });
  });

  test('there is nobody anonymous where no anonymous role is configured', async () => {
    expect(await ask(bearer({ role: 'writer' }), { dbAnonRole: undefined })).toMatchObject({
      ok: true,
      value: { isAnonymous: false },
    });
  });

  test('the role is looked up along the configured path, and stands in the claims under its usual name', async () => {
    const found = await ask(bearer({ role: 'decoy', app: { roles: ['x', 'db_writer'] } }), {
      jwtRoleClaimKey: path('.app.roles[?(@ ^== "db_")]'),
    });
    expect(found).toMatchObject({
      ok: true,
      value: { role: 'db_writer', claimsJson: '{"role":"db_writer","app":{"roles":["x","db_writer"]}}' },
    });
  });

  test.each<[string, string]>([
    ['12', '12'],
    ['true', 'true'],
    ['null', 'null'],
    ['["a","b"]', '["a","b"]'],
    ['{ "a" : 1 }', '{"a":1}'],
    ['""', ''],
    ['"with \\"quotes\\" and ünïcode"', 'with "quotes" and ünïcode'],
  ])('a role of %s is called %s', async (value, role) => {
    const found = await ask(bearer(`{"role":${value}}`));
    expect(found).toMatchObject({ ok: true, value: { role, isAnonymous: false } });
    expect(found.ok && JSON.parse(found.value.claimsJson)).toEqual({ role });
  });

  test.each(['none', 'a\0b', '\0'])('a role of %j is one that cannot be', async (role) => {
    expect(await ask(bearer({ role }))).toEqual({ ok: false, error: { kind: 'role-impossible', role } });
  });

  test('a role nested without end is one that cannot be', async () => {
    const nested = `${'['.repeat(22_000)}${']'.repeat(22_000)}`;
    expect(await ask(bearer(`{"role":${nested}}`))).toEqual({
      ok: false,
      error: { kind: 'role-impossible', role: '…' },
    });
  });

  test('numbers beyond 2^53 reach the database whole', async () => {
    expect(await ask(bearer('{"role":"r","sub":9007199254740993}'))).toMatchObject({
      ok: true,
      value: { claimsJson: '{"role":"r","sub":9007199254740993}' },
    });
  });

  test('claims named like members of all objects change nothing', async () => {
    const found = await ask(bearer('{"__proto__":{"role":"admin"},"constructor":"x"}'));
    expect(found).toMatchObject({ ok: true, value: { role: 'anon', isAnonymous: true } });
    expect(found.ok && found.value.claimsJson).toBe('{"__proto__":{"role":"admin"},"constructor":"x","role":"anon"}');
  });

  test.each<[string, HttpHeaders, AuthError]>([
    ['an empty one', { authorization: 'Bearer ' }, { kind: 'jwt-empty' }],
    ['two parts', { authorization: 'Bearer a.b' }, { kind: 'jwt-parts', parts: 2 }],
    ['a forged one', bearer({ role: 'admin' }, 'another passphrase of 32 bytes...'), { kind: 'jwt-bad-signature' }],
    ['one that has run out', bearer({ role: 'writer', exp: 1 }), { kind: 'jwt-expired' }],
    ['one for others', bearer({ role: 'writer', aud: 'them' }), { kind: 'jwt-audience-mismatch' }],
  ])('%s is refused, never anonymous', async (_, headers, error) => {
    expect(await ask(headers, { jwtAud: 'us' })).toEqual({ ok: false, error });
  });

  test('nothing can be verified without a secret', async () => {
    expect(await ask(bearer({ role: 'writer' }), { jwtSecret: undefined })).toEqual({
      ok: false,
      error: { kind: 'jwt-secret-missing' },
    });
    expect(await ask({ authorization: 'Bearer' }, { jwtSecret: undefined })).toEqual({
      ok: false,
      error: { kind: 'jwt-empty' },
    });
  });

  test('it may come in the configured cookie', async () => {
    const cookie = `session=${bearer({ role: 'writer' }).authorization.slice(7)}`;
    expect(await ask({ cookie }, { jwtCookie: 'session' })).toMatchObject({ ok: true, value: { role: 'writer' } });
    expect(await ask({ cookie })).toMatchObject({ ok: true, value: { role: 'anon' } });
  });

  test('seen before, it is answered at once with the same object', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const ready = context({ jwtSecret: JSON.stringify(publicKey.export({ format: 'jwk' })) });
    const token = await new SignJWT({ role: 'writer' }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
    const first = authenticate({ authorization: `Bearer ${token}` }, ready, true);
    expect(first).toBeInstanceOf(Promise);
    const who = await first;
    expect(authenticate({ authorization: `bearer  ${token}` }, ready, true)).toBe(who);
  });
});

describe('the secret', () => {
  test('in base64 is decoded', async () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => 200 + i));
    expect(
      await ask(bearer({ role: 'r' }, bytes), { jwtSecret: bytes.toString('base64'), jwtSecretIsBase64: true }),
    ).toMatchObject({ ok: true });
  });

  test('that cannot be used is an error for the operator', () => {
    const settings = {
      dbAnonRole: 'anon',
      dbSchemaClaim: undefined,
      jwtAud: undefined,
      jwtCacheMaxEntries: 1000,
      jwtCacheMaxLifetime: 0,
      jwtCookie: undefined,
      jwtRoleClaimKey: ROLE,
      jwtSecretIsBase64: false,
    };
    expect(makeAuthContext({ ...settings, jwtSecret: 'too short' })).toMatchObject({
      ok: false,
      error: { message: 'The JWT secret must be at least 32 characters long.' },
    });
    expect(makeAuthContext({ ...settings, jwtSecret: 'http://issuer.example.org/jwks' })).toMatchObject({ ok: false });
    // What is said to be Base64 is no address.
    const address = { jwtSecret: 'https://issuer.example.org/jwks', jwtSecretIsBase64: true };
    expect(makeAuthContext({ ...settings, ...address })).toMatchObject({ ok: false });
  });

  test('is checked against the time there is, where no other clock is given', async () => {
    const made = makeAuthContext({
      dbAnonRole: 'anon',
      dbSchemaClaim: undefined,
      jwtAud: undefined,
      jwtCacheMaxEntries: 1000,
      jwtCacheMaxLifetime: 0,
      jwtCookie: undefined,
      jwtRoleClaimKey: ROLE,
      jwtSecret: SECRET,
      jwtSecretIsBase64: false,
    });
    if (!made.ok) throw new Error(made.error.message);
    const seconds = Math.floor(Date.now() / 1000);
    expect(await authenticate(bearer({ role: 'r', exp: seconds + 3600 }), made.value, true)).toMatchObject({
      ok: true,
    });
    expect(await authenticate(bearer({ role: 'r', exp: seconds - 3600 }), made.value, true)).toMatchObject({
      ok: false,
    });
  });

  test('may be the address of a JWK set', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const ready = context({ jwtSecret: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
      const token = await new SignJWT({ role: 'writer' }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
      expect(await authenticate({ authorization: `Bearer ${token}` }, ready, true)).toMatchObject({
        ok: true,
        value: { role: 'writer' },
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
