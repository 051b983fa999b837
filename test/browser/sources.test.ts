// A layer that follows an address, in the pages: made under Add data, and renewed, paused and ended with the data of the layer.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { serious } from './axe.ts';
import {
  makeAccount,
  NO_CHROMIUM,
  openContext,
  type PortalProgram,
  signIn,
  startBrowser,
  startPortal,
  watchComplaints,
} from './portal-program.ts';
import { picture } from './stage.ts';

describeNeeding(NO_CHROMIUM, 'layers that follow an address, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let server: Server;
  let page: Page;
  let complaints: readonly string[];
  let address = '';
  let csv = 'code,name,lon,lat\na,Inn,10.5,50.5\n';

  beforeAll(async () => {
    server = createServer((_, reply) => reply.writeHead(200, { 'Content-Type': 'text/csv' }).end(csv));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    address = `http://${host}/rivers.csv`;
    [portal, browser] = await Promise.all([startPortal({ 'remote-internal-hosts': host }), startBrowser()]);
    await makeAccount(portal, 'ana');
    page = await (await openContext(browser, portal.url)).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ana');
  }, 300_000);

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await browser?.close();
    await portal?.stop();
  });

  test('a layer is made of an address', async () => {
    await page.goto('/add');
    await page.getByRole('button', { name: 'From an address' }).click();
    const dialog = page.getByRole('dialog', { name: 'From an address' });
    await dialog.getByLabel('Address', { exact: true }).fill('http://10.0.0.1/x.csv');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await picture(page, 'source-refused');
    await dialog.getByLabel('Address', { exact: true }).fill(address);
    await dialog.getByLabel('Column that tells the rows apart').fill('code');
    await dialog.getByLabel('How often').selectOption('60');
    await dialog.getByLabel('Title').fill('Rivers');
    expect(await serious(page, 'from an address')).toEqual([]);
    await picture(page, 'source-new');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Open the layer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rivers' }).waitFor();
  });

  test('it is renewed now, paused, and ended', async () => {
    await page.getByRole('tab', { name: 'Data' }).click();
    const panel = page.getByRole('region', { name: 'Follows an address' });
    await panel.getByText(address).waitFor();
    await panel.getByRole('button', { name: 'Refresh now' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    csv = 'code,name,lon,lat\na,Inn (2),10.5,50.5\n';
    await panel.getByRole('button', { name: 'Refresh now' }).click();
    await panel.getByText('Done').waitFor();
    expect(await serious(page, 'follows an address')).toEqual([]);
    await picture(page, 'source-panel');
    await panel.getByRole('button', { name: 'Pause' }).click();
    await panel.getByRole('button', { name: 'Resume' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await panel.scrollIntoViewIfNeeded();
    await picture(page, 'source-panel-phone');
    await panel.getByRole('button', { name: 'Stop following' }).click();
    await panel.getByText('The rows are only those that people put in.').waitFor();
    expect(complaints).toEqual([]);
  });
});
