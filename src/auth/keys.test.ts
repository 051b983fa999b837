import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keysFor, loadKeySet, loadKeys, type VerificationKeys } from './keys.ts';

const PASSPHRASE = 'a passphrase of thirty-two bytes';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const ed25519 = generateKeyPairSync('ed25519');
const ed448 = generateKeyPairSync('ed448');
const x25519 = generateKeyPairSync('x25519');
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 });

const jwk = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' });
const OCT = { kty: 'oct', k: Buffer.from('k'.repeat(32)).toString('base64url') };

function load(secret: unknown, isBase64 = false): VerificationKeys {
  const loaded = loadKeys(typeof secret === 'string' ? secret : JSON.stringify(secret), { isBase64 });
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

const failure = (secret: unknown, isBase64 = false): unknown => {
  const loaded = loadKeys(typeof secret === 'string' ? secret : JSON.stringify(secret), { isBase64 });
  return loaded.ok ? 'loaded' : loaded.error.kind;
};

describe('passphrases', () => {
  test('a passphrase is HS256 and nothing else, and has no key id', () => {
    expect(load(PASSPHRASE)).toMatchObject([{ kid: undefined, algorithms: ['HS256'] }]);
  });

  test('it must have 32 bytes, whatever characters they make', () => {
    expect(PASSPHRASE).toHaveLength(32);
    expect(loadKeys(PASSPHRASE.slice(1), { isBase64: false })).toEqual({
      ok: false,
      error: { kind: 'secret-too-short', message: 'The JWT secret must be at least 32 characters long.' },
    });
    expect(load('é'.repeat(16))).toHaveLength(1);
    expect(failure('')).toBe('secret-too-short');
  });

  test('it is taken byte for byte, blanks included', () => {
    expect(load(` ${PASSPHRASE} `)[0]?.material.export()).toEqual(Buffer.from(` ${PASSPHRASE} `));
  });

  test('a JSON object that is no key is a passphrase like any other', () => {
    expect(load('{"just":"a long secret with braces"}')).toMatchObject([{ algorithms: ['HS256'] }]);
  });
});

describe('base64', () => {
  const bytes = Buffer.from(Array.from({ length: 34 }, (_, i) => 255 - i));

  test.each([
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['padded with dots', `${bytes.toString('base64url')}..`],
    ['with a newline around', `\n${bytes.toString('base64')}\n`],
  ])('%s is decoded before use', (_, text) => {
    expect(load(text, true)[0]?.material.export()).toEqual(bytes);
  });

  test('a JWK can be given in base64', () => {
    expect(load(Buffer.from(JSON.stringify(jwk(rsa.publicKey))).toString('base64'), true)[0]?.algorithms).toContain(
      'RS256',
    );
  });

  test.each(['not base64!', 'AAAAA', 'AAAA=', 'AA=A', '=AAA', 'AAAA====', 'ÄÄÄÄ'])('%s is refused', (text) => {
    expect(failure(text, true)).toBe('secret-not-base64');
  });

  test('the decoded bytes must be 32, not the text', () => {
    expect(failure(Buffer.alloc(31).toString('base64'), true)).toBe('secret-too-short');
  });
});

describe('JWK', () => {
  test.each<[string, JsonWebKey, readonly string[]]>([
    ['oct', OCT, ['HS256', 'HS384', 'HS512']],
    ['RSA', jwk(rsa.publicKey), ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
    ['P-256', jwk(p256.publicKey), ['ES256']],
    ['P-384', jwk(p384.publicKey), ['ES384']],
    ['P-521', jwk(p521.publicKey), ['ES512']],
    ['Ed25519', jwk(ed25519.publicKey), ['EdDSA', 'Ed25519']],
    ['Ed448', jwk(ed448.publicKey), ['EdDSA', 'Ed448']],
  ])('an %s key verifies what fits its type', (_, key, algorithms) => {
    expect(load(key)).toMatchObject([{ kid: undefined, algorithms }]);
    expect(load({ keys: [{ ...key, kid: 'x' }] })).toMatchObject([{ kid: 'x', algorithms }]);
  });

  test('members that are null are as good as absent', () => {
    expect(load({ ...OCT, kid: null, alg: null, use: null, key_ops: null })).toEqual(load(OCT));
  });

  test('a key that names its algorithm verifies that one alone', () => {
    expect(load({ ...jwk(rsa.publicKey), alg: 'PS384' })[0]?.algorithms).toEqual(['PS384']);
    expect(load({ ...OCT, alg: 'HS512' })[0]?.algorithms).toEqual(['HS512']);
  });

  test('of a private key only the public half is kept', () => {
    const key = load(jwk(rsa.privateKey))[0];
    expect(key?.material.type).toBe('public');
  });

  test('key_ops of a signing key do not stand in the way of its public half', () => {
    expect(load({ ...jwk(p256.privateKey), key_ops: ['sign'] })).toHaveLength(1);
    expect(load({ ...jwk(p256.publicKey), key_ops: ['verify'], ext: true, use: 'sig' })).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['an RSA algorithm on an oct key', { ...OCT, alg: 'RS256' }],
    ['an HMAC algorithm on an RSA key', { ...jwk(rsa.publicKey), alg: 'HS256' }],
    ['none', { ...OCT, alg: 'none' }],
    ['an encryption algorithm', { ...jwk(rsa.publicKey), alg: 'RSA-OAEP' }],
    ['a key for encryption', { ...jwk(rsa.publicKey), use: 'enc' }],
    ['key_ops without signatures', { ...OCT, key_ops: ['encrypt'] }],
    ['a key id that is a number', { ...OCT, kid: 1 }],
    ['an RSA key of 1024 bits', jwk(smallRsa.publicKey)],
    ['an RSA key without its modulus', { kty: 'RSA', e: 'AQAB' }],
    ['a point off the curve', { ...jwk(p256.publicKey), x: jwk(p256.publicKey).y }],
    ['a curve we do not know', { kty: 'EC', crv: 'secp256k1', x: 'AA', y: 'AA' }],
    ['a key agreement key', jwk(x25519.publicKey)],
    ['an unknown type', { kty: 'AKP', pub: 'AA' }],
    ['an empty oct', { kty: 'oct', k: '' }],
    ['an oct that is not base64url', { kty: 'oct', k: 'a b' }],
    ['an oct without k', { kty: 'oct' }],
  ])('%s cannot be used', (_, key) => {
    expect(failure(key)).toBe('jwk-unusable');
    expect(failure({ keys: [key] })).toBe('jwk-unusable');
    expect(load({ keys: [key, { ...OCT, kid: 'good' }] })).toMatchObject([{ kid: 'good' }]);
  });

  test.each<[string, string]>([
    ['a JWK cut short', JSON.stringify(jwk(rsa.publicKey)).slice(0, -1)],
    ['a JWK set cut short', JSON.stringify({ keys: [jwk(rsa.publicKey)] }).slice(0, -2)],
    ['keys that are no array', '{"keys":{}}'],
  ])('%s does not become a passphrase', (_, text) => {
    expect(failure(text)).toBe('jwk-unreadable');
  });

  test('a PEM file does not become a passphrase', () => {
    expect(failure(rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string)).toBe('secret-is-pem');
  });

  test('an empty set is an error', () => {
    expect(failure({ keys: [] })).toBe('jwk-unusable');
    expect(loadKeySet(null).ok).toBe(false);
    expect(loadKeySet([OCT]).ok).toBe(false);
    expect(loadKeySet({ keys: [null, 1, 'x', [], OCT] })).toMatchObject({
      ok: true,
      value: [{ algorithms: ['HS256', 'HS384', 'HS512'] }],
    });
  });

  test('no message repeats the secret', () => {
    for (const text of [
      'short secret',
      '{"kty":"oct","k":"secret"',
      '{"kty":"RSA","n":"secret"}',
      '-----BEGIN secret-----',
    ]) {
      const loaded = loadKeys(text, { isBase64: false });
      expect(loaded.ok ? '' : loaded.error.message.replace('JWT secret', '')).not.toContain('secret');
      expect(loaded.ok).toBe(false);
    }
  });
});

describe('keysFor', () => {
  const keys = load({
    keys: [
      { ...jwk(rsa.publicKey), kid: 'a', alg: 'RS256' },
      { ...jwk(p256.publicKey), kid: 'b' },
      { ...OCT, kid: 'c' },
      { ...OCT },
    ],
  });

  test.each<[string, Parameters<typeof keysFor>[1], string | undefined, readonly (string | undefined)[]]>([
    ['a key id picks its key', 'RS256', 'a', ['a']],
    ['a key id of a key for another algorithm picks none', 'RS512', 'a', []],
    ['a key id of a key of another type picks none', 'HS256', 'a', []],
    ['an unknown key id picks none', 'HS256', 'z', []],
    ['an empty key id is one like others', 'HS256', '', []],
    ['without a key id all that fit are tried', 'HS256', undefined, ['c', undefined]],
    ['without a key id none fits an algorithm nobody has', 'EdDSA', undefined, []],
  ])('%s', (_, alg, kid, found) => {
    expect(keysFor(keys, alg, kid).map((key) => key.kid)).toEqual(found);
  });
});
