// A contributor and a catalogue of somebody else: registered on a page of its own, chosen from as layers and documents, read again and removed; and what no
// map can show, in the viewer.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { type RemoteServer, startRemoteServer } from '../testkit/remote-server.ts';
import { serious } from './axe.ts';
import {
  changeLook,
  makeAccount,
  NO_CHROMIUM,
  openContext,
  type PortalProgram,
  signIn,
  startBrowser,
  startPortal,
  watchComplaints,
} from './portal-program.ts';
import { picture, waitForMap } from './stage.ts';

describeNeeding(NO_CHROMIUM, 'services of a contributor, in Chromium', () => {
  let server: RemoteServer;
  let portal: PortalProgram;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    server = await startRemoteServer();
    [portal, browser] = await Promise.all([startPortal({ 'remote-internal-hosts': server.host }), startBrowser()]);
    await makeAccount(portal, 'cora');
    const registered = await portal.api('admin', 'POST', '/api/v2/remote/services/', { url: `${server.url}/wms` });
    expect(registered.status).toBe(201);
    page = await (await openContext(browser, portal.url)).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'cora');
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
    await server?.close();
  });

  const looks = async (name: string): Promise<string[]> => {
    const found: string[] = [];
    for (const [how, look] of [
      ['light', {}],
      ['dark', { dark: true }],
      ['on a phone', { phone: true }],
    ] as const) {
      await changeLook(page, look);
      await picture(page, `${name} ${how}`);
      found.push(...(await serious(page, `${name} ${how}`)));
    }
    await changeLook(page, {});
    return found;
  };

  test('are reached from adding content, are her own alone, and are registered there', async () => {
    await page.goto('/add');
    await page.getByRole('link', { name: /^Or register an external service/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Your services' }).waitFor();
    await page.getByText('No services registered').waitFor();
    await page.getByRole('button', { name: 'Register a service' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Service URL').fill(`${server.url}/stac.json`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('reachable').waitFor();
    expect(await page.locator('.service-list > li').count()).toBe(1);
    await page.getByLabel('Scene', { exact: true }).waitFor();
    expect(await looks('own services')).toEqual([]);
  });

  test('what can be drawn becomes a layer, what links to a file a document, and what has no links is told of', async () => {
    await page.getByText('Plans · has no links').waitFor();
    await page.getByLabel('Scene', { exact: true }).check();
    await page.getByLabel('Levels · as a document: links only to files').check();
    await page.getByRole('button', { name: 'Add to the catalogue' }).click();
    await page.getByText('2 of 3 in the catalogue').waitFor();
    await page.getByRole('link', { name: 'Levels', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Levels' }).waitFor();
    await page.getByRole('link', { name: `${server.url}/levels.zip` }).waitFor();
    await picture(page, 'remote document');
  });

  test('are read again and removed; what came of them stays', async () => {
    await page.goto('/add/services');
    await page.getByRole('button', { name: /^Refresh now: / }).click();
    await page.getByText('The service was refreshed.').waitFor();
    await page.getByRole('button', { name: /^Remove / }).click();
    await page.getByText('No services registered').waitFor();
    const { json } = await portal.api('cora', 'GET', '/api/v2/resources/?filter{owner.username}=cora');
    expect((json as { readonly total: number }).total).toBe(2);
    expect((await portal.api('admin', 'GET', '/api/v2/remote/services/')).json).toMatchObject({
      services: [{ owner: 'admin' }],
    });
  });

  test('the viewer shows what no map can draw, with the reason, after what can be added', async () => {
    await page.goto('/viewer');
    await page.getByRole('button', { name: 'Add an external layer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Service URL').fill(`${server.url}/stac.json`);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByRole('button', { name: 'Add Scene' }).waitFor();
    await dialog.getByText('Cannot be displayed: links only to files').waitFor();
    await dialog.getByText('Cannot be displayed: has no links').waitFor();
    await dialog.getByRole('link', { name: 'Open Levels at the service' }).waitFor();
    expect(await dialog.getByRole('button', { name: /^Add (?:Levels|Plans)/ }).count()).toBe(0);
    expect(await looks('external layers')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  // Last: the service is down afterwards.
  test('a layer whose service is down has a mark, and what stands above it is drawn', async () => {
    await portal.api('cora', 'POST', '/api/v2/remote/services/', { url: `${server.url}/wms` });
    const { json } = await portal.api('cora', 'GET', '/api/v2/remote/services/');
    const { id } = (json as { readonly services: readonly { readonly id: number }[] }).services[0] ?? {};
    const added = await portal.api('cora', 'POST', `/api/v2/remote/services/${id}/layers/`, { names: ['rivers'] });
    const [made] = (added.json as { readonly layers: readonly { readonly layer: string }[] }).layers;
    await page.goto(`/viewer?layer=${made?.layer}`);
    await waitForMap(page);
    await server.close();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const item = page.getByRole('listitem').filter({ hasText: 'The service is not responding.' });
    await item.waitFor();
    // It is tried again by itself, which is what an exception came of.
    await page.waitForTimeout(3000);
    await item.getByRole('button', { name: 'Try again' }).click();
    await page.waitForTimeout(1000);
    await picture(page, 'service down');
    expect(await serious(page, 'service down')).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
