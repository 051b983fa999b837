// Makers of files as hostile people would make them, in formats that are no text: GeoPackages with a schema of one's own, workbooks, TIFFs.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '../feature/uploads/zip-writer.ts';

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
  return inFolder((folder) => {
    const path = join(folder, 'a.gpkg');
    writeFileSync(join(folder, 'a.geojson'), POINT);
    execFileSync('ogr2ogr', [path, join(folder, 'a.geojson'), '-nln', 'p'], { stdio: 'ignore' });
    const script = `
import json, sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute('pragma writable_schema = on')
for sql, *values in json.load(sys.stdin): c.execute(sql, values)
c.commit()`;
    execFileSync('python3', ['-c', script, path], { input: JSON.stringify(statements) });
    return readFileSync(path);
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
    execFileSync('gdal_translate', ['-q', '-outsize', '50%', '50%', join(folder, 'a.tif'), path]);
    execFileSync('gdal_translate', ['-q', ...padding, join(folder, 'a.tif'), join(folder, 'b.tif')]);
    const text = readFileSync(join(folder, 'b.tif')).toString('latin1');
    const item = `<Item name="OVERVIEW_FILE" domain="OVERVIEWS">${path}</Item>`;
    return Buffer.from(
      text.replace(/<Item name="PAD">x+<\/Item>/, (found) => item.padEnd(found.length)),
      'latin1',
    );
  });
}

/** BigTIFF of a kilobyte: one band, no strip is there. */
export function sparseTiff(side: number): Buffer {
  return inFolder((folder) => {
    const path = join(folder, 'a.tif');
    execFileSync('python3', ['-c', MAKE_SPARSE, path, String(side)]);
    return readFileSync(path);
  });
}
/** Header, and one directory: the offsets of the tiles are all nought. */
const MAKE_SPARSE = `
import struct, sys
side = int(sys.argv[2])
tiles = ((side + 16383) // 16384) ** 2
tags = []
def tag(number, kind, values):
    size = {3: 'H', 4: 'L', 12: 'd', 16: 'Q'}[kind]
    data = struct.pack('<' + str(len(values)) + size, *values)
    tags.append((number, kind, len(values), data))
tag(256, 4, [side]); tag(257, 4, [side]); tag(258, 3, [8]); tag(259, 3, [1]); tag(262, 3, [1]); tag(277, 3, [1])
tag(322, 4, [16384]); tag(323, 4, [16384]); tag(324, 16, [0] * tiles); tag(325, 16, [0] * tiles)
tag(33550, 12, [1e-6, 1e-6, 0]); tag(33922, 12, [0, 0, 0, 8, 47, 0])
tag(34735, 3, [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326])
tags.sort()
at = 16 + 8 + 20 * len(tags) + 8
directory, more = struct.pack('<Q', len(tags)), b''
for number, kind, count, data in tags:
    if len(data) <= 8: value = data.ljust(8, b'\\0')
    else:
        value = struct.pack('<Q', at + len(more)); more += data
    directory += struct.pack('<HHQ', number, kind, count) + value
open(sys.argv[1], 'wb').write(struct.pack('<2sHHHQ', b'II', 43, 8, 0, 16) + directory + struct.pack('<Q', 0) + more)
`;
