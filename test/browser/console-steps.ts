// The API console: a request put together by hand, sent, and run as the code that is shown for it.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serious } from './axe.ts';
import { ADMIN_PASSWORD, changeLook, openContext, signIn, watchComplaints } from './portal-program.ts';
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
  });
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
    const reply = table.getByRole('region', { name: 'Response' });
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
  });

  test('who is signed in writes a row in her own name, and no token stands in the code', async () => {
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await page.goto('/console?table=demo_cities');
    const table = page.getByRole('region', { name: 'demo_cities' });
    await table.getByLabel('Method').selectOption('POST');
    await table.getByLabel('Body (JSON)').fill('{"name": "Testville", "population_millions": 0.1}');
    expect(await table.getByRole('tabpanel').locator('pre').textContent()).toContain('Bearer <token>');
    await table.getByRole('button', { name: 'Send' }).click();
    const reply = table.getByRole('region', { name: 'Response' });
    await reply.getByText('201', { exact: true }).waitFor();
    await table.getByLabel('Body (JSON)').fill('{"nonsense": 1}');
    await table.getByRole('button', { name: 'Send' }).click();
    await reply.getByText('400', { exact: true }).waitFor();
    await reply.getByText(/SVRST204|PGRST204/).waitFor();
    // A token that is made for it, and can be revoked.
    await table.getByRole('button', { name: 'Insert an access token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabel('Name').fill('For a script');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await table.getByText('The code contains the access token “For a script”').waitFor();
    expect(await table.getByRole('tabpanel').locator('pre').textContent()).toMatch(/Bearer [\w.-]{20,}/);
  });

  test('the rows of a table are a grid in which a cell is written by keys, and the keys between tables are drawn', async () => {
    await page.goto('/console?tab=data&table=demo_cities');
    const table = page.getByRole('region', { name: 'demo_cities', exact: true });
    await table.getByRole('combobox', { name: 'Attribute' }).selectOption('name');
    await table.getByRole('textbox', { name: 'Value' }).fill('Testville');
    await table.getByText('1 row', { exact: true }).waitFor();
    const cell = table.getByRole('gridcell', { name: '0.1', exact: true });
    await cell.press('Enter');
    await table.locator('td.editable-cell input').fill('0.2');
    await page.keyboard.press('Enter');
    await table.getByRole('gridcell', { name: '0.2', exact: true }).waitFor();
    expect(await serious(page, 'grid')).toEqual([]);
    await picture(page, 'console-data');
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await page.getByRole('img', { name: 'Tables and their foreign keys' }).waitFor();
    expect(await serious(page, 'diagram')).toEqual([]);
    await picture(page, 'console-diagram');
  });

  test('a new row of a table is said to have been made, and is seen wherever the order would put it', async () => {
    const { portal } = stage();
    const columns = [
      { name: 'Item', type: 'text' },
      { name: 'Year', type: 'integer' },
    ];
    const made = await portal.api('admin', 'POST', '/api/v2/layers/empty/', {
      title: 'Stock',
      geometry: 'none',
      columns,
    });
    expect(made.status).toBe(201);
    await page.goto('/console?tab=data&table=stock');
    const table = page.getByRole('region', { name: 'stock', exact: true });
    const add = async (item: string): Promise<void> => {
      await table.getByRole('button', { name: 'Add a row' }).click();
      const dialog = page.getByRole('dialog', { name: 'New row' });
      await dialog.getByLabel('item').fill(item);
      await dialog.getByLabel('year').fill('2024');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await add('Alpha');
    await page.getByText('The row was added at the top.').first().waitFor();
    await table.getByRole('button', { name: 'item', exact: true }).click();
    await add('Zulu');
    // Years have no separators.
    await table.locator('tbody tr').first().getByRole('gridcell', { name: 'Zulu' }).waitFor();
    await table.locator('tbody tr.chosen').getByRole('gridcell', { name: '2024', exact: true }).waitFor();
    await table.getByText('2 rows', { exact: true }).waitFor();
    expect(await table.locator('tbody tr').count()).toBe(2);
    expect(await serious(page, 'new row')).toEqual([]);
    await picture(page, 'console-new-row');
    const { layer } = made.json as { readonly layer: { readonly pk: string } };
    await portal.api('admin', 'DELETE', `/api/v2/layers/${layer.pk}/`);
  });

  test('an administrator reads in SQL, sees the plan, and is asked before a statement writes', async () => {
    await page.getByRole('tab', { name: 'SQL' }).click();
    const statement = page.getByRole('textbox', { name: 'Statement' });
    await statement.fill('select name, population_millions from demo_cities order by 2 desc');
    await statement.press('Control+Enter');
    await page.getByRole('region', { name: 'Result rows' }).getByText('Tokyo').waitFor();
    expect(await serious(page, 'sql')).toEqual([]);
    await picture(page, 'console-sql');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByRole('region', { name: 'Query plan' }).getByRole('listitem').getByText(/Sort/).first().waitFor();
    await page.getByRole('img', { name: /^Picture of the plan: / }).waitFor();
    await page.getByRole('button', { name: 'Explain and run' }).click();
    await page
      .getByText(/% of the time/)
      .first()
      .waitFor();
    expect(await serious(page, 'plan')).toEqual([]);
    await picture(page, 'console-plan');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(/^name,population_millions\r\nTokyo,/);
    await page.getByRole('button', { name: 'Save as a layer' }).click();
    const made = page.getByRole('dialog', { name: 'Result as a layer' });
    await made.getByLabel('Title').fill('Cities by size');
    expect(await serious(page, 'sql layer')).toEqual([]);
    await picture(page, 'console-layer');
    await made.getByRole('button', { name: 'Create', exact: true }).click();
    const address = await made
      .getByRole('link', { name: 'Open the table' })
      .or(made.getByRole('link', { name: 'Open the layer' }))
      .getAttribute('href');
    const { portal } = stage();
    const gone = await portal.api('admin', 'DELETE', `/api/v2/layers/${/\d+$/.exec(address ?? '')?.[0]}/`);
    expect(gone.status).toBe(204);
    await page.keyboard.press('Escape');
    await made.waitFor({ state: 'detached' });
    // Names are completed by keyboard; the focus stays where somebody types.
    await statement.fill('select c. from demo_cities c');
    for (let n = 0; n < ' from demo_cities c'.length; n += 1) await statement.press('ArrowLeft');
    await statement.press('n');
    const names = page.getByRole('listbox', { name: 'Suggestions' });
    await names.getByRole('option', { name: 'name column' }).waitFor();
    await statement.press('ArrowDown');
    expect(await serious(page, 'sql completion')).toEqual([]);
    await picture(page, 'console-completion');
    await statement.press('Enter');
    await expect.poll(() => statement.inputValue()).toBe('select c.name from demo_cities c');
    expect(await names.count()).toBe(0);
    await page.getByText('Saved statements').click();
    await page.getByLabel('Name', { exact: true }).fill('Cities');
    await page.getByRole('button', { name: 'Save this statement' }).click();
    await page.getByText('Saved as “Cities”.').waitFor();
    await statement.fill('select 1');
    await page.getByRole('button', { name: 'Cities', exact: true }).click();
    expect(await statement.inputValue()).toBe('select c.name from demo_cities c');
    expect(await serious(page, 'saved sql')).toEqual([]);
    await picture(page, 'console-saved');
    await page.getByRole('button', { name: 'Delete “Cities”' }).click();
    await page.getByText('“Cities” was deleted.').waitFor();
    await statement.fill(`update demo_cities set population_millions = 0.3 where name = 'Testville'`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/read-only transaction/).waitFor();
    await page.getByLabel('Allow writes').check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Run with writes allowed?' });
    await dialog.getByText('Changes made by this statement are permanent').waitFor();
    await dialog.getByRole('button', { name: 'Run and commit' }).click();
    await page.getByText('One row was changed.').waitFor();
    expect(await page.getByLabel('Allow writes').isChecked()).toBe(false);
    await changeLook(page, { phone: true, dark: true });
    expect(await serious(page, 'sql, phone')).toEqual([]);
    await picture(page, 'console-sql-phone');
    await changeLook(page, {});
  });

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
    await table.getByRole('region', { name: 'Response' }).getByText('204', { exact: true }).waitFor();
    expect(changes).toHaveLength(1);
    expect(await total()).toBe(String(Number(before) - 1));
  });

  test("the portal's own API is described, and an operation is found by its name", async () => {
    await page.getByRole('tab', { name: 'Catalogue API' }).click();
    await expect.poll(() => page.locator('.operation').count(), { timeout: 50_000 }).toBeGreaterThan(50);
    const all = await page.locator('.operation').count();
    await page.getByLabel('Find an operation').fill('geostories');
    await expect.poll(() => page.locator('.operation').count()).toBeLessThan(all);
    await page.locator('.operation').first().click();
    await picture(page, 'console-api');
  });

  test('the console threw nothing', () => {
    expect(complaints).toEqual([]);
  });
}
