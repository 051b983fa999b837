// What holds of every page, with the demo content in the portal: no serious accessibility problem in light, dark and on a phone; a
// strict content policy; little script; foreign HTML harmless.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { adminSteps } from './admin-steps.ts';
import { serious } from './axe.ts';
import { consoleSteps } from './console-steps.ts';
import { contentSteps } from './content-steps.ts';
import { dashboardSteps, everyWidget } from './dashboard-steps.ts';
import { helpSteps } from './help-steps.ts';
import { keySteps, nameByUuid } from './key-steps.ts';
import { outageSteps } from './outage-steps.ts';
import {
  ADMIN_PASSWORD,
  changeLook,
  type Look,
  makeAccount,
  NO_CHROMIUM,
  openContext,
  type PortalProgram,
  signIn,
  startBrowser,
  startPortal,
  until,
  watchComplaints,
} from './portal-program.ts';
import { storySteps } from './story-steps.ts';
import { unsavedSteps } from './unsaved-steps.ts';

const MAX_SCRIPT_BYTES = 250_000;
/** A site whose pages stories may show. */
const FILMS = 'films.example';
/** A title that nobody can break where words end. */
const ONE_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen_'.repeat(3);

describeNeeding(NO_CHROMIUM, 'the pages, in Chromium', () => {
  let portal: PortalProgram;
  let browser: Browser;
  let ids: Readonly<Record<'layer' | 'cities' | 'map' | 'story' | 'app' | 'dashboard' | 'document', string>>;

  beforeAll(async () => {
    [portal, browser] = await Promise.all([
      startPortal({ demo: 'true', 'embed-hosts': FILMS }, 'local'),
      startBrowser(),
    ]);
    // The first start is interrupted while it makes the demo; the second completes it, and finds another key in its first layer.
    await until(async () => (await total(portal, 'layers')) > 0);
    portal = await portal.crash(nameByUuid);
    await until(async () => (await total(portal, 'geostories')) === 1);
    const form = new FormData();
    form.append('title', 'Notes');
    form.append('doc_file', new Blob(['plain notes\n<script>document.title="run"</script>\n']), 'notes.txt');
    await portal.api('admin', 'POST', '/api/v2/documents/', form);
    await portal.api('admin', 'POST', '/api/v2/geoapps/', {
      name: 'board',
      title: 'Board',
      data: { widgets: [{ title: 'Rain' }, { title: 'Wind' }], deep: { deeper: { deepest: [1, 2] } } },
    });
    const first = async (collection: string): Promise<string> => {
      const { json } = await portal.api('admin', 'GET', `/api/v2/${collection}/?page_size=1&sort[]=pk`);
      const [, list] = Object.entries(json as Record<string, unknown>).find(([, value]) => Array.isArray(value)) ?? [];
      return (list as readonly { readonly pk: string }[])[0]?.pk ?? '';
    };
    const found = await portal.api('admin', 'GET', '/api/v2/layers/?filter{name}=demo_cities');
    const cities = (found.json as { readonly layers: readonly { readonly pk: string }[] }).layers[0]?.pk ?? '';
    const made = await portal.api('admin', 'POST', '/api/v2/geoapps/', {
      name: 'dashboard',
      title: 'Cities in numbers',
      data: { type: 'survest-dashboard', version: 1, widgets: everyWidget(Number(cities)) },
    });
    ids = {
      cities,
      dashboard: (made.json as { readonly geoapp: { readonly pk: string } }).geoapp.pk,
      layer: await first('layers'),
      map: await first('maps'),
      story: await first('geostories'),
      app: await first('geoapps'),
      document: await first('documents'),
    };
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  test('a demo that was interrupted is completed at the next start, and nothing is there twice', async () => {
    expect(await Promise.all(['layers', 'maps', 'geostories', 'uploads'].map((name) => total(portal, name)))).toEqual([
      3, 1, 1, 3,
    ]);
    const { json } = await portal.api('admin', 'GET', '/api/v2/demo/');
    expect(json).toEqual({ items: 5 });
  });

  const pages = (): readonly (readonly [name: string, path: string])[] => [
    ['catalogue', '/'],
    ['catalogue as a list', '/?view=list&type=layer'],
    ['catalogue on a map', '/?view=map'],
    ['nothing found', '/?q=surely-nothing-is-called-this'],
    ['layer', `/layers/${ids.layer}`],
    ['map', `/maps/${ids.map}`],
    ['document', `/documents/${ids.document}`],
    ['story', `/apps/preview/${ids.story}`],
    ['story editor', `/stories/${ids.story}/edit`],
    ['app', `/apps/preview/${ids.app}`],
    ['app editor', `/apps/${ids.app}/edit`],
    ['dashboard', `/apps/preview/${ids.dashboard}`],
    ['dashboard editor', `/apps/${ids.dashboard}/edit`],
    ['viewer', `/viewer/${ids.map}`],
    ['embedded map', `/maps/${ids.map}/embed`],
    ['add data', '/add'],
    ['new layer', '/layers/new'],
    ['account', '/account'],
    ['notifications', '/notifications'],
    ['administration', '/admin'],
    ['basemaps', '/admin?tab=basemaps'],
    ['console', '/console'],
    ['documentation', '/docs/portal-pages'],
    ['documentation searched', '/docs?q=keyset'],
    ['no such page', '/nowhere'],
    ['no such item', '/maps/999999'],
  ];
  const looks: readonly (readonly [name: string, look: Look])[] = [
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ];

  test('axe finds no serious problem on any page, light, dark and on a phone', async () => {
    const context = await openContext(browser, portal.url, { coarse: true });
    const page = await context.newPage();
    const complaints = watchComplaints(page);
    const found: string[] = [];
    const lookAt = async (name: string): Promise<void> => {
      for (const [how, look] of looks) {
        await changeLook(page, look);
        found.push(...(await serious(page, `${name}, ${how}`, look.dark === true ? 'colours' : 'all')));
        const width = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        if (width > 1) found.push(`${name}, ${how}: ${width} pixels wider than the window`);
      }
      await changeLook(page, {});
    };
    await page.goto('/account/login');
    await page.getByLabel('User name').waitFor();
    await lookAt('sign in');
    await signIn(page, 'admin', ADMIN_PASSWORD);
    const before = await portal.api('admin', 'GET', `/api/v2/maps/${ids.map}/`);
    const rename = (title: string) => portal.api('admin', 'PATCH', `/api/v2/maps/${ids.map}/`, { title });
    expect((await rename(ONE_WORD)).status).toBe(200);
    for (const [name, path] of pages()) {
      await page.goto(path);
      // A dashboard follows its layers by a stream, which never ends.
      await settled(page, 20_000, !name.startsWith('dashboard'));
      await lookAt(name);
    }
    await rename((before.json as { readonly map: { readonly title: string } }).map.title);
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  }, 400_000);

  test('axe finds no serious problem in the dialogs', async () => {
    const context = await openContext(browser, portal.url, { small: true });
    const page = await context.newPage();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    const found: string[] = [];
    await page.goto(`/layers/${ids.layer}`);
    for (const name of ['Share', 'Edit details', 'Delete']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await settled(page);
      found.push(...(await serious(page, `dialog ${name}`)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    for (const tab of ['Attributes', 'API and services']) {
      await page.getByRole('tab', { name: tab }).click();
      await settled(page);
      found.push(...(await serious(page, `tab ${tab}`)));
    }
    const look = async (name: string, open: string | RegExp): Promise<void> => {
      await page.getByRole('button', { name: open }).first().click();
      await page.getByRole('dialog').waitFor();
      await settled(page, 2000);
      found.push(...(await serious(page, `dialog ${name}`)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.goto('/');
    await look('area', 'Choose an area');
    await page.goto('/admin');
    await look('new account', 'New account');
    await page.getByRole('tab', { name: 'Groups' }).click();
    await look('new group', 'New group');
    await page.goto('/account');
    await page.getByRole('tab', { name: 'Access' }).click();
    await look('new access token', 'New token');
    found.push(...(await serious(page, 'tab Access')));
    await page.goto(`/viewer/${ids.map}`);
    await look('add a layer', 'Add a layer');
    await look('save the map', /^Save$/);
    await look('share the map', /^Share$/);
    for (const part of ['Attribute table', 'Style']) {
      await page.getByRole('button', { name: 'More actions for Demo: large cities' }).click();
      await page.getByRole('button', { name: part, exact: true }).click();
      await settled(page, 2000);
      found.push(...(await serious(page, `viewer with ${part}`)));
    }
    expect(found).toEqual([]);
    await context.close();
  }, 200_000);

  test('the first page needs less than 250 kB of script, and shows its list soon', async () => {
    const context = await openContext(browser, portal.url);
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on('response', (reply) => {
      if (reply.request().resourceType() === 'script') scripts.push(reply.url());
    });
    await page.goto('/');
    await page.locator('.card h2').first().waitFor();
    const ms = await page.evaluate(() => performance.now());
    // In letters of our own, whatever the machine has.
    for (const font of ['1em "Inter Variable"', '600 1em "Source Serif 4 Variable"'])
      expect(await page.evaluate<boolean>(`document.fonts.check(${JSON.stringify(font)})`)).toBe(true);
    expect(await page.locator('link[rel=preload][as=font]').count()).toBe(2);
    await page.waitForLoadState('networkidle');
    let bytes = 0;
    for (const script of scripts) {
      const reply = await fetch(script, { headers: { 'Accept-Encoding': 'gzip' } });
      const size = Number(reply.headers.get('content-length'));
      bytes += size;
      // The smallest ones would only grow by it.
      if (size > 1000) expect(reply.headers.get('content-encoding')).toBe('gzip');
    }
    console.log(
      `first page: ${bytes} bytes of script gzipped in ${scripts.length} files, list after ${Math.round(ms)} ms`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
    await context.close();
  });

  test('every page has a strict content policy, and only embedded ones stand in frames of other sites', async () => {
    for (const path of [
      '/',
      '/layers/1',
      '/maps/1',
      '/viewer',
      '/account/login',
      '/admin',
      '/docs',
      '/docs/reading',
      '/nowhere',
      '/index.html',
      // What stands behind the question mark makes no page an embedded one.
      '/layers/geonode:a?x=/embed',
      '/layers/geonode:a?/embed/',
    ]) {
      const reply = await fetch(portal.url + path, { headers: { Accept: 'text/html' } });
      const policy = reply.headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("script-src 'self'");
      expect(policy, path).not.toContain('unsafe');
      expect(policy, path).toContain("frame-ancestors 'self'");
      const html = await reply.text();
      expect(html, path).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|\son\w+=|<style/i);
      expect(reply.status, path).toBe(path === '/nowhere' ? 404 : 200);
    }
    const asset = /\/assets\/[^"]+\.js/.exec(await (await fetch(portal.url)).text())?.[0] ?? '';
    for (const [path, caching] of [
      ['/', 'no-cache'],
      ['/icon.svg', 'public, max-age=0'],
      [asset, 'public, max-age=31536000, immutable'],
    ])
      expect((await fetch(`${portal.url}${path}`)).headers.get('cache-control'), path).toBe(caching);
    const embedded = await fetch(`${portal.url}/maps/1/embed`);
    expect(embedded.headers.get('content-security-policy')).toContain('frame-ancestors *');
    const program = await fetch(`${portal.url}/nowhere`, { headers: { Accept: 'application/json' } });
    expect([program.status, await program.json()]).toEqual([404, { detail: 'Not found.' }]);
  });

  test('HTML that people write is shown without what it could do', async () => {
    const hostile =
      '<p id="said">Hello <b>there</b></p><img src=x onerror="document.title=\'run\'"><script>document.title="run"</script><a id="bad" href="javascript:document.title=\'run\'">x</a><iframe srcdoc="<script>parent.document.title=1</script>"></iframe>';
    const patched = await portal.api('admin', 'PATCH', `/api/v2/resources/${ids.layer}/`, { abstract: hostile });
    expect(patched.status).toBe(200);
    const context = await openContext(browser, portal.url);
    const page = await context.newPage();
    await page.goto(`/layers/${ids.layer}`);
    await page.locator('.user-html b').getByText('there').waitFor();
    expect(await page.locator('.user-html').innerHTML()).not.toMatch(/script|onerror|iframe|javascript:|<img/i);
    await page.goto(`/documents/${ids.document}`);
    await page.getByText('plain notes').first().waitFor();
    expect(await page.title()).not.toContain('run');
    await context.close();
  });

  test('a reader whose browser prefers German gets the catalogue in German', async () => {
    const context = await openContext(browser, portal.url, { locale: 'de' });
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Karten, Daten und Geschichten finden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await context.close();
  });

  test('by keyboard alone: search, open a card, go back', async () => {
    const context = await openContext(browser, portal.url);
    const page = await context.newPage();
    await page.goto('/');
    await page.locator('.card h2').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('main');
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('urban areas');
    await page.getByText('1 item', { exact: true }).waitFor();
    // What was typed before may have one hit, too.
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('urban areas');
    await page.locator('.card a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /large cities/ }).waitFor();
    await page.goBack();
    await page.getByText('1 item', { exact: true }).waitFor();
    await context.close();
  });

  test('a favourite is kept by its star, and the catalogue is narrowed to favourites', async () => {
    const context = await openContext(browser, portal.url, { small: true });
    const page = await context.newPage();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto(`/layers/${ids.cities}`);
    const star = page.getByRole('button', { name: 'Favourite' });
    await star.click();
    await page.locator('.favourite[aria-pressed=true]').waitFor();
    await page.goto('/');
    await page.getByLabel('My favourites').check();
    await page.getByText('1 item', { exact: true }).waitFor();
    expect(await page.locator('.card h2').allTextContents()).toEqual(['Demo: large cities']);
    await page.goto(`/layers/${ids.cities}`);
    await page.locator('.favourite[aria-pressed=true]').click();
    await page.locator('.favourite[aria-pressed=false]').waitFor();
    await context.close();
  });

  test('a page begins at its top, and going back leads to where one was', async () => {
    const context = await openContext(browser, portal.url, { phone: true, coarse: true });
    const page = await context.newPage();
    const down = (): Promise<number> => page.evaluate('window.scrollY');
    await page.goto('/');
    const card = page.locator('.card a').nth(3);
    await card.scrollIntoViewIfNeeded();
    await expect.poll(down).toBeGreaterThan(0);
    await card.click();
    await page.getByRole('link', { name: 'Catalogue' }).first().waitFor();
    await expect.poll(down).toBe(0);
    await page.goBack();
    await card.waitFor();
    await expect.poll(down).toBeGreaterThan(0);
    await context.close();
  });

  describe('dashboards', () => dashboardSteps(() => ({ portal, browser, cities: ids.cities })));

  describe('documents, stories, apps and areas', () => contentSteps(() => ({ portal, browser, map: ids.map })));

  describe('stories', () => storySteps(() => ({ portal, browser, cities: ids.cities, host: FILMS })));

  describe('unsaved work', () => unsavedSteps(() => ({ portal, browser, ...ids })));

  describe('a layer with other keys', () => keySteps(() => ({ portal, browser, layer: ids.layer })));

  describe('an outage', () => outageSteps(() => ({ portal, browser, ...ids })));

  describe('help', () => helpSteps(() => ({ portal, browser })));

  describe('the API console', () => consoleSteps(() => ({ portal, browser })));

  describe('administration', () => adminSteps(() => ({ portal, browser, layer: ids.layer })));

  test('who is no administrator is refused the administration, and an administrator removes the demo with one click', async () => {
    await makeAccount(portal, 'ada');
    const own = { name: 'story', title: 'Written by an administrator', data: {} };
    expect((await portal.api('admin', 'POST', '/api/v2/geostories/', own)).status).toBe(201);
    const stories = await total(portal, 'geostories');
    const context = await openContext(browser, portal.url);
    const page = await context.newPage();
    await signIn(page, 'ada');
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Not permitted' }).waitFor();
    // Nor is what belongs to others to be written for nothing, or to be had by signing in once more.
    for (const path of [`/stories/${ids.story}/edit`, `/apps/${ids.dashboard}/edit`, `/apps/${ids.app}/edit`]) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Not permitted' }).waitFor();
    }
    await page.goto('/maps/999999');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual(['Back to the catalogue']);
    expect((await portal.api('ada', 'DELETE', '/api/v2/demo/')).status).toBe(403);
    await context.clearCookies();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/admin');
    await page.getByRole('tab', { name: 'System' }).click();
    await page.getByRole('button', { name: 'Remove demo content' }).click();
    await page.getByText('The demo content was removed.').waitFor();
    // What people wrote stays.
    expect([await total(portal, 'layers'), await total(portal, 'maps'), await total(portal, 'geostories')]).toEqual([
      0,
      0,
      stories - 1,
    ]);
    await context.close();
  });
});

async function total(portal: PortalProgram, collection: string): Promise<number> {
  const { json } = await portal.api('admin', 'GET', `/api/v2/${collection}/?page_size=1`);
  return (json as { readonly total: number }).total;
}

/** Nothing is on its way any more; maps are drawn. */
async function settled(page: Page, timeout = 20_000, isQuiet = true): Promise<void> {
  if (isQuiet) await page.waitForLoadState('networkidle');
  else await page.locator('.map-view[data-idle]').first().waitFor({ timeout: 60_000 });
  await page
    .locator('[aria-busy=true], .skeleton')
    .first()
    .waitFor({ state: 'detached', timeout })
    .catch(() => undefined);
}
