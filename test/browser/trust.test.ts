// What people can rely on: what the map shows is so, what is saved is shared with whom they chose, nothing is lost at a click.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { editSteps } from './edit-steps.ts';
import { injectionSteps } from './injection-steps.ts';
import { mapSteps } from './map-steps.ts';
import { NO_CHROMIUM, type PortalProgram, startBrowser, startPortal, until } from './portal-program.ts';
import { sharingSteps } from './sharing-steps.ts';

type Item = { readonly pk: string; readonly title: string };

describeNeeding(NO_CHROMIUM, 'trust, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let layers: readonly Item[] = [];

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startPortal({ demo: 'true' }, 'local'), startBrowser()]);
    await until(async () => (await total('geostories')) === 1);
    const { json } = await portal.api('admin', 'GET', '/api/v2/layers/?page_size=10');
    layers = (json as { readonly layers: readonly Item[] }).layers;
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  const total = async (collection: string): Promise<number> => {
    const { json } = await portal.api('admin', 'GET', `/api/v2/${collection}/?page_size=1`);
    return (json as { readonly total: number }).total;
  };
  const found = (word: string): Item | undefined => layers.find(({ title }) => title.includes(word));
  const named = (word: string): string => found(word)?.pk ?? '';

  describe('maps', () =>
    mapSteps(() => ({
      portal,
      browser,
      areas: named('countries'),
      points: named('cities'),
      raster: named('distance'),
    })));

  describe('sharing', () =>
    sharingSteps(() => ({ portal, browser, open: named('cities'), openTitle: found('large cities')?.title ?? '' })));

  // Last: it changes what the others look at.
  describe('editing', () => editSteps(() => ({ portal, browser, areas: named('countries'), points: named('cities') })));
  describe('what others wrote', () => injectionSteps(() => ({ portal, browser })));
});
