// The links of items, followed: each is answered with what it says it is, by who may have it, and by nobody else.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseXml } from '../../../src/geo/style/xml-tree.ts';
import { unobserved } from '../../../src/kernel/observation.ts';
import { drawDue } from '../../../src/mapserver/thumbnails/thumbnail-job.ts';
import { thumbnailParts } from '../../../src/server/portal/open-thumbnails.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, scriptAs } from '../portal/on-catalogue.ts';
import { multipart } from '../uploads/upload-kit.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { pictureOf } from './picture.ts';
import { grid, makeRaster } from './raster-kit.ts';

type Link = {
  readonly extension: string;
  readonly link_type: string;
  readonly name: string;
  readonly mime: string;
  readonly url: string;
};
type Who = 'ada' | 'bob' | 'visitor';
const EVERYBODY: readonly Who[] = ['ada', 'bob', 'visitor'];
const KINDS = ['vector', 'raster', 'map', 'document'] as const;
const PRIVATE = {};
const TO_LOOK_AT = { groups: { anonymous: ['view_resourcebase'] } };

const METADATA = ['ISO', 'Dublin Core', 'FGDC', 'Atom', 'DCAT'];
const PICTURES = ['Legend', 'PNG', 'JPEG', 'Thumbnail'];
const NAMES: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  vector: [...PICTURES, ...METADATA],
  raster: [...PICTURES, ...METADATA],
  map: ['Thumbnail', ...METADATA],
  document: ['Thumbnail', 'File', ...METADATA],
};

