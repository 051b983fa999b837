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

  test('the documentation is in the language of the reader, at the same places, and says what is in English alone', async () => {
    const { portal, browser } = stage();
    const context = await openContext(browser, portal.url, { small: true, locale: 'de' });
    const page = await context.newPage();
    const complaints = watchComplaints(page);
    await page.goto('/account/login');
    await page.getByRole('button', { name: 'Hilfe' }).click();
    await page.getByRole('link', { name: 'Hilfe zu dieser Seite' }).click();
    const heading = page.getByRole('heading', { level: 2, name: 'Ihr Konto' });
    await heading.waitFor();
    expect(await heading.getAttribute('id')).toBe('your-account');
    expect(new URL(page.url()).hash).toBe('#your-account');
    expect(await page.locator('article.doc').getAttribute('lang')).toBe('de');
    expect(await page.locator('.doc-note').count()).toBe(0);
    expect(await serious(page, 'documentation in German')).toEqual([]);
    await picture(page, 'docs-de');
    await page.getByRole('searchbox').fill('papierkorb');
    const first = page.locator('.doc-results li').first();
    expect(await first.getAttribute('lang')).toBe('de');
    await first.getByRole('link').click();
    await page.getByRole('heading', { level: 2, name: 'Löschen und der Papierkorb' }).waitFor();
    expect(page.url()).toContain('/docs/working-together#deleting-and-the-bin');
    await page.goto('/docs/reading');
    await page.getByText('Diese Seite gibt es nur auf Englisch.').waitFor();
    expect(await page.locator('article.doc').getAttribute('lang')).toBe('en');
    expect(await page.locator('.doc-note').getAttribute('lang')).toBe('de');
    await page.getByText(`${portal.url}/rest/v1/people`).first().waitFor();
    expect(await serious(page, 'documentation in English for a German reader')).toEqual([]);
    await picture(page, 'docs-de-english');
    expect(complaints).toEqual([]);
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
