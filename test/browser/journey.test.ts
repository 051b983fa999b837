// What the portal is for, done by hand in a browser: sign in, add a shapefile, style it, make a map of it, share it with a group.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { freePort } from '../testkit/postgres-cluster.ts';
import {
  makeAccount,
  NO_CHROMIUM,
  openContext,
  type PortalProgram,
  signIn,
  signInByForm,
  startBrowser,
  startPortal,
  watchComplaints,
} from './portal-program.ts';
import { makeShapefile } from './shapefile.ts';
import { clickAt, picture, waitForMap } from './stage.ts';
import { uploadSteps } from './upload-steps.ts';
import { viewerSteps } from './viewer-steps.ts';

const SQUARES = [
  { name: 'alpha', value: 10, x: 0, y: 0 },
  { name: 'beta', value: 20, x: 4, y: 4 },
  { name: 'gamma', value: 30, x: 8, y: 8 },
];

describeNeeding(NO_CHROMIUM, 'in Chromium, on the embedded database', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let ada: Page;
  let complaints: string[];
  let layer = '';
  let map = '';
  let link = '';
  let frame = '';

  beforeAll(async () => {
    // Maps may have layers of services on one host: the portal itself.
    const port = String(await freePort());
    const settings = { 'portal-port': port, 'remote-internal-hosts': `127.0.0.1:${port}` };
    [portal, browser] = await Promise.all([startPortal(settings, 'embedded'), startBrowser()]);
    for (const username of ['ada', 'mel']) await makeAccount(portal, username);
    const made = await portal.api('admin', 'POST', '/api/v2/groups/', {
      title: 'Surveyors',
      slug: 'surveyors',
      description: '',
    });
    const { group_profile: group } = made.json as { readonly group_profile: { readonly pk: number } };
    await portal.api('admin', 'POST', `/api/v2/groups/${group.pk}/members/`, { username: 'mel', role: 'member' });
    ada = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(ada);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  test('ada signs in and comes back to the page she wanted', async () => {
    await ada.goto('/add');
    await ada.getByLabel('User name').fill('ada');
    await ada.getByLabel('Password').fill('another horse battery');
    await ada.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
    await ada.getByRole('heading', { name: 'Add data' }).waitFor();
    expect(new URL(ada.url()).pathname).toBe('/add');
  });

  test('a shapefile is recognised before it is sent, and its import is shown to its end', async () => {
    const parts = makeShapefile(SQUARES);
    const files = Object.entries(parts).map(([ending, buffer]) => ({
      name: `squares.${ending}`,
      mimeType: 'application/octet-stream',
      buffer,
    }));
    await ada.locator('input[type=file]').setInputFiles(files);
    const card = ada.getByRole('form', { name: 'squares.shp' });
    await card.getByText('Shapefile', { exact: true }).waitFor();
    await card.getByText('EPSG:4326').waitFor();
    await card.getByLabel('Title').fill('Squares');
    await card.getByRole('button', { name: 'Import' }).click();
    const open = ada.getByRole('link', { name: 'Open the layer' });
    await open.waitFor({ timeout: 60_000 });
    layer = /\/layers\/(\d+)/.exec((await open.getAttribute('href')) ?? '')?.[1] ?? '';
    expect(layer).not.toBe('');
    await open.click();
  });

  test('the layer is on the map, with its attributes and a plot', async () => {
    await ada.getByRole('heading', { name: 'Squares', level: 1 }).waitFor();
    await ada.locator('.map-view[data-idle]').waitFor({ timeout: 60_000 });
    await ada.getByRole('tab', { name: 'Attributes' }).click();
    await ada.getByRole('row', { name: /value/i }).getByText('20').first().waitFor();
    await ada.getByRole('img', { name: /Plot of/ }).waitFor();
  });

  test('a style of categories is made and kept', async () => {
    await ada.goto(`/viewer?layer=${layer}`);
    await ada.locator('.map-view[data-idle]').waitFor({ timeout: 60_000 });
    await ada.getByRole('button', { name: 'More actions for Squares' }).click();
    await ada.getByRole('button', { name: 'Style', exact: true }).click();
    await ada.getByLabel('Categories').check();
    await ada.getByLabel('Colour of alpha').fill('#123456');
    await ada.getByRole('button', { name: 'Save style' }).click();
    await ada.getByText('Style saved.').waitFor();
    const kept = await portal.api('ada', 'GET', `/styles/${layer}/default.json`);
    expect(JSON.stringify(kept.json)).toContain('#123456');
    await ada.getByRole('button', { name: 'Back' }).click();
  });

  test('the attribute table filters the rows and shows one on the map', async () => {
    await ada.getByRole('button', { name: 'More actions for Squares' }).click();
    await ada.getByRole('button', { name: 'Attribute table' }).click();
    const table = ada.getByRole('region', { name: 'Attributes of Squares' }).first();
    await table.getByText('3 features').waitFor();
    // Somebody else changes a row, and the table shows it by itself.
    const { json } = await portal.api('ada', 'POST', '/account/token/');
    const rename = (from: string, to: string): Promise<Response> =>
      fetch(`${portal.url}/rest/v1/squares?name=eq.${from}`, {
        method: 'PATCH',
        headers: {
          Authorization: `Bearer ${(json as { access_token: string }).access_token}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name: to }),
      });
    for (const [from, to] of [
      ['gamma', 'delta'],
      ['delta', 'gamma'],
    ] as const) {
      expect((await rename(from, to)).status).toBe(204);
      await table.locator('tbody').getByText(to).waitFor();
    }
    await table.getByLabel('Value').fill('bet');
    await table.getByText('1 feature', { exact: true }).waitFor();
    await table.getByRole('button', { name: /Show feature/ }).click();
    await table.locator('tr.chosen').waitFor();
    await table.getByRole('button', { name: 'Close the table' }).click();
  });

  test('the map is saved and shared with a group', async () => {
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    await ada.getByRole('dialog').getByLabel('Title').fill('Map of squares');
    await ada.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await ada.getByRole('heading', { name: 'Map of squares' }).waitFor();
    await expect.poll(() => /\/viewer\/(\d+)/.exec(ada.url())?.[1]).toBeTruthy();
    map = /\/viewer\/(\d+)/.exec(ada.url())?.[1] ?? '';
    await ada.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = ada.getByRole('dialog');
    link = await dialog.getByRole('textbox', { name: 'Link to this view' }).inputValue();
    frame =
      /src="([^"]+)"/.exec(await dialog.getByRole('textbox', { name: 'Embed in a page' }).inputValue())?.[1] ?? '';
    await picture(ada, 'share-map');
    await shareWithSurveyors(ada, `/maps/${map}`, true);
    // Who was chosen and not added is meant as well.
    await shareWithSurveyors(ada, `/layers/${layer}`, false);
  });

  test('a member of the group sees the map and its layer, a visitor neither', async () => {
    const mel = await (await openContext(browser, portal.url, { small: true })).newPage();
    await signIn(mel, 'mel');
    await mel.goto(`/maps/${map}`);
    await mel.getByRole('heading', { name: 'Map of squares', level: 1 }).waitFor();
    await mel.getByRole('link', { name: 'Squares', exact: true }).waitFor();
    const visitor = await (await openContext(browser, portal.url)).newPage();
    for (const path of [`/maps/${map}`, `/layers/${layer}`, `/viewer/${map}`]) {
      await visitor.goto(path);
      await visitor.getByRole('heading', { name: 'Not found' }).waitFor();
    }
    await visitor.goto('/');
    await visitor.getByText('The catalogue is empty').waitFor();
  });

  test('the link of a view leads to that view, and the frame for other sites shows the map alone', async () => {
    expect(link).toMatch(new RegExp(`^${portal.url}/viewer/${map}#`));
    const mel = await (await openContext(browser, portal.url, { small: true })).newPage();
    await signIn(mel, 'mel');
    await mel.goto(link.replace(/#.*/, '#6.00/5.00000/5.00000'));
    await mel.getByRole('heading', { name: 'Map of squares' }).waitFor();
    await waitForMap(mel);
    expect(new URL(mel.url()).hash).toBe('#6.00/5.00000/5.00000');
    await mel.goto(frame.replace(/#.*/, '#6.00/5.00000/5.00000'));
    await mel.getByRole('link', { name: 'Map of squares' }).waitFor();
    expect(await mel.getByRole('banner').count()).toBe(0);
    await waitForMap(mel);
    await clickAt(mel, { lng: 5, lat: 5 });
    await mel.getByRole('region', { name: 'Feature' }).getByText('beta').waitFor();
    await picture(mel, 'embed');
    await mel.context().close();
  });

  test('a session that was lost leads to signing in and back', async () => {
    await ada.goto('/account');
    await ada.getByRole('heading', { name: 'ada' }).waitFor();
    await ada.context().clearCookies();
    await ada.getByRole('tab', { name: 'Profile' }).click();
    await ada.getByText('Your session has ended').waitFor();
    await ada.getByLabel('User name').fill('ada');
    await ada.getByLabel('Password').fill('another horse battery');
    await ada.locator('main form').getByRole('button', { name: 'Sign in', exact: true }).click();
    await ada.getByRole('heading', { name: 'ada' }).waitFor();
    expect(new URL(ada.url()).pathname).toBe('/account');
  });

  test('a script gets a token of its own, and a browser elsewhere is signed out', async () => {
    const context = await openContext(browser, portal.url);
    const elsewhere = await context.newPage();
    await signInByForm(elsewhere, 'ada');
    await ada.goto('/account');
    await ada.getByRole('tab', { name: 'Access' }).click();
    await ada.getByRole('button', { name: 'New token' }).click();
    await ada.getByLabel('Name').fill('Nightly report');
    await ada.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const token = await ada.getByLabel('Token', { exact: true }).inputValue();
    const ask = (): Promise<Response> =>
      fetch(`${portal.url}/api/v2/uploads/`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    await picture(ada, 'access');
    await ada.getByRole('button', { name: 'Revoke “Nightly report”' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await ada.getByText('No access tokens.').waitFor();
    expect((await ask()).status).toBe(401);
    await ada
      .getByRole('button', { name: /^Sign out (?!all)/ })
      .first()
      .click();
    await ada.getByText('Signed out.').waitFor();
    await elsewhere.goto('/account');
    await elsewhere.getByLabel('User name').waitFor();
    await context.close();
  });

  describe('uploads that need an answer', () => uploadSteps(() => ({ portal, browser })));

  describe('the tools of the viewer', () => viewerSteps(() => ({ portal, browser, layer, map })));

  test('no page threw anything, and none wanted what its content policy forbids', () => {
    expect(complaints).toEqual([]);
  });
});

async function shareWithSurveyors(page: Page, path: string, isAdded: boolean): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  const everybody = dialog.getByRole('checkbox', { name: /^Public/ });
  await everybody.waitFor();
  if (await everybody.isChecked()) await everybody.uncheck();
  await dialog.getByLabel('Group', { exact: true }).selectOption('surveyors');
  if (isAdded) await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sharing saved.').first().waitFor();
}
