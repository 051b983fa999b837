// Signing in: sessions, name and password in every request, and what is refused to whom.

import { afterEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../../../src/auth/password.ts';
import { onPortal, PASSWORD, type Portal } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';

const LOGIN = '/account/login/';
const SESSION = '/account/session/';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const NOBODY = { status: 200, json: { user: null } };

onPortal('signing in', {}, (portal) => {
  describe('with a session', () => {
    test('a session is opened with name and password, and known in the next request', async () => {
      const ada = await portal().session('ada');
      expect(await ada.get(SESSION)).toMatchReply({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        json: {
          user: {
            pk: portal().ids.ada,
            username: 'ada',
            first_name: 'Ada',
            last_name: 'Tester',
            email: 'ada@example.org',
            is_superuser: false,
            needs_second_factor: false,
            groups: ['contributors'],
          },
        },
      });
    });

    test('the name is found in any case, and shown as it was given', async () => {
      const reply = await portal().browser().post(LOGIN, { username: 'ADA', password: PASSWORD });
      expect(reply).toMatchReply({ status: 200, json: { user: expect.objectContaining({ username: 'ada' }) } });
    });

    test('the session cookie is out of reach of scripts and other sites; the one against forgery can be read', async () => {
      const reply = await portal().browser().post(LOGIN, { username: 'ada', password: PASSWORD });
      const lines = cookieLines(reply);
      expect(lines.find((line) => line.startsWith('sessionid='))).toMatch(
        /^sessionid=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax; HttpOnly$/,
      );
      expect(lines.find((line) => line.startsWith('csrftoken='))).toMatch(
        /^csrftoken=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax$/,
      );
    });

    test('the database has a hash of the token, not the token', async () => {
      const ada = await portal().session('ada');
      const stored = await portal().db.query<{ all: string }>(
        `select string_agg(encode(token_hash, 'hex') || encode(token_hash, 'escape') || data::text, ' ') as all from portal_private.session`,
      );
      expect(stored[0]?.all).not.toContain(ada.cookies.get('sessionid'));
    });

    test.each([
      ['a wrong password', { username: 'ada', password: 'wrong' }, 401, { detail: 'Invalid username/password.' }],
      ['an unknown name', { username: 'nobody', password: PASSWORD }, 401, { detail: 'Invalid username/password.' }],
      ['a deactivated account', { username: 'gone', password: PASSWORD }, 401, { detail: 'User inactive or deleted.' }],
      [
        'a wrong password of a deactivated account',
        { username: 'gone', password: 'wrong' },
        401,
        { detail: 'Invalid username/password.' },
      ],
      [
        'the pseudo account of visitors',
        { username: 'AnonymousUser', password: '' },
        400,
        { password: ['This field may not be blank.'] },
      ],
      ['no password', { username: 'ada' }, 400, { password: ['This field is required.'] }],
      ['nothing', {}, 400, { username: ['This field is required.'], password: ['This field is required.'] }],
      ['a list', [], 400, { username: ['This field is required.'], password: ['This field is required.'] }],
      [
        'no text',
        { username: { a: 1 }, password: 5 },
        400,
        { username: ['Not a valid string.'], password: ['Not a valid string.'] },
      ],
      [
        'a name that is SQL',
        { username: `' or 1=1 --`, password: PASSWORD },
        401,
        { detail: 'Invalid username/password.' },
      ],
      ['a name with a NUL', { username: 'ada\0', password: PASSWORD }, 401, { detail: 'Invalid username/password.' }],
      [
        'a very long name',
        { username: 'a'.repeat(100_000), password: PASSWORD },
        401,
        { detail: 'Invalid username/password.' },
      ],
    ])('%s opens none', async (_what, body, status, json) => {
      const browser = portal().browser();
      const reply = await browser.post(LOGIN, body);
      expect(reply).toMatchReply({ status, json });
      expect(headerOf(reply, 'www-authenticate') ?? '').not.toContain('Basic');
      expect(browser.cookies.has('sessionid')).toBe(false);
    });

    test('a form signs in with the token of the page it is on, and leads where it asked to', async () => {
      for (const name of ['username', 'login']) {
        const browser = portal().browser();
        await browser.get(LOGIN, { accept: 'text/html' });
        const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? '';
        expect(csrfmiddlewaretoken).toMatch(/^[\w-]{43}$/);
        const form = new URLSearchParams({ [name]: 'ada', password: PASSWORD, csrfmiddlewaretoken, next: '/maps/5' });
        expect(await browser.post(LOGIN, form.toString(), FORM)).toMatchReply({
          status: 302,
          headers: { location: '/maps/5' },
        });
        expect(await browser.get(SESSION)).toMatchReply({
          status: 200,
          json: { user: expect.objectContaining({ username: 'ada' }) },
        });
      }
    });

    test('a form with a wrong password, or that says nothing, opens no session', async () => {
      const browser = portal().browser();
      await browser.get(SESSION);
      const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? '';
      const wrong = new URLSearchParams({ username: 'ada', password: 'wrong', csrfmiddlewaretoken });
      expect(await browser.post(LOGIN, wrong.toString(), FORM)).toMatchReply({ status: 401 });
      const empty = new URLSearchParams({ csrfmiddlewaretoken });
      expect(await browser.post(LOGIN, empty.toString(), FORM)).toMatchReply({
        status: 400,
        json: { username: ['This field is required.'], password: ['This field is required.'] },
      });
      expect(browser.cookies.has('sessionid')).toBe(false);
    });

    test('a form of another site cannot sign somebody in', async () => {
      const form = new URLSearchParams({ username: 'bob', password: PASSWORD, csrfmiddlewaretoken: 'x' }).toString();
      for (const [type, status, headers] of [
        ['application/x-www-form-urlencoded', 403, {}],
        ['application/x-www-form-urlencoded', 403, { cookie: 'csrftoken=y' }],
        ['application/x-www-form-urlencoded', 403, { cookie: 'csrftoken=x', origin: 'https://evil.example.org' }],
        ['text/plain', 415, { cookie: 'csrftoken=x' }],
        ['multipart/form-data; boundary=x', 415, { cookie: 'csrftoken=x' }],
      ] as const) {
        const reply = await portal().visitor.post(LOGIN, form, { 'content-type': type, ...headers });
        expect(reply.status).toBe(status);
        expect(cookieLines(reply)).toEqual([]);
      }
    });

    test('a token planted before signing in is worth nothing after it', async () => {
      const planted = await portal().session('bob');
      const victim = portal().browser();
      victim.cookies.set('sessionid', planted.cookies.get('sessionid') ?? '');
      await victim.post(LOGIN, { username: 'ada', password: PASSWORD });
      expect(victim.cookies.get('sessionid')).not.toBe(planted.cookies.get('sessionid'));
      expect(await planted.get(SESSION)).toMatchReply(NOBODY);
    });

    test('signing out ends the session, not only the cookie', async () => {
      const ada = await portal().session('ada');
      const copied = portal().browser();
      copied.cookies.set('sessionid', ada.cookies.get('sessionid') ?? '');
      expect(await ada.post('/account/logout/')).toMatchReply({ status: 204, text: '' });
      expect(ada.cookies.has('sessionid')).toBe(false);
      expect(await copied.get(SESSION)).toMatchReply(NOBODY);
    });

    test('a session that has ended, and a cookie that never was one, make a visitor', async () => {
      for (const value of ['x'.repeat(43), 'short', '', `' or 1=1`, 'a'.repeat(4000)]) {
        const reply = await portal().visitor.get(SESSION, { cookie: `sessionid=${value}` });
        expect(reply).toMatchReply(NOBODY);
      }
    });

    test('a session ends by itself', async () => {
      const ada = await portal().session('ada');
      await portal().db.query(`update portal_private.session set expires = now() where account_id = $1`, [
        portal().ids.ada,
      ]);
      expect(await ada.get(SESSION)).toMatchReply(NOBODY);
    });

    test('deactivating an account ends its sessions; activating it again does not bring them back', async () => {
      const mel = await portal().session('mel');
      await activate(portal(), 'mel', false);
      expect(await mel.get(SESSION)).toMatchReply(NOBODY);
      await activate(portal(), 'mel', true);
      expect(await mel.get(SESSION)).toMatchReply(NOBODY);
    });
  });

  describe('requests that no page of ours asked for', () => {
    const forged = { detail: 'CSRF Failed: CSRF token missing or incorrect.' };

    test('are refused without the cookie', async () => {
      const ada = await portal().session('ada');
      const reply = await portal().visitor.post('/account/logout/', undefined, {
        cookie: `sessionid=${ada.cookies.get('sessionid')}`,
      });
      expect(reply).toMatchReply({ status: 403, json: { detail: 'CSRF Failed: CSRF cookie not set.' } });
    });

    test('are refused without the header, and with another one', async () => {
      const ada = await portal().session('ada');
      const cookie = `sessionid=${ada.cookies.get('sessionid')}; csrftoken=${ada.cookies.get('csrftoken')}`;
      const bob = await portal().session('bob');
      const tries: Record<string, string>[] = [
        {},
        { 'x-csrftoken': '' },
        { 'x-csrftoken': 'guess' },
        { 'x-csrftoken': bob.cookies.get('csrftoken') ?? '' },
      ];
      for (const headers of tries) {
        expect(await portal().visitor.post('/account/logout/', undefined, { cookie, ...headers })).toMatchReply({
          status: 403,
          json: forged,
        });
      }
      expect((await ada.get(SESSION)).status).toBe(200);
    });

    test('are refused when cookie and header agree but are not the session’s, as a neighbouring site could set them', async () => {
      const ada = await portal().session('ada');
      const own = 'k'.repeat(43);
      const cookie = `sessionid=${ada.cookies.get('sessionid')}; csrftoken=${own}`;
      const reply = await portal().visitor.post('/account/logout/', undefined, { cookie, 'x-csrftoken': own });
      expect(reply).toMatchReply({ status: 403, json: forged });
    });

    test('a page that has lost its cookie gets it again by asking who is there', async () => {
      const ada = await portal().session('ada');
      const before = ada.cookies.get('csrftoken');
      ada.cookies.delete('csrftoken');
      await ada.get(SESSION);
      expect(ada.cookies.get('csrftoken')).toBe(before);
    });

    test('need no such proof with name and password, even beside a session cookie', async () => {
      const ada = await portal().session('ada');
      const reply = await portal()
        .as('bob')
        .post('/account/token/', undefined, {
          cookie: `sessionid=${ada.cookies.get('sessionid')}`,
        });
      expect(reply.status).toBe(200);
    });
  });

  describe('with name and password in every request', () => {
    test('works without any session', async () => {
      const reply = await portal().as('admin').get(SESSION);
      expect(reply).toMatchReply({
        status: 200,
        json: { user: expect.objectContaining({ username: 'admin', is_superuser: true }) },
      });
    });

    test('a wrong password is refused even where none is needed', async () => {
      expect(await portal().basic('ada', 'wrong').get(SESSION)).toMatchReply({
        status: 401,
        json: { detail: 'Invalid username/password.' },
      });
    });

    test.each([
      ['no colon', 'Basic YWRh'],
      ['no base64', 'Basic ***'],
      ['nothing', 'Basic'],
      ['two words', 'Basic YWRh OmI='],
    ])('a header with %s is refused', async (_what, authorization) => {
      expect(await portal().visitor.get(SESSION, { authorization })).toMatchReply({
        status: 401,
        json: { detail: 'Invalid username/password.' },
      });
    });

    test('schemes that are not ours are left alone', async () => {
      expect(await portal().visitor.get(SESSION, { authorization: 'Negotiate abc' })).toMatchReply(NOBODY);
    });

    test('letters outside ASCII work in UTF-8 and in Latin-1', async () => {
      const hash = await hashPassword('pässwörter');
      await portal().db.query('select portal.set_password($1, $2)', [portal().ids.mel, hash]);
      for (const encoding of ['utf8', 'latin1'] as const) {
        const authorization = `Basic ${Buffer.from('mel:pässwörter', encoding).toString('base64')}`;
        expect((await portal().visitor.get(SESSION, { authorization })).status).toBe(200);
      }
      await resetPassword(portal(), 'mel');
    });

    test('a password that was right is right no longer once it is changed, although it was remembered', async () => {
      const mel = portal().as('mel');
      expect((await mel.get(SESSION)).status).toBe(200);
      expect((await mel.get(SESSION)).status).toBe(200);
      await portal().db.query('select portal.set_password($1, $2)', [
        portal().ids.mel,
        await hashPassword('another one'),
      ]);
      expect((await mel.get(SESSION)).status).toBe(401);
      expect((await portal().basic('mel', 'another one').get(SESSION)).status).toBe(200);
      await resetPassword(portal(), 'mel');
      expect((await mel.get(SESSION)).status).toBe(200);
    });

    test('a deactivated account is refused in the next request, although its password was remembered', async () => {
      const mel = portal().as('mel');
      expect((await mel.get(SESSION)).status).toBe(200);
      await activate(portal(), 'mel', false);
      expect(await mel.get(SESSION)).toMatchReply({ status: 401, json: { detail: 'User inactive or deleted.' } });
      await activate(portal(), 'mel', true);
      expect((await mel.get(SESSION)).status).toBe(200);
    });

    test('an account that lost its administrator rights has lost them in the next request', async () => {
      const db = portal().db;
      await db.query('update portal.account_detail set is_superuser = true where account_id = $1', [portal().ids.mel]);
      expect((await portal().as('mel').get('/account/clients/')).status).toBe(200);
      await db.query('update portal.account_detail set is_superuser = false where account_id = $1', [portal().ids.mel]);
      expect((await portal().as('mel').get('/account/clients/')).status).toBe(403);
    });

    test('many requests at once with the same password are all answered', async () => {
      portal().clock.advance(600_000); // what was remembered is forgotten
      const replies = await Promise.all(Array.from({ length: 40 }, () => portal().as('bob').get(SESSION)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    });
  });

  describe('guessing', () => {
    afterEach(() => portal().clock.advance(3600_000));

    test('after ten wrong passwords an account has to wait at that address, with the right password too', async () => {
      const tries = await guesses(portal(), 'bob', 11);
      expect(tries.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401));
      expect(tries[10]).toMatchReply({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { detail: 'Request was throttled. Expected available in 30 seconds.' },
      });
      expect((await portal().browser().post(LOGIN, { username: 'BOB', password: PASSWORD })).status).toBe(429);
      expect((await portal().as('ada').get(SESSION)).status).toBe(200);
      portal().clock.advance(31_000);
      expect((await portal().browser().post(LOGIN, { username: 'bob', password: PASSWORD })).status).toBe(200);
    });

    test('it makes no difference whether there is such an account', async () => {
      const tries = await guesses(portal(), 'nobody-at-all', 11);
      expect(tries.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    });

    test('name and password in every request are counted too', async () => {
      const replies: Reply[] = [];
      for (let i = 0; i < 11; i += 1) replies.push(await portal().basic('mia', `guess ${i}`).get(SESSION));
      expect(replies.at(-1)?.status).toBe(429);
    });

    test('a password remembered as right is not counted, so a guesser at the same address does not lock it out', async () => {
      expect((await portal().as('mia').get(SESSION)).status).toBe(200);
      await guesses(portal(), 'mia', 11);
      expect((await portal().as('mia').get(SESSION)).status).toBe(200);
    });

    test('a wrong password typed again and again is counted like any other', async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1)
        statuses.push((await portal().browser().post(LOGIN, { username: 'mia', password: 'the same' })).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    });

    test('the same wrong password with every request is no further guess, of an account that exists or not', async () => {
      for (const name of ['mia', 'nobody-at-all']) {
        const statuses: number[] = [];
        for (let i = 0; i < 25; i += 1) statuses.push((await portal().basic(name, 'an old one').get(SESSION)).status);
        expect(new Set(statuses)).toEqual(new Set([401]));
      }
      expect((await portal().browser().post(LOGIN, { username: 'mia', password: PASSWORD })).status).toBe(200);
    });

    test('a burst is counted before it is answered', async () => {
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          portal()
            .browser()
            .post(LOGIN, { username: 'mel', password: `guess ${i}` }),
        ),
      );
      expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
    });
  });

  test('no answer and no observation repeats a password', async () => {
    const secret = 'a very secret word';
    const replies = [
      await portal().browser().post(LOGIN, { username: 'ada', password: secret }),
      await portal().basic('ada', secret).get(SESSION),
      await portal().visitor.post(LOGIN, `{"username":"ada","password":"${secret}`, {
        'content-type': 'application/json',
      }),
    ];
    for (const reply of replies) expect(textOf(reply.body)).not.toContain(secret);
    expect(JSON.stringify(portal().seen)).not.toContain(secret);
  });
});

