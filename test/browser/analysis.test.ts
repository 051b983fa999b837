// A layer made of another one in the pages: a form made of the description, a preview of a sample, the job with its progress, and the new layer,
// which tells what it was made of and is made again.

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

describeNeeding(NO_CHROMIUM, 'analysis, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let stops = '';

  const addStop = async (lng: number): Promise<void> => {
    const geometry = { type: 'Point', coordinates: [lng, 47] };
    const added = await portal.api('ana', 'POST', `/ogc/collections/${stops}/items`, {
      type: 'Feature',
      geometry,
      properties: { riders: 10 },
    });
    expect(added.status).toBe(201);
  };

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    await makeAccount(portal, 'ana');
    const columns = [{ name: 'riders', type: 'integer' }];
    const made = await portal.api('ana', 'POST', '/api/v2/layers/empty/', {
      title: 'Stops',
      geometry: 'point',
      columns,
    });
    expect(made.status).toBe(201);
    stops = (made.json as { readonly layer: { readonly pk: string } }).layer.pk;
    await addStop(8);
    page = await (await openContext(browser, portal.url)).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ana');
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  test('makes a layer from a form, after a look at a sample', async () => {
    await page.goto(`/layers/${stops}`);
    await page.getByRole('button', { name: 'Analyse' }).click();
    const dialog = page.getByRole('dialog', { name: 'New layer from this one' });
    await dialog.getByLabel('Process').selectOption({ label: 'Buffer' });
    const run = dialog.getByRole('button', { name: 'Create layer' });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel('Distance in metres').fill('500');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('1 row from a sample; nothing has been saved.').waitFor();
    expect(await serious(page, 'analysis dialog')).toEqual([]);
    await picture(page, 'analysis-preview');
    await dialog.getByLabel('Title').fill('Near a stop');
    await run.click();
    await dialog.getByRole('link', { name: 'Open the layer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Near a stop' }).waitFor();
  });

  test('the layer tells what it was made of, and is made again when that has changed', async () => {
    const lineage = page.getByRole('region', { name: 'Created from' });
    await lineage.getByRole('link', { name: 'Stops' }).waitFor();
    await addStop(9);
    await page.reload();
    await lineage.getByText('Changed since then').waitFor();
    await picture(page, 'analysis-lineage');
    await lineage.getByRole('button', { name: 'Update' }).click();
    await lineage.getByText('Done').waitFor();
    await expect.poll(() => lineage.getByText('Changed since then').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
