// Well-known binary (plain and as PostGIS extends it) → positions. Only what maps need: x and y; heights and measures are read
// over. Curves do not come here: the database makes lines of them.

export type Position = readonly [x: number, y: number];
export type Ring = readonly Position[];

export type ParsedGeometry =
  | { readonly kind: 'points'; readonly points: readonly Position[] }
  | { readonly kind: 'lines'; readonly lines: readonly Ring[] }
  | { readonly kind: 'polygons'; readonly polygons: readonly (readonly Ring[])[] };

const [POINT, LINE, POLYGON, MULTI_POINT, MULTI_LINE, MULTI_POLYGON, COLLECTION] = [1, 2, 3, 4, 5, 6, 7];

/** Deeper ones are refused by PostGIS long before. */
const MAX_DEPTH = 32;

/** The parts of a geometry, by kind: a collection gives one shape per kind that is in it, an empty geometry none. */
export function parseWkb(bytes: Uint8Array): readonly ParsedGeometry[] {
  const reader = new Reader(bytes);
  const found: Found = { points: [], lines: [], polygons: [] };
  readGeometry(reader, found, 0);
  const shapes: ParsedGeometry[] = [];
  if (found.points.length > 0) shapes.push({ kind: 'points', points: found.points });
  if (found.lines.length > 0) shapes.push({ kind: 'lines', lines: found.lines });
  if (found.polygons.length > 0) shapes.push({ kind: 'polygons', polygons: found.polygons });
  return shapes;
}

type Found = { readonly points: Position[]; readonly lines: Ring[]; readonly polygons: (readonly Ring[])[] };

function readGeometry(reader: Reader, found: Found, depth: number): void {
  if (depth > MAX_DEPTH) throw new Error('a geometry nested too deeply');
  const little = reader.byte() === 1;
  const code = reader.uint(little);
  const plain = code & 0x0fff_ffff;
  // PostGIS marks Z, M and SRID by high bits, ISO by thousands.
  const iso = Math.floor(plain / 1000);
  const extra = (code & 0x8000_0000 || iso === 1 || iso === 3 ? 1 : 0) + (code & 0x4000_0000 || iso > 1 ? 1 : 0);
  if ((code & 0x2000_0000) !== 0) reader.uint(little);
  const position = (): Position => reader.position(little, extra);
  const line = (): Ring => {
    const positions: Position[] = [];
    for (let left = reader.uint(little); left > 0; left -= 1) positions.push(position());
    return positions;
  };
  switch (plain % 1000) {
    case POINT: {
      const point = position();
      if (!Number.isNaN(point[0])) found.points.push(point);
      return;
    }
    case LINE: {
      const one = line();
      if (one.length > 0) found.lines.push(one);
      return;
    }
    case POLYGON: {
      const rings: Ring[] = [];
      for (let left = reader.uint(little); left > 0; left -= 1) rings.push(line());
      if (rings.length > 0) found.polygons.push(rings);
      return;
    }
    case MULTI_POINT:
    case MULTI_LINE:
    case MULTI_POLYGON:
    case COLLECTION:
      for (let left = reader.uint(little); left > 0; left -= 1) readGeometry(reader, found, depth + 1);
      return;
    default:
      throw new Error(`no geometry is of type ${plain}`);
  }
}

class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    this.#at += 1;
    return this.#view.getUint8(this.#at - 1);
  }

  uint(little: boolean): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, little);
  }

  position(little: boolean, extra: number): Position {
    const x = this.#view.getFloat64(this.#at, little);
    const y = this.#view.getFloat64(this.#at + 8, little);
    this.#at += 16 + 8 * extra;
    return [x, y];
  }
}