onPortal(
  'signing in behind TLS',
  { engines: ['postgres'], portal: { publicUrl: 'https://maps.example.org' } },
  (portal) => {
    test('cookies are for TLS only', async () => {
      const reply = await portal().browser().post(LOGIN, { username: 'ada', password: PASSWORD });
      expect(cookieLines(reply)).toHaveLength(2);
      for (const line of cookieLines(reply)) expect(line).toMatch(/; Secure$/);
    });

    test('the client’s address is what the proxy says, and not what the client says before it', async () => {
      const guess = (from: string, i: number): Promise<Reply> =>
        portal().visitor.post(LOGIN, { username: 'bob', password: `guess ${i}` }, { 'x-forwarded-for': from });
      for (let i = 0; i < 10; i += 1) await guess(`10.9.9.${i}, 203.0.113.7`, i);
      expect((await guess('198.51.100.1, 203.0.113.7', 10)).status).toBe(429);
      expect((await guess('203.0.113.8', 11)).status).toBe(401);
    });

    test('a client in a private network is no proxy unless the settings say so', async () => {
      const guess = (i: number): Promise<{ statusCode: number }> =>
        portal().app.inject({
          method: 'POST',
          url: LOGIN,
          remoteAddress: '192.168.1.5',
          headers: { 'x-forwarded-for': `203.0.113.${100 + i}` },
          payload: { username: 'mia', password: `guess ${i}` },
        });
      for (let i = 0; i < 10; i += 1) expect((await guess(i)).statusCode).toBe(401);
      expect((await guess(10)).statusCode).toBe(429);
    });
  },
);

function cookieLines({ headers }: Reply): readonly string[] {
  return headers instanceof Headers ? headers.getSetCookie() : [headers['set-cookie'] ?? []].flat();
}

async function guesses(portal: Portal, username: string, count: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < count; i += 1) {
    replies.push(await portal.browser().post(LOGIN, { username, password: `guess ${i}` }));
  }
  return replies;
}

async function activate(portal: Portal, account: 'mel', isActive: boolean): Promise<void> {
  await portal.db.query('update portal.account_detail set is_active = $2 where account_id = $1', [
    portal.ids[account],
    isActive,
  ]);
}

async function resetPassword(portal: Portal, account: 'mel'): Promise<void> {
  await portal.db.query('select portal.set_password($1, $2)', [portal.ids[account], await hashPassword(PASSWORD)]);
}
