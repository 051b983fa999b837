import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTime } from './time-span.ts';
import { parseCrs, parseWmsRequest, readParameters, versionOf } from './wms-request.ts';

const MAP = 'SERVICE=WMS&REQUEST=GetMap&LAYERS=a,b&STYLES=&BBOX=1,2,3,4&WIDTH=10&HEIGHT=20&FORMAT=image/png';

describe('a request for a map', () => {
  test('names are read in any case, of two the first counts', () => {
    expect(
      parseWmsRequest(
        readParameters(
          'service=wms&Request=getmap&layers=a&LAYERS=b&crs=CRS:84&bbox=0,0,1,1&width=1&height=1&format=image/jpeg',
        ),
      ),
    ).toMatchObject({
      ok: true,
      value: { kind: 'map', layers: ['a'], styles: [''], format: 'jpeg', version: '1.3.0' },
    });
  });

  test.each([
    ['VERSION=1.3.0&CRS=EPSG:4326', [2, 1, 4, 3]],
    ['VERSION=1.3.0&CRS=CRS:84', [1, 2, 3, 4]],
    ['VERSION=1.3.0&CRS=EPSG:3857', [1, 2, 3, 4]],
    ['VERSION=1.3.0&CRS=EPSG:31467', [2, 1, 4, 3]],
    ['VERSION=1.3.0&CRS=EPSG:25832', [1, 2, 3, 4]],
    ['VERSION=1.1.1&SRS=EPSG:4326', [1, 2, 3, 4]],
    ['VERSION=1.1.0&SRS=EPSG:4326', [1, 2, 3, 4]],
  ])('%s has the box with x first as %j', (system, box) => {
    expect(parseWmsRequest(readParameters(`${MAP}&${system}`))).toMatchObject({
      ok: true,
      value: { box, width: 10, height: 20 },
    });
  });

  test('is never an exception, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom(
              'REQUEST',
              'LAYERS',
              'STYLES',
              'CRS',
              'SRS',
              'BBOX',
              'WIDTH',
              'HEIGHT',
              'FORMAT',
              'TIME',
              'VERSION',
              'BGCOLOR',
              'I',
              'J',
            ),
            fc.oneof(
              fc.string(),
              fc.constantFrom('GetMap', 'GetFeatureInfo', 'EPSG:3857', '0,0,1,1', '10', 'image/png'),
            ),
          ),
        ),
        (pairs) => {
          const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
          const parsed = parseWmsRequest(readParameters(query));
          if (parsed.ok && parsed.value.kind === 'map') {
            expect(parsed.value.box.every(Number.isFinite)).toBe(true);
            expect(parsed.value.width * parsed.value.height).toBeLessThanOrEqual(4096 * 4096);
          }
        },
      ),
    );
  });
});

test.each([
  ['1.1.0', '1.1.1'],
  ['1.1.1', '1.1.1'],
  ['1.0.0', '1.1.1'],
  ['1.3.0', '1.3.0'],
  ['2.0', '1.3.0'],
])('version %s is answered in %s', (asked, answered) => {
  expect(versionOf(readParameters(`VERSION=${asked}`))).toBe(answered);
});

test.each([
  ['EPSG:3857', 3857],
  ['epsg:4326', 4326],
  ['EPSG:900913', 3857],
  ['urn:ogc:def:crs:EPSG::25832', 25832],
  ['urn:ogc:def:crs:EPSG:6.9:25832', 25832],
  ['http://www.opengis.net/def/crs/EPSG/0/2180', 2180],
  ['urn:ogc:def:crs:OGC:1.3:CRS84', 4326],
  ['AUTO2:42001,1,0,0', undefined],
  ['EPSG:-1', undefined],
  ['EPSG:1e3', undefined],
  ['', undefined],
])('%s is the system %s', (text, srid) => {
  const parsed = parseCrs(text);
  expect(parsed.ok ? parsed.value.srid : undefined).toBe(srid);
});

test.each([
  ['2020', ['2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z']],
  ['2020-02', ['2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z']],
  ['2020-02-03', ['2020-02-03T00:00:00.000Z', '2020-02-03T23:59:59.999Z']],
  ['2020-02-03T04:05:06Z', ['2020-02-03T04:05:06Z', '2020-02-03T04:05:06Z']],
  ['2020/2021', ['2020-01-01T00:00:00.000Z', '2021-12-31T23:59:59.999Z']],
  ['2021/2020', 'error'],
  ['2020-02-31', 'error'],
  ['2020-13', 'error'],
  ["2020'; drop table x", 'error'],
  ['a/b/c/d', 'error'],
])('the time %s', (text, span) => {
  const parsed = parseTime(text);
  expect(parsed.ok ? [parsed.value?.from, parsed.value?.to] : 'error').toEqual(span);
});
