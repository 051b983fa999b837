// Thumbnails that somebody chooses: drawn of a box, or sent as a picture.

import { createCanvas } from '@napi-rs/canvas';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, scriptAs } from '../portal/on-catalogue.ts';
import { multipart } from '../uploads/upload-kit.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { isNear, type Picture, pictureOf } from './picture.ts';

const RED = [255, 0, 0] as const;

onLayers('chosen thumbnails', {}, (kit) => {
  let layer = 0;
  let map = 0;
  let secret = 0;
  let document = 0;
  const idOf = async (title: string): Promise<number> =>
    (await kit().db.query<{ id: number }>('select id from portal.resource where title = $1', [title]))[0]?.id ?? 0;
  beforeAll(async () => {
    const { portal } = kit();
    // Two squares, far from each other.
    layer = await makeLayer(kit(), {
      name: 'land',
      geometry: 'Polygon',
      rows: 'insert into $table (geom) values (public.st_makeenvelope(0, 0, 10, 10, 4326)), (public.st_makeenvelope(100, 40, 110, 50, 4326))',
    });
    secret = await makeLayer(kit(), {
      name: 'secret',
      geometry: 'Polygon',
      rows: 'insert into $table (geom) values (public.st_makeenvelope(0, 0, 10, 10, 4326))',
    });
    for (const name of ['land', 'secret']) {
      const reply = await portal
        .as('ada')
        .put(`/styles/${name}/plain.json`, [
          { id: 'a', type: 'fill', paint: { 'fill-color': name === 'land' ? '#ff0000' : '#0000ff' } },
        ]);
      expect(reply.status).toBeLessThan(202);
    }
    await scriptAs(
      portal,
      'ada',
      `insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y) values ('map', 'A map', 'a_map', 4, 'EPSG:3857', 10, 51);
       insert into portal.resource (resource_type, title, doc_url) values ('document', 'A document', 'https://example.org/a.pdf')`,
    );
    map = await idOf('A map');
    document = await idOf('A document');
    await scriptAs(
      portal,
      'ada',
      `insert into portal.map_layer (map_id, layer_id, name, stack_order, opacity) values (${map}, ${layer}, 'portal:land', 1, 1), (${map}, ${secret}, 'portal:secret', 2, 1)`,
    );
  });
  beforeEach(async () => {
    for (const id of [layer, map]) await setPerms(kit(), id, OPEN);
    await setPerms(kit(), secret, {});
  });
  const fromBox = (
    id: number,
    body: unknown,
    client: PortalClient = kit().portal.as('ada'),
    collection = 'resources',
  ): Promise<Reply> => client.post(`/api/v2/${collection}/${id}/set_thumbnail_from_bbox`, body);
  const shown = async (id: number): Promise<Picture> => pictureOf(await kit().portal.visitor.get(`/thumbs/${id}.png`));

  describe('of a box', () => {
    test('show what lies in it, in any coordinate system and either order, and the catalogue says where', async () => {
      expect(await fromBox(layer, { bbox: [99, 111, 39, 51], srid: 'EPSG:4326' })).toMatchReply({
        status: 200,
        json: { success: true, thumbnail_url: `http://localhost/thumbs/${layer}.png` },
      });
      const east = await shown(layer);
      expect([east.width, east.height]).toEqual([480, 320]);
      expect(isNear(east.at(240, 160), RED)).toBe(true);
      // As the map viewer sends it: the larger first, in metres, as texts.
      const metres = { bbox: ['5565974', '3339584', '5621521', '3503549'], srid: 'EPSG:3857' };
      expect((await fromBox(layer, metres, kit().portal.as('ada'), 'datasets')).status).toBe(200);
      expect((await shown(layer)).count(RED)).toBe(0);
      const { resource } = bodyOf<{ resource: { thumbnail_url: string; links: { name: string }[] } }>(
        await kit().portal.visitor.get(`/api/v2/resources/${layer}`),
      );
      expect(resource.thumbnail_url).toBe(`http://localhost/thumbs/${layer}.png`);
      expect(resource.links.map(({ name }) => name)).toContain('Thumbnail');
    });

    test('of a map have what everybody sees who sees the map', async () => {
      expect(
        (await fromBox(map, { bbox: [-5, 15, -5, 15], srid: 'EPSG:4326' }, kit().portal.as('ada'), 'maps')).status,
      ).toBe(200);
      const picture = await shown(map);
      expect(isNear(picture.at(240, 160), RED)).toBe(true);
      expect(picture.count([0, 0, 255])).toBe(0);
    });

    test('are taken away again by who may change the item: what is drawn by itself is shown', async () => {
      const path = `/api/v2/resources/${layer}/delete_thumbnail`;
      const { portal } = kit();
      const chosen = async (): Promise<boolean> => {
        const [row] = await kit().db.query<{ n: string }>(
          `select count(*) as n from portal.thumbnail where resource_id = ${layer} and curated`,
        );
        return row?.n === '1';
      };
      expect(await chosen()).toBe(true);
      expect((await portal.visitor.post(path, undefined)).status).toBe(401);
      expect((await portal.as('bob').post(path, undefined)).status).toBe(403);
      expect((await portal.as('bob').post(`/api/v2/resources/${secret}/delete_thumbnail`, undefined)).status).toBe(404);
      expect(await chosen()).toBe(true);
      for (const _time of ['once', 'and when there is none']) {
        expect(await portal.as('ada').post(path, undefined)).toMatchReply({
          status: 200,
          json: { success: true, thumbnail_url: `http://localhost/thumbs/${layer}.png` },
        });
        expect(await chosen()).toBe(false);
      }
    });

    test('leave no file behind that nobody shows', async () => {
      const stored = async (): Promise<number> => {
        let count = 0;
        for await (const _ of kit().blobs.list('thumbnails')) count++;
        return count;
      };
      await fromBox(layer, { bbox: [0, 10, 0, 10] });
      const before = await stored();
      await fromBox(layer, { bbox: [0, 20, 0, 20] });
      expect(await stored()).toBe(before);
    });

    test.each([
      ['no box', {}],
      ['three numbers', { bbox: [1, 2, 3] }],
      ['five numbers', { bbox: [1, 2, 3, 4, 5] }],
      ['words', { bbox: ['a', 'b', 'c', 'd'] }],
      ['nothing as a number', { bbox: ['', ' ', null, 1] }],
      ['a line', { bbox: [1, 1, 2, 3] }],
      ['beyond the poles', { bbox: [0, 10, 80, 100] }],
      ['a system that is none', { bbox: [0, 1, 0, 1], srid: 'EPSG:999999' }],
      ['a system with a strange name', { bbox: [0, 1, 0, 1], srid: 5 }],
      ['infinity', { bbox: ['Infinity', 0, 0, 1] }],
    ])('%s is refused', async (_what, body) => {
      expect((await fromBox(layer, body)).status).toBe(400);
    });

    test('are for who may change the item', async () => {
      const body = { bbox: [0, 10, 0, 10], srid: 'EPSG:4326' };
      const { portal } = kit();
      expect((await fromBox(layer, body, portal.visitor)).status).toBe(401);
      expect((await fromBox(layer, body, portal.as('bob'))).status).toBe(403);
      expect((await fromBox(secret, body, portal.as('bob'))).status).toBe(404);
      expect((await fromBox(987654, body)).status).toBe(404);
      expect((await fromBox(document, body)).status).toBe(405);
      // Of a document no box is looked at.
      expect((await fromBox(document, {})).status).toBe(405);
      expect((await portal.as('ada').post('/api/v2/resources/x/set_thumbnail_from_bbox', body)).status).toBe(404);
    });
  });

  describe('that are sent', () => {
    const green = async (): Promise<Buffer> => {
      const canvas = createCanvas(48, 32);
      const context = canvas.getContext('2d');
      context.fillStyle = '#00ff00';
      context.fillRect(0, 0, 48, 32);
      return canvas.encode('png');
    };
    const send = (body: unknown, client: PortalClient = kit().portal.as('ada'), id = map): Promise<Reply> =>
      client.put(`/api/v2/resources/${id}/set_thumbnail`, body);

    test('as a data URL or as a file are shown', async () => {
      const picture = await green();
      expect(await send({ file: `data:image/png;base64,${picture.toString('base64')}` })).toMatchReply({
        status: 200,
        json: { success: true, thumbnail_url: `http://localhost/thumbs/${map}.png` },
      });
      expect(isNear((await shown(map)).at(20, 10), [0, 255, 0])).toBe(true);
      const form = multipart([{ name: 'p.png', content: picture, field: 'file' }], {});
      const reply = await kit()
        .portal.as('ada')
        .put(`/api/v2/datasets/${layer}/set_thumbnail`, form.body, { 'content-type': form.type });
      expect(reply.status).toBe(200);
      expect(isNear((await shown(layer)).at(20, 10), [0, 255, 0])).toBe(true);
      // Its own address changes nothing.
      expect((await send({ file: `http://localhost/thumbs/${map}.png` })).status).toBe(200);
      expect(isNear((await shown(map)).at(20, 10), [0, 255, 0])).toBe(true);
    });

    test('as anything else are refused; nothing is fetched from elsewhere', async () => {
      for (const file of [
        'https://example.org/p.png',
        'http://127.0.0.1:1/p.png',
        'file:///etc/passwd',
        'data:text/html;base64,PGI+',
        `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`,
        '',
        5,
        undefined,
      ])
        expect((await send({ file })).status).toBe(400);
      const big = multipart([{ name: 'p.png', content: Buffer.alloc(3_000_000), field: 'file' }], {});
      expect(
        (await kit().portal.as('ada').put(`/api/v2/maps/${map}/set_thumbnail`, big.body, { 'content-type': big.type }))
          .status,
      ).toBe(400);
    });

    test('are for who may change the item', async () => {
      const file = `data:image/png;base64,${(await green()).toString('base64')}`;
      expect((await send({ file }, kit().portal.visitor)).status).toBe(401);
      expect((await send({ file }, kit().portal.as('bob'))).status).toBe(403);
      expect((await send({ file }, kit().portal.as('bob'), secret)).status).toBe(404);
    });
  });
});
