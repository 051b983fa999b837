import { describe, expect, test } from 'vitest';
import { layerName, parseCrs, parseOrder, type ReceivedFile, unknownNames } from './upload-order.ts';

const file = (name: string, field = 'filename'): ReceivedFile => ({ field, name, blob: `uploads/${name}`, size: 1 });
const shapefile = [file('a.shp', 'base_file'), file('a.dbf', 'dbf_file'), file('a.shx', 'shx_file')];

describe('an upload', () => {
  test('takes any single file for the main one', () => {
    expect(parseOrder({}, [file('rivers.geojson')])).toMatchObject({
      ok: true,
      value: { name: 'rivers', isTimed: false, permissions: undefined, files: [{ base: true }] },
    });
  });

  test('takes the part called base_file before others', () => {
    const order = parseOrder({}, [file('a.csv', 'other'), file('b.csv', 'base_file')]);
    expect(order).toMatchObject({ ok: true, value: { name: 'b' } });
  });

  test('takes the .shp, whatever came first', () => {
    expect(parseOrder({}, [file('a.dbf', 'base_file'), ...shapefile.slice(0, 1), ...shapefile.slice(1)])).toMatchObject(
      {
        ok: true,
        value: { name: 'a', files: [{ base: false }, { base: true }, { base: false }, { base: false }] },
      },
    );
  });

  test.each([
    'overwrite_existing_layer',
    'skip_existing_layers',
    'mosaic',
    'append_to_mosaic_opts',
    'metadata_upload_form',
    'style_upload_form',
  ])('that asks for %s is refused with the remedy, and taken where it is switched off', (name) => {
    for (const value of ['true', 'True', '1', 'yes'])
      expect(parseOrder({ [name]: value }, [file('a.geojson')])).toMatchObject({
        ok: false,
        error: { kind: 'invalid', messages: [expect.stringMatching(new RegExp(`^${name}: .{20}`))] },
      });
    for (const value of ['false', 'False', '0', ''])
      expect(parseOrder({ [name]: value }, [file('a.geojson')])).toMatchObject({ ok: true });
    expect(unknownNames({ [name]: 'false' })).toEqual([]);
  });

  test('says what else was asked for', () => {
    const fields = {
      permissions: '{"users":{"ada":["view_resourcebase"]},"groups":{}}',
      time: 'true',
      layer_title: ' Rivers ',
      abstract: 'All of them',
      charset: 'UTF-8',
      crs: '25832',
      lat: 'Y',
      lng: 'X',
    };
    expect(parseOrder(fields, shapefile)).toEqual({
      ok: true,
      value: expect.objectContaining({
        title: 'Rivers',
        abstract: 'All of them',
        isTimed: true,
        permissions: { users: { ada: ['view_resourcebase'] }, groups: {} },
        answers: { charset: 'UTF-8', crs: 'EPSG:25832', x: 'X', y: 'Y' },
      }),
    });
  });

  test.each([
    ['true', true],
    [' ON ', true],
    ['false', false],
    ['0', false],
    ['', false],
  ])('with time = %j has times: %s', (time, isTimed) => {
    expect(parseOrder({ time }, shapefile)).toMatchObject({ ok: true, value: { isTimed } });
  });

  test('is refused when it has times perhaps', () => {
    expect(parseOrder({ time: 'perhaps' }, shapefile)).toEqual({
      ok: false,
      error: { kind: 'invalid', messages: ['time: "perhaps" is neither true nor false.'] },
    });
  });

  test.each(['', '{}', 'null', '{"users":null}'])('with permissions %j has the defaults', (permissions) => {
    expect(parseOrder({ permissions }, shapefile)).toMatchObject({ ok: true, value: { permissions: undefined } });
  });

  test.each(['{"users":{},"groups":{}}', '{"users":{}}', '{"groups":{}}', '{"users":null,"groups":{}}'])(
    'with permissions %j is for nobody, which is not the same as nothing said',
    (permissions) => {
      const order = parseOrder({ permissions }, shapefile);
      expect(order).toMatchObject({ ok: true, value: { permissions: JSON.parse(permissions) } });
    },
  );

  test.each([
    [{ layer_title: 'A', dataset_title: 'B' }, 'A'],
    [{ layer_title: '', dataset_title: 'B' }, 'B'],
    [{ layer_title: ' ', dataset_title: '', title: 'C' }, 'C'],
    [{}, undefined],
  ])('with %j is called %s', (fields, title) => {
    expect(parseOrder(fields as Record<string, string>, shapefile)).toMatchObject({ ok: true, value: { title } });
  });

  test.each([
    ['no files', {}, [], { kind: 'empty' }],
    ['an unknown type', {}, [file('a.exe')], [/a\.exe.*"exe".*Supported/]],
    ['parts alone', {}, [file('a.dbf')], [/main file is missing/]],
    ['a lonely .shp', {}, [file('a.shp')], [/Could not find dbf/, /Could not find shx/]],
    ['permissions that are no JSON', { permissions: '{' }, shapefile, [/not JSON/]],
    ['a list of permissions', { permissions: '[]' }, shapefile, [/object/]],
    ['an unknown permission', { permissions: '{"users":{"a":["root"]}}' }, shapefile, [/Unknown permission "root"/]],
    ['an unknown member', { permissions: '{"roles":{}}' }, shapefile, [/Unknown member "roles"/]],
    ['a title that is too long', { layer_title: 'x'.repeat(256) }, shapefile, [/no more than 255/]],
    ['a strange coordinate system', { crs: '/vsicurl/x' }, shapefile, [/EPSG:4326/]],
    ['several faults', { crs: 'x', permissions: 'y' }, [file('a.exe')], [/exe/, /JSON/, /crs/]],
  ] as const)('with %s is refused', (_what, fields, files, expected) => {
    const order = parseOrder(fields as Record<string, string>, files);
    if (order.ok) throw new Error('taken');
    if ('kind' in expected) expect(order.error).toEqual(expected);
    else expect(order.error).toEqual({ kind: 'invalid', messages: expected.map((one) => expect.stringMatching(one)) });
  });
});

test.each([
  ['rivers.shp', 'rivers'],
  ['My Rivers (2021).zip', 'my_rivers_2021_'],
  ['2021.csv', '_2021'],
  ['Zürich.tar.gz', 'zürich.tar'],
  ['....', 'layer'],
  ['---.shp', 'layer'],
  ['.hidden', '.hidden'],
  [`${'x'.repeat(300)}.shp`, 'x'.repeat(60)],
  ['a";drop.shp', 'a_drop'],
])('the layer of %s is called %s', (name, expected) => {
  expect(layerName(name)).toBe(expected);
});

test.each([
  ['EPSG:4326', 'EPSG:4326'],
  ['epsg::25832', 'EPSG:25832'],
  ['3857', 'EPSG:3857'],
  [' EPSG:2056 ', 'EPSG:2056'],
  ['urn:ogc:def:crs:EPSG::25832', 'EPSG:25832'],
  ['http://www.opengis.net/def/crs/EPSG/0/3857', 'EPSG:3857'],
  ['CRS:84', 'EPSG:4326'],
  ['ESRI:102100', undefined],
  ['', undefined],
  ['EPSG:4326 +proj', undefined],
  ["EPSG:4326'; drop table x", undefined],
  ['EPSG:12345678', undefined],
  ['/vsicurl/http://x/', undefined],
])('%s is the code %s', (text, code) => {
  expect(parseCrs(text)).toBe(code);
});
