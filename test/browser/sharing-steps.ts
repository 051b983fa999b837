// Sharing that is chosen and seen: what is saved in the pages is private unless one chooses otherwise, badges say which, and a map
// with layers that others do not see says so, to them and to who shares it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { changeLook, makeAccount, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage, waitForMap } from './stage.ts';

/** A layer that everybody sees, of somebody else. */
export type SharingStage = Stage & { readonly open: string; readonly openTitle: string };

const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: { name: 'one' }, geometry: { type: 'Point', coordinates: [10, 50] } }],
});

export function sharingSteps(stage: () => SharingStage): void {
  let page: Page;
  let complaints: string[];
  let wells = '';
  let map = '';
  beforeAll(async () => {
    const { browser, portal } = stage();
    await makeAccount(portal, 'ada');
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ada');
  });
  afterAll(() => page?.context().close());

  /** What a visitor is answered. */
  const asVisitor = async (path: string): Promise<number> => (await fetch(stage().portal.url + path)).status;

  test('a file that is added is private, and says so before it is sent', async () => {
    await page.goto('/add');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'wells.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(GEOJSON) },
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
    ]);
    const card = page.getByRole('form', { name: 'wells.geojson' });
    expect(await card.getByLabel('Only me').isChecked()).toBe(true);
    await picture(page, 'add-sharing');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'add-sharing-phone-dark');
    await changeLook(page, { small: true });
    await card.getByRole('button', { name: 'Import' }).click();
    const open = page.getByRole('link', { name: 'Open the layer' });
    await open.waitFor({ timeout: 60_000 });
    wells = /\/layers\/(\d+)/.exec((await open.getAttribute('href')) ?? '')?.[1] ?? '';
    const notes = page.getByRole('form', { name: 'notes.pdf' });
    expect(await notes.getByLabel('Only me').isChecked()).toBe(true);
    await notes.getByRole('button', { name: 'Add as a document' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await page.locator('.resource-head .badge').getByText('Private').waitFor();
    expect(await asVisitor(`/api/v2/layers/${wells}/`)).toBe(404);
    expect(await asVisitor(`/api/v2${new URL(page.url()).pathname}/`)).toBe(404);
  });

  test('a story that is saved is private, too', async () => {
    await page.goto('/stories/new');
    expect(await page.getByLabel('Only me').isChecked()).toBe(true);
    await page.getByLabel('Title').first().fill('Secret story');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Secret story', level: 1 }).waitFor();
    const pk = /\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1];
    expect(await asVisitor(`/api/v2/geostories/${pk}/`)).toBe(404);
  });

  test('who saves a map for everybody is told of layers that not everybody sees', async () => {
    const { open } = stage();
    await page.goto(`/viewer?layer=${wells}&layer=${open}#3/50/10`);
    await waitForMap(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Only me').isChecked()).toBe(true);
    await dialog.getByLabel('Title').fill('Wells and more');
    expect(await dialog.getByText('not shared with everyone').count()).toBe(0);
    await dialog.getByLabel('Everyone').check();
    await dialog.getByText('One layer of this map is not shared with everyone.').waitFor();
    await picture(page, 'save-map-unshared');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Map saved.').waitFor();
    map = /\/viewer\/(\d+)/.exec(page.url())?.[1] ?? '';
    expect(await asVisitor(`/api/v2/maps/${map}/`)).toBe(200);
    expect(await asVisitor(`/api/v2/layers/${wells}/`)).toBe(404);
  });

  test('a visitor of the map is told that a layer is not shared with them', async () => {
    const { browser, portal, openTitle } = stage();
    const context = await openContext(browser, portal.url, { small: true });
    const visitor = await context.newPage();
    await visitor.goto(`/maps/${map}`);
    await visitor.getByText('1 of 2 layers is not shared with you.').waitFor();
    await visitor.getByRole('link', { name: openTitle }).waitFor();
    await visitor.locator('.resource-head .badge').getByText('Public').waitFor();
    await picture(visitor, 'map-hidden-layer');
    await visitor.goto(`/viewer/${map}`);
    await visitor.getByText('1 of 2 layers is not shared with you.').waitFor();
    expect(await visitor.content()).not.toContain('Wells</');
    await context.close();
  });

  test('who shares the map can share the layer with it', async () => {
    await page.goto(`/maps/${map}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('One layer of this map is not shared with everyone.').waitFor();
    await dialog.getByLabel('Share this layer with everyone, too').check();
    await picture(page, 'share-map-layers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Sharing saved').or(page.getByText(/saved/i)).first().waitFor();
    await expect.poll(() => asVisitor(`/api/v2/layers/${wells}/`)).toBe(200);
    await page.getByText('One layer of this map is not shared with everyone.').waitFor({ state: 'detached' });
  });

  test('the item itself says what others do not see of it, and a button shares just that', async () => {
    const { portal } = stage();
    const perms = `/api/v2/resources/${wells}/set_perms/`;
    expect((await portal.api('ada', 'PUT', perms, { users: {}, groups: {} })).status).toBe(200);
    await page.goto(`/maps/${map}`);
    const note = page.locator('.resource-head .unshared');
    await note.getByText('One layer of this map is not shared with everyone.').waitFor();
    await note.getByText('Shared with: Everyone').waitFor();
    await picture(page, 'item-audience');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'item-audience-phone-dark');
    await changeLook(page, { small: true });
    await note.getByRole('button', { name: 'Share this layer with everyone, too' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await asVisitor(`/api/v2/layers/${wells}/`)).toBe(200);
  });

  let link = '';
  test('a link for everyone who has it is made where one shares, and opens what the item shows as well', async () => {
    const { portal } = stage();
    for (const item of [wells, map])
      await portal.api('ada', 'PUT', `/api/v2/resources/${item}/set_perms/`, { users: {}, groups: {} });
    await page.goto(`/maps/${map}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const section = page.getByRole('region', { name: 'Link for everyone who has it' });
    await section.getByLabel('For whom').fill('The press');
    await section.getByLabel('They can').selectOption('view and download');
    await section.getByRole('button', { name: 'Create link' }).click();
    await section.getByText('One item shown here is not opened by every link.').waitFor();
    await section.getByText('view and download · ends on').waitFor();
    expect(await serious(page, 'links')).toEqual([]);
    await section.scrollIntoViewIfNeeded();
    await picture(page, 'share-links');
    await changeLook(page, { phone: true, dark: true });
    await section.scrollIntoViewIfNeeded();
    expect(await serious(page, 'links, phone, dark')).toEqual([]);
    await picture(page, 'share-links-phone-dark');
    await changeLook(page, { small: true });
    const press = section.getByRole('listitem').filter({ hasText: 'The press' });
    await press.getByLabel('They can').selectOption('view');
    await press.getByText(/^view · ends on/).waitFor();
    await press.getByLabel('They can').selectOption('view and download');
    await press.getByText(/^view and download · ends on/).waitFor();
    await section.getByRole('button', { name: 'Open this item by the links, too' }).click();
    await section.locator('.unshared').waitFor({ state: 'detached' });
    link = await section.getByLabel('Address', { exact: true }).inputValue();
    // By keyboard: the end is moved to another day, and never.
    await section.getByRole('button', { name: 'Change end' }).focus();
    await page.keyboard.press('Enter');
    const when = section.locator('.link-when');
    await when.getByLabel('Ends').selectOption('on a date…');
    await when.getByLabel('Last day').fill('2099-12-31');
    await when.getByRole('button', { name: 'Save' }).click();
    await section.getByText('ends on Dec 31, 2099').waitFor();
    expect(await asVisitor(`/api/v2/maps/${map}/`)).toBe(404);
  });

  test('whoever has the link sees the map, its layers and their rows, also in a frame of another site', async () => {
    const { browser, portal } = stage();
    const context = await openContext(browser, portal.url, { small: true });
    const visitor = await context.newPage();
    const told = watchComplaints(visitor);
    const elsewhere: string[] = [];
    visitor.on('request', (request) => {
      const site = new URL(request.url());
      if (site.origin !== portal.url && /^https?:$/.test(site.protocol))
        elsewhere.push(`${request.url()} ${request.headers()['referer'] ?? ''}`);
    });
    const tiles = (at: Page) =>
      at.waitForResponse((reply) => reply.url().includes(`/tiles/${wells}/`) && [200, 304].includes(reply.status()));
    let [seen] = await Promise.all([tiles(visitor), visitor.goto(link)]);
    expect(seen.url()).toContain('unlisted=');
    await visitor.getByRole('heading', { level: 1, name: 'Wells and more' }).waitFor();
    expect(await visitor.getByText('not shared with you').count()).toBe(0);
    await visitor.getByRole('link', { name: 'Wells', exact: true }).click();
    await visitor.getByRole('heading', { level: 1, name: 'Wells' }).waitFor();
    expect(visitor.url()).toContain('unlisted=');
    await picture(visitor, 'layer-by-link');
    const secret = new URL(link).search;
    [seen] = await Promise.all([tiles(visitor), visitor.goto(`/viewer/${map}${secret}`)]);
    await waitForMap(visitor);
    // Moving about keeps the link in the address.
    await expect.poll(() => visitor.url()).toMatch(/\?unlisted=[^#]+#/);
    await visitor.getByRole('button', { name: 'More actions for Wells' }).click();
    await visitor.getByRole('button', { name: 'Attribute table', exact: true }).click();
    await visitor.getByRole('region', { name: 'Attributes of Wells' }).first().getByText('1 feature').waitFor();
    // Somebody else, whose browser has nothing of it yet.
    const reader = await (await openContext(browser, portal.url, { small: true })).newPage();
    const inFrame: string[] = [];
    reader.on('response', (reply) => inFrame.push(`${reply.status()} ${new URL(reply.url()).pathname}`));
    const site = createServer((_, reply) =>
      reply
        .setHeader('Content-Type', 'text/html')
        .end(`<iframe src="${portal.url}/maps/${map}/embed${secret}" width="600" height="400"></iframe>`),
    );
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    await reader.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    await reader.frameLocator('iframe').getByRole('link', { name: 'Wells and more' }).waitFor();
    await expect.poll(() => inFrame.filter((one) => one.startsWith(`200 /tiles/${wells}/`)).length).toBeGreaterThan(0);
    await picture(reader, 'link-in-frame');
    await reader.context().close();
    site.close();
    expect(told).toEqual([]);
    expect(elsewhere.filter((one) => one.includes('unlisted='))).toEqual([]);
    await visitor.goto('/');
    await visitor.locator('.card').first().waitFor();
    expect(await visitor.getByText('Wells and more').count()).toBe(0);
    await context.close();
  });

  test('a link that was renewed says that it no longer works', async () => {
    const { browser, portal } = stage();
    await page.goto(`/maps/${map}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const section = page.getByRole('region', { name: 'Link for everyone who has it' });
    await section.getByRole('button', { name: 'Renew', exact: true }).click();
    await section.getByRole('button', { name: 'Renew address' }).click();
    await expect.poll(() => section.getByLabel('Address', { exact: true }).inputValue()).not.toBe(link);
    const context = await openContext(browser, portal.url, { small: true });
    const visitor = await context.newPage();
    await visitor.goto(link);
    await visitor.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await serious(visitor, 'a link that is over')).toEqual([]);
    await picture(visitor, 'link-over');
    await visitor.goto(await section.getByLabel('Address', { exact: true }).inputValue());
    await visitor.getByRole('heading', { level: 1, name: 'Wells and more' }).waitFor();
    await context.close();
    await section.getByRole('button', { name: 'Delete', exact: true }).click();
    await section.getByRole('button', { name: 'Delete link' }).click();
    await section.getByLabel('Address', { exact: true }).waitFor({ state: 'detached' });
    for (const item of [wells, map])
      await portal.api('ada', 'PUT', `/api/v2/resources/${item}/set_perms/`, {
        users: {},
        groups: { anonymous: ['view_resourcebase'] },
      });
  });

  test('cards and rows of the catalogue have badges', async () => {
    await page.goto('/?q=Secret+story');
    await page.locator('.card .badge').getByText('Private').waitFor();
    await page.goto('/');
    await page.locator('.card .badge').getByText('Public').first().waitFor();
    await picture(page, 'catalogue-badges');
    await page.goto('/?view=list');
    await page.locator('.row-item .badge').getByText('Public').first().waitFor();
    await picture(page, 'catalogue-rows-badges');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'catalogue-rows-phone-dark');
    await changeLook(page, { small: true });
  });

  test('nothing was complained about', () => {
    expect(complaints).toEqual([]);
  });
}
