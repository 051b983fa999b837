// The bytes of a vector tile (Mapbox Vector Tile 2.1) → its layers of shapes. What cannot be read throws, as the library beneath does; whoever
// asks says which tile it was.

import { PbfReader } from 'pbf';

type TileShape = {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  /** Numbers by twos, in units of the tile; rings are closed. */
  readonly parts: readonly Float64Array[];
  readonly properties: Readonly<Record<string, unknown>>;
};

export type ReadLayer = { readonly name: string; readonly extent: number; readonly shapes: readonly TileShape[] };

const TYPES = [undefined, 'Point', 'LineString', 'Polygon'] as const;
const [MOVE, DRAW, CLOSE] = [1, 2, 7];

/** `wanted`: names of layers, the others are passed over. `most`: shapes of a layer that are read. */
export function readTile(bytes: Uint8Array, wanted: ReadonlySet<string>, most: number): readonly ReadLayer[] {
  return new PbfReader(bytes).readFields<ReadLayer[]>((tag, layers, pbf) => {
    if (tag !== 3) return;
    const layer = readLayer(pbf, pbf.readVarint() + pbf.pos, wanted, most);
    if (layer !== undefined) layers.push(layer);
  }, []);
}

function readLayer(pbf: PbfReader, end: number, wanted: ReadonlySet<string>, most: number): ReadLayer | undefined {
  const keys: string[] = [];
  const values: unknown[] = [];
  const starts: number[] = [];
  let [name, extent] = ['', 4096];
  pbf.readFields(
    (tag) => {
      if (tag === 1) name = pbf.readString();
      else if (tag === 2 && starts.length < most) starts.push(pbf.pos);
      else if (tag === 3) keys.push(pbf.readString());
      else if (tag === 4) values.push(readValue(pbf, pbf.readVarint() + pbf.pos));
      else if (tag === 5) extent = pbf.readVarint();
    },
    undefined,
    end,
  );
  if (!wanted.has(name) || !(extent > 0)) return undefined;
  // Names and values stand behind the shapes that use them.
  const shapes: TileShape[] = [];
  for (const start of starts) {
    pbf.pos = start;
    const shape = readShape(pbf, pbf.readVarint() + pbf.pos, keys, values);
    if (shape !== undefined) shapes.push(shape);
  }
  pbf.pos = end;
  return { name, extent, shapes };
}

function readValue(pbf: PbfReader, end: number): unknown {
  let value: unknown = null;
  pbf.readFields(
    (tag) => {
      if (tag === 1) value = pbf.readString();
      else if (tag === 2) value = pbf.readFloat();
      else if (tag === 3) value = pbf.readDouble();
      else if (tag === 4) value = pbf.readVarint(true);
      else if (tag === 5) value = pbf.readVarint();
      else if (tag === 6) value = pbf.readSVarint();
      else if (tag === 7) value = pbf.readBoolean();
    },
    undefined,
    end,
  );
  return value;
}

function readShape(
  pbf: PbfReader,
  end: number,
  keys: readonly string[],
  values: readonly unknown[],
): TileShape | undefined {
  const tags: number[] = [];
  const commands: number[] = [];
  let type: TileShape['type'] | undefined;
  pbf.readFields(
    (tag) => {
      if (tag === 2) pbf.readPackedVarint(tags);
      else if (tag === 3) type = TYPES[pbf.readVarint()];
      else if (tag === 4) pbf.readPackedVarint(commands);
    },
    undefined,
    end,
  );
  if (type === undefined) return undefined;
  const properties: Record<string, unknown> = {};
  for (let i = 0; i + 1 < tags.length; i += 2) {
    const key = keys[tags[i] ?? -1];
    if (key !== undefined) properties[key] = values[tags[i + 1] ?? -1];
  }
  return { type, parts: partsOf(type, commands), properties };
}

function partsOf(type: TileShape['type'], commands: readonly number[]): readonly Float64Array[] {
  const parts: number[][] = [];
  let part: number[] = [];
  let [x, y] = [0, 0];
  const zigzag = (n: number): number => (n >> 1) ^ -(n & 1);
  for (let at = 0; at < commands.length; ) {
    const head = commands[at++] ?? 0;
    const [command, count] = [head & 7, head >> 3];
    if (command === CLOSE) {
      const [firstX, firstY] = part;
      if (firstX !== undefined && firstY !== undefined) part.push(firstX, firstY);
      continue;
    }
    if (command !== MOVE && command !== DRAW) break;
    for (let i = 0; i < count && at + 1 < commands.length; i++) {
      x += zigzag(commands[at++] ?? 0);
      y += zigzag(commands[at++] ?? 0);
      if (command === MOVE) {
        part = [];
        parts.push(part);
      }
      part.push(x, y);
    }
  }
  const least = { Point: 2, LineString: 4, Polygon: 8 }[type];
  return parts.filter((one) => one.length >= least).map((one) => Float64Array.from(one));
}
