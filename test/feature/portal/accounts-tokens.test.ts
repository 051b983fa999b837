// Bearer tokens of signed-in people, on the portal and on the REST service beside it.

import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicJwks } from '../../../src/portal/oidc/signing-keys.ts';
import { loadRestConfig } from '../../../src/rest/config/load-config.ts';
import { makeRestService, type RestService } from '../../../src/rest/lifecycle/rest-service.ts';
import { onPortal, PASSWORD, type Portal } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';

const SESSION = '/account/session/';

onPortal('bearer tokens', {}, (portal) => {
  test('somebody who is signed in gets one for their scripts', async () => {
    const ada = await portal().session('ada');
    const reply = await ada.post('/account/token/');
    expect(reply).toMatchReply({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      json: {
        access_token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 600,
        scope: 'read write',
      },
    });
  });

  test('nobody else does: visitors, forged requests, and other tokens', async () => {
    expect((await portal().visitor.post('/account/token/')).status).toBe(401);
    const ada = await portal().session('ada');
    const cookie = `sessionid=${ada.cookies.get('sessionid')}`;
    expect((await portal().visitor.post('/account/token/', undefined, { cookie })).status).toBe(403);
    expect(
      (
        await portal()
          .bearer(await portal().tokenOf('ada'))
          .post('/account/token/')
      ).status,
    ).toBe(403);
  });

  test('it needs no proof against forgery, and ends with the session', async () => {
    const ada = await portal().session('ada');
    const { access_token: token } = JSON.parse(textOf((await ada.post('/account/token/')).body));
    const body = { username: 'ada', role: 'member' };
    expect((await portal().bearer(token).post(`/api/v2/groups/${portal().ids.surveyors}/members/`, body)).status).toBe(
      403,
    );
    expect((await portal().bearer(token).get(SESSION)).status).toBe(200);
    await ada.post('/account/logout/');
    expect((await portal().bearer(token).get(SESSION)).status).toBe(401);
  });

  test('it ends after ten minutes', async () => {
    const token = await portal().tokenOf('ada');
    portal().clock.advance(600_000);
    expect((await portal().bearer(token).get(SESSION)).status).toBe(200); // half a minute of grace for clocks that differ
    portal().clock.advance(31_000);
    expect((await portal().bearer(token).get(SESSION)).status).toBe(401);
    portal().clock.advance(-631_000);
  });

  describe('made by somebody else', () => {
    const claims = (p: Portal): Record<string, unknown> => ({
      sub: String(p.ids.admin),
      role: 'survest_admin',
      aud: 'urn:survest:api',
      scope: 'read write',
      client_id: 'portal',
      gid: 'made-up',
    });

    test('with a key of their own', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      for (const kid of [portal().keys.keys[0].kid, 'other', undefined]) {
        const token = await new SignJWT(claims(portal()))
          .setProtectedHeader({ alg: 'RS256', ...(kid === undefined ? {} : { kid }) })
          .setExpirationTime('1h')
          .sign(privateKey);
        expect((await portal().bearer(token).get(SESSION)).status).toBe(401);
      }
    });

    test('without a signature, and with the public key as a secret', async () => {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const unsigned = `${part({ alg: 'none' })}.${part(claims(portal()))}.`;
      expect((await portal().bearer(unsigned).get(SESSION)).status).toBe(401);
      const jwk = JSON.stringify(await exportJWK(portal().keys.verification[0]?.material as never));
      const confused = await new SignJWT(claims(portal())).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(jwk));
      expect((await portal().bearer(confused).get(SESSION)).status).toBe(401);
    });

    test('with our key, but hanging on nothing', async () => {
      const [{ kid }] = portal().keys.keys;
      const { createPrivateKey } = await import('node:crypto');
      const key = createPrivateKey({ key: portal().keys.keys[0], format: 'jwk' });
      const sign = (extra: object): Promise<string> =>
        new SignJWT({ ...claims(portal()), ...extra })
          .setProtectedHeader({ alg: 'RS256', kid })
          .setExpirationTime('1h')
          .sign(key);
      const session = await portal().session('bob');
      const [bobs] = await portal().db.query<{ hash: string }>(
        `select translate(encode(token_hash, 'base64'), '+/=', '-_') as hash from portal_private.session where account_id = $1 order by created desc limit 1`,
        [portal().ids.bob],
      );
      // Not the account's grant, no grant, another account's session, an audience that is not ours.
      for (const extra of [
        {},
        { gid: undefined },
        { gid: undefined, sid: bobs?.hash },
        { aud: 'other' },
        { sub: 'x' },
      ]) {
        expect(
          (
            await portal()
              .bearer(await sign(extra))
              .get(SESSION)
          ).status,
        ).toBe(401);
      }
      const own = await sign({ gid: undefined, sid: bobs?.hash, sub: String(portal().ids.bob), role: 'survest_admin' });
      // The role of a token is never more than the account's own.
      expect(await portal().bearer(own).get(SESSION)).toMatchReply({
        json: { user: expect.objectContaining({ username: 'bob', is_superuser: false }) },
      });
      expect((await portal().bearer(own).get('/account/clients')).status).toBe(403);
      await session.post('/account/logout/');
    });

    test.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d.e', '....', `ey.${'x'.repeat(5000)}.y`])(
      '%j is no token',
      async (token) => {
        expect((await portal().visitor.get(SESSION, { authorization: `Bearer ${token}` })).status).toBe(401);
      },
    );
  });

  describe.each(['its own', 'also of others'] as const)('on the REST service that takes tokens of %s', (whose) => {
    let rest: RestService;
    beforeAll(async () => {
      rest = await openRestBeside(portal(), whose);
    });
    afterAll(() => rest.close());

    const call = async (
      authorization: string | undefined,
      path: string,
      method = 'GET',
      body = '',
    ): Promise<{ status: number; body: string }> => {
      const reply = await rest.answer(
        {
          method,
          path,
          query: '',
          headers: {
            ...(authorization === undefined ? {} : { authorization }),
            ...(body === '' ? {} : { 'content-type': 'application/json' }),
          },
          body: Buffer.from(body),
        },
        { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' },
      );
      return { status: reply.status, body: textOf(reply.body ?? '') };
    };

    test('the same token names the same account', async () => {
      for (const name of ['ada', 'admin'] as const) {
        const token = await portal().tokenOf(name);
        expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual({ status: 200, body: String(portal().ids[name]) });
        expect(await call(`Bearer ${token}`, '/rpc/is_admin')).toEqual({ status: 200, body: String(name === 'admin') });
      }
      expect(await call(undefined, '/rpc/me')).toEqual({ status: 200, body: 'null' });
    });

    const revoked = { status: 401, body: expect.stringContaining('"code":"SVRST303"') };

    test('a token ends with its session, at once, for reading, writing and batches', async () => {
      const ada = await portal().session('ada');
      const { access_token: token } = JSON.parse(textOf((await ada.post('/account/token/')).body));
      expect(await call(`Bearer ${token}`, '/rpc/me')).toMatchObject({ status: 200 });
      await ada.post('/account/logout/');
      expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual(revoked);
      expect(await call(`Bearer ${token}`, '/rpc/me', 'POST', '{}')).toEqual(revoked);
      expect(await call(`Bearer ${token}`, '/')).toEqual(revoked);
      const batch = JSON.stringify([{ method: 'GET', path: '/rpc/me' }]);
      expect(await call(`Bearer ${token}`, '/batch', 'POST', batch)).toEqual(revoked);
    });

    test('a token ends with the password that it was given for', async () => {
      const token = await portal().tokenOf('mel');
      await portal().db.query('delete from portal_private.session where account_id = $1', [portal().ids.mel]);
      expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual(revoked);
    });

    test('a token names a role no longer than the account has it', async () => {
      const become = (isAdmin: boolean): Promise<unknown> =>
        portal().db.query('update portal.account_detail set is_superuser = $2 where account_id = $1', [
          portal().ids.mel,
          isAdmin,
        ]);
      await become(true);
      const token = await portal().tokenOf('mel');
      expect(await call(`Bearer ${token}`, '/rpc/is_admin')).toEqual({ status: 200, body: 'true' });
      await become(false);
      expect(await call(`Bearer ${token}`, '/rpc/is_admin')).toEqual(revoked);
      const lesser = await portal().tokenOf('mel');
      expect(await call(`Bearer ${lesser}`, '/rpc/is_admin')).toEqual({ status: 200, body: 'false' });
    });

    test('a deactivated account has no token', async () => {
      const token = await portal().tokenOf('mel');
      await portal().db.query('update portal.account_detail set is_active = false where account_id = $1', [
        portal().ids.mel,
      ]);
      expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual(revoked);
      await portal().db.query('update portal.account_detail set is_active = true where account_id = $1', [
        portal().ids.mel,
      ]);
    });

    describe('a personal access token', () => {
      const make = async (scope: string): Promise<{ id: number; token: string }> => {
        const reply = await portal()
          .as('ada')
          .post('/api/v2/access-tokens/', { name: `For ${scope}`, scope });
        expect(reply.status).toBe(201);
        return JSON.parse(textOf(reply.body));
      };
      const WRITE = '{"to_group": 1, "name": "ada"}';

      test('names the account until it is revoked', async () => {
        const { id, token } = await make('write');
        expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual({ status: 200, body: String(portal().ids.ada) });
        expect((await portal().as('ada').delete(`/api/v2/access-tokens/${id}/`)).status).toBe(204);
        expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual(revoked);
      });

      test('that may only read writes nothing, whatever it calls', async () => {
        const { id, token } = await make('read');
        expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual({ status: 200, body: String(portal().ids.ada) });
        const [{ rows } = { rows: '' }] = await portal().db.query<{ rows: string }>(
          'select count(*)::text as rows from portal_private.session',
        );
        const end = `{"which": ${id}, "of_kind": "token"}`;
        for (const [path, method, body] of [
          ['/rpc/end_sign_in', 'POST', end],
          ['/batch', 'POST', `[{"method": "POST", "path": "/rpc/end_sign_in", "body": ${end}}]`],
          ['/setting', 'PATCH', '{"value": "true"}'],
        ] as const)
          expect(await call(`Bearer ${token}`, path, method, body), path).toMatchObject({
            status: 403,
            body: expect.stringContaining('The token may only read'),
          });
        expect((await call(`Bearer ${token}`, '/rpc/invite_group_member', 'POST', WRITE)).status).toBe(403);
        expect(await portal().db.query('select count(*)::text as rows from portal_private.session')).toEqual([
          { rows },
        ]);
        // The same with the other scope is let through to the database's own rules, of which one is that no token ends another.
        const writer = await make('write');
        const refused = await call(`Bearer ${writer.token}`, '/rpc/end_sign_in', 'POST', end);
        expect(refused.status).toBe(403);
        expect(refused.body).toContain('A token cannot do this: sign in with the account itself.');
      });
    });

    if (whose === 'also of others')
      test('others name a role in their own way, and no session is asked for', async () => {
        const sign = (claims: object, kid?: string): Promise<string> =>
          new SignJWT({ ...claims })
            .setProtectedHeader({ alg: 'HS256', ...(kid === undefined ? {} : { kid }) })
            .setAudience('them')
            .sign(new TextEncoder().encode(OTHERS_SECRET));
        const token = await sign({ app: { role: 'survest_user' } });
        expect(await call(`Bearer ${token}`, '/rpc/me')).toEqual({ status: 200, body: 'null' });
        // Naming the portal's key makes no token one of the portal's, nor does a claim where the portal has the role.
        const claims = { sub: String(portal().ids.admin), role: 'survest_admin' };
        expect(await call(`Bearer ${await sign(claims, portal().keys.keys[0].kid)}`, '/rpc/me')).toMatchObject({
          status: 401,
        });
        expect((await call(`Bearer ${await sign(claims)}`, '/rpc/is_admin')).body).toBe('false');
      });

    test('a token signed by somebody else is refused', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const token = await new SignJWT({ sub: '1', role: 'survest_admin' })
        .setProtectedHeader({ alg: 'RS256' })
        .sign(privateKey);
      expect((await call(`Bearer ${token}`, '/rpc/me')).status).toBe(401);
    });
  });

  test('a password is no token, and a token no password', async () => {
    const token = await portal().tokenOf('ada');
    expect((await portal().bearer(PASSWORD).get(SESSION)).status).toBe(401);
    expect((await portal().basic('ada', token).get(SESSION)).status).toBe(401);
    expect((await portal().visitor.get(SESSION, { cookie: `sessionid=${token}` })).status).toBe(200);
  });
});

