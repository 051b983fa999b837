// Columns cleaned and calculated in the table: rows of all pages, a preview before anything is done, undone as one step; by keyboard, and on a phone.

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
import { picture, waitForMap } from './stage.ts';

const ROWS = 60;

describeNeeding(NO_CHROMIUM, 'cleaning of tables, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let shops = '';

  const values = async (column: string): Promise<readonly unknown[]> => {
    const { json } = await portal.api('ana', 'GET', `/ogc/collections/${shops}/items?limit=100`);
    const { features } = json as { readonly features: readonly { readonly properties: Record<string, unknown> }[] };
    return features.map(({ properties }) => properties[column]);
  };
  const open = async (action: string) => {
    await page.getByRole('button', { name: 'Clean and calculate' }).click();
    await page.getByRole('button', { name: action, exact: true }).click();
    return page.getByRole('dialog', { name: action });
  };

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    await makeAccount(portal, 'ana');
    const made = await portal.api('ana', 'POST', '/api/v2/layers/empty/', {
      title: 'Shops',
      geometry: 'point',
      columns: [
        { name: 'name', type: 'text' },
        { name: 'price', type: 'text' },
      ],
    });
    expect(made.status).toBe(201);
    shops = (made.json as { readonly layer: { readonly pk: string } }).layer.pk;
    for (let n = 0; n < ROWS; n += 1) {
      const added = await portal.api('ana', 'POST', `/ogc/collections/${shops}/items`, {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [8 + n / 100, 47] },
        properties: { name: ` Shop ${n} `, price: n === 7 ? 'n/a' : `${n}.50` },
      });
      expect(added.status).toBe(201);
    }
    page = await (await openContext(browser, portal.url)).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ana');
    await page.goto(`/viewer?layer=${shops}`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Attribute table' }).click();
    await page.getByText(`${ROWS} features`).waitFor();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  test('all rows that match are selected, not those of the page, and texts are trimmed in them; undone as one step', async () => {
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await page.getByRole('button', { name: `Select all ${ROWS} rows that match` }).click();
    await page.getByText(`All ${ROWS} rows that match are selected`).waitFor();
    const dialog = await open('Find and replace');
    await dialog.getByLabel('What to do').selectOption('trim');
    await dialog.getByText(`${ROWS} of ${ROWS} rows would change.`).waitFor();
    expect(await serious(page, 'find and replace')).toEqual([]);
    await picture(page, 'clean-replace');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(`${ROWS} values were changed.`).waitFor();
    expect((await values('name'))[59]).toBe('Shop 59');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${ROWS} values came back.`).waitFor();
    expect((await values('name'))[59]).toBe(' Shop 59 ');
  });

  test('a new column is calculated by keyboard, in the rows that were chosen', async () => {
    await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select row 3', exact: true }).check();
    await page.getByRole('button', { name: 'Clean and calculate' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Calculate' });
    await dialog.getByText('2 rows selected').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Doubled');
    await page.keyboard.press('Tab');
    await page.keyboard.type('to_number(price) * ');
    await dialog.getByRole('alert').waitFor();
    await picture(page, 'clean-calculate-wrong');
    await page.keyboard.type('2');
    await dialog.getByText('2 of 2 rows would change.').waitFor();
    await picture(page, 'clean-calculate');
    await page.keyboard.press('Control+Home');
    await dialog.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.getByText('2 values were changed.').waitFor();
    expect((await values('doubled')).slice(0, 4)).toEqual([null, 3, 5, null]);
    await page.getByRole('columnheader', { name: 'Doubled' }).waitFor();
  });

  test('the type of a column is changed after it was said what becomes of cells that cannot be read, also on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const dialog = await open('Change the type');
    await dialog.getByLabel('Attribute').selectOption('price');
    await dialog.getByLabel('Type', { exact: true }).selectOption('double precision');
    await dialog.getByText('In 1 row something cannot be read, or does not fit the column.').waitFor();
    const run = dialog.getByRole('button', { name: 'Apply' });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel('These cells').selectOption('empty');
    expect(await serious(page, 'change of type')).toEqual([]);
    await picture(page, 'clean-type-phone');
    await run.click();
    await page.getByText(`${ROWS} values were changed.`).waitFor();
    expect((await values('price')).slice(6, 9)).toEqual([6.5, null, 8.5]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/values came back/).waitFor();
    expect((await values('price')).slice(6, 9)).toEqual(['6.50', 'n/a', '8.50']);
    expect(complaints).toEqual([]);
  });
});
