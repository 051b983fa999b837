// Tiny well-known binary → parts of a geometry, in the pixels it was written for. Only x and y; the database writes nothing else.

import type { GeometryType } from '../../geo/style/expression.ts';

/** Numbers by twos: x, y. A point is a part of two numbers, a ring ends where it began. */
export type Part = Float64Array;

export type Drawable = {
  readonly type: GeometryType;
  readonly parts: readonly Part[];
};

const MAX_DEPTH = 32;

/** A collection gives one for each kind in it; an empty geometry none. */
export function parseTwkb(bytes: Uint8Array): readonly Drawable[] {
  const reader = new Reader(bytes);
  const found: Record<GeometryType, Part[]> = { Point: [], LineString: [], Polygon: [] };
  reader.geometry(found, 0);
  const drawables: Drawable[] = [];
  for (const type of ['Point', 'LineString', 'Polygon'] as const)
    if (found[type].length > 0) drawables.push({ type, parts: found[type] });
  return drawables;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #x = 0;
  #y = 0;
  #scale = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  geometry(found: Record<GeometryType, Part[]>, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error('a geometry nested too deeply');
    const head = this.#byte();
    const flags = this.#byte();
    const precision = (head >> 4) & 15;
    this.#scale = 10 ** -((precision >> 1) ^ -(precision & 1));
    if ((flags & 8) !== 0) throw new Error('a geometry with more than two dimensions');
    if ((flags & 2) !== 0) this.#uint();
    if ((flags & 16) !== 0) return;
    if ((flags & 1) !== 0) for (let i = 0; i < 4; i++) this.#uint();
    this.#x = 0;
    this.#y = 0;
    switch (head & 15) {
      case 1:
        found.Point.push(this.#part(1));
        return;
      case 2:
        this.#push(found.LineString, this.#part(this.#uint()));
        return;
      case 3:
        this.#rings(found);
        return;
      case 4:
      case 5:
      case 6: {
        const kind = head & 15;
        const count = this.#uint();
        if ((flags & 4) !== 0) for (let i = 0; i < count; i++) this.#uint();
        for (let i = 0; i < count; i++) {
          if (kind === 4) found.Point.push(this.#part(1));
          else if (kind === 5) this.#push(found.LineString, this.#part(this.#uint()));
          else this.#rings(found);
        }
        return;
      }
      case 7: {
        const count = this.#uint();
        if ((flags & 4) !== 0) for (let i = 0; i < count; i++) this.#uint();
        for (let i = 0; i < count; i++) this.geometry(found, depth + 1);
        return;
      }
      default:
        throw new Error(`no geometry is of type ${head & 15}`);
    }
  }

  #rings(found: Record<GeometryType, Part[]>): void {
    for (let left = this.#uint(); left > 0; left--) this.#push(found.Polygon, this.#part(this.#uint()));
  }

  #push(parts: Part[], part: Part): void {
    if (part.length >= 4) parts.push(part);
  }

  #part(count: number): Part {
    if (count > this.#bytes.length) throw new Error('a geometry that ends too soon');
    const part = new Float64Array(count * 2);
    for (let i = 0; i < part.length; i += 2) {
      this.#x += this.#int();
      this.#y += this.#int();
      part[i] = this.#x * this.#scale;
      part[i + 1] = this.#y * this.#scale;
    }
    return part;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('a geometry that ends too soon');
    return byte;
  }

  #uint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  }

  #int(): number {
    const value = this.#uint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
