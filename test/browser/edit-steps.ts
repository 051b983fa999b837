// Editing in the viewer: who may, the tools by pointer and by keyboard, forms, undo, conflicts, and what is asked before work is lost.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, changeLook, openContext, signIn, watchComplaints } from './portal-program.ts';
import { clickAt, picture, pixelOf, type Stage, waitForMap } from './stage.ts';

export type EditStage = Stage & { readonly areas: string; readonly points: string };

type Feature = {
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: unknown;
};

/** The map draws what was saved as soon as its tiles are there. */
const PATIENT = { timeout: 50_000, interval: 300 };

const GERMANY = { lng: 10, lat: 51 };
const countries = '/ogc/collections/demo_countries/items';
const cities = '/ogc/collections/demo_cities/items';

export function editSteps(stage: () => EditStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
  });
  afterAll(() => page?.context().close());

  const button = (name: RegExp | string) => page.getByRole('button', { name });
  const openEditor = async (layer: string, view: string): Promise<void> => {
    await page.goto(`/viewer?layer=${layer}${view}`);
    await waitForMap(page);
    await button(/^More actions for Demo:/).click();
    await button('Edit features').click();
    await page.getByRole('toolbar', { name: 'Editing tools' }).waitFor();
  };
  const features = async (path: string, filter: string): Promise<readonly Feature[]> => {
    const { json } = await stage().portal.api('admin', 'GET', `${path}?filter=${encodeURIComponent(filter)}`);
    return (json as { readonly features: readonly Feature[] }).features;
  };
  const tool = async (name: RegExp): Promise<void> => {
    await button(name).click();
    await page.locator('.map-view[data-drawing]').waitFor();
  };
  const unsaved = (text: string) => page.getByRole('heading', { name: text });

  test('who may not change the rows of a layer is not offered to', async () => {
    await page.goto(`/viewer?layer=${stage().points}`);
    await waitForMap(page);
    await button(/^More actions for Demo:/).click();
    await button('Attribute table').waitFor();
    expect(await button('Edit features').count()).toBe(0);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });

  test('a feature is moved, split and taken back step by step, and saved whole', async () => {
    await openEditor(stage().areas, '#4/50/12');
    await clickAt(page, GERMANY);
    await page.getByText('One feature is selected.').waitFor();
    const before = (await features(countries, "name = 'Germany'"))[0];
    await tool(/^Move \(/);
    const { x, y } = await pixelOf(page, GERMANY);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y, { steps: 3 });
    await page.mouse.move(x + 40, y, { steps: 3 });
    await page.mouse.up();
    await unsaved('One unsaved change').waitFor();
    await tool(/^Split along/);
    for (const lng of [4, 24, 24]) await clickAt(page, { lng, lat: 50.5 });
    await unsaved('2 unsaved changes').waitFor();
    await page.getByText('2 features are selected').waitFor();
    await picture(page, 'edit-split');
    await page.keyboard.press('Control+z');
    await unsaved('One unsaved change').waitFor();
    await page.keyboard.press('Control+z');
    await unsaved('All changes saved').waitFor();
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+y');
    await unsaved('2 unsaved changes').waitFor();
    await page.getByLabel('name', { exact: true }).fill('Halves');
    await page.getByLabel('name', { exact: true }).press('Enter');
    await button('Save changes').click();
    await unsaved('All changes saved').waitFor();
    const halves = await features(countries, "name = 'Halves'");
    expect(halves.map(({ id }) => id)).toContain(before?.id);
    expect(halves).toHaveLength(2);
    // Both at once again: merged they are one, and the other is gone.
    await waitForMap(page);
    await expect
      .poll(async () => {
        await clickAt(page, { lng: 12, lat: 52 });
        return page.getByText('One feature is selected.').count();
      }, PATIENT)
      .toBe(1);
    await button(/^Select several/).click();
    await expect
      .poll(async () => {
        await clickAt(page, { lng: 12, lat: 49.5 });
        const both = page.getByText('2 features are selected');
        await both.waitFor({ timeout: 2000 }).catch(() => undefined);
        return both.count();
      }, PATIENT)
      .toBe(1);
    await button(/^Merge/).click();
    const dialog = page.getByRole('dialog', { name: 'Merge 2 features' });
    await dialog.getByRole('radio').last().check();
    await dialog.getByRole('radio').first().check();
    expect(await serious(page, 'merge')).toEqual([]);
    await picture(page, 'edit-merge');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await unsaved('2 unsaved changes').waitFor();
    await button('Save changes').click();
    await unsaved('All changes saved').waitFor();
    expect(await features(countries, "name = 'Halves'")).toHaveLength(1);
  });

  test('an area is drawn and its corners are changed', async () => {
    await button(/^Select several/).click();
    // Nothing of the neighbours is meant here.
    await button(/^Snap to/).click();
    await tool(/^Draw an area/);
    for (const [lng, lat] of [
      [2, 51.5],
      [7, 51.5],
      [7, 55],
      [2, 55],
      [2, 51.5],
    ] as const)
      await clickAt(page, { lng, lat });
    await unsaved('One unsaved change').waitFor();
    await tool(/^Move and add corners/);
    const from = await pixelOf(page, { lng: 2, lat: 55 });
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 10, from.y - 10, { steps: 3 });
    await page.mouse.move(from.x - 20, from.y - 20, { steps: 3 });
    await page.mouse.up();
    await tool(/^Remove corners/);
    await clickAt(page, { lng: 7, lat: 51.5 });
    await page.getByText('Coordinates', { exact: true }).click();
    const typed = page.getByLabel('Longitude, latitude');
    await expect.poll(async () => (await typed.inputValue()).split('\n').length).toBe(3);
    expect(Number((await typed.inputValue()).split('\n').at(-1)?.split(',')[0])).toBeLessThan(1.6);
    await picture(page, 'edit-corners');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await unsaved('All changes saved').waitFor();
  });

  test('without a pointer: a point is typed, filled in and saved by keys alone', async () => {
    await openEditor(stage().points, '#5/50/8');
    await page.getByText('New feature from coordinates').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('here');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Line 1 is not a position').waitFor();
    await page.getByLabel('Longitude, latitude').fill('7.0982068, 50.7374300001');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await unsaved('One unsaved change').waitFor();
    await page.getByLabel('name', { exact: true }).focus();
    await page.keyboard.type('Keytown');
    // The layer is drawn by this number: without it nothing is seen.
    await page.getByLabel('population_millions').focus();
    await page.keyboard.type('12.5');
    await button('Save changes').focus();
    await page.keyboard.press('Enter');
    await unsaved('All changes saved').waitFor();
    const [made] = await features(cities, "name = 'Keytown'");
    const { json } = await stage().portal.api('admin', 'GET', `${cities}/${made?.id}?exact=true`);
    expect((json as { geometry: { coordinates: number[] } }).geometry.coordinates).toEqual([7.0982068, 50.7374300001]);
  });

  test('who saves over somebody else’s change sees both and chooses; what fails stays on its feature', async () => {
    const [made] = await features(cities, "name = 'Keytown'");
    const item = `${cities}/${made?.id}`;
    const patch = (properties: unknown) => stage().portal.api('admin', 'PATCH', item, { properties });
    await waitForMap(page);
    await expect
      .poll(async () => {
        await clickAt(page, { lng: 7.0982068, lat: 50.73743 });
        return page.getByText('One feature is selected.').count();
      }, PATIENT)
      .toBe(1);
    await expect.poll(() => page.getByLabel('name', { exact: true }).inputValue()).toBe('Keytown');
    expect((await patch({ name: 'Theirs' })).status).toBe(204);
    await page.getByLabel('name', { exact: true }).fill('Mine');
    await button('Save changes').click();
    await page.getByText('Someone else has changed it.').waitFor();
    await button('Compare…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    await dialog.getByRole('cell', { name: 'Mine', exact: true }).waitFor();
    await dialog.getByText(/^admin saved it: /).waitFor();
    expect(await serious(page, 'conflict')).toEqual([]);
    await picture(page, 'edit-conflict');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await unsaved('All changes saved').waitFor();
    expect((await features(cities, "name = 'Mine'"))[0]?.id).toBe(made?.id);

    await page.getByLabel('name', { exact: true }).waitFor({ state: 'detached' });
    await waitForMap(page);
    await expect
      .poll(async () => {
        await clickAt(page, { lng: 7.0982068, lat: 50.73743 });
        return page.getByText('One feature is selected.').count();
      }, PATIENT)
      .toBe(1);
    await stage().portal.api('admin', 'DELETE', item);
    await page.keyboard.press('Delete');
    await button('Save changes').click();
    await page.getByText('Someone else has deleted it.').waitFor();
    // Leaving asks, for the change is not saved.
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await button('Compare…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard mine' }).click();
    await unsaved('All changes saved').waitFor();
  });

  test('cells of the table are written by keys, refused beside their cell, and rows are opened in the form', async () => {
    await page.getByRole('button', { name: 'Close' }).first().click();
    await button(/^More actions for Demo:/).click();
    await button('Attribute table').click();
    const table = page.getByRole('region', { name: /^Attributes of Demo:/ }).first();
    await table.getByLabel('Attribute', { exact: true }).selectOption('name');
    await table.getByLabel('Value').fill('Berlin');
    await table.getByText('1 feature', { exact: true }).waitFor();
    const cell = table.getByRole('gridcell', { name: 'Berlin', exact: true });
    await cell.focus();
    await page.keyboard.press('F2');
    await table.getByRole('textbox', { name: 'name' }).fill('nothing');
    await page.keyboard.press('Escape');
    await cell.waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const number = table.getByRole('textbox', { name: 'population_millions' });
    await number.fill('many');
    await page.keyboard.press('Enter');
    await table.getByRole('alert').waitFor();
    expect(await serious(page, 'cell')).toEqual([]);
    await picture(page, 'edit-cell');
    await number.fill('4.5');
    await page.keyboard.press('Enter');
    await number.waitFor({ state: 'detached' });
    expect((await features(cities, "name = 'Berlin'"))[0]?.properties['population_millions']).toBe(4.5);
    // Without a pointer a feature of the map is found in the table.
    await button(/^More actions for Demo:/).click();
    await button('Edit features').click();
    await table.getByRole('button', { name: /^Show feature/ }).click();
    await page.getByText('One feature is selected.').waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.locator('.edit-history').getByText('4.5').waitFor();
  });

  test('what others change is on a map that is open', async () => {
    const { portal } = stage();
    await page.goto('/');
    await page.goto(`/viewer?layer=${stage().points}#5/50.7/7.1`);
    await waitForMap(page);
    const tile = /\/tiles\/\d+\/\d+\/\d+\/\d+\.mvt\?edits=\d+$/;
    const asked = page.waitForRequest(tile, { timeout: 30_000 });
    const place = { lng: 7.2, lat: 50.9 };
    const made = await portal.api('admin', 'POST', cities, {
      type: 'Feature',
      properties: { name: 'Farfromhere' },
      geometry: { type: 'Point', coordinates: [place.lng, place.lat] },
    });
    expect(made.status).toBe(201);
    await asked;
    await expect
      .poll(async () => {
        await clickAt(page, place);
        return page.getByText('Farfromhere').count();
      }, PATIENT)
      .toBeGreaterThan(0);
    const [mine] = await features(cities, "name = 'Farfromhere'");
    await portal.api('admin', 'DELETE', `${cities}/${mine?.id}`);
  });

  test('the page of a layer tells who changed what, and takes one edit back', async () => {
    const [moved] = await features(countries, "name = 'Halves'");
    await page.goto(`/layers/${stage().areas}`);
    await page.getByRole('tab', { name: 'History' }).click();
    const entries = page.locator('.edit-history > li');
    await entries.getByText('by admin').first().waitFor();
    expect(await serious(page, 'history')).toEqual([]);
    await picture(page, 'edit-history');
    // The last edit deleted what was merged; the one before changed what it was merged into.
    await entries
      .first()
      .getByRole('button', { name: /^Undo: Feature \d+ deleted/ })
      .click();
    await entries
      .first()
      .getByText(/^Feature \d+ added$/)
      .waitFor();
    expect(await features(countries, "name = 'Halves'")).toHaveLength(2);
    await entries
      .last()
      .getByRole('button', { name: `Undo: Feature ${moved?.id} changed` })
      .click();
    await page.getByText('The feature has changed since').waitFor();
    await openEditor(stage().points, '#5/50/8');
  });

  test('the panel is accessible in light, dark and on a phone', async () => {
    expect(await serious(page, 'edit')).toEqual([]);
    await changeLook(page, { dark: true, small: true });
    expect(await serious(page, 'edit, dark', 'colours')).toEqual([]);
    await picture(page, 'edit-dark');
    await changeLook(page, { phone: true });
    expect(await serious(page, 'edit on a phone')).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(390);
    await picture(page, 'edit-phone');
    await changeLook(page, { small: true });
    expect(complaints).toEqual([]);
  });
}
