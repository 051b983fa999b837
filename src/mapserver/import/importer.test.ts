// Every format, read by both kinds of GDAL, held against what GDAL itself puts into the same database.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { feature } from 'topojson-client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { crc32, zipOf } from '../../../test/feature/uploads/zip-writer.ts';
import { onEachEngine, type TestDatabase } from '../../../test/testkit/database.ts';
import { describeNeeding } from '../../../test/testkit/describe-needing.ts';
import {
  asciiGrid,
  type GdalProgram,
  type GdalPrograms,
  makeGdalPrograms,
} from '../../../test/testkit/gdal-programs.ts';
import { missing } from '../../../test/testkit/machine.ts';
import { PORTAL_SCHEMA } from '../../../test/testkit/portal-schema.ts';
import { pointShapefile } from '../../../test/testkit/shapefile-writer.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import type { Result } from '../../kernel/result.ts';
import type { Staged, StagedTable } from '../../layer-ports/staged.ts';
import { findGdal } from './find-gdal.ts';
import type { ImportStop } from './import-stop.ts';
import type { Answers, EngineChoice } from './import-task.ts';
import { makeImporter } from './importer.ts';

const native = await findGdal();
/** What is missing for one of the two kinds of GDAL; undefined: nothing. */
const LACKS = {
  native: missing('gdal', 'bubblewrap') ?? (native.kind === 'native' ? undefined : `a sandbox: ${native.why}`),
  wasm: undefined,
} as const;

/** In which order the parts of an area stand is not the same in every version of GDAL. */
const COMPARED = 'case when st_dimension(geom) = 2 then st_normalize(st_multi(geom)) else st_multi(geom) end';

type Row = Readonly<Record<string, unknown>>;
type Theirs = { readonly rows: readonly Row[]; readonly types: Row };

type RunGdal = (program: GdalProgram, ...args: string[]) => Promise<string>;

type Sample = {
  readonly what: string;
  readonly files: readonly string[];
  /** What GDAL's own program is given; undefined: the first file. */
  readonly source?: string;
  readonly sourceArgs?: readonly string[];
  readonly answers?: Answers;
  /** Layers of the source, where it has several. */
  readonly layers?: readonly string[];
  /** Columns that only one of the two has. */
  readonly without?: readonly string[];
};

/** What GDAL makes of ids and boxes where it is told nothing of them. */
const GML_COLUMNS: readonly string[] = ['gml_id', 'fid', 'lowerCorner', 'upperCorner'];

const SAMPLES: readonly Sample[] = [
  { what: 'Natural Earth as GeoJSON', files: ['earth.geojson'] },
  { what: 'Natural Earth as a shapefile', files: ['earth.zip'], source: 'earth.shp' },
  { what: 'Natural Earth as a GeoPackage', files: ['earth.gpkg'] },
  { what: 'Natural Earth as FlatGeobuf', files: ['earth.fgb'] },
  { what: 'Natural Earth as GML', files: ['earth.gml'], without: GML_COLUMNS },
  { what: 'GeoJSON', files: ['mixed.geojson'] },
  { what: 'polygons and multipolygons', files: ['polygons.geojson'] },
  { what: 'lines', files: ['lines.geojson'] },
  { what: 'collections of points', files: ['multipoints.geojson'] },
  { what: 'newline-delimited GeoJSON', files: ['points.geojsonl'] },
  { what: 'a shapefile', files: ['points.shp', 'points.dbf', 'points.shx', 'points.prj', 'points.cpg'] },
  { what: 'a shapefile of polygons in another CRS', files: ['utm.shp', 'utm.dbf', 'utm.shx', 'utm.prj'] },
  { what: 'a zipped shapefile', files: ['points.zip'], source: 'points.shp' },
  { what: 'a zipped shapefile in a folder', files: ['folder.zip'], source: 'points.shp' },
  { what: 'a shapefile in another character set', files: ['cyrillic.zip'], source: 'cyrillic.shp' },
  { what: 'a shapefile in a character set of DOS', files: ['umlaut.zip'], source: 'umlaut.shp' },
  { what: 'a shapefile with heights', files: ['heights.zip'], source: 'heights.shp' },
  { what: 'a GeoPackage with two layers', files: ['two.gpkg'], layers: ['first layer', 'second'] },
  { what: 'FlatGeobuf', files: ['points.fgb'] },
  { what: 'GML', files: ['points.gml'], without: GML_COLUMNS },
  { what: 'GML with its schema', files: ['typed.gml', 'typed.xsd'], without: GML_COLUMNS },
  { what: 'GPX', files: ['track.gpx'], layers: ['waypoints', 'tracks'] },
  // The GDAL that comes along reads names and descriptions of KML alone: the features are those of the other file.
  { what: 'KML', files: ['points.kml'], source: 'points.geojson' },
  { what: 'KMZ', files: ['points.kmz'], source: 'points.geojson' },
  { what: 'KMZ of several files', files: ['pieces.kmz'], source: 'points.geojson' },
  {
    what: 'CSV',
    files: ['points.csv'],
    sourceArgs: [
      '-oo',
      'X_POSSIBLE_NAMES=lon',
      '-oo',
      'Y_POSSIBLE_NAMES=lat',
      '-oo',
      'AUTODETECT_TYPE=YES',
      '-a_srs',
      'EPSG:4326',
    ],
  },
  {
    what: 'CSV with WKT',
    files: ['wkt.csv'],
    answers: { crs: 'EPSG:25832' },
    sourceArgs: [
      '-oo',
      'GEOM_POSSIBLE_NAMES=wkt',
      '-oo',
      'KEEP_GEOM_COLUMNS=NO',
      '-oo',
      'AUTODETECT_TYPE=YES',
      '-a_srs',
      'EPSG:25832',
    ],
  },
  {
    what: 'Excel',
    files: ['points.xlsx'],
    source: 'points.csv',
    sourceArgs: [
      '-oo',
      'X_POSSIBLE_NAMES=lon',
      '-oo',
      'Y_POSSIBLE_NAMES=lat',
      '-oo',
      'AUTODETECT_TYPE=YES',
      '-a_srs',
      'EPSG:4326',
    ],
  },
];

