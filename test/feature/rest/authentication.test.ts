// Who asks: tokens, the role they name, and what is said of tokens that do not hold.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ANONYMOUS, AUTHOR, READER, REST_FIXTURE, STRANGER } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { ExpectedReply } from '../../testkit/reply-matcher.ts';
import { SECRET, tokenFor } from '../../testkit/rest-client.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

/** A time claim, told by its distance from the moment the token is made: rows of a table are older than that. */
const seconds = (offset: number): { readonly fromNow: number } => ({ fromNow: offset });

function timely(claims: object): object {
  const now = Math.floor(Date.now() / 1000);
  const told = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'fromNow' in value ? now + Number(value.fromNow) : value;
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, told(value)]));
}
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** A token with any header and payload text, signed as HS256. */
function signed(header: object, payload: string): string {
  const text = `${part(header)}.${Buffer.from(payload).toString('base64url')}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const invalid = (code: string, message: string, details: string | null = null): ExpectedReply => ({
  status: 401,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'www-authenticate': `Bearer error="invalid_token", error_description="${message}"`,
    'proxy-status': `Survest; error=${code}`,
  },
  json: problem(code, message, details),
});

onEachEngine('authentication', { fixtures: REST_FIXTURE }, (db) => {
  describe('with a passphrase', () => {
    const rest = useRest(db);
    const whoami = '/rpc/whoami';

    test('no token is the anonymous role', async () => {
      expect(await rest.get(whoami)).toMatchReply({
        status: 200,
        json: { role: ANONYMOUS, claims: { role: ANONYMOUS } },
      });
    });

    test.each([AUTHOR, READER, ANONYMOUS, 'rest_MixedCase'])('a token with the role %s is that role', async (role) => {
      const claims = { role, id: 'amira', nested: { list: [1, null, 'x'] } };
      expect(await rest.get(whoami, bearer(tokenFor(claims)))).toMatchReply({
        status: 200,
        json: { role, claims },
      });
    });

    test('a token without a role is the anonymous role, with its claims', async () => {
      expect(await rest.get(whoami, bearer(tokenFor({ id: 'amira' })))).toMatchReply({
        json: { role: ANONYMOUS, claims: { id: 'amira', role: ANONYMOUS } },
      });
    });

    test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('the scheme is written "%s"', async (scheme) => {
      const reply = await rest.get(whoami, { authorization: `${scheme} ${tokenFor({ role: AUTHOR })}` });
      expect(reply).toMatchReply({ json: expect.objectContaining({ role: AUTHOR }) });
    });

    test.each(['Basic dXNlcjpwYXNz', 'Digest x', tokenFor({ role: AUTHOR }), 'Bearerx'])(
      'another scheme is no token: %s',
      async (authorization) => {
        expect(await rest.get(whoami, { authorization })).toMatchReply({
          json: expect.objectContaining({ role: ANONYMOUS }),
        });
      },
    );

    test.each<[string, string, ExpectedReply]>([
      ['empty', '', invalid('SVRST301', 'Empty JWT is sent in Authorization header')],
      ['of one part', 'a', invalid('SVRST301', 'Expected 3 parts in JWT; got 1')],
      ['of two parts', 'a.b', invalid('SVRST301', 'Expected 3 parts in JWT; got 2')],
      ['of five parts, encrypted', 'a.b.c.d.e', invalid('SVRST301', 'Expected 3 parts in JWT; got 5')],
      ['of three parts that are no text', 'a.b.c', invalid('SVRST301', 'JWT cryptographic operation failed')],
      [
        'with an unknown algorithm',
        `${part({ alg: 'XX1' })}.${part({})}.x`,
        invalid('SVRST301', 'JWT cryptographic operation failed'),
      ],
      [
        'unsecured',
        `${part({ alg: 'none' })}.${part({ role: AUTHOR })}.`,
        invalid(
          'SVRST301',
          'Wrong or unsupported encoding algorithm',
          "JWT is unsecured but expected 'alg' was not 'none'",
        ),
      ],
      [
        'signed with another passphrase',
        tokenFor({ role: AUTHOR }, 'another passphrase of thirty-two bytes'),
        invalid('SVRST301', 'No suitable key or wrong key type', 'None of the keys was able to decode the JWT'),
      ],
      [
        'with a kid, which a passphrase has not',
        signed({ alg: 'HS256', kid: 'k' }, JSON.stringify({ role: AUTHOR })),
        invalid('SVRST301', 'No suitable key or wrong key type', 'No suitable key was found to decode the JWT'),
      ],
      [
        'with an algorithm that is not the passphrase’s',
        signed({ alg: 'HS512' }, JSON.stringify({ role: AUTHOR })),
        invalid('SVRST301', 'No suitable key or wrong key type', 'No suitable key was found to decode the JWT'),
      ],
      [
        'with a payload that is no object',
        signed({ alg: 'HS256' }, '[1]'),
        invalid('SVRST303', 'Parsing claims failed'),
      ],
      [
        'with a payload that is no JSON',
        signed({ alg: 'HS256' }, 'nothing'),
        invalid('SVRST303', 'Parsing claims failed'),
      ],
    ])('a token %s', async (_, token, expected) => {
      expect(await rest.get('/items', { authorization: `Bearer ${token}` })).toMatchReply(expected);
    });

    test.each<[string, object, ExpectedReply]>([
      ['exp in the past', { exp: seconds(-60) }, invalid('SVRST303', 'JWT expired')],
      ['exp that is text', { exp: 'soon' }, invalid('SVRST303', "The JWT 'exp' claim must be a number")],
      ['nbf in the future', { nbf: seconds(60) }, invalid('SVRST303', 'JWT not yet valid')],
      ['nbf that is text', { nbf: 'x' }, invalid('SVRST303', "The JWT 'nbf' claim must be a number")],
      ['iat in the future', { iat: seconds(60) }, invalid('SVRST303', 'JWT issued at future')],
      ['iat that is text', { iat: 'x' }, invalid('SVRST303', "The JWT 'iat' claim must be a number")],
      [
        'exp and nbf both wrong: exp is said',
        { exp: seconds(-60), nbf: seconds(60) },
        invalid('SVRST303', 'JWT expired'),
      ],
      [
        'aud that is a number',
        { aud: 1 },
        invalid('SVRST303', "The JWT 'aud' claim must be a string or an array of strings"),
      ],
    ])('%s', async (_, claims, expected) => {
      expect(await rest.get('/items', bearer(tokenFor({ role: AUTHOR, ...timely(claims) })))).toMatchReply(expected);
    });

    test.each([
      { exp: seconds(60) },
      { exp: seconds(-20) },
      { nbf: seconds(20) },
      { iat: seconds(20) },
      { nbf: seconds(-60), iat: seconds(-60), exp: seconds(3600) },
      { aud: 'anyone' },
      { aud: ['a', 'b'] },
    ])('holds, within 30 seconds: %j', async (claims) => {
      expect(await rest.get(whoami, bearer(tokenFor({ role: AUTHOR, ...timely(claims) })))).toMatchReply({
        status: 200,
        json: expect.objectContaining({ role: AUTHOR }),
      });
    });

    test('a role that does not exist', async () => {
      expect(await rest.get('/items', bearer(tokenFor({ role: 'nobody_such' })))).toMatchReply({
        status: 401,
        headers: { 'www-authenticate': 'Bearer', 'proxy-status': 'Survest; error=22023' },
        json: problem('22023', 'role "nobody_such" does not exist'),
      });
    });

    test.each(['none', '', 'rest_author"; drop table test.items; --', 'a\u0000b'])(
      'a role that could not exist: %j',
      async (role) => {
        expect(await rest.get('/items', bearer(tokenFor({ role })))).toMatchReply({
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
          json: expect.objectContaining({ code: '22023' }),
        });
      },
    );

    test('errors of HEAD are in the headers alone', async () => {
      expect(await rest.head('/items', bearer('a.b'))).toMatchReply({
        status: 401,
        headers: {
          'www-authenticate': 'Bearer error="invalid_token", error_description="Expected 3 parts in JWT; got 2"',
          'proxy-status': 'Survest; error=SVRST301',
          'content-length': null,
        },
        text: '',
      });
    });

    test('the token is looked at before anything else', async () => {
      for (const [method, target] of [
        ['GET', '/no/such/path'],
        ['TRACE', '/items'],
        ['GET', '/items?id=x'],
        ['OPTIONS', '/items'],
        ['GET', '/'],
      ] as const) {
        expect(await rest.request(method, target, { headers: bearer('a.b') })).toMatchReply({ status: 401 });
      }
    });
  });

  describe('privileges', () => {
    const rest = useRest(db);

    test('what the anonymous role may not do is 401, token or not', async () => {
      for (const options of [{}, { as: ANONYMOUS }]) {
        expect(await rest.request('GET', '/authors_only', options)).toMatchReply({
          status: 401,
          headers: { 'www-authenticate': 'Bearer', 'proxy-status': 'Survest; error=42501' },
          json: problem('42501', 'permission denied for table authors_only'),
        });
      }
    });

    test('what another role may not do is 403', async () => {
      expect(await rest.request('GET', '/authors_only', { as: READER })).toMatchReply({
        status: 403,
        headers: { 'www-authenticate': null, 'proxy-status': 'Survest; error=42501' },
        json: problem('42501', 'permission denied for table authors_only'),
      });
    });

    test('a column', async () => {
      expect(await rest.get('/limited_columns?select=id,shown&order=id&limit=1')).toMatchReply({
        status: 200,
        json: [{ id: 1, shown: 'one' }],
      });
      for (const target of [
        '/limited_columns',
        '/limited_columns?select=hidden',
        '/limited_columns?select=id&hidden=eq.x',
      ]) {
        expect(await rest.get(target)).toMatchReply({
          status: 401,
          json: problem('42501', 'permission denied for table limited_columns'),
        });
      }
    });

    test('a function', async () => {
      expect(await rest.get('/rpc/privileged_hello?name=you')).toMatchReply({
        status: 401,
        json: problem('42501', 'permission denied for function privileged_hello'),
      });
      expect(await rest.request('GET', '/rpc/privileged_hello?name=you', { as: AUTHOR })).toMatchReply({
        status: 200,
        json: 'Privileged hello to you',
      });
    });

    test('an embedded table', async () => {
      await db().script(`
        create table test.public_notes (id integer primary key, article_id integer references test.articles);
        insert into test.public_notes values (1, 1);
        grant select on test.public_notes to rest_anon`);
      await rest.client().service.reloadSchema();
      expect(await rest.get('/public_notes?select=id,articles(id)')).toMatchReply({
        status: 401,
        json: problem('42501', 'permission denied for table articles'),
      });
    });
  });

  describe('without an anonymous role', () => {
    const rest = useRest(db, { 'db-anon-role': '' });
    const disabled: ExpectedReply = {
      status: 401,
      headers: { 'www-authenticate': 'Bearer', 'proxy-status': 'Survest; error=SVRST302' },
      json: problem('SVRST302', 'Anonymous access is disabled'),
    };

    test('no token', async () => {
      expect(await rest.get('/items')).toMatchReply(disabled);
      expect(await rest.get('/items', { authorization: 'Basic x' })).toMatchReply(disabled);
    });

    test('a token without a role', async () => {
      expect(await rest.get('/items', bearer(tokenFor({ id: 1 })))).toMatchReply(disabled);
    });

    test('a token with a role', async () => {
      expect(await rest.get('/items?id=eq.1', bearer(tokenFor({ role: AUTHOR })))).toMatchReply({ status: 200 });
    });
  });

  describe('without a secret', () => {
    const rest = useRest(db, { 'jwt-secret': '' });

    test('a token', async () => {
      expect(await rest.get('/items', bearer(tokenFor({ role: AUTHOR })))).toMatchReply({
        status: 500,
        headers: { 'www-authenticate': null, 'proxy-status': 'Survest; error=SVRST300' },
        json: problem('SVRST300', 'Server lacks JWT secret'),
      });
    });

    test('no token', async () => {
      expect(await rest.get('/items?id=eq.1')).toMatchReply({ status: 200 });
    });
  });

  describe('with an audience', () => {
    const rest = useRest(db, { 'jwt-aud': 'harbour' });

    test.each([{ aud: 'harbour' }, { aud: ['other', 'harbour'] }, { aud: null }, { aud: [] }, {}])(
      '%j is meant',
      async (claims) => {
        expect(await rest.get('/items?id=eq.1', bearer(tokenFor({ role: AUTHOR, ...timely(claims) })))).toMatchReply({
          status: 200,
        });
      },
    );

    test.each([{ aud: 'other' }, { aud: ['other'] }, { aud: '' }])('%j is not', async (claims) => {
      expect(await rest.get('/items', bearer(tokenFor({ role: AUTHOR, ...timely(claims) })))).toMatchReply(
        invalid('SVRST303', 'JWT not in audience'),
      );
    });

    test.each([{ aud: 1 }, { aud: ['harbour', 1] }, { aud: {} }])('%j is no audience', async (claims) => {
      expect(await rest.get('/items', bearer(tokenFor({ role: AUTHOR, ...timely(claims) })))).toMatchReply(
        invalid('SVRST303', "The JWT 'aud' claim must be a string or an array of strings"),
      );
    });
  });

  describe('with the role somewhere else in the claims', () => {
    describe('by keys and an index', () => {
      const rest = useRest(db, { 'jwt-role-claim-key': '.app."user info".roles[1]' });
      test('it is found there', async () => {
        const claims = { role: READER, app: { 'user info': { roles: ['x', AUTHOR] } } };
        expect(await rest.get('/rpc/whoami', bearer(tokenFor(claims)))).toMatchReply({
          json: { role: AUTHOR, claims: { ...claims, role: AUTHOR } },
        });
        expect(await rest.get('/rpc/whoami', bearer(tokenFor({ role: READER })))).toMatchReply({
          json: expect.objectContaining({ role: ANONYMOUS }),
        });
      });
    });

    describe('by a search', () => {
      const rest = useRest(db, { 'jwt-role-claim-key': '.roles[?(@ ^== "rest_au")]' });
      test('it is found there', async () => {
        expect(await rest.get('/rpc/whoami', bearer(tokenFor({ roles: [1, READER, AUTHOR] })))).toMatchReply({
          json: expect.objectContaining({ role: AUTHOR }),
        });
      });
    });
  });

  describe('with a set of keys', () => {
    const first = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const second = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const secret = JSON.stringify({
      keys: [
        { ...first.publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256' },
        { ...second.publicKey.export({ format: 'jwk' }), kid: 'second' },
      ],
    });
    const rest = useRest(db, { 'jwt-secret': secret });
    const payload = part({ role: AUTHOR });

    const rsa = (header: object): string => {
      const text = `${part({ alg: 'RS256', ...header })}.${payload}`;
      return `${text}.${sign('sha256', Buffer.from(text), first.privateKey).toString('base64url')}`;
    };
    const ec = (header: object): string => {
      const text = `${part({ alg: 'ES256', ...header })}.${payload}`;
      const signature = sign('sha256', Buffer.from(text), { key: second.privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    };

    test.each([
      ['RS256 with its kid', rsa({ kid: 'first' })],
      ['RS256 without a kid', rsa({})],
      ['ES256 with its kid', ec({ kid: 'second' })],
      ['ES256 without a kid', ec({})],
    ])('%s', async (_, token) => {
      expect(await rest.get('/rpc/whoami', bearer(token))).toMatchReply({
        status: 200,
        json: expect.objectContaining({ role: AUTHOR }),
      });
    });

    test.each([
      ['a kid of no key', rsa({ kid: 'third' }), 'No suitable key was found to decode the JWT'],
      ['a kid of the other key', rsa({ kid: 'second' }), 'No suitable key was found to decode the JWT'],
      ['the passphrase', tokenFor({ role: AUTHOR }), 'No suitable key was found to decode the JWT'],
      [
        'a signature of something else',
        `${rsa({}).split('.').slice(0, 2).join('.')}.${rsa({ x: 1 }).split('.')[2]}`,
        'None of the keys was able to decode the JWT',
      ],
      // The public key is no secret: it must not pass for a passphrase.
      [
        'the public key as a passphrase',
        tokenFor({ role: AUTHOR }, secret),
        'No suitable key was found to decode the JWT',
      ],
    ])('%s', async (_, token, details) => {
      expect(await rest.get('/items', bearer(token))).toMatchReply(
        invalid('SVRST301', 'No suitable key or wrong key type', details),
      );
    });
  });

  describe('with remembered tokens', () => {
    const rest = useRest(db, { 'jwt-cache-max-lifetime': '3600' });

    test('one that held holds, one that did not does not', async () => {
      const good = bearer(tokenFor({ role: AUTHOR }));
      const bad = bearer(tokenFor({ role: AUTHOR }, 'another passphrase of thirty-two bytes'));
      for (let i = 0; i < 3; i++) {
        expect(await rest.get('/rpc/whoami', good)).toMatchReply({ json: expect.objectContaining({ role: AUTHOR }) });
        expect(await rest.get('/rpc/whoami', bad)).toMatchReply({ status: 401 });
      }
    });
  });
});

onEachEngine(
  'roles that may not be switched to',
  { fixtures: REST_FIXTURE, skip: { pglite: 'its session is the superuser’s, who may become anyone' } },
  (db) => {
    const rest = useRest(db);

    test('one that exists', async () => {
      expect(await rest.request('GET', '/items', { as: STRANGER })).toMatchReply({
        status: 403,
        json: problem('42501', `permission denied to set role "${STRANGER}"`),
      });
    });

    test('the superuser', async () => {
      expect(await rest.request('GET', '/items', { as: 'postgres' })).toMatchReply({
        status: 403,
        json: problem('42501', 'permission denied to set role "postgres"'),
      });
    });
  },
);
