// Things of the catalogue that are more than layers: documents, stories and apps are made, read and changed; a search by area.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, openContext, signIn, watchComplaints } from './portal-program.ts';
import { picture, type Stage, waitForMap } from './stage.ts';

export type ContentStage = Stage & { readonly map: string };

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** In the page: a picture is pasted where the focus is. */
const PASTE = `{
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array([${PIXEL.join()}])], 'Sunset.png', { type: 'image/png' }));
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}`;

export function contentSteps(stage: () => ContentStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(() => page?.context().close());

  test('a PDF is added as a document and shown as one', async () => {
    await page.goto('/add');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'report.pdf', mimeType: 'application/pdf', buffer: makePdf('Field report') });
    const form = page.getByRole('form', { name: 'report.pdf' });
    await form.getByLabel('Title').fill('Field report');
    await form.getByRole('button', { name: 'Add as a document' }).click();
    await page.getByRole('heading', { name: 'Field report', level: 1 }).waitFor();
    const frame = page.locator('.document-preview iframe');
    await frame.waitFor();
    expect(await frame.getAttribute('src')).toMatch(/^blob:/);
    expect(await frame.getAttribute('title')).toBe('Field report');
    // The browser's own viewer has it.
    await expect.poll(() => page.frames().some((one) => one.url().startsWith('chrome-extension:'))).toBe(true);
    await picture(page, 'pdf');
  });

  test('an item is described, and found by its keyword', async () => {
    await page.getByRole('button', { name: 'Edit details' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title', { exact: true }).fill('Field report of May');
    await dialog.getByLabel('Keywords').fill('wells, field work');
    await dialog.getByLabel('Category').selectOption('inlandWaters');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Field report of May', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'field work' }).click();
    await page.getByText('1 item', { exact: true }).waitFor();
    await page
      .getByRole('link', { name: /Field report of May/ })
      .first()
      .waitFor();
  });

  test('an earlier description is looked at and restored, and saving over a newer one asks', async () => {
    const { portal } = stage();
    await page
      .getByRole('link', { name: /Field report of May/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Field report of May', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    const versions = page.getByRole('dialog', { name: 'Versions of “Field report of May”' });
    await versions.getByRole('button', { name: /^View/ }).last().click();
    await versions.getByRole('row', { name: /Field report Field report of May/ }).waitFor();
    await picture(page, 'versions');
    await versions
      .getByRole('button', { name: /^Restore/ })
      .last()
      .click();
    await page.getByText(/was restored as a new version\.$/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Field report', level: 1, exact: true }).waitFor();

    await page.getByRole('button', { name: 'Edit details' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title', { exact: true }).fill('Field report of June');
    const path = `/api/v2/resources/${new URL(page.url()).pathname.split('/').at(-1)}/`;
    expect((await portal.api('admin', 'PATCH', path, { abstract: 'By somebody else' })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: 'There is a newer version' });
    await question.getByText(/^admin saved a newer version/).waitFor();
    await picture(page, 'newer-version');
    await question.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByRole('heading', { name: 'Field report of June', level: 1 }).waitFor();
  });

  test('a story is written with a map, read, and written on', async () => {
    await page.goto('/stories/new');
    await page.getByLabel('Title').first().fill('A day outside');
    const first = page.getByRole('group', { name: 'Section 1' });
    await first.getByLabel('Title').fill('Morning');
    await first.getByRole('textbox', { name: 'Text' }).fill('It was **early**.\n\n- fog\n- dew');
    await first.getByLabel('Image or map').selectOption('map');
    await first.getByRole('combobox', { name: 'Map', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add a section' }).click();
    await page.getByRole('group', { name: 'Section 2' }).getByLabel('Title').fill('Evening');
    // What was typed in a field is one step, and adding the section another.
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByRole('group', { name: 'Section 2' }).getByLabel('Title').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('group', { name: 'Section 2' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByRole('button', { name: 'Redo' }).click();
    expect(await page.getByRole('group', { name: 'Section 2' }).getByLabel('Title').inputValue()).toBe('Evening');
    // A picture that is pasted is a document, and stands in the section.
    const evening = page.getByRole('group', { name: 'Section 2' });
    await evening.getByLabel('Title').focus();
    await page.evaluate(PASTE);
    // Who goes on writing meanwhile loses nothing of it.
    await evening.getByRole('textbox', { name: 'Text' }).fill('Meanwhile.');
    await evening.getByRole('img', { name: 'Sunset' }).waitFor();
    expect(await evening.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Meanwhile.');
    await picture(page, 'story-editor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'A day outside', level: 1 }).waitFor();
    await page.locator('.story-text strong, .story-text b').getByText('early').waitFor();
    await waitForMap(page);
    await picture(page, 'story');
    await page.getByRole('link', { name: 'Edit story' }).click();
    const second = page.getByRole('group', { name: 'Section 2' });
    await second.getByRole('button', { name: 'Move up' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('.story-text h2').allTextContents()).toEqual(['Evening', 'Morning']);
    // Its first version is looked at as a story.
    await page.getByRole('button', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('button', { name: /^View: Content/ })
      .last()
      .click();
    await expect.poll(() => dialog.locator('.story-text h2').allTextContents()).toEqual(['Morning', 'Evening']);
    await picture(page, 'story-version');
    await page.keyboard.press('Escape');
  });

  test('an app that is a map is drawn, and any other content can be read and changed', async () => {
    await page.goto('/apps/new?raw=1');
    await page.getByLabel('Title').fill('City explorer');
    await page.getByLabel('Import a map').selectOption(stage().map);
    await expect.poll(() => page.getByLabel('Content (JSON)').inputValue()).toContain('"layers"');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'City explorer', level: 1 }).waitFor();
    await waitForMap(page);
    await picture(page, 'app-map');
    const embedded = await page.getByRole('textbox', { name: 'Embed in a page' }).inputValue();
    await page.getByRole('link', { name: 'Edit dashboard' }).click();
    const content = page.getByLabel('Content (JSON)');
    await content.fill('{"widgets": [');
    await page.getByText('Invalid JSON').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await content.fill(
      JSON.stringify({
        name: 'Board <b>x</b>',
        link: 'https://example.org/a',
        widgets: [
          { title: 'Rain', unit: 'mm' },
          { title: 'Wind', unit: 'm/s' },
        ],
        deep: { deeper: { deepest: [1, 2, 3] } },
      }),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'City explorer', level: 1 }).waitFor();
    await page.getByRole('columnheader', { name: 'unit' }).waitFor();
    await page.getByText('Board <b>x</b>').waitFor();
    await picture(page, 'app-data');
    await page.goto(/src="([^"]+)"/.exec(embedded)?.[1] ?? '');
    await page.getByText('Wind').waitFor();
    expect(await page.getByRole('banner').count()).toBe(0);
  });

  test('an area drawn on a map narrows the catalogue, and stands in the address', async () => {
    const all = await total(page, '/');
    await page.getByRole('button', { name: 'Choose an area' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.map-view[data-idle]').waitFor({ timeout: 60_000 });
    const box = await dialog.locator('.map-view').boundingBox();
    if (box === null) throw new Error('there is no map');
    // Somewhere in the southern ocean, where of the demo's layers only the raster is.
    const [x, y] = [box.x + box.width * 0.2, box.y + box.height * 0.75];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 10);
    await page.mouse.move(x + 60, y + 30);
    await page.mouse.up();
    await expect.poll(async () => Number(await dialog.getByLabel('South').inputValue())).toBeLessThan(0);
    await picture(page, 'area');
    await dialog.getByRole('button', { name: 'Search this area' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('extent')?.split(',').length).toBe(4);
    await expect.poll(() => found(page)).toBeLessThan(all);
    await page
      .getByRole('button', { name: /^Remove filter/ })
      .first()
      .click();
    await expect.poll(() => found(page)).toBe(all);
    expect(new URL(page.url()).searchParams.has('extent')).toBe(false);
  });

  test('nothing that was made here threw anything', () => {
    expect(complaints).toEqual([]);
  });
}

async function found(page: Page): Promise<number> {
  const text = await page
    .getByText(/^\d+ items?$/)
    .first()
    .textContent();
  return Number.parseInt(text ?? '', 10);
}

async function total(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.locator('.card h2').first().waitFor();
  return found(page);
}

/** One page with a line of text, as small as a PDF can be. */
function makePdf(text: string): Buffer {
  const stream = `BT /F1 24 Tf 40 100 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = pdf.length;
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(pdf, 'latin1');
}