/** Numbers that fifteen digits do not tell from their neighbours, and the two largest, which these would exceed. */
const DIGITS = [0.1 + 0.2, 123456789.12345679, 2 ** -60, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1.5, null];
const DIGITS_FILES = ['digits.geojson', 'digits.geojsonl', 'digits.gpkg', 'digits.fgb', 'digits.csv', 'digits.xlsx'];

/** Every test runs with both readers, and on both engines: what is read does not depend on the database, so each reader has one. */
const PAIRS = [
  ['postgres', 'native'],
  ['pglite', 'wasm'],
] as const;

for (const [engine, gdal] of PAIRS)
  onEachEngine('importing', { fixtures: PORTAL_SCHEMA, engines: [engine] }, (db) => {
    describeNeeding(LACKS[gdal], `by ${gdal}`, () => {
      const desk = makeDesk(db);
      test.each(SAMPLES)('is what GDAL reads: $what', async (sample) => {
        const done = await desk.stage(gdal, sample.files, sample.answers, async ({ layers }) => {
          expect(layers).toHaveLength(sample.layers?.length ?? 1);
          for (const [i, layer] of layers.entries()) {
            if (layer.kind !== 'vector') throw new Error('not a table');
            const ours = await desk.ourRows(layer, sample.without ?? []);
            const theirs = await desk.theirRows(sample, sample.layers?.[i]);
            expect(ours).toEqual(theirs.rows);
            // The texts of tables are typed by ourselves, and GDAL does it by another rule.
            if (!/CSV|Excel|KM/.test(sample.what)) {
              const types = await desk.types(`staging."${layer.table}"`, layer.columns, sample.without ?? []);
              expect(types).toEqual(theirs.types);
            }
            expect(ours.length).toBeGreaterThan(0);
          }
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('leaves a table with key, index, types and statistics', async () => {
        const done = await desk.stage(gdal, ['polygons.geojson'], {}, async ({ layers: [layer] }) => {
          expect(layer).toMatchObject({
            kind: 'vector',
            title: '',
            key: 'fid',
            geometry: { column: 'geom', type: { kind: 'MultiPolygon', suffix: '' } },
            rows: 2,
            place: { srid: 4326, crs: 'EPSG:4326', extent: { native: [7, 46, 9, 48], wgs84: [7, 46, 9, 48] } },
          });
          if (layer?.kind !== 'vector') throw new Error('no table');
          const indexes = await db().query<{ indexdef: string }>(
            `select indexdef from pg_indexes where tablename = $1 order by 1`,
            [layer.table],
          );
          expect(indexes.map(({ indexdef }) => indexdef.replace(/^.* USING /, ''))).toEqual([
            'gist (geom)',
            'btree (fid)',
          ]);
        });
        expect(done.ok).toBe(true);
        expect(await desk.left()).toEqual([]);
      });

      test('reads rasters into cloud-optimised files with overviews', async () => {
        const done = await desk.stage(gdal, ['raster.tif'], {}, async ({ layers: [layer] }) => {
          expect(layer).toMatchObject({
            kind: 'raster',
            width: 1200,
            height: 600,
            bands: [{ type: 'Byte', nodata: 255, color: 'Gray' }],
            place: { srid: 4326, crs: 'EPSG:4326' },
          });
          if (layer?.kind !== 'raster') throw new Error('no raster');
          const info = JSON.parse(await desk.gdal('gdalinfo', '-json', layer.path));
          expect(info.metadata.IMAGE_STRUCTURE).toMatchObject({ LAYOUT: 'COG', COMPRESSION: 'DEFLATE' });
          expect(info.bands[0].overviews.length).toBeGreaterThan(0);
          expect(layer.place.extent?.native.map((edge) => Math.round(edge * 1e6) / 1e6)).toEqual([5, 45, 17, 51]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('reads ASCII grids, with the coordinate system beside them or the one that is answered', async () => {
        // A .prj names its system by words alone; it is kept as it stands there.
        const grids = [
          [['grid.zip'], {}, /^SURVEST:96\d{4}$/],
          [['grid.asc'], { crs: 'EPSG:25832' }, /^EPSG:25832$/],
          [['grid.asc', 'grid.prj'], {}, /^SURVEST:96\d{4}$/],
          [['grid.zip'], { crs: 'EPSG:25832' }, /^EPSG:25832$/],
        ] as const;
        for (const [files, answers, crs] of grids) {
          const done = await desk.stage(gdal, files, answers, async ({ layers: [layer] }) => {
            expect(layer).toMatchObject({
              kind: 'raster',
              width: 3,
              height: 2,
              bands: [{ type: 'Float32', nodata: -9999 }],
              place: { crs: expect.stringMatching(crs) },
            });
            if (layer?.kind !== 'raster') throw new Error('no raster');
            expect(layer.place.extent?.wgs84.map((edge) => Math.round(edge * 10) / 10)).toEqual([9, 47, 9, 47]);
            expect(layer.place.extent?.native).toEqual([500000, 5200000, 500300, 5200200]);
            await desk.gdal('gdal_translate', '-q', '-of', 'XYZ', layer.path, 'grid.xyz');
            expect(readFileSync(desk.path('grid.xyz'), 'utf8')).toContain('500250 5200150 3.5\n');
          });
          if (!done.ok) throw new Error(JSON.stringify(done.error));
        }
        expect(await desk.stage(gdal, ['grid.asc'])).toMatchObject({
          error: { kind: 'question', question: { kind: 'crs', file: 'grid.asc' } },
        });
        expect(await desk.stage(gdal, ['huge.asc'], { crs: 'EPSG:25832' })).toMatchObject({
          error: { failure: { kind: 'too-many-pixels', file: 'huge.asc', width: 2_000_000 } },
        });
        expect(await desk.stage(gdal, ['short.asc'], { crs: 'EPSG:25832' })).toMatchObject({
          error: { failure: { kind: 'unreadable', file: 'short.asc' } },
        });
      });

      test('reads pictures with a world file, and ERDAS Imagine', async () => {
        const pictures = [
          [['photo.zip'], {}, /^SURVEST:96\d{4}$/],
          [['photo.img'], {}, /^(?:EPSG:25832|SURVEST:96\d{4})$/],
          [['photo.png', 'photo.wld'], { crs: 'EPSG:25832' }, /^EPSG:25832$/],
          [['photo.png', 'photo.wld', 'photo.prj'], {}, /^SURVEST:96\d{4}$/],
          [['photo.jpg', 'photo.wld', 'photo.prj'], {}, /^SURVEST:96\d{4}$/],
          [['plain.tif', 'photo.wld', 'photo.prj'], {}, /^SURVEST:96\d{4}$/],
        ] as const;
        for (const [files, answers, crs] of pictures) {
          const done = await desk.stage(gdal, files, answers, async ({ layers: [layer] }) => {
            expect(layer).toMatchObject({
              kind: 'raster',
              width: 12,
              height: 6,
              place: { crs: expect.stringMatching(crs) },
            });
            if (layer?.kind !== 'raster') throw new Error('no raster');
            expect(layer.place.extent?.native).toEqual([500000, 5199400, 501200, 5200000]);
            expect(layer.place.extent?.wgs84.map((edge) => Math.round(edge * 10) / 10)).toEqual([9, 46.9, 9, 47]);
          });
          if (!done.ok) throw new Error(JSON.stringify([files, done.error]));
        }
        expect(await desk.stage(gdal, ['photo.png', 'photo.wld'])).toMatchObject({
          error: { kind: 'question', question: { kind: 'crs', file: 'photo.png' } },
        });
        expect(await desk.stage(gdal, ['photo.png'], { crs: 'EPSG:25832' })).toMatchObject({
          error: { failure: { kind: 'not-georeferenced', file: 'photo.png' } },
        });
        // Only a coordinate system in words is one: GDAL would open a file of the name that stands there.
        expect(await desk.stage(gdal, ['photo.png', 'photo.wld', 'named.prj'])).toMatchObject({
          error: { kind: 'question', question: { kind: 'crs', file: 'photo.png' } },
        });
        expect(await desk.stage(gdal, ['bomb.png', 'photo.wld'], { crs: 'EPSG:25832' })).toMatchObject({ ok: false });
      });

      test('says of a GeoPackage that holds a raster alone what to do with it', async () => {
        expect(await desk.stage(gdal, ['raster.gpkg'])).toMatchObject({
          error: { failure: { kind: 'unreadable', file: 'raster.gpkg', said: expect.stringContaining('GeoTIFF') } },
        });
      });

      test('counts a text of several lines as one feature', async () => {
        const done = await desk.stage(gdal, ['breaks.geojson'], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          expect(layer.rows).toBe(2);
          expect(layer.columns.find(({ name }) => name === 'n')?.statistics).toMatchObject({ count: 2 });
          expect(await db().query(`select t, n from staging."${layer.table}" order by n`)).toEqual([
            { t: 'one\n0103000020E6100000ABCD\r\nthree\\\n\\.\n', n: 1 },
            { t: '\n', n: 2 },
          ]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test.each(DIGITS_FILES)('keeps every digit of the numbers in %s', async (file) => {
        const done = await desk.stage(gdal, [file], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          const rows = await db().query<{ d: number | null; e: number; x: number }>(
            `select d, e, st_x(geom) as x from staging."${layer.table}" order by n`,
          );
          expect(rows).toEqual(DIGITS.map((d) => ({ d, e: 0.1 + 0.2, x: 0.1 + 0.2 })));
          expect(layer.columns.filter(({ label }) => !/^(?:n|d|e"|lon|lat|mixed)$/.test(label))).toEqual([]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('numbers among texts of a workbook are as people see them', async () => {
        const done = await desk.stage(gdal, ['digits.xlsx'], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          const rows = await db().query(`select mixed from staging."${layer.table}" where n < 3 order by n`);
          expect(rows).toEqual([{ mixed: 'n/a' }, { mixed: '1.1' }, { mixed: '0.30000000000000004' }]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('tells of columns whose numbers keep 15 digits', async () => {
        const done = await desk.stage(gdal, ['lists.geojson'], {}, async ({ warnings }) => {
          expect(warnings).toEqual(['Numbers of the column "many" keep 15 digits.']);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('keeps small numbers of shapefiles', async () => {
        const done = await desk.stage(
          gdal,
          ['small.shp', 'small.dbf', 'small.shx', 'small.prj'],
          {},
          async (staged) => {
            const [layer] = staged.layers;
            if (layer?.kind !== 'vector') throw new Error('no table');
            expect(await db().query(`select v from staging."${layer.table}" order by v`)).toEqual([
              { v: 1.2345678901e-20 },
              { v: 98765.4321 },
            ]);
          },
        );
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('takes blank, zero and impossible values of a .dbf for null', async () => {
        const files = ['shp', 'dbf', 'shx', 'prj'].map((part) => `blank.${part}`);
        const done = await desk.stage(gdal, files, {}, async ({ layers: [layer], warnings }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          const rows = await db().query<Row>(
            `select d::text as d, n, f, l, t from staging."${layer.table}" order by st_x(geom)`,
          );
          const none = { d: null, n: null, f: null, l: null, t: null };
          expect(rows).toEqual([
            { d: '2021-05-17', n: 12, f: 1.5, l: true, t: 'abc' },
            none,
            { ...none, t: '?' },
            none,
            { d: '2024-02-29', n: 0, f: 0, l: false, t: '0' },
            { ...none, d: '0001-01-01', l: true },
            { ...none, l: false },
            none,
          ]);
          expect(warnings).toEqual([
            '3 values of the column "d" cannot be read as a day of the calendar: left empty.',
            '1 value of the column "l" cannot be read as true or false: left empty.',
          ]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test.each(['kinds.geojson', 'kinds.geojsonl'])('a property of several kinds in %s is a text', async (file) => {
        const done = await desk.stage(gdal, [file], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          expect(await desk.types(`staging."${layer.table}"`, layer.columns, [])).toEqual({
            code: 'text',
            flag: 'text',
            loose: 'text',
            straße: 'text',
            number: 'double precision',
            object: 'jsonb',
            list: 'jsonb',
          });
          const rows = await db().query<Row>(`select * from staging."${layer.table}" order by fid`);
          expect(rows).toMatchObject([
            { code: '8000', flag: 'true', loose: '{ "a": 1 }', number: 1, object: { a: 'x' }, list: [1, { b: 2 }] },
            { code: '08001 "b"\n', flag: 'no', loose: 'a', number: null, object: null, list: ['x', [1]] },
            { code: '1.5', flag: 'false', loose: null, number: 2.5, object: { c: [1] }, list: { d: 1 } },
          ]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('takes days that no calendar has for null, whatever the format', async () => {
        const done = await desk.stage(gdal, ['days.geojson'], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          const rows = await db().query(`select d::text as d from staging."${layer.table}" order by n`);
          expect(rows).toEqual([{ d: '2021-02-28' }, { d: null }]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('keeps heights of KML that are meant as such', async () => {
        const done = await desk.stage(gdal, ['heights.kml'], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          expect(layer.geometry.type).toEqual({ kind: 'MultiLineString', suffix: 'Z' });
          expect(await db().query(`select st_asewkt(geom) as geom from staging."${layer.table}"`)).toEqual([
            { geom: 'SRID=4326;MULTILINESTRING((8 47 400,8.1 47.1 410.5))' },
          ]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('keeps heights of GeoJSON that has several types of geometry', async () => {
        const done = await desk.stage(gdal, ['mixed-heights.geojson'], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          expect(layer.geometry.type).toEqual({ kind: 'Geometry', suffix: 'Z' });
          expect(await db().query(`select st_asewkt(geom) as geom from staging."${layer.table}" order by 1`)).toEqual([
            { geom: 'SRID=4326;MULTILINESTRING((8 47 400,9 48 0))' },
            { geom: 'SRID=4326;POINT(8 47 12.5)' },
          ]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('keeps a coordinate system that has no code, under a number of ours', async () => {
        const done = await desk.stage(gdal, ['custom.zip'], {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no features');
          expect(layer.place).toMatchObject({
            srid: expect.any(Number),
            crs: expect.stringMatching(/^SURVEST:96\d{4}$/),
          });
          const [west, south] = layer.place.extent?.wgs84 ?? [];
          expect([Math.round(west ?? 0), Math.round(south ?? 0)]).toEqual([8, 47]);
        });
        if (!done.ok) throw new Error(JSON.stringify(done.error));
      });

      test('asks where the data do not tell', async () => {
        const crs = await desk.stage(gdal, ['points.shp', 'points.dbf', 'points.shx']);
        expect(crs).toMatchObject({
          ok: false,
          error: { kind: 'question', question: { kind: 'crs', file: 'points.shp' } },
        });
        const columns = await desk.stage(gdal, ['places.csv']);
        expect(columns).toMatchObject({
          ok: false,
          error: { kind: 'question', question: { kind: 'columns', columns: ['name', 'a', 'b'] } },
        });
        const answered = await desk.stage(gdal, ['places.csv'], { x: 'a', y: 'b', crs: 'EPSG:25832' });
        expect(answered).toMatchObject({ ok: true, value: { layers: [{ place: { srid: 25832 } }] } });
        expect(await desk.left()).toEqual([]);
      });
    });
  });

/** Samples and what GDAL's own program makes of them are made once, for both kinds of ours. */
let samplesMade: Promise<string> | undefined;
let programs: GdalPrograms | undefined;
const gdal: RunGdal = async (program, ...args) => (await programs?.run(program, args)) ?? '';

function sampleFolder(): Promise<string> {
  samplesMade ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'survest-import-samples-'));
    programs = makeGdalPrograms(folder);
    await makeSamples(folder, gdal);
    return folder;
  })();
  return samplesMade;
}
afterAll(async () => {
  programs?.close();
  if (samplesMade !== undefined) rmSync(await samplesMade, { recursive: true, force: true });
});

type Dump = { readonly table: string; readonly dump: string };
const dumps = new Map<string, Promise<Dump>>();

/** A sample as GDAL's own program writes it for PostgreSQL. */
function dumpOf(sample: Sample, layer: string | undefined): Promise<Dump> {
  const key = `${sample.what} ${layer}`;
  const known = dumps.get(key) ?? makeDump(`theirs_${dumps.size + 1}`, sample, layer);
  dumps.set(key, known);
  return known;
}

async function makeDump(
  table: string,
  { files, source, sourceArgs = [] }: Sample,
  layer: string | undefined,
): Promise<Dump> {
  await gdal(
    'ogr2ogr',
    ...['-f', 'PGDump', `${table}.sql`, source ?? files[0] ?? ''],
    ...(layer === undefined ? [] : [layer]),
    ...['-nln', table, '-lco', 'LAUNDER=NO', '-lco', 'GEOMETRY_NAME=geom', '-lco', 'FID=fid', '-lco', 'PRECISION=NO'],
    ...['-lco', 'CREATE_SCHEMA=OFF', '-lco', 'DROP_TABLE=OFF', '-nlt', 'CONVERT_TO_LINEAR', '-nlt', 'PROMOTE_TO_MULTI'],
    ...sourceArgs,
  );
  return { table, dump: readFileSync(join(await sampleFolder(), `${table}.sql`), 'utf8') };
}

function makeDesk(db: () => TestDatabase): {
  stage(
    gdal: EngineChoice['kind'],
    names: readonly string[],
    answers?: Answers,
    look?: (staged: Staged) => Promise<void>,
  ): Promise<Result<Staged, ImportStop>>;
  ourRows(layer: StagedTable, without: readonly string[]): Promise<Row[]>;
  theirRows(sample: Sample, layer: string | undefined): Promise<Theirs>;
  /** Types by the names of the file, without what is said of lengths. */
  types(table: string, columns: readonly { name: string; label: string }[], without: readonly string[]): Promise<Row>;
  gdal(program: GdalProgram, ...args: string[]): Promise<string>;
  /** A file in its folder. */
  path(name: string): string;
  left(): Promise<string[]>;
} {
  let folder = '';
  let samples = '';
  let blobs: BlobStore;
  let next = 0;
  const theirs = new Map<string, Promise<Theirs>>();
  beforeAll(async () => {
    samples = await sampleFolder();
    // GDAL looks into what was made there, and sees one folder.
    folder = mkdtempSync(join(samples, 'desk-'));
    blobs = await openDiskStore(join(folder, 'blobs'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function types(
    table: string,
    columns: readonly { name: string; label: string }[],
    without: readonly string[],
  ): Promise<Row> {
    const labels = new Map(columns.map(({ name, label }) => [name, label]));
    const found = await db().query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname not in ('fid', 'geom')`,
      [table],
    );
    return plain(
      Object.fromEntries(
        found.map(({ name, type }) => [
          labels.get(name) ?? name,
          // A text is a text, JSON is JSON, whichever of their two kinds.
          type.replace('character varying', 'text').replace(/^json$/, 'jsonb'),
        ]),
      ),
      without,
    );
  }

  return {
    gdal,
    path: (name) => join(samples, name),
    async stage(gdal, names, answers = {}, look = async () => {}) {
      next += 1;
      const files: { name: string; blob: string }[] = [];
      for (const name of names) {
        const blob = `uploads/t${next}-${files.length}`;
        await blobs.put(blob, once(readFileSync(join(samples, name))));
        files.push({ name: basename(name), blob });
      }
      const engine: EngineChoice = gdal === 'wasm' ? { kind: 'wasm' } : native;
      const importer = makeImporter({
        driver: db().driver,
        blobs,
        engine,
        workFolder: join(folder, 'work'),
        reader: inject('scripts').reader,
      });
      const { signal } = new AbortController();
      return importer.run(
        { id: next, files, answers },
        () => {},
        signal,
        async (staged) => {
          await look(staged);
          return staged;
        },
      );
    },
    async ourRows(layer, without) {
      const labels = new Map(layer.columns.map(({ name, label }) => [name, label]));
      const rows = await db().query<Row>(
        `select to_jsonb(t) - 'geom' - 'fid' || jsonb_build_object('geom', st_asewkt(${COMPARED}, 9)) as row
           from staging."${layer.table}" t order by fid`,
      );
      return rows.map(({ row }) =>
        plain(
          Object.fromEntries(Object.entries(row as Row).map(([name, value]) => [labels.get(name) ?? name, value])),
          without,
        ),
      );
    },
    async theirRows(sample, layer) {
      const key = `${sample.what} ${layer}`;
      const known = theirs.get(key) ?? readTheirs(sample, layer);
      theirs.set(key, known);
      return known;
    },
    types,
    async left() {
      const tables = await db().query<{ relname: string }>(
        `select relname from pg_class where relnamespace = 'staging'::regnamespace and relkind = 'r' and relname <> 'run'`,
      );
      return [...tables.map(({ relname }) => relname), ...readdirSync(join(folder, 'work'))];
    },
  };

  async function readTheirs(sample: Sample, layer: string | undefined): Promise<Theirs> {
    const { table, dump } = await dumpOf(sample, layer);
    const { without = [] } = sample;
    await db().script(`${dump};\nset standard_conforming_strings = on`);
    const rows = await db().query<Row>(
      `select to_jsonb(t) - 'geom' - 'fid' || jsonb_build_object('geom', st_asewkt(${COMPARED}, 9)) as row
           from "${table}" t order by fid`,
    );
    return { rows: rows.map(({ row }) => plain(row as Row, without)), types: await types(`"${table}"`, [], without) };
  }
}

/** Values as texts, names without case: how a driver of GDAL writes a date or a name is not what is compared. */
function plain(row: Row, without: readonly string[]): Row {
  const skipped = new Set(without.map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(row)
      .map(([name, value]) => [name.toLowerCase(), valueText(value)] as const)
      .filter(([name]) => !skipped.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function valueText(value: unknown): unknown {
  if (value === null) return null;
  if (value === true || value === false) return value ? '1' : '0';
  // GDAL's own program writes fifteen digits.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return String(Number(value.toPrecision(15)));
  return typeof value === 'object'
    ? JSON.stringify(value)
    : String(value).replace(/^(\d{4})\/(\d\d)\/(\d\d)$/, '$1-$2-$3');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const PARTS = ['shp', 'dbf', 'shx', 'prj', 'cpg'] as const;

/** EPSG:25832 as a .prj says it. */
const UTM32 =
  'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",        DATUM["D_ETRS_1989",            SPHEROID["GRS_1980",6378137.0,298.257222101]],        PRIMEM["Greenwich",0.0],        UNIT["Degree",0.0174532925199433]],    PROJECTION["Transverse_Mercator"],    PARAMETER["False_Easting",500000.0],    PARAMETER["False_Northing",0.0],    PARAMETER["Central_Meridian",9.0],    PARAMETER["Scale_Factor",0.9996],    PARAMETER["Latitude_Of_Origin",0.0],    UNIT["Meter",1.0]]';

async function makeSamples(folder: string, run: RunGdal): Promise<void> {
  const zip = (target: string, ...names: string[]): void =>
    writeFileSync(
      join(folder, target),
      zipOf(names.map((name) => ({ name, content: readFileSync(join(folder, name)) }))),
    );
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
  const features = (list: readonly (readonly [properties: object, geometry: unknown])[]): string =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: list.map(([properties, geometry]) => ({ type: 'Feature', properties, geometry })),
    });
  const point = (...coordinates: number[]): unknown => ({ type: 'Point', coordinates });
  const ring = (x: number, y: number): number[][] => [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y],
  ];
  const values = (n: number): Readonly<Record<string, unknown>> => ({
    name: ['Zürich', 'a "quote"\tand a tab', 'back\\slash', '\\N', null][n % 5],
    whole: n * 1000,
    large: 9_007_199_254_740_000 + n,
    part: n / 3,
    day: `2021-0${(n % 9) + 1}-17`,
    'with blank': n % 2 === 0 ? 'yes' : '',
  });
  const points = [0, 1, 2, 3, 4].map((n) => [values(n), point(8 + n / 10, 47 - n / 7)] as const);
  write('points.geojson', features(points));
  write(
    'breaks.geojson',
    features([
      [{ t: 'one\n0103000020E6100000ABCD\r\nthree\\\n\\.\n', n: 1 }, point(8, 47)],
      [{ t: '\n', n: 2 }, point(9, 47)],
    ]),
  );
  write(
    'mixed.geojson',
    features([
      [{ ...values(0), at: '2021-05-05T10:00:00Z', ok: true, list: ['a', 'b'], object: { a: [1] } }, point(8, 47)],
      [
        { ...values(1), at: '2021-05-05T12:00:00+02:00', ok: false, list: [], object: null },
        { type: 'LineString', coordinates: ring(8, 47) },
      ],
      [{ ...values(2) }, null],
    ]),
  );
  write(
    'polygons.geojson',
    features([
      [{ n: 1 }, { type: 'Polygon', coordinates: [ring(7, 46)] }],
      [{ n: 2 }, { type: 'MultiPolygon', coordinates: [[ring(7, 47)], [ring(8, 47)]] }],
    ]),
  );
  write(
    'multipoints.geojson',
    features([
      [{ n: 1 }, { type: 'MultiPoint', coordinates: [[8, 47]] }],
      [
        { n: 2 },
        {
          type: 'MultiPoint',
          coordinates: [
            [8, 47],
            [9, 48],
          ],
        },
      ],
    ]),
  );
  write('lines.geojson', features([[{ n: 1 }, { type: 'LineString', coordinates: ring(8, 47) }]]));
  write(
    'points.geojsonl',
    points.map(([properties, geometry]) => `${JSON.stringify({ type: 'Feature', properties, geometry })}\n`).join(''),
  );
  write(
    'track.gpx',
    `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
      <wpt lat="47" lon="8"><ele>400.5</ele><name>Hut</name></wpt>
      <trk><name>Walk</name><trkseg><trkpt lat="47" lon="8"/><trkpt lat="47.1" lon="8.1"/></trkseg></trk></gpx>`,
  );
  write(
    'points.csv',
    'name,zip code,lat,lon,day\nZürich,8000,47.37,8.54,2021-01-02\n"a, ""b""",3000,46.95,7.45,2021-12-31\n,1,46,7,\n',
  );
  write(
    'wkt.csv',
    'id,wkt\n1,"POLYGON((500000 5200000,500100 5200000,500100 5200100,500000 5200000))"\n2,"MULTIPOLYGON(((500200 5200000,500300 5200000,500300 5200100,500200 5200000)))"\n',
  );
  write('places.csv', 'name,a,b\nx,500000,5200000\ny,500100,5200100\n');
  write(
    'custom.geojson',
    features([
      [{ n: 1 }, point(8, 47)],
      [{ n: 2 }, point(8.5, 47.5)],
    ]),
  );

  const atlas = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-110m.json'), 'utf8'),
  );
  const countries = feature(atlas, atlas.objects.countries) as unknown as {
    features: { properties: object; id?: string; geometry: unknown }[];
  };
  write(
    'earth.geojson',
    features(
      countries.features
        // An area across the date line whose rings touch: versions of GDAL put it together in different ways.
        .filter(({ id }) => id !== '242')
        .map(({ properties, id, geometry }) => [{ ...properties, code: id ?? null }, geometry]),
    ),
  );
  await run('ogr2ogr', 'earth.shp', 'earth.geojson', '-lco', 'ENCODING=UTF-8');
  await run('ogr2ogr', 'earth.gpkg', 'earth.geojson', '-nlt', 'PROMOTE_TO_MULTI');
  await run(
    'ogr2ogr',
    '-f',
    'FlatGeobuf',
    'earth.fgb',
    'earth.geojson',
    '-lco',
    'SPATIAL_INDEX=NO',
    '-nlt',
    'PROMOTE_TO_MULTI',
  );
  await run('ogr2ogr', '-f', 'GML', 'earth.gml', 'earth.geojson');
  await run('ogr2ogr', 'points.shp', 'points.geojson', '-lco', 'ENCODING=UTF-8');
  await run('ogr2ogr', 'utm.shp', 'polygons.geojson', '-t_srs', 'EPSG:25832');
  await run('ogr2ogr', 'heights.shp', 'points.geojson', '-nlt', 'POINT25D', '-lco', 'ENCODING=UTF-8');
  write('cyrillic.geojson', features([[{ имя: 'Москва' }, point(37.6, 55.7)]]));
  await run('ogr2ogr', 'cyrillic.shp', 'cyrillic.geojson', '-lco', 'ENCODING=CP1251');
  write('umlaut.geojson', features([[{ name: 'Zürich', höhe: 408 }, point(8.5, 47.4)]]));
  await run('ogr2ogr', 'umlaut.shp', 'umlaut.geojson', '-lco', 'ENCODING=CP850');
  await run('ogr2ogr', 'two.gpkg', 'points.geojson', '-nln', 'first layer');
  write('cells.asc', asciiGrid(20, 10, 7));
  await run('gdal_translate', '-q', '-of', 'GPKG', '-ot', 'Byte', '-a_srs', 'EPSG:4326', 'cells.asc', 'raster.gpkg');
  await run('ogr2ogr', '-update', 'two.gpkg', 'polygons.geojson', '-nln', 'second', '-nlt', 'MULTIPOLYGON');
  await run('ogr2ogr', '-f', 'FlatGeobuf', 'points.fgb', 'points.geojson', '-lco', 'SPATIAL_INDEX=NO');
  await run('ogr2ogr', '-f', 'GML', 'points.gml', 'points.geojson');
  write('typed.geojson', features([[{ code: '007', day: '2020-01-02', n: 5 }, point(8, 47)]]));
  await run('ogr2ogr', '-f', 'GML', 'typed.gml', 'typed.geojson');
  // Both read the file alone.
  for (const name of ['points.xsd', 'earth.xsd']) rmSync(join(folder, name));
  const inXml = (value: unknown): string => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const placemarks = points.map(([{ name, ...others }, geometry]) => {
    const data = Object.entries(others).map(
      ([key, value]) => `<Data name="${inXml(key)}"><value>${inXml(value)}</value></Data>`,
    );
    const called = name === null ? '' : `<name>${inXml(name)}</name>`;
    const { coordinates } = geometry as { readonly coordinates: readonly number[] };
    return `<Placemark>${called}<ExtendedData>${data.join('')}</ExtendedData><Point><coordinates>${coordinates.join(',')}</coordinates></Point></Placemark>`;
  });
  write('points.kml', `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemarks.join('')}</Document></kml>`);
  write(
    'heights.kml',
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Way</name><LineString><altitudeMode>absolute</altitudeMode><coordinates>
      8,47,400 8.1,47.1,410.5</coordinates></LineString></Placemark></Document></kml>`,
  );
  write(
    'mixed-heights.geojson',
    features([
      [{ n: 1 }, { type: 'Point', coordinates: [8, 47, 12.5] }],
      [
        { n: 2 },
        {
          type: 'LineString',
          coordinates: [
            [8, 47, 400],
            [9, 48],
          ],
        },
      ],
    ]),
  );
  await makeDigits(write, run);
  const blanks = pointShapefile(
    [
      { name: 'd', type: 'D', width: 8 },
      { name: 'n', type: 'N', width: 6 },
      { name: 'f', type: 'F', width: 10 },
      { name: 'l', type: 'L', width: 1 },
      { name: 't', type: 'C', width: 3 },
    ],
    [
      ['20210517', '12', '1.500', 'T', 'abc'],
      ['', '', '', '', ''],
      ['00000000', '******', '**********', '?', '?  '],
      ['99999999', '\0'.repeat(6), '\0'.repeat(10), '\0', '\0'.repeat(3)],
      ['20240229', '0', '0.000', 'n', '0  '],
      ['00010101', '', '', 'Y', ''],
      ['20210230', '', '', 'F', ''],
      ['20211301', '', '', 'x', ''],
    ],
  );
  for (const [part, bytes] of Object.entries(blanks)) writeFileSync(join(folder, `blank.${part}`), bytes);
  const kinds = [
    { code: 8000, flag: true, loose: { a: 1 }, number: 1, object: { a: 'x' }, list: [1, { b: 2 }], straße: 1 },
    { code: '08001 "b"\n', flag: 'no', loose: 'a', number: null, object: null, list: ['x', [1]], straße: 'x' },
    { code: 1.5, flag: false, loose: null, number: 2.5, object: { c: [1] }, list: { d: 1 }, straße: null },
  ].map((properties) => [properties, point(8, 47)] as const);
  write('kinds.geojson', features(kinds));
  write(
    'kinds.geojsonl',
    kinds.map(([properties, geometry]) => `${JSON.stringify({ type: 'Feature', properties, geometry })}\n`).join(''),
  );
  write('days.geojson', features(['2021-02-28', '2021-02-30'].map((d, n) => [{ d, n }, point(8, 47)])));
  write('small.geojson', features([1, 2].map((v) => [{ v: v + 0.5 }, point(8, 47)])));
  await run('ogr2ogr', 'small.shp', 'small.geojson');
  const dbf = readFileSync(join(folder, 'small.dbf'));
  const [first, length] = [dbf.readUInt16LE(8), dbf.readUInt16LE(10)];
  for (const [row, text] of ['1.2345678901e-020', '9.87654321000e+004'].entries())
    dbf.write(text.padStart(length - 1), first + row * length + 1, 'latin1');
  writeFileSync(join(folder, 'small.dbf'), dbf);
  await run('ogr2ogr', '-f', 'XLSX', 'points.xlsx', 'points.csv', '-oo', 'AUTODETECT_TYPE=YES');
  await run(
    'ogr2ogr',
    'custom.shp',
    'custom.geojson',
    '-t_srs',
    '+proj=laea +lat_0=47.123 +lon_0=8.456 +ellps=GRS80 +units=m',
    ...['-lco', 'ENCODING=UTF-8'],
  );
  for (const name of ['points', 'cyrillic', 'umlaut', 'heights', 'custom', 'earth']) {
    zip(`${name}.zip`, ...PARTS.map((part) => `${name}.${part}`));
  }
  writeFileSync(
    join(folder, 'folder.zip'),
    zipOf([
      { name: 'sub/__MACOSX/points.shp', content: 'x\n' },
      ...PARTS.map((part) => ({ name: `sub/points.${part}`, content: readFileSync(join(folder, `points.${part}`)) })),
    ]),
  );
  zip('points.kmz', 'points.kml');
  const kml = readFileSync(join(folder, 'points.kml'), 'utf8');
  const [begin = '', ...later] = kml.match(/<Placemark[\s\S]*?<\/Placemark>/g) ?? [];
  writeFileSync(
    join(folder, 'pieces.kmz'),
    zipOf([
      { name: 'doc.kml', content: later.reduce((text, one) => text.replace(one, ''), kml) },
      { name: 'files/later.kml', content: kml.replace(begin, '') },
    ]),
  );
  const gray = Buffer.alloc(1200 * 600, 7);
  gray.fill(255, 0, 5000);
  writeFileSync(join(folder, 'gray.bin'), gray);
  write(
    'gray.hdr',
    'nrows 600\nncols 1200\nnbands 1\nnbits 8\npixeltype unsignedint\nbyteorder I\nlayout bil\nulxmap 5.005\nulymap 50.995\nxdim 0.01\nydim 0.01\n',
  );
  await run(
    'gdal_translate',
    '-q',
    '-of',
    'GTiff',
    '-a_srs',
    'EPSG:4326',
    '-a_nodata',
    '255',
    'gray.bin',
    'raster.tif',
  );
  const grid = (columns: number, rows: number): string =>
    `ncols ${columns}\nnrows ${rows}\nxllcorner 500000\nyllcorner 5200000\ncellsize 100\nNODATA_value -9999\n`;
  write('grid.asc', `${grid(3, 2)}1.5 2.5 3.5\n4.5 -9999 6.5\n`);
  write('grid.prj', UTM32);
  zip('grid.zip', 'grid.asc', 'grid.prj');
  await makePictures(write, run, zip);
  write('huge.asc', `${grid(2_000_000, 2_000_000)}1 2 3\n`);
  write('short.asc', `${grid(300, 300)}1 2 3\n`);
}

async function makePictures(
  write: (name: string, content: string | Buffer) => void,
  run: RunGdal,
  zip: (target: string, ...names: string[]) => void,
): Promise<void> {
  const small = ['-q', '-outsize', '12', '6', 'raster.tif'];
  const placed = ['-a_srs', 'EPSG:25832', '-a_ullr', '500000', '5200000', '501200', '5199400'];
  await run('gdal_translate', ...small, '-of', 'HFA', ...placed, 'photo.img');
  await run(
    'gdal_translate',
    ...small,
    '-of',
    'PNG',
    '-a_nodata',
    'none',
    '--config',
    'GDAL_PAM_ENABLED',
    'NO',
    'photo.png',
  );
  await run('gdal_translate', ...small, '-of', 'JPEG', '--config', 'GDAL_PAM_ENABLED', 'NO', 'photo.jpg');
  await run('gdal_translate', '-q', '-of', 'GTiff', 'photo.png', 'plain.tif');
  // The middle of the first pixel.
  write('photo.wld', '100\n0\n0\n-100\n500050\n5199950\n');
  write('photo.prj', UTM32);
  write('named.prj', '/etc/passwd');
  zip('photo.zip', 'photo.png', 'photo.wld', 'photo.prj');
  // A head that says 100,000 by 100,000 pixels, and next to nothing behind it.
  const head = Buffer.alloc(13);
  head.writeUInt32BE(100_000, 0);
  head.writeUInt32BE(100_000, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(1000, '0')));
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  write('bomb.png', Buffer.concat([start, chunk('IHDR', head), pixels, chunk('IEND', Buffer.alloc(0))]));
}

async function makeDigits(write: (name: string, content: string | Buffer) => void, run: RunGdal): Promise<void> {
  const x = 0.1 + 0.2;
  const features = DIGITS.map((d, n) => ({
    type: 'Feature',
    properties: { n, d, 'e"': 0.1 + 0.2 },
    geometry: { type: 'Point', coordinates: [x, 1] },
  }));
  write('digits.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  const lists = { type: 'Feature', properties: { many: [x, 1.5] }, geometry: { type: 'Point', coordinates: [x, 1] } };
  write('lists.geojson', JSON.stringify({ type: 'FeatureCollection', features: [lists] }));
  write('digits.geojsonl', features.map((feature) => `${JSON.stringify(feature)}\n`).join(''));
  await run('ogr2ogr', 'digits.gpkg', 'digits.geojson');
  await run('ogr2ogr', 'digits.fgb', 'digits.geojson');
  const cells = DIGITS.map((d, n) => `${n},${d ?? ''},${0.1 + 0.2},${x},1\n`);
  write('digits.csv', `n,d,"e""",lon,lat\n${cells.join('')}`);
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const number = (value: number | string | null): string => (value === null ? '<c/>' : `<c><v>${value}</v></c>`);
  const mixed = [text('n/a'), number('1.1000000000000001'), number('0.30000000000000004')];
  write(
    'digits.xlsx',
    workbookOf([
      ['n', 'd', 'e"', 'lon', 'lat', 'mixed'].map(text),
      ...DIGITS.map((d, n) => [...[n, d, x, x, 1].map(number), mixed[n] ?? text('')]),
    ]),
  );
}

/** One sheet; `cells` are XML. */
function workbookOf(cells: readonly (readonly string[])[]): Buffer {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const placed = cells.map((row, y) =>
    row.map((cell, x) => cell.replace('<c', `<c r="${String.fromCharCode(65 + x)}${y + 1}"`)).join(''),
  );
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    },
    { name: '_rels/.rels', content: relation('officeDocument', 'xl/workbook.xml') },
    { name: 'xl/_rels/workbook.xml.rels', content: relation('worksheet', 'worksheets/sheet1.xml') },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${main}"><sheetData>${placed.map((row, y) => `<row r="${y + 1}">${row}</row>`).join('')}</sheetData></worksheet>`,
    },
  ]);
}
