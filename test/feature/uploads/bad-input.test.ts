// Files that are broken, hostile or merely strange. A bad one is refused with a sentence that names it, and nothing of it is left;
// a strange one becomes a layer.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { at, collection, onUploads, type SentFile, type UploadKit } from './upload-kit.ts';
import { zipOf } from './zip-writer.ts';

type Files = (read: (name: string) => Buffer) => readonly SentFile[];
type Case = readonly [what: string, files: Files, message: RegExp, fields?: Readonly<Record<string, string>>];

const one =
  (name: string, content: string | Uint8Array): Files =>
  () => [{ name, content }];
const half =
  (name: string, share = 0.5): Files =>
  (read) => {
    const whole = read(name);
    return [{ name, content: whole.subarray(0, Math.floor(whole.length * share)) }];
  };
const shapefile =
  (change: (part: string, bytes: Buffer) => Buffer | undefined): Files =>
  (read) =>
    ['shp', 'dbf', 'shx', 'prj', 'cpg'].flatMap((part) => {
      const content = change(part, read(`points.${part}`));
      return content === undefined ? [] : [{ name: `points.${part}`, content }];
    });
const cut = (bytes: Buffer, share = 0.5): Buffer => bytes.subarray(0, Math.floor(bytes.length * share));
const polygon = (coordinates: unknown): string =>
  collection([{ geometry: at(8, 47) }, { geometry: { type: 'Polygon', coordinates } }]);
const laughs = (root: string, inside: string): string =>
  `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY a "${'ha'.repeat(50)}">${[...'bcdefghi']
    .map((name, i) => `<!ENTITY ${name} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`)
    .join('')}]>${inside}`;

