// Maps that tell the truth: tiles that failed are asked for again and it is said; rasters have a legend, numbers at a place and a
// style.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePicture, type Picture } from '../feature/mapserver/picture.ts';
import { ADMIN_PASSWORD, changeLook, openContext, signIn, watchComplaints } from './portal-program.ts';
import { clickAt, type Place, picture, pixelOf, type Stage, waitForMap } from './stage.ts';

/** A layer of areas that covers land, and a raster with a ramp of its own. */
export type MapStage = Stage & { readonly areas: string; readonly points: string; readonly raster: string };

const COMPARED = [
  {
    of: 'areas',
    layers: [
      {
        id: 'fill',
        type: 'fill',
        paint: {
          'fill-color': ['step', ['get', 'area_km2'], '#d73027', 250_000, '#fee08b', 1_000_000, '#1a9850'],
          'fill-opacity': 0.6,
        },
      },
      { id: 'line', type: 'line', paint: { 'line-color': '#222222', 'line-dasharray': [4, 2] } },
    ],
  },
  {
    of: 'points',
    layers: [
      {
        id: 'heat',
        type: 'heatmap',
        paint: {
          'heatmap-radius': 60,
          'heatmap-color': [
            'interpolate',
            ['linear'],
            ['heatmap-density'],
            0,
            'rgba(0,0,0,0)',
            0.3,
            '#fd8d3c',
            1,
            '#a50f15',
          ],
        },
      },
      { id: 'circle', type: 'circle', paint: { 'circle-color': '#1f78b4', 'circle-radius': 12 } },
    ],
  },
  {
    of: 'points',
    as: 'symbols',
    layers: [
      {
        id: 'symbol',
        type: 'circle',
        metadata: { 'survest:mark': 'hospital' },
        paint: { 'circle-color': '#d73027', 'circle-radius': 16 },
      },
    ],
  },
  {
    of: 'points',
    as: 'clusters',
    layers: [
      {
        id: 'cluster',
        type: 'circle',
        metadata: { 'survest:group': { kind: 'cluster', size: 128 } },
        paint: {
          'circle-color': ['step', ['get', 'point_count'], '#1f78b4', 2, '#d73027'],
          'circle-radius': ['step', ['get', 'point_count'], 15, 2, 30],
        },
      },
    ],
  },
  {
    of: 'points',
    as: 'hexagons',
    layers: [
      {
        id: 'cells',
        type: 'fill',
        metadata: { 'survest:group': { kind: 'hexagon', size: 90 } },
        paint: { 'fill-color': ['step', ['get', 'point_count'], '#fee08b', 2, '#d73027'] },
      },
    ],
  },
] as const;

/** How far the mean colours of two pictures are apart, in the square of an eighth where they differ most but for a few. */
function farthest(one: Picture, other: Picture): number {
  const apart: number[] = [];
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < 8; column++) {
      const [a, b] = [meanOf(one, column, row), meanOf(other, column, row)];
      apart.push(Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0)))));
    }
  return apart.sort((a, b) => b - a)[2] ?? 0;
}

function meanOf({ width, height, at }: Picture, column: number, row: number): readonly number[] {
  const sums = [0, 0, 0];
  let count = 0;
  for (let y = Math.floor((row * height) / 8); y < Math.floor(((row + 1) * height) / 8); y++)
    for (let x = Math.floor((column * width) / 8); x < Math.floor(((column + 1) * width) / 8); x++) {
      const pixel = at(x, y);
      for (let i = 0; i < 3; i++) sums[i] = (sums[i] ?? 0) + (pixel[i] ?? 0);
      count++;
    }
  return sums.map((sum) => sum / Math.max(1, count));
}

type Cluster = Place & { readonly count: number; readonly name: string };

/** Clusters within the window that have none beside them, by their tiles. */
async function clustersOf(page: Page, tiles: string, z: number): Promise<readonly Cluster[]> {
  const all: (Cluster & { readonly x: number; readonly y: number })[] = [];
  for (let x = 0; x < 2 ** z; x++)
    for (let y = 0; y < 2 ** z; y++) {
      const reply = await page.request.get(tiles.replace('{tile}', `${z}/${x}/${y}`));
      const [layer] = Object.values(new VectorTile(new PbfReader(await reply.body())).layers);
      for (let i = 0; i < (layer?.length ?? 0); i++) {
        const feature = layer?.feature(i).toGeoJSON(x, y, z);
        if (feature?.geometry.type !== 'Point') continue;
        const [lng = 0, lat = 0] = feature.geometry.coordinates;
        const { point_count: count, name } = feature.properties ?? {};
        all.push({ lng, lat, count: Number(count), name: String(name), ...(await pixelOf(page, { lng, lat })) });
      }
    }
  const box = await page.locator('.map-view').boundingBox();
  if (box === null) throw new Error('there is no map');
  const isInside = (from: number, at: number, length: number): boolean => at > from + 120 && at < from + length - 120;
  return all.filter(
    (one) =>
      isInside(box.x, one.x, box.width) &&
      isInside(box.y, one.y, box.height) &&
      all.filter(({ x, y }) => Math.hypot(x - one.x, y - one.y) < 40).length === 1,
  );
}

