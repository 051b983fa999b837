import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { CompactSign, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import type { Claims } from './check-claims.ts';
import { loadKeys, type VerificationKeys } from './keys.ts';
import { makeVerifier, type Verified, type Verifier, type VerifierOptions } from './verify-jwt.ts';

const PASSPHRASE = 'a passphrase of thirty-two bytes';
const NOW = 1_700_000_000_000;
const SECONDS = NOW / 1000;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const ed25519 = generateKeyPairSync('ed25519');
const ed448 = generateKeyPairSync('ed448');
const octet = Buffer.from('o'.repeat(64));

const jwk = (key: KeyObject, more: object = {}): object => ({ ...key.export({ format: 'jwk' }), ...more });
const oct = (more: object = {}): object => ({ kty: 'oct', k: octet.toString('base64url'), ...more });

function keys(secret: object | string): VerificationKeys {
  const loaded = loadKeys(typeof secret === 'string' ? secret : JSON.stringify(secret), { isBase64: false });
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

const derive = (claims: Claims): Claims => claims;

function verifier(secret: object | string, options: Partial<VerifierOptions<Claims>> = {}): Verifier<Claims> {
  return makeVerifier(keys(secret), {
    audience: undefined,
    cacheMaxLifetime: 0,
    cacheMaxEntries: 1000,
    derive,
    ...options,
  });
}

/** A token of exactly these texts, signed with the passphrase. */
function seal(header: string | Buffer, payload: string | Buffer, secret: string | Buffer = PASSPHRASE): string {
  const signed = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const HS256 = '{"alg":"HS256"}';
const token = (claims: unknown, header = HS256): string => seal(header, JSON.stringify(claims));

const outcome = async (answer: Verified<Claims> | Promise<Verified<Claims>>): Promise<unknown> => {
  const found = await answer;
  return found.ok ? 'ok' : found.error;
};

describe('every algorithm', () => {
  test.each<[string, KeyObject | Buffer, object]>([
    ['HS256', octet, oct()],
    ['HS384', octet, oct()],
    ['HS512', octet, oct()],
    ['RS256', rsa.privateKey, jwk(rsa.publicKey)],
    ['RS384', rsa.privateKey, jwk(rsa.publicKey)],
    ['RS512', rsa.privateKey, jwk(rsa.publicKey)],
    ['PS256', rsa.privateKey, jwk(rsa.publicKey)],
    ['PS384', rsa.privateKey, jwk(rsa.publicKey)],
    ['PS512', rsa.privateKey, jwk(rsa.publicKey)],
    ['ES256', p256.privateKey, jwk(p256.publicKey)],
    ['ES384', p384.privateKey, jwk(p384.publicKey)],
    ['ES512', p521.privateKey, jwk(p521.publicKey)],
    ['EdDSA', ed25519.privateKey, jwk(ed25519.publicKey)],
    ['Ed25519', ed25519.privateKey, jwk(ed25519.publicKey)],
  ])('%s holds for its own key, and not once a byte is changed', async (alg, privateKey, publicJwk) => {
    const made = await new SignJWT({ role: 'r' }).setProtectedHeader({ alg }).sign(privateKey);
    const check = verifier(publicJwk);
    expect(await check.verify(made, NOW)).toEqual({ ok: true, value: { role: 'r' } });
    const [head, , signature] = made.split('.');
    const forged = `${head}.${Buffer.from('{"role":"admin"}').toString('base64url')}.${signature}`;
    expect(await outcome(check.verify(forged, NOW))).toEqual({ kind: 'jwt-bad-signature' });
    const flipped = Buffer.from(signature ?? '', 'base64url');
    flipped[5] = (flipped[5] ?? 0) ^ 1;
    expect(
      await outcome(check.verify(`${made.slice(0, made.lastIndexOf('.'))}.${flipped.toString('base64url')}`, NOW)),
    ).toEqual({
      kind: 'jwt-bad-signature',
    });
    expect(await outcome(check.verify(made.slice(0, made.lastIndexOf('.') + 1), NOW))).toEqual({
      kind: 'jwt-bad-signature',
    });
  });

  test.each(['EdDSA', 'Ed448'])('%s holds for an Ed448 key', async (alg) => {
    const signed = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${Buffer.from('{"role":"r"}').toString('base64url')}`;
    const made = `${signed}.${sign(null, Buffer.from(signed), ed448.privateKey).toString('base64url')}`;
    expect(await verifier(jwk(ed448.publicKey)).verify(made, NOW)).toEqual({ ok: true, value: { role: 'r' } });
    const wrong = `${signed}.${Buffer.alloc(114).toString('base64url')}`;
    expect(await outcome(verifier(jwk(ed448.publicKey)).verify(wrong, NOW))).toEqual({ kind: 'jwt-bad-signature' });
  });

  test('an HMAC token is answered without a promise', () => {
    expect(verifier(PASSPHRASE).verify(token({ role: 'r' }), NOW)).toEqual({ ok: true, value: { role: 'r' } });
  });
});

describe('which key', () => {
  const set = {
    keys: [
      jwk(otherRsa.publicKey, { kid: 'old' }),
      jwk(rsa.publicKey, { kid: 'new' }),
      jwk(ed448.publicKey, { kid: 'enc', use: 'enc' }),
      { kty: 'unknown' },
    ],
  };
  const rs256 = (header: object): Promise<string> =>
    new SignJWT({ role: 'r' }).setProtectedHeader({ alg: 'RS256', ...header }).sign(rsa.privateKey);

  test.each<[string, object | string, object, unknown]>([
    ['the one the token names', set, { kid: 'new' }, 'ok'],
    ['not another than the token names', set, { kid: 'old' }, { kind: 'jwt-bad-signature' }],
    ['none when the token names an unknown one', set, { kid: 'x' }, { kind: 'jwt-no-key' }],
    ['none when the token names one by a path', set, { kid: '../../dev/null' }, { kind: 'jwt-no-key' }],
    ['none when the token names a member of all objects', set, { kid: '__proto__' }, { kind: 'jwt-no-key' }],
    ['each in turn when the token names none', set, {}, 'ok'],
    [
      'none when the token names one and the key has no name',
      jwk(rsa.publicKey),
      { kid: 'new' },
      { kind: 'jwt-no-key' },
    ],
    ['none when the key is for another algorithm', jwk(rsa.publicKey, { alg: 'PS256' }), {}, { kind: 'jwt-no-key' }],
    ['none when there are only keys of other types', jwk(p256.publicKey), {}, { kind: 'jwt-no-key' }],
    ['none when there is only a passphrase', PASSPHRASE, {}, { kind: 'jwt-no-key' }],
  ])('%s', async (_, secret, header, expected) => {
    expect(await outcome(verifier(secret).verify(await rs256(header), NOW))).toEqual(expected);
  });

  test('a passphrase takes HS256 and no other HMAC', async () => {
    for (const alg of ['HS384', 'HS512']) {
      const made = await new SignJWT({ role: 'r' }).setProtectedHeader({ alg }).sign(Buffer.from(PASSPHRASE));
      expect(await outcome(verifier(PASSPHRASE).verify(made, NOW))).toEqual({ kind: 'jwt-no-key' });
    }
  });

  test('a passphrase never answers a token with a key id', async () => {
    expect(await outcome(verifier(PASSPHRASE).verify(token({}, '{"alg":"HS256","kid":"x"}'), NOW))).toEqual({
      kind: 'jwt-no-key',
    });
    expect(await outcome(verifier(PASSPHRASE).verify(token({}, '{"alg":"HS256","kid":""}'), NOW))).toEqual({
      kind: 'jwt-no-key',
    });
  });

  test('a key id that is null is none', async () => {
    expect(await outcome(verifier(PASSPHRASE).verify(token({}, '{"alg":"HS256","kid":null}'), NOW))).toBe('ok');
  });

  test('a token of another key does not hold', async () => {
    const made = seal(HS256, '{"role":"r"}', 'another passphrase of 32 bytes ..');
    expect(await outcome(verifier(PASSPHRASE).verify(made, NOW))).toEqual({ kind: 'jwt-bad-signature' });
  });
});

describe('the form of a token', () => {
  test.each<[string, string, object]>([
    ['empty', '', { kind: 'jwt-empty' }],
    ['one part', 'abc', { kind: 'jwt-parts', parts: 1 }],
    ['two parts', 'a.b', { kind: 'jwt-parts', parts: 2 }],
    ['an encrypted token', 'a.b.c.d.e', { kind: 'jwt-parts', parts: 5 }],
    ['nothing but dots', '..', { kind: 'jwt-undecodable' }],
    ['a header that is not base64', 'a b.e30.AA', { kind: 'jwt-undecodable' }],
    ['a header that is not JSON', seal('alg=HS256', '{}'), { kind: 'jwt-undecodable' }],
    ['a header that is an array', seal('["HS256"]', '{}'), { kind: 'jwt-undecodable' }],
    ['a header that is null', seal('null', '{}'), { kind: 'jwt-undecodable' }],
    [
      'a header that is not UTF-8',
      seal(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '{}'),
      { kind: 'jwt-undecodable' },
    ],
    ['a header with a byte order mark', seal(`\ufeff${HS256}`, '{}'), { kind: 'jwt-undecodable' }],
    ['a header without alg', seal('{"typ":"JWT"}', '{}'), { kind: 'jwt-undecodable' }],
    ['an unknown alg', seal('{"alg":"HS1"}', '{}'), { kind: 'jwt-undecodable' }],
    ['an alg in lower case', seal('{"alg":"hs256"}', '{}'), { kind: 'jwt-undecodable' }],
    ['an alg that is an array', seal('{"alg":["HS256"]}', '{}'), { kind: 'jwt-undecodable' }],
    ['an alg that all objects have', seal('{"alg":"constructor"}', '{}'), { kind: 'jwt-undecodable' }],
    ['a key id that is a number', seal('{"alg":"HS256","kid":1}', '{}'), { kind: 'jwt-undecodable' }],
    [
      'an extension that must be understood',
      seal('{"alg":"HS256","crit":["exp"],"exp":1}', '{}'),
      { kind: 'jwt-undecodable' },
    ],
    ['an unencoded payload', seal('{"alg":"HS256","crit":["b64"],"b64":false}', '{}'), { kind: 'jwt-undecodable' }],
    ['padding', `${seal(HS256, '{}')}=`, { kind: 'jwt-undecodable' }],
    ['a blank inside', seal(HS256, '{"a":1}').replace('.', '. '), { kind: 'jwt-undecodable' }],
    ['a newline behind', `${seal(HS256, '{}')}\n`, { kind: 'jwt-undecodable' }],
    [
      'plus and slash for minus and underscore',
      seal(HS256, '{"a":"???>>>"}').replace('_', '/'),
      { kind: 'jwt-undecodable' },
    ],
    ['a letter outside of ASCII', seal(HS256, '{}').replace('.', '.é'), { kind: 'jwt-undecodable' }],
    ['a payload that is not JSON', seal(HS256, 'role=r'), { kind: 'jwt-claims-unreadable' }],
    ['an empty payload', seal(HS256, ''), { kind: 'jwt-claims-unreadable' }],
    ['a payload that is an array', seal(HS256, '[{"role":"r"}]'), { kind: 'jwt-claims-unreadable' }],
    ['a payload that is a string', seal(HS256, '"r"'), { kind: 'jwt-claims-unreadable' }],
    ['a payload that is null', seal(HS256, 'null'), { kind: 'jwt-claims-unreadable' }],
    [
      'a payload that is not UTF-8',
      seal(HS256, Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])),
      { kind: 'jwt-claims-unreadable' },
    ],
    ['a payload with a byte order mark', seal(HS256, '\ufeff{}'), { kind: 'jwt-claims-unreadable' }],
    ['a payload with two objects', seal(HS256, '{}{}'), { kind: 'jwt-claims-unreadable' }],
    ['a token without end', 'x'.repeat(1_000_000), { kind: 'jwt-undecodable' }],
    ['a million dots', '.'.repeat(1_000_000), { kind: 'jwt-undecodable' }],
  ])('%s', async (_, text, expected) => {
    expect(await outcome(verifier(PASSPHRASE).verify(text, NOW))).toEqual(expected);
  });

  test('a signature has one spelling: other last bits are refused', async () => {
    const made = token({ role: 'r' });
    const last = made.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sibling = alphabet[alphabet.indexOf(last) ^ 1] ?? '';
    const check = verifier(PASSPHRASE);
    expect(await outcome(check.verify(made.slice(0, -1) + sibling, NOW))).toEqual({ kind: 'jwt-undecodable' });
    expect(await outcome(check.verify(made, NOW))).toBe('ok');
  });

  test('a large token within bounds is accepted', async () => {
    expect(await outcome(verifier(PASSPHRASE).verify(token({ groups: 'g'.repeat(40_000) }), NOW))).toBe('ok');
  });

  test('a payload nested without end is accepted without harm', async () => {
    const deep = `{"role":"r","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(await outcome(verifier(PASSPHRASE).verify(seal(HS256, deep), NOW))).toBe('ok');
  });
});

describe('attacks', () => {
  test('alg none has no effect, with or without a signature', async () => {
    const bare = new UnsecuredJWT({ role: 'admin' }).encode();
    for (const secret of [PASSPHRASE, jwk(rsa.publicKey), { keys: [oct()] }]) {
      expect(await outcome(verifier(secret).verify(bare, NOW))).toEqual({ kind: 'jwt-unsecured' });
      expect(await outcome(verifier(secret).verify(`${bare}AAAA`, NOW))).toEqual({ kind: 'jwt-unsecured' });
    }
    for (const spelling of ['None', 'NONE', 'nOnE', 'none ']) {
      const made = seal(JSON.stringify({ alg: spelling }), '{"role":"admin"}');
      expect(await outcome(verifier(PASSPHRASE).verify(made, NOW))).toEqual({ kind: 'jwt-undecodable' });
    }
  });

  test('a public key is never taken for an HMAC secret', async () => {
    const spki = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const der = rsa.publicKey.export({ type: 'spki', format: 'der' });
    const json = JSON.stringify(jwk(rsa.publicKey));
    for (const secret of [
      spki,
      spki.trim(),
      der,
      json,
      Buffer.from(String(rsa.publicKey.export({ format: 'jwk' }).n), 'base64url'),
    ]) {
      const made = seal(HS256, '{"role":"admin"}', secret);
      expect(await outcome(verifier(jwk(rsa.publicKey)).verify(made, NOW))).toEqual({ kind: 'jwt-no-key' });
      expect(await outcome(verifier({ keys: [jwk(rsa.publicKey), oct()] }).verify(made, NOW))).toEqual({
        kind: 'jwt-bad-signature',
      });
    }
  });

  test('a key the token brings along is not looked at', async () => {
    const made = await new SignJWT({ role: 'admin' })
      .setProtectedHeader({
        alg: 'RS256',
        jwk: otherRsa.publicKey.export({ format: 'jwk' }),
        jku: 'https://evil.example/jwks',
        x5c: ['AAAA'],
      })
      .sign(otherRsa.privateKey);
    expect(await outcome(verifier(jwk(rsa.publicKey)).verify(made, NOW))).toEqual({ kind: 'jwt-bad-signature' });
  });

  test('of repeated header members the last counts, for us and for the cryptography alike', async () => {
    const made = seal('{"alg":"none","alg":"HS256"}', '{"role":"r"}');
    expect(await outcome(verifier(PASSPHRASE).verify(made, NOW))).toBe('ok');
    const turned = seal('{"alg":"HS256","alg":"none"}', '{"role":"r"}');
    expect(await outcome(verifier(PASSPHRASE).verify(turned, NOW))).toEqual({ kind: 'jwt-unsecured' });
  });

  test('an ECDSA signature of zeros does not hold', async () => {
    const signed = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('{"role":"admin"}').toString('base64url')}`;
    for (const length of [0, 1, 63, 64, 65, 72]) {
      const made = `${signed}.${Buffer.alloc(length).toString('base64url')}`;
      expect(await outcome(verifier(jwk(p256.publicKey)).verify(made, NOW))).toEqual({ kind: 'jwt-bad-signature' });
    }
  });

  test('a DER signature is not the one a token carries', async () => {
    const signed = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.e30`;
    const der = sign('sha256', Buffer.from(signed), p256.privateKey);
    expect(await outcome(verifier(jwk(p256.publicKey)).verify(`${signed}.${der.toString('base64url')}`, NOW))).toEqual({
      kind: 'jwt-bad-signature',
    });
  });

  test('a signature over other bytes than JSON is a signature all the same, but no token', async () => {
    const made = await new CompactSign(new Uint8Array([1, 2, 3]))
      .setProtectedHeader({ alg: 'ES256' })
      .sign(p256.privateKey);
    expect(await outcome(verifier(jwk(p256.publicKey)).verify(made, NOW))).toEqual({ kind: 'jwt-claims-unreadable' });
  });

  test('claims named like members of all objects stay claims', async () => {
    const made = seal(
      HS256,
      '{"__proto__":{"exp":1,"role":"admin"},"constructor":{"prototype":{"polluted":true}},"role":"r"}',
    );
    const found = await verifier(PASSPHRASE).verify(made, NOW);
    expect(found).toMatchObject({ ok: true });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(found.ok && Object.getPrototypeOf(found.value)).toBe(Object.prototype);
    expect(found.ok && found.value['role']).toBe('r');
  });

  test('of repeated claims the last counts', async () => {
    const found = await verifier(PASSPHRASE).verify(seal(HS256, '{"role":"admin","role":"r"}'), NOW);
    expect(found).toEqual({ ok: true, value: { role: 'r' } });
  });
});

describe('time', () => {
  const at = (claims: object): string => token({ role: 'r', ...claims });
  test.each<[string, object, unknown]>([
    ['no times at all', {}, 'ok'],
    ['null is no time', { exp: null, nbf: null, iat: null }, 'ok'],
    ['all good', { exp: SECONDS + 60, nbf: SECONDS - 60, iat: SECONDS - 60 }, 'ok'],
    ['just run out, within the skew', { exp: SECONDS - 30 }, 'ok'],
    ['run out', { exp: SECONDS - 31 }, { kind: 'jwt-expired' }],
    ['soon, within the skew', { nbf: SECONDS + 30 }, 'ok'],
    ['too soon', { nbf: SECONDS + 31 }, { kind: 'jwt-not-yet-valid' }],
    ['issued soon, within the skew', { iat: SECONDS + 30 }, 'ok'],
    ['issued later', { iat: SECONDS + 31 }, { kind: 'jwt-issued-in-future' }],
    ['fractions count', { exp: SECONDS - 30.5 }, { kind: 'jwt-expired' }],
    ['zero is a time', { exp: 0 }, { kind: 'jwt-expired' }],
    ['exp as text', { exp: String(SECONDS + 60) }, { kind: 'jwt-claim-not-number', claim: 'exp' }],
    ['nbf as a list', { nbf: [1] }, { kind: 'jwt-claim-not-number', claim: 'nbf' }],
    ['iat as true', { iat: true }, { kind: 'jwt-claim-not-number', claim: 'iat' }],
    ['exp is asked before nbf', { exp: 0, nbf: 'x' }, { kind: 'jwt-expired' }],
    ['nbf is asked before iat', { nbf: SECONDS + 99, iat: 'x' }, { kind: 'jwt-not-yet-valid' }],
    ['iat is asked before aud', { iat: SECONDS + 99, aud: 1 }, { kind: 'jwt-issued-in-future' }],
  ])('%s', async (_, claims, expected) => {
    expect(await outcome(verifier(PASSPHRASE).verify(at(claims), NOW))).toEqual(expected);
  });

  test('huge numbers are far away, in either direction', async () => {
    const check = verifier(PASSPHRASE);
    expect(await outcome(check.verify(seal(HS256, '{"exp":1e999}'), NOW))).toBe('ok');
    expect(await outcome(check.verify(seal(HS256, '{"exp":9007199254740993}'), NOW))).toBe('ok');
    expect(await outcome(check.verify(seal(HS256, '{"exp":-1e999}'), NOW))).toEqual({ kind: 'jwt-expired' });
    expect(await outcome(check.verify(seal(HS256, '{"nbf":1e999}'), NOW))).toEqual({ kind: 'jwt-not-yet-valid' });
    expect(await outcome(check.verify(seal(HS256, '{"iat":1e308}'), NOW))).toEqual({ kind: 'jwt-issued-in-future' });
  });

  test('the clock counts whole seconds', async () => {
    expect(await outcome(verifier(PASSPHRASE).verify(at({ exp: SECONDS - 30 }), NOW + 999))).toBe('ok');
    expect(await outcome(verifier(PASSPHRASE).verify(at({ exp: SECONDS - 30 }), NOW + 1000))).toEqual({
      kind: 'jwt-expired',
    });
  });
});

describe('audience', () => {
  const MISMATCH = { kind: 'jwt-audience-mismatch' };
  const TYPE = { kind: 'jwt-audience-type' };
  test.each<[unknown, unknown, unknown]>([
    [undefined, 'ok', 'ok'],
    [null, 'ok', 'ok'],
    [[], 'ok', 'ok'],
    ['us', 'ok', 'ok'],
    ['them', MISMATCH, 'ok'],
    ['', MISMATCH, 'ok'],
    ['US', MISMATCH, 'ok'],
    [['them', 'us'], 'ok', 'ok'],
    [['them'], MISMATCH, 'ok'],
    [[''], MISMATCH, 'ok'],
    [['us', 1], TYPE, TYPE],
    [[null], TYPE, TYPE],
    [1, TYPE, TYPE],
    [true, TYPE, TYPE],
    [{ us: true }, TYPE, TYPE],
  ])('aud %j, with an expected audience and without', async (aud, expecting, open) => {
    expect(await outcome(verifier(PASSPHRASE, { audience: 'us' }).verify(token({ aud }), NOW))).toEqual(expecting);
    expect(await outcome(verifier(PASSPHRASE).verify(token({ aud }), NOW))).toEqual(open);
  });
});

describe('a token seen before', () => {
  const rsaToken = (claims: Claims): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(rsa.privateKey);

  test.each([0, 10])('is answered at once, with the same value (cache of %s seconds)', async (cacheMaxLifetime) => {
    const made = vi.fn(derive);
    const check = verifier(jwk(rsa.publicKey), { cacheMaxLifetime, derive: made });
    const text = await rsaToken({ role: 'r' });
    const first = check.verify(text, NOW);
    expect(first).toBeInstanceOf(Promise);
    const value = await first;
    expect(check.verify(text, NOW)).toBe(value);
    expect(made).toHaveBeenCalledTimes(1);
  });

  test('is found by its text, not by the string that holds it', async () => {
    const check = verifier(jwk(rsa.publicKey));
    const text = await rsaToken({ role: 'r' });
    const value = await check.verify(text, NOW);
    expect(check.verify(`Bearer ${text}`.slice(7), NOW)).toBe(value);
  });

  test.each([0, 3600])('still runs out in time (cache of %s seconds)', async (cacheMaxLifetime) => {
    const check = verifier(jwk(rsa.publicKey), { cacheMaxLifetime });
    const text = await rsaToken({ role: 'r', exp: SECONDS + 10 });
    expect(await outcome(check.verify(text, NOW))).toBe('ok');
    expect(check.verify(text, NOW + 40_999)).toMatchObject({ ok: true });
    expect(check.verify(text, NOW + 41_000)).toEqual({ ok: false, error: { kind: 'jwt-expired' } });
    expect(await outcome(check.verify(text, NOW + 41_000))).toEqual({ kind: 'jwt-expired' });
  });

  test.each([0, 3600])(
    'is refused by a clock that was set back before it was issued (cache of %s seconds)',
    async (cacheMaxLifetime) => {
      const check = verifier(PASSPHRASE, { cacheMaxLifetime });
      const text = token({ iat: SECONDS });
      expect(await outcome(check.verify(text, NOW))).toBe('ok');
      expect(await outcome(check.verify(text, NOW - 31_000))).toEqual({ kind: 'jwt-issued-in-future' });
    },
  );

  test('without exp it is forgotten after the configured seconds', async () => {
    const made = vi.fn(derive);
    const check = verifier(PASSPHRASE, { cacheMaxLifetime: 10, derive: made });
    const text = token({ role: 'r' });
    for (const later of [0, 5_000, 9_999]) await check.verify(text, NOW + later);
    expect(made).toHaveBeenCalledTimes(1);
    await check.verify(text, NOW + 10_000);
    expect(made).toHaveBeenCalledTimes(2);
  });

  test('with exp it is kept until then, past the configured seconds', async () => {
    const made = vi.fn(derive);
    const check = verifier(PASSPHRASE, { cacheMaxLifetime: 1, derive: made });
    const text = token({ exp: SECONDS + 60 });
    for (const later of [0, 30_000, 60_000]) await check.verify(text, NOW + later);
    expect(made).toHaveBeenCalledTimes(1);
  });

  test('refusals are not remembered', async () => {
    const check = verifier(PASSPHRASE);
    const early = token({ nbf: SECONDS + 100 });
    expect(await outcome(check.verify(early, NOW))).toEqual({ kind: 'jwt-not-yet-valid' });
    expect(await outcome(check.verify(early, NOW + 100_000))).toBe('ok');
  });

  test('only so many are remembered as configured', async () => {
    const made = vi.fn(derive);
    const check = verifier(PASSPHRASE, { cacheMaxLifetime: 60, cacheMaxEntries: 2, derive: made });
    const tokens = [1, 2, 3].map((sub) => token({ sub }));
    for (const text of tokens) await check.verify(text, NOW);
    await check.verify(tokens[2] ?? '', NOW);
    expect(made).toHaveBeenCalledTimes(3);
    await check.verify(tokens[0] ?? '', NOW);
    expect(made).toHaveBeenCalledTimes(4);
  });

  test('one that begins alike is another token', async () => {
    const check = verifier(PASSPHRASE);
    const text = token({ role: 'r' });
    expect(await outcome(check.verify(text, NOW))).toBe('ok');
    expect(await outcome(check.verify(`${text}A`, NOW))).not.toBe('ok');
    expect(await outcome(check.verify(text.slice(0, -1), NOW))).not.toBe('ok');
  });
});
