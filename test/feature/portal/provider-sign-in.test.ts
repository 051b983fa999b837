// Sign-in with an OpenID Connect provider: with a second portal as the provider, from the button to the session; and with a provider that lies.

import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderSettings } from '../../../src/portal/accounts/provider/provider-settings.ts';
import { setSignInRule } from '../../../src/portal/accounts/second-factor/factor-store.ts';
import { onEachEngine, openDatabase, type TestDatabase } from '../../testkit/database.ts';
import { openPortal, PASSWORD, type Portal, type SessionClient } from '../../testkit/portal-client.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { CLIENT, type HostileProvider, startHostileProvider } from './hostile-provider.ts';

const PUBLIC = 'https://maps.example.org';
const CALLBACK = `${PUBLIC}/account/oidc/callback`;
const START = '/account/oidc/start';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const SETTINGS: Omit<ProviderSettings, 'issuer' | 'clientId' | 'clientSecret'> = {
  name: 'Other',
  scopes: ['openid', 'profile', 'email', 'groups'],
  groupsClaim: 'groups',
  groups: [{ slug: 'surveyors', value: 'surveyors' }],
  registration: 'open',
  linkByEmail: false,
  secondFactor: false,
};

const whoIs = async (browser: SessionClient): Promise<{ username: string; groups: string[] } | null> =>
  JSON.parse(textOf((await browser.get('/account/session/')).body)).user;
const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');