const TROUBLE = 'Parts of the map could not be loaded.';

export function mapSteps(stage: () => MapStage): void {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const { browser, portal } = stage();
    page = await (await openContext(browser, portal.url, { small: true })).newPage();
    complaints = watchComplaints(page);
    await signIn(page, 'admin', ADMIN_PASSWORD);
  });
  afterAll(() => page?.context().close());

  test('a tile that failed is asked for again, and people see that', async () => {
    const { areas } = stage();
    const asked = new Map<string, number>();
    let isBusy = true;
    await page.route(/\/tiles\/\d+\/\d+\/\d+\/\d+\.mvt/, async (route) => {
      const url = route.request().url();
      asked.set(url, (asked.get(url) ?? 0) + 1);
      await (isBusy ? route.fulfill({ status: 503, body: 'busy' }) : route.continue());
    });
    await page.goto(`/viewer?layer=${areas}#2/20/10`);
    await page.locator('.map-trouble').getByText(TROUBLE).waitFor();
    await page.locator('.layer-item').getByText('Parts of this layer could not be loaded.').waitFor();
    await picture(page, 'tile-trouble');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'tile-trouble-phone-dark');
    await changeLook(page, { small: true });
    isBusy = false;
    await page.locator('.map-trouble').waitFor({ state: 'detached' });
    expect(Math.max(...asked.values())).toBeGreaterThan(1);
    await page.locator('.layer-item').getByText('could not be loaded').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
    await clickAt(page, { lng: 20, lat: 0 });
    await page.getByRole('region', { name: 'Feature' }).waitFor();
  });

  test('what was refused is not asked for again', async () => {
    const { areas } = stage();
    const asked = new Map<string, number>();
    await page.goto('/');
    await page.route(/\/tiles\/\d+\/\d+\/\d+\/\d+\.mvt/, async (route) => {
      const url = route.request().url();
      asked.set(url, (asked.get(url) ?? 0) + 1);
      await route.fulfill({ status: 403, body: 'no' });
    });
    await page.goto(`/viewer?layer=${areas}#2/20/10`);
    await waitForMap(page);
    expect(await page.locator('.map-trouble').count()).toBe(0);
    expect(Math.max(...asked.values())).toBe(1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a raster has a legend, and its number at a place is told', async () => {
    const { raster } = stage();
    await page.goto(`/viewer?layer=${raster}#2/20/10`);
    await waitForMap(page);
    await page.locator('.layer-item .legend').getByText('1,500 km').waitFor();
    await clickAt(page, { lng: 20, lat: 0 });
    const card = page.getByRole('region', { name: 'Feature' });
    await card.getByText('Band 1').waitFor();
    expect(await card.locator('dd').first().textContent()).toMatch(/^\d/);
    await picture(page, 'raster-identify');
    await card.getByRole('button', { name: 'Close' }).click();
  });

  test('what lies above hides what lies below; one goes from one to the other', async () => {
    const { raster, areas } = stage();
    await page.goto(`/viewer?layer=${areas}&layer=${raster}#2/20/10`);
    await waitForMap(page);
    const titles = await page.locator('.layer-title').allTextContents();
    await clickAt(page, { lng: 20, lat: 0 });
    const card = page.getByRole('region', { name: 'Feature' });
    await card.waitFor();
    await picture(page, 'two-at-a-place');
    await card.getByText('1 of 2').waitFor();
    expect(await card.getByRole('heading').textContent()).toBe(titles[0]);
    await card.getByRole('button', { name: 'Next feature' }).click();
    await card.getByText('2 of 2').waitFor();
    expect(await card.getByRole('heading').textContent()).toBe(titles[1]);
  });

  test('a raster gets a ramp between two numbers, and the map shows it', async () => {
    const { raster, portal } = stage();
    await page.goto(`/viewer?layer=${raster}#2/20/10`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Style', exact: true }).click();
    // The ramp that is there was not made here: it stays until somebody wants another.
    expect(await page.getByLabel('Colours').count()).toBe(0);
    await page.getByRole('button', { name: 'Replace with a simple style' }).click();
    await page.getByLabel('Colours').selectOption('heat');
    await page.getByLabel('From').fill('0');
    await page.getByLabel('To', { exact: true }).fill('4000');
    await page.locator('.viewer-side .legend').getByText('4000').waitFor();
    await picture(page, 'raster-style');
    const tiles = page.waitForRequest(/\/rastertiles\//);
    await page.getByRole('button', { name: 'Save as a new style' }).click();
    await page.getByLabel('Name of the new style').fill('Heat');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Style saved.').first().waitFor();
    expect((await tiles).url()).toContain('style=');
    const { json } = await portal.api('admin', 'GET', `/styles/${raster}`);
    const made = (json as { readonly styles: readonly { readonly title: string; readonly id: number }[] }).styles.find(
      ({ title }) => title === 'Heat',
    );
    const kept = await portal.api('admin', 'GET', `/styles/${raster}/${made?.id}.json`);
    expect(JSON.stringify(kept.json)).toContain('"value":4000');
  });

  test.each(COMPARED)(
    'the viewer and the map server draw the same picture of $of $as',
    async ({ of, layers, ...more }) => {
      const { portal } = stage();
      const layer = stage()[of];
      const name = `compared-${'as' in more ? more.as : of}`;
      expect((await portal.api('admin', 'PUT', `/styles/${layer}/${name}.json`, layers)).status).toBeLessThan(300);
      await page.goto('/');
      await page.goto(`/viewer?layer=${layer}#2.5/20/20`);
      await waitForMap(page);
      await page.getByRole('button', { name: /^More actions for/ }).click();
      await page.getByRole('button', { name: 'Style', exact: true }).click();
      await page.getByLabel('Style', { exact: true }).selectOption(name);
      await page.getByRole('button', { name: 'Basemap' }).click();
      await page.getByRole('button', { name: 'None' }).click();
      const middle = await pixelOf(page, { lng: 20, lat: 20 });
      const [width, height] = [480, 320];
      const clip = { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
      const metres = 40_075_016.686 / (512 * 2 ** 2.5);
      const [x, y] = [(20 / 180) * 20_037_508.34, Math.asinh(Math.tan(Math.PI / 9)) * 6_378_137];
      const box = [
        x - (width / 2) * metres,
        y - (height / 2) * metres,
        x + (width / 2) * metres,
        y + (height / 2) * metres,
      ];
      const { json } = await portal.api('admin', 'GET', `/api/v2/layers/${layer}/`);
      const { alternate } = (json as { readonly layer: { readonly alternate: string } }).layer;
      const reply = await page.request.get(
        `/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=${alternate}&STYLES=${name}&CRS=EPSG:3857&BBOX=${box}&WIDTH=${width}&HEIGHT=${height}&FORMAT=image/png`,
      );
      const server = await decodePicture(await reply.body());
      // Tiles come one after the other: looked at until they are all there. Fine lines fall on different pixels, so squares are compared.
      await expect
        .poll(async () => farthest(await decodePicture(await page.screenshot({ clip })), server), { timeout: 30_000 })
        .toBeLessThan(24);
    },
  );

  test('points become clusters and hexagons in the style editor, and the legend says that it counts', async () => {
    const { points } = stage();
    await page.goto('/');
    await page.goto(`/viewer?layer=${points}#1/20/20`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Style', exact: true }).click();
    const asked = page.waitForRequest(/\/tiles\/\d+\/clusters\/1\/\d\/\d\.mvt\?size=128$/);
    // A style that somebody else made is replaced by a simple one first.
    const simple = page.getByRole('button', { name: 'Replace with a simple style' });
    if (await simple.isVisible()) await simple.click();
    await page.getByLabel('Clusters').check();
    await page.getByLabel('Cell (px)').selectOption('128');
    await asked;
    await page.getByRole('button', { name: 'Use for this map only' }).click();
    await waitForMap(page);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.locator('.layer-item .legend').getByText('Number of features').waitFor();
    await picture(page, 'clusters');
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Style', exact: true }).click();
    await page.getByLabel('Hexagons').check();
    await page.getByLabel('Class breaks').fill('5, 2');
    await page.getByText('Numbers in ascending order').waitFor();
    await page.getByLabel('Class breaks').fill('2, 5');
    await picture(page, 'hexagons');
    await changeLook(page, { phone: true, dark: true });
    await picture(page, 'hexagons-phone-dark');
    await changeLook(page, { small: true });
  });

  test('a style that is tried is drawn from tiles that have the attribute it reads', async () => {
    const { areas } = stage();
    // Described as a layer of very many features, whose tiles leave out what nobody asks for.
    const described = `**/tiles/${areas}.json`;
    await page.route(described, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { vector_layers: object[] };
      const overview = {
        kind: 'cells',
        maxzoom: 9,
        pixels: 4,
        numbers: [],
        categories: [],
        count: '_count',
        state: 'ready',
      };
      json.vector_layers = json.vector_layers.map((layer) => ({ ...layer, overview }));
      await route.fulfill({ response, json });
    });
    await page.goto('/');
    await page.goto(`/viewer?layer=${areas}#1/20/20`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Style', exact: true }).click();
    const simple = page.getByRole('button', { name: 'Replace with a simple style' });
    if (await simple.isVisible()) await simple.click();
    await page.getByLabel('Single symbol', { exact: true }).check();
    await waitForMap(page);
    const asked = page.waitForResponse(/\/tiles\/\d+\/\d+\/\d+\/\d+\.mvt\?column=\w+$/);
    await page.getByLabel('Graduated').check();
    expect((await asked).status()).toBe(200);
    await page.unroute(described);
  });

  test('a click on a cluster goes nearer, one on a point that stands alone tells of it', async () => {
    const { points } = stage();
    await page.goto('/');
    await page.goto(`/viewer?layer=${points}#2/20/20`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Style', exact: true }).click();
    const simple = page.getByRole('button', { name: 'Replace with a simple style' });
    if (await simple.isVisible()) await simple.click();
    const asked = page.waitForRequest(/\/clusters\/2\/\d\/\d\.mvt\?size=64$/);
    await page.getByLabel('Clusters').check();
    await page.getByLabel('Cell (px)').selectOption('64');
    const tiles = (await asked).url().replace(/\/2\/\d\/\d\.mvt/, '/{tile}.mvt');
    await page.getByRole('button', { name: 'Use for this map only' }).click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await waitForMap(page);
    const shown = await clustersOf(page, tiles, 2);
    const alone = shown.find(({ count }) => count === 1);
    const many = shown.find(({ count }) => count > 1);
    if (alone === undefined || many === undefined) throw new Error('there is no cluster, or no point alone');
    await clickAt(page, alone);
    const card = page.getByRole('region', { name: 'Feature' });
    await card.getByText(alone.name).first().waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#2\.00\//);
    await picture(page, 'cluster-alone');
    await clickAt(page, many);
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#4\.00\//);
    await card.waitFor({ state: 'detached' });
    // What was clicked is in the middle.
    const [, lat = 0, lng = 0] = new URL(page.url()).hash.slice(1).split('/').map(Number);
    expect(Math.max(Math.abs(lat - many.lat), Math.abs(lng - many.lng))).toBeLessThan(0.5);
    await waitForMap(page);
    await picture(page, 'cluster-nearer');
  });

  test('a map keeps a style of its own for a layer: whoever opens it sees it, and the layer looks as before elsewhere', async () => {
    const { portal, points } = stage();
    await page.goto('/');
    await page.goto(`/viewer?layer=${points}#1/20/20`);
    await waitForMap(page);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Style', exact: true }).click();
    const simple = page.getByRole('button', { name: 'Replace with a simple style' });
    if (await simple.isVisible()) await simple.click();
    await page.getByLabel('Hexagons').check();
    await page.getByRole('button', { name: 'Use for this map only' }).click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Own hexagons');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/viewer\/\d+/);
    const map = /\/viewer\/(\d+)/.exec(page.url())?.[1] ?? '';
    await page.goto('/');
    const cells = page.waitForRequest(/\/tiles\/\d+\/hexagons\/\d+\/\d+\/\d+\.mvt/);
    await page.goto(`/viewer/${map}`);
    await cells;
    await page.locator('.layer-item .legend').getByText('Number of features').waitFor();
    await picture(page, 'own-style');
    // The layer's own styles have no hexagons of that name, and its page shows none.
    const { json } = await portal.api('admin', 'GET', `/styles/${points}/default.json`);
    expect(JSON.stringify(json)).not.toContain('hexagon');
    // In its table only some are left: the hexagons count these.
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('button', { name: 'Attribute table' }).click();
    const filtered = page.waitForRequest(/\/hexagons\/.*filter=/);
    await page.getByLabel('Attribute', { exact: true }).selectOption('name');
    await page.getByLabel('Value', { exact: true }).fill('an');
    expect((await (await filtered).response())?.status()).toBeLessThan(300);
    await picture(page, 'own-style-filtered');
  });

  test('nothing was complained about', () => {
    expect(complaints).toEqual([]);
  });
}
