// The work of a day by keyboard alone: no pointer is moved, the focus is always seen, and goes on where the work does.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { type Keys, keysOf } from './keys.ts';
import {
  makeAccount,
  NO_CHROMIUM,
  openContext,
  PASSWORD,
  type PortalProgram,
  startBrowser,
  startPortal,
  watchComplaints,
} from './portal-program.ts';
import { picture, waitForMap } from './stage.ts';

const STATIONS = 'name,kind,lon,lat\nNorth,a,7.1,50.9\nSouth,b,7.2,50.1\nEast,a,8.2,50.5\n';
const ITEMS = '/ogc/collections/stations/items';

type Items = {
  readonly features: readonly { readonly geometry: unknown; readonly properties: { readonly name: string } }[];
};

describeNeeding(NO_CHROMIUM, 'by keyboard alone, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let page: Page;
  let keys: Keys;
  let complaints: string[];

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    await makeAccount(portal, 'kay');
    await portal.api('kay', 'POST', '/api/v2/layers/empty/', {
      title: 'Areas',
      geometry: 'polygon',
      crs: 'EPSG:4326',
      columns: [{ name: 'Use', type: 'text' }],
    });
    page = await (await openContext(browser, portal.url, { coarse: true })).newPage();
    complaints = watchComplaints(page);
    keys = keysOf(page);
    // From the beginning: a browser that is told later opens a window of its own.
    page.on('filechooser', (chooser) => {
      void chooser.setFiles({ name: 'stations.csv', mimeType: 'text/csv', buffer: Buffer.from(STATIONS) });
    });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  const items = async (): Promise<Items['features']> =>
    ((await portal.api('kay', 'GET', ITEMS)).json as Items).features;
  const inDialog = (): Promise<void> => page.getByRole('dialog').waitFor();

  test('somebody signs in and imports a table of places', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await keys.to('Sign in');
    await keys.press('Enter');
    await page.getByLabel('User name').waitFor();
    await keys.to('User name');
    await keys.type('kay');
    await keys.to('Password');
    await keys.type(PASSWORD);
    await keys.press('Enter');
    await page.getByRole('button', { name: 'kay' }).waitFor();
    await keys.to('Add data', 'Shift+Tab');
    await keys.press('Enter');
    await keys.to('Choose files');
    await keys.press('Enter');
    await page.getByRole('form', { name: 'stations.csv' }).waitFor();
    await keys.to('Import');
    await keys.press('Enter');
    await page.getByRole('link', { name: 'Open the layer' }).waitFor({ timeout: 60_000 });
    expect(await keys.here()).toBe('stations');
    await keys.to('Open the layer');
    await keys.press('Enter');
    await keys.to('Open in the map viewer');
    await keys.press('Enter');
    await waitForMap(page);
  });

  test('layers are added, hidden and moved, and the focus stays on what was pressed', async () => {
    await keys.to('Add a layer');
    await keys.press('Enter');
    await inDialog();
    await page.getByRole('button', { name: 'Add Areas' }).waitFor();
    await keys.to('Add Areas');
    await keys.press('Enter');
    if ((await page.getByRole('dialog').count()) > 0) await keys.press('Escape');
    await expect.poll(keys.here).toBe('Add a layer');
    await keys.to('Hide Areas');
    await keys.press('Enter');
    expect(await keys.here()).toBe('Show Areas');
    await keys.press('Enter');
    await keys.to('Move Areas down');
    await keys.press('Enter');
    // Now it is the last, and cannot go further down.
    await expect.poll(() => page.locator('.layer-title').allTextContents()).toEqual(['Stations', 'Areas']);
    await expect.poll(keys.here).toBe('Move Areas down');
    await keys.to('Move Areas up', 'Shift+Tab');
    await keys.press('Enter');
    await expect.poll(() => page.locator('.layer-title').allTextContents()).toEqual(['Areas', 'Stations']);
    await expect.poll(keys.here).toBe('Move Areas up');
  });

  test('a style is changed and saved', async () => {
    await menu('Stations', 'Style');
    await keys.to('Size');
    await keys.press('ArrowUp');
    await keys.to('Save style');
    await keys.press('Enter');
    await page.getByText('Style saved.').waitFor();
    await expect.poll(keys.here).toBe('Save style');
    await keys.to('Back', 'Shift+Tab');
    await keys.press('Enter');
    await expect.poll(keys.here).toBe('Layers');
  });

  test('the attribute table is filtered, sorted and edited', async () => {
    await menu('Stations', 'Attribute table');
    await page.getByText('3 features').waitFor();
    await keys.to('Value');
    await keys.type('Nor');
    await page.getByText('1 feature', { exact: true }).waitFor();
    await keys.press('ControlOrMeta+A', 'Delete');
    await page.getByText('3 features').waitFor();
    await keys.to('name');
    await keys.press('Enter');
    await page.locator('tbody tr').first().getByText('East').waitFor();
    await keys.to('East');
    await keys.press('F2');
    await page.locator('.editable-cell input').waitFor();
    await keys.type('Eastern');
    await keys.press('Enter');
    await expect.poll(async () => (await items()).map(({ properties }) => properties.name)).toContain('Eastern');
    await picture(page, 'keyboard-table');
    await keys.to('Close the table', 'Shift+Tab');
    await keys.press('Enter');
    await expect.poll(keys.here).toBe('More actions for Stations');
  });

  test('a point and a polygon are drawn by their coordinates, with attributes', async () => {
    await draw('Stations', '7.5, 50.5', 'Middle');
    expect((await items()).find(({ properties }) => properties.name === 'Middle')?.geometry).toMatchObject({
      coordinates: [7.5, 50.5],
    });
    await draw('Areas', '7, 50\n8, 50\n8, 51\n7, 51', 'park');
    const { json } = await portal.api('kay', 'GET', '/ogc/collections/areas/items');
    expect(json).toMatchObject({ features: [{ properties: { use: 'park' } }] });
    await picture(page, 'keyboard-edit');
  });

  test('a layer is shared, deleted, and restored from the bin', async () => {
    const { json } = await portal.api('kay', 'GET', '/api/v2/layers/?filter{title}=Areas');
    const [areas] = (json as { readonly layers: readonly { readonly pk: string }[] }).layers;
    await page.goto(`/layers/${areas?.pk}`);
    await keys.to('Share');
    await keys.press('Enter');
    await inDialog();
    await keys.to(/^Public/);
    await keys.press('Space');
    await keys.to('Save');
    await keys.press('Enter');
    await page.getByText('Sharing saved.').first().waitFor();
    await expect.poll(keys.here).toBe('Share');
    await keys.to('Delete');
    await keys.press('Enter');
    await inDialog();
    await keys.press('Escape');
    await expect.poll(keys.here).toBe('Delete');
    await keys.press('Enter');
    await inDialog();
    await keys.to('Delete');
    await keys.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto('/account?tab=bin');
    await page.getByRole('button', { name: 'Restore Areas' }).waitFor();
    await keys.to('Restore Areas');
    await keys.press('Enter');
    // The button names the layer, too, until it is gone.
    await expect.poll(keys.here).toMatch(/^(?!Restore).*Areas/);
    expect((await portal.api('kay', 'GET', `/api/v2/layers/${areas?.pk}/`)).status).toBe(200);
  });

  test('a dashboard and a story are made', async () => {
    await page.goto('/apps/new');
    await keys.to('Title');
    await keys.type('Board');
    await keys.to('Add a widget');
    await keys.press('Enter');
    await inDialog();
    await keys.to('Layer or table');
    await page.getByRole('option', { name: 'Stations' }).waitFor({ state: 'attached' });
    await page.keyboard.type('Stations');
    await keys.to('Add');
    await keys.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(keys.here).toBe('Add a widget');
    await keys.to('Save', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
    await page.goto('/stories/new');
    await keys.to('Title');
    await keys.type('Tale');
    await keys.to('Add a section');
    await keys.press('Enter');
    // Writing goes on in the new one.
    await expect.poll(keys.here).toBe('Title');
    await keys.type('Second');
    await keys.to('Move up', 'Shift+Tab');
    await keys.press('Enter');
    await expect.poll(keys.here).toBe('Move up');
    await keys.to('Save', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Tale', level: 1 }).waitFor();
  });

  test('the console reads a table, and asks before it changes all of its rows', async () => {
    await page.goto('/console?table=stations');
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await keys.to('Send');
    await keys.press('Enter');
    await page.getByRole('region', { name: 'Response' }).getByText('200', { exact: true }).waitFor();
    await keys.to('Method', 'Shift+Tab');
    await page.keyboard.type('PATCH');
    await keys.to('Body (JSON)');
    await keys.type('{"kind": "z"}');
    await keys.to('Send');
    await keys.press('Enter');
    await inDialog();
    await page.getByRole('dialog').getByText('stations').waitFor();
    await keys.to('Change all rows');
    await keys.press('Enter');
    await page.getByRole('region', { name: 'Response' }).getByText('"kind": "z"').waitFor();
    // It was switched off while the request was under way.
    await expect.poll(keys.here).toBe('Send');
  });

  test('nothing was out of sight or without a ring, and no page threw anything', () => {
    expect(keys.complaints).toEqual([]);
    expect(complaints).toEqual([]);
  });

  async function menu(layer: string, action: string): Promise<void> {
    await keys.to(`More actions for ${layer}`);
    await keys.press('Enter');
    await keys.to(action);
    await keys.press('Enter');
  }

  /** And the first attribute. */
  async function draw(layer: string, coordinates: string, attribute: string): Promise<void> {
    await menu(layer, 'Edit features');
    await page.getByText('New feature from coordinates').waitFor();
    await keys.to('New feature from coordinates');
    await keys.press('Enter');
    await keys.to('Longitude, latitude');
    await keys.type(coordinates);
    await keys.to('Apply');
    await keys.press('Enter');
    await expect.poll(keys.here).toMatch(/^(?:name|Use)/);
    await keys.type(attribute);
    await keys.to('Save changes');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'All changes saved' }).waitFor();
    await keys.to('Close', 'Shift+Tab');
    await keys.press('Enter');
    await expect.poll(keys.here).toBe('Layers');
  }
});
