// Two people and an item: one comments, rates and follows, the other sees the bell, answers, hides and deletes; on a phone and in the dark as
// well, with nothing serious for axe.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
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

describeNeeding(NO_CHROMIUM, 'comments, ratings and notifications, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let owner: Page;
  let reader: Page;
  let item: string;
  let complaints: readonly string[][];

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    await makeAccount(portal, 'rita');
    await makeAccount(portal, 'gwen');
    const form = new FormData();
    form.append('title', 'Notes on rivers');
    form.append('doc_file', new Blob(['plain notes']), 'notes.txt');
    form.append('permissions', JSON.stringify({ groups: { anonymous: ['view_resourcebase'] } }));
    const made = await portal.api('admin', 'POST', '/api/v2/documents/', form);
    item = `/documents/${(made.json as { readonly document: { readonly pk: string } }).document.pk}`;
    owner = await (await openContext(browser, portal.url)).newPage();
    reader = await (await openContext(browser, portal.url)).newPage();
    complaints = [watchComplaints(owner), watchComplaints(reader)];
    await signIn(owner, 'admin', ADMIN_PASSWORD);
    await signIn(reader, 'rita');
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  const comments = (page: Page) => page.getByRole('region', { name: 'Comments' });
  const bell = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
  const looks = async (page: Page, name: string): Promise<string[]> => {
    const found: string[] = [];
    for (const [how, look] of [
      ['light', {}],
      ['dark', { dark: true }],
      ['on a phone', { phone: true }],
    ] as const) {
      await changeLook(page, look);
      await picture(page, `${name} ${how}`);
      found.push(...(await serious(page, `${name}, ${how}`)));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (width > 1) found.push(`${name}, ${how}: ${width} pixels wider than the window`);
    }
    await changeLook(page, {});
    return found;
  };

  test('a reader comments, rates and follows by keyboard, and a link in a comment is only a link', async () => {
    await reader.goto(item);
    const box = comments(reader).getByRole('textbox', { name: 'Your comment', exact: true });
    await box.focus();
    await reader.keyboard.type('Is this of 2024?\nSee https://example.org/<b>x</b> and javascript:alert(1)');
    await reader.keyboard.press('Tab');
    await reader.keyboard.press('Enter');
    const said = comments(reader).getByRole('listitem').first();
    await said.getByText('Is this of 2024?').waitFor();
    expect(await said.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
      ['https://example.org/'],
    );
    expect(await box.inputValue()).toBe('');
    const four = reader.getByRole('button', { name: '4 stars' });
    await four.focus();
    await reader.keyboard.press('Enter');
    await reader.getByText('4.0 of 5 stars, 1 rating').waitFor();
    await reader.locator('.rating-star[aria-pressed=true]').waitFor();
    await reader.getByRole('button', { name: /^Follow:/ }).click();
    await reader.locator('.follow[aria-pressed=true]').first().waitFor();
    expect(await looks(reader, 'comments')).toEqual([]);
    await reader.goto('/');
    await reader.locator('.rating-mark').first().waitFor();
    await picture(reader, 'cards with a rating');
  });

  test('the owner sees it at the bell, goes there, answers, and the reader is told', async () => {
    await owner.goto('/');
    await bell(owner, '1 unread notification').waitFor();
    await bell(owner, '1 unread notification').click();
    await owner.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    expect(await looks(owner, 'notifications')).toEqual([]);
    await owner.getByRole('link', { name: /^rita commented on/ }).click();
    await comments(owner).getByText('Is this of 2024?').waitFor();
    await bell(owner, 'Notifications').waitFor();
    await comments(owner).getByRole('textbox', { name: 'Your comment', exact: true }).fill('Yes, @rita');
    await comments(owner).getByRole('button', { name: 'Comment', exact: true }).click();
    await comments(owner).getByText('Yes, @rita').waitFor();
    await reader.goto('/notifications');
    await reader.getByText(/mentioned you in a comment/).waitFor();
    await reader.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(reader, 'Notifications').waitFor();
    await reader.getByRole('tab', { name: 'Following' }).click();
    await reader.locator('.row-item').first().waitFor();
    await reader.getByRole('tab', { name: 'Settings' }).click();
    const mentions = reader.getByRole('checkbox', { name: 'Comments that mention you: Here' });
    const kept = reader.waitForResponse((reply) => reply.request().method() === 'PATCH');
    await mentions.uncheck();
    await kept;
    await reader.reload();
    await expect.poll(() => mentions.isChecked(), { timeout: 30_000 }).toBe(false);
    expect(await looks(reader, 'notification settings')).toEqual([]);
  });

  test('the reader follows the owner beside the name, hears of what is new, and stops where all is listed', async () => {
    await reader.goto(item);
    const follow = reader.getByRole('button', { name: 'Follow admin: get notified of new items' });
    await follow.focus();
    await reader.keyboard.press('Enter');
    await reader.getByText('You will be notified of new items by admin.').waitFor();
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    expect(await looks(reader, 'follow an owner')).toEqual([]);
    const form = new FormData();
    form.append('title', 'Notes on lakes');
    form.append('doc_file', new Blob(['plain notes']), 'lakes.txt');
    form.append('permissions', JSON.stringify({ groups: { anonymous: ['view_resourcebase'] } }));
    expect((await portal.api('admin', 'POST', '/api/v2/documents/', form)).status).toBe(201);
    await reader.goto('/notifications');
    await bell(reader, '1 unread notification').waitFor();
    await reader.getByRole('link', { name: 'New by admin: “Notes on lakes”' }).waitFor();
    await reader.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(reader, 'Notifications').waitFor();
    await reader.getByRole('tab', { name: 'Settings' }).click();
    await reader.getByRole('checkbox', { name: 'New items of people and groups you follow: Here' }).waitFor();
    await reader.getByRole('tab', { name: 'Following' }).click();
    const sources = reader.getByRole('region', { name: 'People and groups' });
    await sources.getByRole('link', { name: 'admin' }).waitFor();
    expect(await looks(reader, 'followed people')).toEqual([]);
    await sources.getByRole('button', { name: 'Stop following admin' }).click();
    await sources.getByRole('link', { name: 'admin' }).waitFor({ state: 'detached' });
    expect((await portal.api('rita', 'GET', '/api/v2/following/')).json).toEqual({ users: [], groups: [] });
  });

  test('a group is made by an account, which invites; the bell and a page lead the invited to it', async () => {
    const leader = await (await openContext(browser, portal.url)).newPage();
    complaints = [...complaints, watchComplaints(leader)];
    await signIn(leader, 'gwen');
    await leader.goto('/');
    await leader.getByRole('button', { name: 'gwen' }).click();
    await leader.getByRole('link', { name: 'My groups' }).click();
    await leader.getByText('You are not in a group yet').waitFor();
    await leader.getByRole('button', { name: 'New group' }).click();
    await leader.getByRole('dialog').getByLabel('Title').fill('River watch');
    expect(await leader.getByLabel('Short name').count()).toBe(0);
    await leader.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await leader.getByRole('link', { name: 'River watch' }).click();
    await leader.getByText('river-watch').waitFor();
    const inGroup = (page: Page) => page.getByRole('region', { name: 'Members' });
    await inGroup(leader).getByLabel('User name').fill('rita');
    await inGroup(leader).getByRole('button', { name: 'Add' }).click();
    await inGroup(leader).getByText('Invited', { exact: true }).waitFor();
    expect(await looks(leader, 'group that is led')).toEqual([]);

    await reader.goto('/');
    await reader
      .getByRole('banner')
      .getByRole('link', { name: /unread/ })
      .click();
    const invitation = reader.getByRole('region', { name: 'Invitations' });
    await invitation.getByText('gwen invites you to join the group “River watch”.').waitFor();
    expect(await looks(reader, 'invitation')).toEqual([]);
    await reader.goto('/groups');
    await invitation.getByRole('button', { name: 'Join' }).click();
    await reader.getByRole('link', { name: 'River watch' }).waitFor();
    expect(await looks(reader, 'groups')).toEqual([]);

    await leader.reload();
    await inGroup(leader).getByLabel('Role of rita').selectOption('manager');
    await reader.getByRole('link', { name: 'River watch' }).click();
    await inGroup(reader).getByLabel('Role of rita').waitFor();
    await reader.getByRole('button', { name: 'Leave' }).click();
    await reader
      .getByRole('dialog', { name: 'Leave the group “River watch”?' })
      .getByRole('button', { name: 'Leave' })
      .click();
    await reader.getByText('You are not in a group yet').waitFor();
    await leader.reload();
    await leader.getByRole('button', { name: 'Delete' }).click();
    await leader.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await leader.getByText('You are not in a group yet').waitFor();
    await leader.context().close();
  });

  test('what somebody chose of the pages follows to another browser', async () => {
    await makeAccount(portal, 'theo');
    const first = await (await openContext(browser, portal.url)).newPage();
    await signIn(first, 'theo');
    await first.goto('/');
    const kept = () =>
      first.waitForResponse(
        (reply) => reply.url().endsWith('/api/v2/preferences/') && reply.request().method() === 'PATCH',
      );
    await first.getByRole('button', { name: 'Theme' }).click();
    await Promise.all([kept(), first.getByRole('button', { name: 'Dark', exact: true }).click()]);
    await first.getByRole('button', { name: 'Language' }).click();
    await Promise.all([kept(), first.getByRole('button', { name: 'Deutsch' }).click()]);
    const second = await (await openContext(browser, portal.url)).newPage();
    await signIn(second, 'theo');
    await second.goto('/');
    await second.getByRole('link', { name: 'Katalog' }).first().waitFor();
    expect(await second.locator('html').getAttribute('data-theme')).toBe('dark');
    await Promise.all([first.context().close(), second.context().close()]);
  });

  test('an account is deleted by its owner, after a question', async () => {
    await makeAccount(portal, 'lena');
    const page = await (await openContext(browser, portal.url)).newPage();
    await signIn(page, 'lena');
    await page.goto('/account?tab=profile');
    await page.getByRole('button', { name: 'Delete my account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Password').waitFor();
    expect(await looks(page, 'delete account')).toEqual([]);
    await dialog.getByLabel('New owner of your items').fill('nobody');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByText('Nobody of your groups').waitFor();
    await dialog.getByLabel('New owner of your items').fill('');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect((await portal.api('lena', 'GET', '/api/v2/uploads/')).status).toBe(401);
    await page.context().close();
  });

  test('authors edit, owners hide and delete after a question; what is not sent is not left without asking', async () => {
    await reader.goto(item);
    await comments(reader).getByRole('button', { name: 'Edit your comment' }).click();
    const edit = comments(reader).getByRole('textbox', { name: 'Edit your comment' });
    await edit.fill('Is this of 2025?');
    await reader.getByRole('banner').getByRole('link', { name: 'Catalogue', exact: true }).click();
    await reader.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
    await comments(reader).getByRole('button', { name: 'Save' }).click();
    await comments(reader).getByText('Is this of 2025?').waitFor();
    await owner.goto(item);
    await comments(owner).getByRole('button', { name: 'Hide the comment by rita' }).click();
    await comments(owner).getByText('Hidden', { exact: true }).waitFor();
    await comments(owner).getByRole('button', { name: 'Delete the comment by rita' }).click();
    const question = owner.getByRole('dialog', { name: 'Delete this comment?' });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await comments(owner).getByText('Is this of 2025?').waitFor({ state: 'detached' });
    await reader.getByRole('button', { name: '4 stars' }).click();
    await reader.getByText('Not rated yet').waitFor();
    expect(complaints.flat()).toEqual([]);
  });
});
