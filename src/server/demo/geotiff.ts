// A grid of numbers in degrees → the bytes of a GeoTIFF: uncompressed, one band of 16 bits, WGS 84. Pure.

export type Grid = {
  readonly width: number;
  readonly height: number;
  /** Upper left corner and size of a cell, in degrees. */
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  /** Row by row from the north. */
  readonly values: Uint16Array;
};

type Entry = { readonly tag: number; readonly type: 3 | 4 | 12; readonly values: readonly number[] };

const SIZES = { 3: 2, 4: 4, 12: 8 } as const;

export function writeGeoTiff(grid: Grid): Buffer {
  const { width, height, west, north, cell, values } = grid;
  const entries: readonly Entry[] = [
    { tag: 256, type: 4, values: [width] },
    { tag: 257, type: 4, values: [height] },
    { tag: 258, type: 3, values: [16] },
    { tag: 259, type: 3, values: [1] },
    { tag: 262, type: 3, values: [1] },
    { tag: 273, type: 4, values: [0] },
    { tag: 277, type: 3, values: [1] },
    { tag: 278, type: 4, values: [height] },
    { tag: 279, type: 4, values: [width * height * 2] },
    { tag: 339, type: 3, values: [1] },
    { tag: 33550, type: 12, values: [cell, cell, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, west, north, 0] },
    // Version, then: geographic model, cells are areas, EPSG:4326.
    { tag: 34735, type: 3, values: [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326] },
  ];
  const directory = 8;
  const afterDirectory = directory + 2 + entries.length * 12 + 4;
  let more = afterDirectory;
  const places = entries.map(({ type, values: list }) => {
    const size = list.length * SIZES[type];
    if (size <= 4) return undefined;
    const place = more;
    more += size + (size % 2);
    return place;
  });
  const pixels = more;
  const bytes = Buffer.alloc(pixels + width * height * 2);
  bytes.write('II', 0, 'latin1');
  bytes.writeUInt16LE(42, 2);
  bytes.writeUInt32LE(directory, 4);
  bytes.writeUInt16LE(entries.length, directory);
  entries.forEach(({ tag, type, values: list }, i) => {
    const at = directory + 2 + i * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(list.length, at + 4);
    const place = places[i];
    if (place !== undefined) bytes.writeUInt32LE(place, at + 8);
    const given = tag === 273 ? [pixels] : list;
    given.forEach((value, j) => {
      const to = (place ?? at + 8) + j * SIZES[type];
      if (type === 3) bytes.writeUInt16LE(value, to);
      else if (type === 4) bytes.writeUInt32LE(value, to);
      else bytes.writeDoubleLE(value, to);
    });
  });
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, pixels + i * 2);
  return bytes;
}