const BAD: readonly Case[] = [
  // broken off
  ['a shapefile cut off', shapefile((part, bytes) => (part === 'shp' ? cut(bytes) : bytes)), /points\.shp/],
  ['a .dbf cut off', shapefile((part, bytes) => (part === 'dbf' ? cut(bytes, 0.3) : bytes)), /points\.shp/],
  ['GeoJSON cut off', half('points.geojson'), /points\.geojson/],
  ['a GeoPackage cut off', half('points.gpkg'), /points\.gpkg/],
  ['FlatGeobuf cut off', half('points.fgb', 0.7), /points\.fgb/],
  ['a zip cut off', half('points.zip'), /points\.zip: Invalid zip file detected/],
  ['a workbook cut off', half('points.xlsx'), /points\.xlsx/],
  ['a GeoTIFF cut off', half('raster.tif'), /raster\.tif/],
  ['GML cut off', half('points.gml'), /points\.gml/],
  ['KML cut off', half('points.kml'), /Line \d+ of points\.kml/],
  // empty
  ['nothing', one('a.geojson', ''), /a\.geojson is empty/],
  ['white space', one('a.csv', ' \n \n'), /a\.csv is empty/],
  ['no features', one('a.geojson', collection([])), /a\.geojson has no features/],
  ['features without a place', one('a.geojson', collection([{ properties: { n: 1 } }])), /none of them has a place/],
  ['a table with a header only', one('a.csv', 'lat,lon\n'), /a\.csv has no features/],
  [
    'an archive with nothing in it',
    one('a.zip', zipOf([])),
    /Could not find any valid spatial file inside the uploaded zip/,
  ],
  [
    'an archive with a letter in it',
    one('a.zip', zipOf([{ name: 'letter.docx', content: 'x' }])),
    /Could not find any valid spatial file/,
  ],
  // something else
  [
    'an image called GeoJSON',
    one('a.geojson', Buffer.from('89504e470d0a1a0a0000', 'hex')),
    /a\.geojson is a PNG image/,
  ],
  ['JSON that is no GeoJSON', one('a.json', '{"hello": "world"}'), /a\.json cannot be read/],
  ['words', one('a.kml', 'hello'), /a\.kml is in no format/],
  [
    'a virtual dataset',
    one(
      'a.csv',
      '<OGRVRTDataSource><OGRVRTLayer name="x"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>',
    ),
    /virtual dataset/,
  ],
  [
    'a virtual raster',
    one(
      'a.tif',
      '<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand><SimpleSource><SourceFilename>/etc/passwd</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>',
    ),
    /virtual dataset/,
  ],
  [
    'a virtual dataset in an archive',
    one('a.zip', zipOf([{ name: 'a.csv', content: '<OGRVRTDataSource/>' }])),
    /virtual dataset/,
  ],
  [
    'the description of a service',
    one('a.tif', '<GDAL_WMS><Service name="TMS"><ServerUrl>http://127.0.0.1:1/</ServerUrl></Service></GDAL_WMS>'),
    /description of a service/,
  ],
  // geometries
  [
    'a ring of two points',
    one(
      'a.geojson',
      polygon([
        [
          [0, 0],
          [1, 0],
        ],
      ]),
    ),
    /Feature 2 of a\.geojson: its geometry/,
  ],
  [
    'WKT that is none',
    one('a.csv', 'n,wkt\n1,POINT(8 47)\n2,POINT(8)\n'),
    /Feature 2 of a\.csv: its geometry/,
    { crs: 'EPSG:4326' },
  ],
  [
    'coordinates that are none',
    one('a.csv', 'n,lat,lon\n1,47,8\n2,north,8\n'),
    /Line 3 of a\.csv: "north" in the column "lat"/,
  ],
  [
    'latitudes beyond the pole',
    one('a.geojson', collection([{ geometry: at(8, 147) }])),
    /do not lie where EPSG:4326 is used/,
  ],
  // texts
  [
    'GeoJSON in Latin-1',
    one('a.geojson', Buffer.from(collection([{ properties: { name: 'Zürich' }, geometry: at(8, 47) }]), 'latin1')),
    /a\.geojson is not written in UTF-8 \(line 1\)/,
  ],
  [
    'an unknown character set',
    one('a.csv', 'lat,lon\n47,8\n'),
    /character set "klingon" is not known/,
    { charset: 'klingon' },
  ],
  [
    'a .dbf that is not in its character set',
    shapefile((part, bytes) =>
      part === 'cpg'
        ? Buffer.from('UTF-8')
        : part === 'dbf'
          ? Buffer.from(bytes.toString('latin1').replace('Z\xc3\xbcrich', 'Z\xfcrich '), 'latin1')
          : bytes,
    ),
    /Feature 1 of points\.shp: the value of "name"/,
  ],
  ['a quote that is not closed', one('a.csv', 'lat,lon,name\n47,8,"x\n46,7,y\n'), /Line 2 of a\.csv: a quote/],
  // archives
  [
    'a name that leads out',
    one('a.zip', zipOf([{ name: '../../evil.geojson', content: '{}' }])),
    /leads out of the archive/,
  ],
  ['an absolute name', one('a.zip', zipOf([{ name: '/etc/evil.geojson', content: '{}' }])), /leads out of the archive/],
  ['a link', one('a.zip', zipOf([{ name: 'a.geojson', content: '/etc/passwd', mode: 0o120777 }])), /contains a link/],
  [
    'an archive in an archive',
    one('a.zip', zipOf([{ name: 'b.zip', content: zipOf([]) }])),
    /contains another archive \(b\.zip\)/,
  ],
  [
    'a password',
    one('a.zip', zipOf([{ name: 'a.geojson', content: '{}', encrypted: true }])),
    /protected by a password/,
  ],
  [
    'a bomb',
    one('a.zip', zipOf([{ name: 'a.geojson', content: Buffer.alloc(3_000_000, 32) }])),
    /larger than can be imported/,
  ],
  [
    'a bomb that lies',
    one('a.zip', zipOf([{ name: 'a.geojson', content: Buffer.alloc(3_000_000, 32), size: 10 }])),
    /a\.zip: Invalid zip file detected/,
  ],
  [
    'a thousand members',
    one('a.zip', zipOf(Array.from({ length: 101 }, (_, i) => ({ name: `${i}.txt`, content: '' })))),
    /too many members/,
  ],
  [
    'two shapefiles',
    (read) => [
      {
        name: 'a.zip',
        content: zipOf(
          ['a', 'b'].flatMap((stem) =>
            ['shp', 'dbf', 'shx'].map((part) => ({ name: `${stem}.${part}`, content: read(`points.${part}`) })),
          ),
        ),
      },
    ],
    /several datasets \(a\.shp, b\.shp\)/,
  ],
  [
    'a shapefile without its .dbf',
    (read) => [
      {
        name: 'a.zip',
        content: zipOf(['shp', 'shx'].map((part) => ({ name: `a.${part}`, content: read(`points.${part}`) }))),
      },
    ],
    /Could not find dbf file/,
  ],
  // XML
  [
    'entities in KML',
    one('a.kml', laughs('kml', '<kml><Document><Placemark><name>&i;</name></Placemark></Document></kml>')),
    /a\.kml/,
  ],
  [
    'a file as an entity in KML',
    one(
      'a.kml',
      '<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]><kml><Placemark><name>&x;</name><Point><coordinates>8,47</coordinates></Point></Placemark></kml>',
    ),
    /document type/,
  ],
  [
    'entities in GPX',
    one('a.gpx', laughs('gpx', '<gpx version="1.1"><wpt lat="47" lon="8"><name>&i;</name></wpt></gpx>')),
    /a\.gpx/,
  ],
  // size
  [
    'two thousand columns',
    one(
      'a.geojson',
      collection([
        { properties: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`c${i}`, i])), geometry: at(8, 47) },
      ]),
    ),
    /columns or more; a layer can have 1500/,
  ],
  [
    'a database that refers to other files',
    (read) => [{ name: 'trick.gpkg', content: read('trick.gpkg') }],
    /trick\.gpkg/,
  ],
];

