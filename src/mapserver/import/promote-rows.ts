// Lines of COPY text with a geometry in one field (EWKB in hexadecimal) → the same lines with single polygons and lines made
// into collections of one, points taken out of collections of one, and a note of what there was. Layers of most formats mix
// single and multiple geometries under one name; a table has one type. GDAL can be told to make all of them multiple, points
// included, which nobody wants of points. Done on the text: a polygon is the inner part of a multipolygon, byte by byte.

/** By EWKB number. */
const KINDS: Readonly<Record<number, string>> = {
  1: 'POINT',
  2: 'LINESTRING',
  3: 'POLYGON',
  4: 'MULTIPOINT',
  5: 'MULTILINESTRING',
  6: 'MULTIPOLYGON',
  7: 'GEOMETRYCOLLECTION',
  15: 'POLYHEDRALSURFACE',
  16: 'TIN',
  17: 'TRIANGLE',
};

const NEWLINE = 0x0a;
const TAB = 0x09;
const NULL_FIELD = 0x5c; // \N
/** `01` little endian, eight digits of type. */
const TYPE_END = 10;
const SRID_DIGITS = 8;
/** How much a promoted line grows: count of parts, byte order and type of the only part. */
const GROWTH = 8 + TYPE_END;

export type Promoter = {
  /** Whole lines in, whole lines out. */
  promote(lines: Buffer): Buffer;
  /** Kinds after promotion, in capitals, without Z and M. */
  readonly kinds: ReadonlySet<string>;
  readonly rows: number;
  /** Rows without a geometry. */
  readonly nulls: number;
  /** There was a collection of points that is not one point. */
  readonly hasMultipoint: boolean;
};

export type PromoterOptions = {
  /** Where the geometry stands, counted from 0. */
  readonly field?: number;
  /** Collections of one point become that point. */
  readonly takesPointsOut?: boolean;
};

const COUNT_DIGITS = 8;
const ONE = '01000000';
const NONE = '00000000';
/** A point without a place. */
const NOWHERE = '000000000000F87F';

export function makePromoter({ field = 0, takesPointsOut = false }: PromoterOptions = {}): Promoter {
  const kinds = new Set<string>();
  let rows = 0;
  let nulls = 0;
  let hasMultipoint = false;
  // The last type seen as text, for nearly all lines of a layer say the same.
  let lastType = '';
  let lastKind = 0;
  // Room to write in, used again and again: what leaves is as long as it has to be, for many of them are kept at a time.
  let room = Buffer.alloc(0);
  const makeRoom = (length: number): Buffer => {
    // A line with a geometry in it is longer than half of what it grows by.
    const most = 3 * length + GROWTH;
    if (room.length < most) room = Buffer.allocUnsafe(most);
    return room;
  };

  function kindAt(lines: Buffer, at: number): number {
    const type = lines.toString('latin1', at, at + TYPE_END);
    if (type === lastType) return lastKind;
    lastType = type;
    // Little endian: the kind is in the first byte, the flags for Z, M and SRID in the last.
    lastKind = /^01[0-9A-F]{2}0000[0-9A-F]{2}$/.test(type) ? Number.parseInt(type.slice(2, 4), 16) : 0;
    const after = lastKind === 2 ? 5 : lastKind === 3 ? 6 : lastKind;
    kinds.add(KINDS[after] ?? 'GEOMETRY');
    return lastKind;
  }

  return {
    kinds,
    get rows() {
      return rows;
    },
    get nulls() {
      return nulls;
    },
    get hasMultipoint() {
      return hasMultipoint;
    },
    promote(lines) {
      let out: Buffer | undefined;
      let written = 0;
      let copiedTo = 0;
      for (let at = 0; at < lines.length; ) {
        const next = lines.indexOf(NEWLINE, at);
        const end = next < 0 ? lines.length : next + 1;
        rows += 1;
        for (let skipped = 0; skipped < field; skipped += 1) at = lines.indexOf(TAB, at) + 1;
        if (lines[at] === NULL_FIELD) nulls += 1;
        else {
          const kind = kindAt(lines, at);
          if (kind === 2 || kind === 3) {
            out ??= makeRoom(lines.length);
            const flags = Number.parseInt(lines.toString('latin1', at + 8, at + TYPE_END), 16);
            const body = at + TYPE_END + ((flags & 0x20) === 0 ? 0 : SRID_DIGITS);
            written += lines.copy(out, written, copiedTo, at);
            const multiple = kind === 2 ? '0105' : '0106';
            written += out.write(multiple, written, 'latin1');
            // Flags and SRID belong to the whole; its part keeps Z and M only.
            written += lines.copy(out, written, at + 4, body);
            const inner = (flags & ~0x20).toString(16).toUpperCase().padStart(2, '0');
            written += out.write(`${ONE}010${kind}0000${inner}`, written, 'latin1');
            copiedTo = body;
          } else if (kind === 4 && takesPointsOut) {
            const flags = Number.parseInt(lines.toString('latin1', at + 8, at + TYPE_END), 16);
            const body = at + TYPE_END + ((flags & 0x20) === 0 ? 0 : SRID_DIGITS);
            const count = lines.toString('latin1', body, body + COUNT_DIGITS);
            if (count === ONE || count === NONE) {
              out ??= makeRoom(lines.length);
              written += lines.copy(out, written, copiedTo, at);
              written += out.write('0101', written, 'latin1');
              written += lines.copy(out, written, at + 4, body);
              copiedTo = body + COUNT_DIGITS + (count === ONE ? TYPE_END : 0);
              const ordinates = 2 + ((flags & 0x80) === 0 ? 0 : 1) + ((flags & 0x40) === 0 ? 0 : 1);
              if (count === NONE) written += out.write(NOWHERE.repeat(ordinates), written, 'latin1');
            } else hasMultipoint = true;
          }
        }
        at = end;
      }
      if (out === undefined) return lines;
      written += lines.copy(out, written, copiedTo, lines.length);
      return Buffer.from(out.subarray(0, written));
    },
  };
}
