// Both ways to convert, on the same features: what GDAL then reads is the same.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { describeNeeding } from '../../../test/testkit/describe-needing.ts';
import { type GdalPrograms, makeGdalPrograms } from '../../../test/testkit/gdal-programs.ts';
import { missing } from '../../../test/testkit/machine.ts';
import { findSandbox } from '../gdal/find-sandbox.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import { type Converter, convert } from './convert.ts';
import { convertGeoPackage } from './convert-geopackage.ts';
import { type GdalFormat, gdalArguments, OUTPUTS, placeholderFeature } from './gdal-formats.ts';
import { LINES as LINES_FILE, SOURCE, sourceVrt } from './source-vrt.ts';

const column = (name: string, type: string) => ({ name, type });
const QUERY = {
  layer: { name: 'places', primaryKey: 'fid', keyType: 'integer', geometry: { type: 'Point' } },
  hasGeometry: true,
  columns: [column('name', 'text'), column('height', 'integer'), column('since', 'date'), column('nothing', 'bigint')],
} as unknown as FeatureQuery;

const LINES = [
  '{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[356000,5645000]},"properties":{"name":"Köln","height":53,"since":"2001-02-03","nothing":null}}',
  '{"type":"Feature","id":9,"geometry":null,"properties":{"name":null,"height":null,"since":null,"nothing":null}}',
];

const sandbox = await findSandbox([]);
const NO_SANDBOX = missing('bubblewrap') ?? (sandbox.ok ? undefined : `a sandbox: ${sandbox.error}`);
const script = inject('scripts').converter;

describeNeeding(missing('gdal') ?? NO_SANDBOX, 'GDAL of the machine, in the sandbox', () => {
  if (!sandbox.ok) return;
  convertsBy({ kind: 'native', ogr2ogr: 'ogr2ogr', ogrinfo: 'ogrinfo', sandbox: sandbox.value });
});
describeNeeding(NO_SANDBOX, 'GDAL that comes along, in the sandbox', () => {
  if (!sandbox.ok) return;
  convertsBy({ kind: 'wasm', script, sandbox: sandbox.value });
});
describe('GDAL that comes along, without a sandbox', () => convertsBy({ kind: 'wasm', script }));

function convertsBy(converter: Converter): void {
  let folder = '';
  let top = '';
  let gdal: GdalPrograms;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'survest-convert-'));
    gdal = makeGdalPrograms(top);
  });
  afterAll(async () => {
    gdal.close();
    await rm(top, { recursive: true, force: true });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(top, 'one-'));
    await writeFile(join(folder, SOURCE), sourceVrt(QUERY));
    await writeFile(join(folder, LINES_FILE), `${LINES.join('\n')}\n`);
  });

  test.each<GdalFormat>(['gpkg', 'fgb', 'shp.zip'])('%s', async (format) => {
    const args = gdalArguments(format, QUERY, 'EPSG:25832', { hasPlaceless: true, isEmpty: false });
    const made = await convert(converter, folder, OUTPUTS[format], args, new AbortController().signal);
    expect(made).toEqual({ ok: true, value: join(folder, OUTPUTS[format]) });
    const said = await gdal.run('ogrinfo', ['-ro', '-al', made.ok ? made.value : '']);
    for (const line of [
      /name \(String\) = Köln/,
      /height \(Integer\) = 53/,
      /since \(Date(?:Time)?\) = 2001\/02\/03/,
      /POINT \(356000 5645000\)/,
      /"EPSG",25832/,
      /nothing: Integer64/,
    ])
      expect(said).toMatch(line);
    if (format === 'gpkg') expect(said).toMatch(/OGRFeature\(places\):7/);
    // Older GDALs leave features without a geometry out of FlatGeobuf.
    if (format !== 'fgb') expect(said).toMatch(/Feature Count: 2/);
  });

  test.each<GdalFormat>(['gpkg', 'fgb', 'shp.zip'])(
    '%s of no features has its columns and their types',
    async (format) => {
      await writeFile(join(folder, LINES_FILE), placeholderFeature(QUERY));
      const args = gdalArguments(format, QUERY, 'EPSG:25832', { hasPlaceless: false, isEmpty: true });
      const made = await convert(converter, folder, OUTPUTS[format], args, new AbortController().signal);
      const said = await gdal.run('ogrinfo', ['-ro', '-so', '-al', made.ok ? made.value : '']);
      for (const line of [/Feature Count: 0/, /Geometry: Point/, /name: String/, /height: Integer /, /since: Date/])
        expect(said).toMatch(line);
    },
  );

  describe('binary columns of a GeoPackage', () => {
    const query = {
      layer: { ...QUERY.layer, name: 'a "b" \\c' },
      columns: [column('before', 'text'), column('raw "x"', 'bytea'), column('survest_hex_1', 'bytea')],
    } as unknown as FeatureQuery;
    const args = gdalArguments('gpkg', query, 'EPSG:25832', { hasPlaceless: true, isEmpty: false });
    const line = (raw: string | null, i: number): string =>
      `${JSON.stringify({
        type: 'Feature',
        id: i + 1,
        geometry: { type: 'Point', coordinates: [356000, 5645000] },
        properties: { before: 'x', 'raw "x"': raw, survest_hex_1: '\\xab' },
      })}\n`;
    const rows = async (file: string): Promise<string[]> => {
      const select = `SELECT typeof("raw ""x""") || ' ' || coalesce(hex("raw ""x"""), '') || ' ' || typeof(survest_hex_1) AS cells FROM "a ""b"" \\c"`;
      const said = await gdal.run('ogrinfo', ['-ro', '-q', file, '-sql', select]);
      return [...said.matchAll(/cells \(String\) = (.*)/g)].map(([, cells = '']) => cells);
    };
    beforeEach(() => writeFile(join(folder, LINES_FILE), ['\\x0001ff00', '\\x', null].map(line).join('')));

    test('are BLOB, with every byte', async () => {
      const made = await convertGeoPackage(converter, folder, query, args, new AbortController().signal);
      expect(made).toEqual({ ok: true, value: { file: join(folder, OUTPUTS.gpkg), isHexText: false } });
      expect(await rows(join(folder, OUTPUTS.gpkg))).toEqual(['blob 0001FF00 blob', 'blob  blob', 'null  blob']);
      const said = await gdal.run('ogrinfo', ['-ro', '-so', '-al', join(folder, OUTPUTS.gpkg)]);
      expect(said).toMatch(/\nbefore: String.*\nraw "x": Binary.*\nsurvest_hex_1: Binary.*\n$/);
    });

    test('are hexadecimal text where no function decodes them', async () => {
      const none = [(hex: string) => `not_a_function(${hex})`];
      const made = await convertGeoPackage(converter, folder, query, args, new AbortController().signal, none);
      expect(made).toMatchObject({ ok: true, value: { isHexText: true } });
      const hex = Buffer.from('\\x0001ff00').toString('hex').toUpperCase();
      expect((await rows(join(folder, OUTPUTS.gpkg)))[0]).toBe(`text ${hex} text`);
    });
  });

  test('what cannot be converted is told', async () => {
    await writeFile(join(folder, LINES_FILE), 'no features');
    const args = gdalArguments('gpkg', QUERY, 'EPSG:25832', { hasPlaceless: true, isEmpty: false });
    expect(await convert(converter, folder, OUTPUTS.gpkg, args, new AbortController().signal)).toMatchObject({
      ok: false,
    });
  });
}