const LIMITS = { unpackedBytes: 1_000_000, members: 100, seconds: 600 };

function refuses(kit: () => UploadKit, cases: readonly Case[]): void {
  beforeAll(() => makeSamples(kit()));
  test.each(cases.map(([what, files, message, fields = {}]) => ({ what, files, message, fields })))(
    '$what',
    async ({ files, message, fields }) => {
      const read = (name: string): Buffer => readFileSync(join(kit().folder, name));
      const upload = await kit().import('ada', files(read), fields);
      expect({ state: upload.state, said: upload.session['error_msg'] }).toEqual({
        state: 'INVALID',
        said: expect.stringMatching(message),
      });
      expect(upload.session['reason']).toMatchObject({ kind: expect.any(String) });
      for (const told of [upload.session['error_msg'], JSON.stringify(upload.session['reason'])])
        expect(told).not.toMatch(/\/tmp\/|\/work\/|survest-uploads/);
      expect(await kit().left()).toEqual({ tables: [], staged: [], runs: 0 });
      // The state is noted first.
      await expect.poll(() => kit().stored()).toEqual([]);
    },
  );
}

onUploads('a bad file', { engines: ['postgres'], limits: LIMITS }, (kit) => refuses(kit, BAD));

// Without GDAL's own programs, the compiled one reads: its errors, its memory and its files are others. Of what never gets to
// GDAL there is nothing to be seen here.
const BY_GDAL = new Set([
  'a shapefile cut off',
  'a .dbf cut off',
  'GeoJSON cut off',
  'a GeoPackage cut off',
  'FlatGeobuf cut off',
  'a workbook cut off',
  'a GeoTIFF cut off',
  'GML cut off',
  'JSON that is no GeoJSON',
  'a ring of two points',
  'entities in GPX',
  'two thousand columns',
  'a database that refers to other files',
]);

onUploads(
  'a bad file, read by the GDAL that comes along',
  { engines: ['postgres'], gdal: 'wasm', limits: LIMITS },
  (kit) =>
    refuses(
      kit,
      BAD.filter(([what]) => BY_GDAL.has(what)),
    ),
);

onUploads('a strange file', {}, (kit) => {
  describe('becomes a layer nevertheless', () => {
    test('with geometries of all kinds', async () => {
      const upload = await kit().import('ada', [
        {
          name: 'mixed.geojson',
          content: collection([
            { geometry: at(8, 47) },
            {
              geometry: {
                type: 'LineString',
                coordinates: [
                  [8, 47],
                  [9, 48],
                ],
              },
            },
            { geometry: null },
          ]),
        },
      ]);
      expect(upload.state).toBe('PROCESSED');
      expect(
        await kit().db.query(
          `select type, srid from geometry_columns where f_table_schema = 'layers' and f_table_name = 'mixed'`,
        ),
      ).toEqual([{ type: 'GEOMETRY', srid: 4326 }]);
    });

    test('with names that mean something to SQL, and none that stay as they are', async () => {
      const names = [
        'select',
        'geom',
        'fid',
        'ctid',
        'a"; drop table portal.resource; --',
        '名称',
        'Größe',
        '',
        "x'",
        'order',
        'a b',
        'A B',
      ];
      const upload = await kit().import('ada', [
        {
          name: 'names.geojson',
          content: collection([
            { properties: Object.fromEntries(names.map((name, i) => [name, i])), geometry: at(8, 47) },
          ]),
        },
      ]);
      expect(upload.state).toBe('PROCESSED');
      const attributes = await kit().db.query<{ attribute: string; label: string | null }>(
        `select attribute, attribute_label as label from portal.attribute where resource_id = $1 order by display_order`,
        [upload.resource_id],
      );
      expect(attributes.map(({ attribute, label }) => [label ?? attribute, attribute])).toEqual([
        ['select', 'select_'],
        ['geom', 'geom_2'],
        ['fid', 'fid_2'],
        ['ctid', 'ctid_'],
        ['a"; drop table portal.resource; --', 'a_drop_table_portal_resource'],
        ['名称', '名称'],
        ['Größe', 'größe'],
        ['', 'field'],
        ["x'", 'x'],
        ['order', 'order_'],
        ['a b', 'a_b'],
        // GDAL has told the two apart before.
        ['A B2', 'a_b2'],
        ['geom', 'geom'],
      ]);
    });

    test('with another extension than its content has', async () => {
      const upload = await kit().import('ada', [
        { name: 'points.gpkg', content: collection([{ geometry: at(8, 47) }]) },
      ]);
      expect(upload).toMatchObject({ state: 'PROCESSED', session: { upload_type: 'GeoJSON' } });
    });

    test('with a name of many letters, beside one of the same name', async () => {
      const name = `${'ü'.repeat(120)}.geojson`;
      const [a, b] = [
        await kit().import('ada', [{ name, content: collection([{ geometry: at(8, 47) }]) }]),
        await kit().import('bob', [{ name, content: collection([{ geometry: at(8, 47) }]) }]),
      ];
      expect([a.state, b.state]).toEqual(['PROCESSED', 'PROCESSED']);
      const layers = await kit().db.query<{ name: string }>('select name from portal.resource where id = any ($1)', [
        [a.resource_id, b.resource_id],
      ]);
      expect(new Set(layers.map((layer) => layer.name)).size).toBe(2);
    });

    test('in a table with decimal commas and an old character set', async () => {
      const upload = await kit().import('ada', [
        {
          name: 'comma.csv',
          content: Buffer.from('Ort;Breite;lat;lon\nZürich;1,5;47,37;8,54\nBern;2;46,95;7,45\n', 'latin1'),
        },
      ]);
      expect(upload).toMatchObject({ state: 'PROCESSED', session: { charset: 'windows-1252' } });
      expect(
        await kit().db.query('select ort, breite, st_astext(geom) as geom from layers.comma order by fid'),
      ).toEqual([
        { ort: 'Zürich', breite: 1.5, geom: 'POINT(8.54 47.37)' },
        { ort: 'Bern', breite: 2, geom: 'POINT(7.45 46.95)' },
      ]);
    });
  });
});

