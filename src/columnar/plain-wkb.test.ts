import { expect, test } from 'vitest';
import { plainWkb, wkbHead } from './plain-wkb.ts';

const POSITION = '000000000000f03f00000000000000400000000000000840';

test('heights and measures are told by thousands, inside of collections, too, and the SRID is left out', () => {
  const ewkb = `01070000a0e610000002000000${`0101000080${POSITION}`}${`010200008002000000${POSITION}${POSITION}`}`;
  const iso = `01ef03000002000000${`01e9030000${POSITION}`}${`01ea03000002000000${POSITION}${POSITION}`}`;
  expect(wkbHead(Buffer.from(ewkb, 'hex'))).toEqual({ srid: 4326, type: 'GeometryCollection Z' });
  expect(plainWkb(Buffer.from(ewkb, 'hex')).toString('hex')).toBe(iso);
});

test('polygons with a measure, byte order as it is', () => {
  const ring = `00000001${POSITION}`;
  const ewkb = `004000000300000002${ring}${ring}`;
  expect(plainWkb(Buffer.from(ewkb, 'hex')).toString('hex')).toBe(`00000007d300000002${ring}${ring}`);
  expect(wkbHead(Buffer.from(ewkb, 'hex'))).toEqual({ srid: 0, type: 'Polygon' });
});

test('what is flat and has no SRID stays as it is', () => {
  const point = '0101000000000000000000f03f0000000000000040';
  expect(plainWkb(Buffer.from(point, 'hex')).toString('hex')).toBe(point);
});
