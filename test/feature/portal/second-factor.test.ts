// The second factor: codes of an authenticator app and recovery codes, at every door that a password opens.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error a script without types
import { portalDocument } from '../../../scripts/api-types.mjs';
import { totpCode } from '../../../src/auth/totp.ts';
import { setSignInRule } from '../../../src/portal/accounts/second-factor/factor-store.ts';
import {
  type AccountName,
  onPortal,
  PASSWORD,
  type PortalClient,
  type SessionClient,
} from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeSoftPasskey } from '../../testkit/soft-passkey.ts';
import { complaintAbout, type Document } from './answers-by-schema.ts';

const STATE = '/account/second-factor/';
const TOTP = '/account/second-factor/totp/';
const CODES = '/account/second-factor/recovery-codes/';
const SECOND = '/account/login/second/';
const WHO = '/account/session/';
const LOGIN = '/account/login/';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const WRONG = { status: 400, json: { code: ['This code is wrong, or was used already.'] } };

const DOCUMENT: Document = await portalDocument();

const jsonOf = (reply: Reply) => JSON.parse(textOf(reply.body));

onPortal('the second factor', {}, (portal) => {
  /** Every answer is as the OpenAPI document says. */
  const ask = async (client: PortalClient, method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await client.request(method, path, body === undefined ? {} : { body });
    const operation = DOCUMENT.paths[path]?.[method.toLowerCase()];
    expect(operation === undefined ? path : complaintAbout(reply, operation, DOCUMENT)).toBeUndefined();
    return reply;
  };
  /** As the app shows it now. Every code is of a later half minute than the one before, as a person would wait for it. */
  const codeOf = async (name: AccountName): Promise<string> => {
    portal().clock.advance(30_000);
    const [row] = await portal().db.query<{ hex: string }>(
      `select encode(secret, 'hex') as hex from portal_private.totp where account_id = $1`,
      [portal().ids[name]],
    );
    return totpCode(Buffer.from(row?.hex ?? '', 'hex'), Math.floor(portal().clock.now() / 30_000));
  };
  const setUp = async (name: AccountName): Promise<{ browser: SessionClient; codes: readonly string[] }> => {
    await portal().db.query('select portal.remove_second_factor($1)', [portal().ids[name]]);
    const browser = await portal().session(name);
    expect((await ask(browser, 'POST', TOTP, { password: PASSWORD })).status).toBe(201);
    const confirmed = await ask(browser, 'PUT', TOTP, { code: await codeOf(name) });
    expect(confirmed.status).toBe(200);
    return { browser, codes: jsonOf(confirmed).recovery_codes };
  };
  const firstStep = async (name: AccountName): Promise<SessionClient> => {
    const browser = portal().browser();
    expect(await browser.post(LOGIN, { username: name, password: PASSWORD })).toMatchReply({
      status: 202,
      json: { user: null, second_factor: true },
    });
    expect(jsonOf(await browser.get(WHO)).user).toBeNull();
    return browser;
  };
  const userOf = async (browser: PortalClient): Promise<{ username: string; is_superuser: boolean } | null> =>
    jsonOf(await browser.get(WHO)).user;

  // Each test finds accounts that have none.
  beforeEach(() =>
    portal().db.script(`select portal.remove_second_factor(id) from portal.account;
      delete from portal_private.passkey`),
  );

  test('is set up with a secret for the app and its first code, and tells ten recovery codes once', async () => {
    const browser = await portal().session('ada');
    expect(await ask(browser, 'GET', STATE)).toMatchReply({
      json: { totp: false, recovery_codes: 0, has_password: true, passkeys: [], is_required: false },
    });
    // A stolen session cannot lock the owner out.
    for (const [proof, said] of [
      [{}, 'This field is required.'],
      [{ password: 'guess' }, 'This password is wrong.'],
    ] as const)
      expect(await ask(browser, 'POST', TOTP, proof)).toMatchReply({ status: 400, json: { password: [said] } });
    const begun = jsonOf(await ask(browser, 'POST', TOTP, { password: PASSWORD }));
    expect(begun.address).toBe(`otpauth://totp/localhost:ada?secret=${begun.secret}&issuer=localhost`);
    // Until then nothing has changed.
    expect((await portal().as('ada').get(WHO)).status).toBe(200);
    expect(await ask(browser, 'PUT', TOTP, { code: '000000' })).toMatchReply(WRONG);
    const { recovery_codes: codes } = jsonOf(await ask(browser, 'PUT', TOTP, { code: await codeOf('ada') }));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await ask(browser, 'GET', STATE)).toMatchReply({
      json: { totp: true, recovery_codes: 10, has_password: true, passkeys: [], is_required: false },
    });
    expect((await ask(browser, 'POST', TOTP, { password: PASSWORD })).status).toBe(400);
    const stored = JSON.stringify(await portal().db.query('select * from portal_private.recovery_code'));
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  describe('of somebody who signs in', () => {
    let codes: readonly string[];
    beforeEach(async () => {
      ({ codes } = await setUp('bob'));
    });

    test('is asked for after the password, and each code is good once', async () => {
      const code = await codeOf('bob');
      const browser = await firstStep('bob');
      expect(await ask(browser, 'POST', SECOND, { code: '000000' })).toMatchReply(WRONG);
      expect((await ask(browser, 'POST', SECOND, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200);
      expect((await userOf(browser))?.username).toBe('bob');
      const replayed = await firstStep('bob');
      expect(await ask(replayed, 'POST', SECOND, { code })).toMatchReply(WRONG);
      expect(await userOf(replayed)).toBeNull();
    });

    test('can be a recovery code, however it is typed, and once', async () => {
      const [first = '', second = ''] = codes;
      const browser = await firstStep('bob');
      expect((await ask(browser, 'POST', SECOND, { code: first.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
      expect(jsonOf(await browser.get(STATE)).recovery_codes).toBe(9);
      expect(await ask(await firstStep('bob'), 'POST', SECOND, { code: first })).toMatchReply(WRONG);
      // Somebody else's.
      await setUp('mel');
      expect(await ask(await firstStep('mel'), 'POST', SECOND, { code: second })).toMatchReply(WRONG);
    });

    test('is nothing without the first step', async () => {
      const code = await codeOf('bob');
      expect(await ask(portal().visitor, 'POST', SECOND, { code })).toMatchReply({
        status: 400,
        json: { code: ['This took too long. Sign in again.'] },
      });
      const forged = portal().browser();
      forged.cookies.set('second_step', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..x.y.z');
      expect((await ask(forged, 'POST', SECOND, { code })).status).toBe(400);
      // What was sealed for something else, and what has ended.
      const late = await firstStep('bob');
      portal().clock.advance(601_000);
      expect((await ask(late, 'POST', SECOND, { code: await codeOf('bob') })).status).toBe(400);
      expect(await userOf(late)).toBeNull();
    });

    test('cannot be guessed: ten tries, and the right one is refused as well', async () => {
      const browser = await firstStep('bob');
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1)
        statuses.push((await ask(browser, 'POST', SECOND, { code: String(n).padStart(6, '0') })).status);
      expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
      expect((await ask(await firstStep('bob'), 'POST', SECOND, { code: await codeOf('bob') })).status).toBe(429);
      // Its owner has another way in, and is not kept out by who guesses.
      expect((await ask(await firstStep('bob'), 'POST', SECOND, { code: codes[0] ?? '' })).status).toBe(200);
    });

    test('keeps the password alone out of everything: basic authentication, tokens for scripts', async () => {
      for (const [method, path] of [
        ['GET', '/api/v2/'],
        ['GET', WHO],
        ['POST', '/account/token/'],
        ['GET', '/o/userinfo'],
        ['POST', '/api/v2/access-tokens/'],
      ] as const)
        expect(await portal().as('bob').request(method, path), path).toMatchReply({
          status: 401,
          headers: { 'www-authenticate': 'Bearer realm="api"' },
          json: { detail: expect.stringContaining('Use an access token') },
        });
      // A wrong one learns nothing of it.
      expect(await portal().basic('bob', 'wrong').get(WHO)).toMatchReply({
        json: { detail: 'Invalid username/password.' },
      });
    });

    test('goes well with access tokens, which change nothing about it', async () => {
      const browser = await firstStep('bob');
      await ask(browser, 'POST', SECOND, { code: await codeOf('bob') });
      const made = jsonOf(await browser.post('/api/v2/access-tokens/', { name: 'Script', scope: 'write', days: 1 }));
      const robot = portal().bearer(made.token);
      expect((await userOf(robot))?.username).toBe('bob');
      for (const [method, path] of [
        ['DELETE', TOTP],
        ['POST', CODES],
        ['POST', TOTP],
      ] as const)
        expect((await ask(robot, method, path, { code: codes[0] ?? '' })).status).toBe(403);
    });

    test('is asked for by the form that clients fill in', async () => {
      const browser = portal().browser();
      await browser.get('/account/login/');
      const csrf = browser.cookies.get('csrftoken') ?? '';
      const fields = new URLSearchParams({ login: 'bob', password: PASSWORD, next: '/add', csrfmiddlewaretoken: csrf });
      const reply = await browser.post(LOGIN, fields.toString(), FORM);
      expect([reply.status, headerOf(reply, 'location')]).toEqual([302, '/account/login?step=second&next=%2Fadd']);
      expect(await userOf(browser)).toBeNull();
      expect((await ask(browser, 'POST', SECOND, { code: await codeOf('bob') })).status).toBe(200);
    });

    test('is asked for where an application sends people to sign in', async () => {
      const redirect = 'https://app.example.org/back';
      const client = jsonOf(
        await portal()
          .as('admin')
          .post('/account/clients/', { client_name: 'App', redirect_uris: [redirect] }),
      );
      const query = new URLSearchParams({
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: redirect,
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      });
      const browser = portal().browser();
      const pages: string[] = [];
      let reply = await browser.get(`/o/authorize?${query}`);
      for (let step = 0; step < 12 && !headerOf(reply, 'location')?.startsWith(redirect); step += 1) {
        const location = headerOf(reply, 'location');
        if (location !== null) {
          reply = await browser.get(location.replace(/^https?:\/\/[^/]+/, ''));
          continue;
        }
        const html = textOf(reply.body);
        const title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '';
        const isSecondTime = pages.at(-1) === 'Second step';
        pages.push(title);
        const action = /<form method="post" action="(.*?)">/.exec(html)?.[1] ?? '';
        const csrfmiddlewaretoken = /name="csrfmiddlewaretoken" value="(.*?)"/.exec(html)?.[1] ?? '';
        const code = title === 'Second step' ? (isSecondTime ? await codeOf('bob') : '000000') : '';
        const fields = { csrfmiddlewaretoken, username: 'bob', password: PASSWORD, code };
        reply = await browser.post(action, new URLSearchParams(fields).toString(), FORM);
      }
      expect(pages).toEqual(['Sign in', 'Second step', 'Second step', 'Allow access?']);
      expect(new URL(headerOf(reply, 'location') ?? '').searchParams.has('code')).toBe(true);
    });

    test('is removed with a code, and new recovery codes are made with one', async () => {
      const browser = await firstStep('bob');
      await ask(browser, 'POST', SECOND, { code: await codeOf('bob') });
      expect(await ask(browser, 'POST', CODES, { code: '000000' })).toMatchReply(WRONG);
      const fresh = jsonOf(await ask(browser, 'POST', CODES, { code: await codeOf('bob') })).recovery_codes;
      expect(await ask(await firstStep('bob'), 'POST', SECOND, { code: codes[3] ?? '' })).toMatchReply(WRONG);
      expect(await ask(browser, 'DELETE', TOTP, { code: '000000' })).toMatchReply(WRONG);
      expect((await ask(browser, 'DELETE', TOTP, { code: fresh[0] })).status).toBe(204);
      expect((await portal().as('bob').get(WHO)).status).toBe(200);
    });

    test('a new password leaves it as it is', async () => {
      const { browser } = await setUp('mia');
      const path = `/api/v2/users/${portal().ids.mia}/password/`;
      const changed = await browser.put(path, { old_password: PASSWORD, password: PASSWORD });
      expect(changed.status).toBe(200);
      await firstStep('mia');
    });

    test('is reset by administrators alone, which ends the sessions, and is in the audit log', async () => {
      const path = `/api/v2/users/${portal().ids.bob}/second-factor/`;
      const inside = await firstStep('bob');
      await ask(inside, 'POST', SECOND, { code: await codeOf('bob') });
      expect((await (await portal().session('mia')).delete(path)).status).toBe(403);
      expect((await portal().visitor.delete(path)).status).toBe(401);
      expect((await portal().as('admin').delete('/api/v2/users/999999/second-factor/')).status).toBe(404);
      expect((await portal().as('admin').delete(path)).status).toBe(204);
      expect(await userOf(inside)).toBeNull();
      expect((await portal().as('bob').get(WHO)).status).toBe(200);
      const noted = await portal().db.query<{ act: string; actor_name: string }>(
        `select act, actor_name from portal_private.audit where name = 'bob' and act like 'factor-%' order by id desc limit 2`,
      );
      expect(noted).toEqual([
        { act: 'factor-reset', actor_name: 'admin' },
        { act: 'factor-added', actor_name: 'bob' },
      ]);
    });
  });

  describe('a passkey', () => {
    const OPTIONS = '/account/passkeys/options/';
    const required = (field: string) => ({ status: 400, json: { [field]: ['This field is required.'] } });
    const addKey = async (name: AccountName): Promise<number> => {
      const [row] = await portal().db.query<{ id: number }>(
        `select portal.add_passkey($1, decode(md5(random()::text), 'hex'), decode(md5(random()::text), 'hex'), '\\x00', 0, '{}', 'Phone')::integer as id`,
        [portal().ids[name]],
      );
      return row?.id ?? 0;
    };
    const remove = (client: PortalClient, id: number, body?: object): Promise<Reply> =>
      client.delete(`/account/passkeys/${id}/`, body);

    test('is added by who proves to be the owner, with the password or a code', async () => {
      const browser = await portal().session('mel');
      expect(await ask(browser, 'POST', OPTIONS, {})).toMatchReply(required('password'));
      expect(await ask(browser, 'POST', OPTIONS, { password: 'not this one' })).toMatchReply({
        status: 400,
        json: { password: ['This password is wrong.'] },
      });
      expect(browser.cookies.has('passkey_challenge')).toBe(false);
      // Without a challenge there is nothing that could be answered.
      expect((await ask(browser, 'POST', '/account/passkeys/', { name: 'x', response: {} })).status).toBe(400);
      expect((await ask(browser, 'POST', OPTIONS, { password: PASSWORD })).status).toBe(200);
      expect(browser.cookies.has('passkey_challenge')).toBe(true);
      const { browser: withApp } = await setUp('mia');
      expect(await ask(withApp, 'POST', OPTIONS, { code: '000000' })).toMatchReply(WRONG);
      expect((await ask(withApp, 'POST', OPTIONS, { code: await codeOf('mia') })).status).toBe(200);
    });

    test('signs its owner in, and is refused where it says that it is somebody else’s', async () => {
      const key = makeSoftPasskey();
      await portal().db.query(
        `select portal.add_passkey($1, decode($2, 'hex'), decode($2, 'hex'), decode($3, 'hex'), 0, '{}', 'Phone')`,
        [portal().ids.mel, key.credential.toString('hex'), key.publicKey.toString('hex')],
      );
      const come = async (userHandle: string | undefined): Promise<readonly [number, unknown]> => {
        const browser = portal().browser();
        const { challenge } = jsonOf(await browser.post('/account/login/passkey/options/', {}));
        const response = key.answer(challenge, 'http://localhost', userHandle);
        const { status } = await browser.post('/account/login/passkey/', { response });
        return [status, (await userOf(browser))?.username];
      };
      expect(await come(String(portal().ids.mia))).toEqual([400, undefined]);
      expect(await come(undefined)).toEqual([400, undefined]);
      expect(await come(String(portal().ids.mel))).toEqual([200, 'mel']);
    });

    test('is removed by who proves to be the owner, and by nobody else', async () => {
      const browser = await portal().session('mel');
      const id = await addKey('mel');
      expect(await remove(browser, id)).toMatchReply(required('password'));
      expect((await remove(browser, id, { password: 'not this one' })).status).toBe(400);
      const bob = await portal().session('bob');
      expect((await remove(bob, id, { password: PASSWORD })).status).toBe(404);
      expect(jsonOf(await browser.get(STATE)).passkeys).toHaveLength(1);
      expect((await remove(browser, id, { password: PASSWORD })).status).toBe(204);
      expect(jsonOf(await browser.get(STATE)).passkeys).toEqual([]);
    });

    test('that is the only way into the account stays', async () => {
      const browser = await portal().session('mel');
      const [first, second] = [await addKey('mel'), await addKey('mel')];
      const [kept] = await portal().db.query<{ password_hash: string }>(
        'delete from portal_private.credential where account_id = $1 returning password_hash',
        [portal().ids.mel],
      );
      try {
        // Neither password nor code: who signed in just now is believed, and who did so long ago is not.
        expect((await remove(browser, first)).status).toBe(204);
        expect(await remove(browser, second)).toMatchReply({
          status: 400,
          json: [expect.stringContaining('the only way into your account')],
        });
        await portal().db.query(
          `update portal_private.session set created = now() - interval '11 minutes' where account_id = $1`,
          [portal().ids.mel],
        );
        expect(await remove(browser, second)).toMatchReply({
          status: 400,
          json: { non_field_errors: [expect.stringContaining('Sign in again')] },
        });
      } finally {
        await portal().db.query('insert into portal_private.credential (account_id, password_hash) values ($1, $2)', [
          portal().ids.mel,
          kept?.password_hash ?? '',
        ]);
      }
      expect((await remove(browser, second, { password: PASSWORD })).status).toBe(204);
    });
  });

  test('is asked for in maintenance as ever: administrators get in with it, others with nothing', async () => {
    const { browser } = await setUp('admin');
    await setUp('mel');
    const modeIs = async (mode: string): Promise<number> => (await browser.put('/api/v2/mode/', { mode })).status;
    expect(await modeIs('maintenance')).toBe(200);
    try {
      const other = await firstStep('mel');
      expect((await other.post(SECOND, { code: await codeOf('mel') })).status).toBe(503);
      expect(await userOf(other)).toBeNull();
      expect((await portal().visitor.post('/account/login/passkey/options/', {})).status).toBe(200);
      const inside = await firstStep('admin');
      expect((await inside.post(SECOND, { code: await codeOf('admin') })).status).toBe(200);
      expect((await userOf(inside))?.is_superuser).toBe(true);
    } finally {
      await modeIs('normal');
    }
  });

  describe('where administrators need one', () => {
    beforeAll(async () => {
      await setSignInRule(portal().callerDb, true);
    });

    test('who has none is an ordinary account everywhere, and administrator from the first code on', async () => {
      const browser = await portal().session('admin');
      expect(await userOf(browser)).toMatchObject({ is_superuser: false, needs_second_factor: true });
      const listAudit = (client: PortalClient): Promise<Reply> => client.get('/account/clients/');
      expect((await listAudit(browser)).status).toBe(403);
      expect((await listAudit(portal().as('admin'))).status).toBe(403);
      expect((await listAudit(portal().bearer(await portal().tokenOf('admin')))).status).toBe(403);
      expect(jsonOf(await browser.get(STATE)).is_required).toBe(true);
      await ask(browser, 'POST', TOTP, { password: PASSWORD });
      expect((await ask(browser, 'PUT', TOTP, { code: await codeOf('admin') })).status).toBe(200);
      expect(await userOf(browser)).toMatchObject({ is_superuser: true, needs_second_factor: false });
      expect((await listAudit(browser)).status).toBe(200);
      await ask(browser, 'DELETE', TOTP, { code: await codeOf('admin') });
      expect((await listAudit(browser)).status).toBe(403);
      await setSignInRule(portal().callerDb, false);
      expect((await listAudit(browser)).status).toBe(200);
    });
  });
});