onEachEngine('sign-in with a provider', { fixtures: PORTAL_SCHEMA }, (db) => {
  let portal: Portal;
  let ids: Portal['ids'];
  beforeAll(async () => {
    const plain = await openPortal(db());
    ids = plain.ids;
    await plain.close();
  });
  /** What a test changes of the settings. */
  let rules: Partial<ProviderSettings> = {};
  const settingsOf = (fixed: Pick<ProviderSettings, 'issuer' | 'clientId' | 'clientSecret'>): ProviderSettings =>
    new Proxy({ ...SETTINGS, ...fixed }, { get: (target, name) => Reflect.get({ ...target, ...rules }, name) });
  beforeEach(() => {
    rules = {};
  });

  describe('that is another portal', () => {
    let other: Portal;
    let otherDb: TestDatabase;
    let host: string;

    beforeAll(async () => {
      otherDb = await openDatabase(db().engine, PORTAL_SCHEMA);
      other = await openPortal(otherDb);
      await other.app.listen({ host: '127.0.0.1', port: 0 });
      host = `127.0.0.1:${(other.app.server.address() as AddressInfo).port}`;
      const client = JSON.parse(
        textOf(
          (
            await other
              .as('admin')
              .post('/account/clients/', { client_name: 'Maps', redirect_uris: [CALLBACK], confidential: true })
          ).body,
        ),
      );
      const provider = settingsOf({
        issuer: `http://${host}/o`,
        clientId: client.client_id,
        clientSecret: client.client_secret,
      });
      portal = await openPortal(db(), { publicUrl: PUBLIC, provider }, ids);
    });
    // Nobody has come from there before, and accounts are as they were made.
    afterEach(() =>
      db().script(`delete from portal_private.provider_identity;
        delete from portal.account where id > ${ids.gone};
        update portal.account_detail d set email = a.username || '@example.org' from portal.account a where a.id = d.account_id;
        delete from portal.user_group where slug = 'local'`),
    );
    afterAll(async () => {
      await portal?.close();
      await other?.close();
      await otherDb?.close();
    });

    /** What a person does at the provider, up to the address that it sends the browser back to. */
    const answerOf = async (address: string, username: string): Promise<string> => {
      const browser = other.browser();
      let reply = await browser.get(pathOf(address), { host });
      for (let step = 0; step < 12; step += 1) {
        const location = headerOf(reply, 'location');
        if (location?.startsWith(CALLBACK)) return pathOf(location);
        if (location !== null) {
          reply = await browser.get(pathOf(location), { host });
          continue;
        }
        const html = textOf(reply.body);
        const action = /<form method="post" action="(.*?)">/.exec(html)?.[1];
        if (action === undefined) throw new Error(`a page without a form: ${html}`);
        const csrfmiddlewaretoken = /name="csrfmiddlewaretoken" value="(.*?)"/.exec(html)?.[1] ?? '';
        const fields = new URLSearchParams({ csrfmiddlewaretoken, username, password: PASSWORD });
        reply = await browser.post(action, fields.toString(), { ...FORM, host });
      }
      throw new Error('the provider does not come to an end');
    };
    const signIn = async (
      username: string,
      next = '/',
    ): Promise<{ readonly browser: SessionClient; readonly reply: Reply }> => {
      const browser = portal.browser();
      const begun = await browser.get(`${START}?${new URLSearchParams({ next })}`);
      expect(begun.status).toBe(303);
      const reply = await browser.get(await answerOf(headerOf(begun, 'location') ?? '', username));
      expect(reply.status).toBe(303);
      return { browser, reply };
    };
    const confirm = (at: TestDatabase, account: number): Promise<unknown> =>
      at.query(
        `select portal_private.confirm_email(account_id, email) from portal.account_detail where account_id = $1`,
        [account],
      );

    test('makes an account at the first sign-in, finds it at the next, and goes on where the person was', async () => {
      const { browser, reply } = await signIn('ada', '/maps/7?x=1');
      expect(headerOf(reply, 'location')).toBe('/maps/7?x=1');
      // There is an ada here already, who is somebody else, and keeps her name and her address.
      const me = await whoIs(browser);
      expect(me).toMatchObject({
        username: expect.stringMatching(/^ada-\d+$/),
        first_name: 'Ada',
        email: '',
        is_superuser: false,
      });
      expect((await whoIs((await signIn('ada')).browser))?.username).toBe(me?.username);
      // There is no password to this account, and none that opens it.
      expect((await portal.basic(me?.username ?? '', PASSWORD).get('/account/session/')).status).toBe(401);
    });

    test('an administrator there is nobody special here', async () => {
      expect(await whoIs((await signIn('admin')).browser)).toMatchObject({
        username: expect.stringMatching(/^admin-\d+$/),
        is_superuser: false,
      });
    });

    test('groups of the settings follow the provider at each sign-in, others stay', async () => {
      const groupsOf = async (): Promise<readonly string[]> =>
        (await whoIs((await signIn('mel')).browser))?.groups.filter((slug) => slug !== 'contributors') ?? [];
      expect(await groupsOf()).toEqual(['surveyors']);
      const { browser } = await signIn('mel');
      const me = await whoIs(browser);
      await db().query(`insert into portal.user_group (slug, title) values ('local', 'Local')`);
      await db().query(
        `insert into portal.group_member (group_id, account_id)
           select g.id, a.id from portal.user_group g, portal.account a where g.slug = 'local' and a.username = $1`,
        [me?.username],
      );
      const leave = 'delete from portal.group_member where group_id = $1 and account_id = $2';
      await other.db.query(leave, [other.ids.surveyors, other.ids.mel]);
      expect(await groupsOf()).toEqual(['local']);
      rules = { groups: [{ slug: 'nowhere', value: 'contributors' }] };
      expect(await groupsOf()).toEqual(['local']);
      expect(portal.seen.at(-1)).toMatchObject({
        kind: 'provider-failed',
        message: expect.stringContaining('nowhere'),
      });
    });

    test('who may not register is told so on the sign-in page, and gets no account', async () => {
      rules = { registration: 'off' };
      const { browser, reply } = await signIn('mia', '/add');
      expect(headerOf(reply, 'location')).toBe('/account/login?problem=unknown&next=%2Fadd');
      expect(await whoIs(browser)).toBeNull();
      expect(await db().query(`select from portal.account where username like 'mia-%'`)).toEqual([]);
    });

    test('who needs approval waits for it', async () => {
      rules = { registration: 'approval' };
      const { browser, reply } = await signIn('mia');
      expect(headerOf(reply, 'location')).toBe('/account/login?problem=inactive');
      expect(await whoIs(browser)).toBeNull();
      await db().query(
        `update portal.account_detail d set is_active = true from portal.account a where a.id = d.account_id and a.username like 'mia-%'`,
      );
      expect((await whoIs((await signIn('mia')).browser))?.username).toMatch(/^mia-\d+$/);
    });

    test('nobody comes into an account by its mail address, unless the settings say so and both sides have confirmed it', async () => {
      const wanted = { registration: 'off', linkByEmail: true } as const;
      rules = wanted;
      expect(headerOf((await signIn('bob')).reply, 'location')).toContain('problem=unknown');
      await confirm(other.db, other.ids.bob);
      expect(headerOf((await signIn('bob')).reply, 'location')).toContain('problem=unknown');
      await confirm(db(), portal.ids.bob);
      rules = { ...wanted, linkByEmail: false };
      expect(headerOf((await signIn('bob')).reply, 'location')).toContain('problem=unknown');
      // Two who have the same address, from before that was refused: nobody can tell which.
      await db().query('alter table portal.account_detail disable trigger one_account_per_email');
      await db().query(`update portal.account_detail set email = 'bob@example.org' where account_id = $1`, [
        portal.ids.mel,
      ]);
      await db().query('alter table portal.account_detail enable trigger one_account_per_email');
      await confirm(db(), portal.ids.mel);
      rules = wanted;
      expect(headerOf((await signIn('bob')).reply, 'location')).toContain('problem=unknown');
      await db().query(`update portal.account_detail set email = 'mel@example.org' where account_id = $1`, [
        portal.ids.mel,
      ]);
      expect((await whoIs((await signIn('bob')).browser))?.username).toBe('bob');
      // From now on by subject, whatever becomes of the address.
      await db().query(`update portal.account_detail set email = '' where account_id = $1`, [portal.ids.bob]);
      rules = { registration: 'off' };
      expect((await whoIs((await signIn('bob')).browser))?.username).toBe('bob');
      const [noted] = await db().query(
        `select name, detail from portal_private.audit where act = 'identity-linked' and name = 'bob'`,
      );
      expect(noted).toEqual({ name: 'bob', detail: { issuer: `http://${host}/o` } });
    });

    test('an account that is switched off stays so', async () => {
      await signIn('ada');
      await db().query(
        `update portal.account_detail d set is_active = false from portal.account a where a.id = d.account_id and a.username like 'ada-%'`,
      );
      const { browser, reply } = await signIn('ada');
      expect(headerOf(reply, 'location')).toBe('/account/login?problem=inactive');
      expect(await whoIs(browser)).toBeNull();
    });

    describe('an account links itself', () => {
      const LINK = '/account/oidc/link/';
      beforeAll(async () => {
        for (const username of ['gus', 'bob2', 'zoe'])
          await other.db.query(
            `select portal.create_account($1, (select password_hash from portal_private.credential where account_id = $2), '', '', '')`,
            [username, other.ids.ada],
          );
      });
      const linkAs = async (browser: SessionClient, person: string): Promise<string | null> => {
        const begun = await browser.post(LINK, { password: PASSWORD });
        expect(begun.status).toBe(200);
        return headerOf(await browser.get(await answerOf(JSON.parse(textOf(begun.body)).url, person)), 'location');
      };

      test('with proof, to a person of the provider that no other account is, and signs in there from then on', async () => {
        const browser = await portal.session('mia');
        expect(await browser.get(LINK)).toMatchReply({ status: 200, json: { is_linked: false, since: null } });
        expect(await browser.post(LINK, {})).toMatchReply({ status: 400, json: { password: [expect.any(String)] } });
        expect((await browser.post(LINK, { password: 'not this one' })).status).toBe(400);
        expect((await portal.visitor.post(LINK, {})).status).toBe(401);
        expect((await portal.bearer(await portal.tokenOf('mia')).post(LINK, { password: PASSWORD })).status).toBe(403);
        // The person whose account was made at a first sign-in.
        await signIn('mel');
        expect(await linkAs(browser, 'mel')).toBe('/account?tab=access&provider=taken');
        const before = await db().query('select count(*) as n from portal.account');
        expect(await linkAs(browser, 'gus')).toBe('/account?tab=access&provider=linked');
        expect(await db().query('select count(*) as n from portal.account')).toEqual(before);
        expect(await browser.get(LINK)).toMatchReply({ json: { is_linked: true, since: expect.any(String) } });
        expect(await linkAs(browser, 'bob2')).toBe('/account?tab=access&provider=other');
        rules = { registration: 'off' };
        expect((await whoIs((await signIn('gus')).browser))?.username).toBe('mia');
      });

      test('in the browser that began it, while it is signed in there', async () => {
        const browser = await portal.session('ada');
        const { url } = JSON.parse(textOf((await browser.post(LINK, { password: PASSWORD })).body));
        const answer = await answerOf(url, 'zoe');
        const thief = await portal.session('bob');
        for (const [name, value] of browser.cookies) if (name === 'provider_sign_in') thief.cookies.set(name, value);
        expect(headerOf(await thief.get(answer), 'location')).toBe('/account?tab=access&provider=expired');
        expect(
          await db().query(`select from portal_private.provider_identity where account_id = $1`, [portal.ids.ada]),
        ).toEqual([]);
      });

      test('and takes the link back, unless it is the only way in', async () => {
        const browser = await portal.session('mia');
        const [before] = await db().query<{ id: number }>('select max(id) as id from portal_private.audit');
        expect(await linkAs(browser, 'gus')).toBe('/account?tab=access&provider=linked');
        expect((await browser.delete(LINK, {})).status).toBe(400);
        expect((await browser.delete(LINK, { password: PASSWORD })).status).toBe(204);
        expect((await browser.delete(LINK, { password: PASSWORD })).status).toBe(404);
        rules = { registration: 'off' };
        expect(headerOf((await signIn('gus')).reply, 'location')).toContain('problem=unknown');
        rules = {};
        const { browser: theirs } = await signIn('mel');
        const them = await whoIs(theirs);
        expect(await theirs.delete(LINK, {})).toMatchReply({
          status: 400,
          json: [expect.stringContaining('the only way into your account')],
        });
        expect((await whoIs((await signIn('mel')).browser))?.username).toBe(them?.username);
        const acts = await db().query<{ act: string }>(
          `select act from portal_private.audit where name = 'mia' and act like 'identity-%' and id > $1 order by id`,
          [before?.id],
        );
        expect(acts.map(({ act }) => act)).toEqual(['identity-linked', 'identity-unlinked']);
      });
    });

    test('a second factor is asked for after the provider where the settings say so, and of administrators who need one', async () => {
      const me = await whoIs((await signIn('mel')).browser);
      const addKey = `select portal.add_passkey(a.id, decode(md5(random()::text), 'hex'), decode(md5(random()::text), 'hex'), '\\x00', 0, '{}', 'Phone')
        from portal.account a where a.username = $1`;
      await db().query(addKey, [me?.username]);
      expect((await whoIs((await signIn('mel')).browser))?.username).toBe(me?.username);
      rules = { secondFactor: true };
      expect(headerOf((await signIn('mel')).reply, 'location')).toBe('/account/login?step=second&next=%2F');
      rules = {};
      await db().query(
        `update portal.account_detail d set is_superuser = true from portal.account a where a.id = d.account_id and a.username = $1`,
        [me?.username],
      );
      await setSignInRule(portal.callerDb, true);
      try {
        expect(headerOf((await signIn('mel')).reply, 'location')).toBe('/account/login?step=second&next=%2F');
      } finally {
        await setSignInRule(portal.callerDb, false);
        await db().query(
          `update portal.account_detail d set is_superuser = false from portal.account a where a.id = d.account_id and a.username = $1`,
          [me?.username],
        );
        await db().query(`delete from portal_private.passkey`);
      }
    });

    test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
      'leads to no other site afterwards: %s',
      async (next) => {
        expect(headerOf((await signIn('mel', next)).reply, 'location')).toBe('/');
      },
    );

    test('an answer is good once, and in the browser that asked', async () => {
      const browser = portal.browser();
      const begun = await browser.get(START);
      const answer = await answerOf(headerOf(begun, 'location') ?? '', 'mel');
      const thief = portal.browser();
      expect(headerOf(await thief.get(answer), 'location')).toBe('/account/login?problem=expired');
      await thief.get(START);
      expect(headerOf(await thief.get(answer), 'location')).toBe('/account/login?problem=provider');
      expect(await whoIs(thief)).toBeNull();
      const kept = new Map(browser.cookies);
      expect(headerOf(await browser.get(answer), 'location')).toBe('/');
      const again = portal.browser();
      for (const [name, value] of kept) again.cookies.set(name, value);
      expect(headerOf(await again.get(answer), 'location')).toBe('/account/login?problem=provider');
      expect(await whoIs(again)).toBeNull();
    });

    test('the pages hear of it', async () => {
      expect(JSON.parse(textOf((await portal.visitor.get('/account/defaults/')).body)).provider).toEqual({
        name: 'Other',
      });
    });
  });

  describe('that lies', () => {
    let liar: HostileProvider;
    let victim: Portal;

    beforeAll(async () => {
      liar = await startHostileProvider();
      victim = await openPortal(
        db(),
        {
          publicUrl: PUBLIC,
          provider: settingsOf({ issuer: liar.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret }),
        },
        ids,
      );
    });
    afterAll(async () => {
      await victim?.close();
      await liar?.close();
    });
    afterEach(() => {
      liar.idToken = undefined;
      liar.userinfo = undefined;
      liar.tokens = undefined;
      liar.metadata = {};
      // Asked anew what it says of itself.
      victim.clock.advance(2 * 3600_000);
    });

    const begin = async (): Promise<{ readonly browser: SessionClient; readonly state: string }> => {
      const browser = victim.browser();
      const asked = new URL(headerOf(await browser.get(START), 'location') ?? '', PUBLIC).searchParams;
      expect(asked.get('code_challenge_method')).toBe('S256');
      expect(asked.get('redirect_uri')).toBe(CALLBACK);
      liar.nonce = asked.get('nonce') ?? '';
      return { browser, state: asked.get('state') ?? '' };
    };
    const come = async (query: Readonly<Record<string, string>> = {}): Promise<readonly [string | null, unknown]> => {
      const { browser, state } = await begin();
      const reply = await browser.get(`/account/oidc/callback?${new URLSearchParams({ code: 'x', state, ...query })}`);
      return [headerOf(reply, 'location'), await whoIs(browser)];
    };
    const REFUSED = ['/account/login?problem=provider', null];
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

    test('an honest answer is taken', async () => {
      expect(await come()).toEqual(['/', expect.objectContaining({ username: 'stranger', email: '' })]);
    });

    test.each<readonly [string, NonNullable<HostileProvider['idToken']>]>([
      ['another nonce', ({ claims, provider }) => provider.sign({ ...claims, nonce: 'other' })],
      ['no nonce', ({ claims: { nonce: _, ...claims }, provider }) => provider.sign(claims)],
      ['another audience', ({ claims, provider }) => provider.sign({ ...claims, aud: 'someone-else' })],
      [
        'several audiences and no word for which',
        ({ claims, provider }) => provider.sign({ ...claims, aud: [CLIENT.id, 'x'] }),
      ],
      ['another issuer', ({ claims, provider }) => provider.sign({ ...claims, iss: 'https://evil.example' })],
      ['a time that is over', ({ claims, provider }) => provider.sign({ ...claims, exp: 1_000_000 })],
      ['a time that is to come', ({ claims, provider }) => provider.sign({ ...claims, iat: 32e8, exp: 33e8 })],
      ['a sign-in that is to come', ({ claims, provider }) => provider.sign({ ...claims, auth_time: 32e8 })],
      ['no subject', ({ claims: { sub: _, ...claims }, provider }) => provider.sign(claims)],
      ['a subject without end', ({ claims, provider }) => provider.sign({ ...claims, sub: 'x'.repeat(300) })],
      ['a foreign key under the name of the own', ({ claims, provider }) => provider.sign(claims, 'foreign')],
      ['a foreign key', ({ claims, provider }) => provider.sign(claims, 'foreign', 'two')],
      ['no signature', async ({ claims }) => `${part({ alg: 'none' })}.${part(claims)}.`],
      [
        'the secret as its key',
        async ({ claims }) => {
          const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
          return `${text}.${createHmac('sha256', CLIENT.secret).update(text).digest('base64url')}`;
        },
      ],
      [
        'a claim that was changed afterwards',
        async ({ claims, provider }) => {
          const [head, , signature] = (await provider.sign(claims)).split('.');
          return `${head}.${part({ ...claims, sub: 'person-8' })}.${signature}`;
        },
      ],
      ['nothing to read', async () => 'x.y.z'],
    ])('an ID token with %s signs nobody in', async (_, token) => {
      liar.idToken = token;
      expect(await come()).toEqual(REFUSED);
    });

    test.each([
      ['another state', { state: 'other' }],
      ['no state', { state: '' }],
      ['an error in place of a code', { error: 'server_error' }],
      ['the code of another provider', { iss: 'https://evil.example' }],
    ])('an answer with %s signs nobody in, and no tokens are asked for', async (_, query) => {
      const { asked } = liar;
      expect(await come(query)).toEqual(REFUSED);
      expect(liar.asked).toBe(asked);
    });

    test('a provider that says who it is has to say so', async () => {
      liar.metadata = { authorization_response_iss_parameter_supported: true };
      expect(await come()).toEqual(REFUSED);
      expect((await come({ iss: liar.issuer }))[0]).toBe('/');
    });

    test('who says no at the provider is back on the sign-in page', async () => {
      expect(await come({ error: 'access_denied' })).toEqual(['/account/login?problem=cancelled', null]);
    });

    test('what it says elsewhere has to be about the same person, and does not undo what it signed', async () => {
      liar.metadata = { userinfo_endpoint: `${liar.issuer}/userinfo` };
      liar.userinfo = { sub: 'person-8', groups: ['surveyors'] };
      expect(await come()).toEqual(REFUSED);
      liar.userinfo = { sub: 'person-7', groups: ['surveyors'], preferred_username: 'admin' };
      expect(await come()).toEqual([
        '/',
        expect.objectContaining({ username: 'stranger', groups: expect.arrayContaining(['surveyors']) }),
      ]);
    });

    test('of a person who comes for the first time, what it signed counts, and not what it says elsewhere', async () => {
      liar.metadata = { userinfo_endpoint: `${liar.issuer}/userinfo` };
      liar.idToken = ({ claims, provider }) =>
        provider.sign({ ...claims, sub: 'person-9', preferred_username: 'newcomer', email: 'new@example.org' });
      liar.userinfo = { sub: 'person-9', preferred_username: 'somebody-else', email: 'else@example.org' };
      expect(await come()).toEqual(['/', expect.objectContaining({ username: 'newcomer' })]);
    });

    test('an answer without end, and one without tokens, are given up', async () => {
      liar.tokens = { body: { id_token: 'x'.repeat(2_000_000) } };
      expect(await come()).toEqual(REFUSED);
      liar.tokens = { body: { access_token: 'x', token_type: 'Bearer' } };
      expect(await come()).toEqual(REFUSED);
      liar.tokens = { status: 500, body: {} };
      expect(await come()).toEqual(REFUSED);
    });

    test('a provider that gives itself out as another is not used', async () => {
      liar.metadata = { issuer: 'https://evil.example' };
      const reply = await victim.visitor.get(`${START}?next=/add`);
      expect(headerOf(reply, 'location')).toBe('/account/login?problem=provider&next=%2Fadd');
    });

    test('nothing that failed is told with a secret in it', async () => {
      liar.tokens = { status: 400, body: { error: 'invalid_client', error_description: `no ${CLIENT.secret}` } };
      await come();
      const told = JSON.stringify(victim.seen);
      expect(told).toContain('provider-failed');
      for (const secret of [CLIENT.secret, liar.nonce]) expect(told).not.toContain(secret);
    });

    test('signing out leads to the provider’s own signing out, where it has one', async () => {
      liar.metadata = { end_session_endpoint: `${liar.issuer}/end` };
      const { browser, state } = await begin();
      await browser.get(`/account/oidc/callback?${new URLSearchParams({ code: 'x', state })}`);
      const out = await browser.post('/account/logout/');
      expect(out.status).toBe(200);
      const { logout_url: address } = JSON.parse(textOf(out.body));
      expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
        client_id: CLIENT.id,
        post_logout_redirect_uri: `${PUBLIC}/`,
      });
      expect(await whoIs(browser)).toBeNull();
      // Who signed in with a password has nothing to do with it.
      expect((await (await victim.session('ada')).post('/account/logout/')).status).toBe(204);
    });
  });
});
