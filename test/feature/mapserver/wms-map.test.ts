// Maps by WMS: colours at known places, in both versions, in several coordinate systems, for those who may see them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { type LayerKit, makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { isNear, type Picture, pictureOf } from './picture.ts';

const RED = [255, 0, 0] as const;
const GREEN = [0, 128, 0] as const;
const BLUE = [0, 0, 255] as const;
const WHITE = [255, 255, 255] as const;

/** For a person to look at. */
const SHOWN = process.env['TEST_PICTURES'];

async function mapOf(kit: LayerKit, query: string, name?: string): Promise<Picture> {
  const reply = await kit.portal.visitor.get(`/wms?${query}`);
  const picture = await pictureOf(reply);
  if (SHOWN !== undefined && name !== undefined) writeFileSync(join(SHOWN, name), reply.body as Buffer);
  return picture;
}

const BASE = 'SERVICE=WMS&REQUEST=GetMap&FORMAT=image/png';

onLayers('maps', {}, (kit) => {
  let fields = 0;
  beforeAll(async () => {
    // A square of 10 degrees in the first quadrant, with a hole, and one beside it.
    fields = await makeLayer(kit(), {
      name: 'fields',
      columns: 'kind text, size integer, at date',
      geometry: 'MultiPolygon',
      hasTime: true,
      rows: `insert into $table (kind, size, at, geom) values
        ('wood', 5, '2020-06-01', public.st_multi(public.st_geomfromtext('POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 4 6, 6 6, 6 4, 4 4))', 4326))),
        ('lake', 50, '2021-06-01', public.st_multi(public.st_geomfromtext('POLYGON((10 0, 20 0, 20 10, 10 10, 10 0))', 4326)))`,
    });
    await makeLayer(kit(), {
      name: 'places',
      columns: 'name text',
      geometry: 'Point',
      srid: 25832,
      // 500 km east is the meridian of 9 degrees.
      rows: `insert into $table (name, geom) values ('Middle', public.st_setsrid(public.st_point(500000, 5600000), 25832))`,
    });
    await makeLayer(kit(), {
      name: 'world',
      geometry: 'Polygon',
      rows: `insert into $table (geom) values (public.st_makeenvelope(-180, -90, 180, 90, 4326))`,
    });
    const ada = kit().portal.as('ada');
    const put = async (path: string, layers: unknown): Promise<void> => {
      const reply = await ada.put(path, layers);
      if (reply.status > 201) throw new Error(textOf(reply.body));
    };
    await put('/styles/fields/kinds.json', [
      {
        id: 'a',
        type: 'fill',
        paint: { 'fill-color': ['match', ['get', 'kind'], 'wood', 'green', 'lake', 'blue', 'black'] },
      },
    ]);
    await put('/styles/fields/sizes.json', [
      { id: 'a', type: 'fill', paint: { 'fill-color': ['step', ['get', 'size'], '#ff0000', 10, '#0000ff'] } },
    ]);
    await put('/styles/fields/scaled.json', [{ id: 'a', type: 'fill', minzoom: 6, paint: { 'fill-color': 'red' } }]);
    await put('/styles/fields/half.json', [
      { id: 'a', type: 'fill', paint: { 'fill-color': 'red', 'fill-opacity': 0.5 } },
    ]);
    await put('/styles/fields/named.json', [
      {
        id: 'a',
        type: 'symbol',
        layout: { 'text-field': ['get', 'kind'], 'text-size': 20 },
        paint: { 'text-color': '#000' },
      },
    ]);
    await put('/styles/places/dot.json', [
      { id: 'a', type: 'circle', paint: { 'circle-color': 'red', 'circle-radius': 10 } },
      {
        id: 'b',
        type: 'symbol',
        layout: { 'text-field': ['get', 'name'], 'text-size': 14, 'text-anchor': 'top', 'text-offset': [0, 1] },
        paint: { 'text-color': '#000' },
      },
    ]);
    await put('/styles/world/plain.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': 'blue' } }]);
  });

  test('categories, a hole, and nothing outside', async () => {
    const map = await mapOf(
      kit(),
      `${BASE}&VERSION=1.1.1&LAYERS=fields&STYLES=kinds&SRS=EPSG:4326&BBOX=0,0,20,20&WIDTH=200&HEIGHT=200`,
      'kinds.png',
    );
    expect([map.width, map.height]).toEqual([200, 200]);
    expect(isNear(map.at(20, 180), GREEN)).toBe(true);
    expect(isNear(map.at(150, 150), BLUE)).toBe(true);
    expect(isNear(map.at(50, 150), WHITE)).toBe(true);
    expect(isNear(map.at(100, 50), WHITE)).toBe(true);
  });

  test('version 1.3.0 has latitude first in EPSG:4326, and longitude first in CRS:84', async () => {
    for (const place of [
      'CRS=EPSG:4326&BBOX=0,0,10,20',
      'CRS=CRS:84&BBOX=0,0,20,10',
      'CRS=urn:ogc:def:crs:EPSG::4326&BBOX=0,0,10,20',
    ]) {
      const map = await mapOf(kit(), `${BASE}&VERSION=1.3.0&LAYERS=fields&STYLES=kinds&${place}&WIDTH=200&HEIGHT=100`);
      expect(isNear(map.at(10, 90), GREEN)).toBe(true);
      expect(isNear(map.at(190, 50), BLUE)).toBe(true);
    }
    const swapped = await mapOf(
      kit(),
      `${BASE}&VERSION=1.1.1&LAYERS=fields&STYLES=kinds&SRS=EPSG:4326&BBOX=0,0,10,20&WIDTH=100&HEIGHT=200`,
    );
    expect(isNear(swapped.at(10, 190), GREEN)).toBe(true);
    expect(isNear(swapped.at(50, 50), WHITE)).toBe(true);
  });

  test('a projected system with the northing first', async () => {
    // ETRS89 / LAEA Europe: 10°E 52°N is at 4321000, 3210000; the point at 9°E 50.55°N is somewhat south-west of it.
    const box130 = 'CRS=EPSG:3035&BBOX=2900000,4000000,3300000,4400000';
    const box111 = 'SRS=EPSG:3035&BBOX=4000000,2900000,4400000,3300000';
    const [a, b] = [
      await mapOf(kit(), `${BASE}&VERSION=1.3.0&LAYERS=places&STYLES=&${box130}&WIDTH=200&HEIGHT=200`, 'laea.png'),
      await mapOf(kit(), `${BASE}&VERSION=1.1.1&LAYERS=places&STYLES=&${box111}&WIDTH=200&HEIGHT=200`),
    ];
    expect(a.count(RED)).toBeGreaterThan(200);
    expect(b.count(RED)).toBe(a.count(RED));
    const spot = a.at(125, 126);
    expect(isNear(spot, RED)).toBe(true);
  });

  test('web maps: the point of a layer in metres is where it belongs', async () => {
    // 9°E 50.5499°N in EPSG:3857
    const [x, y] = [1_001_875.417, 6_545_500];
    const map = await mapOf(
      kit(),
      `${BASE}&VERSION=1.3.0&LAYERS=places&STYLES=dot&CRS=EPSG:3857&BBOX=${x - 50000},${y - 50000},${x + 50000},${y + 50000}&WIDTH=256&HEIGHT=256`,
      'dot.png',
    );
    const near = [map.at(128, 128), map.at(128, 122), map.at(128, 134)];
    expect(near.some((color) => isNear(color, RED))).toBe(true);
    // Its label is below it.
    expect(map.count([0, 0, 0], 90)).toBeGreaterThan(20);
  });

  test('the name of an area stands where its whole geometry has it, not on the piece that a picture shows', async () => {
    const ink = async (box: string): Promise<number> =>
      (
        await mapOf(
          kit(),
          `${BASE}&VERSION=1.1.1&LAYERS=fields&STYLES=named&SRS=EPSG:4326&BBOX=${box}&WIDTH=200&HEIGHT=200&TRANSPARENT=true`,
        )
      ).count([0, 0, 0], 90);
    expect(await ink('10.5,0.5,19.5,9.5')).toBeGreaterThan(20);
    // The western edge of the lake, whose middle is far away.
    expect(await ink('10.5,4,11.5,5')).toBe(0);
  });

  test('graduated classes, and scale limits', async () => {
    const view = 'SRS=EPSG:4326&BBOX=0,0,20,10&WIDTH=200&HEIGHT=100&VERSION=1.1.1';
    const map = await mapOf(kit(), `${BASE}&${view}&LAYERS=fields&STYLES=sizes`);
    expect(isNear(map.at(10, 50), RED)).toBe(true);
    expect(isNear(map.at(150, 50), BLUE)).toBe(true);
    expect((await mapOf(kit(), `${BASE}&${view}&LAYERS=fields&STYLES=scaled`)).count(RED)).toBe(0);
    const close = 'SRS=EPSG:4326&BBOX=1,1,1.5,1.5&WIDTH=100&HEIGHT=100&VERSION=1.1.1';
    expect((await mapOf(kit(), `${BASE}&${close}&LAYERS=fields&STYLES=scaled`)).count(RED)).toBe(10_000);
  });

  test('transparent, on a colour, and as JPEG', async () => {
    const view = 'LAYERS=fields&STYLES=half&SRS=EPSG:4326&BBOX=0,0,20,20&WIDTH=100&HEIGHT=100&VERSION=1.1.1';
    const clear = await mapOf(kit(), `${BASE}&${view}&TRANSPARENT=TRUE`);
    expect(clear.at(50, 10)[3]).toBe(0);
    expect(clear.at(5, 95)[3]).toBeGreaterThan(120);
    expect(clear.at(5, 95)[3]).toBeLessThan(135);
    const tinted = await mapOf(kit(), `${BASE}&${view}&BGCOLOR=0x0000FF`);
    expect(isNear(tinted.at(50, 10), BLUE)).toBe(true);
    expect(isNear(tinted.at(5, 95), [128, 0, 127], 4)).toBe(true);
    const jpeg = await mapOf(kit(), `SERVICE=WMS&REQUEST=GetMap&FORMAT=image/jpeg&TRANSPARENT=TRUE&${view}`);
    expect(isNear(jpeg.at(50, 10), WHITE, 8)).toBe(true);
  });

  test('several layers, the last on top', async () => {
    const view = 'SRS=EPSG:4326&BBOX=0,0,20,20&WIDTH=100&HEIGHT=100&VERSION=1.1.1';
    const map = await mapOf(kit(), `${BASE}&${view}&LAYERS=world,fields&STYLES=plain,sizes`);
    expect(isNear(map.at(50, 10), BLUE)).toBe(true);
    expect(isNear(map.at(5, 95), RED)).toBe(true);
    const under = await mapOf(kit(), `${BASE}&${view}&LAYERS=fields,world&STYLES=,plain`);
    expect(under.count(BLUE)).toBe(10_000);
  });

  test('a polygon to the poles, and a view beyond the world', async () => {
    const w = 20037508.34;
    const whole = await mapOf(
      kit(),
      `${BASE}&VERSION=1.3.0&LAYERS=world&STYLES=&CRS=EPSG:3857&BBOX=${-w},${-w},${w},${w}&WIDTH=256&HEIGHT=256`,
      'world.png',
    );
    expect(whole.count(BLUE)).toBeGreaterThan(65_000);
    const far = await mapOf(
      kit(),
      `${BASE}&VERSION=1.3.0&LAYERS=world&STYLES=&CRS=EPSG:3857&BBOX=${-3 * w},${-3 * w},${3 * w},${3 * w}&WIDTH=300&HEIGHT=300`,
    );
    expect(isNear(far.at(150, 150), BLUE)).toBe(true);
    const nowhere = await mapOf(
      kit(),
      `${BASE}&VERSION=1.3.0&LAYERS=world&STYLES=&CRS=EPSG:25832&BBOX=1e9,1e9,2e9,2e9&WIDTH=100&HEIGHT=100`,
    );
    expect(nowhere.width).toBe(100);
  });

  test('CQL_FILTER chooses features: one for all layers, or one for each', async () => {
    const view = 'SERVICE=WMS&FORMAT=image/png&VERSION=1.3.0&CRS=CRS:84&BBOX=0,0,20,10&WIDTH=200&HEIGHT=100';
    const map = (layers: string, styles: string, filter: string): Promise<Picture> =>
      mapOf(kit(), `${view}&REQUEST=GetMap&LAYERS=${layers}&STYLES=${styles}&CQL_FILTER=${encodeURIComponent(filter)}`);
    const woods = await map('fields', 'kinds', "kind = 'wood'");
    expect(isNear(woods.at(20, 20), GREEN)).toBe(true);
    expect(isNear(woods.at(150, 50), WHITE)).toBe(true);
    const json = await map('fields', 'kinds', JSON.stringify({ op: '>', args: [{ property: 'size' }, 5] }));
    expect(isNear(json.at(20, 20), WHITE)).toBe(true);
    expect(isNear(json.at(150, 50), BLUE)).toBe(true);
    // A semicolon within a text parts nothing.
    const two = await map('fields,fields', 'kinds,sizes', "kind = 'a;b';size = 50");
    expect(isNear(two.at(20, 20), WHITE)).toBe(true);
    expect(isNear(two.at(150, 50), BLUE)).toBe(true);
    const info = async (filter: string): Promise<readonly { readonly properties: object }[]> => {
      const reply = await kit().portal.visitor.get(
        `/wms?${view}&REQUEST=GetFeatureInfo&LAYERS=fields&QUERY_LAYERS=fields&STYLES=&I=150&J=50&INFO_FORMAT=application/json&CQL_FILTER=${encodeURIComponent(filter)}`,
      );
      return (JSON.parse(textOf(reply.body)) as { features: readonly { properties: object }[] }).features;
    };
    expect(await info("kind = 'lake'")).toMatchObject([{ properties: { kind: 'lake' } }]);
    expect(await info("kind = 'wood'")).toEqual([]);
    for (const filter of ['nothing = 1', 'kind =', "kind = 'a';size = 1", "size = 'many'"]) {
      const reply = await kit().portal.visitor.get(
        `/wms?${view}&REQUEST=GetMap&LAYERS=fields&STYLES=&CQL_FILTER=${encodeURIComponent(filter)}`,
      );
      expect(reply, filter).toMatchReply({ status: 400 });
      expect(textOf(reply.body), filter).toContain('CQL_FILTER');
    }
  });

  test('TIME chooses features of a layer that has time', async () => {
    const view = `${BASE}&LAYERS=fields&STYLES=kinds&SRS=EPSG:4326&BBOX=0,0,20,10&WIDTH=200&HEIGHT=100&VERSION=1.1.1`;
    const map = await mapOf(kit(), `${view}&TIME=2020`);
    expect(isNear(map.at(10, 50), GREEN)).toBe(true);
    expect(isNear(map.at(150, 50), WHITE)).toBe(true);
    expect(isNear((await mapOf(kit(), `${view}&TIME=2020-01-01/2022-01-01`)).at(150, 50), BLUE)).toBe(true);
    expect((await kit().portal.visitor.get(`/wms?${view}&TIME=yesterday`)).status).toBe(400);
  });

  describe('a style in the request', () => {
    const sld = (name: string, color: string): string =>
      `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>${name}</Name><UserStyle><FeatureTypeStyle><Rule><PolygonSymbolizer><Fill><CssParameter name="fill">${color}</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const view = `${BASE}&SRS=EPSG:4326&BBOX=0,0,20,10&WIDTH=200&HEIGHT=100&VERSION=1.1.1`;

    test('is drawn instead of the stored one, by GET and by POST', async () => {
      const map = await mapOf(
        kit(),
        `${view}&LAYERS=fields&STYLES=&SLD_BODY=${encodeURIComponent(sld('fields', '#ff0000'))}`,
      );
      expect(isNear(map.at(150, 50), RED)).toBe(true);
      const posted = await pictureOf(
        await kit().portal.visitor.post(
          '/wms',
          `${view}&SLD_BODY=${encodeURIComponent(sld('portal:fields', '#ff0000'))}`,
          { 'content-type': 'application/x-www-form-urlencoded' },
        ),
      );
      expect(isNear(posted.at(150, 50), RED)).toBe(true);
    });

    test('for layers that are hidden shows nothing of them', async () => {
      const id = await makeLayer(kit(), { name: 'hidden', geometry: 'Point', rows: 'select 1' });
      await setPerms(kit(), id, {});
      const reply = await kit().portal.visitor.get(
        `/wms?${view}&SLD_BODY=${encodeURIComponent(sld('hidden', '#ff0000'))}`,
      );
      expect(reply.status).toBe(400);
      expect(textOf(reply.body)).toContain('LayerNotDefined');
    });
  });

  test('a permission that is taken away is gone in the next map', async () => {
    const view = `/wms?${BASE}&LAYERS=fields&STYLES=&SRS=EPSG:4326&BBOX=0,0,20,10&WIDTH=20&HEIGHT=10&VERSION=1.1.1`;
    const { visitor, as } = kit().portal;
    expect((await visitor.get(view)).status).toBe(200);
    await setPerms(kit(), fields, {});
    const refused = await visitor.get(view);
    expect(refused.status).toBe(400);
    expect(textOf(refused.body)).toContain('code="LayerNotDefined"');
    expect((await as('ada').get(view)).status).toBe(200);
    await setPerms(kit(), fields, OPEN);
    expect((await visitor.get(view)).status).toBe(200);
  });

  describe('large pictures', () => {
    const view = (layers: string, size: number): string =>
      `/wms?${BASE.replace('png', 'jpeg')}&LAYERS=${layers}&STYLES=&SRS=EPSG:4326&BBOX=0,0,20,20&WIDTH=${size}&HEIGHT=${size}&VERSION=1.1.1`;

    test('many layers on many pixels are refused in words, for visitors earlier than for accounts', async () => {
      const { visitor, as } = kit().portal;
      const layers = 'fields,places,world';
      const refused = await visitor.get(view(layers, 3500));
      expect(refused.status).toBe(400);
      expect(textOf(refused.body)).toContain('fewer layers, or a smaller picture');
      expect((await as('ada').get(view(layers, 3500))).status).toBe(200);
      expect((await visitor.get(view(layers, 1200))).status).toBe(200);
    });

    test('a layer that is named again is drawn once', async () => {
      const many = Array.from({ length: 50 }, () => 'fields').join(',');
      expect((await kit().portal.visitor.get(view(many, 1200))).status).toBe(200);
      const once = await pictureOf(await kit().portal.visitor.get(view('world,fields', 100)));
      const again = await pictureOf(await kit().portal.visitor.get(view('fields,world,fields', 100)));
      expect(isNear(again.at(20, 80), once.at(20, 80))).toBe(true);
    });

    test('a small map does not wait for the large ones of somebody else', async () => {
      const done: string[] = [];
      const ask = async (client: { get: LayerKit['portal']['visitor']['get'] }, size: number): Promise<void> => {
        expect((await client.get(view('fields', size))).status).toBe(200);
        done.push(size > 1000 ? 'large' : 'small');
      };
      const { visitor, as } = kit().portal;
      await ask(visitor, 100);
      const large = Array.from({ length: 4 }, () => ask(visitor, 3500));
      await Promise.all([...large, ask(as('ada'), 101)]);
      expect(done.lastIndexOf('small')).toBeLessThan(done.indexOf('large') + 2);
    });
  });

  test('row rules of a table hold in maps', async () => {
    const id = await makeLayer(kit(), {
      name: 'plots',
      columns: 'owner text',
      geometry: 'Polygon',
      rows: `insert into $table (owner, geom) values ('ada', public.st_makeenvelope(0, 0, 1, 1, 4326)), ('bob', public.st_makeenvelope(1, 0, 2, 1, 4326))`,
    });
    await kit().db.script(`create policy own on layers.plots as restrictive for select to survest_anon, survest_user
      using (owner = current_setting('request.jwt.claims', true)::json ->> 'preferred_username')`);
    await setPerms(kit(), id, OPEN);
    const view = `/wms?${BASE}&LAYERS=plots&STYLES=&SRS=EPSG:4326&BBOX=0,0,2,1&WIDTH=20&HEIGHT=10&VERSION=1.1.1&TRANSPARENT=true`;
    const seen = async (client: { get: LayerKit['portal']['visitor']['get'] }): Promise<boolean[]> => {
      const map = await pictureOf(await client.get(view));
      return [map.at(5, 5)[3] > 0, map.at(15, 5)[3] > 0];
    };
    expect(await seen(kit().portal.as('ada'))).toEqual([true, false]);
    expect(await seen(kit().portal.as('bob'))).toEqual([false, true]);
    expect(await seen(kit().portal.visitor)).toEqual([false, false]);
  });
});
