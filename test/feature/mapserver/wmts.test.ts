// Pictures in tiles: web maps, OWSLib and GDAL read them, and a permission that is taken away is gone in the next tile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { testNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { decodePicture, isNear, pictureOf } from './picture.ts';

const OWSLIB = `
import json, sys, urllib.request
from owslib.wmts import WebMapTileService
wmts = WebMapTileService(sys.argv[1])
layer = wms = wmts['portal:quarter']
tile = wmts.gettile(layer='portal:quarter', style='plain', tilematrixset='GoogleMapsCompatible', tilematrix='1', row=0, column=1, format='image/png')
open('owslib-tile.png', 'wb').write(tile.read())
# OWSLib reads what is announced, and leaves asking to its callers.
place = next(r for r in layer.resourceURLs if r['resourceType'] == 'FeatureInfo' and r['format'] == 'application/json')['template']
for name, value in {'Style': 'plain', 'TileMatrixSet': 'GoogleMapsCompatible', 'TileMatrix': '1', 'TileRow': '0', 'TileCol': '1', 'J': '128', 'I': '128'}.items():
    place = place.replace('{' + name + '}', value)
info = json.load(urllib.request.urlopen(place))
print(json.dumps({'operations': sorted(o.name for o in wmts.operations), 'formats': layer.infoformats, 'info': info, 'names': sorted(wmts.contents), 'title': layer.title, 'box': layer.boundingBoxWGS84, 'styles': sorted(layer.styles), 'sets': sorted(wmts.tilematrixsets)}))
`;

onLayers('raster tiles', {}, (kit) => {
  let layer = 0;
  beforeAll(async () => {
    // The north-east quarter of the world.
    layer = await makeLayer(kit(), {
      name: 'quarter',
      title: 'A quarter',
      columns: 'kind text',
      geometry: 'Polygon',
      rows: `insert into $table (kind, geom) values ('<script>north-east</script>', public.st_makeenvelope(0, 0, 180, 85.06, 4326))`,
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
    testNeeding(missing('owslib'), 'OWSLib reads it', async () => {
      const said = JSON.parse(await kit().run(PYTHON, ['-c', OWSLIB, `${await kit().address()}/wmts`]));
      expect(said).toMatchObject({
        names: ['portal:quarter'],
        title: 'A quarter',
        styles: ['plain'],
        sets: ['GoogleMapsCompatible'],
        operations: ['GetCapabilities', 'GetFeatureInfo', 'GetTile'],
        formats: ['application/json', 'application/vnd.ogc.gml', 'text/xml', 'text/html', 'text/plain'],
        info: { features: [{ properties: { kind: '<script>north-east</script>' }, geometry: { type: 'Polygon' } }] },
      });
      const tile = await decodePicture(readFileSync(join(kit().folder, 'owslib-tile.png')));
      expect(tile.count([255, 0, 0])).toBe(65_536);
    });

    const place =
      'SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetFeatureInfo&LAYER=quarter&STYLE=&FORMAT=image/png&TILEMATRIXSET=GoogleMapsCompatible&TILEMATRIX=0&TILEROW=0&TILECOL=0';

    test('tells what lies at a place in a tile, by parameters and by paths, as JSON, text and a page in which nothing runs', async () => {
      const { visitor } = kit().portal;
      const found = { id: 'quarter.1', properties: { fid: 1, kind: '<script>north-east</script>' } };
      for (const path of [
        `/wmts?${place}&I=192&J=64&INFOFORMAT=application/json`,
        '/wmts/1.0.0/portal%3Aquarter/plain/GoogleMapsCompatible/0/0/0/64/192.json',
      ])
        expect(bodyOf<{ features: unknown[] }>(await visitor.get(path)).features).toMatchObject([found]);
      for (const [i, j] of [
        [64, 64],
        [64, 192],
        [192, 192],
      ])
        expect(await visitor.get(`/wmts?${place}&I=${i}&J=${j}&INFOFORMAT=application/json`)).toMatchReply({
          status: 200,
          json: {
            type: 'FeatureCollection',
            features: [],
            numberReturned: 0,
            crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } },
          },
        });
      expect(textOf((await visitor.get(`/wmts?${place}&I=192&J=64`)).body)).toContain('kind = <script>');
      for (const path of [
        `/wmts?${place}&I=192&J=64&INFOFORMAT=text/html`,
        '/wmts/1.0.0/quarter/plain/GoogleMapsCompatible/0/0/0/64/192.html',
      ]) {
        const page = await visitor.get(path);
        expect(page).toMatchReply({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
        expect(textOf(page.body)).not.toContain('<script>');
        expect(page.headers).toMatchObject({
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        });
      }
    });

    test('tells nothing of a layer that the caller does not see', async () => {
      const paths = [
        `/wmts?${place}&I=192&J=64&INFOFORMAT=application/json`,
        '/wmts/1.0.0/quarter/plain/GoogleMapsCompatible/0/0/0/64/192.json',
      ];
      await setPerms(kit(), layer, {});
      for (const path of paths) {
        expect((await kit().portal.visitor.get(path)).status).toBe(404);
        expect((await kit().portal.as('ada').get(path)).status).toBe(200);
      }
      await setPerms(kit(), layer, OPEN);
    });

    test.each([
      ['a place outside of the tile', `${place}&I=256&J=0`, 'PointIJOutOfRange'],
      ['a place above the tile', `${place}&I=0&J=-1`, 'PointIJOutOfRange'],
      ['no place', place, 'PointIJOutOfRange'],
      ['a tile outside of the world', `${place.replace('TILEROW=0', 'TILEROW=1')}&I=0&J=0`, 'TileOutOfRange'],
      ['a format we do not write', `${place}&I=0&J=0&INFOFORMAT=image/png`, 'InvalidParameterValue'],
      ['a name of every object', `${place}&I=0&J=0&INFOFORMAT=constructor`, 'InvalidParameterValue'],
      ['another grid', `${place.replace('GoogleMapsCompatible', 'EPSG:4326')}&I=0&J=0`, 'TileMatrixSet'],
      ['a style that is not there', `${place.replace('STYLE=', 'STYLE=nope')}&I=0&J=0`, 'Style'],
    ])('%s is refused as an exception', async (_, query, said) => {
      const reply = await kit().portal.visitor.get(`/wmts?${query}`);
      expect(reply.status).toBe(400);
      expect(textOf(reply.body)).toContain('<ExceptionReport');
      expect(textOf(reply.body)).toContain(said);
    });

    test('the bare address answers with the capabilities', async () => {
      const reply = await kit().portal.visitor.get('/wmts');
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' } });
      expect(textOf(reply.body)).toContain('<ows:Identifier>portal:quarter</ows:Identifier>');
    });

    testNeeding(missing('gdal'), 'GDAL reads it', async () => {
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
