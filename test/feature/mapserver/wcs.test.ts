// The Web Coverage Service as GDAL and OWSLib read it, held against the file that was imported; its subsets, scales and systems; and
// who may read.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GeoTIFF } from 'geotiff';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeNeeding, testNeeding } from '../../testkit/describe-needing.ts';
import { missing, PYTHON } from '../../testkit/machine.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';
import { pictureOf } from './picture.ts';
import { grid, makeRaster } from './raster-kit.ts';

const OWSLIB = `
import json, sys
from owslib.wcs import WebCoverageService
wcs = WebCoverageService(sys.argv[1], version=sys.argv[2])
name = 'portal__heights' if sys.argv[2] == '2.0.1' else 'portal:heights'
coverage = wcs[name]
if sys.argv[2] == '2.0.1':
    got = wcs.getCoverage(identifier=[name], format='image/tiff', subsets=[('Long', 12, 13), ('Lat', 41, 42)])
elif sys.argv[2] == '1.0.0':
    got = wcs.getCoverage(identifier=name, format='GeoTIFF', bbox=(12, 41, 13, 42), crs='EPSG:4326', width=64, height=64)
data = got.read()
open('owslib.tif', 'wb').write(data)
print(json.dumps({'names': sorted(wcs.contents), 'title': coverage.title}))
`;

type Tiff = {
  width: number;
  height: number;
  box: number[];
  bands: ArrayLike<number>[];
  nodata: number | null;
  keys: Record<string, unknown>;
};

async function tiffOf(reply: Reply): Promise<Tiff> {
  if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
  const bytes = Buffer.from(reply.body as Uint8Array);
  const file = await GeoTIFF.fromSource({
    fetch: async (slices: { offset: number; length: number }[]) =>
      slices.map(({ offset, length }) =>
        bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + offset + length),
      ),
    fetchSlice: async ({ offset, length }: { offset: number; length: number }) => ({
      offset,
      length,
      data: bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + offset + length),
    }),
    fileSize: bytes.length,
    close: async () => {},
  } as never);
  const image = await file.getImage();
  return {
    width: image.getWidth(),
    height: image.getHeight(),
    box: image.getBoundingBox(),
    bands: (await image.readRasters()) as unknown as ArrayLike<number>[],
    nodata: image.getGDALNoData(),
    keys: image.getGeoKeys() as Record<string, unknown>,
  };
}

const height = (c: number, r: number): number => (c < 256 && r < 256 ? -9999 : c * 20 + r - 5000);

