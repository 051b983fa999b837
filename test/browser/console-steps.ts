// The API console: a request put together by hand, sent, and run as the code that is shown for it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage } from './stage.ts';

const run = promisify(execFile);

export function consoleSteps(stage: () => Stage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url)).newPage();
    complaints = watchComplaints(page);
    await page.goto('/console');
  }, 60_000);
  afterAll(() => page?.context().close());

  test('a visitor filters a table, and the code that is shown does the same', async () => {
    await page.getByRole('button', { name: 'demo_cities' }).click();
    const table = page.getByRole('region', { name: 'demo_cities' });
    await table.getByRole('checkbox', { name: /^name / }).check();
    await table.getByRole('checkbox', { name: /^population_millions / }).check();
    await table.getByRole('button', { name: 'Add a filter' }).click();
    await table.getByRole('combobox', { name: 'Attribute' }).selectOption('population_millions');
    await table.getByRole('combobox', { name: 'Condition' }).selectOption('gt');
    await table.getByRole('textbox', { name: 'Value' }).fill('30');
    await table.getByLabel('Order by').selectOption('population_millions desc');
    await table.getByRole('button', { name: 'Send' }).click();
    const reply = table.getByRole('region', { name: 'Reply' });
    await reply.getByText('200', { exact: true }).waitFor();
    const rows = JSON.parse((await reply.locator('pre').textContent()) ?? '') as readonly { readonly name: string }[];
    expect(rows[0]?.name).toBe('Tokyo');
    await picture(page, 'console');
    const code = table.getByRole('tabpanel').locator('pre');
    expect(await code.textContent()).toMatch(/^curl '.*\/rest\/v1\/demo_cities\?select=name,population_millions&/);
    await table.getByRole('tab', { name: 'Python' }).click();
    expect(await code.textContent()).toMatch(/^import requests\n\nreply = requests.get\(/);
    await table.getByRole('tab', { name: 'JavaScript' }).click();
    const script = `${await code.textContent()}\nprocess.stdout.write(JSON.stringify(rows));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual(rows);
  }, 60_000);

  test('who is signed in writes a row in her own name, and no token stands in the code', async () => {
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/console?table=demo_cities');
    const table = page.getByRole('region', { name: 'demo_cities' });
    await table.getByLabel('Method').selectOption('POST');
    await table.getByLabel('Body (JSON)').fill('{"name": "Testville", "population_millions": 0.1}');
    expect(await table.getByRole('tabpanel').locator('pre').textContent()).toContain('Bearer <token>');
    await table.getByRole('button', { name: 'Send' }).click();
    const reply = table.getByRole('region', { name: 'Reply' });
    await reply.getByText('201', { exact: true }).waitFor();
    await table.getByLabel('Body (JSON)').fill('{"nonsense": 1}');
    await table.getByRole('button', { name: 'Send' }).click();
    await reply.getByText('400', { exact: true }).waitFor();
    await reply.getByText(/SVRST204|PGRST204/).waitFor();
  }, 60_000);

  test('a request that would change or delete every row is asked about, with their number, also by keyboard', async () => {
    const { portal } = stage();
    const total = async (): Promise<string> => {
      const reply = await fetch(`${portal.url}/rest/v1/demo_cities`, {
        method: 'HEAD',
        headers: { Prefer: 'count=exact' },
      });
      return /\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1] ?? '';
    };
    const before = await total();
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE' || request.method() === 'PATCH') changes.push(request.url());
    });
    await page.goto('/console?table=demo_cities');
    const table = page.getByRole('region', { name: 'demo_cities' });
    await table.getByLabel('Method').selectOption('DELETE');
    // A filter without a value is none.
    await table.getByRole('button', { name: 'Add a filter' }).click();
    await table.getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'This request has no filter' });
    await dialog.getByText(`It deletes all ${before} rows of demo_cities.`).waitFor();
    await picture(page, 'console-delete-all');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(changes).toEqual([]);
    expect(await total()).toBe(before);
    await table.getByLabel('Method').selectOption('PATCH');
    await table.getByLabel('Body (JSON)').fill('{"population_millions": 1}');
    await table.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText(`It changes all ${before} rows of demo_cities.`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(changes).toEqual([]);
    // With a filter it goes at once.
    await table.getByLabel('Method').selectOption('DELETE');
    await table.getByRole('combobox', { name: 'Attribute' }).selectOption('name');
    await table.getByRole('textbox', { name: 'Value' }).fill('Testville');
    await table.getByRole('button', { name: 'Send' }).click();
    await table.getByRole('region', { name: 'Reply' }).getByText('204', { exact: true }).waitFor();
    expect(changes).toHaveLength(1);
    expect(await total()).toBe(String(Number(before) - 1));
  }, 60_000);

  test("the portal's own API is described, and an operation is found by its name", async () => {
    await page.getByRole('tab', { name: 'Catalogue API' }).click();
    await expect.poll(() => page.locator('.operation').count(), { timeout: 20_000 }).toBeGreaterThan(50);
    const all = await page.locator('.operation').count();
    await page.getByLabel('Find an operation').fill('geostories');
    await expect.poll(() => page.locator('.operation').count()).toBeLessThan(all);
    await page.locator('.operation').first().click();
    await picture(page, 'console-api');
  }, 60_000);

  test('the console threw nothing', () => {
    expect(complaints).toEqual([]);
  });
}
