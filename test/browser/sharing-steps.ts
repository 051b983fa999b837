// Sharing that is chosen and seen: what is saved in the pages is private unless one chooses otherwise, badges say which, and a map
// with layers that others do not see says so, to them and to who shares it.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLook, makeAccount, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage, waitForMap } from './stage.ts';

/** A layer that everybody sees, of somebody else. */
export type SharingStage = Stage & { readonly open: string; readonly openTitle: string };

const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: { name: 'one' }, geometry: { type: 'Point', coordinates: [10, 50] } }],
});

export function sharingSteps(stage: () => SharingStage): void {
  let page: Page;
  let complaints: string[];
  let wells = '';
  let map = '';
  beforeAll(async () => {
    const { browser, portal } = stage();
    await makeAccount(portal, 'ada');
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ada');
  });
  afterAll(() => page?.context().close());

  /** What a visitor is answered. */
  const asVisitor = async (path: string): Promise<number> => (await fetch(stage().portal.url + path)).status;

  test('a file that is added is private, and says so before it is sent', async () => {
    await page.goto('/add');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'wells.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(GEOJSON) },
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
    ]);
    const card = page.getByRole('form', { name: 'wells.geojson' });
    expect(await card.getByLabel('Only me').isChecked()).toBe(true);
    await picture(page, 'add-sharing');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'add-sharing-phone-dark');
    await changeLook(page, { small: true });
    await card.getByRole('button', { name: 'Import' }).click();
    const open = page.getByRole('link', { name: 'Open the layer' });
    await open.waitFor({ timeout: 60_000 });
    wells = /\/layers\/(\d+)/.exec((await open.getAttribute('href')) ?? '')?.[1] ?? '';
    const notes = page.getByRole('form', { name: 'notes.pdf' });
    expect(await notes.getByLabel('Only me').isChecked()).toBe(true);
    await notes.getByRole('button', { name: 'Add as a document' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await page.locator('.resource-head .badge').getByText('Private').waitFor();
    expect(await asVisitor(`/api/v2/layers/${wells}/`)).toBe(404);
    expect(await asVisitor(`/api/v2${new URL(page.url()).pathname}/`)).toBe(404);
  });

  test('a story that is saved is private, too', async () => {
    await page.goto('/stories/new');
    expect(await page.getByLabel('Only me').isChecked()).toBe(true);
    await page.getByLabel('Title').first().fill('Secret story');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Secret story', level: 1 }).waitFor();
    const pk = /\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1];
    expect(await asVisitor(`/api/v2/geostories/${pk}/`)).toBe(404);
  });

  test('who saves a map for everybody is told of layers that not everybody sees', async () => {
    const { open } = stage();
    await page.goto(`/viewer?layer=${wells}&layer=${open}#3/50/10`);
    await waitForMap(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Only me').isChecked()).toBe(true);
    await dialog.getByLabel('Title').fill('Wells and more');
    expect(await dialog.getByText('not shared with everyone').count()).toBe(0);
    await dialog.getByLabel('Everyone').check();
    await dialog.getByText('One layer of this map is not shared with everyone.').waitFor();
    await picture(page, 'save-map-unshared');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Map saved.').waitFor();
    map = /\/viewer\/(\d+)/.exec(page.url())?.[1] ?? '';
    expect(await asVisitor(`/api/v2/maps/${map}/`)).toBe(200);
    expect(await asVisitor(`/api/v2/layers/${wells}/`)).toBe(404);
  });

  test('a visitor of the map is told that a layer is not shared with them', async () => {
    const { browser, portal, openTitle } = stage();
    const context = await openContext(browser, portal.url, { small: true });
    const visitor = await context.newPage();
    await visitor.goto(`/maps/${map}`);
    await visitor.getByText('1 of 2 layers is not shared with you.').waitFor();
    await visitor.getByRole('link', { name: openTitle }).waitFor();
    await visitor.locator('.resource-head .badge').getByText('Public').waitFor();
    await picture(visitor, 'map-hidden-layer');
    await visitor.goto(`/viewer/${map}`);
    await visitor.getByText('1 of 2 layers is not shared with you.').waitFor();
    expect(await visitor.content()).not.toContain('Wells</');
    await context.close();
  });

  test('who shares the map can share the layer with it', async () => {
    await page.goto(`/maps/${map}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('One layer of this map is not shared with everyone.').waitFor();
    await dialog.getByLabel('Share this layer with everyone, too').check();
    await picture(page, 'share-map-layers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Sharing saved').or(page.getByText(/saved/i)).first().waitFor();
    await expect.poll(() => asVisitor(`/api/v2/layers/${wells}/`)).toBe(200);
    await page.getByText('One layer of this map is not shared with everyone.').waitFor({ state: 'detached' });
  });

  test('the item itself says what others do not see of it, and a button shares just that', async () => {
    const { portal } = stage();
    const perms = `/api/v2/resources/${wells}/set_perms/`;
    expect((await portal.api('ada', 'PUT', perms, { users: {}, groups: {} })).status).toBe(200);
    await page.goto(`/maps/${map}`);
    const note = page.locator('.resource-head .unshared');
    await note.getByText('One layer of this map is not shared with everyone.').waitFor();
    await note.getByText('Shared with: Everyone').waitFor();
    await picture(page, 'item-audience');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'item-audience-phone-dark');
    await changeLook(page, { small: true });
    await note.getByRole('button', { name: 'Share this layer with everyone, too' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await asVisitor(`/api/v2/layers/${wells}/`)).toBe(200);
  });

  test('cards and rows of the catalogue have badges', async () => {
    await page.goto('/?q=Secret+story');
    await page.locator('.card .badge').getByText('Private').waitFor();
    await page.goto('/');
    await page.locator('.card .badge').getByText('Public').first().waitFor();
    await picture(page, 'catalogue-badges');
    await page.goto('/?view=list');
    await page.locator('.row-item .badge').getByText('Public').first().waitFor();
    await picture(page, 'catalogue-rows-badges');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'catalogue-rows-phone-dark');
    await changeLook(page, { small: true });
  });

  test('nothing was complained about', () => {
    expect(complaints).toEqual([]);
  });
}
