// Thumbnails: drawn when something changes, on land and water, and shown to whoever sees the item.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { openJobs } from '../../../src/jobs/open-jobs.ts';
import { type Observation, unobserved } from '../../../src/kernel/observation.ts';
import { drawDue, type ThumbnailJobParts } from '../../../src/mapserver/thumbnails/thumbnail-job.ts';
import { openThumbnails, thumbnailParts } from '../../../src/server/open-thumbnails.ts';
import { bodyOf, scriptAs } from '../portal/on-catalogue.ts';
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
    await style('#ff0000');
  });

  test('a layer and a map get theirs, and the catalogue says where', async () => {
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
    await style('#0000ff');
    expect(await draw()).toBe(2);
    for (const id of [layer, map]) {
      const picture = await pictureOf(await kit().portal.visitor.get(`/thumbs/${id}.png`));
      expect(isNear(picture.at(240, 160), [0, 0, 255])).toBe(true);
    }
    await kit().db.script('delete from layers.land');
    expect(await draw()).toBe(2);
    const picture = await pictureOf(await kit().portal.visitor.get(`/thumbs/${layer}.png`));
    expect(picture.count([0, 0, 255])).toBe(0);
    await kit().db.script('insert into layers.land (geom) values (public.st_makeenvelope(5, 47, 15, 55, 4326))');
    await draw();
    expect(await stored(kit())).toBe(2);
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
    const opened = await openThumbnails({ db: kit().portal.callerDb, driver, blobs: kit().blobs, jobs, observe });
    try {
      await style('#ffff00');
      await vi.waitFor(
        async () => {
          const reply = await kit().portal.as('ada').get(`/thumbs/${layer}.png`);
          expect((await pictureOf(reply)).count([255, 255, 0])).toBeGreaterThan(1000);
        },
        { timeout: 30_000, interval: 250 },
      );
      expect(errors).toEqual([]);
    } finally {
      await opened.stop();
      await jobs.stop();
    }
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
