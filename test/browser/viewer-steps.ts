// The tools of the map viewer, each used once: measuring, bookmarks, printing, styles, the attribute table, layers and
// copies of a map.

import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext, signIn, watchComplaints } from './portal-program.ts';
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
  }, 120_000);
  afterAll(() => page?.context().close());

  const more = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'More for Squares' }).click();
    await page.getByRole('button', { name: entry, exact: true }).click();
  };

  test('lengths and areas are measured by clicking', async () => {
    const number = (text: string): number => Number(text.replace(/[^\d.]/g, ''));
    await page.getByRole('button', { name: 'Measure a length' }).click();
    await clickAt(page, { lng: 1, lat: 5 });
    await clickAt(page, { lng: 9, lat: 5 });
    const length = page.getByRole('region', { name: 'Measure a length' }).locator('output');
    await expect.poll(() => length.textContent()).toMatch(/km$/);
    // Eight degrees along a parallel near the equator.
    expect(number((await length.textContent()) ?? '') / 886.2).toBeCloseTo(1, 1);
    await page.getByRole('button', { name: 'Measure an area' }).click();
    for (const [lng, lat] of [
      [1, 1],
      [9, 1],
      [9, 9],
      [1, 9],
    ] as const)
      await clickAt(page, { lng, lat });
    const area = page.getByRole('region', { name: 'Measure an area' }).locator('output');
    await expect.poll(() => area.textContent()).toMatch(/^7\d\d,\d00 km²$/);
    await picture(page, 'measure');
    await page.getByRole('button', { name: 'Clear' }).click();
    await area.getByText('Click on the map').waitFor();
    await page.getByRole('button', { name: 'Measure an area' }).click();
  }, 60_000);

  test('a view is bookmarked and found again', async () => {
    await page.getByRole('button', { name: 'Bookmarks' }).click();
    await page.getByLabel('Name of this view').fill('The squares');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#4\./);
    await page.getByRole('button', { name: 'Bookmarks' }).click();
    await page.getByRole('button', { name: 'The squares', exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#5.00/5.00000/5.00000');
  }, 60_000);

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
  }, 60_000);

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
  }, 60_000);

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
  }, 120_000);

  test('a style that the editor does not understand is left as it is until somebody replaces it', async () => {
    const { layer, portal } = stage();
    const stored = async (): Promise<unknown> => (await portal.api('ada', 'GET', `/styles/${layer}/foreign.json`)).json;
    const before = await stored();
    await more('Style');
    await page.getByLabel('Style', { exact: true }).selectOption('foreign');
    await page.getByText(/more in it than this editor can show \(fill, line/).waitFor();
    expect(await page.getByRole('button', { name: 'Save the style' }).count()).toBe(0);
    await picture(page, 'foreign-style');
    await page.getByRole('button', { name: 'Replace by a simple style' }).click();
    await page.getByText('Saving replaces the original style').waitFor();
    await page.getByRole('button', { name: 'Keep the original' }).click();
    await page.getByText(/more in it than this editor can show/).waitFor();
    expect(await stored()).toEqual(before);
    await page.getByRole('button', { name: 'Replace by a simple style' }).click();
    await page.getByLabel('Colour', { exact: true }).fill('#abcdef');
    await page.getByRole('button', { name: 'Save the style' }).click();
    await page.getByText('Style saved.').first().waitFor();
    await expect.poll(async () => JSON.stringify(await stored())).toContain('#abcdef');
    await page.getByRole('button', { name: 'Back' }).click();
  }, 120_000);

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
        { timeout: 20_000 },
      )
      .toBe(0);
    await clickAt(page, { lng: 5, lat: 5 });
    await card.getByText('beta').waitFor();
    await table.locator('tr.chosen').getByText('beta').waitFor();
    await picture(page, 'table');
    await table.getByLabel('Value').fill('');
    await table.getByText('3 features').waitFor();
    await table.getByRole('button', { name: /Show feature 1 / }).click();
    await table.getByLabel('Only what the map shows').check();
    await table.getByText('1 feature', { exact: true }).waitFor();
    await table.locator('tbody').getByText('alpha').waitFor();
  }, 120_000);

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
  }, 120_000);

  test('no tool threw anything', () => {
    expect(complaints).toEqual([]);
  });
}
