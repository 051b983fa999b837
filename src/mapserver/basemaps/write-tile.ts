// Layers of shapes in units of a tile → the tile as bytes (Mapbox Vector Tile 2.1). Pure.

import { PbfWriter } from 'pbf';

export const EXTENT = 4096;

export type TileFeature = {
  readonly type: 'point' | 'line' | 'ring';
  /** Numbers by twos, in units of the tile; rings are not closed, the first is the outer one. */
  readonly parts: readonly ArrayLike<number>[];
  readonly properties?: Readonly<Record<string, string | number>>;
};

export type TileLayer = { readonly name: string; readonly features: readonly TileFeature[] };

const TYPES = { point: 1, line: 2, ring: 3 } as const;
const MOVE = 1;
const DRAW = 2;
const CLOSE = 15;

export function writeTile(layers: readonly TileLayer[]): Buffer {
  const pbf = new PbfWriter();
  for (const layer of layers) if (layer.features.length > 0) pbf.writeMessage(3, writeLayer, layer);
  return Buffer.from(pbf.finish());
}

function writeLayer({ name, features }: TileLayer, out: PbfWriter): void {
  const keys = new Map<string, number>();
  const values = new Map<string | number, number>();
  const indexOf = <T>(map: Map<T, number>, one: T): number => {
    const known = map.get(one) ?? map.size;
    map.set(one, known);
    return known;
  };
  out.writeVarintField(15, 2);
  out.writeStringField(1, name);
  for (const { type, parts, properties = {} } of features) {
    const geometry = commands(type, parts);
    if (geometry.length === 0) continue;
    const tags = Object.entries(properties).flatMap(([key, value]) => [indexOf(keys, key), indexOf(values, value)]);
    out.writeMessage(
      2,
      (_, to) => {
        if (tags.length > 0) to.writePackedVarint(2, tags);
        to.writeVarintField(3, TYPES[type]);
        to.writePackedVarint(4, geometry);
      },
      undefined,
    );
  }
  for (const key of keys.keys()) out.writeStringField(3, key);
  for (const value of values.keys())
    out.writeMessage(
      4,
      (_, to) => (typeof value === 'string' ? to.writeStringField(1, value) : to.writeDoubleField(3, value)),
      undefined,
    );
  out.writeVarintField(5, EXTENT);
}

function commands(type: TileFeature['type'], parts: readonly ArrayLike<number>[]): number[] {
  const out: number[] = [];
  let [px, py] = [0, 0];
  const zigzag = (n: number): number => (n << 1) ^ (n >> 31);
  for (const [nth, part] of parts.entries()) {
    const places = rounded(part);
    const least = type === 'point' ? 1 : type === 'line' ? 2 : 3;
    if (places.length / 2 < least) {
      // Without its outer ring nothing is left of an area.
      if (type === 'ring' && nth === 0) return [];
      continue;
    }
    for (let i = 0; i < places.length; i += 2) {
      const [x = 0, y = 0] = [places[i], places[i + 1]];
      if (i === 0) out.push((1 << 3) | MOVE);
      if (i === 2) out.push(((places.length / 2 - 1) << 3) | DRAW);
      out.push(zigzag(x - px), zigzag(y - py));
      [px, py] = [x, y];
    }
    if (type === 'ring') out.push(CLOSE);
  }
  return out;
}

/** Whole numbers, none twice in a row. */
function rounded(part: ArrayLike<number>): readonly number[] {
  const out: number[] = [];
  for (let i = 0; i + 1 < part.length; i += 2) {
    const [x, y] = [Math.round(part[i] ?? 0), Math.round(part[i + 1] ?? 0)];
    if (out.length >= 2 && out.at(-2) === x && out.at(-1) === y) continue;
    out.push(x, y);
  }
  return out;
}
