// Pictures in tiles: web maps, OWSLib and GDAL read them, and a permission that is taken away is gone in the next tile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { decodePicture, isNear, pictureOf } from './picture.ts';

const PYTHON = '/usr/bin/python3';
const OWSLIB = `
import json, sys
from owslib.wmts import WebMapTileService
wmts = WebMapTileService(sys.argv[1])
layer = wms = wmts['portal:quarter']
tile = wmts.gettile(layer='portal:quarter', style='plain', tilematrixset='GoogleMapsCompatible', tilematrix='1', row=0, column=1, format='image/png')
open('owslib-tile.png', 'wb').write(tile.read())
print(json.dumps({'names': sorted(wmts.contents), 'title': layer.title, 'box': layer.boundingBoxWGS84, 'styles': sorted(layer.styles), 'sets': sorted(wmts.tilematrixsets)}))
`;

onLayers('raster tiles', {}, (kit) => {
  let layer = 0;
  beforeAll(async () => {
    // The north-east quarter of the world.
    layer = await makeLayer(kit(), {
      name: 'quarter',
      title: 'A quarter',
      geometry: 'Polygon',
      rows: `insert into $table (geom) values (public.st_makeenvelope(0, 0, 180, 85.06, 4326))`,
    });
    const reply = await kit()
      .portal.as('ada')
      .put('/styles/quarter/plain.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': '#ff0000' } }]);
    if (reply.status !== 201) throw new Error(textOf(reply.body));
  });

  test('a tile shows its part of the world', async () => {
    const whole = await pictureOf(await kit().portal.visitor.get('/rastertiles/quarter/0/0/0.png'));
    expect([whole.width, whole.height]).toEqual([256, 256]);
    expect(isNear(whole.at(192, 64), [255, 0, 0, 255])).toBe(true);
    expect([whole.at(64, 64)[3], whole.at(64, 192)[3], whole.at(192, 192)[3]]).toEqual([0, 0, 0]);
    expect((await pictureOf(await kit().portal.visitor.get('/rastertiles/quarter/1/1/0.png'))).count([255, 0, 0])).toBe(
      65_536,
    );
    expect(
      (await pictureOf(await kit().portal.visitor.get('/rastertiles/quarter/1/0/0.webp'))).count([255, 0, 0]),
    ).toBe(0);
    expect(await kit().portal.visitor.get('/rastertiles/quarter/1/0/0.jpg')).toMatchReply({
      status: 200,
      headers: { 'content-type': 'image/jpeg' },
    });
  });

  test('a known tile is not sent again, until the style or the data change', async () => {
    const path = '/rastertiles/quarter/3/6/2.png';
    const { visitor, as } = kit().portal;
    const tagOf = async (): Promise<string> =>
      ((await visitor.get(path)).headers as Record<string, string>)['etag'] ?? '';
    const tag = await tagOf();
    expect(tag).not.toBe('');
    expect((await visitor.get(path, { 'if-none-match': tag })).status).toBe(304);
    await as('ada').put('/styles/quarter/plain.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': '#0000ff' } }]);
    expect((await visitor.get(path, { 'if-none-match': tag })).status).toBe(200);
    expect((await pictureOf(await visitor.get(path))).count([0, 0, 255])).toBe(65_536);
    await kit().db.script('update layers.quarter set geom = public.st_translate(geom, -180, 0)');
    expect((await pictureOf(await visitor.get(path))).count([0, 0, 255])).toBe(0);
    await kit().db.script('update layers.quarter set geom = public.st_translate(geom, 180, 0)');
    await as('ada').put('/styles/quarter/plain.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': '#ff0000' } }]);
  });

  test('a permission that is taken away is gone in the next tile, kept or not', async () => {
    const { visitor, as } = kit().portal;
    const path = '/rastertiles/quarter/0/0/0.png';
    const tag = ((await visitor.get(path)).headers as Record<string, string>)['etag'] ?? '';
    await setPerms(kit(), layer, {});
    expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.get(path, { 'if-none-match': tag })).status).toBe(404);
    expect(
      (
        await visitor.get(
          '/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=quarter&STYLE=&TILEMATRIXSET=GoogleMapsCompatible&TILEMATRIX=0&TILEROW=0&TILECOL=0&FORMAT=image/png',
        )
      ).status,
    ).toBe(404);
    expect(textOf((await visitor.get('/wmts?SERVICE=WMTS&REQUEST=GetCapabilities')).body)).not.toContain('quarter');
    expect((await as('ada').get(path)).status).toBe(200);
    await setPerms(kit(), layer, OPEN);
  });

  describe('WMTS', () => {
    test('OWSLib reads it', async () => {
      const said = JSON.parse(await kit().run(PYTHON, ['-c', OWSLIB, `${await kit().address()}/wmts`]));
      expect(said).toMatchObject({
        names: ['portal:quarter'],
        title: 'A quarter',
        styles: ['plain'],
        sets: ['GoogleMapsCompatible'],
      });
      const tile = await decodePicture(readFileSync(join(kit().folder, 'owslib-tile.png')));
      expect(tile.count([255, 0, 0])).toBe(65_536);
    });

    test('GDAL reads it', async () => {
      const source = `WMTS:${await kit().address()}/wmts/1.0.0/WMTSCapabilities.xml,layer=portal:quarter`;
      expect(await kit().run('gdalinfo', [source])).toContain('Pseudo-Mercator');
      await kit().run('gdal_translate', [
        '-q',
        '-of',
        'PNG',
        '-outsize',
        '256',
        '0',
        '-projwin',
        '-10000000',
        '10000000',
        '10000000',
        '-10000000',
        source,
        'gdal-tile.png',
      ]);
      const picture = await decodePicture(readFileSync(join(kit().folder, 'gdal-tile.png')));
      expect(isNear(picture.at(192, 64), [255, 0, 0, 255], 8)).toBe(true);
      expect(picture.at(64, 192)[3]).toBe(0);
    });
  });

  test.each([
    ['/rastertiles/quarter/30/0/0.png', 400],
    ['/rastertiles/quarter/23/0/0.png', 400],
    ['/rastertiles/quarter/1/2/0.png', 400],
    ['/rastertiles/quarter/-1/0/0.png', 400],
    ['/rastertiles/quarter/NaN/0/0.png', 400],
    ['/rastertiles/quarter/0/0/0.exe', 400],
    ['/rastertiles/quarter/0/0/0.png?style=nope', 400],
    ['/rastertiles/nothing/0/0/0.png', 404],
    ['/wmts?SERVICE=WMTS&REQUEST=GetTile', 400],
    ['/wmts?SERVICE=WMS&REQUEST=GetCapabilities', 400],
    ['/wmts?REQUEST=Nonsense', 400],
    ['/wmts/1.0.0/quarter/plain/EPSG:4326/0/0/0.png', 400],
    ['/wmts/1.0.0/quarter/plain/GoogleMapsCompatible/25/0/0.png', 400],
  ])('%s is refused', async (path, status) => {
    expect((await kit().portal.visitor.get(path)).status).toBe(status);
  });
});
