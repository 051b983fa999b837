// Files that try to make their reader open another file or address, write elsewhere, or work without end: for every format its own
// ways. They are read by both kinds of GDAL. A file outside holds a secret, and a server on the loopback counts who calls.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { zipOf } from '../../../test/feature/uploads/zip-writer.ts';
import { describeNeeding } from '../../../test/testkit/describe-needing.ts';
import { findSandbox } from '../gdal/find-sandbox.ts';
import { inSandbox } from '../gdal/sandbox.ts';
import { startGdal, WORK } from '../gdal/start-gdal.ts';
import { findGdal } from './find-gdal.ts';
import type { EngineChoice, ReaderMessage } from './import-task.ts';
import { runReader } from './run-reader.ts';

const SECRET = 'the-secret-of-somebody-else';
const top = mkdtempSync(join(tmpdir(), 'survest-hostile-'));
const secretFile = join(top, 'secret.csv');
let calls: string[] = [];
let server: Server;
let address = '';
const native = await findGdal([secretFile]);
const sandbox = await findSandbox([secretFile]);
/** Undefined: nothing is missing. */
const NO_NATIVE = native.kind === 'native' ? undefined : (native.why ?? 'GDAL is not installed');
const NO_SANDBOX = sandbox.ok ? undefined : `no sandbox can be had: ${sandbox.error}`;
const ENGINES: readonly (readonly [name: string, engine: EngineChoice, missing: string | undefined])[] = [
  ['the programs of the machine', native, NO_NATIVE],
  ['WebAssembly', { kind: 'wasm' }, undefined],
];

