// OGC API Maps, Styles and map tiles: pictures and styles of layers under the addresses of the OGC API.

import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { beforeAll, expect, test } from 'vitest';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { isNear, pictureOf } from './picture.ts';

type Links = { links: { rel: string; href: string; type: string }[] };

onLayers('maps of the OGC API', {}, (kit) => {
  let fields = 0;
  const get = (path: string): Promise<Reply> => kit().portal.visitor.get(path);
  const collection = '/ogc/collections/fields';

  beforeAll(async () => {
    fields = await makeLayer(kit(), {
      name: 'fields',
      columns: 'kind text',
      geometry: 'Polygon',
      rows: `insert into $table (kind, geom) values ('wood', public.st_makeenvelope(0, 0, 10, 10, 4326)), ('lake', public.st_makeenvelope(10, 0, 20, 10, 4326))`,
    });
    for (const [name, color] of [
      ['reds', '#ff0000'],
      ['blues', '#0000ff'],
    ] as const) {
      const style = [
        {
          id: 'a',
          type: 'fill',
          paint: { 'fill-color': ['match', ['get', 'kind'], 'wood', color, '#00ff00'], 'fill-antialias': false },
        },
      ];
      const reply = await kit().portal.as('ada').put(`/styles/fields/${name}.json`, style);
      if (reply.status !== 201) throw new Error(textOf(reply.body));
    }
  });

  test('a map has the box, size, system and background that are asked for', async () => {
    const map = await pictureOf(await get(`${collection}/styles/reds/map?bbox=0,0,20,10&width=200&height=100&f=png`));
    expect([map.width, map.height]).toEqual([200, 100]);
    expect(isNear(map.at(50, 50), [255, 0, 0], 3)).toBe(true);
    expect(isNear(map.at(150, 50), [0, 255, 0], 3)).toBe(true);
    const wide = await get(`${collection}/styles/blues/map?bbox=-10,0,30,20&width=400`);
    expect(wide.headers).toMatchObject({
      'content-type': 'image/png',
      'content-crs': '<http://www.opengis.net/def/crs/EPSG/0/4326>',
    });
    const picture = await pictureOf(wide);
    expect([picture.width, picture.height, picture.at(5, 5)[3]]).toEqual([400, 200, 0]);
    expect(isNear(picture.at(150, 150), [0, 0, 255], 3)).toBe(true);
    const filled = await pictureOf(await get(`${collection}/map?bbox=-10,0,30,20&width=400&bgcolor=0x112233`));
    expect(isNear(filled.at(5, 5), [0x11, 0x22, 0x33], 3)).toBe(true);
    const mercator = await get(`${collection}/map?crs=http://www.opengis.net/def/crs/EPSG/0/3857&f=jpeg`);
    expect(mercator).toMatchReply({ status: 200, headers: { 'content-type': 'image/jpeg' } });
    // In the order of the system where its full name is given.
    const north = await pictureOf(
      await get(
        `${collection}/styles/reds/map?bbox=0,0,10,20&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326&width=200`,
      ),
    );
    expect([north.width, north.height]).toEqual([200, 100]);
  });

  test('a filter chooses what a map and its tiles show, and what it cannot ask is refused', async () => {
    const woods = `filter=${encodeURIComponent("kind = 'wood'")}`;
    const map = await pictureOf(
      await get(`${collection}/styles/reds/map?bbox=0,0,20,10&width=200&height=100&${woods}`),
    );
    expect(isNear(map.at(50, 50), [255, 0, 0], 3)).toBe(true);
    expect(map.at(150, 50)[3]).toBe(0);
    const json = encodeURIComponent(JSON.stringify({ op: '=', args: [{ property: 'kind' }, 'lake'] }));
    const lakes = await pictureOf(
      await get(`${collection}/map?bbox=0,0,20,10&width=200&filter-lang=cql2-json&filter=${json}`),
    );
    expect([lakes.at(50, 50)[3], lakes.at(150, 50)[3]]).toEqual([0, 255]);
    // Zoom 4: the wood lies in the left half of this tile, the lake in the right one.
    const tile = `${collection}/map/tiles/WebMercatorQuad/4/7/8`;
    const all = await get(tile);
    const some = await get(`${tile}?${woods}`);
    expect(headerOf(some, 'etag')).not.toBe(headerOf(all, 'etag'));
    const [whole, part] = [await pictureOf(all), await pictureOf(some)];
    expect([whole.at(60, 200)[3], whole.at(190, 200)[3]]).toEqual([255, 255]);
    expect([part.at(60, 200)[3], part.at(190, 200)[3]]).toEqual([255, 0]);
    const plain = await pictureOf(await get(`/rastertiles/fields/4/8/7.png?${woods}`));
    expect([plain.at(60, 200)[3], plain.at(190, 200)[3]]).toEqual([255, 0]);
    for (const bad of ['nothing = 1', 'kind =', 'kind > 3', "kind = 'a'&filter=kind"])
      for (const address of [`${collection}/map`, tile, '/rastertiles/fields/4/8/7.png']) {
        const reply = await get(
          `${address}?filter=${encodeURIComponent(bad).replace('%26', '&').replace('filter%3D', 'filter=')}`,
        );
        expect(reply, `${address} ${bad}`).toMatchReply({ status: 400 });
      }
  });

  test('styles are listed, and there in both forms', async () => {
    const list = bodyOf<{ default: string; styles: (Links & { id: string })[] }>(await get(`${collection}/styles`));
    expect(list.styles.map(({ id }) => id).sort()).toEqual(['blues', 'reds']);
    for (const { links } of list.styles)
      for (const { href, type } of links) {
        const address = new URL(href);
        const reply = await get(address.pathname + address.search);
        expect(reply.status).toBe(200);
        expect(String(headerOf(reply, 'content-type')).split(';')[0]).toBe(type.split(';')[0]);
      }
    const style = bodyOf(await get(`${collection}/styles/reds?f=mapbox`));
    expect(validateStyleMin(style as never)).toEqual([]);
    expect(textOf((await get(`${collection}/styles/reds?f=sld10`)).body)).toContain('<StyledLayerDescriptor');
    expect(await get(`${collection}/styles/none`)).toMatchReply({ status: 404 });
  });

  test('the landing page leads to the styles of all layers, a page of layers at a time', async () => {
    const root = bodyOf<Links>(await get('/ogc/'));
    const address = new URL(root.links.find(({ rel }) => rel.endsWith('/ogc/1.0/styles'))?.href ?? '');
    const list = bodyOf<Links & { styles: (Links & { id: string })[] }>(await get(address.pathname));
    expect(list.styles.map(({ id }) => id)).toEqual(expect.arrayContaining(['blues', 'reds']));
    const sheet = new URL(list.styles.find(({ id }) => id === 'reds')?.links[0]?.href ?? '');
    expect(sheet.pathname).toBe(`${collection}/styles/reds`);
    const far = bodyOf<Links & { styles: unknown[] }>(await get(`${address.pathname}?limit=1&offset=1`));
    expect(far.styles).toEqual([]);
    expect(far.links.map(({ rel }) => rel)).toEqual(['self', 'prev']);
    expect(await get(`${address.pathname}?limit=0`)).toMatchReply({ status: 400 });
  });

  test('map tiles are described, and there', async () => {
    const { tilesets } = bodyOf<{ tilesets: (Links & { dataType: string })[] }>(await get(`${collection}/map/tiles`));
    expect(tilesets[0]?.dataType).toBe('map');
    const template = tilesets[0]?.links.find(({ rel, type }) => rel === 'item' && type === 'image/png')?.href ?? '';
    const address = new URL(template.replace('{tileMatrix}', '3').replace('{tileRow}', '3').replace('{tileCol}', '4'));
    const reply = await get(address.pathname + address.search);
    const tile = await pictureOf(reply);
    expect([tile.width, tile.height]).toEqual([256, 256]);
    const again = await kit().portal.visitor.get(address.pathname + address.search, {
      'if-none-match': String(headerOf(reply, 'etag')),
    });
    expect(again.status).toBe(304);
    expect(bodyOf<Links>(await get(`${collection}/map/tiles/WebMercatorQuad`)).links.length).toBeGreaterThan(2);
  });

  test('the collection leads to them, and only for who sees the layer', async () => {
    const { links } = bodyOf<Links>(await get(collection));
    const addresses = links
      .filter(({ rel }) => /\/(?:map|tilesets-map|styles)$/.test(rel))
      .map(({ href }) => new URL(href).pathname);
    expect(addresses).toHaveLength(3);
    for (const path of addresses) expect((await get(path)).status).toBe(200);
    await setPerms(kit(), fields, {});
    expect(textOf((await get('/ogc/styles')).body)).not.toContain('reds');
    for (const path of [
      ...addresses,
      `${collection}/map/tiles/WebMercatorQuad/3/3/4`,
      `${collection}/styles/reds`,
      `${collection}/styles/reds/map`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    await setPerms(kit(), fields, OPEN);
  });

  test.each([
    'width=0',
    'width=9999',
    'f=gif',
    'bbox=1,2,3',
    'bbox=3,0,1,1',
    'crs=mars',
    'crs=EPSG:999999',
    'transparent=maybe',
    'bgcolor=none%20such',
    'other=1',
  ])('%s is refused', async (query) => {
    expect(await get(`${collection}/map?${query}`)).toMatchReply({ status: 400 });
  });
});
