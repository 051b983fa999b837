// Uploads that do not go straight through: questions answered in place, a page that was reloaded meanwhile, a file with a mistake.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGdal } from '../testkit/gdal-programs.ts';
import { serious } from './axe.ts';
import { openContext, signIn, watchComplaints } from './portal-program.ts';
import { makeShapefile } from './shapefile.ts';
import { picture, type Stage } from './stage.ts';

export function uploadSteps(stage: () => Stage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'ada');
    await page.goto('/add');
  });
  afterAll(() => page?.context().close());

  const give = (files: Readonly<Record<string, Buffer | string>>): Promise<void> =>
    page.locator('input[type=file]').setInputFiles(
      Object.entries(files).map(([name, content]) => ({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      })),
    );

  test('a coordinate system that the files do not tell is asked for, also after the page was reloaded', async () => {
    const { shp, shx, dbf } = makeShapefile([{ name: 'one', value: 1, x: 10, y: 50 }]);
    await give({ 'somewhere.shp': shp, 'somewhere.shx': shx, 'somewhere.dbf': dbf });
    const form = page.getByRole('form', { name: 'somewhere.shp' });
    await form.getByLabel('Coordinate system').waitFor();
    await form.getByRole('button', { name: 'Import' }).click();
    const card = page.getByRole('article', { name: 'somewhere' });
    await card.getByText('Needs an answer').waitFor({ timeout: 60_000 });
    await page.reload();
    await card.getByText('Needs an answer').waitFor();
    await picture(page, 'upload-question');
    // By words of its name, and by keys alone.
    await card.getByLabel('Coordinate system').fill('pseudo mercator');
    await card.getByRole('button', { name: /Pseudo-Mercator EPSG:3857/ }).waitFor();
    expect(await serious(page, 'systems')).toEqual([]);
    await card.getByLabel('Coordinate system').press('Enter');
    expect(await card.getByLabel('Coordinate system').inputValue()).toBe('EPSG:3857');
    await card.getByRole('button', { name: 'Continue' }).click();
    await card.getByRole('link', { name: 'Open the layer' }).waitFor({ timeout: 60_000 });
  });

  test('the columns of a table are asked for where they are not plain', async () => {
    await give({ 'wells.csv': 'label;rechts;hoch;depth\nA;7.1;50.1;12\nB;7.2;50.2;30\n' });
    const form = page.getByRole('form', { name: 'wells.csv' });
    await form.getByLabel('Column with x or longitude').waitFor();
    await form.getByRole('button', { name: 'Import' }).click();
    const card = page.getByRole('article', { name: 'wells' });
    await card.getByText('Needs an answer').waitFor({ timeout: 60_000 });
    await card.getByLabel('Column with x or longitude').selectOption('rechts');
    await card.getByLabel('Column with y or latitude').selectOption('hoch');
    await picture(page, 'upload-columns');
    await card.getByRole('button', { name: 'Continue' }).click();
    const crs = card.getByLabel('Coordinate system');
    const done = card.getByRole('link', { name: 'Open the layer' });
    await crs.or(done).waitFor({ timeout: 60_000 });
    if (await crs.isVisible()) {
      await crs.fill('EPSG:4326');
      await card.getByRole('button', { name: 'Continue' }).click();
    }
    await done.waitFor({ timeout: 60_000 });
  });

  test('a table is looked at first: what is changed is told at once, and chosen for the next file of its form', async () => {
    const rows = [
      'Messungen der Stadt Bern',
      'Ort;Datum;lat;lon;Notiz',
      'Bern;31.12.2024;46,95;7,45;gut',
      'Thun;1.1.2025;46,75;7,62;',
    ];
    await give({ 'werte.csv': rows.join('\n') });
    const form = page.getByRole('form', { name: 'werte.csv' });
    await form.getByRole('button', { name: 'Preview and adjust' }).click();
    const panel = form.getByRole('region', { name: 'How the table is read' });
    expect(await panel.getByLabel('Column names').inputValue()).toBe('2');
    await panel.getByRole('button', { name: 'Read as dates (day first)' }).click();
    await panel.getByRole('checkbox', { name: 'Notiz' }).click();
    await panel.locator('td.left-out').first().waitFor();
    expect(await serious(page, 'preview of a table')).toEqual([]);
    await picture(page, 'upload-preview');
    await form.getByRole('button', { name: 'Import' }).click();
    const done = page
      .getByRole('article', { name: 'werte', exact: true })
      .getByRole('link', { name: 'Open the layer' });
    await done.waitFor({ timeout: 60_000 });
    const { json } = await stage().portal.api('ada', 'GET', '/ogc/collections/werte/items?limit=1');
    const [first] = (json as { features: { properties: object }[] }).features;
    expect(first?.properties).toMatchObject({ datum: '2024-12-31' });
    expect(first?.properties).not.toHaveProperty('notiz');
    // The next one has a date that is none: it is shown before anything is imported.
    await give({ 'werte-2.csv': [...rows, 'Biel;bald;47,14;7,25;'].join('\n') });
    const next = page.getByRole('form', { name: 'werte-2.csv' });
    await next.getByRole('button', { name: 'Import' }).click();
    await next.getByText('1 of 3 values in “Datum” cannot be read (Date) and will be empty: line 5').waitFor();
    await next.getByRole('button', { name: 'Remove' }).click();
  });

  test('thirteen files sent together are followed by one stream, and each of them ends as a layer', async () => {
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/events')) streams.push(request.url());
    });
    const names = Array.from({ length: 13 }, (_, i) => `stop_${i + 10}`);
    const rows = 'x,y,name\n'.concat(...Array.from({ length: 200 }, (_, i) => `${7 + i / 100},50.1,stop ${i}\n`));
    await give(Object.fromEntries(names.map((name) => [`${name}.csv`, rows])));
    await page.getByRole('form', { name: 'stop_22.csv' }).waitFor();
    await page.getByRole('button', { name: 'Import all' }).click();
    for (const name of names)
      await page
        .getByRole('article', { name, exact: true })
        .getByRole('link', { name: 'Open the layer' })
        .waitFor({ timeout: 120_000 });
    expect(streams.length).toBeGreaterThan(0);
    expect(streams.filter((url) => !url.includes('/events?ids='))).toEqual([]);
  });

  test('what of a style is not drawn is listed on the card', async () => {
    const mark = '<Mark><WellKnownName>circle</WellKnownName></Mark><Size>6</Size><Rotation>45</Rotation>';
    const rule = `<Rule><Title>Wells</Title><PointSymbolizer><Graphic>${mark}</Graphic></PointSymbolizer></Rule>`;
    await give({
      'turned.geojson': '{"type":"Point","coordinates":[7,50]}',
      'turned.sld': `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle>${rule}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
    });
    await page.getByRole('form', { name: 'turned.geojson' }).getByRole('button', { name: 'Import' }).click();
    const card = page.getByRole('article', { name: 'turned' });
    await card.getByText('1 difference from the files').click({ timeout: 60_000 });
    await card.getByText('Style: Rule "Wells", PointSymbolizer: Graphic/Rotation is not drawn.').waitFor();
    await picture(page, 'upload-warnings');
  });

  test('of a GeoPackage with several layers each becomes one, and the card says how many, with a link to each', async () => {
    await give({ 'town.gpkg': townPackage() });
    await page.getByRole('form', { name: 'town.gpkg' }).getByRole('button', { name: 'Import' }).click();
    const card = page.getByRole('article', { name: 'town' });
    await card.getByText('3 layers were created:').waitFor({ timeout: 60_000 });
    expect(await card.getByRole('link').allTextContents()).toEqual(['Town: people', 'Town: springs', 'Town: wells']);
    await picture(page, 'upload-several');
    await card.getByRole('link', { name: 'Town: people' }).click();
    // Without places it is a table.
    await page.getByRole('heading', { name: 'Town: people', level: 1 }).waitFor();
    expect(await page.locator('.resource-head .type-mark').textContent()).toBe('Table');
    await page.goto('/add');
  });

  test('a mistake in a file is told with its line, and the card can be put away', async () => {
    await give({ 'broken.csv': 'name,lon,lat\nA,7.1,50.1\nB,7.2,50.2\nC,seven,50.3\n' });
    await page.getByRole('form', { name: 'broken.csv' }).getByRole('button', { name: 'Import' }).click();
    const card = page.getByRole('article', { name: 'broken' });
    await card
      .getByRole('alert')
      .getByText(/[Ll]ine 4/)
      .waitFor({ timeout: 60_000 });
    await picture(page, 'upload-failed');
    // What the portal says is said in the reader's language.
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await card
      .getByRole('alert')
      .getByText(/^Zeile 4 in broken\.csv: „seven“ in der Spalte „lon“ ist keine Koordinate\. /)
      .waitFor();
    await page.getByRole('button', { name: 'Sprache' }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await card.getByRole('button', { name: 'Remove' }).click();
    await card.waitFor({ state: 'detached' });
  });

  test('what cannot become a layer is said before anything is sent', async () => {
    await give({ 'half.shp': makeShapefile([{ name: 'one', value: 1, x: 1, y: 1 }]).shp });
    const half = page.getByRole('form', { name: 'half.shp' });
    await half.getByText('Parts are missing: .shx, .dbf').waitFor();
    expect(await half.getByRole('button', { name: 'Import' }).count()).toBe(0);
    await half.getByRole('button', { name: 'Remove' }).click();
    await give({ 'program.exe': 'MZ' });
    await page.getByText('Files of this type cannot be imported.').waitFor();
  });

  test('an empty layer is made from a form, and drawn in at once', async () => {
    await page.goto('/add');
    await page.getByRole('link', { name: 'Or start with an empty layer' }).click();
    await page.getByLabel('Title').fill('Benches');
    await page.getByLabel('Name of the column 1').fill('Seats');
    await page.getByLabel('Type 1').selectOption('integer');
    expect(await serious(page, 'new layer')).toEqual([]);
    await picture(page, 'new-layer');
    await page.getByRole('button', { name: 'Create layer' }).click();
    await page.getByText('This layer is empty.').waitFor();
    await page.getByRole('link', { name: 'Open in the map viewer' }).click();
    await page.getByRole('button', { name: 'More actions for Benches' }).click();
    await page.getByRole('button', { name: 'Edit features' }).click();
    await page.getByText('New feature from coordinates').click();
    await page.getByLabel('Longitude, latitude').fill('7, 50');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Seats', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'All changes saved' }).waitFor();
    const { json } = await stage().portal.api('ada', 'GET', '/ogc/collections/benches/items');
    expect(json).toMatchObject({ features: [{ properties: { seats: 3 } }] });
  });

  test('columns are added, dropped and put back on the page of the layer, and rows come from a file', async () => {
    const { json: found } = await stage().portal.api('ada', 'GET', '/api/v2/layers/?filter{name}=benches');
    const [bench] = (found as { layers: { pk: string }[] }).layers;
    await page.goto(`/layers/${bench?.pk}`);
    await page.getByRole('tab', { name: 'Columns and data' }).click();
    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByLabel('Name of the column').fill('Colour');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Rename Colour' }).click();
    await page.getByLabel('Name of the column').fill('Paint');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete Paint' }).waitFor();
    await page.getByRole('button', { name: 'Delete Seats' }).click();
    await page.getByText('It is not used anywhere.').waitFor();
    expect(await serious(page, 'drop a column')).toEqual([]);
    await picture(page, 'drop-column');
    await page.getByRole('button', { name: 'Delete column' }).click();
    await page.getByText('1 deleted column').click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Delete Seats' }).waitFor();
    const point =
      '{"type":"Feature","properties":{"Seats":4,"Paint":"red"},"geometry":{"type":"Point","coordinates":[8,51]}}';
    await give({ 'more.geojson': point });
    await page.getByRole('button', { name: 'Add rows' }).click();
    await page.getByText('1 rows before, 2 now.').waitFor({ timeout: 60_000 });
    expect(await serious(page, 'rows from a file')).toEqual([]);
    const { json } = await stage().portal.api('ada', 'GET', '/ogc/collections/benches/items');
    expect(json).toMatchObject({
      features: [{ properties: { seats: 3, paint: null } }, { properties: { seats: 4, paint: 'red' } }],
    });
  });

  test('a table without places is imported as one, and its page shows the rows', async () => {
    await page.goto('/add');
    await give({ 'prices.csv': 'Ware;Preis\nBrot;2,5\nMilch;1\n' });
    const form = page.getByRole('form', { name: 'prices.csv' });
    await form.getByLabel('The rows have no locations: a plain table').check();
    await form.getByRole('button', { name: 'Import' }).click();
    await page
      .getByRole('article', { name: 'prices' })
      .getByRole('link', { name: 'Open the layer' })
      .click({ timeout: 60_000 });
    await page.getByRole('gridcell', { name: 'Milch' }).waitFor();
    expect(await serious(page, 'plain table')).toEqual([]);
    await picture(page, 'plain-table');
    await page.getByLabel('Value').fill('Brot');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'Milch' }).count()).toBe(0);
    await page.getByRole('gridcell', { name: 'Brot' }).dblclick();
    await page.locator('.editable-cell input').fill('Laib');
    await page.keyboard.press('Enter');
    await page.getByText('0 rows').waitFor();
    await page.getByLabel('Value').fill('Laib');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('gridcell', { name: 'Laib' }).waitFor();
  });

  test('columns that a file lacks are named before the rows are replaced, and kept by a key', async () => {
    const { json: found } = await stage().portal.api('ada', 'GET', '/api/v2/layers/?filter{name}=prices');
    const [prices] = (found as { layers: { pk: string }[] }).layers;
    await page.goto(`/layers/${prices?.pk}`);
    await page.getByRole('tab', { name: 'Columns and data' }).click();
    await give({ 'new.csv': 'Ware\nMilch\nReis\n' });
    const form = page.getByRole('form', { name: 'new.csv' });
    await form.getByLabel('Replace').check();
    await form.getByRole('button', { name: 'Replace all rows' }).click();
    const question = page.getByRole('region', { name: 'Columns missing from the file' });
    await question.getByText('Preis').waitFor({ timeout: 60_000 });
    expect(await serious(page, 'missing columns')).toEqual([]);
    await picture(page, 'upload-missing-columns');
    expect(await question.getByRole('button').allInnerTexts()).toEqual([
      'Keep the values',
      'Empty these columns',
      'Cancel',
    ]);
    await question.getByLabel('Match rows by').selectOption('Ware');
    await question.getByRole('button', { name: 'Keep the values' }).click();
    await page.getByText('1 of 2 rows have kept the values').waitFor({ state: 'attached', timeout: 60_000 });
  });

  test('no upload threw anything', () => {
    expect(complaints).toEqual([]);
  });
}

/** Two layers of points, and a table without places. */
function townPackage(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'survest-town-'));
  try {
    writeFileSync(join(folder, 'point.geojson'), '{"type":"Point","coordinates":[7,50]}');
    writeFileSync(join(folder, 'people.csv'), 'code,count\nA,3\n');
    runGdal(
      folder,
      ['ogr2ogr', '-f', 'GPKG', 'town.gpkg', 'point.geojson', '-nln', 'wells'],
      ['ogr2ogr', '-update', '-f', 'GPKG', 'town.gpkg', 'point.geojson', '-nln', 'springs'],
      ['ogr2ogr', '-update', '-f', 'GPKG', 'town.gpkg', 'people.csv', '-nln', 'people'],
    );
    return readFileSync(join(folder, 'town.gpkg'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
