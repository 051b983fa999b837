// Help: the documentation with examples that run as the reader, the link to it from a page, and the tour through the pages.

import { expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, openContext, signIn, signInByForm, watchComplaints } from './portal-program.ts';
import { picture, type Stage } from './stage.ts';

export function helpSteps(stage: () => Stage): void {
  test('a page leads to what is written about it, and examples there are run as the reader', async () => {
    const { portal, browser } = stage();
    const context = await openContext(browser, portal.url, { small: true });
    const page = await context.newPage();
    const complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('link', { name: 'About this page' }).click();
    await page.getByRole('heading', { level: 2, name: 'Your account' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/first-steps#your-account');
    await page.goto('/docs/portal-api#first-requests');
    await page.getByText(`curl -s ${portal.url}/account/session`).waitFor();
    const example = page.locator('.doc-code').filter({ hasText: 'search=demo' }).locator('.doc-run').nth(3);
    await example.getByRole('button', { name: 'Run' }).click();
    await example.locator('.reply').getByText('"username": "admin"').waitFor();
    await example.getByLabel('Address of the request').fill('/rest/v1/no_such_table');
    await page.keyboard.press('Enter');
    await example.getByText('The examples use tables').waitFor();
    await picture(page, 'docs-run');
    // The page asked for what is not there.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.goto('/docs/writing');
    const write = page.locator('.doc-run').filter({ hasText: 'POST /rest/v1/' }).first();
    await write.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('dialog').getByText('This example changes data of this portal, as admin.').waitFor();
    await page.keyboard.press('Escape');
    expect(await write.locator('.reply').count()).toBe(0);
    await context.close();
  });

  test('the documentation is searched, and what is found is a link to its place', async () => {
    const { portal, browser } = stage();
    const context = await openContext(browser, portal.url, { small: true });
    const page = await context.newPage();
    await page.goto('/docs');
    await page.getByRole('searchbox').fill('window functions');
    const first = page.locator('.doc-results li').first();
    await first.locator('mark').first().waitFor();
    await first.getByRole('link').click();
    await page.getByRole('heading', { level: 2, name: 'Window functions' }).waitFor();
    expect(page.url()).toContain('/docs/aggregates#window-functions');
    await context.close();
  });

  test('the tour is offered once, goes from page to page by keyboard, and can be started again', async () => {
    const { portal, browser } = stage();
    const context = await openContext(browser, portal.url, { phone: true, coarse: true });
    const page = await context.newPage();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/');
    await page.getByRole('button', { name: 'Start tour' }).click();
    const card = page.locator('.tour');
    await card.getByRole('heading', { name: 'Find' }).waitFor();
    expect(await serious(page, 'tour')).toEqual([]);
    for (const heading of ['Narrow it down', 'Make a map', 'Add your data']) {
      await card.getByRole('button', { name: 'Next' }).press('Enter');
      await card.getByRole('heading', { name: heading }).waitFor();
      await page.locator('[data-tour]').first().waitFor();
    }
    await picture(page, 'tour-phone');
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Add your data');
    const kept = page.waitForResponse((reply) => reply.url().endsWith('/api/v2/preferences/'));
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    expect((await kept).status()).toBe(200);
    // Another browser of the same account.
    const other = await openContext(browser, portal.url, { small: true });
    const later = await other.newPage();
    const asked = later.waitForResponse((reply) => reply.url().endsWith('/api/v2/preferences/'));
    await signInByForm(later, 'admin', ADMIN_PASSWORD);
    expect(await (await asked).json()).toEqual({ preferences: { tour: 'done' } });
    expect(await later.getByRole('button', { name: 'Start tour' }).count()).toBe(0);
    await later.getByRole('button', { name: 'Help' }).click();
    await later.getByRole('button', { name: 'First steps' }).click();
    await later.locator('.tour').getByRole('heading', { name: 'Find' }).waitFor();
    await other.close();
    await context.close();
  });
}
