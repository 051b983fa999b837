// Thumbnails: drawn when something changes, on land and water, and shown to whoever sees the item.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeProject, WEB_MERCATOR, WGS84 } from '../../../src/geo/projection.ts';
import { openJobs } from '../../../src/jobs/open-jobs.ts';
import { type Observation, unobserved } from '../../../src/kernel/observation.ts';
import { drawDue, type ThumbnailJobParts } from '../../../src/mapserver/thumbnails/thumbnail-job.ts';
import { viewOfExtent } from '../../../src/mapserver/thumbnails/thumbnail-view.ts';
import { basemapsType, NO_BASEMAPS } from '../../../src/server/config/basemap-option.ts';
import { openBasemaps } from '../../../src/server/portal/open-basemaps.ts';
import { openThumbnails, thumbnailParts } from '../../../src/server/portal/open-thumbnails.ts';
import { archive } from '../../testkit/pmtiles.ts';
import { bodyOf, scriptAs } from '../portal/on-catalogue.ts';
import { multipart } from '../uploads/upload-kit.ts';
import { type LayerKit, makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { isNear, pictureOf } from './picture.ts';

const SHOWN = process.env['TEST_PICTURES'];

onLayers('thumbnails', {}, (kit) => {
  let parts: ThumbnailJobParts | undefined;
  let layer = 0;
  let map = 0;
  const errors: unknown[] = [];
  /** As the job does. */
  const draw = async (): Promise<number> => {
    parts ??= thumbnailParts(kit().portal.callerDb, kit().blobs, unobserved, (error) => errors.push(error));
    let drawn = 0;
    for (let some = await drawDue(parts, 10); some > 0; some = await drawDue(parts, 10)) drawn += some;
    expect(errors).toEqual([]);
    return drawn;
  };
  const style = async (color: string): Promise<void> => {
    const reply = await kit()
      .portal.as('ada')
      .put('/styles/land/plain.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': color } }]);
    expect(reply.status).toBeLessThan(202);
  };
  const stored = async ({ blobs }: LayerKit): Promise<number> => {
    let count = 0;
    for await (const _ of blobs.list('thumbnails')) count++;
    return count;
  };

  beforeAll(async () => {
    layer = await makeLayer(kit(), {
      name: 'land',
      geometry: 'Polygon',
      rows: `insert into $table (geom) values (public.st_makeenvelope(5, 47, 15, 55, 4326))`,
    });
    await scriptAs(
      kit().portal,
      'ada',
      `insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y) values ('map', 'A map', 'a_map', 4, 'EPSG:3857', 10, 51)`,
    );
    map = (await kit().db.query<{ id: number }>(`select id from portal.resource where title = 'A map'`))[0]?.id ?? 0;
    await scriptAs(
      kit().portal,
      'ada',
      `insert into portal.map_layer (map_id, layer_id, name, stack_order, opacity) values (${map}, ${layer}, 'portal:land', 1, 1)`,
    );
  });
  // Each test finds the layer and the map blue, for everybody, and drawn.
  beforeEach(async () => {
    for (const item of [layer, map]) await setPerms(kit(), item, OPEN);
    await kit().db.script(`delete from portal.app_data where resource_id = ${map};
      update portal.map_layer set layer_params = default where map_id = ${map}`);
    await style('#0000ff');
    await draw();
  });

  test('a layer and a map get theirs, and the catalogue says where', async () => {
    await style('#ff0000');
    expect(await draw()).toBe(2);
    expect(await draw()).toBe(0);
    for (const id of [layer, map]) {
      const reply = await kit().portal.visitor.get(`/thumbs/${id}.png`);
      const picture = await pictureOf(reply);
      if (SHOWN !== undefined)
        writeFileSync(join(SHOWN, `thumb-${id === map ? 'map' : 'layer'}.png`), reply.body as Buffer);
      expect([picture.width, picture.height]).toEqual([480, 320]);
      expect(isNear(picture.at(240, 160), [255, 0, 0])).toBe(true);
      expect(isNear(picture.at(5, 160), [255, 0, 0])).toBe(false);
      // Land around it.
      expect(picture.count([0xf3, 0xef, 0xe6], 4)).toBeGreaterThan(1000);
    }
    const { layers } = bodyOf<{ layers: { thumbnail_url: string }[] }>(
      await kit().portal.visitor.get('/api/v2/layers/?filter{name}=land'),
    );
    expect(new URL(layers[0]?.thumbnail_url ?? '').pathname).toBe(`/thumbs/${layer}.png`);
  });

  test('a known picture is not sent again', async () => {
    const first = await kit().portal.visitor.get(`/thumbs/${layer}.png`);
    const { etag } = first.headers as Record<string, string>;
    expect((await kit().portal.visitor.get(`/thumbs/${layer}.png`, { 'if-none-match': etag ?? '' })).status).toBe(304);
  });

  test('a change of the style or the data draws them anew, and leaves no old ones behind', async () => {
    const before = await stored(kit());
    await style('#ff0000');
    expect(await draw()).toBe(2);
    for (const id of [layer, map]) {
      const picture = await pictureOf(await kit().portal.visitor.get(`/thumbs/${id}.png`));
      expect(isNear(picture.at(240, 160), [255, 0, 0])).toBe(true);
    }
    await kit().db.script('delete from layers.land');
    expect(await draw()).toBe(2);
    const picture = await pictureOf(await kit().portal.visitor.get(`/thumbs/${layer}.png`));
    expect(picture.count([255, 0, 0])).toBe(0);
    await kit().db.script('insert into layers.land (geom) values (public.st_makeenvelope(5, 47, 15, 55, 4326))');
    await draw();
    expect(await stored(kit())).toBe(before);
  });

  test('a map with a style of its own for a layer is drawn in it, and the layer is not', async () => {
    const own = JSON.stringify({
      'survest:style': [{ id: 'a', type: 'fill', paint: { 'fill-color': '#00ff00' } }],
    });
    const params = (text: string): Promise<unknown> =>
      scriptAs(kit().portal, 'ada', `update portal.map_layer set layer_params = '${text}' where map_id = ${map}`);
    await params(own);
    await draw();
    const middle = async (id: number): Promise<readonly number[]> =>
      (await pictureOf(await kit().portal.visitor.get(`/thumbs/${id}.png`))).at(240, 160).slice(0, 3);
    expect(await middle(map)).toEqual([0, 255, 0]);
    expect(await middle(layer)).toEqual([0, 0, 255]);
    // So is what it is drawn on: light unless somebody chose otherwise. The corner is sea or land, in the dark both are dark.
    const corner = async (): Promise<number> =>
      Math.max(...(await pictureOf(await kit().portal.visitor.get(`/thumbs/${map}.png`))).at(2, 2).slice(0, 3));
    expect(await corner()).toBeGreaterThan(180);
    await scriptAs(
      kit().portal,
      'ada',
      `insert into portal.app_data (resource_id, data) values (${map}, '{"map": {"survest:basemap": "dark"}}')`,
    );
    await params(own);
    await draw();
    expect(await corner()).toBeLessThan(60);
    // What is no style is none.
    await params('{"survest:style": [{"type": "hologram"}]}');
    await draw();
    expect(await middle(map)).toEqual([0, 0, 255]);
  });

  test('a map is drawn on the basemap that was chosen for it, a layer on that of the settings if this program holds it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'survest-thumbnails-'));
    const path = join(folder, 'own.pmtiles');
    const tile = createCanvas(256, 256);
    tile.getContext('2d').fillStyle = '#00ffff';
    tile.getContext('2d').fillRect(0, 0, 256, 256);
    writeFileSync(path, archive(2, new Map([[0, tile.toBuffer('image/png')]]), {}, 0));
    const list = basemapsType.parse({
      kind: 'text',
      text: JSON.stringify([{ id: 'own', type: 'pmtiles', path, attribution: 'Somebody', default: true }]),
    });
    if (!list.ok) throw new Error(list.error);
    const { portal, blobs } = kit();
    const basemaps = await openBasemaps({
      db: portal.callerDb,
      config: { basemaps: list.value, remoteHosts: [], remoteInternalHosts: [] },
      blobs,
      observe: (one) => errors.push(one),
    });
    const onOwn = thumbnailParts(
      portal.callerDb,
      blobs,
      unobserved,
      (error) => errors.push(error),
      undefined,
      basemaps.draw,
    );
    const corner = async (id: number): Promise<readonly number[]> =>
      (await pictureOf(await portal.visitor.get(`/thumbs/${id}.png`))).at(2, 2).slice(0, 3);
    const choose = async (basemap: string): Promise<void> => {
      await scriptAs(
        portal,
        'ada',
        `insert into portal.app_data (resource_id, data) values (${map}, '{"map": {"survest:basemap": "${basemap}"}}')
           on conflict (resource_id) do update set data = excluded.data`,
      );
      await style('#0000ff');
      while ((await drawDue(onOwn, 10)) > 0);
      expect(errors).toEqual([]);
    };
    await choose('own');
    expect([await corner(map), await corner(layer)]).toEqual([
      [0, 255, 255],
      [0, 255, 255],
    ]);
    // Whose map it is stands in the corner that lists show.
    const named = await pictureOf(await portal.visitor.get(`/thumbs/${map}.png`));
    expect(isNear(named.at(475, 285), [0, 255, 255])).toBe(false);
    await choose('world');
    expect(await corner(map)).not.toEqual([0, 255, 255]);
    // One that the settings do not name any more.
    await choose('gone');
    expect(await corner(map)).not.toEqual([0, 255, 255]);
    rmSync(folder, { recursive: true });
  });

  test('are for those who see the item, and show nothing that one of them does not see', async () => {
    const { visitor, as } = kit().portal;
    await setPerms(kit(), layer, {});
    // At once, not only when it is drawn anew.
    expect((await visitor.get(`/thumbs/${layer}.png`)).status).toBe(404);
    expect((await visitor.get(`/thumbs/${map}.png`)).status).toBe(404);
    expect((await as('ada').get(`/thumbs/${layer}.png`)).status).toBe(200);
    await draw();
    const open = await pictureOf(await visitor.get(`/thumbs/${map}.png`));
    expect(open.count([0, 0, 255])).toBe(0);
    expect((await pictureOf(await as('ada').get(`/thumbs/${layer}.png`))).count([0, 0, 255])).toBeGreaterThan(1000);
    // A map for fewer people than its layer is for shows it.
    await setPerms(kit(), map, {});
    await draw();
    expect((await visitor.get(`/thumbs/${map}.png`)).status).toBe(404);
    await setPerms(kit(), layer, OPEN);
    await draw();
    expect((await pictureOf(await as('ada').get(`/thumbs/${map}.png`))).count([0, 0, 255])).toBeGreaterThan(1000);
  });

  test('a table with row rules of its own is drawn as visitors see it', async () => {
    await kit().db.script(`create policy none on layers.land as restrictive for select to survest_anon using (false)`);
    await style('#00ff00');
    await draw();
    const picture = await pictureOf(await kit().portal.as('ada').get(`/thumbs/${layer}.png`));
    expect(picture.count([0, 255, 0])).toBe(0);
    await kit().db.script('drop policy none on layers.land');
  });

  test('the job draws what has changed, by itself', async () => {
    const { driver } = kit().portal.callerDb;
    const jobs = await openJobs({ driver, onError: (error) => errors.push(error) });
    const observe = (observation: Observation): void => {
      if (observation.kind === 'job-failed') errors.push(observation.message);
    };
    const config = { basemaps: NO_BASEMAPS, remoteHosts: [], remoteInternalHosts: [] };
    const { callerDb: db } = kit().portal;
    const basemaps = await openBasemaps({ db, config, blobs: kit().blobs, observe });
    const opened = await openThumbnails({
      db,
      driver,
      blobs: kit().blobs,
      jobs,
      observe,
      config,
      basemaps,
    });
    try {
      await style('#ffff00');
      await vi.waitFor(
        async () => {
          const reply = await kit().portal.as('ada').get(`/thumbs/${layer}.png`);
          expect((await pictureOf(reply)).count([255, 255, 0])).toBeGreaterThan(1000);
        },
        { timeout: 100_000, interval: 250 },
      );
      expect(errors).toEqual([]);
    } finally {
      await opened.stop();
      await jobs.stop();
    }
  });

  test('points are seen where they are, also in a list that cuts the picture to 16:9', async () => {
    const pair = await makeLayer(kit(), {
      name: 'pair',
      geometry: 'Point',
      rows: `insert into $table (geom) values (public.st_setsrid(public.st_point(8, 47), 4326)), (public.st_setsrid(public.st_point(9, 48), 4326))`,
    });
    const distant = await makeLayer(kit(), {
      name: 'distant',
      geometry: 'Point',
      rows: `insert into $table (geom) values (public.st_setsrid(public.st_point(8, 47), 4326))`,
    });
    for (const name of ['pair', 'distant']) {
      // Meant for nearer by than the picture is: shown all the same.
      const layers = [
        {
          id: 'a',
          type: 'circle',
          ...(name === 'distant' ? { minzoom: 15 } : {}),
          paint: { 'circle-color': '#ff00ff', 'circle-radius': 4 },
        },
      ];
      expect((await kit().portal.as('ada').put(`/styles/${name}/plain.json?default=true`, layers)).status).toBe(201);
    }
    await draw();
    const reply = await kit().portal.visitor.get(`/thumbs/${pair}.png`);
    if (SHOWN !== undefined) writeFileSync(join(SHOWN, 'thumb-points.png'), reply.body as Buffer);
    const picture = await pictureOf(reply);
    const [xmin, ymin, xmax, ymax] = viewOfExtent([8, 47, 9, 48]).box;
    for (const degrees of [
      [8, 47],
      [9, 48],
    ] as const) {
      const [x, y] = makeProject(WGS84, WEB_MERCATOR)(degrees[0], degrees[1]) ?? [0, 0];
      const [i, j] = [((x - xmin) / (xmax - xmin)) * 480, ((ymax - y) / (ymax - ymin)) * 320].map(Math.floor);
      expect(isNear(picture.at(i ?? 0, j ?? 0), [255, 0, 255])).toBe(true);
      // Whole, within the part that is left.
      expect(j).toBeGreaterThan(25 + 10);
      expect(j).toBeLessThan(295 - 10);
    }
    // Large enough to be seen at half the size.
    expect(picture.count([255, 0, 255])).toBeGreaterThan(2 * 100);
    const alone = await pictureOf(await kit().portal.visitor.get(`/thumbs/${distant}.png`));
    expect(isNear(alone.at(240, 160), [255, 0, 255])).toBe(true);
  });

  test('a document that is a picture shows it, to those who get the file', async () => {
    const { visitor, as } = kit().portal;
    const canvas = createCanvas(900, 600);
    const context = canvas.getContext('2d');
    context.fillStyle = '#ff0000';
    context.fillRect(0, 0, 450, 600);
    context.fillStyle = '#0000ff';
    context.fillRect(450, 0, 450, 600);
    const send = async (name: string, content: Uint8Array): Promise<number> => {
      const form = multipart([{ name, content, field: 'doc_file' }], { title: name });
      const reply = await as('ada').request('POST', '/api/v2/documents/', {
        headers: { 'content-type': form.type },
        body: form.body,
      });
      expect(reply.status).toBe(201);
      return Number(bodyOf<{ document: { pk: string } }>(reply).document.pk);
    };
    const picture = await send('photo.png', await canvas.encode('png'));
    const notes = await send('notes.txt', Buffer.from('plain'));
    // Says that it is larger than all memory.
    const bomb = Buffer.from(await canvas.encode('png'));
    bomb.writeUInt32BE(2_000_000_000, 16);
    const huge = await send('huge.png', bomb);
    await draw();
    const shown = await pictureOf(await visitor.get(`/thumbs/${picture}.png`));
    expect([shown.width, shown.height]).toEqual([480, 320]);
    expect(isNear(shown.at(60, 160), [255, 0, 0], 20)).toBe(true);
    expect(isNear(shown.at(420, 160), [0, 0, 255], 20)).toBe(true);
    for (const id of [notes, huge]) expect((await as('ada').get(`/thumbs/${id}.png`)).status).toBe(404);

    const urlFor = async (caller: typeof visitor): Promise<unknown> =>
      bodyOf<{ document: { thumbnail_url: unknown } }>(await caller.get(`/api/v2/documents/${picture}/`)).document
        .thumbnail_url;
    await setPerms(kit(), picture, { groups: { anonymous: ['view_resourcebase'] } });
    expect((await visitor.get(`/thumbs/${picture}.png`)).status).toBe(404);
    expect(await urlFor(visitor)).toBeNull();
    expect((await as('ada').get(`/thumbs/${picture}.png`)).status).toBe(200);
    expect(await urlFor(as('ada'))).toContain(`/thumbs/${picture}.png`);
  });

  test.each([
    '/thumbs/0.png',
    '/thumbs/999999999.png',
    '/thumbs/x.png',
    '/thumbs/1',
    '/thumbs/..%2F..%2Fetc.png',
    '/thumbs/1.svg',
  ])('%s is not there', async (path) => {
    expect((await kit().portal.as('admin').get(path)).status).toBe(404);
  });
});
