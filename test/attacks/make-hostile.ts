// Makers of files as hostile people would make them, in formats that are no text: GeoPackages with a schema of one's own, workbooks, TIFFs.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '../feature/uploads/zip-writer.ts';
import { runGdal } from '../testkit/gdal-programs.ts';

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'survest-made-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A GeoPackage with one layer and whatever else the statements put into it; the schema can be written to. */
export function geopackage(...statements: readonly (readonly [sql: string, ...values: string[]])[]): Buffer {
  const key = JSON.stringify(statements);
  const made = packages.get(key) ?? makePackage(statements);
  packages.set(key, made);
  return made;
}

/** Each is made once in a process, for whoever reads it. */
const packages = new Map<string, Buffer>();

function makePackage(statements: readonly (readonly [sql: string, ...values: string[]])[]): Buffer {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'a.geojson'), POINT);
    const sql = statements.flatMap(([text, ...values]) => {
      const rest = [...values];
      return ['-sql', text.replace(/\?/g, () => `'${(rest.shift() ?? '').replaceAll("'", "''")}'`)];
    });
    const pragma = ['--config', 'OGR_SQLITE_PRAGMA', 'writable_schema=on'];
    runGdal(
      folder,
      ['ogr2ogr', 'a.gpkg', 'a.geojson', '-nln', 'p'],
      ...(sql.length === 0 ? [] : [['ogrinfo', ...pragma, 'a.gpkg', ...sql] as const]),
    );
    return readFileSync(join(folder, 'a.gpkg'));
  });
}
export const inSchema = (type: string, name: string, sql: string): readonly [string, ...string[]] => [
  `insert into sqlite_master (type, name, tbl_name, rootpage, sql) values (?, ?, ?, 0, ?)`,
  type,
  name,
  name,
  sql,
];
export const attributes = (table: string): readonly [string, ...string[]] => [
  `insert into gpkg_contents (table_name, data_type, identifier, srs_id) values (?, 'attributes', ?, 0)`,
  table,
  table,
];
export const POINT =
  '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[8,47]}}]}';

export const gmlOf = (name: string, attributesOfRoot = '', srs = 'EPSG:4326'): string =>
  `<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml" ${attributesOfRoot}><gml:featureMember><ogr:p><ogr:geometryProperty><gml:Point srsName="${srs}"><gml:coordinates>8,47</gml:coordinates></gml:Point></ogr:geometryProperty><ogr:name>${name}</ogr:name></ogr:p></gml:featureMember></ogr:FeatureCollection>`;
export const entities = (root: string, target: string): string => `<!DOCTYPE ${root} [<!ENTITY x SYSTEM "${target}">]>`;
export const workbookOf = (sheet: string, name = 'Sheet'): Buffer =>
  zipOf([
    {
      name: '[Content_Types].xml',
      content:
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/_rels/workbook.xml.rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content:
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
  ]);
const cell = (place: string, text: string): string => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
export const sheetOf = (name: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cell('A1', 'name')}${cell('B1', 'lat')}${cell('C1', 'lon')}</row><row r="2">${cell('A2', name)}<c r="B2"><v>47</v></c><c r="C2"><v>8</v></c></row></sheetData></worksheet>`;

export const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

export const elements = (n: number): string => Array.from({ length: n }, (_, i) => `<ogr:e${i}>1</ogr:e${i}>`).join('');
export const vrt = (path: string): string =>
  `<OGRVRTDataSource><OGRVRTLayer name="${path.replace(/^.*\//, '').replace(/\..*$/, '')}"><SrcDataSource>${path}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>`;

/** What GDAL keeps of a raster in its own tag says where the overviews are. */
export function tiffWithOverviewsOf(path: string): Buffer {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'a.tif'), sparseTiff(1000));
    const padding = ['-mo', `PAD=${'x'.repeat(400)}`];
    runGdal(
      folder,
      ['gdal_translate', '-q', '-outsize', '50%', '50%', 'a.tif', 'half.tif'],
      ['gdal_translate', '-q', ...padding, 'a.tif', 'b.tif'],
    );
    copyFileSync(join(folder, 'half.tif'), path);
    const text = readFileSync(join(folder, 'b.tif')).toString('latin1');
    const item = `<Item name="OVERVIEW_FILE" domain="OVERVIEWS">${path}</Item>`;
    return Buffer.from(
      text.replace(/<Item name="PAD">x+<\/Item>/, (found) => item.padEnd(found.length)),
      'latin1',
    );
  });
}

/** BigTIFF of a kilobyte: one band, and the offsets of its tiles are all nought. */
export function sparseTiff(side: number): Buffer {
  const tiles = Math.ceil(side / 16384) ** 2;
  const none = Array.from({ length: tiles }, () => 0);
  const tags: readonly (readonly [tag: number, kind: keyof typeof TIFF_KINDS, values: readonly number[]])[] = [
    [256, 'long', [side]],
    [257, 'long', [side]],
    [258, 'short', [8]],
    [259, 'short', [1]],
    [262, 'short', [1]],
    [277, 'short', [1]],
    [322, 'long', [16384]],
    [323, 'long', [16384]],
    [324, 'long8', none],
    [325, 'long8', none],
    [33550, 'double', [1e-6, 1e-6, 0]],
    [33922, 'double', [0, 0, 0, 8, 47, 0]],
    [34735, 'short', [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]],
  ];
  const head = Buffer.alloc(16);
  head.write('II');
  head.writeUInt16LE(43, 2);
  head.writeUInt16LE(8, 4);
  head.writeBigUInt64LE(16n, 8);
  const directory = Buffer.alloc(8 + 20 * tags.length + 8);
  directory.writeBigUInt64LE(BigInt(tags.length), 0);
  const more: Buffer[] = [];
  let at = head.length + directory.length;
  for (const [i, [tag, kind, values]] of tags.entries()) {
    const { code, size, write } = TIFF_KINDS[kind];
    const data = Buffer.alloc(size * values.length);
    for (const [n, value] of values.entries()) write(data, value, n * size);
    const entry = 8 + 20 * i;
    directory.writeUInt16LE(tag, entry);
    directory.writeUInt16LE(code, entry + 2);
    directory.writeBigUInt64LE(BigInt(values.length), entry + 4);
    if (data.length <= 8) data.copy(directory, entry + 12);
    else {
      directory.writeBigUInt64LE(BigInt(at), entry + 12);
      more.push(data);
      at += data.length;
    }
  }
  return Buffer.concat([head, directory, ...more]);
}

type Write = (into: Buffer, value: number, at: number) => void;
const TIFF_KINDS = {
  short: { code: 3, size: 2, write: ((into, value, at) => into.writeUInt16LE(value, at)) as Write },
  long: { code: 4, size: 4, write: ((into, value, at) => into.writeUInt32LE(value, at)) as Write },
  double: { code: 12, size: 8, write: ((into, value, at) => into.writeDoubleLE(value, at)) as Write },
  long8: { code: 16, size: 8, write: ((into, value, at) => into.writeBigUInt64LE(BigInt(value), at)) as Write },
} as const;
