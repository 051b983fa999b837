// A portal that cannot be reached for a while: nobody is taken for a visitor, every page says what is wrong, and goes on at a press of a button.

import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, openContext, signIn } from './portal-program.ts';
import type { Stage } from './stage.ts';

export type OutageStage = Stage & { readonly map: string; readonly layer: string };

/** What pages ask for; pages themselves are still had. */
const ASKED = /\/(?:account\/session\/|account\/token\/|api\/v2\/|rest\/v1\/)/;

export function outageSteps(stage: () => OutageStage): void {
  let page: Page;
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(() => page?.context().close());

  const refuse = (route: Route): Promise<void> => route.abort();
  const retry = () => page.getByRole('main').getByRole('button', { name: 'Try again' });

  test('who is signed in is not sent to sign in when the portal does not answer', async () => {
    await page.route(ASKED, refuse);
    await page.goto('/account');
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.unroute(ASKED, refuse);
    // The page looks by itself, too: whoever is first.
    await retry()
      .click({ timeout: 4000 })
      .catch(() => undefined);
    await page.getByRole('heading', { name: 'admin', level: 1 }).waitFor();
  });

  test('maps, layers in frames and the console are had by trying again', async () => {
    const { map, layer } = stage();
    for (const [path, there] of [
      [`/maps/${map}`, page.getByRole('link', { name: 'Open in the map viewer' })],
      [`/viewer/${map}`, page.getByRole('heading', { name: 'Layers' })],
      [`/viewer?layer=${layer}`, page.getByRole('heading', { name: 'Layers' })],
      [`/maps/${map}/embed`, page.locator('.embed-title')],
      [`/layers/${layer}/embed`, page.locator('.embed-title')],
      ['/console', page.getByRole('navigation', { name: 'Tables' })],
    ] as const) {
      const asked = /\/(?:api\/v2\/(?:maps|layers)|rest\/v1)\//;
      await page.route(asked, refuse);
      await page.goto(path);
      await retry().waitFor();
      await page.unroute(asked, refuse);
      await retry().click();
      await there.waitFor();
    }
  });
}
