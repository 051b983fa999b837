import { expect, test } from 'vitest';
import { CRS84 } from '../../geo/crs.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import type { RowStream } from './row-stream.ts';
import { geojsonLines, geojsonRows, kmlRows, rowObjects } from './text-formats.ts';

const column = (name: string, label: string | null = null) => ({ name, type: 'text', label });
const query = (srid = 4326, uri: string = CRS84, columns = [column('id'), column('Name')]): FeatureQuery =>
  ({ layer: { name: 'pla"ces', title: 'A & B' }, columns, crs: { srid, uri } }) as unknown as FeatureQuery;
const cells = (...texts: (string | null)[]) => texts.map((text) => (text === null ? null : Buffer.from(text)));
function written({ head, row, tail }: RowStream, ...rows: (string | null)[][]): string {
  const parts = rows.map((row_, index) => [row(cells(...row_), index) ?? []].flat().map(String).join(''));
  return head + parts.join('') + String(tail());
}

test('GeoJSON says how many there are, and which system it is in where that is not the usual one', () => {
  expect(JSON.parse(written(geojsonRows(query(), 7), ['{"a":1}'], [null]))).toEqual({
    type: 'FeatureCollection',
    name: 'pla"ces',
    features: [{ a: 1 }, null],
    totalFeatures: 7,
    numberMatched: 7,
    numberReturned: 2,
  });
  const named = (srid: number) => JSON.parse(written(geojsonRows(query(srid, 'x'))));
  expect(named(25832)).toEqual({
    type: 'FeatureCollection',
    name: 'pla"ces',
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } },
    features: [],
    numberReturned: 0,
  });
  expect([named(959_999), named(960_000)].map(({ crs }) => crs.properties.name)).toEqual([
    'urn:ogc:def:crs:EPSG::959999',
    'SURVEST:960000',
  ]);
});

test('rows without places are a list of objects', () => {
  expect(JSON.parse(written(rowObjects(query()), ['{"a":1}'], ['{"a":2}'], [null]))).toEqual([
    { a: 1 },
    { a: 2 },
    null,
  ]);
  expect(JSON.parse(written(rowObjects(query())))).toEqual([]);
});

test('lines say at the end whether there were any, and whether all of them have a place', () => {
  const lines = geojsonLines(query());
  expect(lines.found()).toEqual({ hasPlaceless: false, isEmpty: true });
  expect(written(lines, ['\u0000', '{"a":1}'])).toBe('{"a":1}\n');
  expect(lines.found()).toEqual({ hasPlaceless: false, isEmpty: false });
  expect(written(lines, ['\u0001', null])).toBe('null\n');
  expect(lines.found()).toEqual({ hasPlaceless: true, isEmpty: false });
});

test('KML names a place by its column of names, else by its key, and escapes everything', () => {
  const [, placemark] = written(kmlRows(query()), ['7', '<Point/>', 'a<b', 'Köln & Bonn']).split('\n').slice(1);
  expect(placemark).toBe(
    '<Placemark id="pla&#34;ces.7"><name>Köln &#38; Bonn</name><ExtendedData><Data name="id"><value>a&#60;b</value></Data><Data name="Name"><value>Köln &#38; Bonn</value></Data></ExtendedData><Point/></Placemark>',
  );
  const bare = written(kmlRows(query(4326, CRS84, [column('x')])), ['8', null, null]);
  expect(bare).toContain('<name>8</name><ExtendedData></ExtendedData></Placemark>');
  expect(bare).toContain('<name>A &#38; B</name>');
});
