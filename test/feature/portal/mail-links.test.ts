// Links by mail: forgotten passwords, registering, invitations, other mail addresses; sent by SMTP to a real server.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error a script without types
import { portalDocument } from '../../../scripts/api-types.mjs';
import type { Observation } from '../../../src/kernel/observation.ts';
import type { MailLinkParts, Registration } from '../../../src/portal/accounts/mail-link-routes.ts';
import { makeSmtpMailer } from '../../../src/portal/mail/smtp-mailer.ts';
import { sendAccountLetters } from '../../../src/portal/social/send-account-letters.ts';
import { type Letter, type MailServer, startMailServer } from '../../testkit/mail-server.ts';
import { onPortal, PASSWORD, type Portal } from '../../testkit/portal-client.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { complaintAbout, type Document } from './answers-by-schema.ts';

const PUBLIC = 'https://maps.example.org';
const FORGOTTEN = '/account/password/forgotten/';
const REGISTER = '/account/register/';
const LINK = '/account/link/';
const USE = '/account/link/use/';
const WHO = '/account/session/';
const NEW = 'a new horse battery';

const server: Promise<MailServer> = startMailServer();
const observed: Observation[] = [];

/** Settings that change between the tests of one portal. */
let registration: Registration = 'open';

/** Only the address of the server is awaited: a mailer is made when the first letter is posted. */
function mail(): MailLinkParts {
  let made: Promise<ReturnType<typeof makeSmtpMailer>> | undefined;
  const mailer = (): NonNullable<typeof made> =>
    (made ??= server.then(({ url }) =>
      makeSmtpMailer({ url, from: 'Maps <maps@example.org>', observe: (one) => observed.push(one), retryMs: [1, 1] }),
    ));
  return {
    mailer: {
      post: (letter) => void mailer().then((one) => one.post(letter)),
      // The next engine's portal posts to a new one.
      async close() {
        const last = await made;
        made = undefined;
        await last?.close();
      },
    },
    publicUrl: PUBLIC,
    get registration() {
      return registration;
    },
  };
}

const DOCUMENT: Document = await portalDocument();

const tokenIn = ({ text }: Letter): string => {
  const [, token] = /https:\/\/maps\.example\.org\/account\/link#([\w-]{43})\s/.exec(`${text}\n`) ?? [];
  if (token === undefined) throw new Error(text);
  return token;
};

