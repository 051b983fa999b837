import { expect, test } from 'vitest';
import { byBytes, crsOfGeoTiff, crsOfWkt, groupFiles, hasCoordinates, sniffBundle } from './sniff-upload.ts';

const file = (name: string, content: BlobPart = ''): File => new File([content], name);

test('the parts of shapefiles are put together by their names', () => {
  const groups = groupFiles(['a.shp', 'a.dbf', 'a.shx', 'a.shp.xml', 'b.geojson', 'A.PRJ'].map((name) => file(name)));
  expect(groups.map((group) => group.map(({ name }) => name))).toEqual([
    ['a.shp', 'a.dbf', 'a.shx', 'a.shp.xml', 'A.PRJ'],
    ['b.geojson'],
  ]);
});

test('parts without a main file are one bundle that cannot be imported', async () => {
  const [group = []] = groupFiles([file('a.dbf'), file('a.shx')]);
  expect((await sniffBundle(group)).format).toBe('unknown');
});

test('a shapefile without its table is known to be incomplete, and one without .prj to need a question', async () => {
  const bundle = await sniffBundle([file('a.shp', new Uint8Array([0, 0, 0x27, 0x0a])), file('a.shx')]);
  expect(bundle).toMatchObject({ format: 'shapefile', missing: ['dbf'], needsCrs: true, crs: undefined });
});

test('a picture is a document, and data where a world file says where it is', async () => {
  const png = file('map.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
  expect(await sniffBundle([png])).toMatchObject({ format: 'document' });
  const [group = []] = groupFiles([png, file('map.PGW')]);
  expect(await sniffBundle(group)).toMatchObject({ name: 'map', format: 'picture', needsCrs: true });
  const prj = file('map.prj', 'PROJCS["ETRS_1989_UTM_Zone_32N"]');
  expect(await sniffBundle([png, file('map.pgw'), prj])).toMatchObject({ crs: 'EPSG:25832', needsCrs: false });
});

test.each([
  [[0x50, 0x4b, 3, 4], 'unknown', 'zip'],
  [[0x50, 0x4b, 3, 4], 'excel', 'excel'],
  [[0x49, 0x49, 0x2a, 0], 'document', 'geotiff'],
  [[0x25, 0x50, 0x44, 0x46], 'csv', 'document'],
  [[...new TextEncoder().encode('<?xml version="1.0"?><kml xmlns="x">')], 'unknown', 'kml'],
  [[...new TextEncoder().encode('  {"type":"FeatureCollection"')], 'unknown', 'geojson'],
] as const)('bytes %j of a file called %s are %s', (bytes, byName, format) => {
  expect(byBytes(new Uint8Array(bytes), byName)).toBe(format);
});

test.each([
  ['GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"]]', 'EPSG:4326'],
  ['PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984"]]', 'EPSG:32633'],
  ['PROJCS["WGS_1984_UTM_Zone_5S"]', 'EPSG:32705'],
  ['PROJCS["ETRS_1989_UTM_Zone_32N"]', 'EPSG:25832'],
  ['PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4258"]],AUTHORITY["EPSG","3035"]]', 'EPSG:3035'],
  ['PROJCS["Some_Local_Grid"]', 'Some_Local_Grid'],
  ['', undefined],
])('%s is %s', (wkt, crs) => expect(crsOfWkt(wkt)).toBe(crs));

test('a GeoJSON says its CRS or has the usual one', async () => {
  expect((await sniffBundle([file('a.geojson', '{"type":"FeatureCollection","features":[]}')])).crs).toBe('EPSG:4326');
  const named = '{"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3035"}}}';
  expect((await sniffBundle([file('a.json', named)])).crs).toBe('EPSG:3035');
});

test.each([
  new Uint8Array(0),
  new Uint8Array(16).fill(255),
  new Uint8Array([0x49, 0x49, 0x2a, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]),
])('a broken picture has no CRS', (bytes) => {
  expect(crsOfGeoTiff(bytes)).toBeUndefined();
});

test('the columns of a table are found below a title, and in another character set', async () => {
  const latin = Uint8Array.from(
    [...'Stadt Bern, 2024\nPlatz;L']
      .map((c) => c.charCodeAt(0))
      .concat(0xe4, ...[...'nge;lat\nA;7;47'].map((c) => c.charCodeAt(0))),
  );
  expect((await sniffBundle([file('a.csv', latin)])).columns).toEqual(['Platz', 'Länge', 'lat']);
});

test('the columns of a table are found whatever separates them', async () => {
  expect((await sniffBundle([file('a.csv', '\uFEFFname;"lat";lon\nx;1;2')])).columns).toEqual(['name', 'lat', 'lon']);
  expect(hasCoordinates(['name', 'Latitude', 'LONGITUDE'])).toBe(true);
  expect(hasCoordinates(['name', 'wkt'])).toBe(true);
  expect(hasCoordinates(['name', 'value'])).toBe(false);
});
