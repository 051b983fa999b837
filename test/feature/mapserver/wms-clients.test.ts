// The Web Map Service as others read it: OWSLib (Python) and GDAL; and what it answers besides maps.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';
import { decodePicture, isNear, pictureOf } from './picture.ts';

/** Debian's: other Pythons of a machine do not have the library. */

const OWSLIB = `
import json, sys
from owslib.wms import WebMapService
wms = WebMapService(sys.argv[1], version=sys.argv[2])
layer = wms['portal:fields']
image = wms.getmap(layers=['portal:fields'], styles=['kinds'], srs=sys.argv[3], bbox=tuple(float(n) for n in sys.argv[4].split(',')), size=(200, 100), format='image/png', transparent=False)
open('owslib.png', 'wb').write(image.read())
info = wms.getfeatureinfo(layers=['portal:fields'], query_layers=['portal:fields'], srs=sys.argv[3], bbox=tuple(float(n) for n in sys.argv[4].split(',')), size=(200, 100), info_format='application/json', xy=(150, 50)).read()
print(json.dumps({'names': sorted(wms.contents), 'title': layer.title, 'box': layer.boundingBoxWGS84, 'styles': sorted(layer.styles), 'crs': sorted(layer.crsOptions), 'queryable': layer.queryable, 'operations': [o.name for o in wms.operations], 'info': json.loads(info)}))
`;

