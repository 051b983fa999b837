// Rasters: cloud-optimised files in the blob store, drawn by windows into any coordinate system.

import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeBlobKey } from '../../../src/blobs/blob-store.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { onLayers, setPerms } from './layer-kit.ts';
import { isNear, type Picture, pictureOf } from './picture.ts';
import { grid, makeRaster } from './raster-kit.ts';

const SHOWN = process.env['TEST_PICTURES'];
const BASE = 'SERVICE=WMS&REQUEST=GetMap&FORMAT=image/png&TRANSPARENT=true&STYLES=';

/** Where the two rasters lie. */
const HEIGHTS = { srid: 4326, box: [10, 40, 20, 50], wgs84: [10, 40, 20, 50] } as const;
const PHOTO = { srid: 25832, box: [400_000, 5_500_000, 528_000, 5_628_000], wgs84: [7.6, 49.6, 9.4, 50.8] } as const;

onLayers('rasters', {}, (kit) => {
  const mapOf = async (query: string, name?: string): Promise<Picture> => {
    const reply = await kit().portal.visitor.get(`/wms?${query}`);
    const picture = await pictureOf(reply);
    if (SHOWN !== undefined && name !== undefined) writeFileSync(join(SHOWN, name), reply.body as Buffer);
    return picture;
  };

  beforeAll(async () => {
    const { folder, gdal } = kit();
    // Heights from 0 in the west to 1000 in the east, with nothing in the north-west corner; 1024 × 1024 over 10° to 20°E, 40° to 50°N.
    writeFileSync(
      join(folder, 'h.asc'),
      grid(1024, 1024, 10, 40, 10 / 1024, (c, r) => (c < 256 && r < 256 ? -9999 : Math.round((c * 1000) / 1023))),
    );
    const cog = [
      '-q',
      '-of',
      'COG',
      '-co',
      'COMPRESS=DEFLATE',
      '-co',
      'PREDICTOR=YES',
      '-co',
      'OVERVIEWS=AUTO',
      '-co',
      'BLOCKSIZE=256',
    ];
    await gdal('gdal_translate', [...cog, '-a_srs', 'EPSG:4326', '-ot', 'Int16', 'h.asc', 'h.tif']);
    await makeRaster(kit(), 'h.tif', { name: 'heights', ...HEIGHTS });
    // Three bands: red in the west, green in the east; in metres.
    for (const [band, value] of [
      ['r', (c: number) => (c < 64 ? 255 : 0)],
      ['g', (c: number) => (c < 64 ? 0 : 255)],
      ['b', () => 0],
    ] as const)
      writeFileSync(join(folder, `${band}.asc`), grid(128, 128, 400_000, 5_500_000, 1000, value));
    await gdal('gdalbuildvrt', ['-q', '-separate', 'rgb.vrt', 'r.asc', 'g.asc', 'b.asc']);
    await gdal('gdal_translate', [
      '-q',
      '-ot',
      'Byte',
      '-a_srs',
      'EPSG:25832',
      '-a_nodata',
      'none',
      '-colorinterp',
      'red,green,blue',
      'rgb.vrt',
      'rgb-plain.tif',
    ]);
    await gdal('gdal_translate', [...cog, 'rgb-plain.tif', 'rgb.tif']);
    await makeRaster(kit(), 'rgb.tif', { name: 'photo', ...PHOTO });
    const reply = await kit().portal.as('ada').put('/styles/heights/ramp.sld', readRamp());
    if (reply.status !== 201) throw new Error(textOf(reply.body));
  });

  const readRamp =
    (): string => `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>heights</Name><UserStyle><Title>Heights</Title><FeatureTypeStyle><Rule>
    <RasterSymbolizer><ColorMap type="ramp"><ColorMapEntry color="#0000ff" quantity="0" label="low"/><ColorMapEntry color="#ff0000" quantity="1000" label="high"/></ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

  test('a colour ramp, and nothing where there is nothing', async () => {
    const map = await mapOf(
      `${BASE}&VERSION=1.1.1&LAYERS=heights&SRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=200&HEIGHT=200`,
      'ramp.png',
    );
    expect(isNear(map.at(2, 150), [3, 0, 252], 8)).toBe(true);
    expect(isNear(map.at(100, 150), [128, 0, 127], 8)).toBe(true);
    expect(isNear(map.at(197, 150), [252, 0, 3], 8)).toBe(true);
    expect(map.at(20, 20)[3]).toBe(0);
    expect(map.at(60, 20)[3]).toBe(255);
  });

  test('in web Mercator the pixels lie where they belong', async () => {
    const w = 111_319.49;
    const y = (latitude: number): number => 6_378_137 * Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360));
    const map = await mapOf(
      `${BASE}&VERSION=1.3.0&LAYERS=heights&CRS=EPSG:3857&BBOX=${5 * w},${y(35)},${25 * w},${y(55)}&WIDTH=400&HEIGHT=400`,
      'ramp-3857.png',
    );
    expect(map.at(50, 200)[3]).toBe(0);
    expect(map.at(350, 200)[3]).toBe(0);
    expect(isNear(map.at(200, 200), [128, 0, 127], 8)).toBe(true);
    // The upper edge is at 50°N.
    const edge = Math.round((400 * (y(55) - y(50))) / (y(55) - y(35)));
    expect(map.at(200, edge - 3)[3]).toBe(0);
    expect(map.at(200, edge + 3)[3]).toBe(255);
  });

  test('a picture of three bands, from metres to degrees', async () => {
    const map = await mapOf(
      `${BASE}&VERSION=1.3.0&LAYERS=photo&CRS=CRS:84&BBOX=7.5,49.5,9.5,50.9&WIDTH=200&HEIGHT=140`,
      'photo.png',
    );
    expect(isNear(map.at(60, 70), [255, 0, 0], 3)).toBe(true);
    expect(isNear(map.at(150, 70), [0, 255, 0], 3)).toBe(true);
    expect(map.at(2, 2)[3]).toBe(0);
  });

  test('a raster of longitudes from 0 to 360 is drawn all around the world, once', async () => {
    const { folder, gdal } = kit();
    writeFileSync(
      join(folder, 'round.asc'),
      grid(72, 36, 0, -90, 5, (c) => c),
    );
    await gdal('gdal_translate', ['-q', '-of', 'COG', '-a_srs', 'EPSG:4326', '-ot', 'Int16', 'round.asc', 'round.tif']);
    const box = [0, -90, 360, 90] as const;
    await makeRaster(kit(), 'round.tif', { name: 'round', srid: 4326, box, wgs84: box });
    const picture = await mapOf(
      `${BASE}&VERSION=1.1.1&LAYERS=round&SRS=EPSG:4326&BBOX=-180,-90,180,90&WIDTH=72&HEIGHT=36`,
    );
    // Grey, from dark at 0 over the east to bright at 360: the western half is the brighter one.
    const at = (x: number): readonly number[] => picture.at(x, 18);
    expect([0, 20, 35, 36, 50, 71].map((x) => at(x)[3])).toEqual([255, 255, 255, 255, 255, 255]);
    const levels = [36, 50, 71, 0, 20, 35].map((x) => at(x)[0] ?? -1);
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    expect(new Set(levels).size).toBe(6);
  });

  test('the same as GDAL would warp it', async () => {
    const box = ['850000', '6370000', '1040000', '6580000'];
    await kit().gdal('gdalwarp', [
      '-q',
      '-overwrite',
      '-t_srs',
      'EPSG:3857',
      '-te',
      ...box,
      '-ts',
      '190',
      '210',
      '-r',
      'near',
      '-dstalpha',
      'rgb.tif',
      'warped.tif',
    ]);
    await kit().gdal('gdal_translate', ['-q', '-of', 'PNG', 'warped.tif', 'warped.png']);
    const { decodePicture } = await import('./picture.ts');
    const wanted = await decodePicture(readFileSync(join(kit().folder, 'warped.png')));
    const map = await mapOf(
      `${BASE}&VERSION=1.3.0&LAYERS=photo&CRS=EPSG:3857&BBOX=${box.join(',')}&WIDTH=190&HEIGHT=210`,
    );
    let different = 0;
    for (let y = 0; y < 210; y++)
      for (let x = 0; x < 190; x++) if (!isNear(map.at(x, y), wanted.at(x, y), 40)) different++;
    // Only along edges, by a pixel.
    expect(different / (190 * 210)).toBeLessThan(0.02);
  });

  test('what the numbers are at a place, and a legend of the ramp', async () => {
    const info = bodyOf<{ features: { properties: unknown }[] }>(
      await kit().portal.visitor.get(
        '/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetFeatureInfo&LAYERS=heights&QUERY_LAYERS=heights&STYLES=&SRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=1024&HEIGHT=1024&X=512&Y=800&INFO_FORMAT=application/json',
      ),
    );
    expect(info.features).toMatchObject([{ properties: { band_1: 500 } }]);
    const legend = await pictureOf(
      await kit().portal.visitor.get('/wms?SERVICE=WMS&REQUEST=GetLegendGraphic&LAYER=heights&FORMAT=image/png'),
    );
    expect(legend.count([0, 0, 255])).toBeGreaterThan(100);
    expect(legend.count([255, 0, 0])).toBeGreaterThan(100);
  });

  test('the bands of a raster are described, for whoever may see it', async () => {
    const { visitor } = kit().portal;
    const [band] = bodyOf<{ drawn: string; bands: { min: number; max: number }[] }>(
      await visitor.get('/styles/heights/statistics.json'),
    ).bands;
    expect(band).toMatchObject({ band: 1, stretch: [band?.min, band?.max] });
    expect(band?.min).toBeLessThan(60);
    expect(band?.max).toBeGreaterThan(940);
    expect(bodyOf(await visitor.get('/styles/photo/statistics.json'))).toMatchObject({
      drawn: 'colours',
      bands: [{ stretch: [0, 255] }, { stretch: [0, 255] }, { stretch: [0, 255] }],
    });
  });

  test('the legend of a raster that nobody has styled shows what its numbers are drawn as', async () => {
    const grey = await kit()
      .portal.as('ada')
      .put('/styles/heights/plain.json', [{ id: 'r', type: 'raster' }]);
    expect(grey.status).toBe(201);
    const legendOf = async (query: string): Promise<Picture> =>
      pictureOf(await kit().portal.visitor.get(`/wms?SERVICE=WMS&REQUEST=GetLegendGraphic&FORMAT=image/png&${query}`));
    const heightsLegend = await legendOf('LAYER=heights&STYLE=plain');
    for (const level of [0, 128, 255]) expect(heightsLegend.count([level, level, level])).toBeGreaterThan(100);
    const photo = await legendOf('LAYER=photo');
    for (const colour of [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ] as const)
      expect(photo.count(colour)).toBeGreaterThan(100);
  });

  test('bands and stretch by the style; without one, numbers are stretched by what there is', async () => {
    const ada = kit().portal.as('ada');
    // The first style of a layer is its default from then on.
    await makeRaster(kit(), 'rgb.tif', { name: 'styled', ...PHOTO });
    const look = async (raster: unknown): Promise<void> => {
      const reply = await ada.put('/styles/styled/look.json', [
        { id: 'r', type: 'raster', paint: { 'raster-opacity': 0.5 }, metadata: { 'survest:raster': raster } },
      ]);
      expect(reply.status).toBeLessThan(202);
    };
    await look({ bands: [2, 1, 3] });
    const view = `VERSION=1.3.0&CRS=EPSG:25832&BBOX=400000,5500000,528000,5628000&WIDTH=64&HEIGHT=64`;
    const swapped = await mapOf(`${BASE}look&${view}&LAYERS=styled`);
    expect(isNear(swapped.at(10, 30), [0, 255, 0, 128], 4)).toBe(true);
    await look({ bands: [1], stretch: [0, 510] });
    expect(isNear((await mapOf(`${BASE}look&${view}&LAYERS=styled`)).at(10, 30), [128, 128, 128, 128], 4)).toBe(true);
    const grey = await kit()
      .portal.as('ada')
      .put('/styles/heights/grey.json', [{ id: 'r', type: 'raster' }]);
    expect(grey.status).toBe(201);
    const map = await mapOf(
      `${BASE}grey&VERSION=1.1.1&LAYERS=heights&SRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=100&HEIGHT=100`,
    );
    expect(map.at(2, 80)[0]).toBeLessThan(12);
    expect(map.at(97, 80)[0]).toBeGreaterThan(243);
  });

  test.each([
    ['16 bits without a sign, stretched', 'UInt16', ['-scale', '0', '1000', '0', '65535'], [255, 255, 255, 255]],
    ['32 bits of floating point, stretched', 'Float32', ['-scale', '0', '1000', '-1', '1'], [255, 255, 255, 255]],
    ['bytes as they are', 'Byte', ['-scale', '0', '1000', '0', '255', '-a_nodata', 'none'], [255, 255, 255, 255]],
  ] as const)('one band of %s', async (_, type, options, east) => {
    const name = `one_${type.toLowerCase()}`;
    const args = ['-q', '-of', 'COG', '-ot', type, ...options, 'h.tif', `${name}.tif`];
    await kit().gdal('gdal_translate', args);
    const box = [10, 40, 20, 50] as const;
    await makeRaster(kit(), `${name}.tif`, { name, srid: 4326, box, wgs84: box });
    const map = await mapOf(
      `${BASE}&VERSION=1.1.1&LAYERS=${name}&SRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=100&HEIGHT=100`,
      `${name}.png`,
    );
    expect(isNear(map.at(98, 80), [...east], 12)).toBe(true);
    expect(isNear(map.at(1, 80), [0, 0, 0, 255], 12)).toBe(true);
  });

  test('four bands: the last one says what is to be seen', async () => {
    await kit().gdal('gdal_translate', [
      ...'-q -of GTiff -b 1 -b 2 -b 3 -b 1 -colorinterp red,green,blue,alpha rgb-plain.tif rgba-plain.tif'.split(' '),
    ]);
    await kit().gdal('gdal_translate', ['-q', '-of', 'COG', 'rgba-plain.tif', 'rgba.tif']);
    const box = [400_000, 5_500_000, 528_000, 5_628_000] as const;
    await makeRaster(kit(), 'rgba.tif', { name: 'cutout', srid: 25832, box, wgs84: [7.6, 49.6, 9.4, 50.8] });
    const view = `VERSION=1.3.0&CRS=EPSG:25832&BBOX=${box.join(',')}&WIDTH=64&HEIGHT=64`;
    const map = await mapOf(`${BASE}&${view}&LAYERS=cutout`, 'cutout.png');
    expect(isNear(map.at(10, 30), [255, 0, 0, 255], 3)).toBe(true);
    expect(map.at(54, 30)[3]).toBe(0);
  });

  test('a file that is no GeoTIFF is an exception, and the service goes on', async () => {
    writeFileSync(join(kit().folder, 'broken.tif'), readFileSync(join(kit().folder, 'h.tif')).subarray(0, 400));
    const blob = makeBlobKey('rasters');
    await kit().blobs.put(blob, createReadStream(join(kit().folder, 'broken.tif')));
    const broken = await makeRaster(kit(), 'h.tif', { name: 'broken', ...HEIGHTS });
    await kit().db.query('update portal.raster set blob = $1 where resource_id = $2', [blob, broken]);
    const query = `${BASE}&VERSION=1.1.1&LAYERS=broken&SRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=200&HEIGHT=200`;
    const reply = await kit().portal.visitor.get(`/wms?${query}`);
    expect(reply.status).toBe(500);
    expect(textOf(reply.body)).toContain('cannot be read');
    expect(textOf(reply.body)).not.toContain(blob);
    // Why stands in the log, and there only.
    const seen = kit().portal.seen.filter(({ kind }) => kind === 'raster-unreadable');
    expect(seen).toEqual([{ kind: 'raster-unreadable', layer: 'broken', message: expect.any(String) }]);
    const at = 'SERVICE=WMS&VERSION=1.1.1&REQUEST=GetFeatureInfo&LAYERS=broken&QUERY_LAYERS=broken&STYLES=&X=5&Y=5';
    const info = await kit().portal.visitor.get(
      `/wms?${at}&SRS=EPSG:4326&BBOX=10,40,20,50&WIDTH=200&HEIGHT=200&INFO_FORMAT=application/json`,
    );
    expect([info.status, textOf(info.body)]).toEqual([500, expect.stringContaining('cannot be read')]);
    expect((await kit().portal.visitor.get('/rastertiles/broken/5/17/11.png')).status).toBe(500);
    await setPerms(kit(), broken, {});
    expect((await kit().portal.visitor.get(`/wms?${query}`)).status).toBe(400);
  });
});
