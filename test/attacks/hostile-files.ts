// Files that try to make their reader open another file or address, or work without end: for every format its own ways.

import { zipOf } from '../feature/uploads/zip-writer.ts';
import {
  attributes,
  elements,
  entities,
  geopackage,
  gmlOf,
  inSchema,
  POINT,
  sheetOf,
  sparseTiff,
  tiffWithOverviewsOf,
  vrt,
  wide,
  workbookOf,
} from './make-hostile.ts';

/** What the files are after. */
export type Bait = {
  /** A CSV outside of what a reader may see. */
  readonly file: string;
  /** A raster there. */
  readonly raster: string;
  /** A server that nobody may call. */
  address(): string;
};
export type Sent = { readonly name: string; readonly content: string | Uint8Array };
export type Refused = { readonly what: string; readonly sent: () => readonly Sent[]; readonly why: RegExp };

type Pointing = { readonly what: string; readonly sent: () => readonly Sent[] };

export const virtualText = (path: string): string =>
  `USING VirtualText('${path}', 'UTF-8', 1, POINT, DOUBLEQUOTE, ',')`;

const DOCTYPE = /DOCTYPE/;
const one = (name: string, content: () => string | Uint8Array) => (): readonly Sent[] => [{ name, content: content() }];
export const refusedFiles = (bait: Bait): readonly Refused[] => [
  {
    what: 'a virtual table that shows a file',
    sent: one('a.gpkg', () =>
      geopackage(inSchema('table', 'leak', `CREATE VIRTUAL TABLE leak ${virtualText(bait.file)}`), attributes('leak')),
    ),
    why: /virtual table "leak" \(VirtualText\)/,
  },
  {
    what: 'a virtual table written with comments, under another type',
    sent: one('a.gpkg', () =>
      geopackage(
        inSchema('index', 'leak', `create/* */vIrtual -- x\n\ttable"leak"${virtualText(bait.file)}`),
        attributes('leak'),
      ),
    ),
    why: /virtual table "leak"/,
  },
  {
    what: 'a virtual table behind a long schema, on pages of its own',
    sent: one('a.gpkg', () =>
      geopackage(
        ...Array.from({ length: 300 }, (_, i): readonly [string] => [
          `create table t${i} (${Array.from({ length: 100 }, (_none, n) => `a_rather_long_name_${n} text`).join(', ')})`,
        ]),
        inSchema('table', 'leak', `CREATE VIRTUAL TABLE leak ${virtualText(bait.file)}`),
      ),
    ),
    why: /virtual table "leak"/,
  },
  {
    what: 'a view',
    sent: one('a.gpkg', () => geopackage(['create view v as select * from p'], attributes('v'))),
    why: /view "v"/,
  },
  {
    what: 'a trigger',
    sent: one('a.gpkg', () => geopackage(["create trigger t after insert on p begin select load_extension('x'); end"])),
    why: /trigger "t"/,
  },
  {
    what: 'a trigger with a name of the format, and other contents',
    sent: one('a.gpkg', () =>
      geopackage(["create trigger rtree_p_geom_update9 after insert on p begin select load_extension('x'); end"]),
    ),
    why: /trigger "rtree_p_geom_update9"/,
  },
  {
    what: 'a column that is computed by a function which reads files',
    sent: one('a.gpkg', () =>
      geopackage([
        'update sqlite_master set sql = ? where name = ?',
        'CREATE TABLE "p" (fid integer primary key autoincrement not null, geom point, a blob as ("BlobFromFile"(\'/etc/passwd\')))',
        'p',
      ]),
    ),
    why: /BlobFromFile/,
  },
  ...['utf-8', 'windows-1252', 'UTF-7', 'ISO-8859-15'].map(
    (charset): Refused => ({
      what: `an external entity in GML that says it is ${charset}`,
      sent: one(
        'a.gml',
        () =>
          `<?xml version="1.0" encoding="${charset}"?>${entities('ogr:FeatureCollection', `file://${bait.file}`)}${gmlOf('&x;')}`,
      ),
      why: charset === 'UTF-7' ? /character set|UTF-7/ : DOCTYPE,
    }),
  ),
  {
    what: 'an external entity in GML of two bytes per character',
    sent: one('a.gml', () => wide(`<?xml version="1.0"?>${entities('x', `file://${bait.file}`)}${gmlOf('&x;')}`)),
    why: DOCTYPE,
  },
  {
    what: 'an external entity that is an address',
    sent: one(
      'a.gml',
      () => `<?xml version="1.0" encoding="windows-1252"?>${entities('x', `${bait.address()}/a.none`)}${gmlOf('&x;')}`,
    ),
    why: DOCTYPE,
  },
  {
    what: 'a document type from an address',
    sent: one('a.gml', () => `<!--x--> <!DOCTYPE x SYSTEM "${bait.address()}/a.dtd">${gmlOf('a')}`),
    why: DOCTYPE,
  },
  {
    what: 'an external entity in GPX',
    sent: one(
      'a.gpx',
      () =>
        `<?xml version="1.0"?>${entities('gpx', `file://${bait.file}`)}<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47" lon="8"><name>&x;</name></wpt></gpx>`,
    ),
    why: DOCTYPE,
  },
  {
    what: 'an external entity in KML',
    sent: one(
      'a.kml',
      () =>
        `${entities('kml', `file://${bait.file}`)}<kml><Placemark><name>&x;</name><Point><coordinates>8,47</coordinates></Point></Placemark></kml>`,
    ),
    why: /document type/,
  },
  {
    what: 'an external entity in KMZ',
    sent: one('a.kmz', () =>
      zipOf([
        {
          name: 'doc.kml',
          content: `${entities('kml', `file://${bait.file}`)}<kml><Placemark><name>&x;</name><Point><coordinates>8,47</coordinates></Point></Placemark></kml>`,
        },
      ]),
    ),
    why: /document type/,
  },
  {
    what: 'an external entity in a workbook',
    sent: one('a.xlsx', () => workbookOf(sheetOf('&x;', entities('worksheet', `file://${bait.file}`)))),
    why: DOCTYPE,
  },
  {
    what: 'a virtual dataset',
    sent: one('a.json', () => vrt(bait.file)),
    why: /virtual dataset/,
  },
  {
    what: 'a raster whose overviews are the raster of somebody else',
    sent: one('a.tif', () => tiffWithOverviewsOf(bait.raster)),
    why: /another file/,
  },
  {
    what: 'a million million pixels',
    sent: one('a.tif', () => sparseTiff(1_000_000)),
    why: /too-many-pixels/,
  },
  {
    what: 'more properties than there can be columns',
    sent: one('a.geojson', () => {
      const features = Array.from(
        { length: 200_000 },
        (_, i) => `{"type":"Feature","properties":{"p${i}":1},"geometry":{"type":"Point","coordinates":[8,47]}}`,
      );
      return `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
    }),
    why: /too-many-columns/,
  },
  {
    what: 'more members of features than there can be columns, a feature per line',
    sent: one('a.geojsonl', () =>
      Array.from(
        { length: 200_000 },
        (_, i) => `{"type":"Feature","p${i}":1,"geometry":{"type":"Point","coordinates":[8,47]}}\n`,
      ).join(''),
    ),
    why: /too-many-columns/,
  },
  {
    what: 'more elements in GML than there can be columns',
    sent: one('a.gml', () => gmlOf('x').replace('</ogr:p>', `${elements(200_000)}</ogr:p>`)),
    why: /too-many-columns/,
  },
  {
    what: 'a table with more columns than there can be',
    sent: one('a.csv', () => `lat,lon,${Array.from({ length: 200_000 }, (_, i) => `c${i}`).join(',')}\n47,8\n`),
    why: /too-many-columns/,
  },
];

/** Well-formed, with an address or a path in a place that some readers follow. */
export const filesThatPointElsewhere = (bait: Bait): readonly Pointing[] => [
  {
    what: 'GML with a schema that is a file of somebody else',
    sent: one('a.gml', () => gmlOf('a', schemaAt(bait.file))),
  },
  {
    what: 'GML with a schema that is an address',
    sent: one('a.gml', () => gmlOf('a', schemaAt(`${bait.address()}/a.xsd`))),
  },
  {
    what: 'GML with a coordinate system that is an address',
    sent: one('a.gml', () => gmlOf('a', '', `${bait.address()}/crs`)),
  },
  { what: 'GML with a coordinate system that is a file', sent: one('a.gml', () => gmlOf('a', '', bait.file)) },
  {
    what: 'GML with a value that is elsewhere',
    sent: one('a.gml', () =>
      gmlOf(
        `</ogr:name><ogr:other xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${bait.address()}/a.gml#x"/><ogr:name>`,
      ),
    ),
  },
  ...['link', 'url', 'name', 'file'].map(
    (type): Pointing => ({
      what: `GeoJSON whose coordinate system is a ${type}`,
      sent: one('a.geojson', () => {
        const where = type === 'file' ? bait.file : `${bait.address()}/crs`;
        const crs = { type, properties: { href: where, url: where, name: where } };
        return JSON.stringify({ ...JSON.parse(POINT), crs });
      }),
    }),
  ),
];
const schemaAt = (where: string): string =>
  `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://ogr.maptools.org/ ${where}"`;
