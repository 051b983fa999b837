// Accounts in the pages: registering, forgotten passwords, changed mail addresses and invitations, with letters that a real SMTP server takes; sign-in with
// an OpenID Connect provider; the second factor.

import { createServer } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode } from '../../src/auth/totp.ts';
import { CLIENT, type HostileProvider, startHostileProvider } from '../feature/portal/hostile-provider.ts';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { type Letter, type MailServer, startMailServer } from '../testkit/mail-server.ts';
import { serious } from './axe.ts';
import {
  ADMIN_PASSWORD,
  changeLook,
  makeAccount,
  NO_CHROMIUM,
  openContext,
  PASSWORD,
  type PortalProgram,
  signIn,
  startBrowser,
  startPortal,
  watchComplaints,
} from './portal-program.ts';
import { picture } from './stage.ts';

describeNeeding(NO_CHROMIUM, 'accounts, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let post: MailServer;
  let url: string;
  let provider: HostileProvider;

  beforeAll(async () => {
    [post, provider] = await Promise.all([startMailServer(), startHostileProvider()]);
    // Links in letters lead to the public address, which is known before the program listens.
    const port = await freePort();
    url = `http://localhost:${port}`;
    const settings = {
      'portal-port': String(port),
      'public-url': url,
      'mail-url': post.url,
      'mail-from': 'Maps <maps@example.org>',
      registration: 'open',
      'oidc-issuer': provider.issuer,
      'oidc-client-id': CLIENT.id,
      'oidc-client-secret': CLIENT.secret,
      'oidc-name': 'City',
      'oidc-registration': 'open',
    };
    [portal, browser] = await Promise.all([startPortal(settings), startBrowser()]);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
    await post?.close();
    await provider?.close();
  });

  const open = async (): Promise<{ context: BrowserContext; page: Page; complaints: readonly string[] }> => {
    const context = await openContext(browser, url, { coarse: true });
    const page = await context.newPage();
    return { context, page, complaints: watchComplaints(page) };
  };
  /** What axe finds on the page that is open: wide, dark and on a phone. */
  const lookAt = async (page: Page, name: string): Promise<void> => {
    const found: string[] = [];
    for (const [how, look] of [
      ['wide', {}],
      ['dark', { dark: true }],
      ['phone', { phone: true }],
    ] as const) {
      await changeLook(page, look);
      await picture(page, `account-${name}-${how}`);
      found.push(...(await serious(page, `${name}, ${how}`)));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (width > 1) found.push(`${name}, ${how}: ${width} pixels wider than the window`);
    }
    await changeLook(page, {});
    expect(found).toEqual([]);
  };
  const linkIn = ({ text }: Letter): string => /http:\/\/localhost:\d+\S+/.exec(text)?.[0] ?? text;

  test('somebody registers: an address, a letter, a name and a password, and is signed in', async () => {
    const { context, page, complaints } = await open();
    await page.goto('/account/login');
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('E-mail address').fill('nora@example.org');
    await lookAt(page, 'register');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('We have sent you an e-mail').waitFor();
    await page.goto(linkIn(await post.next()));
    await page.getByLabel('User name').waitFor();
    // The token is not left in the address, where whoever looks over a shoulder or at the history reads it.
    expect(new URL(page.url()).hash).toBe('');
    await lookAt(page, 'link');
    await page.getByLabel('User name').fill('nora');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'nora' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a forgotten password is replaced, and a link that was used says so', async () => {
    await makeAccount(portal, 'otto', 'otto@example.org');
    const { context, page, complaints } = await open();
    await page.goto('/account/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('User name or e-mail address').fill('otto');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('If there is such an account').waitFor();
    const link = linkIn(await post.next());
    await page.goto(link);
    await page.getByLabel('New password').fill('a third horse battery');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'otto' }).waitFor();
    await page.goto('/');
    await page.goto(link);
    await page.getByRole('alert').getByText('Ask for a new one').waitFor();
    await lookAt(page, 'link-used');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('an administrator invites, and a person changes the own mail address', async () => {
    const { context, page, complaints } = await open();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('ida@example.org');
    await lookAt(page, 'invite');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect((await post.next()).to).toEqual(['ida@example.org']);
    await page.goto('/account?tab=profile');
    const form = page.locator('form', { has: page.getByLabel('New e-mail address') });
    await form.getByLabel('New e-mail address').fill('root@example.org');
    await form.getByLabel('Password').fill(ADMIN_PASSWORD);
    await form.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('We have sent an e-mail to root@example.org').waitFor();
    await lookAt(page, 'profile');
    await page.goto(linkIn(await post.next()));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your e-mail address is confirmed').waitFor();
    await page.goto('/account?tab=profile');
    await page.getByText('Your address is root@example.org').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('somebody signs in with the provider, and reads why where that does not work', async () => {
    const { context, page, complaints } = await open();
    await page.goto('/account/login?next=%2Faccount');
    await page.getByRole('link', { name: 'Sign in with City' }).waitFor();
    await lookAt(page, 'provider');
    provider.refusal = 'access_denied';
    await page.getByRole('link', { name: 'Sign in with City' }).click();
    await page.getByRole('alert').getByText('You cancelled the sign-in at the provider').waitFor();
    await lookAt(page, 'provider-problem');
    provider.refusal = undefined;
    await page.getByRole('link', { name: 'Sign in with City' }).click();
    await page.getByRole('button', { name: 'stranger' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.getByRole('button', { name: 'stranger' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('somebody sets up a second factor with an app, is asked for its code, and an administrator resets it', async () => {
    await makeAccount(portal, 'petra');
    const { context, page, complaints } = await open();
    await signIn(page, 'petra');
    await page.goto('/account?tab=access');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await lookAt(page, 'factor-proof');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    await lookAt(page, 'factor-set-up');
    const secret = fromBase32(await dialog.getByRole('textbox', { name: 'Secret' }).inputValue());
    const step = Math.floor(Date.now() / 30_000);
    await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret, step));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('.recovery-codes li').nth(9).waitFor();
    const recovery = await page.locator('.recovery-codes code').first().textContent();
    await lookAt(page, 'factor-codes');
    const signInAgain = async (code: string): Promise<void> => {
      await context.clearCookies();
      await page.goto('/account/login');
      await page.getByLabel('User name').fill('petra');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Second step' }).waitFor();
      await page.getByLabel('Code', { exact: true }).fill(code);
      await page.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await signInAgain(totpCode(secret, step));
    await page.getByRole('alert').getByText('This code is wrong or has already been used').waitFor();
    await lookAt(page, 'factor-second-step');
    await page
      .getByLabel('Code', { exact: true })
      .fill(totpCode(secret, Math.max(step + 1, Math.floor(Date.now() / 30_000))));
    await page.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'petra' }).waitFor();
    await signInAgain(recovery ?? '');
    await page.getByRole('button', { name: 'petra' }).waitFor();
    await context.clearCookies();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Reset two-factor authentication of petra' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Two-factor authentication was reset').waitFor();
    expect((await portal.api('petra', 'GET', '/account/session/')).status).toBe(200);
    expect(complaints).toEqual([]);
    await context.close();
  }, 180_000);

  test('an account links itself to the provider, and takes the link back', async () => {
    await makeAccount(portal, 'lena');
    const { context, page, complaints } = await open();
    await signIn(page, 'lena');
    await page.goto('/account?tab=access');
    provider.idToken = ({ claims, provider: own }) => own.sign({ ...claims, sub: 'person-of-lena' });
    await page.getByRole('button', { name: 'Link to City' }).click();
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your account is linked to City.').waitFor();
    provider.idToken = undefined;
    await lookAt(page, 'provider-linked');
    await page.getByRole('button', { name: 'Unlink from City' }).click();
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not linked.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('somebody makes a passkey and signs in with it alone; what was sent is good once', async () => {
    await makeAccount(portal, 'quinn');
    const { context, page, complaints } = await open();
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(page, 'quinn');
    await page.goto('/account?tab=access');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My phone');
    // A session alone adds no way into an account.
    await page.getByRole('dialog').getByLabel('Password').fill('not this one');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('This password is wrong.').waitFor();
    await lookAt(page, 'passkey-proof');
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove the passkey “My phone”' }).waitFor();
    expect(await page.locator('.recovery-codes li').count()).toBe(10);
    await lookAt(page, 'passkeys');
    // The password alone opens nothing any more.
    expect((await portal.api('quinn', 'GET', '/account/session/')).status).toBe(401);

    await context.clearCookies();
    await page.goto('/account/login');
    const sent = page.waitForRequest((request) => request.url().endsWith('/account/login/passkey/'));
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'quinn' }).waitFor();
    const request = await sent;
    const replay = (cookie: string): Promise<Response> =>
      fetch(request.url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: request.postData(),
      });
    const { cookie = '' } = await request.allHeaders();
    expect(cookie).toContain('passkey_challenge=');
    expect((await replay(cookie)).status).toBe(400);
    expect((await replay('')).status).toBe(400);

    // A device that did not ask for a finger or a PIN is not enough.
    await context.clearCookies();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.goto('/account/login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('The passkey could not be used').waitFor();
    await lookAt(page, 'passkey-refused');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'quinn' }).waitFor();
    await page.goto('/account?tab=access');
    await page.getByRole('button', { name: 'Remove the passkey “My phone”' }).click();
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The passkey was removed').waitFor();
    expect((await portal.api('quinn', 'GET', '/account/session/')).status).toBe(200);
    expect(complaints).toEqual([]);
    await context.close();
  }, 180_000);
});

/** RFC 4648, as the page shows a secret. */
function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