onLayers('clients of maps', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'fields',
      title: 'Fields & <woods>',
      columns: 'kind text, "odd ""name" integer',
      geometry: 'Polygon',
      rows: `insert into $table (kind, "odd ""name", geom) values
        ('wood', 5, public.st_makeenvelope(0, 0, 10, 10, 4326)), ('<script>alert(1)</script>', 50, public.st_makeenvelope(10, 0, 20, 10, 4326))`,
    });
    const secret = await makeLayer(kit(), { name: 'secret', geometry: 'Point', rows: 'select 1' });
    await setPerms(kit(), secret, {});
    await makeLayer(kit(), {
      name: 'stops',
      columns: 'name text',
      geometry: 'Point',
      srid: 25832,
      rows: `insert into $table (name, geom) values ('Ost', public.st_setsrid(public.st_point(500000, 5600000), 25832))`,
    });
    await makeLayer(kit(), {
      name: 'far_south',
      geometry: 'Polygon',
      rows: `insert into $table (geom) values (public.st_makeenvelope(-180, -90, 180, -60, 4326))`,
    });
    const style = [
      { id: 'a', type: 'fill', paint: { 'fill-color': ['match', ['get', 'kind'], 'wood', '#008000', '#0000ff'] } },
    ];
    const reply = await kit().portal.as('ada').put('/styles/fields/kinds.json', style);
    if (reply.status !== 201) throw new Error(textOf(reply.body));
  });

  test('who may not download a layer gets one feature of a place, however many are asked for', async () => {
    const crowd = await makeLayer(kit(), {
      name: 'crowd',
      geometry: 'Polygon',
      rows: `insert into $table (geom) select public.st_makeenvelope(0, 0, 10, 10, 4326) from generate_series(1, 5)`,
    });
    await setPerms(kit(), crowd, {
      users: { bob: ['view_resourcebase'], mia: ['view_resourcebase', 'download_resourcebase'] },
    });
    const wms =
      '/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetFeatureInfo&SRS=EPSG:4326&BBOX=0,0,10,10&WIDTH=100&HEIGHT=100&LAYERS=crowd&STYLES=&QUERY_LAYERS=crowd&X=50&Y=50&FEATURE_COUNT=100&INFO_FORMAT=application/json';
    const wmts =
      '/wmts?SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetFeatureInfo&LAYER=crowd&STYLE=&FORMAT=image/png&TILEMATRIXSET=GoogleMapsCompatible&TILEMATRIX=0&TILEROW=0&TILECOL=0&I=131&J=124&FEATURE_COUNT=100&INFO_FORMAT=application/json';
    for (const place of [wms, wmts]) {
      const found = async (who: 'bob' | 'mia'): Promise<number> =>
        bodyOf<{ features: unknown[] }>(await kit().portal.as(who).get(place)).features.length;
      expect([await found('bob'), await found('mia')]).toEqual([1, 5]);
    }
  });

  describeNeeding(missing('owslib'), 'OWSLib', () => {
    test.each([
      ['1.1.1', 'EPSG:4326', '0,0,20,10'],
      // OWSLib turns the box itself for systems that have latitude first.
      ['1.3.0', 'EPSG:4326', '0,0,20,10'],
      ['1.3.0', 'EPSG:3857', '0,0,2226389.8,1118889.97'],
    ])('reads version %s in %s', async (version, crs, box) => {
      const said = JSON.parse(
        await kit().run(PYTHON, ['-c', OWSLIB, `${await kit().address()}/wms`, version, crs, box]),
      );
      expect(said.names).toEqual(['portal:far_south', 'portal:fields', 'portal:stops']);
      expect(said.title).toBe('Fields & <woods>');
      expect(isNear(said.box, [0, 0, 20, 10], 1e-6)).toBe(true);
      expect(said.styles).toEqual(['kinds']);
      expect(said.crs).toEqual(expect.arrayContaining(['EPSG:3857', 'EPSG:4326']));
      expect(said.operations).toEqual(expect.arrayContaining(['GetCapabilities', 'GetMap', 'GetFeatureInfo']));
      expect(said.info.features).toMatchObject([{ properties: { 'odd "name': 50 }, geometry: { type: 'Polygon' } }]);
      const picture = await decodePicture(readFileSync(join(kit().folder, 'owslib.png')));
      expect(isNear(picture.at(50, 50), [0, 128, 0])).toBe(true);
      expect(isNear(picture.at(150, 50), [0, 0, 255])).toBe(true);
    });
  });

  describeNeeding(missing('gdal'), 'GDAL', () => {
    test.each(['1.1.1', '1.3.0'])('finds the layers and reads pixels of version %s', async (version) => {
      const address = `${await kit().address()}/wms`;
      const listed = await kit().run('gdalinfo', [
        `WMS:${address}?SERVICE=WMS&VERSION=${version}&REQUEST=GetCapabilities`,
      ]);
      expect(listed).toContain('LAYERS=portal%3Afields');
      expect(listed).toContain('Fields');
      const source =
        version === '1.1.1'
          ? `WMS:${address}?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=portal:fields&STYLES=kinds&SRS=EPSG:4326&BBOX=0,0,20,10&FORMAT=image/png`
          : `WMS:${address}?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=portal:fields&STYLES=kinds&CRS=EPSG:3857&BBOX=0,0,2226389.8,1118889.97&FORMAT=image/png`;
      await kit().run('gdal_translate', ['-q', '-of', 'PNG', '-outsize', '200', '100', source, 'gdal.png']);
      const picture = await decodePicture(readFileSync(join(kit().folder, 'gdal.png')));
      expect(isNear(picture.at(50, 50), [0, 128, 0], 12)).toBe(true);
      expect(isNear(picture.at(150, 50), [0, 0, 255], 12)).toBe(true);
    });
  });

  test('the capabilities of one layer are at its own address', async () => {
    const reply = await kit().portal.visitor.get('/wms/stops?SERVICE=WMS&REQUEST=GetCapabilities');
    expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' } });
    const text = textOf(reply.body);
    expect(text).toContain('<Name>portal:stops</Name>');
    expect(text).toContain('<CRS>EPSG:25832</CRS>');
    expect(text).not.toContain('portal:fields');
    expect((await kit().portal.visitor.get('/wms/secret?SERVICE=WMS&REQUEST=GetCapabilities')).status).toBe(400);
    expect(textOf((await kit().portal.as('admin').get('/wms?SERVICE=WMS&REQUEST=GetCapabilities')).body)).toContain(
      'portal:secret',
    );
  });

  describe('what lies at a place', () => {
    const view =
      'SERVICE=WMS&VERSION=1.1.1&REQUEST=GetFeatureInfo&SRS=EPSG:4326&BBOX=0,0,20,10&WIDTH=200&HEIGHT=100&LAYERS=fields&STYLES=&QUERY_LAYERS=fields';

    test('as JSON, as text and as a page in which nothing runs', async () => {
      const { visitor } = kit().portal;
      const json = bodyOf<{ features: { id: string; properties: unknown }[] }>(
        await visitor.get(`/wms?${view}&X=50&Y=50&INFO_FORMAT=application/json`),
      );
      expect(json.features).toMatchObject([{ id: 'fields.1', properties: { fid: 1, kind: 'wood', 'odd "name': 5 } }]);
      const text = await visitor.get(`/wms?${view}&X=50&Y=50&INFO_FORMAT=text/plain`);
      expect(textOf(text.body)).toContain('kind = wood');
      const page = await visitor.get(`/wms?${view}&X=150&Y=50&INFO_FORMAT=text/html`);
      expect(textOf(page.body)).toContain('&#60;script&#62;');
      expect(textOf(page.body)).not.toContain('<script>');
      expect(page.headers).toMatchObject({ 'content-security-policy': expect.stringContaining("default-src 'none'") });
    });

    const stop = (version: string, crs: string, bbox: string, place: string): string =>
      `/wms?SERVICE=WMS&VERSION=${version}&REQUEST=GetFeatureInfo&${version === '1.3.0' ? 'CRS' : 'SRS'}=${crs}&BBOX=${bbox}&WIDTH=200&HEIGHT=200&LAYERS=stops&QUERY_LAYERS=stops&${place}`;

    test.each([
      ['1.3.0', 'EPSG:25832', '499000,5599000,501000,5601000', [500000, 5600000], 'urn:ogc:def:crs:EPSG::25832'],
      ['1.3.0', 'EPSG:4326', '50.451,8.901,50.651,9.101', [9, 50.55193], 'urn:ogc:def:crs:OGC:1.3:CRS84'],
      ['1.3.0', 'CRS:84', '8.901,50.451,9.101,50.651', [9, 50.55193], 'urn:ogc:def:crs:OGC:1.3:CRS84'],
      ['1.1.1', 'EPSG:4326', '8.901,50.451,9.101,50.651', [9, 50.55193], 'urn:ogc:def:crs:OGC:1.3:CRS84'],
      ['1.1.1', 'EPSG:3857', '991000,6532000,1013000,6554000', [1001875.4, 6542415.2], 'urn:ogc:def:crs:EPSG::3857'],
      // Northing first in its own order; x first in GeoJSON, as always.
      ['1.3.0', 'EPSG:31467', '5600800,3499000,5602800,3501000', [3500074.5, 5601800.9], 'urn:ogc:def:crs:EPSG::31467'],
    ])('in the system of the request, which is named: %s, %s', async (version, crs, bbox, place, name) => {
      const { visitor } = kit().portal;
      const at = `X=100&Y=100&I=100&J=100&BUFFER=50`;
      const json = bodyOf<{ features: { geometry: { coordinates: number[] } }[] }>(
        await visitor.get(stop(version, crs, bbox, `${at}&INFO_FORMAT=application/json`)),
      );
      expect(json).toMatchObject({ crs: { type: 'name', properties: { name } } });
      const near = crs === 'EPSG:31467' ? 5 : crs === 'EPSG:3857' ? 0.1 : 1e-4;
      expect(isNear(json.features[0]?.geometry.coordinates ?? [], place, near)).toBe(true);
    });

    test('GDAL reads the GML with its system, x first', async () => {
      const reply = await kit().portal.visitor.get(
        stop(
          '1.3.0',
          'EPSG:4326',
          '50.451,8.901,50.651,9.101',
          'I=100&J=100&BUFFER=50&INFO_FORMAT=application/vnd.ogc.gml',
        ),
      );
      expect(reply).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/vnd.ogc.gml; charset=utf-8' },
      });
      writeFileSync(join(kit().folder, 'info.gml'), textOf(reply.body));
      const read = await kit().gdal('ogrinfo', ['-ro', '-al', 'info.gml']);
      expect(read).toMatch(/POINT \(9(?:\.0+\d*)? 50\.5/);
      expect(read).toContain('ID["EPSG",4326]');
      expect(read).toContain('name (String) = Ost');
    });

    test('text/xml is the same document, and every announced format is answered', async () => {
      const { visitor } = kit().portal;
      const document = textOf((await visitor.get('/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities')).body);
      const [, listed = ''] = /<GetFeatureInfo>(.*?)<DCPType>/.exec(document) ?? [];
      const formats = [...listed.matchAll(/<Format>(.*?)<\/Format>/g)].map(([, format = '']) => format);
      expect(formats).toEqual(
        expect.arrayContaining(['application/json', 'application/vnd.ogc.gml', 'text/xml', 'text/html', 'text/plain']),
      );
      const bodies = new Map<string, string>();
      for (const format of formats) {
        const reply = await visitor.get(`/wms?${view}&X=50&Y=50&INFO_FORMAT=${format}`);
        expect(reply).toMatchReply({ status: 200, headers: { 'content-type': `${format}; charset=utf-8` } });
        bodies.set(format, textOf(reply.body));
      }
      expect(bodies.get('text/xml')).toBe(bodies.get('application/vnd.ogc.gml'));
      expect(bodies.get('text/xml')).toContain('<gml:outerBoundaryIs>');
    });

    test('another version of GML is refused', async () => {
      const reply = await kit().portal.visitor.get(
        `/wms?${view}&X=50&Y=50&INFO_FORMAT=${encodeURIComponent('text/xml; subtype=gml/3.1.1')}`,
      );
      expect(reply.status).toBe(400);
      expect(textOf(reply.body)).toContain('InvalidFormat');
    });

    test('of what reaches beyond the system of the map, the part in view', async () => {
      const json = bodyOf<{ features: { geometry: { coordinates: number[][][] } }[] }>(
        await kit().portal.visitor.get(
          '/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&CRS=EPSG:3857&BBOX=0,-16000000,2000000,-14000000&WIDTH=200&HEIGHT=200&LAYERS=far_south&QUERY_LAYERS=far_south&I=100&J=100&INFO_FORMAT=application/json',
        ),
      );
      const positions = json.features[0]?.geometry.coordinates.flat() ?? [];
      expect(positions.length).toBeGreaterThan(3);
      for (const [x = Number.NaN, y = Number.NaN] of positions) {
        expect(Math.abs(x)).toBeLessThan(2.1e7);
        expect(y).toBeLessThan(-1e6);
        expect(Number.isFinite(y)).toBe(true);
      }
    });

    test('a point is found near it, in another system, and not far from it', async () => {
      const at = async (i: number): Promise<number> =>
        bodyOf<{ features: unknown[] }>(
          await kit().portal.visitor.get(
            `/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetFeatureInfo&CRS=EPSG:25832&BBOX=499000,5599000,501000,5601000&WIDTH=200&HEIGHT=200&LAYERS=stops&QUERY_LAYERS=stops&I=${i}&J=100&INFO_FORMAT=application/json`,
          ),
        ).features.length;
      expect([await at(100), await at(103), await at(120)]).toEqual([1, 1, 0]);
    });
  });

  test('a legend has a symbol for each class', async () => {
    const legend = await pictureOf(
      await kit().portal.visitor.get(
        '/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetLegendGraphic&LAYER=fields&STYLE=kinds&FORMAT=image/png',
      ),
    );
    expect(legend.count([0, 128, 0])).toBeGreaterThan(200);
    expect(legend.count([0, 0, 255])).toBeGreaterThan(200);
    expect(legend.width).toBeGreaterThan(50);
  });

  describe('hostile requests', () => {
    const view = 'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=fields&STYLES=&CRS=EPSG:3857&FORMAT=image/png';
    const good = 'BBOX=0,0,1000000,1000000&WIDTH=100&HEIGHT=100';
    test.each([
      ['a huge width', `${view}&BBOX=0,0,1,1&WIDTH=100000&HEIGHT=10`, 'WIDTH'],
      ['a width of nothing', `${view}&BBOX=0,0,1,1&WIDTH=0&HEIGHT=10`, 'WIDTH'],
      ['a width that is no number', `${view}&BBOX=0,0,1,1&WIDTH=1e3&HEIGHT=10`, 'WIDTH'],
      ['a box of no numbers', `${view}&BBOX=NaN,NaN,NaN,NaN&WIDTH=10&HEIGHT=10`, 'InvalidBBOX'],
      ['an endless box', `${view}&BBOX=-Infinity,0,Infinity,1&WIDTH=10&HEIGHT=10`, 'InvalidBBOX'],
      ['a box beyond counting', `${view}&BBOX=-1e300,0,1e300,1&WIDTH=10&HEIGHT=10`, 'InvalidBBOX'],
      ['a box inside out', `${view}&BBOX=10,10,0,0&WIDTH=10&HEIGHT=10`, 'InvalidBBOX'],
      ['five numbers', `${view}&BBOX=1,2,3,4,5&WIDTH=10&HEIGHT=10`, 'InvalidBBOX'],
      ['a layer that is not there', `${view.replace('fields', 'nothing')}&${good}`, 'LayerNotDefined'],
      ['a layer that is hidden', `${view.replace('fields', 'secret')}&${good}`, 'LayerNotDefined'],
      [
        'thousands of layers',
        `${view.replace('fields', Array.from({ length: 3000 }, () => 'x').join(','))}&${good}`,
        'more than 50',
      ],
      ['a style that is not there', `${view.replace('STYLES=', 'STYLES=nope')}&${good}`, 'StyleNotDefined'],
      ['a system that is not there', `${view.replace('3857', '999999')}&${good}`, 'InvalidCRS'],
      ['a system that is SQL', `${view.replace('EPSG:3857', 'EPSG:3857);drop table x;--')}&${good}`, 'InvalidCRS'],
      [
        'a format we do not write',
        `${view.replace('image/png', 'application/x-shockwave-flash')}&${good}`,
        'InvalidFormat',
      ],
      ['a style at another address', `${view}&${good}&SLD=http://169.254.169.254/`, 'not fetched'],
      [
        'an entity bomb for a style',
        `${view}&${good}&SLD_BODY=${encodeURIComponent('<!DOCTYPE a [<!ENTITY b "c">]><StyledLayerDescriptor>&b;</StyledLayerDescriptor>')}`,
        'document type',
      ],
      [
        'a place outside of the map',
        `${view.replace('GetMap', 'GetFeatureInfo')}&${good}&QUERY_LAYERS=fields&I=100&J=5`,
        'InvalidPoint',
      ],
      ['an operation we do not have', 'SERVICE=WMS&REQUEST=DescribeEverything', 'OperationNotSupported'],
      ['another service', 'SERVICE=WFS&REQUEST=GetCapabilities', 'serves WMS'],
      ['nothing', '', 'REQUEST'],
    ])('%s is refused as an exception', async (_, query, said) => {
      const reply = await kit().portal.visitor.get(`/wms?${query}`);
      expect(reply.status).toBe(400);
      expect(textOf(reply.body)).toContain('<ServiceException');
      expect(textOf(reply.body)).toContain(said);
    });

    test('the exception is in the words of the version that asked', async () => {
      const reply = await kit().portal.visitor.get('/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap');
      expect(reply).toMatchReply({
        status: 400,
        headers: { 'content-type': 'application/vnd.ogc.se_xml; charset=utf-8' },
      });
      expect(textOf(reply.body)).toContain('version="1.1.1"');
    });

    test('very many labels, symbols and dashes in a style do not stop the service', async () => {
      const style = Array.from({ length: 400 }, (_, i) => ({
        id: String(i),
        type: i % 2 === 0 ? 'symbol' : 'line',
        layout: i % 2 === 0 ? { 'text-field': 'x'.repeat(5000), 'text-size': 1e9 } : {},
        paint: i % 2 === 0 ? {} : { 'line-width': 1e9, 'line-dasharray': [1e-9, 1e-9], 'line-offset': 1e12 },
      }));
      expect((await kit().portal.as('ada').put('/styles/fields/heavy.json', style)).status).toBe(201);
      const reply = await kit().portal.visitor.get(
        `/wms?${view.replace('STYLES=', 'STYLES=heavy')}&BBOX=0,0,2000000,1000000&WIDTH=200&HEIGHT=100`,
      );
      expect(reply.status).toBe(200);
    });
  });

  test('the geographic box of a layer with longitudes from 0 to 360 is one that the schema allows', async () => {
    await makeLayer(kit(), {
      name: 'chatham',
      geometry: 'Polygon',
      rows: `insert into $table (geom) values (public.st_makeenvelope(182, -45, 184, -43, 4326))`,
    });
    const text = textOf(
      (await kit().portal.visitor.get('/wms?service=WMS&version=1.3.0&request=GetCapabilities')).body,
    );
    const layer = text.slice(text.indexOf('<Name>portal:chatham</Name>'));
    const [, west, east] =
      /<westBoundLongitude>([^<]*)<\/westBoundLongitude><eastBoundLongitude>([^<]*)</.exec(layer) ?? [];
    expect([Number(west), Number(east)]).toEqual([expect.closeTo(-178), expect.closeTo(-176)]);
    // Where it is drawn.
    expect(Number(/<BoundingBox CRS="CRS:84" minx="([^"]*)"/.exec(layer)?.[1])).toBeCloseTo(182);
  });
});