const OTHERS_SECRET = 'a secret of others, of forty characters.';

async function openRestBeside(portal: Portal, whose: 'its own' | 'also of others'): Promise<RestService> {
  const keys = publicJwks(portal.keys);
  const tokens =
    whose === 'its own'
      ? { SVRST_JWT_SECRET: keys, SVRST_DB_TOKEN_CHECK: 'portal.check_token' }
      : { SVRST_JWT_SECRET: OTHERS_SECRET, SVRST_JWT_ROLE_CLAIM_KEY: '.app.role', SVRST_JWT_AUD: 'them' };
  const loaded = await loadRestConfig({
    args: [],
    env: {
      SVRST_DB_URI: 'postgresql://',
      SVRST_DB_SCHEMAS: 'portal',
      SVRST_DB_ANON_ROLE: 'survest_anon',
      SVRST_DB_CHANNEL_ENABLED: 'false',
      ...tokens,
    },
    file: undefined,
    database: [],
    readText: () => Promise.reject(new Error('tests name no files')),
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const service = makeRestService({
    config: whose === 'its own' ? loaded.value.config : { ...loaded.value.config, portalKeys: keys },
    driver: portal.callerDb.driver,
    version: 'test',
    observe: () => {},
    reread: async () => undefined,
    onFatal: () => {},
  });
  await service.start();
  return service;
}
