import { describe, expect, test } from 'vitest';
import { isNorthFirst, parseCrs } from './crs.ts';

describe('names of coordinate systems', () => {
  test.each([
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', { srid: 4326, isCrs84: true }],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', { srid: 4326, isCrs84: true }],
    ['CRS:84', { srid: 4326, isCrs84: true }],
    ['http://www.opengis.net/def/crs/EPSG/0/25832', { srid: 25832, isCrs84: false }],
    ['urn:ogc:def:crs:EPSG::4326', { srid: 4326, isCrs84: false }],
    ['EPSG:3857', { srid: 3857, isCrs84: false }],
    ['[EPSG:3857]', { srid: 3857, isCrs84: false }],
    ['EPSG:99999999', undefined],
    ['EPSG:3857; drop table x', undefined],
    ['', undefined],
  ])('%s', (text, name) => {
    expect(parseCrs(text)).toEqual(name);
  });
});

test.each([
  ['GEOGCS["WGS 84",DATUM["x"],AUTHORITY["EPSG","4326"]]', true],
  ['PROJCS["a",GEOGCS["b"],AXIS["Easting",EAST],AXIS["Northing",NORTH]]', false],
  ['PROJCS["a",GEOGCS["b",AXIS["Lat",NORTH],AXIS["Lon",EAST]],AXIS["X",NORTH],AXIS["Y",EAST]]', true],
  ['PROJCS["a",GEOGCS["b"]]', false],
])('%s: north first is %s', (srtext, isNorth) => {
  expect(isNorthFirst(srtext)).toBe(isNorth);
});
