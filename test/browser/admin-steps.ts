// What administrators do by hand: accounts, groups, approvals, imports, the state of the portal.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tileNumber } from '../../src/mapserver/basemaps/pmtiles-format.ts';
import { archive } from '../testkit/pmtiles.ts';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage } from './stage.ts';

/** `layer`: one that is approved and published. */
export type AdminStage = Stage & { readonly layer: string };

export function adminSteps(stage: () => AdminStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url)).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/admin');
  });
  afterAll(() => page?.context().close());

  const dialog = () => page.getByRole('dialog');

  test('an account is made, gets another password, and is switched off', async () => {
    const { portal } = stage();
    await page.getByRole('button', { name: 'New account' }).click();
    await dialog().getByLabel('User name').fill('nora');
    await dialog().getByLabel('First name').fill('Nora');
    await dialog().getByRole('textbox', { name: 'New password' }).fill('a first password');
    await dialog().getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /nora/ });
    await row.waitFor();
    await page.getByRole('button', { name: 'New account' }).click();
    await dialog().getByLabel('User name').fill('nora');
    await dialog().getByRole('textbox', { name: 'New password' }).fill('a first password');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').getByText('This user name is already taken.').waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'New password for nora' }).click();
    await dialog().getByRole('textbox', { name: 'New password' }).fill('another horse battery');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await portal.api('nora', 'GET', '/api/v2/uploads/')).status).toBe(200);
    await row.getByRole('checkbox', { name: 'nora is active' }).uncheck();
    await expect.poll(async () => (await portal.api('nora', 'GET', '/api/v2/uploads/')).status).toBe(401);
    await row.getByRole('checkbox', { name: 'nora is active' }).check();
    await page.getByLabel('Find by user name').fill('nor');
    await page.getByRole('rowheader', { name: 'admin' }).waitFor({ state: 'detached' });
    await picture(page, 'admin-users');
  });

  test('a group is made, gets a manager, and loses one', async () => {
    await page.getByRole('tab', { name: 'Groups' }).click();
    await page.getByRole('button', { name: 'New group' }).click();
    await dialog().getByLabel('Title').fill('Hydrology');
    await dialog().getByLabel('Description').fill('Water people');
    await dialog().getByRole('button', { name: 'Save' }).click();
    const group = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Hydrology' }) });
    await group.getByRole('button', { name: 'Members' }).click();
    await group.getByLabel('User name').fill('nora');
    await group.getByLabel('Manager').check();
    await group.getByRole('button', { name: 'Add' }).click();
    const member = group.getByRole('listitem').filter({ hasText: 'nora' });
    // Who leads is asked for beside who is a member, and may come later.
    await expect.poll(() => member.getByLabel('Role of nora').inputValue()).toBe('manager');
    await group.getByLabel('User name').fill('nobody-of-that-name');
    await group.getByRole('button', { name: 'Add' }).click();
    await group.getByRole('alert').waitFor();
    await picture(page, 'admin-groups');
    await member.getByRole('button', { name: 'Remove nora' }).click();
    await member.waitFor({ state: 'detached' });
  });

  test('a basemap is added by its address, made the default, and switched off', async () => {
    await page.getByRole('tab', { name: 'Basemaps' }).click();
    await page.getByRole('button', { name: 'Switch on OpenStreetMap' }).waitFor();
    await page.getByRole('button', { name: 'Add a basemap' }).click();
    await dialog().getByLabel('Title').fill('City tiles');
    await dialog().getByLabel('Address').fill('https://tiles.invalid/{z}/{y}.png');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').getByText('url must hold {z}, {x} and {y}').waitFor();
    await dialog().getByLabel('Address').fill('https://tiles.invalid/{z}/{x}/{y}.png');
    await dialog().getByRole('button', { name: 'Save' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'City tiles' });
    await entry.getByText('visitors’ browsers ask tiles.invalid').waitFor();
    await entry.getByRole('button', { name: 'Show City tiles by default' }).click();
    await entry.getByRole('button', { name: 'Show City tiles by default', pressed: true }).waitFor();
    await picture(page, 'admin-basemaps');
    await entry.getByRole('button', { name: 'Switch off City tiles' }).click();
    await entry.waitFor({ state: 'detached' });
  });

  test('a basemap is uploaded as a file, switched off and on, and removed after a question', async () => {
    await page.getByRole('button', { name: 'Add a basemap' }).click();
    await dialog().getByLabel('Title').fill('Old town');
    await dialog().getByLabel('Kind').selectOption('Archive from this computer (PMTiles)');
    await dialog().getByLabel('Attribution').fill('© Somebody');
    const file = (buffer: Buffer) => ({ name: 'town.pmtiles', mimeType: 'application/octet-stream', buffer });
    await dialog()
      .getByLabel('File')
      .setInputFiles(file(Buffer.from('nothing of the kind'.repeat(20))));
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').getByText('is not a PMTiles archive').waitFor();
    expect(await serious(page, 'a basemap as a file')).toEqual([]);
    await picture(page, 'admin-basemap-file');
    const tiles = new Map([[tileNumber(0, 0, 0), Buffer.from('a tile')]]);
    await dialog()
      .getByLabel('File')
      .setInputFiles(file(archive(1, tiles, { vector_layers: [{ id: 'roads' }] })));
    await dialog().getByRole('button', { name: 'Save' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Old town' });
    await entry.getByRole('button', { name: 'Switch off Old town' }).click();
    await entry.getByText('switched off').waitFor();
    expect(await serious(page, 'an archive that is off')).toEqual([]);
    await picture(page, 'admin-basemap-off');
    await entry.getByRole('button', { name: 'Switch on Old town' }).click();
    await entry.getByRole('button', { name: 'Remove Old town' }).click();
    await page.getByRole('dialog', { name: 'Remove Old town' }).getByRole('button', { name: 'Remove' }).click();
    await entry.waitFor({ state: 'detached' });
  });

  test('what waits for approval is approved', async () => {
    const { portal, layer } = stage();
    const patched = await portal.api('admin', 'PATCH', `/api/v2/resources/${layer}/`, { is_approved: false });
    expect(patched.status).toBe(200);
    await page.getByRole('tab', { name: 'Approvals' }).click();
    const waiting = page.getByRole('region', { name: 'Waiting for approval' });
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await waiting.getByText('Nothing to approve').waitFor();
    const { json } = await portal.api('admin', 'GET', `/api/v2/resources/${layer}/`);
    expect((json as { readonly resource: { readonly is_approved: boolean } }).resource.is_approved).toBe(true);
  });

  test('imports are listed, and the parts of the portal say that they answer', async () => {
    await page.getByRole('tab', { name: 'Imports' }).click();
    await page
      .getByRole('row', { name: /demo_countries/ })
      .getByText('Done')
      .waitFor();
    await page.getByRole('tab', { name: 'System' }).click();
    await expect.poll(() => page.getByText(/^responds in \d+ ms$/).count()).toBe(4);
    const layers = page.locator('.state-grid .panel').filter({ has: page.getByRole('heading', { name: 'Layers' }) });
    await layers.getByText('3', { exact: true }).waitFor();
    await picture(page, 'admin-system');
  });

  test('a group and an account are edited, and deleted after a question', async () => {
    const { portal } = stage();
    await page.getByRole('tab', { name: 'Groups' }).click();
    await page.getByRole('button', { name: 'Edit Hydrology' }).click();
    await dialog().getByLabel('Title').fill('Water');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Water', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete Water' }).click();
    await page.getByRole('dialog', { name: 'Delete the group “Water”?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Water', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete Water' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Water', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'People' }).click();
    const row = page.getByRole('row', { name: /nora/ });
    await row.getByRole('button', { name: 'Edit nora' }).click();
    await dialog().getByLabel('First name').fill('Eleonora');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row.getByText('Eleonora').waitFor();
    await row.getByRole('button', { name: 'Delete nora' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the account “nora”?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await portal.api('nora', 'GET', '/api/v2/uploads/')).status).toBe(401);
  });

  test('no form threw anything', () => {
    expect(complaints).toEqual([]);
  });
}
