// Applications that let people sign in with the portal: the authorization code flow with PKCE, from the first redirect to the
// last refused token, as a browser and an application see it.

import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../../src/auth/password.ts';
import { onPortal, PASSWORD, type Portal, type SessionClient } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';

const REDIRECT = 'https://app.example.org/back';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Client = { readonly client_id: string; readonly client_secret?: string };
type Tokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly scope: string;
};

onPortal('the OpenID provider', {}, (portal) => {
  let publicClient: Client;
  let confidential: Client;

  beforeAll(async () => {
    publicClient = await register(portal(), {});
    confidential = await register(portal(), { confidential: true });
  });

  describe('discovery', () => {
    test('says where everything is, under the address it was asked at', async () => {
      const reply = await portal().visitor.get('/o/.well-known/openid-configuration');
      expect(reply).toMatchReply({
        status: 200,
        json: expect.objectContaining({
          issuer: 'http://localhost/o',
          authorization_endpoint: 'http://localhost/o/authorize',
          token_endpoint: 'http://localhost/o/token',
          userinfo_endpoint: 'http://localhost/o/userinfo',
          revocation_endpoint: 'http://localhost/o/revoke_token',
          introspection_endpoint: 'http://localhost/o/introspect',
          jwks_uri: 'http://localhost/o/jwks',
          code_challenge_methods_supported: ['S256'],
          response_types_supported: ['code'],
        }),
      });
    });

    test.each([
      ['GET', '/o/token/', 'POST'],
      ['GET', '/o/introspect', 'POST'],
      ['GET', '/o/revoke_token/?token=x', 'POST'],
      ['POST', '/o/authorize/', 'GET, HEAD'],
    ])('%s %s is refused, and told what it takes', async (method, path, allow) => {
      expect(await portal().visitor.request(method, path)).toMatchReply({
        status: 405,
        headers: { allow },
        json: { detail: `Method "${method}" not allowed.` },
      });
    });

    test('the key set has public halves only', async () => {
      const reply = await portal().visitor.get('/o/jwks/');
      const { keys } = jsonOf(reply) as { keys: Record<string, unknown>[] };
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    });
  });

  test('the pages speak the language that the browser asks for', async () => {
    const browser = portal().browser();
    const { path } = await loginPageOf(browser, publicClient);
    for (const [language, said] of [
      ['fr-CH, en;q=0.5', '<html lang="fr">'],
      ['fr', '<label for="password">Mot de passe</label>'],
      ['es', 'Iniciar sesión'],
      ['de', 'um weiter zu <strong>'],
      ['nl', '<html lang="en">'],
    ] as const)
      expect(textOf((await browser.get(path, { 'accept-language': language })).body)).toContain(said);
  });

  test('a person signs in, allows the application, and it gets tokens that work', async () => {
    const browser = portal().browser();
    const flow = await authorize(browser, publicClient, { scope: 'openid read write' });
    expect(flow.pages).toEqual(['Sign in', 'Allow access?']);
    expect(flow.back.searchParams.get('state')).toBe(flow.state);
    const tokens = await exchange(portal(), publicClient, flow);
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'read write' });

    const { keys } = jsonOf(await portal().visitor.get('/o/jwks')) as { keys: [Record<string, string>] };
    const verified = await jwtVerify(tokens.id_token, await importJWK(keys[0], 'RS256'), {
      issuer: 'http://localhost/o',
      audience: publicClient.client_id,
    });
    expect(verified.payload).toMatchObject({ sub: String(portal().ids.ada), nonce: flow.nonce });
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      sub: String(portal().ids.ada),
      role: 'survest_user',
      preferred_username: 'ada',
      aud: 'urn:survest:api',
      client_id: publicClient.client_id,
    });

    expect(await portal().bearer(tokens.access_token).get('/account/session/')).toMatchReply({
      status: 200,
      json: { user: expect.objectContaining({ username: 'ada' }) },
    });
    expect(await portal().bearer(tokens.access_token).get('/o/userinfo/')).toMatchReply({
      status: 200,
      json: {
        sub: String(portal().ids.ada),
        name: 'Ada Tester',
        given_name: 'Ada',
        family_name: 'Tester',
        email: 'ada@example.org',
        email_verified: false,
        preferred_username: 'ada',
        groups: ['contributors'],
      },
    });
  });

  describe('what a person is asked', () => {
    test('who is signed in at the portal is only asked for consent, and that once', async () => {
      const browser = await portal().session('bob');
      expect((await authorize(browser, publicClient)).pages).toEqual(['Allow access?']);
      expect((await authorize(browser, publicClient)).pages).toEqual([]);
      expect((await authorize(browser, publicClient, { extra: { prompt: 'consent' } })).pages).toEqual([
        'Allow access?',
      ]);
      expect((await authorize(browser, publicClient, { username: 'bob', extra: { prompt: 'login' } })).pages).toEqual([
        'Sign in',
      ]);
    });

    test('who has signed out of the portal signs in again, and cannot be passed over', async () => {
      const browser = await portal().session('bob');
      await authorize(browser, publicClient);
      await browser.post('/account/logout/');
      const quiet = await authorize(browser, publicClient, { extra: { prompt: 'none' } });
      expect(quiet.back.searchParams.get('error')).toBe('login_required');
      expect((await authorize(browser, publicClient, { username: 'bob' })).pages).toContain('Sign in');
    });

    test('a session ended elsewhere counts for nothing, although the provider’s own cookie is still there', async () => {
      const browser = await portal().session('bob');
      await authorize(browser, publicClient);
      await portal().db.query('delete from portal_private.session where account_id = $1', [portal().ids.bob]);
      expect((await authorize(browser, publicClient, { username: 'bob' })).pages).toContain('Sign in');
    });

    test('another account in the same browser gets a code of its own', async () => {
      const browser = await portal().session('bob');
      await authorize(browser, publicClient);
      await browser.post('/account/login/', { username: 'ada', password: PASSWORD });
      const flow = await authorize(browser, publicClient);
      const tokens = await exchange(portal(), publicClient, flow);
      expect(decodeJwt(tokens.access_token).sub).toBe(String(portal().ids.ada));
    });

    test('a wrong password is told on the page, and the person can try again', async () => {
      const browser = portal().browser();
      const page = await loginPageOf(browser, publicClient);
      const fields = formOf(page.html);
      fields.set('username', '"><script>alert(1)</script>');
      fields.set('password', 'wrong');
      const again = await browser.post(`${page.path}/login`, fields.toString(), FORM);
      expect(again.status).toBe(401);
      expect(headerOf(again, 'www-authenticate')).not.toContain('Basic');
      const html = textOf(again.body);
      expect(html).toContain('This user name and password do not match.');
      expect(html).not.toContain('<script>');
      for (const [language, said] of [
        ['de', 'Benutzername und Passwort passen nicht zusammen.'],
        ['fr', 'Ce nom d’utilisateur et ce mot de passe ne correspondent pas.'],
        ['es', 'El nombre de usuario y la contraseña no coinciden.'],
      ] as const) {
        const told = await browser.post(`${page.path}/login`, fields.toString(), {
          ...FORM,
          'accept-language': language,
        });
        expect(textOf(told.body)).toContain(said);
      }
      fields.set('username', 'ada');
      fields.set('password', PASSWORD);
      expect((await browser.post(`${page.path}/login`, fields.toString(), FORM)).status).toBe(303);
    });

    test('saying no sends the application away', async () => {
      const browser = portal().browser();
      const page = await loginPageOf(browser, publicClient);
      const refused = await browser.post(`${page.path}/abort`, formOf(page.html).toString(), FORM);
      const resumed = await browser.get(pathOf(headerOf(refused, 'location') ?? ''));
      const back = new URL(headerOf(resumed, 'location') ?? '');
      expect(back.searchParams.get('error')).toBe('access_denied');
      expect(back.searchParams.has('code')).toBe(false);
    });

    test('the pages run no scripts, are in no frame, and name the application as text', async () => {
      const page = await loginPageOf(portal().browser(), publicClient);
      expect(page.html).toContain('Field &lt;b&gt;app&lt;/b&gt;');
      expect(page.html).not.toMatch(/<script|javascript:|\son\w+=/);
      expect(page.policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/app\.example\.org; frame-ancestors 'none'; base-uri 'none'$/,
      );
    });

    test('a form that another site made is refused', async () => {
      const browser = portal().browser();
      const page = await loginPageOf(browser, publicClient);
      for (const csrfmiddlewaretoken of ['', 'guess', undefined]) {
        const fields = new URLSearchParams({
          username: 'ada',
          password: PASSWORD,
          ...(csrfmiddlewaretoken === undefined ? {} : { csrfmiddlewaretoken }),
        });
        expect((await browser.post(`${page.path}/login`, fields.toString(), FORM)).status).toBe(403);
      }
      expect(browser.cookies.has('sessionid')).toBe(false);
    });

    test('a consent form that another site made is refused', async () => {
      const browser = await portal().session('mia');
      const page = await loginPageOf(browser, publicClient);
      const fields = new URLSearchParams({ csrfmiddlewaretoken: 'k'.repeat(43) });
      expect((await browser.post(`${page.path}/confirm`, fields.toString(), FORM)).status).toBe(403);
    });

    test('somebody else’s question cannot be answered', async () => {
      const page = await loginPageOf(portal().browser(), publicClient);
      for (const [method, path] of [
        ['GET', page.path],
        ['POST', `${page.path}/login`],
        ['POST', `${page.path}/confirm`],
        ['GET', '/o/interaction/made-up'],
      ] as const) {
        const reply = await portal()
          .browser()
          .request(method, path, {
            headers: method === 'POST' ? FORM : {},
            body: method === 'POST' ? 'a=b' : undefined,
          });
        expect(reply.status).toBe(400);
      }
    });
  });

  describe('what an application has to prove', () => {
    test('a public client needs PKCE', async () => {
      const query = new URLSearchParams({
        client_id: publicClient.client_id,
        response_type: 'code',
        redirect_uri: REDIRECT,
        scope: 'openid',
      });
      const reply = await portal().browser().get(`/o/authorize?${query}`);
      expect(new URL(headerOf(reply, 'location') ?? '').searchParams.get('error')).toBe('invalid_request');
    });

    test('a code is good for one who knows the verifier, and once', async () => {
      const flow = await authorize(await portal().session('ada'), publicClient);
      const code = flow.back.searchParams.get('code') ?? '';
      const body = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT };
      expect(await tokenRequest(portal(), publicClient, { ...body, code_verifier: 'x'.repeat(43) })).toMatchReply({
        status: 400,
        json: expect.objectContaining({ error: 'invalid_grant' }),
      });
      const second = await authorize(await portal().session('ada'), publicClient);
      const tokens = await exchange(portal(), publicClient, second);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(200);
      const replay = await tokenRequest(portal(), publicClient, {
        ...body,
        code: second.back.searchParams.get('code') ?? '',
        code_verifier: second.verifier,
      });
      expect(replay.status).toBe(400);
      // Somebody has stolen the code: what it brought is void too.
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(401);
    });

    test('a code of one client is no good for another', async () => {
      const flow = await authorize(await portal().session('ada'), publicClient);
      const other = await register(portal(), {});
      const reply = await tokenRequest(portal(), other, {
        grant_type: 'authorization_code',
        code: flow.back.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
        code_verifier: flow.verifier,
      });
      expect(reply.status).toBe(400);
    });

    test('a confidential client proves itself by its secret', async () => {
      const flow = await authorize(await portal().session('ada'), confidential);
      const wrong = { ...confidential, client_secret: 'guess' };
      expect((await tokenRequest(portal(), wrong, { grant_type: 'refresh_token', refresh_token: 'x' })).status).toBe(
        401,
      );
      const stored = await portal().db.query<{ payload: { client_secret: string } }>(
        `select payload from portal_private.oidc_state where kind = 'Client' and id = $1`,
        [confidential.client_id],
      );
      const hash = stored[0]?.payload.client_secret ?? '';
      expect(hash).toMatch(/^sha256:/);
      expect(JSON.stringify(stored)).not.toContain(confidential.client_secret);
      // The hash of a stolen backup is not the secret.
      const thief = { ...confidential, client_secret: hash };
      expect((await tokenRequest(portal(), thief, { grant_type: 'refresh_token', refresh_token: 'x' })).status).toBe(
        401,
      );
      expect((await exchange(portal(), confidential, flow)).access_token).toMatch(/^ey/);
    });

    test.each([
      ['an unknown application', { client_id: 'nobody' }],
      ['an application with a NUL', { client_id: 'a\0b' }],
      ['another address to go back to', { redirect_uri: 'https://evil.example.org/' }],
      ['an address below the registered one', { redirect_uri: `${REDIRECT}/../steal` }],
    ])('%s is told on a page here, and nobody is sent anywhere', async (_what, extra) => {
      const query = new URLSearchParams({
        client_id: publicClient.client_id,
        response_type: 'code',
        redirect_uri: REDIRECT,
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        ...extra,
      });
      const reply = await portal().browser().get(`/o/authorize?${query}`, { accept: 'text/html' });
      expect(reply.status).toBe(400);
      expect(headerOf(reply, 'location')).toBeNull();
      expect(textOf(reply.body)).toContain('<h1>This did not work</h1>');
    });
  });

  describe('tokens', () => {
    test('are renewed with a refresh token, which is good once; a second use ends all of them', async () => {
      const tokens = await tokensOf(portal(), publicClient);
      const renewed = await tokenRequest(portal(), publicClient, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      expect(renewed.status).toBe(200);
      const next = jsonOf(renewed) as Tokens;
      expect(next.refresh_token).not.toBe(tokens.refresh_token);
      expect((await portal().bearer(next.access_token).get('/account/session')).status).toBe(200);
      const stolen = await tokenRequest(portal(), publicClient, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      expect(stolen).toMatchReply({ status: 400, json: expect.objectContaining({ error: 'invalid_grant' }) });
      expect((await portal().bearer(next.access_token).get('/account/session')).status).toBe(401);
    });

    test.each(['access_token', 'refresh_token'] as const)('a revoked %s takes the others with it', async (which) => {
      const tokens = await tokensOf(portal(), publicClient);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(200);
      const revoked = await tokenRequest(portal(), publicClient, { token: tokens[which] }, '/o/revoke_token/');
      expect(revoked).toMatchReply({ status: 200, text: '' });
      expect(await portal().bearer(tokens.access_token).get('/account/session')).toMatchReply({
        status: 401,
        headers: { 'www-authenticate': /Bearer realm="api", error="invalid_token"/ },
        json: { detail: 'Invalid token.' },
      });
      const renewed = await tokenRequest(portal(), publicClient, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      expect(renewed.status).toBe(400);
    });

    test('one application cannot revoke another’s', async () => {
      const tokens = await tokensOf(portal(), publicClient);
      expect(
        (await tokenRequest(portal(), confidential, { token: tokens.access_token }, '/o/revoke_token/')).status,
      ).toBe(200);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(200);
    });

    test('are introspected by a client with a secret, and by a public one if they are its own', async () => {
      const tokens = await tokensOf(portal(), publicClient);
      const asked = (client: Client, token: string): Promise<Reply> =>
        tokenRequest(portal(), client, { token }, '/o/introspect/');
      const active = {
        status: 200,
        json: expect.objectContaining({ active: true, username: 'ada', scope: 'read write' }),
      };
      expect(await asked(confidential, tokens.access_token)).toMatchReply(active);
      expect(await asked(publicClient, tokens.access_token)).toMatchReply(active);
      const inactive = { status: 200, json: { active: false } };
      expect(await asked(await register(portal(), {}), tokens.access_token)).toMatchReply(inactive);
      expect(await asked(confidential, `${tokens.access_token.slice(0, -4)}AAAA`)).toMatchReply(inactive);
      expect(
        (
          await tokenRequest(
            portal(),
            { ...confidential, client_secret: 'x' },
            { token: tokens.access_token },
            '/o/introspect/',
          )
        ).status,
      ).toBe(401);
      await tokenRequest(portal(), publicClient, { token: tokens.access_token }, '/o/revoke_token/');
      expect(await asked(confidential, tokens.access_token)).toMatchReply(inactive);
    });

    test('end when their time is over', async () => {
      const tokens = await tokensOf(portal(), publicClient);
      portal().clock.advance(3500_000);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(200);
      portal().clock.advance(200_000);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(401);
      portal().clock.advance(-3700_000);
    });

    test.each([
      ['a changed password', (ids: Portal['ids']) => [`select portal.set_password($1, 'x')`, ids.mia] as const],
      [
        'a deactivated account',
        (ids: Portal['ids']) =>
          ['update portal.account_detail set is_active = false where account_id = $1', ids.mel] as const,
      ],
    ])('%s ends them, refresh tokens included, at once and for good', async (_what, change) => {
      const [sql, id] = change(portal().ids);
      const name = id === portal().ids.mia ? 'mia' : 'mel';
      const tokens = await tokensOf(portal(), publicClient, { username: name });
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(200);
      await portal().db.query(sql, [id]);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(401);
      await portal().db.query('update portal.account_detail set is_active = true where account_id = $1', [id]);
      expect((await portal().bearer(tokens.access_token).get('/account/session')).status).toBe(401);
      const renewed = await tokenRequest(portal(), publicClient, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      expect(renewed.status).toBe(400);
      await portal().db.query('select portal.set_password($1, $2)', [id, await hashPassword(PASSWORD)]);
    });

    test('an ID token is not an access token, though signed with the same key', async () => {
      const tokens = await tokensOf(portal(), publicClient);
      expect((await portal().bearer(tokens.id_token).get('/account/session')).status).toBe(401);
      expect((await portal().bearer(tokens.id_token).get('/o/userinfo')).status).toBe(401);
    });

    test('a token that may only read does not write, and one for signing in does neither', async () => {
      const reading = await tokensOf(portal(), publicClient, { scope: 'openid read' });
      expect((await portal().bearer(reading.access_token).get('/account/session')).status).toBe(200);
      expect(await portal().bearer(reading.access_token).post('/account/logout/')).toMatchReply({
        status: 403,
        headers: { 'www-authenticate': 'Bearer realm="api", error="insufficient_scope"' },
        json: { detail: 'This token may only read.' },
      });
      const signIn = await tokensOf(portal(), publicClient, { scope: 'openid' });
      expect((await portal().bearer(signIn.access_token).get('/account/session')).status).toBe(403);
      expect((await portal().bearer(signIn.access_token).get('/o/userinfo')).status).toBe(200);
    });
  });

  describe('user info', () => {
    test.each(['/o/userinfo/', '/o/userinfo', '/api/o/v4/userinfo'])(
      '%s knows name and password, a session, and a token',
      async (path) => {
        const session = await portal().session('mia');
        for (const client of [portal().as('mia'), session, portal().bearer(await portal().tokenOf('mia'))]) {
          for (const method of ['GET', 'POST']) {
            expect(await client.request(method, path)).toMatchReply({
              status: 200,
              headers: { 'cache-control': 'no-store' },
              json: expect.objectContaining({ sub: String(portal().ids.mia), groups: ['contributors', 'surveyors'] }),
            });
          }
        }
      },
    );

    test('a token can come in a form, but not in the address', async () => {
      const token = await portal().tokenOf('ada');
      expect((await portal().visitor.post('/o/userinfo', `access_token=${token}`, FORM)).status).toBe(200);
      expect((await portal().visitor.get(`/o/userinfo?access_token=${token}`)).status).toBe(401);
      expect(await portal().visitor.get(`/account/session?access_token=${token}`)).toMatchReply({
        json: { user: null },
      });
    });

    test('nobody is told who nobody is', async () => {
      expect(await portal().visitor.get('/o/userinfo/')).toMatchReply({
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="api", charset="UTF-8", Bearer realm="api"' },
        json: { detail: 'Authentication credentials were not provided.' },
      });
      expect(await portal().visitor.get('/o/userinfo/', { 'x-requested-with': 'XMLHttpRequest' })).toMatchReply({
        status: 401,
        headers: { 'www-authenticate': 'Bearer realm="api"' },
      });
      expect((await portal().bearer('not.a.token').get('/o/userinfo/')).status).toBe(401);
      expect((await portal().basic('ada', 'wrong').get('/o/userinfo/')).status).toBe(401);
    });
  });

  describe('applications', () => {
    test('are registered, listed and removed by administrators, and by nobody else', async () => {
      const body = { client_name: 'x', redirect_uris: [REDIRECT] };
      for (const [client, status] of [
        [portal().visitor, 401],
        [portal().as('ada'), 403],
      ] as const) {
        expect((await client.get('/account/clients')).status).toBe(status);
        expect((await client.post('/account/clients', body)).status).toBe(status);
        expect((await client.delete(`/account/clients/${publicClient.client_id}`)).status).toBe(status);
      }
      const made = await register(portal(), { client_name: 'Short-lived' });
      const { clients } = jsonOf(await portal().as('admin').get('/account/clients/')) as { clients: object[] };
      expect(clients).toContainEqual({
        client_id: made.client_id,
        client_name: 'Short-lived',
        redirect_uris: [REDIRECT],
        confidential: false,
      });
      expect(JSON.stringify(clients)).not.toContain('secret');
      expect((await portal().as('admin').delete(`/account/clients/${made.client_id}/`)).status).toBe(204);
      expect((await portal().as('admin').delete(`/account/clients/${made.client_id}`)).status).toBe(404);
      const query = new URLSearchParams({ client_id: made.client_id, response_type: 'code', redirect_uri: REDIRECT });
      expect((await portal().browser().get(`/o/authorize?${query}`)).status).toBe(400);
    });

    test.each([
      ['no name', { redirect_uris: [REDIRECT] }, 'client_name'],
      ['no address', { client_name: 'x' }, 'redirect_uris'],
      ['an empty list', { client_name: 'x', redirect_uris: [] }, 'redirect_uris'],
      ['an address that is none', { client_name: 'x', redirect_uris: ['nonsense'] }, 'redirect_uris'],
      ['a script as address', { client_name: 'x', redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
      ['a host with a directive', { client_name: 'x', redirect_uris: ['https://a.example;x-y/back'] }, 'redirect_uris'],
      ['a fragment', { client_name: 'x', redirect_uris: [`${REDIRECT}#here`] }, 'redirect_uris'],
      ['a number', { client_name: 'x', redirect_uris: [1] }, 'redirect_uris'],
      ['a word for yes', { client_name: 'x', redirect_uris: [REDIRECT], confidential: 'yes' }, 'confidential'],
    ])('%s is refused', async (_what, body, field) => {
      const reply = await portal().as('admin').post('/account/clients', body);
      expect(reply.status).toBe(400);
      expect(Object.keys(jsonOf(reply) as object)).toEqual([field]);
    });
  });

  test.each([
    ['GET', '/o/nothing-here', 404],
    ['GET', '/o/', 404],
    ['GET', '/o/token', 405],
    ['POST', '/o/token', 400],
    ['POST', '/o/authorize', 405],
    ['PUT', '/o/token', 405],
    ['GET', '/o/authorize?client_id=%00', 400],
    ['GET', `/o/authorize?client_id=${'a'.repeat(300)}`, 400],
    ['GET', '/o/authorize?client_id[]=a&client_id[]=b', 400],
  ])('%s %s is answered with %d', async (method, path, status) => {
    expect((await portal().browser().request(method, path)).status).toBe(status);
  });
});

async function register(portal: Portal, extra: object): Promise<Client> {
  const reply = await portal
    .as('admin')
    .post('/account/clients/', { client_name: 'Field <b>app</b>', redirect_uris: [REDIRECT], ...extra });
  expect(reply.status).toBe(201);
  return jsonOf(reply) as Client;
}

type Flow = {
  readonly back: URL;
  readonly pages: readonly string[];
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
};

type Ask = {
  readonly scope?: string;
  readonly username?: string;
  readonly extra?: Readonly<Record<string, string>>;
};

/** Goes through redirects and forms until the application's own address is reached. */
async function authorize(browser: SessionClient, client: Client, ask: Ask = {}): Promise<Flow> {
  const [state, nonce, verifier] = [0, 1, 2].map(() => randomBytes(32).toString('base64url')) as [
    string,
    string,
    string,
  ];
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: ask.scope ?? 'openid read write',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...ask.extra,
  });
  const pages: string[] = [];
  let reply = await browser.get(`/o/authorize/?${query}`);
  for (let step = 0; step < 12; step += 1) {
    const location = headerOf(reply, 'location');
    if (location?.startsWith(REDIRECT)) return { back: new URL(location), pages, state, nonce, verifier };
    if (location !== null) {
      reply = await browser.get(pathOf(location));
      continue;
    }
    const html = textOf(reply.body);
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? `no page: ${reply.status} ${html}`;
    pages.push(title);
    const fields = formOf(html);
    if (title === 'Sign in') fields.set('username', ask.username ?? 'ada');
    if (title === 'Sign in') fields.set('password', PASSWORD);
    const action = /<form method="post" action="(.*?)">/.exec(html)?.[1];
    if (action === undefined) throw new Error(`a page without a form: ${html}`);
    reply = await browser.post(action, fields.toString(), FORM);
  }
  throw new Error(`no end: ${pages.join(', ')}`);
}

async function tokensOf(portal: Portal, client: Client, ask: Ask = {}): Promise<Tokens> {
  return exchange(portal, client, await authorize(portal.browser(), client, ask));
}

/** The first page of a flow, whichever it is. */
async function loginPageOf(
  browser: SessionClient,
  client: Client,
): Promise<{ readonly html: string; readonly path: string; readonly policy: string | null }> {
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'openid read write',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  let reply = await browser.get(`/o/authorize?${query}`);
  let path = '';
  for (let location = headerOf(reply, 'location'); location !== null; location = headerOf(reply, 'location')) {
    path = pathOf(location);
    reply = await browser.get(path);
  }
  return { html: textOf(reply.body), path, policy: headerOf(reply, 'content-security-policy') };
}

function formOf(html: string): URLSearchParams {
  const csrf = /name="csrfmiddlewaretoken" value="(.*?)"/.exec(html)?.[1] ?? '';
  return new URLSearchParams({ csrfmiddlewaretoken: csrf });
}

async function exchange(portal: Portal, client: Client, flow: Flow): Promise<Tokens> {
  const reply = await tokenRequest(portal, client, {
    grant_type: 'authorization_code',
    code: flow.back.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: flow.verifier,
  });
  expect(reply).toMatchReply({ status: 200, json: expect.objectContaining({ token_type: 'Bearer' }) });
  return jsonOf(reply) as Tokens;
}

function tokenRequest(
  portal: Portal,
  client: Client,
  body: Record<string, string>,
  path = '/o/token/',
): Promise<Reply> {
  if (client.client_secret === undefined) {
    return portal.visitor.post(path, new URLSearchParams({ client_id: client.client_id, ...body }).toString(), FORM);
  }
  return portal.basic(client.client_id, client.client_secret).post(path, new URLSearchParams(body).toString(), FORM);
}

function pathOf(location: string): string {
  const url = new URL(location, 'http://localhost');
  return `${url.pathname}${url.search}`;
}

function jsonOf(reply: Reply): unknown {
  return JSON.parse(textOf(reply.body));
}
