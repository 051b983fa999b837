// What the steps of a browser suite share: the portal, the browser, and pictures of what is seen for who wants to look at them.

import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { PortalProgram } from './portal-program.ts';

export type Stage = { readonly portal: PortalProgram; readonly browser: Browser };

/** TEST_PICTURES: a folder for pictures of the pages; without it none is taken. */
const PICTURES = process.env['TEST_PICTURES'];

export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

export function drawnMap(page: Page): Locator {
  return page.locator('.map-view[data-idle]');
}

/** Everything that the map was told is on it. */
export async function waitForMap(page: Page): Promise<void> {
  await drawnMap(page).first().waitFor({ timeout: 60_000 });
}

export type Place = { readonly lng: number; readonly lat: number };

/** Where a place lies in the window, by the view in the address (`#zoom/lat/lng`). */
export async function pixelOf(page: Page, place: Place): Promise<{ readonly x: number; readonly y: number }> {
  const [zoom = 0, lat = 0, lng = 0] = new URL(page.url()).hash.slice(1).split('/').map(Number);
  const box = await page.locator('.map-view').boundingBox();
  if (box === null) throw new Error('there is no map');
  const world = 512 * 2 ** zoom;
  const mercator = (at: number): number => Math.asinh(Math.tan((at * Math.PI) / 180)) / (2 * Math.PI);
  return {
    x: box.x + box.width / 2 + ((place.lng - lng) / 360) * world,
    y: box.y + box.height / 2 - (mercator(place.lat) - mercator(lat)) * world,
  };
}

export async function clickAt(page: Page, place: Place): Promise<void> {
  const { x, y } = await pixelOf(page, place);
  await page.mouse.click(x, y);
}
