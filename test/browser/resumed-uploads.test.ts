// Sending files over a bad network: what is cut goes on by itself, after a reload with the same file, and what the server did meanwhile is shown.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { serious } from './axe.ts';
import {
  changeLook,
  makeAccount,
  NO_CHROMIUM,
  openContext,
  type PortalProgram,
  signIn,
  startBrowser,
  startPortal,
} from './portal-program.ts';
import { picture } from './stage.ts';

const FILES = /\/api\/v2\/uploads\/files\/[0-9a-f-]{36}$/;

describeNeeding(NO_CHROMIUM, 'uploads on bad networks, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'survest-resumed-'));
  let portal: PortalProgram;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
    await makeAccount(portal, 'ada');
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    await signIn(page, 'ada');
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A file on the disk keeps the time of its last change, by which it is known again. */
  const write = (name: string): string => {
    const path = join(folder, `${name}.geojson`);
    const features = Array.from({ length: 500 }, (_, n) => ({
      type: 'Feature',
      properties: { n },
      geometry: { type: 'Point', coordinates: [n / 100, 50] },
    }));
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
    return path;
  };
  const isPatch = (route: Route): boolean => route.request().method() === 'PATCH';
  const choose = async (path: string): Promise<void> => {
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('form').getByRole('button', { name: 'Import' }).click();
  };
  const received = async (): Promise<unknown> =>
    ((await portal.api('ada', 'GET', '/api/v2/uploads/files/')).json as { files: { received: number }[] }).files[0]
      ?.received;

  test('a cut stops nobody: the card says so, and goes on where it was', async () => {
    await page.goto('/add');
    let isDown = true;
    const offsets: (string | undefined)[] = [];
    const way = async (route: Route): Promise<void> => {
      if (!isPatch(route)) return route.continue();
      offsets.push(route.request().headers()['upload-offset']);
      // A part arrives, and then nothing.
      if (offsets.length === 1)
        return route.continue({ postData: (route.request().postDataBuffer() ?? Buffer.alloc(0)).subarray(0, 1000) });
      return isDown ? route.abort() : route.continue();
    };
    await page.route(FILES, way);
    await choose(write('cut'));
    await page.getByText('Interrupted: the upload continues').waitFor();
    expect(await received()).toBe(1000);
    await picture(page, 'upload-interrupted');
    isDown = false;
    await page.getByRole('article', { name: 'cut' }).getByRole('link', { name: 'Open the layer' }).waitFor();
    expect(offsets.slice(0, 2)).toEqual(['0', '1000']);
    expect(await received()).toBeUndefined();
    await page.unroute(FILES, way);
  });

  test('after a reload the same file goes on where it was, and another day as well', async () => {
    await page.goto('/add');
    const way = async (route: Route): Promise<void> => (isPatch(route) ? route.abort() : route.continue());
    await page.route(FILES, way);
    const path = write('again');
    await choose(path);
    await page.getByText('Interrupted: the upload continues').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const begun = page.getByRole('region', { name: 'Unfinished uploads' });
    await begun.getByRole('article', { name: 'again.geojson' }).waitFor();
    for (const look of [{}, { dark: true }, { phone: true }]) {
      await changeLook(page, look);
      await picture(page, `upload-begun ${JSON.stringify(look).replaceAll(/\W+/g, '')}`);
      expect(await serious(page, 'begun')).toEqual([]);
    }
    await changeLook(page, { small: true });
    await page.unroute(FILES, way);
    const made: string[] = [];
    page.on('request', (request) => {
      if (/\/uploads\/files\/$/.test(request.url()) && request.method() === 'POST') made.push(request.url());
    });
    await choose(path);
    await begun.waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'again' }).getByRole('link', { name: 'Open the layer' }).waitFor();
    expect(made).toEqual([]);
  });

  test('what was imported while the page was away is shown when it is back', async () => {
    await page.goto('/add');
    // The page hears nothing of how it goes on.
    await page.route('**/events*', (route) => route.abort());
    await choose(write('away'));
    await page.getByRole('article', { name: 'away' }).waitFor();
    await expect
      .poll(async () => JSON.stringify((await portal.api('ada', 'GET', '/api/v2/uploads/?filter{name}=away')).json), {
        timeout: 60_000,
      })
      .toContain('PROCESSED');
    await page.unroute('**/events*');
    await page.reload();
    await page.getByRole('article', { name: 'away' }).getByRole('link', { name: 'Open the layer' }).waitFor();
  });
});
