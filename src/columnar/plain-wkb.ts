// PostGIS' extended well-known binary → that of ISO, in place: heights and measures are told by thousands instead of high bits, and the SRID
// is left out. Kept beside: what a reader of the file wants to know of its geometries.

import { hexInto } from './hex-bytes.ts';

const HAS_Z = 0x8000_0000;
const HAS_M = 0x4000_0000;
const HAS_SRID = 0x2000_0000;

const [POINT, LINE, POLYGON, CIRCULAR_STRING, TRIANGLE] = [1, 2, 3, 8, 17];

/** By their codes, as GeoParquet calls them. Curves are not among them. */
const NAMES: readonly string[] = [
  'Geometry',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
];

/** Of byte order, type and SRID. */
const HEAD = Buffer.alloc(9);

/** The head of a geometry in hex, which is never shorter. */
export function hexHead(bytes: Uint8Array, from: number): WkbHead {
  hexInto(HEAD, 0, bytes, from, from + HEAD.length * 2);
  return wkbHead(HEAD);
}

export type WkbHead = { readonly srid: number; readonly type: string };

/** What the first bytes of an extended geometry say; 0: no SRID. */
export function wkbHead(ewkb: Buffer): WkbHead {
  const isLittle = ewkb[0] === 1;
  const code = readCode(ewkb, 1, isLittle);
  const srid = (code & HAS_SRID) === 0 ? 0 : readCode(ewkb, 5, isLittle);
  const name = NAMES[code & 0xff] ?? 'Geometry';
  return { srid, type: (code & HAS_Z) === 0 ? name : `${name} Z` };
}

export function plainWkb(ewkb: Buffer): Buffer {
  const isLittle = ewkb[0] === 1;
  const hasSrid = (readCode(ewkb, 1, isLittle) & HAS_SRID) !== 0;
  // Byte order and type stay in front; what follows the SRID moves up to them.
  if (hasSrid) ewkb.copyWithin(4, 0, 5);
  const wkb = hasSrid ? ewkb.subarray(4) : ewkb;
  rewrite(wkb, 0, 0);
  return wkb;
}

/** Digits of byte order and type, and of an SRID behind them. */
const TYPE_DIGITS = 10;
const SRID_DIGITS = 8;

/** The same of one in hex, into memory that has room for it. Returns where it ends there. */
export function plainWkbInto(target: Buffer, at: number, bytes: Uint8Array, from: number, to: number): number {
  hexInto(target, at, bytes, from, from + TYPE_DIGITS);
  const hasSrid = (readCode(target, at + 1, target[at] === 1) & HAS_SRID) !== 0;
  const rest = from + TYPE_DIGITS + (hasSrid ? SRID_DIGITS : 0);
  hexInto(target, at + TYPE_DIGITS / 2, bytes, rest, to);
  rewrite(target, at, 0);
  return at + TYPE_DIGITS / 2 + ((to - rest) >> 1);
}

/** Deeper ones are refused by PostGIS long before. */
const MAX_DEPTH = 64;

/** Returns where the geometry ends. */
function rewrite(wkb: Buffer, start: number, depth: number): number {
  if (depth > MAX_DEPTH) throw new Error('a geometry nested too deeply');
  const isLittle = wkb[start] === 1;
  const code = readCode(wkb, start + 1, isLittle);
  const [z, m] = [(code & HAS_Z) !== 0, (code & HAS_M) !== 0];
  const plain = code & 0x0fff_ffff;
  const iso = plain + (z ? 1000 : 0) + (m ? 2000 : 0);
  if (isLittle) wkb.writeUInt32LE(iso, start + 1);
  else wkb.writeUInt32BE(iso, start + 1);
  // Only what is inside others has types of its own, and without heights all of them are plain already.
  if (depth === 0 && !z && !m) return wkb.length;
  const size = 16 + (z ? 8 : 0) + (m ? 8 : 0);
  let at = start + 5;
  const count = (): number => {
    const found = readCode(wkb, at, isLittle);
    at += 4;
    return found;
  };
  const skipLine = (): void => {
    const positions = count();
    at += positions * size;
  };
  switch (plain) {
    case POINT:
      return at + size;
    case LINE:
    case CIRCULAR_STRING:
      skipLine();
      return at;
    case POLYGON:
    case TRIANGLE:
      for (let left = count(); left > 0; left--) skipLine();
      return at;
    default:
      for (let left = count(); left > 0; left--) at = rewrite(wkb, at, depth + 1);
      return at;
  }
}

function readCode(wkb: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? wkb.readUInt32LE(at) : wkb.readUInt32BE(at);
}