onLayers('links of items', {}, (kit) => {
  const ids: Record<string, number> = {};
  const client = (who: Who) => (who === 'visitor' ? kit().portal.visitor : kit().portal.as(who));
  const linksOf = async (kind: string, who: Who): Promise<readonly Link[]> => {
    const reply = await client(who).get(`/api/v2/resources/${ids[kind]}/`);
    return reply.status === 404 ? [] : bodyOf<{ resource: { links: Link[] } }>(reply).resource.links;
  };
  const follow = (link: Link, who: Who): Promise<Reply> => {
    const { pathname, search } = new URL(link.url);
    return client(who).get(pathname + search);
  };

  beforeAll(async () => {
    const { portal, folder, gdal, blobs } = kit();
    ids['vector'] = await makeLayer(kit(), {
      name: 'odd & "näme"',
      geometry: 'Point',
      rows: 'insert into $table (geom) values (public.st_setsrid(public.st_makepoint(10, 50), 4326))',
    });
    writeFileSync(
      join(folder, 'h.asc'),
      grid(64, 64, 10, 40, 0.1, (c) => c),
    );
    await gdal('gdal_translate', ['-q', '-of', 'COG', '-a_srs', 'EPSG:4326', '-ot', 'Int16', 'h.asc', 'h.tif']);
    const box = [10, 40, 16.4, 46.4] as const;
    ids['raster'] = await makeRaster(kit(), 'h.tif', { name: 'heights', srid: 4326, box, wgs84: box });
    await scriptAs(
      portal,
      'ada',
      `insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y) values ('map', 'A map', 'a_map', 4, 'EPSG:3857', 10, 51)`,
    );
    const [map] = await kit().db.query<{ id: number }>(`select id from portal.resource where title = 'A map'`);
    ids['map'] = map?.id ?? 0;
    const picture = await createCanvas(40, 30).encode('png');
    const form = multipart([{ name: 'p.png', content: picture, field: 'doc_file' }], { title: 'A picture' });
    const sent = await portal.as('ada').post('/api/v2/documents/', form.body, { 'content-type': form.type });
    ids['document'] = Number(bodyOf<{ document: { pk: string } }>(sent).document.pk);
    const parts = thumbnailParts(portal.callerDb, blobs, unobserved, (error) => {
      throw error;
    });
    while ((await drawDue(parts, 10)) > 0);
  });

  describe.each(KINDS)('of a %s', (kind) => {
    test('are its pictures and its metadata, besides its services and files', async () => {
      await setPerms(kit(), ids[kind] ?? 0, OPEN);
      for (const who of EVERYBODY) {
        const names = (await linksOf(kind, who)).map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining([...NAMES[kind]]));
        expect(new Set(names).size).toBe(names.length);
      }
    });

    test('are answered with what they say they are, for everybody who may have it', async () => {
      await setPerms(kit(), ids[kind] ?? 0, OPEN);
      for (const who of EVERYBODY) {
        for (const link of await linksOf(kind, who)) {
          const reply = await follow(link, who);
          expect({ link, status: reply.status }).toEqual({ link, status: 200 });
          expect({ link, type: mediaType(reply) }).toEqual({ link, type: link.mime });
          await checkContent(reply);
        }
      }
      // Every format for everybody, by the GDAL that comes along where the machine has none.
    }, 600_000);

    test('to files are told to who may download them', async () => {
      await setPerms(kit(), ids[kind] ?? 0, TO_LOOK_AT);
      const files = (links: readonly Link[]) =>
        links.filter(({ link_type: type }) => type === 'data' || type === 'uploaded').length;
      expect(files(await linksOf(kind, 'visitor'))).toBe(0);
      expect(files(await linksOf(kind, 'ada')) > 0).toBe(kind !== 'map');
      for (const link of await linksOf(kind, 'bob')) expect((await follow(link, 'bob')).status).toBe(200);
    });

    test('are not answered to who does not see the item', async () => {
      await setPerms(kit(), ids[kind] ?? 0, PRIVATE);
      const all = await linksOf(kind, 'ada');
      // The capabilities of a service are of all layers; this one is not among them.
      const own = all.filter(({ url }) => !url.includes('request=GetCapabilities'));
      for (const who of ['bob', 'visitor'] as const) {
        expect(await linksOf(kind, who)).toEqual([]);
        for (const link of own) {
          const reply = await follow(link, who);
          const isRefused = reply.status >= 400 || /ServiceException/.test(textOf(reply.body));
          expect({ link, isRefused }).toEqual({ link, isRefused: true });
        }
      }
      for (const link of all) expect((await follow(link, 'ada')).status).toBe(200);
    });
  });

  test('a list of items and a path of its own have the same links', async () => {
    await setPerms(kit(), ids['vector'] ?? 0, OPEN);
    const one = await linksOf('vector', 'visitor');
    const list = bodyOf<{ layers: { links: Link[] }[] }>(
      await kit().portal.visitor.get(`/api/v2/layers/?filter{pk}=${ids['vector']}`),
    );
    expect(list.layers[0]?.links).toEqual(one);
    const path = bodyOf<{ links: Link[] }>(await kit().portal.visitor.get(`/api/v2/layers/${ids['vector']}/links/`));
    expect(path.links).toEqual(one);
    const found = await kit().portal.visitor.get('/api/v2/resources/?filter{links.name}=Legend');
    expect(bodyOf(found)).toMatchObject({ total: 1 });
  });

  test('a layer without data has metadata alone', async () => {
    await scriptAs(
      kit().portal,
      'ada',
      `insert into portal.resource (resource_type, title) values ('layer', 'Nothing yet')`,
    );
    const [made] = await kit().db.query<{ id: number }>(`select id from portal.resource where title = 'Nothing yet'`);
    ids['empty'] = made?.id ?? 0;
    expect((await linksOf('empty', 'visitor')).map(({ name }) => name)).toEqual(METADATA);
  });
});

function mediaType({ headers }: Reply): string {
  const type = headers instanceof Headers ? headers.get('content-type') : headers['content-type'];
  return String(type).split(';')[0] ?? '';
}

async function checkContent(reply: Reply): Promise<void> {
  const type = mediaType(reply);
  if (type.startsWith('image/png') || type === 'image/jpeg') {
    expect((await pictureOf(reply)).width).toBeGreaterThan(0);
  } else if (type.endsWith('xml')) {
    expect(parseXml(textOf(reply.body))).toMatchObject({ ok: true });
  } else if (type.endsWith('json')) {
    expect(JSON.parse(textOf(reply.body))).toBeTypeOf('object');
  } else {
    expect(reply.body.length).toBeGreaterThan(0);
  }
}