onPortal('links by mail', { portal: { mail: mail() } }, (portal) => {
  let post: MailServer;
  beforeAll(async () => {
    post = await server;
  });
  /** Every answer is as the OpenAPI document says. */
  const askAs = async (client: Portal['visitor'], path: string, body: object, headers = {}): Promise<Reply> => {
    const reply = await client.post(path, body, headers);
    const operation = DOCUMENT.paths[path]?.['post'];
    expect(operation === undefined ? path : complaintAbout(reply, operation, DOCUMENT)).toBeUndefined();
    return reply;
  };
  const ask = (path: string, body: object, headers = {}): Promise<Reply> =>
    askAs(portal().visitor, path, body, headers);

  // Every test finds the accounts as they were made, and nobody has been written to.
  beforeEach(async () => {
    registration = 'open';
    await portal().db.script(`
      update portal.account_detail d set email = a.username || '@example.org', is_active = a.username <> 'gone'
        from portal.account a where a.id = d.account_id;
      update portal_private.credential set password_hash =
        (select c.password_hash from portal_private.credential c join portal.account a on a.id = c.account_id where a.username = 'gone');
      delete from portal.preference;
      delete from portal_private.mail_link;
      delete from portal_private.account_letter`);
  });
  const tellOwners = (): Promise<number> => sendAccountLetters(portal().callerDb, mail().mailer, PUBLIC);

  describe('a way to sign in that changed', () => {
    const told = async (): Promise<readonly string[]> => {
      const letters: string[] = [];
      for (let left = await tellOwners(); left > 0; left -= 1) {
        const { to, text } = await post.next();
        letters.push(`${to.join()}: ${text.replaceAll('\r', '').split('\n\n')[1]}`);
      }
      return letters.sort();
    };

    test('is told to the owner of the account, whoever changed it, once', async () => {
      await portal().as('ada').post('/api/v2/access-tokens/', { name: 'Nightly', scope: 'read', days: 1 });
      const password = `/api/v2/users/${portal().ids.ada}/password`;
      expect((await portal().as('admin').put(password, { password: NEW })).status).toBe(200);
      expect(await told()).toEqual([
        expect.stringMatching(
          /^ada@example.org: the access token “Nightly” was created for your account\. \(\d{4}-.* UTC\)$/,
        ),
        expect.stringMatching(/^ada@example.org: the password of your account was changed\./),
      ]);
      expect(await told()).toEqual([]);
      expect((await portal().as('admin').put(password, { password: PASSWORD })).status).toBe(200);
    });

    test('goes to the address of then, and says what somebody named in one line', async () => {
      const ada = portal().ids.ada;
      await portal().db.script(`insert into portal_private.audit (act, subject, subject_id, detail)
          values ('token-made', 'account', ${ada}, '{"name": "x\\n\\nSign in at https://evil.example"}');
        update portal.account_detail set email = 'other@example.org' where account_id = ${ada}`);
      expect(await told()).toEqual([
        expect.stringContaining('ada@example.org: the access token “x  Sign in at https://evil.example” was created'),
        expect.stringContaining('ada@example.org: the e-mail address of your account is now other@example.org'),
      ]);
      await portal().db.script(`update portal.account_detail set email = 'ada@example.org' where account_id = ${ada}`);
    });

    test.each([
      ['totp', 'factor-added', 'codes of an app was switched on'],
      ['totp', 'factor-removed', 'codes of an app was switched off'],
      ['passkey', 'factor-added', 'a passkey was added'],
      ['passkey', 'factor-removed', 'a passkey was removed'],
      ['all', 'factor-reset', 'an administrator removed'],
      ['recovery', 'recovery-code-used', 'one of the recovery codes'],
    ])('a second factor (%s, %s) as what it is', async (factor, act, text) => {
      await portal().db.script(`select portal_private.audit_factor('${act}', ${portal().ids.bob}, '${factor}')`);
      expect(await told()).toEqual([expect.stringContaining(text)]);
    });

    test('is queued for a day where nobody sends it, and not sent afterwards', async () => {
      await portal().db.script(`select portal_private.audit_factor('factor-added', ${portal().ids.bob}, 'totp');
        update portal_private.account_letter set at = now() - interval '25 hours'`);
      expect(await told()).toEqual([]);
      await portal().db.script(`select portal_private.audit_factor('factor-added', ${portal().ids.bob}, 'totp');
        update portal_private.account_letter set at = now() - interval '25 hours'; select portal.sweep_expired()`);
      expect(await portal().db.query('select from portal_private.account_letter')).toEqual([]);
    });
  });

  describe('a forgotten password', () => {
    test('is replaced once, by name or by mail address, and ends every sign-in', async () => {
      const before = await portal().session('bob');
      expect(await ask(FORGOTTEN, { login: 'BOB' }, { 'accept-language': 'de' })).toMatchReply({
        status: 202,
        json: {},
      });
      const letter = await post.next();
      expect(letter).toMatchObject({ to: ['bob@example.org'], subject: 'Ein neues Passwort wählen' });
      const token = tokenIn(letter);
      expect(await ask(LINK, { token })).toMatchReply({
        status: 200,
        json: { purpose: 'password', username: 'bob', email: 'bob@example.org' },
      });
      expect(await ask(USE, { token, password: 'short' })).toMatchReply({
        status: 400,
        json: { password: [expect.any(String)] },
      });
      expect((await ask(USE, { token, password: NEW })).status).toBe(200);
      expect((await portal().basic('bob', NEW).get(WHO)).status).toBe(200);
      expect((await portal().basic('bob', PASSWORD).get(WHO)).status).toBe(401);
      expect(JSON.parse(textOf((await before.get(WHO)).body)).user).toBeNull();
      for (const path of [LINK, USE])
        expect(await ask(path, { token, password: NEW })).toMatchReply({
          status: 400,
          json: { token: [expect.stringContaining('Ask for a new one')] },
        });
      await ask(FORGOTTEN, { login: 'bob@EXAMPLE.org' });
      expect((await post.next()).text).toContain('Hello bob,');
    });

    test('is asked for in the same words by whoever is not there, and nobody is written to', async () => {
      const known = await ask(FORGOTTEN, { login: 'mel' });
      await post.next();
      for (const login of ['nobody-at-all', 'gone', 'x\u0000y', 'nobody@example.org']) {
        const unknown = await ask(FORGOTTEN, { login });
        expect([unknown.status, textOf(unknown.body)]).toEqual([known.status, textOf(known.body)]);
      }
      // Letters are sent in order: this one is the next.
      await ask(FORGOTTEN, { login: 'mia' });
      expect((await post.next()).to).toEqual(['mia@example.org']);
    });

    test('fills nobody’s inbox', async () => {
      for (let n = 0; n < 8; n += 1) expect((await ask(FORGOTTEN, { login: 'ada' })).status).toBe(202);
      for (let n = 0; n < 5; n += 1) expect((await post.next()).to).toEqual(['ada@example.org']);
      await ask(FORGOTTEN, { login: 'admin' });
      expect((await post.next()).to).toEqual(['admin@example.org']);
    });

    test('a link ends, also with the account that is switched off', async () => {
      await ask(FORGOTTEN, { login: 'mel' });
      const token = tokenIn(await post.next());
      await portal().db.query('update portal.account_detail set is_active = false where account_id = $1', [
        portal().ids.mel,
      ]);
      expect((await ask(USE, { token, password: NEW })).status).toBe(400);
      await portal().db.query('update portal.account_detail set is_active = true where account_id = $1', [
        portal().ids.mel,
      ]);
      await portal().db.query(`update portal_private.mail_link set expires = now() where account_id = $1`, [
        portal().ids.mel,
      ]);
      expect((await ask(USE, { token, password: NEW })).status).toBe(400);
    });

    test('a link never leads where a request says', async () => {
      await ask(FORGOTTEN, { login: 'mia' }, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
      expect((await post.next()).text).not.toContain('evil');
    });
  });

  describe('registering', () => {
    const register = async (email: string): Promise<string> => {
      expect(await ask(REGISTER, { email })).toMatchReply({ status: 202, json: {} });
      return tokenIn(await post.next());
    };

    test('takes a mail address first, then a name that nobody has', async () => {
      const token = await register('nora@example.org');
      expect(await ask(LINK, { token })).toMatchReply({
        json: { purpose: 'registration', username: null, email: 'nora@example.org' },
      });
      expect(await ask(USE, { token, username: 'ADA', password: NEW })).toMatchReply({
        status: 400,
        json: { username: ['A user with that username already exists.'] },
      });
      expect(await ask(USE, { token, username: 'no ra', password: NEW })).toMatchReply({ status: 400 });
      const body = { token, username: 'nora', password: NEW, first_name: 'Nora', is_superuser: true, is_staff: true };
      expect(await ask(USE, body)).toMatchReply({ status: 200, json: { username: 'nora', is_active: true } });
      const { user } = JSON.parse(textOf((await portal().basic('nora', NEW).get(WHO)).body));
      expect(user).toMatchObject({
        username: 'nora',
        first_name: 'Nora',
        email: 'nora@example.org',
        is_superuser: false,
      });
      expect((await ask(USE, { ...body, username: 'nora2' })).status).toBe(400);
    });

    test('with the address of an account is answered alike, and told in the letter', async () => {
      expect(await ask(REGISTER, { email: 'Mia@example.org' })).toMatchReply({ status: 202, json: {} });
      const letter = await post.next();
      expect(letter.subject).toBe('You already have an account');
      expect(letter.text).toContain('“mia”');
      expect(letter.text).not.toContain('#');
    });

    test('waits for an administrator where that is asked', async () => {
      registration = 'approval';
      const token = await register('olaf@example.org');
      expect(await ask(USE, { token, username: 'olaf', password: NEW })).toMatchReply({
        json: { username: 'olaf', is_active: false },
      });
      expect((await portal().basic('olaf', NEW).get(WHO)).status).toBe(401);
      // Administrators are told, once.
      const letter = await post.next();
      expect(letter).toMatchObject({ to: ['admin@example.org'], subject: 'An account waits for approval' });
      expect(letter.text).toContain('“olaf”');
      expect(letter.text).toContain('https://maps.example.org/admin?tab=users');
      const again = `select * from portal.account a, portal.approval_letters(a.id) where a.username = 'olaf'`;
      expect(await portal().db.query(again)).toEqual([]);
      await portal().db.query(
        `update portal.account_detail d set is_active = true from portal.account a where a.id = d.account_id and a.username = 'olaf'`,
      );
      expect((await portal().basic('olaf', NEW).get(WHO)).status).toBe(200);
    });

    test.each(['off', 'invitation'] as const)('is not there where it is %s', async (how) => {
      registration = how;
      expect((await ask(REGISTER, { email: 'who@example.org' })).status).toBe(404);
    });

    test('is by invitation of administrators, and of nobody else', async () => {
      registration = 'invitation';
      const body = { email: 'ida@example.org' };
      expect((await ask('/account/invite/', body)).status).toBe(401);
      expect((await askAs(portal().as('ada'), '/account/invite/', body)).status).toBe(403);
      expect((await askAs(portal().as('admin'), '/account/invite/', body)).status).toBe(202);
      const token = tokenIn(await post.next());
      expect((await ask(USE, { token, username: 'ida', password: NEW })).status).toBe(200);
      expect((await portal().basic('ida', NEW).get(WHO)).status).toBe(200);
    });

    test.each([
      'x',
      'a@b',
      'a@b.c\r\nBcc: evil@example.org',
      'a@b.c, evil@example.org',
      '<a@b.c>',
      `${'a'.repeat(300)}@example.org`,
      '',
      5,
    ])('%j is no mail address', async (email) => {
      registration = 'open';
      expect(await ask(REGISTER, { email })).toMatchReply({ status: 400, json: { email: [expect.any(String)] } });
    });
  });

  describe('another mail address', () => {
    test('counts when its owner has confirmed it, and the one before is told', async () => {
      const mia = portal().as('mia');
      expect((await askAs(mia, '/account/email/', { email: 'mia@new.example.org', password: PASSWORD })).status).toBe(
        202,
      );
      const letter = await post.next();
      expect(letter.to).toEqual(['mia@new.example.org']);
      const addressOf = async (): Promise<string> => JSON.parse(textOf((await mia.get(WHO)).body)).user.email;
      expect(await addressOf()).toBe('mia@example.org');
      expect((await ask(USE, { token: tokenIn(letter) })).status).toBe(200);
      expect(await addressOf()).toBe('mia@new.example.org');
      expect(await tellOwners()).toBe(1);
      const told = await post.next();
      expect(told.to).toEqual(['mia@example.org']);
      expect(told.text).toContain('the e-mail address of your account is now mia@new.example.org');
    });

    test('needs the password first, and tells nobody whose address it is that they want', async () => {
      const ada = await portal().session('ada');
      const want = (email: string, proof = {}): Promise<Reply> => askAs(ada, '/account/email/', { email, ...proof });
      expect(await want('ada@new.example.org')).toMatchReply({
        status: 400,
        json: { password: ['This field is required.'] },
      });
      expect(await want('ada@new.example.org', { password: 'wrong' })).toMatchReply({
        status: 400,
        json: { password: ['This password is wrong.'] },
      });
      expect((await want('bob@example.org', { password: PASSWORD })).status).toBe(202);
      expect(await post.next()).toMatchObject({ to: ['bob@example.org'], subject: 'You already have an account' });
      const links = await portal().db.query(
        `select from portal_private.mail_link where purpose = 'email' and expires > now()`,
      );
      expect(links).toEqual([]);
    });

    test('is not taken from an account that has got it since', async () => {
      const ada = portal().as('ada');
      await askAs(ada, '/account/email/', { email: 'late@example.org', password: PASSWORD });
      const token = tokenIn(await post.next());
      await portal().db.query(`select portal.create_account('late', email => 'late@example.org')`);
      expect((await ask(USE, { token })).status).toBe(400);
      expect(JSON.parse(textOf((await ada.get(WHO)).body)).user.email).toBe('ada@example.org');
    });

    test('is not changed by a token', async () => {
      const robot = portal().bearer(await portal().tokenOf('mia'));
      expect((await robot.post('/account/email/', { email: 'x@example.org' })).status).toBe(403);
      expect((await ask('/account/email/', { email: 'x@example.org' })).status).toBe(401);
    });
  });

  describe('an address that its owner has confirmed', () => {
    const isVerified = async (name: 'mel' | 'mia' | 'admin'): Promise<unknown> =>
      JSON.parse(textOf((await portal().as(name).get('/o/userinfo/')).body)).email_verified;

    test('is told to applications as one, until it is only typed in', async () => {
      const patched = await portal().db.query<{ is: boolean }>(
        `update portal.account_detail set email = 'mia@typed.example.org' where account_id = $1
           returning portal.email_is_confirmed(account_id) as is`,
        [portal().ids.mia],
      );
      expect(patched).toHaveLength(1);
      expect(await isVerified('mia')).toBe(false);
      await askAs(portal().as('mia'), '/account/email/', { email: 'mia@third.example.org', password: PASSWORD });
      const token = tokenIn(await post.next());
      await ask(USE, { token });
      expect(await isVerified('mia')).toBe(true);
      expect(await tellOwners()).toBe(2);
      const told = [await post.next(), await post.next()];
      expect(told.flatMap(({ to }) => to).sort()).toEqual(['mia@example.org', 'mia@typed.example.org']);
      // Nobody has ever written to this one.
      expect(await isVerified('admin')).toBe(false);
    });
  });

  describe('an invitation to a group', () => {
    const invite = (username: string): Promise<Reply> =>
      portal().as('mia').post(`/api/v2/groups/${portal().ids.surveyors}/members/`, { username });

    test('is told by mail, and refused where there is no such account', async () => {
      const [known, unknown] = [await invite('ada'), await invite('nobody-at-all')];
      expect([known.status, unknown.status]).toEqual([202, 400]);
      const letter = await post.next();
      expect(letter).toMatchObject({ to: ['ada@example.org'], subject: 'You are invited to a group' });
      expect(letter.text).toContain('mia invites you to join the group “Surveyors”');
      expect(letter.text).toContain(`${PUBLIC}/groups`);
    });

    test('comes in the language of whom it is for', async () => {
      await portal().db.query(`insert into portal.preference values ($1, 'language', 'de')`, [portal().ids.bob]);
      expect((await invite('bob')).status).toBe(202);
      expect((await post.next()).text).toContain('mia lädt Sie in die Gruppe „Surveyors“ ein. Antworten Sie hier:');
    });

    test('fills nobody’s inbox, and keeps nobody from a new password', async () => {
      await portal().db.query('delete from portal_private.mail_link');
      for (let n = 0; n < 7; n += 1) expect((await invite('ada')).status).toBe(202);
      for (let n = 0; n < 5; n += 1) expect((await post.next()).subject).toBe('You are invited to a group');
      await ask(FORGOTTEN, { login: 'ada@example.org' });
      expect((await post.next()).subject).toBe('Choose a new password');
    });
  });

  test('other sites can ask for nothing', async () => {
    for (const path of [FORGOTTEN, REGISTER, LINK, USE]) {
      expect((await ask(path, { login: 'ada' }, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await ask(path, { login: 'ada' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      const form = await portal().visitor.post(path, 'login=ada', {
        'content-type': 'application/x-www-form-urlencoded',
      });
      expect(form.status).toBe(415);
    }
  });

  test('a server that is busy is tried again, and what fails is observed without names', async () => {
    observed.length = 0;
    post.refuse(1);
    await portal().db.query('delete from portal_private.mail_link');
    await ask(FORGOTTEN, { login: 'admin' });
    expect((await post.next()).to).toEqual(['admin@example.org']);
    expect(observed[0]).toMatchObject({ kind: 'mail-failed', attempt: 1, retryInMs: 1 });
    post.refuse(3);
    await ask(FORGOTTEN, { login: 'admin' });
    await expect.poll(() => observed.filter(({ kind }) => kind === 'mail-failed').length).toBe(4);
    expect(observed.at(-1)).toMatchObject({ attempt: 3, retryInMs: undefined });
    expect(JSON.stringify(observed)).not.toContain('admin@example.org');
  });

  test('the pages hear what is offered', async () => {
    expect(await portal().visitor.get('/account/defaults/')).toMatchReply({
      json: {
        sharing: 'private',
        bin_days: 0,
        mail: true,
        registration: 'open',
        provider: null,
        embed_hosts: [],
        remote_hosts: [],
        sql_console: true,
      },
    });
  });
});

afterAll(async () => (await server).close());
