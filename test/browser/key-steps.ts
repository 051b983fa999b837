// A layer whose features are named by uuids, as tables that come from elsewhere are: its table, its filter and its map belong together
// all the same.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../testkit/database.ts';
import { ADMIN_PASSWORD, openContext, signIn, watchComplaints } from './portal-program.ts';
import { clickAt, picture, type Stage, waitForMap } from './stage.ts';

/** The first layer of the demo, made of countries. */
export type KeyStage = Stage & { readonly layer: string };

/** Beside the one that is looked at. */
const POLAND = { lng: 19.5, lat: 52 };

/** Gives the countries another key than the one that an import makes, and shows it in the catalogue. */
export async function nameByUuid(db: TestDatabase): Promise<void> {
  await db.script(`
    alter table layers.demo_countries drop column fid, add column id uuid primary key default gen_random_uuid();
    insert into portal.attribute (resource_id, attribute, attribute_type)
      select resource_id, 'id', 'xsd:string' from portal_private.layer_table where table_name = 'demo_countries';`);
}

export function keySteps(stage: () => KeyStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal, layer } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await page.goto(`/viewer?layer=${layer}#3/30/20`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for Demo: countries/ }).click();
    await page.getByRole('button', { name: 'Attribute table' }).click();
  });
  afterAll(() => page?.context().close());

  const table = () => page.getByRole('region', { name: /^Attributes of Demo: countries/ }).first();
  const card = () => page.getByRole('region', { name: 'Feature' });

  test('a row is found by what it holds and by its name, and shown on the map', async () => {
    await table().getByLabel('Attribute', { exact: true }).selectOption('name');
    await table().getByLabel('Value').fill('Germ');
    await table().getByText('1 feature', { exact: true }).waitFor();
    await table()
      .getByRole('button', { name: /^Show feature [0-9a-f]{8}-/ })
      .click();
    const chosen = table().locator('tr.chosen');
    await chosen.getByText('Germany').waitFor();
    const key = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec((await chosen.textContent()) ?? '')?.[0] ?? '';
    expect(key).not.toBe('');
    // Its name is no text to search in, and is not asked for before it is whole.
    await table().getByLabel('Attribute', { exact: true }).selectOption('id');
    expect(await table().getByLabel('Condition').locator('option').allTextContents()).toEqual([
      'is',
      'is not',
      'is empty',
    ]);
    await table().getByLabel('Value').fill(key.slice(0, 8));
    await table()
      .getByText(/^1\d\d features$/)
      .waitFor();
    expect(await table().getByText('did not work').count()).toBe(0);
    await table().getByLabel('Value').fill(key);
    await table().getByText('1 feature', { exact: true }).waitFor();
    await picture(page, 'key-uuid');
  });

  test('on the map only that one is left, and a click on it finds its row', async () => {
    await waitForMap(page);
    await expect
      .poll(
        async () => {
          await clickAt(page, POLAND);
          return card().count();
        },
        { timeout: 50_000 },
      )
      .toBe(0);
    // One number after the other: each time the map is told of a difference.
    await table().getByLabel('Attribute', { exact: true }).selectOption('area_km2');
    await table().getByLabel('Condition').selectOption('more');
    for (const [least, found] of [
      ['2000000', '13 features'],
      ['9000000', '5 features'],
    ] as const) {
      await table().getByLabel('Value').fill(least);
      await table().getByText(found, { exact: true }).waitFor();
    }
    await table().getByLabel('Value').fill('');
    await table()
      .getByText(/^1\d\d features$/)
      .waitFor();
    await expect
      .poll(
        async () => {
          await clickAt(page, POLAND);
          return card().count();
        },
        { timeout: 50_000 },
      )
      .toBe(1);
    await card().getByText('Poland').waitFor();
    await table().getByLabel('Only rows in the map view').check();
    await table().locator('tr.chosen').getByText('Poland').waitFor();
    expect(complaints).toEqual([]);
  });

  test('whole numbers are shown and written with all their digits', async () => {
    const { portal } = stage();
    const made = await portal.api('admin', 'POST', '/api/v2/layers/empty/', {
      title: 'Long numbers',
      geometry: 'point',
      columns: [{ name: 'parcel', type: 'bigint' }],
    });
    const { pk, name } = (made.json as { readonly layer: { readonly pk: string; readonly name: string } }).layer;
    const feature = { type: 'Feature', geometry: null, properties: { parcel: '9007199254740993' } };
    expect((await portal.api('admin', 'POST', `/ogc/collections/${name}/items`, feature)).status).toBe(201);
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto(`/viewer?layer=${pk}`);
    await page.getByRole('button', { name: 'More actions for Long numbers' }).click();
    await page.getByRole('button', { name: 'Attribute table' }).click();
    const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true });
    await cell('9007199254740993').dblclick();
    const written = page.locator('td input[type=text]');
    expect(await written.inputValue()).toBe('9007199254740993');
    await written.fill('9007199254740995');
    await written.press('Enter');
    await cell('9007199254740995').waitFor();
    expect((await portal.api('admin', 'DELETE', `/api/v2/layers/${pk}/`)).status).toBe(204);
    expect(complaints).toEqual([]);
  });
}
