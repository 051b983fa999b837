// Vector tiles: what is in them, who gets them, and when they change.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, expect, test } from 'vitest';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

const TILE = 'application/vnd.mapbox-vector-tile';

type Decoded = { id: number | undefined; properties: Record<string, unknown>; type: number; geometry: unknown };

function decode(reply: Reply): Record<string, Decoded[]> {
  const tile = new VectorTile(new PbfReader(reply.body as Uint8Array));
  return Object.fromEntries(
    Object.entries(tile.layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => {
        const feature = layer.feature(i);
        const { id, properties, type } = feature;
        return { id, properties, type, geometry: feature.loadGeometry().map((ring) => ring.map(({ x, y }) => [x, y])) };
      }).sort((a, b) => (a.id ?? 0) - (b.id ?? 0)),
    ]),
  );
}

onLayers('vector tiles', {}, (kit) => {
  let places = 0;
  let secret = 0;

  beforeAll(async () => {
    places = await makeLayer(kit(), {
      name: 'places',
      title: 'Places of note',
      columns:
        'name text, height integer, share double precision, exact numeric, is_new boolean, since date, seen timestamptz, data jsonb, "odd ""name""" text, big bigint, geometry text',
      geometry: 'Point',
      rows: `insert into $table (name, height, share, exact, is_new, since, seen, data, "odd ""name""", big, geom) values
        ('Köln', 53, 0.25, 1.5, true, '2001-02-03', '2020-01-02T03:04:05Z', '{"a": 1}', 'x', 9007199254740993, st_setsrid(st_makepoint(6.96, 50.94), 4326)),
        ('Null Island', -1, -2.5, 3, false, null, null, null, null, 5, st_setsrid(st_makepoint(0, 0), 4326)),
        (null, null, null, null, null, null, null, null, null, null, st_setsrid(st_makepoint(-120.5, -45.25), 4326)),
        ('Nowhere', 1, 1, 1, true, null, null, null, null, 1, null)`,
    });
    await makeLayer(kit(), {
      name: 'areas',
      columns: 'name text',
      geometry: 'MultiPolygon',
      srid: 25832,
      rows: `insert into $table (name, geom) values
        ('square', st_multi(st_makeenvelope(350000, 5600000, 360000, 5610000, 25832))),
        ('with a hole', st_multi(st_difference(st_makeenvelope(370000, 5600000, 380000, 5610000, 25832), st_makeenvelope(373000, 5603000, 377000, 5607000, 25832))))`,
    });
    await makeLayer(kit(), {
      name: 'ways',
      geometry: 'LineString',
      srid: 3857,
      rows: `insert into $table (geom) values (st_geomfromtext('LINESTRING(-1000000 0, 1000000 1000000, 3000000 0)', 3857))`,
    });
    secret = await makeLayer(kit(), {
      name: 'secret',
      geometry: 'Point',
      owner: 'bob',
      rows: `insert into $table (geom) values (st_setsrid(st_makepoint(1, 1), 4326))`,
    });
    await setPerms(kit(), secret, {});
  });

  test('a tile has the features of the layer with their attributes, each in its own type', async () => {
    const reply = await kit().portal.visitor.get('/tiles/places/0/0/0.mvt');
    expect(reply).toMatchReply({ status: 200, headers: { 'content-type': TILE } });
    expect(decode(reply)).toEqual({
      places: [
        {
          id: 1,
          type: 1,
          properties: {
            name: 'Köln',
            height: 53,
            share: 0.25,
            exact: 1.5,
            is_new: true,
            since: '2001-02-03',
            seen: expect.stringMatching(/^2020-01-02 /),
            data: '{"a": 1}',
            'odd "name"': 'x',
            big: expect.anything(),
          },
          geometry: [[[2127, 1372]]],
        },
        {
          id: 2,
          type: 1,
          properties: { name: 'Null Island', height: -1, share: -2.5, exact: 3, is_new: false, big: 5 },
          geometry: [[[2048, 2048]]],
        },
        { id: 3, type: 1, properties: {}, geometry: [[[677, 2627]]] },
      ],
    });
  });

  test('areas and lines are drawn where they are, cut to the tile', async () => {
    const areas = decode(await kit().portal.visitor.get('/tiles/areas/6/33/21.mvt'));
    expect(areas['areas']?.map(({ properties }) => properties['name'])).toEqual(['square', 'with a hole']);
    const [square, holed] = areas['areas'] ?? [];
    expect(areaOf(square)).toBeGreaterThan(10_000);
    expect(areaOf(holed) / areaOf(square)).toBeCloseTo(0.84, 1);
    const ways = decode(await kit().portal.visitor.get('/tiles/ways/4/8/7.mvt'));
    const lines = (ways['ways']?.[0]?.geometry ?? []) as number[][][];
    expect(lines).toHaveLength(1);
    for (const [x = 0, y = 0] of lines.flat()) {
      expect(x).toBeGreaterThanOrEqual(-64);
      expect(x).toBeLessThanOrEqual(4160);
      expect(y).toBeGreaterThanOrEqual(-64);
      expect(y).toBeLessThanOrEqual(4160);
    }
  });

  test('each area has one place for its name, inside of it, in one tile', async () => {
    // Eight tiles around the two squares, whose edges cut both.
    const found: unknown[] = [];
    for (let x = 1062; x <= 1065; x++)
      for (let y = 688; y <= 689; y++) {
        const tile = decode(await kit().portal.visitor.get(`/tiles/areas/labels/11/${x}/${y}.mvt`));
        found.push(...(tile['areas'] ?? []).map(({ type, properties }) => [type, properties['name']]));
      }
    expect(found.sort()).toEqual([
      [1, 'square'],
      [1, 'with a hole'],
    ]);
    // The whole of both is in one tile here; a pixel is too small for a name.
    const near = decode(await kit().portal.visitor.get('/tiles/areas/labels/6/33/21.mvt'));
    expect(near['areas']).toHaveLength(2);
    expect(await kit().portal.visitor.get('/tiles/areas/labels/1/1/0.mvt')).toMatchReply({ status: 204 });
    const reply = await kit().portal.visitor.get('/tiles/secret/labels/0/0/0.mvt');
    expect(reply.status).toBe(404);
  });

  test.each([4326, 3857])(
    'a tile reaches 64 units beyond its edges, so that symbols there are not cut (EPSG:%i)',
    async (srid) => {
      // Of a tile at zoom 1; on the equator, degrees and metres are units alike.
      const unit = srid === 3857 ? 20_037_508.342_789_244 / 4096 : 180 / 4096;
      const at = (x: number, y: number): string => `${x * unit} ${-y * unit}`;
      const name = `edges_${srid}`;
      await makeLayer(kit(), {
        name,
        columns: 'name text',
        geometry: 'Geometry',
        srid,
        rows: `insert into $table (name, geom) select name, st_geomfromtext(wkt, ${srid}) from (values
        ('east', 'POINT(${at(63, -100)})'), ('south', 'POINT(${at(-100, 63)})'),
        ('too far east', 'POINT(${at(66, -100)})'), ('too far south', 'POINT(${at(-100, 66)})'),
        ('line', 'LINESTRING(${at(-100, -50)}, ${at(500, -50)})')) as v(name, wkt)`,
      });
      const shown = decode(await kit().portal.visitor.get(`/tiles/${name}/1/0/0.mvt`));
      expect(
        shown[name]?.map(({ properties, geometry }) => [properties['name'], (geometry as number[][][])[0]]),
      ).toEqual([
        ['east', [[4159, 3996]]],
        ['south', [[3996, 4159]]],
        [
          'line',
          [
            [3996, 4046],
            [4160, 4046],
          ],
        ],
      ]);
    },
  );

  test('where features crowd, cells have all of them; near by, they are there themselves', async () => {
    // 12,000 in four heaps of 3,000 within a hundredth of a degree: a pixel at zoom 0, hundreds of them at zoom 14.
    const heap = `(n % 4) * 20 + 0.01 + (n / 4 % 50) / 5000.0, (n % 4) * 10 + 0.01 + (n / 200) / 6000.0`;
    await makeLayer(kit(), {
      name: 'crowd',
      columns: 'n integer',
      geometry: 'Point',
      rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(${heap}), 4326) from generate_series(0, 11999) n`,
    });
    await makeLayer(kit(), {
      name: 'dust',
      geometry: 'Polygon',
      rows: `insert into $table (geom) select st_setsrid(st_expand(st_makepoint(${heap}), 1e-5), 4326) from generate_series(0, 11999) n;
        insert into $table (geom) select st_makeenvelope(-10, -10, -5, -5, 4326)`,
    });
    const far = decode(await kit().portal.visitor.get('/tiles/crowd/0/0/0.mvt'))['crowd'] ?? [];
    expect(far.length).toBeGreaterThanOrEqual(4);
    expect(far.length).toBeLessThan(20);
    // On the embedded engine, before it is prepared, of a sample.
    const counted = far.reduce((sum, { properties }) => sum + Number(properties['_count']), 0);
    expect(Math.abs(counted / 12_000 - 1)).toBeLessThan(0.1);
    const dust = decode(await kit().portal.visitor.get('/tiles/dust/0/0/0.mvt'))['dust'] ?? [];
    expect(dust.length).toBeGreaterThanOrEqual(5);
    expect(dust.length).toBeLessThan(25);
    // What is larger than a cell is drawn as it is.
    expect(dust.find(({ id }) => id === 12_001)).toBeDefined();
    // The whole of the first heap lies in one tile of zoom 14: 8192, 8190.
    const near = decode(await kit().portal.visitor.get('/tiles/crowd/14/8192/8191.mvt'))['crowd'] ?? [];
    expect(near).toHaveLength(3000);
  });

  test('several layers are one tile', async () => {
    const reply = await kit().portal.visitor.get('/tiles/places,ways/0/0/0.mvt');
    expect(Object.keys(decode(reply)).sort()).toEqual(['places', 'ways']);
    expect(
      Object.keys(decode(await kit().portal.visitor.get('/tiles/places,portal:areas/5/16/10.mvt'))).sort(),
    ).toEqual(['areas', 'places']);
  });

  test('a layer is found by id, by name and by its name with the workspace', async () => {
    const bodies = await Promise.all(
      [`${places}`, 'places', 'portal:places', 'portal%3Aplaces'].map(async (name) => {
        const reply = await kit().portal.visitor.get(`/tiles/${name}/0/0/0.mvt`);
        return [reply.status, Buffer.from(reply.body as Uint8Array).toString('base64')];
      }),
    );
    expect(new Set(bodies.map(String)).size).toBe(1);
  });

  test('where nothing is, there is no content', async () => {
    expect(await kit().portal.visitor.get('/tiles/areas/5/0/0.mvt')).toMatchReply({ status: 204 });
  });

  test('TileJSON says where the tiles are and what is in them', async () => {
    const reply = await kit().portal.visitor.get('/tiles/places.json', { host: 'maps.example.org:8000' });
    expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(JSON.parse(textOf(reply.body))).toMatchObject({
      tilejson: '3.0.0',
      name: 'Places of note',
      tiles: ['http://maps.example.org:8000/tiles/places/{z}/{x}/{y}.mvt'],
      bounds: [expect.closeTo(-120.5), expect.closeTo(-45.25), expect.closeTo(6.96), expect.closeTo(50.94)],
      vector_layers: [
        { id: 'places', geometry_type: 'point', fields: { name: 'String', height: 'Number', is_new: 'Boolean' } },
      ],
    });
  });

  test('a tile that is known is not sent again, until the data change', async () => {
    const { visitor } = kit().portal;
    const first = await visitor.get('/tiles/ways/0/0/0.mvt');
    const tag = String((first.headers as Record<string, string>)['etag']);
    expect(await visitor.get('/tiles/ways/0/0/0.mvt', { 'if-none-match': tag })).toMatchReply({ status: 304 });
    expect(await visitor.get('/tiles/ways/0/0/0.mvt', { 'if-none-match': `"x", W/${tag}` })).toMatchReply({
      status: 304,
    });
    await kit().db.script(
      `insert into layers.ways (geom) values (st_geomfromtext('LINESTRING(0 0, 1000000 -1000000)', 3857))`,
    );
    const second = await visitor.get('/tiles/ways/0/0/0.mvt', { 'if-none-match': tag });
    expect(second.status).toBe(200);
    expect(decode(second)['ways']).toHaveLength(2);
    await kit().db.script('delete from layers.ways where fid = 2');
    expect(decode(await visitor.get('/tiles/ways/0/0/0.mvt'))['ways']).toHaveLength(1);
    await kit().db.script('truncate layers.ways');
    expect(await visitor.get('/tiles/ways/0/0/0.mvt')).toMatchReply({ status: 204 });
    await kit().db.script(
      `begin; insert into layers.ways (geom) values (st_geomfromtext('LINESTRING(0 0, 1000000 -1000000)', 3857)); rollback`,
    );
    expect(await visitor.get('/tiles/ways/0/0/0.mvt')).toMatchReply({ status: 204 });
    await kit().db.script(
      `insert into layers.ways (geom) values (st_geomfromtext('LINESTRING(-1000000 0, 1000000 1000000, 3000000 0)', 3857))`,
    );
  });

  test('a column that is renamed, added or dropped shows in the next tile', async () => {
    const { visitor } = kit().portal;
    const names = async (): Promise<string[]> =>
      Object.keys(decode(await visitor.get('/tiles/areas/6/33/21.mvt'))['areas']?.[0]?.properties ?? {});
    expect(await names()).toEqual(['name']);
    await kit().db.script(`alter table layers.areas rename column name to label`);
    expect(await names()).toEqual(['label']);
    await kit().db.script(`alter table layers.areas add column extra integer default 5`);
    expect(await names()).toEqual(['label', 'extra']);
    await kit().db.script(
      `alter table layers.areas drop column extra; alter table layers.areas rename column label to name`,
    );
    expect(await names()).toEqual(['name']);
  });

  test('a tile can be compressed', async () => {
    const reply = await kit().portal.visitor.get('/tiles/places/0/0/0.mvt', { 'accept-encoding': 'gzip' });
    expect(reply).toMatchReply({ status: 200, headers: { 'content-encoding': 'gzip', 'content-type': TILE } });
    const plain = await kit().portal.visitor.get('/tiles/places/0/0/0.mvt', { 'accept-encoding': 'gzip;q=0, br' });
    expect((plain.headers as Record<string, string>)['content-encoding']).toBeUndefined();
  });

  test('what is not shared is not there, for tiles as for their description', async () => {
    for (const target of ['/tiles/secret/0/0/0.mvt', '/tiles/secret.json', '/tiles/places,secret/0/0/0.mvt']) {
      expect(await kit().portal.visitor.get(target)).toMatchReply({ status: 404 });
      expect(await kit().portal.as('ada').get(target)).toMatchReply({ status: 404 });
      expect(await kit().portal.as('bob').get(target)).toMatchReply({ status: 200 });
    }
    expect(await kit().portal.basic('bob', 'wrong').get('/tiles/places/0/0/0.mvt')).toMatchReply({ status: 401 });
  });

  test('a permission that is taken away is gone with the next tile, also one in the cache or the browser', async () => {
    const { visitor } = kit().portal;
    const first = await visitor.get('/tiles/places/0/0/0.mvt');
    const tag = String((first.headers as Record<string, string>)['etag']);
    await setPerms(kit(), places, { users: { mia: ['view_resourcebase'] } });
    expect(await visitor.get('/tiles/places/0/0/0.mvt')).toMatchReply({ status: 404 });
    expect(await visitor.get('/tiles/places/0/0/0.mvt', { 'if-none-match': tag })).toMatchReply({ status: 404 });
    expect(await kit().portal.as('mia').get('/tiles/places/0/0/0.mvt')).toMatchReply({ status: 200 });
    await setPerms(kit(), places, OPEN);
    expect(await visitor.get('/tiles/places/0/0/0.mvt', { 'if-none-match': tag })).toMatchReply({ status: 304 });
  });

  test('a table with rules of its own shows each caller its own rows', async () => {
    const id = await makeLayer(kit(), {
      name: 'notes',
      columns: 'author integer',
      geometry: 'Point',
      rows: `insert into $table (author, geom) values (${kit().portal.ids.ada}, st_setsrid(st_makepoint(1, 1), 4326)), (${kit().portal.ids.bob}, st_setsrid(st_makepoint(2, 2), 4326))`,
    });
    await kit().db.script(`create policy mine on layers.notes as restrictive for select to survest_anon, survest_user
      using (author = (select portal.me()))`);
    const authors = async (name: 'ada' | 'bob'): Promise<unknown[] | undefined> =>
      decode(await kit().portal.as(name).get(`/tiles/${id}/0/0/0.mvt`))['notes']?.map(
        ({ properties }) => properties['author'],
      );
    for (let round = 0; round < 2; round += 1) {
      expect(await authors('ada')).toEqual([kit().portal.ids.ada]);
      expect(await authors('bob')).toEqual([kit().portal.ids.bob]);
      expect(await kit().portal.visitor.get(`/tiles/${id}/0/0/0.mvt`)).toMatchReply({ status: 204 });
    }
    const mine = await kit().portal.as('ada').get(`/tiles/${id}/0/0/0.mvt`);
    const tag = String((mine.headers as Record<string, string>)['etag']);
    expect(await kit().portal.as('ada').get(`/tiles/${id}/0/0/0.mvt`, { 'if-none-match': tag })).toMatchReply({
      status: 304,
    });
    expect(await kit().portal.as('bob').get(`/tiles/${id}/0/0/0.mvt`, { 'if-none-match': tag })).toMatchReply({
      status: 200,
    });
  });

  test.each([
    ['/tiles/places/30/0/0.mvt', 400],
    ['/tiles/places/1/2/0.mvt', 400],
    ['/tiles/places/-1/0/0.mvt', 400],
    ['/tiles/places/NaN/0/0.mvt', 400],
    ['/tiles/places/0/0/0.png', 404],
    ['/tiles/places/0/0/0', 404],
    ['/tiles/nothing/0/0/0.mvt', 404],
    ['/tiles/999999/0/0/0.mvt', 404],
    ['/tiles/99999999999999999999/0/0/0.mvt', 404],
    [`/tiles/${Array.from({ length: 100 }, (_, i) => i).join(',')}/0/0/0.mvt`, 400],
    ['/tiles/%00/0/0/0.mvt', 404],
    [`/tiles/places'%3B drop table layers.places/0/0/0.mvt`.replaceAll(' ', '%20'), 404],
    ['/tiles/places', 404],
  ])('%s is refused (%i)', async (target, status) => {
    expect(await kit().portal.visitor.get(target)).toMatchReply({ status });
  });
});

function areaOf(feature: Decoded | undefined): number {
  let twice = 0;
  for (const ring of (feature?.geometry ?? []) as number[][][]) {
    let [px = 0, py = 0] = ring.at(-1) ?? [];
    for (const [x = 0, y = 0] of ring) {
      twice += px * y - x * py;
      [px, py] = [x, y];
    }
  }
  return twice / 2;
}
