// Work that is not saved is not lost without asking: by a link, by the browser's back button, by closing the tab, by closing a dialog,
// by a session that has ended. Once it is saved, nothing asks.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage, waitForMap } from './stage.ts';

export type UnsavedStage = Stage & Readonly<Record<'document' | 'map' | 'app' | 'cities', string>>;

export function unsavedSteps(stage: () => UnsavedStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(() => page?.context().close());

  const question = () => page.getByRole('dialog', { name: 'Leave without saving?' });
  const path = (): string => new URL(page.url()).pathname;
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement?.textContent');
  const catalogue = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Catalogue' });

  test('an editor with changes is left only by who agrees, and by nobody who saved', async () => {
    const { app } = stage();
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`/apps/preview/${app}`);
    await page.getByRole('link', { name: 'Edit dashboard' }).click();
    const about = page.getByLabel('Description');
    const before = await about.inputValue();
    // What was changed back is not changed.
    await about.fill('Another');
    await about.fill(before);
    await catalogue().click();
    await page.locator('.card h2').first().waitFor();
    await page.goBack();
    await about.fill('Rain and wind');
    // By a link: the keyboard stands on staying.
    await catalogue().click();
    await question().waitFor();
    expect(await focused()).toBe('Stay');
    await picture(page, 'unsaved');
    await page.keyboard.press('Enter');
    await question().waitFor({ state: 'detached' });
    expect([path(), await about.inputValue()]).toEqual([`/apps/${app}/edit`, 'Rain and wind']);
    expect(await focused(), 'the focus is back').toBe('Catalogue');
    // By the back button.
    await page.evaluate('history.back()');
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await expect.poll(path).toBe(`/apps/${app}/edit`);
    expect(await about.inputValue()).toBe('Rain and wind');
    // By closing the tab, where the browser asks.
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const closing = await asked;
    expect(closing.type()).toBe('beforeunload');
    await closing.dismiss();
    expect(await about.inputValue()).toBe('Rain and wind');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
    await page.getByText('Rain and wind').first().waitFor();
    expect(await question().count()).toBe(0);
    // And who agrees is gone, back too.
    await page.getByRole('link', { name: 'Edit dashboard' }).click();
    await about.fill('Never mind');
    await page.evaluate('history.back()');
    await question().getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
    await page.getByText('Rain and wind').first().waitFor();
  });

  test('a map and a description that were changed are asked for, one that was only looked at is not', async () => {
    const { document, map } = stage();
    await page.goto(`/viewer/${map}`);
    await waitForMap(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page
      .getByRole('button', { name: /^Hide Demo/ })
      .first()
      .click();
    await page.getByText('Unsaved', { exact: true }).waitFor();
    await catalogue().click();
    await question().getByRole('button', { name: 'Stay' }).click();
    await page
      .getByRole('button', { name: /^Show Demo/ })
      .first()
      .click();
    await page.getByText('Unsaved', { exact: true }).waitFor({ state: 'detached' });
    await catalogue().click();
    await page.locator('.card h2').first().waitFor();
    await page.goto(`/documents/${document}`);
    await page.getByRole('button', { name: 'Edit details' }).click();
    const form = page.getByRole('dialog', { name: 'Edit details' });
    await form.getByLabel('Purpose').fill('Trying things out');
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Stay' }).click();
    expect(await form.getByLabel('Purpose').inputValue()).toBe('Trying things out');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await question().getByRole('button', { name: 'Leave' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('a session that ends while something is written leaves the page as it is', async () => {
    await page.goto('/stories/new');
    await page.getByLabel('Title').first().fill('Half a story');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const lost = page.getByRole('dialog', { name: 'Your session has ended' });
    await lost.waitFor();
    const [beside] = await Promise.all([
      page.context().waitForEvent('page'),
      lost.getByRole('link', { name: 'Sign in', exact: true }).click(),
    ]);
    await beside.getByLabel('User name').fill('admin');
    await beside.getByLabel('Password').fill(ADMIN_PASSWORD);
    await beside.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
    await beside.getByRole('button', { name: 'admin' }).waitFor();
    await beside.close();
    await lost.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Half a story', level: 1 }).waitFor();
    // Nothing of it stays for those who count stories.
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.card h2').first().waitFor();
  });

  test('so does one that ends while a dialog or a cell is filled in', async () => {
    const lost = page.getByRole('dialog', { name: 'Your session has ended' });
    await page.goto('/admin');
    await page.getByRole('button', { name: 'New account' }).click();
    const form = page.getByRole('dialog', { name: 'New account' });
    await form.getByLabel('User name').fill('nobody-yet');
    await form.getByLabel('Password').fill('something to remember');
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Save' }).click();
    await lost.getByRole('button', { name: 'Back' }).click();
    expect(await form.getByLabel('User name').inputValue()).toBe('nobody-yet');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto(`/viewer?layer=${stage().cities}`);
    await page.getByRole('button', { name: 'More actions for Demo: large cities' }).click();
    await page.getByRole('button', { name: 'Attribute table' }).click();
    const cell = page.locator('td[data-editable]').first();
    await cell.dblclick();
    const written = cell.getByRole('textbox');
    await written.fill('Somewhere');
    await page.context().clearCookies();
    await written.press('Enter');
    await lost.getByRole('button', { name: 'Back' }).click();
    expect(await written.inputValue()).toBe('Somewhere');
    await written.press('Escape');
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/console');
    await page.getByRole('tab', { name: 'SQL' }).click();
    const statement = page.getByRole('textbox', { name: 'Statement' });
    await statement.fill('select 1 as one');
    await page.context().clearCookies();
    await statement.press('Control+Enter');
    await lost.getByRole('button', { name: 'Back' }).click();
    expect(await statement.inputValue()).toBe('select 1 as one');
    await statement.fill('');
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });

  test('what was deleted comes back by undo and from the bin, and goes for ever when that is asked for', async () => {
    const { portal } = stage();
    const story = { title: 'Short story', name: 'short-story', permissions: { users: {}, groups: {} } };
    const made = await portal.api('admin', 'POST', '/api/v2/geostories/', story);
    const { pk } = (made.json as { readonly geostory: { readonly pk: string } }).geostory;
    const asked = () => page.getByRole('dialog');
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await asked()
        .getByText(/can be restored from there for 30 days/)
        .waitFor();
      await asked().getByRole('button', { name: 'Delete' }).click();
    };
    await page.goto(`/apps/preview/${pk}`);
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Short story', level: 1 }).waitFor();
    await remove();
    await page.locator('.card h2').first().waitFor();
    await page.goto('/account?tab=bin');
    await page.getByRole('button', { name: 'Restore Short story' }).click();
    await page.getByText('“Short story” was restored.').getByRole('link').click();
    await page.getByRole('heading', { name: 'Short story', level: 1 }).waitFor();
    await remove();
    await page.locator('.card h2').first().waitFor();
    await page.goto('/account');
    await page.getByRole('tab', { name: 'Bin' }).click();
    expect(new URL(page.url()).search).toBe('?tab=bin');
    expect(await serious(page, 'bin')).toEqual([]);
    await page.getByRole('button', { name: 'Delete Short story permanently' }).press('Enter');
    await asked().getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('button', { name: 'Restore Short story' }).waitFor({ state: 'detached' });
    expect((await portal.api('admin', 'GET', `/api/v2/resources/${pk}/`)).status).toBe(404);
  });

  test('nothing that was asked threw anything', () => {
    expect(complaints).toEqual([]);
  });
}