beforeAll(async () => {
  writeFileSync(secretFile, `name,lat,lon\n${SECRET},47,8\n`);
  server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.end(`name,lat,lon\n${SECRET},47,8\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(top, { recursive: true, force: true });
});

type Sent = { readonly name: string; readonly content: string | Uint8Array };
type Reading = { readonly rows: string; readonly messages: readonly ReaderMessage[]; readonly failure: unknown };

let count = 0;
function makeFolder(): string {
  count += 1;
  const folder = join(top, `work${count}`);
  mkdirSync(folder);
  return folder;
}

async function read(
  engine: EngineChoice,
  sent: readonly Sent[],
  limits: { unpackedBytes?: number } = {},
): Promise<Reading> {
  const folder = makeFolder();
  const files = sent.map(({ name, content }, i) => {
    const path = join(folder, `f${i}`);
    writeFileSync(path, content);
    return { name, path };
  });
  let rows = '';
  const messages: ReaderMessage[] = [];
  const ran = await runReader(
    {
      folder,
      files,
      engine,
      answers: { crs: 'EPSG:4326' },
      mode: 'read',
      limits: { unpackedBytes: 1e9, members: 1000, memoryBytes: 2 * 1024 ** 3, ...limits },
    },
    { seconds: 60, memoryBytes: 2 * 1024 ** 3 },
    {
      onMessage: (message) => messages.push(message),
      onRows: async (chunk) => {
        rows += chunk.toString('latin1');
      },
    },
    new AbortController().signal,
    inject('scripts').reader,
  );
  const failed = messages.find((message) => message.kind === 'failed');
  return { rows, messages, failure: failed?.failure ?? (ran.ok ? undefined : ran.error) };
}

/** `kind` and what belongs to it, without quotes of its own. */
const wordsOf = (failure: unknown): string => Object.values(Object(failure)).join(' ');

/** A GeoPackage with one layer and whatever else the statements put into it; the schema can be written to. */
function geopackage(...statements: readonly (readonly [sql: string, ...values: string[]])[]): Buffer {
  const folder = makeFolder();
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
}
const inSchema = (type: string, name: string, sql: string): readonly [string, ...string[]] => [
  `insert into sqlite_master (type, name, tbl_name, rootpage, sql) values (?, ?, ?, 0, ?)`,
  type,
  name,
  name,
  sql,
];
const attributes = (table: string): readonly [string, ...string[]] => [
  `insert into gpkg_contents (table_name, data_type, identifier, srs_id) values (?, 'attributes', ?, 0)`,
  table,
  table,
];
const POINT =
  '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[8,47]}}]}';
const virtualText = (path = secretFile): string => `USING VirtualText('${path}', 'UTF-8', 1, POINT, DOUBLEQUOTE, ',')`;

const gmlOf = (name: string, attributesOfRoot = '', srs = 'EPSG:4326'): string =>
  `<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml" ${attributesOfRoot}><gml:featureMember><ogr:p><ogr:geometryProperty><gml:Point srsName="${srs}"><gml:coordinates>8,47</gml:coordinates></gml:Point></ogr:geometryProperty><ogr:name>${name}</ogr:name></ogr:p></gml:featureMember></ogr:FeatureCollection>`;
const entities = (root: string, target: string): string => `<!DOCTYPE ${root} [<!ENTITY x SYSTEM "${target}">]>`;
const workbookOf = (sheet: string, name = 'Sheet'): Buffer =>
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
const sheetOf = (name: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cell('A1', 'name')}${cell('B1', 'lat')}${cell('C1', 'lon')}</row><row r="2">${cell('A2', name)}<c r="B2"><v>47</v></c><c r="C2"><v>8</v></c></row></sheetData></worksheet>`;

type Refused = { readonly what: string; readonly sent: () => readonly Sent[]; readonly why: RegExp };
const DOCTYPE = /DOCTYPE/;
const one = (name: string, content: () => string | Uint8Array) => (): readonly Sent[] => [{ name, content: content() }];
const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const REFUSED: readonly Refused[] = [
  {
    what: 'a virtual table that shows a file',
    sent: one('a.gpkg', () =>
      geopackage(inSchema('table', 'leak', `CREATE VIRTUAL TABLE leak ${virtualText()}`), attributes('leak')),
    ),
    why: /virtual table "leak" \(VirtualText\)/,
  },
  {
    what: 'a virtual table written with comments, under another type',
    sent: one('a.gpkg', () =>
      geopackage(
        inSchema('index', 'leak', `create/* */vIrtual -- x\n\ttable"leak"${virtualText()}`),
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
        inSchema('table', 'leak', `CREATE VIRTUAL TABLE leak ${virtualText()}`),
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
          `<?xml version="1.0" encoding="${charset}"?>${entities('ogr:FeatureCollection', `file://${secretFile}`)}${gmlOf('&x;')}`,
      ),
      why: charset === 'UTF-7' ? /character set|UTF-7/ : DOCTYPE,
    }),
  ),
  {
    what: 'an external entity in GML of two bytes per character',
    sent: one('a.gml', () => wide(`<?xml version="1.0"?>${entities('x', `file://${secretFile}`)}${gmlOf('&x;')}`)),
    why: DOCTYPE,
  },
  {
    what: 'an external entity that is an address',
    sent: one(
      'a.gml',
      () => `<?xml version="1.0" encoding="windows-1252"?>${entities('x', `${address}/a.none`)}${gmlOf('&x;')}`,
    ),
    why: DOCTYPE,
  },
  {
    what: 'a document type from an address',
    sent: one('a.gml', () => `<!--x--> <!DOCTYPE x SYSTEM "${address}/a.dtd">${gmlOf('a')}`),
    why: DOCTYPE,
  },
  {
    what: 'an external entity in GPX',
    sent: one(
      'a.gpx',
      () =>
        `<?xml version="1.0"?>${entities('gpx', `file://${secretFile}`)}<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47" lon="8"><name>&x;</name></wpt></gpx>`,
    ),
    why: DOCTYPE,
  },
  {
    what: 'an external entity in KML',
    sent: one(
      'a.kml',
      () =>
        `${entities('kml', `file://${secretFile}`)}<kml><Placemark><name>&x;</name><Point><coordinates>8,47</coordinates></Point></Placemark></kml>`,
    ),
    why: /document type/,
  },
  {
    what: 'an external entity in KMZ',
    sent: one('a.kmz', () =>
      zipOf([
        {
          name: 'doc.kml',
          content: `${entities('kml', `file://${secretFile}`)}<kml><Placemark><name>&x;</name><Point><coordinates>8,47</coordinates></Point></Placemark></kml>`,
        },
      ]),
    ),
    why: /document type/,
  },
  {
    what: 'an external entity in a workbook',
    sent: one('a.xlsx', () => workbookOf(sheetOf('&x;', entities('worksheet', `file://${secretFile}`)))),
    why: DOCTYPE,
  },
  {
    what: 'a virtual dataset',
    sent: one('a.json', () => vrt(secretFile)),
    why: /virtual dataset/,
  },
  {
    what: 'a raster whose overviews are the raster of somebody else',
    sent: one('a.tif', () => tiffWithOverviewsOf(join(top, 'secret.tif'))),
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

const elements = (n: number): string => Array.from({ length: n }, (_, i) => `<ogr:e${i}>1</ogr:e${i}>`).join('');
const vrt = (path: string): string =>
  `<OGRVRTDataSource><OGRVRTLayer name="${path.replace(/^.*\//, '').replace(/\..*$/, '')}"><SrcDataSource>${path}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>`;

/** What GDAL keeps of a raster in its own tag says where the overviews are. */
function tiffWithOverviewsOf(path: string): Buffer {
  const folder = makeFolder();
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
}

/** BigTIFF of a kilobyte: one band, no strip is there. */
function sparseTiff(side: number): Buffer {
  const path = join(makeFolder(), 'a.tif');
  const options = ['SPARSE_OK=TRUE', 'TILED=YES', 'BLOCKXSIZE=4096', 'BLOCKYSIZE=4096', 'BIGTIFF=YES'];
  const source = join(makeFolder(), 'a.vrt');
  writeFileSync(
    source,
    `<VRTDataset rasterXSize="${side}" rasterYSize="${side}"><SRS>EPSG:4326</SRS><GeoTransform>8, 0.000001, 0, 47, 0, -0.000001</GeoTransform><VRTRasterBand dataType="Byte" band="1"/></VRTDataset>`,
  );
  execFileSync('python3', ['-c', MAKE_SPARSE, source, path, String(side), ...options]);
  return readFileSync(path);
}
/** Header, and one directory: the offsets of the tiles are all nought. */
const MAKE_SPARSE = `
import struct, sys
side = int(sys.argv[3])
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
open(sys.argv[2], 'wb').write(struct.pack('<2sHHHQ', b'II', 43, 8, 0, 16) + directory + struct.pack('<Q', 0) + more)
`;

for (const [name, engine, missing] of ENGINES) {
  describeNeeding(missing, `read by ${name}`, () => {
    test.each(REFUSED)(
      '$what is refused',
      async ({ sent, why }) => {
        calls = [];
        const { rows, failure } = await read(engine, sent());
        expect(wordsOf(failure)).toMatch(why);
        expect(rows).not.toContain(SECRET);
        expect(calls).toEqual([]);
      },
      60_000,
    );

    test.each([
      [
        'a schema that is a file of somebody else',
        () =>
          gmlOf(
            'a',
            `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://ogr.maptools.org/ ${secretFile}"`,
          ),
      ],
      [
        'a schema that is an address',
        () =>
          gmlOf(
            'a',
            `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://ogr.maptools.org/ ${address}/a.xsd"`,
          ),
      ],
      ['a coordinate system that is an address', () => gmlOf('a', '', `${address}/crs`)],
      ['a coordinate system that is a file', () => gmlOf('a', '', secretFile)],
      [
        'a value that is elsewhere',
        () =>
          gmlOf(
            `</ogr:name><ogr:other xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${address}/a.gml#x"/><ogr:name>`,
          ),
      ],
    ])(
      'GML with %s leads nowhere',
      async (_what, content) => {
        calls = [];
        const { rows } = await read(engine, [{ name: 'a.gml', content: content() }]);
        expect(rows).not.toContain(SECRET);
        expect(calls).toEqual([]);
      },
      60_000,
    );

    test.each(['link', 'url', 'name', 'file'])(
      'GeoJSON whose coordinate system is a %s leads nowhere',
      async (type) => {
        calls = [];
        const where = type === 'file' ? secretFile : `${address}/crs`;
        const crs = { type, properties: { href: where, url: where, name: where } };
        const content = JSON.stringify({ ...JSON.parse(POINT), crs });
        const { rows } = await read(engine, [{ name: 'a.geojson', content }]);
        expect(rows).not.toContain(SECRET);
        expect(calls).toEqual([]);
      },
      60_000,
    );

    test('a workbook whose sheet is named like a path writes nothing outside', async () => {
      const target = join(top, 'written');
      const up = '../../../../../../../../../..';
      await read(engine, [{ name: 'a.xlsx', content: workbookOf(sheetOf('a'), `${up}${target}`) }]);
      expect(existsSync(`${target}.csv`)).toBe(false);
    }, 60_000);

    test('what is as it should be is read', async () => {
      for (const [name, content] of [
        ['a.gpkg', geopackage()],
        ['a.gml', gmlOf('Zürich')],
        ['a.gml', wide(`<?xml version="1.0" encoding="UTF-16"?>${gmlOf('Zürich')}`)],
        ['a.gml', Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${gmlOf('Zürich')}`, 'latin1')],
        ['a.xlsx', workbookOf(sheetOf('Zürich'))],
        ['a.geojson', POINT],
        ['a.tif', sparseTiff(1000)],
      ] as const) {
        const { failure, rows, messages } = await read(engine, [{ name, content }]);
        expect(failure, name).toBeUndefined();
        expect(messages.at(-1)?.kind).toBe('done');
        if (/gml|xlsx/.test(name)) expect(Buffer.from(rows, 'latin1').toString()).toContain('Zürich');
      }
    }, 60_000);
  });
}

describe('without any check before', () => {
  /** Name and content of files that lead out, for a GDAL with all its drivers. */
  const LEADING_OUT: readonly (readonly [name: string, content: () => string | Uint8Array])[] = [
    ['file.vrt', () => vrt(secretFile)],
    ['up.vrt', () => vrt(`../../../../../../../../../../..${secretFile}`)],
    ['address.vrt', () => vrt(`/vsicurl/${address}/secret.csv`)],
    [
      'text.gpkg',
      () => geopackage(inSchema('table', 'leak', `CREATE VIRTUAL TABLE leak ${virtualText()}`), attributes('leak')),
    ],
    [
      'entity.gml',
      () => `<?xml version="1.0" encoding="windows-1252"?>${entities('x', `file://${secretFile}`)}${gmlOf('&x;')}`,
    ],
    [
      'entity-address.gml',
      () => `<?xml version="1.0" encoding="windows-1252"?>${entities('x', `${address}/a.none`)}${gmlOf('&x;')}`,
    ],
  ];

  const ogr2ogr = (folder: string, name: string): readonly string[] => [
    'ogr2ogr',
    ...['-f', 'CSV', '-skipfailures', join(folder, 'out'), join(folder, name)],
  ];
  function run(command: readonly string[], folder: string): string {
    const [program = '', ...args] = command;
    try {
      execFileSync(program, args, { stdio: 'pipe', cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
    } catch {
      // That it fails is one of the ways to lead nowhere.
    }
    return outputs(folder);
  }
  const outputs = (folder: string): string =>
    existsSync(join(folder, 'out'))
      ? execFileSync('sh', ['-c', 'cat out* out/* 2>/dev/null || true'], { cwd: folder, encoding: 'utf8' })
      : '';

  describeNeeding(NO_NATIVE, 'by the programs of the machine', () => {
    test('these files lead somewhere where nobody is shut in', () => {
      const folder = makeFolder();
      writeFileSync(join(folder, 'file.vrt'), vrt(secretFile));
      expect(run(ogr2ogr(folder, 'file.vrt'), folder)).toContain(SECRET);
    });

    test.each(LEADING_OUT)('%s leads nowhere in the sandbox', (name, content) => {
      if (!sandbox.ok) throw new Error(sandbox.error);
      calls = [];
      const folder = makeFolder();
      writeFileSync(join(folder, name), content());
      const seen = run(inSandbox(sandbox.value, { folder, readable: [] }, ogr2ogr(folder, name)), folder);
      expect(seen).not.toContain(SECRET);
      expect(calls).toEqual([]);
    });
  });

  test('none of them leads anywhere in WebAssembly', async () => {
    calls = [];
    // There can be one only in a process.
    const folder = makeFolder();
    const { module, call, strings } = await startGdal(folder, {});
    writeFileSync(join(folder, 'own.csv'), 'name\nits-own-file\n');
    for (const [name, content] of [...LEADING_OUT, ['own.vrt', () => vrt(`${WORK}/own.csv`)] as const]) {
      writeFileSync(join(folder, name), content());
      const opening = ['string', 'number', 'number', 'number', 'number'];
      const dataset = call('GDALOpenEx', opening, [`${WORK}/${name}`, 4, 0, 0, 0]);
      if (dataset === 0) continue;
      const wanted = strings(['-f', 'CSV', '-skipfailures', '-overwrite']);
      const options = call('GDALVectorTranslateOptionsNew', ['number', 'number'], [wanted, 0]);
      const list = module._malloc(4);
      module.setValue(list, dataset, '*');
      const types = ['string', 'number', 'number', 'number', 'number', 'number'];
      const made = call('GDALVectorTranslate', types, [`${WORK}/out`, 0, 1, list, options, 0]);
      if (made !== 0) module.ccall('GDALClose', null, ['number'], [made]);
      expect(outputs(folder), name).not.toContain(SECRET);
    }
    expect(calls).toEqual([]);
    expect(outputs(folder)).toContain('its-own-file');
  }, 60_000);
});

describeNeeding(NO_SANDBOX, 'the sandbox', () => {
  test('a sandbox that shows what it must not is none', async () => {
    expect(await findSandbox(['/usr/bin/env'])).toEqual({ ok: false, error: '/usr/bin/env can be read' });
  });

  test('without a sandbox the programs of the machine are not used, and it is said why', async () => {
    const found = await findGdal(['/usr/bin/env']);
    expect(found).toEqual({ kind: 'wasm', why: 'no sandbox can be had: /usr/bin/env can be read' });
  });
});