onLayers('coverages', {}, (kit) => {
  let heights = 0;
  const get = (query: string): Promise<Reply> => kit().portal.visitor.get(`/wcs?SERVICE=WCS&${query}`);
  const get20 = (query: string, id = 'heights'): Promise<Reply> =>
    get(`VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=${id}&FORMAT=image/tiff${query}`);

  test('rasters are among the collections of the OGC API, with links to maps and numbers that work, and without items', async () => {
    type Collection = { id: string; itemType?: string; links: { rel: string; href: string }[] };
    const { visitor } = kit().portal;
    const list = bodyOf<{ collections: Collection[]; numberMatched: number; numberReturned: number }>(
      await visitor.get('/ogc/collections'),
    );
    expect(list.collections.map(({ id }) => id).sort()).toEqual(['heights', 'masked', 'seen', 'spots', 'three']);
    expect([list.numberMatched, list.numberReturned]).toEqual([5, 5]);
    const heights = bodyOf<Collection>(await visitor.get('/ogc/collections/heights'));
    expect(heights).toMatchObject({ itemType: 'coverage', extent: { spatial: { bbox: [[10, 40, 20, 50]] } } });
    expect(heights.links.some(({ rel }) => rel === 'items')).toBe(false);
    for (const { href } of heights.links) {
      const { pathname, search } = new URL(href);
      expect([pathname, (await visitor.get(pathname + search)).status]).toEqual([pathname, 200]);
    }
    const numbers = heights.links.find(({ rel }) => rel.endsWith('/coverage'))?.href ?? '';
    const { pathname, search } = new URL(numbers);
    expect(await tiffOf(await visitor.get(pathname + search))).toMatchObject({ width: 640, height: 640 });
    for (const part of ['items', 'items/1', 'queryables', 'schema', 'tiles'])
      expect([part, (await visitor.get(`/ogc/collections/heights/${part}`)).status]).toEqual([part, 404]);
    expect((await visitor.get('/ogc/collections/secret')).status).toBe(404);
    expect((await visitor.get('/ogc/collections?f=html')).status).toBe(200);
  });

  testNeeding(missing('gdal'), 'clients of features leave coverages out', async () => {
    const said = await kit().run('ogrinfo', ['-ro', `OAPIF:${await kit().address()}/ogc`]);
    expect([...said.matchAll(/^\d+: (\w+)/gm)].map(([, name]) => name)).toEqual(['spots']);
  });

  test('a mask without a value for missing pixels is refused with words, and kept by pictures', async () => {
    const refused = await get20('', 'masked');
    expect([refused.status, textOf(refused.body)]).toEqual([501, expect.stringContaining('image/png')]);
    const picture = await get('VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=masked&FORMAT=image/png');
    expect(picture.status).toBe(200);
  });

  beforeAll(async () => {
    const { folder, gdal } = kit();
    writeFileSync(
      join(folder, 'masked.asc'),
      grid(64, 64, 20, 40, 0.1, (c) => (c < 32 ? -9999 : c)),
    );
    const tags = ['-q', '-of', 'GTiff', '-a_srs', 'EPSG:4326', '-mask', 'mask', '-a_nodata', 'none'];
    await gdal('gdal_translate', [...tags, '--config', 'GDAL_TIFF_INTERNAL_MASK', 'YES', 'masked.asc', 'masked.tif']);
    const box = [20, 40, 26.4, 46.4] as const;
    await makeRaster(kit(), 'masked.tif', { name: 'masked', srid: 4326, box, wgs84: box });
    const cog = ['-q', '-of', 'COG', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=YES', '-co', 'BLOCKSIZE=256'];
    // 640 × 640 pixels over 10° to 20°E, 40° to 50°N: 64 pixels to a degree.
    writeFileSync(join(folder, 'h.asc'), grid(640, 640, 10, 40, 1 / 64, height));
    await gdal('gdal_translate', [...cog, '-a_srs', 'EPSG:4326', '-ot', 'Int16', 'h.asc', 'h.tif']);
    heights = await makeRaster(kit(), 'h.tif', {
      name: 'heights',
      srid: 4326,
      box: [10, 40, 20, 50],
      wgs84: [10, 40, 20, 50],
    });
    for (const [band, value] of [
      ['r', (c: number) => c / 3],
      ['g', (_: number, r: number) => r / 7],
      ['b', () => 1e-7],
    ] as const)
      writeFileSync(join(folder, `${band}.asc`), grid(128, 96, 400_000, 5_500_000, 1000, value));
    await gdal('gdalbuildvrt', ['-q', '-separate', 'three.vrt', 'r.asc', 'g.asc', 'b.asc']);
    await gdal('gdal_translate', [
      '-q',
      '-ot',
      'Float32',
      '-a_srs',
      'EPSG:25832',
      '-a_nodata',
      'nan',
      'three.vrt',
      'plain.tif',
    ]);
    await gdal('gdal_translate', [...cog, 'plain.tif', 'three.tif']);
    const utm = { srid: 25832, box: [400_000, 5_500_000, 528_000, 5_596_000], wgs84: [7.6, 49.6, 9.4, 50.6] } as const;
    await makeRaster(kit(), 'three.tif', { name: 'three', ...utm });
    const secret = await makeRaster(kit(), 'three.tif', { name: 'secret', ...utm });
    await setPerms(kit(), secret, {});
    const seen = await makeRaster(kit(), 'three.tif', { name: 'seen', ...utm });
    await setPerms(kit(), seen, { groups: { anonymous: ['view_resourcebase'] } });
    await makeLayer(kit(), { name: 'spots', geometry: 'Point', rows: '' });
  });

  describeNeeding(missing('gdal'), 'GDAL', () => {
    /** Both as text, number by number. */
    const numbersOf = async (source: string, ...args: string[]): Promise<string> => {
      await kit().gdal('gdal_translate', ['-q', '-of', 'XYZ', ...args, source, 'numbers.xyz']);
      return readFileSync(join(kit().folder, 'numbers.xyz'), 'utf8');
    };

    test.each([
      ['2.0.1', 'heights', 'h.tif'],
      ['2.0.1', 'three', 'three.tif'],
      ['1.1.1', 'heights', 'h.tif'],
      ['1.1.1', 'three', 'three.tif'],
      ['1.0.0', 'heights', 'h.tif'],
      ['1.0.0', 'three', 'three.tif'],
    ])('reads version %s: %s is the file that was imported, number by number', async (version, name, file) => {
      const url = `WCS:${await kit().address()}/wcs?version=${version}&coverage=${name}`;
      const env = { HOME: kit().folder };
      const out = `got-${version}-${name}.tif`;
      await kit().run('gdal_translate', ['-q', '-oo', 'CLEAR_CACHE=YES', url, out], env);
      expect(await numbersOf(out)).toBe(await numbersOf(file));
      type Info = {
        size: number[];
        geoTransform: number[];
        bands: { type: string; noDataValue?: unknown }[];
        stac?: unknown;
        coordinateSystem: { wkt: string };
      };
      const [ours, theirs] = await Promise.all(
        [out, file].map(async (one) => JSON.parse(await kit().gdal('gdalinfo', ['-json', one])) as Info),
      );
      expect(ours?.size).toEqual(theirs?.size);
      expect(ours?.bands.map(({ type }) => type)).toEqual(theirs?.bands.map(({ type }) => type));
      for (const [i, number] of (theirs?.geoTransform ?? []).entries())
        expect(ours?.geoTransform[i]).toBeCloseTo(number, 9);
      expect(/ID\["EPSG",(\d+)\]\]$/.exec(ours?.coordinateSystem.wkt ?? '')?.[1]).toBe(
        /ID\["EPSG",(\d+)\]\]$/.exec(theirs?.coordinateSystem.wkt ?? '')?.[1],
      );
    });
  });

  describeNeeding(missing('owslib'), 'OWSLib', () => {
    test.each(['2.0.1', '1.0.0'])('reads version %s', async (version) => {
      const said = await kit().run(PYTHON, ['-c', OWSLIB, `${await kit().address()}/wcs`, version]);
      const names = ['heights', 'masked', 'seen', 'three'].map((name) =>
        version === '2.0.1' ? `portal__${name}` : `portal:${name}`,
      );
      expect(JSON.parse(said)).toMatchObject({ names });
      const info = JSON.parse(await kit().gdal('gdalinfo', ['-json', 'owslib.tif'])) as {
        size: number[];
        geoTransform: number[];
      };
      expect(info.size).toEqual([64, 64]);
      expect(info.geoTransform.slice(0, 2)).toEqual([12, 1 / 64]);
    });
  });

  describe('parts of a coverage', () => {
    test('are its own pixels, with place, type and value for nothing', async () => {
      const {
        width,
        height: rows,
        box,
        bands,
        nodata,
        keys,
      } = await tiffOf(await get20('&SUBSET=Long(12,13)&SUBSET=Lat(49,50)'));
      expect([width, rows, box, nodata]).toEqual([64, 64, [12, 49, 13, 50], -9999]);
      expect(bands[0]).toBeInstanceOf(Int16Array);
      expect(bands[0]?.[64 * 5 + 7]).toBe(height(128 + 7, 5));
      expect(keys['GeographicTypeGeoKey']).toBe(4326);
    });

    test.each([
      ['&SUBSET=Long(12,*)', [512, 640], [12, 40, 20, 50]],
      ['&SUBSET=Lat(45)', [640, 1], [10, 44.984375, 20, 45]],
      ['&SUBSET=Lat(45)&SUBSET=Long(15)', [1, 1], [15, 44.984375, 15.015625, 45]],
      // Pixels that are touched are there whole.
      ['&SUBSET=x(12.001,12.002)&SUBSET=y(45.001,45.017)', [1, 2], [12, 45, 12.015625, 45.03125]],
      ['&SUBSET=Long,http://www.opengis.net/def/crs/EPSG/0/4326(-100,11)', [64, 640], [10, 40, 11, 50]],
      ['&SCALEFACTOR=0.5', [320, 320], [10, 40, 20, 50]],
      ['&SCALEAXES=i(0.5),j(0.25)', [320, 160], [10, 40, 20, 50]],
      ['&SCALESIZE=Long(64),Lat(32)&SUBSET=Long(12,13)', [64, 32], [12, 40, 13, 50]],
      ['&SCALEEXTENT=i(0:9),j(0:19)', [10, 20], [10, 40, 20, 50]],
      ['&SCALEFACTOR=2&SUBSET=Long(12,13)&SUBSET=Lat(41,42)', [128, 128], [12, 41, 13, 42]],
    ])('%s', async (query, size, box) => {
      const got = await tiffOf(await get20(query));
      expect([got.width, got.height]).toEqual(size);
      for (const [i, edge] of box.entries()) expect(got.box[i]).toBeCloseTo(edge, 9);
    });

    test('twice as many pixels are the same numbers, each four times', async () => {
      const { bands } = await tiffOf(await get20('&SCALEFACTOR=2&SUBSET=Long(12,13)&SUBSET=Lat(41,42)'));
      for (const [x, y] of [
        [0, 0],
        [1, 1],
        [127, 127],
        [63, 64],
      ] as const)
        expect(bands[0]?.[y * 128 + x]).toBe(height(128 + (x >> 1), 8 * 64 + (y >> 1)));
    });

    test('in another coordinate system the numbers lie where they belong', async () => {
      const crs = 'http://www.opengis.net/def/crs/EPSG/0/';
      const got = await tiffOf(await get20(`&OUTPUTCRS=${crs}3857&SUBSET=Long(12,13)&SUBSET=Lat(45,46)`));
      expect(got.keys['ProjectedCSTypeGeoKey']).toBe(3857);
      const [west = 0, south = 0, east = 0, north = 0] = got.box;
      expect(west).toBeCloseTo(12 * 111_319.4908, 0);
      expect(east).toBeCloseTo(13 * 111_319.4908, 0);
      const [x, y] = [got.width >> 1, got.height >> 1];
      const at = [west + ((x + 0.5) * (east - west)) / got.width, north - ((y + 0.5) * (north - south)) / got.height];
      const degrees = [
        (at[0] ?? 0) / 111_319.490_793,
        (Math.atan(Math.exp((at[1] ?? 0) / 6_378_137)) * 360) / Math.PI - 90,
      ];
      const [c, r] = [Math.floor(((degrees[0] ?? 0) - 10) * 64), Math.floor((50 - (degrees[1] ?? 0)) * 64)];
      expect(got.bands[0]?.[y * got.width + x]).toBe(height(c, r));
      // Subsets can be said in another system, too.
      const cut = await tiffOf(
        await get20(`&SUBSETTINGCRS=${crs}3857&SUBSET=E(${12 * 111_319.4908},${13 * 111_319.4908})`),
      );
      expect([cut.width, cut.box[0]]).toEqual([64, 12]);
    });

    test('bands are chosen by name, number and range', async () => {
      for (const [range, count, last] of [
        ['band3', 1, 1e-7],
        ['2,3', 2, 1e-7],
        ['band1:band2', 2, 0],
        ['band2,band1', 2, 0],
      ] as const) {
        const { bands } = await tiffOf(await get20(`&RANGESUBSET=${range}`, 'three'));
        const { length } = bands as unknown as unknown[];
        expect([length, bands[count - 1]?.[0]]).toEqual([count, Math.fround(last)]);
      }
    });

    test('a picture is drawn as the layer is', async () => {
      const reply = await get(
        'VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&FORMAT=image/png&SCALESIZE=i(50),j(40)',
      );
      const picture = await pictureOf(reply);
      expect([picture.width, picture.height]).toEqual([50, 40]);
      expect(picture.at(2, 2)[3]).toBe(0);
    });
  });

  test('a request in XML is the same as by address', async () => {
    const body = `<wcs:GetCoverage xmlns:wcs="http://www.opengis.net/wcs/2.0" xmlns:scal="http://www.opengis.net/WCS_service-extension_scaling/1.0" service="WCS" version="2.0.1"><wcs:Extension><scal:ScaleToSize><scal:TargetAxisSize><scal:axis>i</scal:axis><scal:targetSize>16</scal:targetSize></scal:TargetAxisSize></scal:ScaleToSize></wcs:Extension><wcs:CoverageId>heights</wcs:CoverageId><wcs:DimensionTrim><wcs:Dimension>Long</wcs:Dimension><wcs:TrimLow>12</wcs:TrimLow><wcs:TrimHigh>13</wcs:TrimHigh></wcs:DimensionTrim><wcs:DimensionSlice><wcs:Dimension>Lat</wcs:Dimension><wcs:SlicePoint>45.5</wcs:SlicePoint></wcs:DimensionSlice><wcs:format>image/tiff</wcs:format></wcs:GetCoverage>`;
    const { visitor } = kit().portal;
    const got = await tiffOf(await visitor.post('/wcs', body, { 'content-type': 'text/xml' }));
    expect([got.width, got.height]).toEqual([16, 1]);
    expect(await visitor.post('/wcs', '<wcs:GetCoverage', { 'content-type': 'text/xml' })).toMatchReply({
      status: 400,
    });
  });

  test('who may not see a coverage does not find it; who may see but not download reads no pixels', async () => {
    const { visitor, as } = kit().portal;
    const capabilities = textOf((await get('REQUEST=GetCapabilities')).body);
    expect(capabilities).toContain('<wcs:CoverageId>portal__seen</wcs:CoverageId>');
    expect(capabilities).not.toContain('secret');
    // The name that WMS and WFS have for it; ids of 2.0 have no colon.
    for (const [version, said] of [
      ['1.1.1', '<Identifier>portal:seen</Identifier>'],
      // 1.1.1 has a namespace of its own.
      ['1.1.1', '<Capabilities xmlns="http://www.opengis.net/wcs/1.1.1"'],
      ['1.1.0', '<Capabilities xmlns="http://www.opengis.net/wcs/1.1"'],
      ['1.0.0', '<name>portal:seen</name>'],
    ]) {
      const older = await visitor.get(`/wcs?SERVICE=WCS&VERSION=${version}&REQUEST=GetCapabilities`);
      expect(textOf(older.body)).toContain(said);
    }
    for (const name of ['portal:seen', 'portal__seen', 'geonode:seen', 'seen'])
      expect(await get(`REQUEST=DescribeCoverage&COVERAGEID=${name}`)).toMatchReply({ status: 200 });
    for (const version of ['2.0.1', '1.1.1', '1.0.0']) {
      const ask = `/wcs?SERVICE=WCS&VERSION=${version}&REQUEST=`;
      for (const name of ['COVERAGEID', 'COVERAGE', 'IDENTIFIERS']) {
        const hidden = await visitor.get(`${ask}DescribeCoverage&${name}=secret`);
        expect(hidden.status).toBe(version === '2.0.1' ? 404 : 400);
        expect(await visitor.get(`${ask}DescribeCoverage&${name}=seen`)).toMatchReply({ status: 200 });
      }
      expect(await visitor.get(`${ask}GetCoverage&COVERAGE=seen&FORMAT=image/tiff`)).toMatchReply({ status: 401 });
      expect(await as('bob').get(`${ask}GetCoverage&COVERAGE=seen&FORMAT=image/tiff`)).toMatchReply({ status: 403 });
      expect(await as('ada').get(`${ask}GetCoverage&COVERAGE=seen&FORMAT=image/tiff`)).toMatchReply({ status: 200 });
    }
    await setPerms(kit(), heights, {});
    expect(await get20('')).toMatchReply({ status: 404 });
    await setPerms(kit(), heights, { groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] } });
  });

  test.each([
    ['', 'MissingParameterValue', 400],
    ['REQUEST=Nothing', 'OperationNotSupported', 501],
    ['REQUEST=GetCapabilities&ACCEPTVERSIONS=9.0', 'VersionNegotiationFailed', 400],
    ['VERSION=2.0.1&REQUEST=DescribeCoverage', 'MissingParameterValue', 400],
    ['VERSION=2.0.1&REQUEST=DescribeCoverage&COVERAGEID=nothing', 'NoSuchCoverage', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SUBSET=Time(1,2)', 'InvalidAxisLabel', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SUBSET=Lat(50,40)', 'InvalidSubsetting', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SUBSET=Lat(-50,-40)', 'InvalidSubsetting', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SUBSET=Lat(a,b)', 'InvalidSubsetting', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SUBSET=Lat(1,2)&SUBSET=y(1,2)', 'InvalidAxisLabel', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SCALEFACTOR=0', 'InvalidScaleFactor', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SCALESIZE=i(1.5)', 'InvalidExtent', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&RANGESUBSET=band9', 'NoSuchField', 404],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&OUTPUTCRS=EPSG:999999', 'OutputCrs-NotSupported', 400],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&SUBSETTINGCRS=mars', 'SubsettingCrs-NotSupported', 400],
    ['VERSION=2.0.1&REQUEST=GetCoverage&COVERAGEID=heights&FORMAT=image/gif', 'InvalidParameterValue', 400],
  ])('%s is refused as %s', async (query, code, status) => {
    const reply = await get(query);
    expect(reply.status).toBe(status);
    expect(textOf(reply.body)).toContain(`exceptionCode="${code}"`);
  });

  test('an answer that is too large is refused with the limit and what to do', async () => {
    const reply = await get20('&SCALEFACTOR=1000');
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toMatch(/64000000 numbers are the limit. Ask for a smaller part/);
    const old = await get(
      'VERSION=1.0.0&REQUEST=GetCoverage&COVERAGE=heights&CRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=90000&HEIGHT=90000&FORMAT=GeoTIFF',
    );
    expect(old).toMatchReply({ status: 400, headers: { 'content-type': 'application/vnd.ogc.se_xml; charset=utf-8' } });
  });
});
