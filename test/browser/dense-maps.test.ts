// A layer with more features than a map can show: what the map says of it, and what it tells of a place.

import type { Browser, BrowserContext, Page } from 'playwright-core';
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
  until,
  watchComplaints,
} from './portal-program.ts';
import { clickAt, picture, waitForMap } from './stage.ts';

/** On a grid of 150 by 150 over a degree, some two hundred metres apart. */
const SIDE = 150;

function trees(): string {
  const rows = ['lon,lat,species,height,planted'];
  for (let i = 0; i < SIDE; i++)
    for (let j = 0; j < SIDE; j++)
      rows.push(
        `${(7 + i / SIDE).toFixed(5)},${(50 + j / SIDE).toFixed(5)},${['oak', 'lime', 'plane'][(i + j) % 3]},${3 + ((i * 7 + j) % 30)},${1950 + (i % 70)}-05-01`,
      );
  return rows.join('\n');
}

describeNeeding(NO_CHROMIUM, 'a layer of very many features, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let layer = '';

  type Tiles = { readonly vector_layers: readonly { readonly overview?: { readonly state: string } }[] };
  const stateOf = async (): Promise<string | undefined> => {
    const { json } = await portal.api('admin', 'GET', `/tiles/${layer}.json`);
    return (json as Tiles).vector_layers[0]?.overview?.state;
  };

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    const form = new FormData();
    form.append('base_file', new Blob([trees()], { type: 'text/csv' }), 'trees.csv');
    form.append('title', 'Trees');
    const sent = await portal.api('admin', 'POST', '/api/v2/uploads/upload', form);
    expect(sent.status).toBeLessThan(300);
    await until(async () => {
      const { json } = await portal.api('admin', 'GET', '/api/v2/layers/?page_size=1');
      layer = (json as { readonly layers: readonly { readonly pk: string }[] }).layers[0]?.pk ?? '';
      return layer !== '';
    });
    context = await openContext(browser, portal.url, { small: true });
    page = await context.newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  const note = (): ReturnType<Page['locator']> => page.locator('.map-details');

  test('the map says that features are summarised, how wide the cells are, and from where on they are single', async () => {
    await until(async () => (await stateOf()) === 'ready');
    await page.goto(`/viewer?layer=${layer}#6/50.5/7.5`);
    await waitForMap(page);
    await page.getByText('Trees: summarised in cells of 3.1 km: zoom in to see individual features').waitFor();
    // The legend says so, too.
    expect(await page.locator('.legend-note').textContent()).toContain('cells of 3.1 km');
    expect(await serious(page, 'dense layer')).toEqual([]);
    await picture(page, 'dense-note');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'dense-note-phone-dark');
    await changeLook(page, { small: true });
    await page.goto(`/viewer?layer=${layer}#14/50.5/7.5`);
    await waitForMap(page);
    await until(async () => (await note().textContent()) === '');
    expect(await page.locator('.legend-note').count()).toBe(0);
  });

  test('a map that was opened while cells are being prepared is drawn anew when they are there', async () => {
    let isPreparing = true;
    await page.route(/\/tiles\/\d+\.json/, async (route) => {
      const reply = await route.fetch();
      const text = await reply.text();
      await route.fulfill({
        response: reply,
        body: isPreparing ? text.replace('"state":"ready"', '"state":"preparing"') : text,
      });
    });
    await page.goto('/');
    await page.goto(`/viewer?layer=${layer}#6/50.5/7.5`);
    await page.getByText(/Trees: being prepared/).waitFor();
    const tile = page.waitForResponse(/\.mvt\?.*prepared/);
    isPreparing = false;
    expect((await tile).status()).toBe(200);
    await page.getByText('Trees: summarised in cells of 3.1 km: zoom in to see individual features').waitFor();
    await page.unroute(/\/tiles\/\d+\.json/);
    expect(complaints).toEqual([]);
  });

  test('a click on a cell lists the rows that lie there, and the number of features is no attribute', async () => {
    await page.goto('/');
    await page.goto(`/viewer?layer=${layer}#6/50.5/7.5`);
    await waitForMap(page);
    await clickAt(page, { lng: 7.5, lat: 50.5 });
    const card = page.locator('.feature-card');
    await card.getByText(/features are shown as one cell here/).waitFor();
    await card.getByText(/^1 of \d+$/).waitFor();
    expect(await card.textContent()).toMatch(/species\s*(?:oak|lime|plane)/i);
    expect(await card.textContent()).not.toMatch(/number of features|_count/i);
    await picture(page, 'dense-cell');
    const first = await card.textContent();
    await card.getByRole('button', { name: 'Next feature' }).click();
    await until(async () => (await card.textContent()) !== first);
    expect(complaints).toEqual([]);
  });

  const counted = async (): Promise<number> =>
    Number((await page.locator('.attribute-table .table-bar [role=status]').textContent())?.replace(/\D/g, ''));

  test('several conditions filter the map and the table, stay when the table is closed, and go away by their chips', async () => {
    await page.goto('/');
    await page.goto(`/viewer?layer=${layer}#6/50.5/7.5`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Filter for Trees' });
    await panel.getByLabel('Attribute', { exact: true }).selectOption('species');
    await panel.getByLabel('Condition', { exact: true }).selectOption('is');
    const tiles = page.waitForResponse(/\.mvt\?.*filter=/);
    await panel.getByLabel('Value', { exact: true }).fill('oak');
    expect((await tiles).status()).toBeLessThan(300);
    await panel.getByRole('button', { name: 'Add a condition' }).click();
    await panel.getByLabel('Attribute', { exact: true }).last().selectOption('height');
    await panel.getByLabel('Condition', { exact: true }).last().selectOption('more');
    await panel.getByLabel('Value', { exact: true }).last().fill('20');
    expect(await serious(page, 'filter panel')).toEqual([]);
    await picture(page, 'filter-panel');
    // 7,500 oaks are few enough to be drawn one by one: there is nothing to note any more.
    await until(async () => (await note().textContent()) === '');
    const download = panel.getByRole('link', { name: 'CSV' });
    await until(async () => ((await download.getAttribute('href')) ?? '').includes('height'));
    const csv = await page.request.get((await download.getAttribute('href')) ?? '');
    const lines = (await csv.text()).trim().split('\n').slice(1);
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.every((line) => line.includes('oak'))).toBe(true);
    await panel.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Remove the filter “species is oak”' }).waitFor();
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Attribute table' }).click();
    await until(async () => (await counted()) === lines.length);
    // Any of both is more than both.
    await page.getByLabel('Combine conditions with').selectOption('or');
    await until(async () => (await counted()) > 7500);
    await picture(page, 'filter-table');
    await page.getByRole('button', { name: 'Close the table' }).first().click();
    await page.getByRole('button', { name: 'Remove the filter “species is oak”' }).click();
    await page.getByRole('button', { name: 'Remove the filter “height is more than 20”' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('groups of conditions are made, told in words, and kept with the layer as what its page and new maps begin with', async () => {
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Filter for Trees' });
    await panel.getByRole('button', { name: 'Add a group' }).press('Enter');
    const group = panel.getByRole('group', { name: 'Group', exact: true });
    await group.getByLabel('Attribute', { exact: true }).selectOption('species');
    await group.getByLabel('Condition', { exact: true }).selectOption('is');
    await group.getByLabel('Value', { exact: true }).fill('oak');
    await group.getByRole('button', { name: 'Add a condition' }).click();
    await group.getByLabel('Attribute', { exact: true }).last().selectOption('species');
    await group.getByLabel('Condition', { exact: true }).last().selectOption('is');
    await group.getByLabel('Value', { exact: true }).last().fill('lime');
    await group.getByLabel('Combine conditions with').selectOption('or');
    const tiles = page.waitForResponse(/\.mvt\?.*filter=.*and.*or.*oak.*lime/);
    await panel.getByLabel('Combine conditions with').first().selectOption('and');
    expect((await tiles).status()).toBeLessThan(300);
    const inWords = '(species is oak or species is lime)';
    expect(await serious(page, 'filter groups')).toEqual([]);
    await picture(page, 'filter-groups');
    await panel.getByRole('button', { name: 'Save this filter with the layer' }).click();
    await panel.getByText(`height is more than 20 and ${inWords}`).waitFor();
    await page.goto(`/layers/${layer}`);
    await waitForMap(page);
    expect(await serious(page, 'a layer with a filter')).toEqual([]);
    await picture(page, 'filter-of-layer');
    await page.getByRole('button', { name: `Remove the filter “${inWords}”` }).click();
    await page.getByRole('button', { name: 'Remove the filter “height is more than 20”' }).click();
    await page.goto(`/viewer?layer=${layer}#6/50.5/7.5`);
    await waitForMap(page);
    await page.getByRole('button', { name: `Remove the filter “${inWords}”` }).click();
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await panel.getByRole('button', { name: 'Remove it from the layer' }).click();
    await panel.getByRole('button', { name: 'Remove it from the layer' }).waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    expect(complaints).toEqual([]);
  });

  test('a filter and the controls for readers are saved with the map', async () => {
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Filter for Trees' });
    await panel.getByLabel('Add a control …').selectOption('species');
    await panel.getByLabel('Add a control …').selectOption('height');
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    const controls = page.getByRole('region', { name: 'Filter Trees' });
    // The author's filter narrows down what there is to choose from.
    await controls.getByRole('checkbox', { name: /^lime/ }).waitFor();
    const tiles = page.waitForResponse(/\.mvt\?.*filter=.*lime/);
    await controls.getByRole('checkbox', { name: /^lime/ }).check();
    expect((await tiles).status()).toBeLessThan(300);
    expect(await serious(page, 'controls')).toEqual([]);
    await picture(page, 'filter-controls');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Tall trees');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/viewer\/\d+/);
    await page.reload();
    await page.getByRole('button', { name: 'Remove the filter “height is more than 20”' }).waitFor();
    // What a reader chose was chosen for now.
    await controls.getByRole('checkbox', { name: /^lime/ }).waitFor();
    expect(await controls.getByRole('checkbox', { name: /^lime/ }).isChecked()).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('a map that is handed out has what its author wants beside it: title, description, legend, switches, search', async () => {
    const map = /\/viewer\/(\d+)/.exec(page.url())?.[1] ?? '';
    await portal.api('admin', 'PATCH', `/api/v2/maps/${map}/`, { abstract: 'All that grow above twenty metres.' });
    await page.goto(`/viewer/${map}`);
    await waitForMap(page);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('description').check();
    await dialog.getByLabel('place search').check();
    await dialog.getByLabel('scale').uncheck();
    expect(await serious(page, 'share a map')).toEqual([]);
    await picture(page, 'share-shows');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`/maps/${map}/embed`);
    await waitForMap(page);
    await page.getByText('All that grow above twenty metres.').waitFor();
    await page.getByRole('search', { name: /place/i }).waitFor();
    expect(await page.locator('.maplibregl-ctrl-scale').count()).toBe(0);
    await page.getByText('Legend', { exact: true }).click();
    await page.getByText('height is more than 20').waitFor();
    expect(await page.getByRole('button', { name: /Remove the filter/ }).count()).toBe(0);
    const tiles = page.waitForResponse(/\.mvt\?.*filter=.*lime/);
    await page.getByRole('checkbox', { name: /^lime/ }).check();
    expect((await tiles).status()).toBeLessThan(300);
    expect(await serious(page, 'embed')).toEqual([]);
    await picture(page, 'embed-legend');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'embed-legend-phone-dark');
    await changeLook(page, { small: true });
    await page.getByLabel('Show Trees').uncheck();
    await page.getByRole('checkbox', { name: /^lime/ }).waitFor({ state: 'hidden' });
    await page.goto(`/maps/${map}`);
    await waitForMap(page);
    await page.getByLabel('Show Trees').waitFor();
    await page.locator('.map-contents .legend').waitFor();
    expect(await serious(page, 'map page')).toEqual([]);
    await picture(page, 'map-page');
    expect(complaints).toEqual([]);
  });
});
