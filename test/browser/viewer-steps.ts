// The tools of the map viewer, each used once: measuring, bookmarks, printing, styles, the attribute table, layers and
// copies of a map.

import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, openContext, signIn, until, watchComplaints } from './portal-program.ts';
import { clickAt, picture, type Stage, waitForMap } from './stage.ts';

/** The layer of squares (alpha, beta, gamma) and the map made of it, both shared with the group of `mel`. */
export type ViewerStage = Stage & { readonly layer: string; readonly map: string };

const FOREIGN = {
  version: 8,
  layers: [
    { id: 'fill', type: 'fill', paint: { 'fill-color': ['case', ['>', ['get', 'value'], 15], '#880000', '#008800'] } },
    { id: 'late', type: 'line', minzoom: 3, paint: { 'line-color': '#000088', 'line-dasharray': [2, 1] } },
  ],
};

const FINDS = {
  type: 'FeatureCollection',
  features: [2019, 2020, 2021].map((year, i) => ({
    type: 'Feature',
    properties: { name: `find of ${year}`, day: `${year}-05-04` },
    geometry: { type: 'Point', coordinates: [2 * i, 9] },
  })),
};

export function viewerSteps(stage: () => ViewerStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal, layer } = stage();
    const put = await portal.api('ada', 'PUT', `/styles/${layer}/foreign.json`, FOREIGN);
    expect(put.status).toBe(201);
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ada');
    await page.goto(`/viewer?layer=${layer}#5/5/5`);
    await waitForMap(page);
  });
  afterAll(() => page?.context().close());

  const more = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions for Squares' }).click();
    await page.getByRole('button', { name: entry, exact: true }).click();
  };

  test('lengths and areas are measured by clicking', async () => {
    const number = (text: string): number => Number(text.replace(/[^\d.]/g, ''));
    await page.getByRole('button', { name: 'Measure distance' }).click();
    await clickAt(page, { lng: 1, lat: 5 });
    await clickAt(page, { lng: 9, lat: 5 });
    const length = page.getByRole('region', { name: 'Measure distance' }).locator('output');
    await expect.poll(() => length.textContent()).toMatch(/km$/);
    // Eight degrees along a parallel near the equator.
    expect(number((await length.textContent()) ?? '') / 886.2).toBeCloseTo(1, 1);
    await page.getByRole('button', { name: 'Measure area' }).click();
    for (const [lng, lat] of [
      [1, 1],
      [9, 1],
      [9, 9],
      [1, 9],
    ] as const)
      await clickAt(page, { lng, lat });
    const area = page.getByRole('region', { name: 'Measure area' }).locator('output');
    await expect.poll(() => area.textContent()).toMatch(/^7\d\d,\d00 km²$/);
    await picture(page, 'measure');
    await page.getByRole('button', { name: 'Clear' }).click();
    await area.getByText('Click on the map').waitFor();
    await page.getByRole('button', { name: 'Measure area' }).click();
  });

  test('a view is bookmarked and found again', async () => {
    await page.getByRole('button', { name: 'Bookmarks' }).click();
    await page.getByLabel('Name of this view').fill('The squares');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#4\./);
    await page.getByRole('button', { name: 'Bookmarks' }).click();
    await page.getByRole('button', { name: 'The squares', exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#5.00/5.00000/5.00000');
  });

  test('a place is found by its name and by its coordinates, and home is where the layers are', async () => {
    const search = page.getByRole('search', { name: 'Find a place' });
    await search.getByRole('searchbox').fill('mün');
    await search.getByRole('button', { name: /Munich Germany/ }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#10.00/48.13700/11.57500');
    await page.getByRole('button', { name: 'Basemap' }).click();
    await page.getByRole('button', { name: 'World, dark' }).click();
    await page.mouse.move(700, 400);
    await page.locator('.map-pointer').getByText('° N').waitFor();
    await picture(page, 'place-search');
    await search.getByRole('searchbox').fill('-33.9, 151.2');
    await search.getByRole('searchbox').press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#1\d\.00\/-33\.90000\/151\.20000$/);
    await page.getByRole('button', { name: 'Home' }).click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\d\.\d+\/5\.0\d+\/5\.0/);
  });

  test('the map is printed with its title, its legend and its layers', async () => {
    const print = async (format: 'PDF' | 'PNG'): Promise<Download> => {
      await page.getByRole('button', { name: 'Print', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Title').fill('Squares on paper');
      await dialog.getByLabel('DPI').selectOption('96');
      await dialog.getByLabel('Format').selectOption(format);
      if (format === 'PDF') await picture(page, 'print-dialog');
      const coming = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Download' }).click();
      return coming;
    };
    const pdf = readFileSync(await (await print('PDF')).path()).toString('latin1');
    expect(pdf).toMatch(/^%PDF-1.4/);
    // A4, landscape.
    expect(pdf).toContain('/MediaBox [0 0 842.25 595.50]');
    const download = await print('PNG');
    expect(download.suggestedFilename()).toBe('Squares-on-paper.png');
    const png = readFileSync(await download.path());
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1123, 794]);
    // An empty picture of that size is a tenth of this.
    expect(png.length).toBeGreaterThan(10_000);
    if (process.env['TEST_PICTURES'] !== undefined) await download.saveAs(`${process.env['TEST_PICTURES']}/print.png`);
  });

  test('a graduated style is kept beside the one there was', async () => {
    const { layer, portal } = stage();
    const before = await portal.api('ada', 'GET', `/styles/${layer}/default.json`);
    await more('Style');
    // Who works by keyboard goes on in the panel.
    await expect.poll(() => page.evaluate('document.activeElement?.className')).toBe('viewer-side');
    await page.getByLabel('Graduated').check();
    await page.getByLabel('Attribute').selectOption('value');
    await page.getByLabel('Method').selectOption('equal');
    await page.getByLabel('Classes').fill('3');
    await page.getByLabel('Colours').selectOption('blue');
    await page.locator('.category-list').getByText('≥ 23.3').waitFor();
    // Each class says how many it has.
    await expect
      .poll(() => page.locator('.category-list li').allTextContents())
      .toEqual(['< 16.71', '16.7 – 23.31', '≥ 23.31']);
    await page.getByLabel('Colour of 3').fill('#0a0b0c');
    await page.getByRole('button', { name: 'Save as a new style' }).click();
    await page.getByLabel('Name of the new style').fill('By value');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Style saved.').first().waitFor();
    await expect.poll(() => page.getByLabel('Style', { exact: true }).textContent()).toContain('By value');
    await picture(page, 'graduated');
    const below = 'document.documentElement.scrollHeight - window.innerHeight';
    expect(await page.evaluate(below), 'a long panel scrolls by itself').toBeLessThanOrEqual(0);
    const { json } = await portal.api('ada', 'GET', `/styles/${layer}`);
    const made = (json as { readonly styles: readonly { readonly title: string; readonly id: number }[] }).styles.find(
      ({ title }) => title === 'By value',
    );
    const kept = await portal.api('ada', 'GET', `/styles/${layer}/${made?.id}.json`);
    expect(JSON.stringify(kept.json)).toMatch(/"step".*#0a0b0c/);
    expect((await portal.api('ada', 'GET', `/styles/${layer}/default.json`)).json).toEqual(before.json);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.locator('.layer-item .legend').getByText('≥ 23.3').waitFor();
  });

  test('a style that the editor does not understand is left as it is until somebody replaces it', async () => {
    const { layer, portal } = stage();
    const stored = async (): Promise<unknown> => (await portal.api('ada', 'GET', `/styles/${layer}/foreign.json`)).json;
    const before = await stored();
    await more('Style');
    await page.getByLabel('Style', { exact: true }).selectOption('foreign');
    await page.getByText(/uses features that this editor cannot show \(fill, line/).waitFor();
    expect(await page.getByRole('button', { name: 'Save style' }).count()).toBe(0);
    await picture(page, 'foreign-style');
    await page.getByRole('button', { name: 'Replace with a simple style' }).click();
    await page.getByText('Saving replaces the original style').waitFor();
    await page.getByRole('button', { name: 'Keep the original' }).click();
    await page.getByText(/uses features that this editor cannot show/).waitFor();
    expect(await stored()).toEqual(before);
    await page.getByRole('button', { name: 'Replace with a simple style' }).click();
    await page.getByLabel('Colour', { exact: true }).fill('#abcdef');
    await page.getByRole('button', { name: 'Save style' }).click();
    await page.getByText('Style saved.').first().waitFor();
    await expect.poll(async () => JSON.stringify(await stored())).toContain('#abcdef');
    await page.getByRole('button', { name: 'Back' }).click();
  });

  test('what the attribute table leaves out is not on the map either, and a click there finds its row', async () => {
    await more('Attribute table');
    const table = page.getByRole('region', { name: 'Attributes of Squares' }).first();
    await table.getByText('3 features').waitFor();
    const names = (): Promise<string[]> => table.locator('tbody tr').allInnerTexts();
    await table.getByRole('button', { name: 'value' }).click();
    await expect.poll(async () => (await names())[0]).toContain('alpha');
    await table.getByRole('button', { name: 'value' }).click();
    await expect.poll(async () => (await names())[0]).toContain('gamma');
    await table.getByLabel('Attribute', { exact: true }).selectOption('name');
    await table.getByLabel('Value').fill('bet');
    await table.getByText('1 feature', { exact: true }).waitFor();
    const card = page.getByRole('region', { name: 'Feature' });
    await expect
      .poll(
        async () => {
          await clickAt(page, { lng: 1, lat: 1 });
          return card.count();
        },
        { timeout: 50_000 },
      )
      .toBe(0);
    await clickAt(page, { lng: 5, lat: 5 });
    await card.getByText('beta').waitFor();
    await table.locator('tr.chosen').getByText('beta').waitFor();
    await picture(page, 'table');
    await table.getByLabel('Value').fill('');
    await table.getByText('3 features').waitFor();
    await table.getByRole('button', { name: /Show feature 1 / }).click();
    await table.getByLabel('Only rows in the map view').check();
    await table.getByText('1 feature', { exact: true }).waitFor();
    await table.locator('tbody').getByText('alpha').waitFor();
  });

  test('a layer is added, made see-through, hidden and moved, and the copy of the map opens the same', async () => {
    await page.goto(`/viewer/${stage().map}`);
    await waitForMap(page);
    await page.getByRole('button', { name: 'Add a layer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find layers').fill('squa');
    await dialog.getByRole('button', { name: 'Add Squares' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const items = page.locator('.layer-item');
    await expect.poll(() => items.count()).toBe(2);
    await items.first().getByRole('slider').fill('40');
    await items.last().getByRole('button', { name: 'Hide Squares' }).click();
    await items.first().getByRole('button', { name: 'Move Squares down' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByLabel('Save as a new map').check();
    await dialog.getByLabel('Title').fill('Copy of squares');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Copy of squares' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(`/viewer/${stage().map}`);
    await page.reload();
    await expect.poll(() => items.count()).toBe(2);
    await items.first().getByRole('button', { name: 'Show Squares' }).waitFor();
    await items.last().getByText('40 %').waitFor();
  });

  test('a layer with dates is shown period by period, by hand and as an animation; layers are folded and dragged', async () => {
    const { portal, layer } = stage();
    const form = new FormData();
    form.append('base_file', new Blob([JSON.stringify(FINDS)]), 'finds.geojson');
    const sent = await portal.api('ada', 'POST', '/api/v2/uploads/upload', form);
    expect(sent.status).toBe(201);
    const finds = async (): Promise<string | undefined> => {
      const { json } = await portal.api('ada', 'GET', '/api/v2/layers/?filter{name}=finds');
      return (json as { readonly layers: readonly { readonly pk: string }[] }).layers[0]?.pk;
    };
    await until(async () => (await finds()) !== undefined);
    await page.goto(`/viewer?layer=${layer}&layer=${await finds()}#5/5/5`);
    await waitForMap(page);
    await page.getByRole('button', { name: 'More actions for finds' }).click();
    await page.getByRole('button', { name: 'Time slider', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Time slider of finds' });
    await bar.getByRole('status').getByText('1 feature').waitFor();
    await bar.getByLabel('Period', { exact: true }).selectOption('year');
    await bar.getByRole('status').getByText('2019').waitFor();
    const card = page.getByRole('region', { name: 'Feature' });
    const isThere = async (lng: number): Promise<boolean> => {
      await waitForMap(page);
      await clickAt(page, { lng, lat: 9 });
      return (await card.getByText('find of').count()) > 0;
    };
    await expect.poll(() => isThere(0)).toBe(true);
    await expect.poll(() => isThere(4)).toBe(false);
    await bar.getByRole('slider').fill('2');
    await bar.getByRole('status').getByText('2021').waitFor();
    await expect.poll(() => isThere(4)).toBe(true);
    await expect.poll(() => isThere(0)).toBe(false);
    await bar.getByLabel('Everything up to this period').check();
    await expect.poll(() => isThere(0)).toBe(true);
    await picture(page, 'time-slider');
    expect(await serious(page, 'time slider')).toEqual([]);
    await bar.getByRole('slider').fill('0');
    await bar.getByRole('button', { name: 'Play' }).click();
    await bar.getByRole('status').getByText('2021').waitFor();
    await bar.getByRole('button', { name: 'Play' }).waitFor();
    await bar.getByRole('button', { name: 'Close the time slider' }).click();
    const items = page.locator('.layer-item');
    const titles = (): Promise<string[]> => page.locator('.layer-title').allTextContents();
    const [first, second] = await titles();
    await page.getByRole('button', { name: first ?? '', exact: true }).click();
    await items.first().locator('.layer-more').waitFor({ state: 'detached' });
    const [from, to] = [await items.first().locator('.layer-grip').boundingBox(), await items.last().boundingBox()];
    if (from === null || to === null) throw new Error('there are no layers');
    await page.mouse.move(from.x + 4, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(from.x + 4, to.y + to.height - 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(titles).toEqual([second, first]);
  });

  test('layers are gathered in groups, which are folded, hidden, renamed and moved as one, and come back with the map', async () => {
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Name of the group').fill('Field work');
    await page.getByLabel('Name of the group').press('Enter');
    const group = page.locator('.layer-group');
    await group.getByText('No layers yet').waitFor();
    // By keyboard and menu.
    await page.getByRole('button', { name: 'More actions for finds' }).click();
    await page.getByRole('button', { name: 'Move to the group “Field work”' }).click();
    await expect.poll(() => group.locator('.layer-item').count()).toBe(1);
    // By dragging.
    const grip = page.locator('.layer-item').filter({ hasText: 'Squares' }).locator('.layer-grip');
    const [from, to] = [await grip.boundingBox(), await group.locator('.layer-item').boundingBox()];
    if (from === null || to === null) throw new Error('there are no layers');
    await page.mouse.move(from.x + 4, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + to.height - 4, { steps: 6 });
    await page.mouse.up();
    await expect.poll(() => group.locator('.layer-item').count()).toBe(2);
    const card = page.getByRole('region', { name: 'Feature' });
    const squareIsThere = async (): Promise<boolean> => {
      await waitForMap(page);
      await clickAt(page, { lng: 5, lat: 5 });
      return (await card.getByText('beta').count()) > 0;
    };
    await expect.poll(squareIsThere).toBe(true);
    await group.getByRole('button', { name: 'Hide Field work' }).click();
    await expect.poll(squareIsThere).toBe(false);
    await picture(page, 'groups');
    expect(await serious(page, 'groups')).toEqual([]);
    await group.getByRole('button', { name: 'Show Field work' }).click();
    await group.locator('.group-title').click();
    await expect.poll(() => page.locator('.layer-item').count()).toBe(0);
    await group.locator('.group-title').click();
    await page.getByRole('button', { name: 'Move finds down' }).click();
    await page.getByRole('button', { name: 'More actions for Field work' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the group').fill('Summer');
    await page.getByRole('button', { name: 'Done' }).click();
    await group.getByText('Summer').waitFor();
  });

  test('two layers are compared by a divider that keys and pointers move', async () => {
    await page.getByRole('button', { name: 'Compare two layers' }).click();
    const divider = page.getByRole('slider', { name: 'Divider between the two layers' });
    await page.locator('.swipe-map[data-idle]').waitFor();
    const bar = page.getByRole('region', { name: 'Compare two layers' });
    await bar.getByLabel('Left').selectOption('Squares');
    await bar.getByLabel('Right').selectOption('finds');
    const card = page.getByRole('region', { name: 'Feature' });
    const seen = async (lng: number, lat: number, text: string): Promise<boolean> => {
      await clickAt(page, { lng, lat });
      return (await card.getByText(text).count()) > 0;
    };
    await divider.focus();
    await divider.press('End');
    await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('100');
    await expect.poll(() => seen(5, 5, 'beta')).toBe(true);
    expect(await seen(2, 9, 'find of'), 'of the right layer nothing is left').toBe(false);
    await divider.press('Home');
    await expect.poll(() => seen(2, 9, 'find of')).toBe(true);
    expect(await seen(5, 5, 'beta')).toBe(false);
    await divider.press('PageUp');
    await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('10');
    const [grip, map] = [await divider.boundingBox(), await page.locator('.viewer-map').boundingBox()];
    if (grip === null || map === null) throw new Error('there is no divider');
    await page.mouse.move(grip.x + grip.width / 2, grip.y + 40);
    await page.mouse.down();
    await page.mouse.move(map.x + map.width / 2, grip.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('50');
    await picture(page, 'swipe');
    expect(await serious(page, 'swipe')).toEqual([]);
    await bar.getByRole('button', { name: 'End comparison' }).click();
    await page.locator('.swipe-map').waitFor({ state: 'detached' });
  });

  test('annotations are drawn, named and coloured, kept with the map, and shown to who looks at it', async () => {
    await page.getByRole('button', { name: 'Annotations' }).click();
    await page.getByText('No annotations yet').waitFor();
    await page.getByRole('button', { name: 'Area', exact: true }).click();
    await page.locator('.map-view[data-drawing]').waitFor();
    for (const [lng, lat] of [
      [1, 6],
      [3, 6],
      [3, 8],
    ] as const)
      await clickAt(page, { lng, lat });
    // The last corner again.
    await clickAt(page, { lng: 3, lat: 8 });
    await page.getByLabel('Title').fill('Floodplain');
    await page.getByLabel('Description').fill('Under water in 2013.');
    await page.getByLabel('Colour').fill('#0055aa');
    // Without a pointer: a text in the middle of the map.
    await page.getByRole('button', { name: 'Text', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Place in the centre of the map' }).press('Enter');
    await page.getByLabel('Text', { exact: true }).fill('Look here');
    await expect.poll(() => page.locator('.note-item').count()).toBe(2);
    await picture(page, 'annotations');
    expect(await serious(page, 'annotations')).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Annotated');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Annotated' }).waitFor();
    const id = /\/viewer\/(\d+)/.exec(page.url())?.[1] ?? '';
    await page.reload();
    await waitForMap(page);
    await page.locator('.layer-group').getByText('Summer').waitFor();
    await expect.poll(() => page.locator('.layer-group .layer-item').count()).toBe(2);
    const card = page.getByRole('region', { name: 'Annotation' });
    await clickAt(page, { lng: 2.6, lat: 6.5 });
    await card.getByText('Under water in 2013.').waitFor();
    await picture(page, 'annotation-card');
    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Move and reshape' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.locator('.note-item').count()).toBe(1);
    await page.goto(`/maps/${id}/embed#5/5/5`);
    await waitForMap(page);
    await clickAt(page, { lng: 2.6, lat: 6.5 });
    await card.getByText('Under water in 2013.').waitFor();
  });

  test('a layer of another service is found by its address, shown, asked about a place and kept with the map', async () => {
    const { portal, layer } = stage();
    const everybody = { users: { AnonymousUser: ['view_resourcebase'] }, groups: {} };
    await portal.api('ada', 'PUT', `/api/v2/resources/${layer}/set_perms/`, everybody);
    await page.goto('/viewer#5/5/5');
    await page.getByRole('button', { name: 'Add an external layer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Service URL').fill('https://elsewhere.example/wms');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByRole('alert').getByText('remote-hosts').waitFor();
    await dialog.getByLabel('Service URL').fill(`${portal.url}/wms`);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByRole('button', { name: 'Add Squares' }).click();
    await picture(page, 'external-dialog');
    expect(await serious(page, 'external layers')).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const item = page.locator('.layer-item');
    await item.getByText('WMS · 127.0.0.1').waitFor();
    await item.getByRole('img', { name: 'Legend of Squares' }).waitFor();
    const card = page.getByRole('region', { name: 'Feature' });
    await waitForMap(page);
    await clickAt(page, { lng: 5, lat: 5 });
    await card.getByText('beta').waitFor();
    await picture(page, 'external-layer');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByLabel('Title').fill('Of others');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Of others' }).waitFor();
    await page.reload();
    await item.getByText('WMS · 127.0.0.1').waitFor();
  });

  test('an administrator registers a service, whose layer is one of the catalogue and drawn by the service', async () => {
    const { browser, portal } = stage();
    const admin = await (await openContext(browser, portal.url, { small: true })).newPage();
    const heard = watchComplaints(admin);
    await signIn(admin, 'admin', ADMIN_PASSWORD);
    await admin.goto('/admin?tab=services');
    await admin.getByRole('tab', { name: 'Services' }).click();
    await admin.getByRole('button', { name: 'Register a service' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Service URL').fill(`${portal.url}/wms`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await admin.getByLabel('Squares', { exact: true }).check();
    await admin.getByRole('button', { name: 'Add to the catalogue' }).click();
    const link = admin.getByRole('link', { name: 'Squares', exact: true });
    await link.waitFor();
    await admin.getByText('reachable').waitFor();
    await picture(admin, 'services');
    expect(await serious(admin, 'services')).toEqual([]);
    await link.click();
    await admin.getByRole('heading', { name: 'Squares', level: 1 }).waitFor();
    await waitForMap(admin);
    await picture(admin, 'remote-layer');
    expect(heard).toEqual([]);
    await admin.context().close();
  });

  test('no tool threw anything', () => {
    expect(complaints).toEqual([]);
  });
}
