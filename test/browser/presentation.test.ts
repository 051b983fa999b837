// How the features of a layer are shown: set on its page, seen in pop-ups and tables, and set otherwise for one map.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { serious } from './axe.ts';
import {
  ADMIN_PASSWORD,
  changeLook,
  NO_CHROMIUM,
  openContext,
  type PortalProgram,
  signIn,
  startBrowser,
  startPortal,
  watchComplaints,
} from './portal-program.ts';
import { clickAt, picture, waitForMap } from './stage.ts';

describeNeeding(NO_CHROMIUM, 'the presentation of a layer, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let layer = '';

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    const made = await portal.api('admin', 'POST', '/api/v2/layers/empty/', {
      title: 'Houses',
      geometry: 'polygon',
      columns: [
        { name: 'Street', type: 'text' },
        { name: 'Rent', type: 'double precision' },
        { name: 'Rooms', type: 'integer' },
        { name: 'Website', type: 'text' },
      ],
    });
    expect(made.status).toBe(201);
    const { pk, name } = (made.json as { readonly layer: { readonly pk: string; readonly name: string } }).layer;
    layer = pk;
    const ring = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ];
    const added = await portal.api('admin', 'POST', `/ogc/collections/${name}/items`, {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: { street: 'High <b>Street</b>', rent: 1234.5, rooms: 4, website: 'https://houses.example/4' },
    });
    expect(added.status).toBe(201);
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  const card = () => page.getByRole('region', { name: 'Feature' });

  test('names, formats and order of columns are set by keyboard, and saved', async () => {
    await page.goto(`/layers/${layer}`);
    await page.getByRole('tab', { name: 'Display' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('1234.5').waitFor();
    await page.getByLabel('Name shown for rent').fill('Rent per month');
    await page.getByLabel('Format of Rent per month').focus();
    await page.keyboard.type('Curr');
    await preview.getByText('€1,234.50').waitFor();
    await page.getByLabel('Format of Website').selectOption('link');
    await page.getByLabel('Text of the links of Website').fill('Visit');
    await page.getByRole('button', { name: 'Show Rooms', exact: true }).click();
    await page.getByRole('button', { name: 'Move Rent per month up' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => preview.locator('dt').allTextContents()).toEqual(['Rent per month', 'Street', 'Website']);
    expect(await serious(page, 'columns')).toEqual([]);
    await picture(page, 'columns');

    await page.getByRole('tab', { name: 'Pop-up' }).click();
    await page.getByLabel('Title', { exact: true }).fill('{{street}}');
    await page.getByRole('button', { name: 'Add a chart' }).click();
    await page.getByLabel('Columns of chart 1').getByLabel('Rooms').check();
    await preview.getByRole('figure').getByText('4').waitFor();
    for (const look of [{ dark: true }, { phone: true }, { small: true }]) {
      await changeLook(page, look);
      expect(await serious(page, `pop-up ${JSON.stringify(look)}`)).toEqual([]);
      await picture(page, `popup-${Object.keys(look).join('-')}`);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The display was saved.').waitFor();
  });

  test('pop-up and table follow, and what is in the data is never markup', async () => {
    await page.goto(`/viewer?layer=${layer}#5/5/5`);
    await waitForMap(page);
    await clickAt(page, { lng: 5, lat: 5 });
    await card().getByText('€1,234.50').waitFor();
    expect(await card().getByRole('heading').textContent()).toBe('High <b>Street</b>');
    const link = card().getByRole('link', { name: 'Visit' });
    expect(await link.getAttribute('href')).toBe('https://houses.example/4');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await card().getByRole('figure').getByText('Rooms').waitFor();
    await picture(page, 'popup-on-map');
    await page.getByRole('button', { name: 'More actions for Houses' }).click();
    await page.getByRole('button', { name: 'Attribute table', exact: true }).click();
    const table = page.getByRole('region', { name: 'Attributes of Houses' });
    await table.getByText('€1,234.50').waitFor();
    const headings = await table.getByRole('columnheader').allTextContents();
    expect(headings.filter((heading) => heading.trim() !== '').slice(-3)).toEqual([
      'Rent per month',
      'Street',
      'Website',
    ]);
    await page.getByRole('button', { name: 'Close the table' }).first().click();
  });

  test('a map shows the layer in its own way, and the layer stays as it is', async () => {
    await page.getByRole('button', { name: 'More actions for Houses' }).click();
    await page.getByRole('button', { name: 'Columns and pop-up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Pop-up' }).click();
    await dialog.getByLabel('Own template').check();
    await dialog
      .getByLabel('Template (HTML)')
      .fill('<p><a href="javascript:alert(1)">x</a> In {{street}}: <b>{{rent}}</b></p><script>1</script>');
    await dialog.getByText('In High <b>Street</b>: €1,234.50').waitFor();
    expect(await dialog.locator('script, a[href^=javascript]').count()).toBe(0);
    expect(await serious(page, 'of a map')).toEqual([]);
    await picture(page, 'look-of-map');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await card().getByText('In High <b>Street</b>: €1,234.50').waitFor();
    const { json } = await portal.api('admin', 'GET', `/api/v2/layers/${layer}/presentation/`);
    expect(json).toMatchObject({ popup: { kind: 'list', template: '', title: '{{street}}' } });
    expect(complaints).toEqual([]);
  });
});
