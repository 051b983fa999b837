// Numbers of a grid → a GeoTIFF: the data type as it is, strips packed by deflate, bands one after the other, with georeference and
// value for nothing. Classic TIFF, so smaller than 4 GB; callers bound it far below that.

import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Numbers } from '../raster/open-raster.ts';

const pack = promisify(deflate);

export type GeoKeys = {
  readonly directory: readonly number[];
  readonly doubles: readonly number[];
  readonly ascii: string;
};

export type TiffContent = {
  readonly width: number;
  readonly height: number;
  /** All of one type, and as long as the grid has pixels. */
  readonly bands: readonly Numbers[];
  /** As it is written into the file; undefined: every number is one. */
  readonly nodata: string | undefined;
  /** x and y of the upper left corner, and the size of a pixel. */
  readonly place: { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number };
  readonly keys: GeoKeys;
  /** Red, green and blue of 16 bits each, all reds first. */
  readonly palette: readonly number[] | undefined;
  /** The last band says what is to be seen. */
  readonly hasAlpha: boolean;
};

type Tag = { readonly id: number; readonly type: 2 | 3 | 4 | 12; readonly values: readonly number[] };

const SIZES = { 2: 1, 3: 2, 4: 4, 12: 8 } as const;
/** Of a strip before it is packed. */
const STRIP_BYTES = 1 << 20;

export async function writeGeoTiff(content: TiffContent): Promise<Buffer> {
  const { width, height, bands, nodata, place, keys, palette } = content;
  const [first] = bands;
  if (first === undefined) throw new Error('a GeoTIFF has a band at least');
  const bytes = first.BYTES_PER_ELEMENT;
  const rows = Math.max(1, Math.min(height, Math.floor(STRIP_BYTES / (width * bytes))));
  const strips: Buffer[] = [];
  for (const band of bands)
    for (let row = 0; row < height; row += rows) {
      const part = band.subarray(row * width, Math.min(height, row + rows) * width);
      strips.push(await pack(new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
    }
  const isColour = bytes === 1 && first instanceof Uint8Array && bands.length >= 3;
  const coloured = isColour ? 3 : 1;
  const extra = bands.length - coloured;
  const short = (id: number, ...values: number[]): Tag => ({ id, type: 3, values });
  const tags: Tag[] = [
    { id: 256, type: 4, values: [width] },
    { id: 257, type: 4, values: [height] },
    short(258, ...bands.map(() => bytes * 8)),
    short(259, 8),
    short(262, palette !== undefined ? 3 : isColour ? 2 : 1),
    { id: 273, type: 4, values: strips.map(() => 0) },
    short(277, bands.length),
    { id: 278, type: 4, values: [rows] },
    { id: 279, type: 4, values: strips.map(({ length }) => length) },
    short(284, 2),
    ...(palette === undefined ? [] : [short(320, ...palette)]),
    ...(extra > 0
      ? [short(338, ...Array.from({ length: extra }, (_, i) => (content.hasAlpha && i === extra - 1 ? 2 : 0)))]
      : []),
    short(339, ...bands.map(() => sampleFormat(first))),
    { id: 33_550, type: 12, values: [place.dx, place.dy, 0] },
    { id: 33_922, type: 12, values: [0, 0, 0, place.x, place.y, 0] },
    short(34_735, ...keys.directory),
    ...(keys.doubles.length === 0 ? [] : [{ id: 34_736, type: 12, values: keys.doubles } as const]),
    ...(keys.ascii === '' ? [] : [asciiTag(34_737, keys.ascii)]),
    ...(nodata === undefined ? [] : [asciiTag(42_113, nodata)]),
  ];
  return layOut(tags, strips);
}

function asciiTag(id: number, text: string): Tag {
  return { id, type: 2, values: [...Buffer.from(`${text}\0`, 'latin1')] };
}

function sampleFormat(numbers: Numbers): number {
  if (numbers instanceof Float32Array || numbers instanceof Float64Array) return 3;
  return numbers instanceof Int8Array || numbers instanceof Int16Array || numbers instanceof Int32Array ? 2 : 1;
}

/** Header, directory, values that do not fit into it, strips. */
function layOut(tags: readonly Tag[], strips: readonly Buffer[]): Buffer {
  const lengthOf = ({ type, values }: Tag): number => SIZES[type] * values.length;
  const directory = 8;
  let outside = directory + 2 + tags.length * 12 + 4;
  const places = tags.map((tag) => {
    const length = lengthOf(tag);
    if (length <= 4) return 0;
    const at = outside;
    outside += length + (length % 2);
    return at;
  });
  let at = outside;
  const offsets = strips.map(({ length }) => {
    const start = at;
    at += length;
    return start;
  });
  const head = Buffer.alloc(outside);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(directory, 4);
  head.writeUInt16LE(tags.length, directory);
  for (const [i, tag] of tags.entries()) {
    const entry = directory + 2 + i * 12;
    head.writeUInt16LE(tag.id, entry);
    head.writeUInt16LE(tag.type, entry + 2);
    head.writeUInt32LE(tag.values.length, entry + 4);
    const place = places[i] ?? 0;
    if (place !== 0) head.writeUInt32LE(place, entry + 8);
    writeValues(head, place === 0 ? entry + 8 : place, tag.id === 273 ? { ...tag, values: offsets } : tag);
  }
  return Buffer.concat([head, ...strips]);
}

function writeValues(head: Buffer, start: number, { type, values }: Tag): void {
  for (const [i, value] of values.entries()) {
    const at = start + i * SIZES[type];
    if (type === 2) head.writeUInt8(value, at);
    else if (type === 3) head.writeUInt16LE(value & 0xffff, at);
    else if (type === 4) head.writeUInt32LE(value, at);
    else head.writeDoubleLE(value, at);
  }
}

/** For systems that GeoTIFF knows by their number. */
export function keysOfEpsg(srid: number, isGeographic: boolean): GeoKeys {
  const directory = [
    ...[1, 1, 0, 3],
    ...[1024, 0, 1, isGeographic ? 2 : 1],
    ...[1025, 0, 1, 1],
    ...[isGeographic ? 2048 : 3072, 0, 1, srid],
  ];
  return { directory, doubles: [], ascii: '' };
}
