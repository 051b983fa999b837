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

  test('the viewer makes one, too, and shows it on the map at once', async () => {
    await page.goto(`/viewer?layer=${stops}`);
    await page.getByRole('button', { name: 'More actions for Stops' }).click();
    await page.getByRole('button', { name: 'Analyse' }).click();
    const dialog = page.getByRole('dialog', { name: 'New layer from this one' });
    await dialog.getByLabel('Process').selectOption({ label: 'Buffer' });
    await dialog.getByLabel('Distance in metres').fill('500');
    await dialog.getByLabel('Title').fill('Around stops');
    expect(await serious(page, 'analysis in the viewer')).toEqual([]);
    await dialog.getByRole('button', { name: 'Create layer' }).click();
    await dialog.getByRole('link', { name: 'Open the layer' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hide Around stops' }).waitFor();
    await picture(page, 'analysis-viewer');
  });

  test('lines of equal value are drawn from a raster, and areas get its numbers', async () => {
    const upload = async (name: string, content: string, fields: Readonly<Record<string, string>>): Promise<string> => {
      const form = new FormData();
      form.append('base_file', new Blob([content]), name);
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      expect((await portal.api('ana', 'PUT', '/api/v2/uploads/upload/', form)).status).toBe(201);
      const find = async (): Promise<string | undefined> => {
        const { json } = await portal.api('ana', 'GET', `/api/v2/layers/?filter{name}=${name.split('.')[0]}`);
        return (json as { readonly layers: readonly { readonly pk: string }[] }).layers[0]?.pk;
      };
      await expect.poll(find, { timeout: 30_000 }).toBeDefined();
      return (await find()) ?? '';
    };
    const rows = Array.from({ length: 40 }, (_, row) =>
      Array.from({ length: 40 }, (_, column) => Math.round(900 - 40 * Math.hypot(row - 20, column - 15))).join(' '),
    );
    const grid = `ncols 40\nnrows 40\nxllcorner 8\nyllcorner 47\ncellsize 0.01\nNODATA_value -9999\n${rows.join('\n')}\n`;
    const hill = await upload('hill.asc', grid, { crs: 'EPSG:4326' });
    const areas = [8.1, 8.2].map((x, n) => ({
      type: 'Feature',
      properties: { n },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [x, 47.1],
            [x + 0.1, 47.1],
            [x + 0.1, 47.3],
            [x, 47.3],
            [x, 47.1],
          ],
        ],
      },
    }));
    await upload('quarters.geojson', JSON.stringify({ type: 'FeatureCollection', features: areas }), {});
    await page.goto(`/layers/${hill}`);
    await page.getByRole('button', { name: 'Analyse' }).click();
    const dialog = page.getByRole('dialog', { name: 'New layer from this one' });
    expect(await dialog.getByLabel('Process').locator('option').allTextContents()).toEqual([
      'Choose…',
      'Zonal statistics',
      'Isolines',
    ]);
    await dialog.getByLabel('Process').selectOption({ label: 'Isolines' });
    await dialog.getByLabel('Interval between lines').fill('100');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(/rows from a sample; nothing has been saved\./).waitFor();
    await page.locator('.dialog .map-view[data-idle], dialog .map-view[data-idle]').waitFor({ timeout: 60_000 });
    expect(await serious(page, 'isolines')).toEqual([]);
    await picture(page, 'analysis-isolines');
    await dialog.getByLabel('Process').selectOption({ label: 'Zonal statistics' });
    await dialog.getByLabel('Layer', { exact: true }).selectOption({ label: 'quarters' });
    await dialog.getByRole('button', { name: 'Create layer' }).click();
    await dialog.getByRole('link', { name: 'Open the layer' }).click();
    await page.getByRole('heading', { level: 1, name: 'quarters: hill' }).waitFor();
    const id = page.url().split('/').at(-1);
    const { json } = await portal.api('ana', 'GET', `/ogc/collections/${id}/items?f=json`);
    const { features } = json as { readonly features: readonly { readonly properties: Record<string, unknown> }[] };
    expect(features.map(({ properties }) => properties['count'])).toEqual([200, 200]);
    expect(complaints).toEqual([]);
  });

  test('the head of every page lists what is under way: how far it is, how it ended, and a way to stop it', async () => {
    const square = (n: number): unknown => {
      const [x, y] = [8 + (n % 50) / 100, 47 + Math.floor(n / 50) / 100];
      const ring = [
        [x, y],
        [x + 0.3, y],
        [x + 0.3, y + 0.3],
        [x, y + 0.3],
        [x, y],
      ];
      return { type: 'Feature', properties: { n }, geometry: { type: 'Polygon', coordinates: [ring] } };
    };
    const many = { type: 'FeatureCollection', features: Array.from({ length: 3000 }, (_, n) => square(n)) };
    const form = new FormData();
    form.append('base_file', new Blob([JSON.stringify(many)]), 'many.geojson');
    expect((await portal.api('ana', 'PUT', '/api/v2/uploads/upload/', form)).status).toBe(201);
    const find = async (): Promise<number> =>
      ((await portal.api('ana', 'GET', '/api/v2/layers/?filter{name}=many')).json as { readonly total: number }).total;
    await expect.poll(find, { timeout: 60_000 }).toBe(1);
    const begin = (title: string, process: string, inputs: object) =>
      portal.api('ana', 'POST', `/ogc/processes/${process}/execution`, { title, inputs });
    expect((await begin('Nobody there', 'filter', { layer: stops, filter: 'riders > 1000' })).status).toBe(201);
    // Nine million pairs: nobody waits for them.
    expect((await begin('All pairs', 'intersection', { layer: 'many', other: 'many' })).status).toBe(201);
    await page.goto('/');
    const button = page.getByRole('button', { name: '1 job under way' });
    await button.waitFor({ timeout: 30_000 });
    await button.focus();
    await page.keyboard.press('Enter');
    const jobs = page.getByRole('list', { name: 'Jobs' });
    const pairs = jobs.getByRole('listitem').filter({ hasText: 'All pairs' });
    await pairs.getByRole('progressbar').waitFor();
    const failed = jobs.getByRole('listitem').filter({ hasText: 'Nobody there' });
    await failed.getByText('Nothing is left: the result has no rows.').waitFor();
    await jobs.getByRole('link', { name: 'many' }).waitFor();
    expect(await serious(page, 'jobs')).toEqual([]);
    await picture(page, 'jobs');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await serious(page, 'jobs on a phone')).toEqual([]);
    await picture(page, 'jobs-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await serious(page, 'jobs, dark', 'colours')).toEqual([]);
    await picture(page, 'jobs-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await pairs.getByRole('button', { name: 'Cancel All pairs' }).press('Enter');
    await pairs.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Jobs', exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toMatch(/job/i);
    await page.keyboard.press('Escape');
    await jobs.waitFor({ state: 'detached' });
    // What is begun on this page is in the list at once.
    await page.goto(`/layers/${stops}`);
    await page.getByRole('button', { name: 'Analyse' }).click();
    const dialog = page.getByRole('dialog', { name: 'New layer from this one' });
    await dialog.getByLabel('Process').selectOption({ label: 'Centroids' });
    await dialog.getByLabel('Title').fill('Middle of stops');
    await dialog.getByRole('button', { name: 'Create layer' }).click();
    await dialog.getByRole('link', { name: 'Open the layer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Jobs', exact: true }).click();
    await jobs.getByRole('link', { name: 'Middle of stops' }).click();
    await page.getByRole('heading', { level: 1, name: 'Middle of stops' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a table of towns gets places, and what is unsure is reviewed by keyboard and by the map', async () => {
    const form = new FormData();
    form.append('base_file', new Blob(['ort,land\nZürich,CH\nSpringfield,US\nNixheim,DE\nParis,US\n']), 'orte.csv');
    form.append('places', 'none');
    expect((await portal.api('ana', 'PUT', '/api/v2/uploads/upload/', form)).status).toBe(201);
    const find = async (): Promise<string | undefined> => {
      const { json } = await portal.api('ana', 'GET', '/api/v2/layers/?filter{name}=orte');
      return (json as { readonly layers: readonly { readonly pk: string }[] }).layers[0]?.pk;
    };
    await expect.poll(find, { timeout: 30_000 }).toBeDefined();
    await page.goto(`/layers/${await find()}`);
    await page.getByText('These rows look like addresses.').waitFor();
    await picture(page, 'geocode-offer');
    await page.getByRole('button', { name: 'Find places' }).click();
    const dialog = page.getByRole('dialog', { name: 'New layer from this one' });
    // What the columns are called says which ones make the address.
    await expect.poll(() => dialog.getByLabel('Town').inputValue()).toBe('ort');
    await expect.poll(() => dialog.getByLabel('Country').inputValue()).toBe('land');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Zürich, CH → Zurich, CH').waitFor();
    expect(await serious(page, 'geocode dialog')).toEqual([]);
    await picture(page, 'geocode-preview');
    await dialog.getByRole('button', { name: 'Create layer' }).click();
    await dialog.getByRole('link', { name: 'Open the layer' }).click();
    await page.getByRole('tab', { name: 'Review places' }).click();
    const review = page.getByRole('region', { name: 'Review places' });
    await review.getByText('3 rows to review').waitFor();
    await review.getByRole('heading', { name: 'Springfield, US' }).waitFor();
    await page.locator('.map-view[data-idle]').last().waitFor({ timeout: 60_000 });
    expect(await serious(page, 'geocode review')).toEqual([]);
    await picture(page, 'geocode-review');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await serious(page, 'geocode review on a phone')).toEqual([]);
    await picture(page, 'geocode-review-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    // Another candidate, by keyboard alone.
    await review.getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await review.getByRole('button', { name: 'Accept this place' }).press('Enter');
    await review.getByText('2 rows to review · 1 checked').waitFor();
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Nixheim, DE');
    // Coordinates are a place, too.
    await review.getByRole('searchbox').fill('50.5, 8.5');
    await review.getByRole('searchbox').press('Enter');
    await review.getByText('Chosen: 50.50000, 8.50000').waitFor();
    await review.getByRole('button', { name: 'Accept this place' }).click();
    await review.getByText('1 row to review').waitFor();
    await page.locator('.review .map-view[data-idle]').waitFor({ timeout: 60_000 });
    await page.locator('.review .map-view').click({ position: { x: 200, y: 200 } });
    await review.getByText('Chosen:').waitFor();
    await review.getByRole('button', { name: 'Leave without a place' }).click();
    await review.getByText('0 rows to review').waitFor();
    const id = page.url().split('/').at(-1);
    const { json } = await portal.api('ana', 'GET', `/ogc/collections/${id}/items?f=json`);
    const { features } = json as {
      readonly features: readonly { readonly geometry: unknown; readonly properties: Record<string, unknown> }[];
    };
    expect(features.map(({ properties }) => properties['geocode_state'])).toEqual([
      'sure',
      'checked',
      'checked',
      'checked',
    ]);
    expect(features[2]).toMatchObject({
      geometry: { type: 'Point', coordinates: [8.5, 50.5] },
      properties: { geocode_source: 'by hand', geocode_match: null },
    });
    expect(features[3]?.geometry).toBeNull();
    expect(complaints).toEqual([]);
  });
});