async function makeSamples(kit: UploadKit): Promise<void> {
  kit.write(
    'points.geojson',
    collection(
      Array.from({ length: 50 }, (_, n) => ({
        properties: { name: n === 0 ? 'Zürich' : `p${n}`, n },
        geometry: at(8 + n / 100, 47),
      })),
    ),
  );
  await kit.gdal('ogr2ogr', 'points.shp', 'points.geojson', '-lco', 'ENCODING=UTF-8');
  await kit.gdal('ogr2ogr', 'points.gpkg', 'points.geojson');
  await kit.gdal('ogr2ogr', '-f', 'FlatGeobuf', 'points.fgb', 'points.geojson');
  // A layer that is a window to another file, as far as SQLite can be made to write that down.
  kit.write(
    'trick.gpkg',
    withText(
      readFileSync(join(kit.folder, 'points.gpkg')),
      /CREATE TABLE "points" \([^)]*\)/,
      `create virtual table points using VirtualOGR('/etc/passwd')`,
    ),
  );
  await kit.gdal('ogr2ogr', '-f', 'GML', 'points.gml', 'points.geojson');
  await kit.gdal('ogr2ogr', '-f', 'KML', 'points.kml', 'points.geojson');
  kit.write('points.csv', `lat,lon,n\n${Array.from({ length: 50 }, (_, n) => `47,8.${n},${n}`).join('\n')}\n`);
  await kit.gdal('ogr2ogr', '-f', 'XLSX', 'points.xlsx', 'points.csv');
  const parts = ['shp', 'dbf', 'shx', 'prj'].map((part) => `points.${part}`);
  kit.write('points.zip', zipOf(parts.map((name) => ({ name, content: readFileSync(join(kit.folder, name)) }))));
  const gray = Buffer.alloc(300 * 300);
  for (let i = 0; i < gray.length; i += 1) gray[i] = (i * 7919) % 251;
  kit.write('gray.bin', gray);
  kit.write(
    'gray.hdr',
    'nrows 300\nncols 300\nnbands 1\nnbits 8\nlayout bil\nulxmap 5\nulymap 50\nxdim 0.01\nydim 0.01\n',
  );
  await kit.gdal('gdal_translate', '-q', '-of', 'GTiff', '-a_srs', 'EPSG:4326', 'gray.bin', 'raster.tif');
}

/** The file with another text in the place of the first that matches, filled up with blanks. */
function withText(file: Buffer, pattern: RegExp, text: string): Buffer {
  const found = pattern.exec(file.toString('latin1'));
  if (found === null || found[0].length < text.length) throw new Error('there is no room for the text');
  file.write(text.padEnd(found[0].length), found.index, 'latin1');
  return file;
}
