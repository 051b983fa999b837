// Dashboards: proposed from a layer, changed by keyboard, saved; what is selected in one widget filters the others, and changed rows are counted anew.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, makeAccount, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage, waitForMap } from './stage.ts';

/** `cities`: the demo's layer of large cities. */
export type DashboardStage = Stage & { readonly cities: string };

export function dashboardSteps(stage: () => DashboardStage): void {
  let page: Page;
  let complaints: string[];
  let dashboard = '';
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(() => page?.context().close());

  const widget = (name: string) => page.getByRole('region', { name, exact: true });
  const counter = () => widget('Demo: large cities: count').locator('.counter');
  const order = (): Promise<(string | null)[]> =>
    page.locator('.dashboard > .widget').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));

  test('one is proposed from a layer, and its widgets are moved, sized and undone by keyboard', async () => {
    await page.goto(`/layers/${stage().cities}`);
    await page.getByRole('link', { name: 'Dashboard from this layer' }).click();
    await page.getByRole('heading', { name: 'New dashboard' }).waitFor();
    await expect.poll(() => counter().textContent()).toBe('80');
    const before = await order();
    expect(before[1]).toBe('Demo: large cities: count');
    const handle = page.getByRole('button', { name: /^Move Demo: large cities: count/ });
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(order).toEqual([before[0], before[2], before[1], ...before.slice(3)]);
    await page.keyboard.press('Control+z');
    await expect.poll(order).toEqual(before);
    await page.getByRole('button', { name: 'Resize country: 4 wide, 3 high' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Resize country: 4 wide, 4 high' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Resize country: 4 wide, 3 high' }).waitFor();
  });

  test('a widget is dragged by the pointer', async () => {
    const before = await order();
    const from = await page.getByRole('button', { name: /^Move country/ }).boundingBox();
    const over = await counter().boundingBox();
    if (from === null || over === null) throw new Error('a widget has no place');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(over.x + 20, over.y + 20, { steps: 4 });
    await page.mouse.up();
    await expect.poll(order).toEqual([before[0], before[2], before[1], ...before.slice(3)]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(order).toEqual(before);
  });

  test('a widget is added with a preview, and the dashboard saved', async () => {
    await page.getByRole('button', { name: 'Add a widget' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a widget' });
    await dialog.getByText('Pie chart', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Column', exact: true }).selectOption('country');
    await dialog.getByRole('combobox', { name: 'Measure' }).selectOption('sum');
    await dialog.getByRole('combobox', { name: 'Of column' }).selectOption('population_millions');
    await dialog.getByLabel('Heading').fill('People');
    await dialog.getByRole('region', { name: 'Preview' }).getByRole('button', { name: /China/ }).waitFor();
    expect(await serious(page, 'widget dialog')).toEqual([]);
    await picture(page, 'dashboard-widget');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await widget('People').getByRole('button', { name: /China/ }).waitFor();
    await picture(page, 'dashboard-editor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Edit dashboard' }).waitFor();
    dashboard = /\/apps\/preview\/(\d+)/.exec(page.url())?.[1] ?? '';
    expect(dashboard).not.toBe('');
  });

  test('a selection filters the others, stands above them, and is taken back by keyboard', async () => {
    await waitForMap(page);
    const bar = widget('country').getByRole('button', { name: /China/ });
    await bar.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => counter().textContent()).toBe('8');
    await page.getByText('8 rows', { exact: true }).waitFor();
    expect(await bar.getAttribute('aria-pressed')).toBe('true');
    // Its own widget still has all groups.
    await widget('country').getByText('India').waitFor();
    await widget('country').getByRole('button', { name: /India/ }).click();
    await expect.poll(() => counter().textContent()).toBe('14');
    await picture(page, 'dashboard-selected');
    // The address has it: who is sent that sees the same.
    await page.reload();
    await expect.poll(() => counter().textContent()).toBe('14');
    const chip = page.getByRole('button', { name: 'Remove the filter country: China, India' });
    await chip.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => counter().textContent()).toBe('80');
    // A class of the histogram, reached by the arrow keys.
    const classes = page.getByRole('group', { name: 'population_millions' }).getByRole('button');
    await classes.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const shown = Number(/: (\d+)$/.exec((await classes.nth(1).getAttribute('aria-label')) ?? '')?.[1]);
    await expect.poll(() => counter().textContent()).toBe(String(shown));
    await page.getByRole('button', { name: /^Remove the filter population/ }).click();
    await page.getByRole('button', { name: 'population_millions as a table' }).click();
    await widget('population_millions').getByRole('columnheader', { name: 'Group' }).waitFor();
  });

  test('a click on a feature of the map shows it alone in the others, until it is clicked again', async () => {
    const { portal } = stage();
    const columns = [{ name: 'side', type: 'text' }];
    const form = { title: 'Halves', geometry: 'polygon', crs: 'EPSG:4326', columns };
    const layer = await portal.api('admin', 'POST', '/api/v2/layers/empty/', form);
    expect(layer.status).toBe(201);
    const { pk } = (layer.json as { readonly layer: { readonly pk: string } }).layer;
    for (const [side, west] of [
      ['left', -20],
      ['right', 0],
    ] as const) {
      const [east, south, north] = [west + 20, -10, 10];
      const corners = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ];
      const geometry = { type: 'Polygon', coordinates: [corners] };
      const feature = { type: 'Feature', properties: { side }, geometry };
      expect((await portal.api('admin', 'POST', '/ogc/collections/halves/items', feature)).status).toBe(201);
    }
    const widgets = [
      { id: 'w1', kind: 'map', title: 'Where', width: 6, height: 4, layer: Number(pk) },
      { id: 'w2', kind: 'counter', title: 'How many', width: 6, height: 2, layer: Number(pk) },
    ];
    const data = { type: 'survest-dashboard', version: 1, widgets };
    const made = await portal.api('admin', 'POST', '/api/v2/geoapps/', { name: 'halves', title: 'Halves', data });
    expect(made.status).toBe(201);
    await page.goto(`/apps/preview/${(made.json as { readonly geoapp: { readonly pk: string } }).geoapp.pk}`);
    const count = (): Promise<string | null> => widget('How many').locator('.counter').textContent();
    await expect.poll(count).toBe('2');
    await waitForMap(page);
    const box = await widget('Where').locator('.map-view').boundingBox();
    if (box === null) throw new Error('there is no map');
    const [x, y] = [box.x + box.width / 2 - 40, box.y + box.height / 2];
    await page.mouse.click(x, y);
    await page.getByRole('button', { name: /^Remove the filter Feature / }).waitFor();
    await expect.poll(count).toBe('1');
    expect(await serious(page, 'dashboard with a feature')).toEqual([]);
    await picture(page, 'dashboard-feature');
    await page.mouse.click(x, y);
    await expect.poll(count).toBe('2');
    // The other half, and let go of by its chip.
    await page.mouse.click(x + 80, y);
    await expect.poll(count).toBe('1');
    await page.getByRole('button', { name: /^Remove the filter Feature / }).press('Enter');
    await expect.poll(count).toBe('2');
    await portal.api('admin', 'DELETE', `/api/v2/layers/${pk}/`);
  });

  test('sharing it asks whether to share what it shows, too', async () => {
    const { portal } = stage();
    const hidden = await portal.api('admin', 'POST', '/api/v2/layers/empty/', {
      title: 'Hidden',
      geometry: 'none',
      columns: [{ name: 'n', type: 'integer' }],
      permissions: { users: {}, groups: {} },
    });
    expect(hidden.status).toBe(201);
    const { pk } = (hidden.json as { readonly layer: { readonly pk: string } }).layer;
    const widgets = [{ id: 'w1', kind: 'counter', title: 'Rows', width: 4, height: 2, layer: Number(pk) }];
    const made = await portal.api('admin', 'POST', '/api/v2/geoapps/', {
      name: 'of-hidden',
      title: 'Of something hidden',
      data: { type: 'survest-dashboard', version: 1, widgets },
      permissions: { users: {}, groups: {} },
    });
    expect(made.status).toBe(201);
    await page.goto(`/apps/preview/${(made.json as { readonly geoapp: { readonly pk: string } }).geoapp.pk}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: /^Public/ }).check();
    await dialog.getByText('One item shown here is not shared with everyone.').waitFor();
    await dialog.getByLabel('Share this item with everyone, too').check();
    expect(await serious(page, 'share a dashboard')).toEqual([]);
    await picture(page, 'dashboard-share');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await fetch(`${portal.url}/api/v2/layers/${pk}/`)).status).toBe(200);
    await portal.api('admin', 'DELETE', `/api/v2/layers/${pk}/`);
    await page.goto(`/apps/preview/${dashboard}`);
    await waitForMap(page);
  });

  test('sharing it with a group alone warns of what its members do not see, and shares that with them', async () => {
    const { browser, portal } = stage();
    await makeAccount(portal, 'counter');
    const group = await portal.api('admin', 'POST', '/api/v2/groups/', {
      title: 'Counters',
      slug: 'counters',
      description: '',
    });
    const { group_profile } = group.json as { readonly group_profile: { readonly pk: number } };
    const members = `/api/v2/groups/${group_profile.pk}/members/`;
    await portal.api('admin', 'POST', members, { username: 'counter', role: 'member' });
    const permissions = { users: {}, groups: {} };
    const layer = await portal.api('admin', 'POST', '/api/v2/layers/empty/', {
      title: 'Counted',
      geometry: 'none',
      columns: [{ name: 'n', type: 'integer' }],
      permissions,
    });
    const { pk } = (layer.json as { readonly layer: { readonly pk: string } }).layer;
    const widgets = [{ id: 'w1', kind: 'counter', title: 'Rows', width: 4, height: 2, layer: Number(pk) }];
    const made = await portal.api('admin', 'POST', '/api/v2/geoapps/', {
      name: 'of-the-group',
      title: 'Of the group',
      data: { type: 'survest-dashboard', version: 1, widgets },
      permissions,
    });
    const app = `/apps/preview/${(made.json as { readonly geoapp: { readonly pk: string } }).geoapp.pk}`;
    await page.goto(app);
    const dialog = page.getByRole('dialog');
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await dialog.waitFor();
    };
    const warning = dialog.getByText('One item shown here is not shared with all of them.');
    await open();
    await dialog.getByRole('combobox', { name: 'Group', exact: true }).selectOption('counters');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await warning.waitFor();
    await picture(page, 'dashboard-share-group');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Whoever passes the warning over is warned again; its members see that something is missing.
    const context = await openContext(browser, portal.url, { small: true });
    const member = await context.newPage();
    await signIn(member, 'counter');
    await member.goto(app);
    await member.getByText(/not shared with you/).waitFor();
    await open();
    await warning.waitFor();
    await dialog.getByLabel('Share this item with them, too').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await member.reload();
    await expect
      .poll(() => member.getByRole('region', { name: 'Rows', exact: true }).locator('.counter').textContent())
      .toBe('0');
    expect(await member.getByText(/not shared with you/).count()).toBe(0);
    expect((await fetch(`${portal.url}/api/v2/layers/${pk}/`)).status).toBe(404);
    await context.close();
    await open();
    expect(await warning.count()).toBe(0);
    await page.keyboard.press('Escape');
    await portal.api('admin', 'DELETE', `/api/v2/layers/${pk}/`);
    await page.goto(`/apps/preview/${dashboard}`);
    await waitForMap(page);
  });

  test('rows that somebody changes are counted anew by themselves', async () => {
    const { portal } = stage();
    const { json } = await portal.api('admin', 'POST', '/account/token/');
    const name = (from: string, to: string): Promise<Response> =>
      fetch(`${portal.url}/rest/v1/demo_cities?country=eq.${from}`, {
        method: 'PATCH',
        headers: {
          Authorization: `Bearer ${(json as { access_token: string }).access_token}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ country: to }),
      });
    await page.getByRole('button', { name: 'country as a table' }).click();
    for (const [from, to] of [
      ['China', 'Cathay'],
      ['Cathay', 'China'],
    ] as const) {
      expect((await name(from, to)).status).toBe(204);
      await widget('country').getByRole('button', { name: to }).waitFor();
    }
  });

  test('layers of any number and size are followed by one request, and only what changed is counted anew', async () => {
    const { portal } = stage();
    const { json } = await portal.api('admin', 'POST', '/account/token/');
    const headers = {
      Authorization: `Bearer ${(json as { access_token: string }).access_token}`,
      'Content-Type': 'application/json',
    };
    const pks: number[] = [];
    for (const title of ['Live one', 'Live two', 'Live three']) {
      const columns = [{ name: 'n', type: 'integer' }];
      const made = await portal.api('admin', 'POST', '/api/v2/layers/empty/', { title, geometry: 'none', columns });
      expect(made.status).toBe(201);
      pks.push(Number((made.json as { readonly layer: { readonly pk: string } }).layer.pk));
    }
    const add = async (table: string, count: number): Promise<void> => {
      const body = JSON.stringify(Array.from({ length: count }, (_, n) => ({ n })));
      await expect
        .poll(async () => (await fetch(`${portal.url}/rest/v1/${table}`, { method: 'POST', headers, body })).status, {
          timeout: 30_000,
        })
        .toBe(201);
    };
    await add('live_three', 6000);
    const widgets = pks.map((layer, i) => ({
      id: `w${i}`,
      kind: 'counter',
      title: `Live ${i}`,
      width: 4,
      height: 2,
      layer,
    }));
    const data = { type: 'survest-dashboard', version: 1, widgets };
    const made = await portal.api('admin', 'POST', '/api/v2/geoapps/', { name: 'live', title: 'Live', data });
    const asked: string[] = [];
    const note = (request: { url(): string }): void => void asked.push(new URL(request.url()).pathname);
    page.on('request', note);
    await page.goto(`/apps/preview/${(made.json as { readonly geoapp: { readonly pk: string } }).geoapp.pk}`);
    const count = (i: number): Promise<string | null> => widget(`Live ${i}`).locator('.counter').textContent();
    await expect.poll(() => count(2)).toBe('6,000');
    await expect.poll(() => count(0)).toBe('0');
    // The first answer is what later ones are compared with.
    await expect.poll(() => asked.filter((path) => path === '/api/v2/layers/data_versions/').length).toBeGreaterThan(1);
    asked.length = 0;
    await add('live_three', 1);
    await expect.poll(() => count(2), { timeout: 30_000 }).toBe('6,001');
    const counted = (): string[] => asked.filter((path) => path.endsWith('/aggregates'));
    expect(counted().every((path) => path.includes('live_three'))).toBe(true);
    await add('live_one', 1);
    await expect.poll(() => count(0), { timeout: 30_000 }).toBe('1');
    expect(asked.some((path) => path.startsWith('/rest/'))).toBe(false);
    page.off('request', note);
    for (const pk of pks) await portal.api('admin', 'DELETE', `/api/v2/layers/${pk}/`);
  });

  test('it is embedded without the header, and a widget whose layer is not there says so', async () => {
    const { portal } = stage();
    const widgets = [
      { id: 'w1', kind: 'counter', title: 'Gone', width: 4, height: 2, layer: 999_999 },
      { id: 'w2', kind: 'counter', title: 'There', width: 4, height: 2, layer: Number(stage().cities) },
    ];
    const data = { type: 'survest-dashboard', version: 1, widgets };
    const changed = await portal.api('admin', 'PATCH', `/api/v2/geoapps/${dashboard}/`, { data });
    expect(changed.status).toBe(200);
    await page.goto(`/apps/${dashboard}/embed`);
    await widget('Gone').getByText('not shared with you').waitFor();
    await expect.poll(() => widget('There').locator('.counter').textContent()).toBe('80');
    expect(await page.getByRole('banner').count()).toBe(0);
    const refused = await portal.api('admin', 'PATCH', `/api/v2/geoapps/${dashboard}/`, {
      data: { ...data, widgets: [{ ...widgets[0], kind: 'rocket' }] },
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json)).toContain('Widget 1');
  });

  test('no dashboard threw anything, and none wanted what its content policy forbids', () => {
    expect(complaints).toEqual([]);
  });
}

/** One widget of each kind over the demo's large cities, but for those that need dates. */
export function everyWidget(layer: number): readonly object[] {
  const [country, people] = ['country', 'population_millions'];
  return [
    { kind: 'text', text: '**Cities** of the world' },
    { kind: 'map', layer },
    { kind: 'counter', layer, measure: 'sum', of: people },
    { kind: 'bar', layer, column: country },
    { kind: 'pie', layer, column: country, groups: 5 },
    { kind: 'histogram', layer, column: people },
    { kind: 'scatter', layer, column: people, across: people },
    { kind: 'table', layer },
    { kind: 'choice', layer, column: country },
    { kind: 'range', layer, column: people },
    { kind: 'search', layer, column: 'name' },
  ].map((widget, i) => ({ id: `w${i + 1}`, title: `Widget ${i + 1}`, width: 6, height: 4, ...widget }));
}
