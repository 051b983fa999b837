// Features → a tile as bytes, in the form of the Mapbox Vector Tile specification 2.1: of rows (tile-sql.ts) where the engine has no ST_AsMVT, and of
// cells and groups, which no table has. Pure.

import { PbfWriter } from 'pbf';
import { type ParsedGeometry, type Position, parseWkb, type Ring } from '../../geo/wkb.ts';
import type { Row } from '../../pg/driver.ts';
import { EXTENT } from '../query/layer-scale.ts';
import type { TileColumn, TilePlan } from '../query/tile-plan.ts';

export type TileValue = { readonly type: 'integer' | 'number' | 'boolean' | 'text'; readonly text: string };

/** A feature of a tile: its attributes by name, and its shape as commands of the specification. */
export type TileFeature = {
  readonly id: number | undefined;
  readonly tags: readonly (readonly [name: string, value: TileValue])[];
  readonly type: number;
  readonly geometry: readonly number[];
};

/** Rows of the statement of a tile as features; what is too small to be seen is left out. */
export function readTileRows(
  { columns, hasIds }: Pick<TilePlan, 'columns' | 'hasIds'>,
  rows: readonly Row[],
): TileFeature[] {
  const features: TileFeature[] = [];
  for (const row of rows) {
    const wkb = bytesOf(row[0]);
    const shape = wkb === undefined ? undefined : highest(parseWkb(wkb));
    const drawn = shape === undefined ? undefined : drawShape(shape);
    if (drawn === undefined) continue;
    const id = hasIds ? Number(row[1]?.toString()) : undefined;
    features.push({ id, tags: tagsOf(columns, row, hasIds ? 2 : 1), ...drawn });
  }
  return features;
}

/** A whole layer of a tile; empty where nothing of it shows. */
export function encodeTile(name: string, features: readonly TileFeature[]): Buffer {
  if (features.length === 0) return Buffer.alloc(0);
  const names = new Numbered<string>((one) => one);
  const values = new Numbered<TileValue>(({ type, text }) => `${type} ${text}`);
  const pbf = new PbfWriter();
  pbf.writeMessage(
    3,
    (_, out) => {
      out.writeVarintField(15, 2);
      out.writeStringField(1, name);
      for (const feature of features) {
        out.writeMessage(
          2,
          (one, to) => {
            const tags = one.tags.flatMap(([key, value]) => [names.numberOf(key), values.numberOf(value)]);
            // Ids are numbers without a sign; a feature with another one goes without.
            if (one.id !== undefined && Number.isSafeInteger(one.id) && one.id >= 0) to.writeVarintField(1, one.id);
            if (tags.length > 0) to.writePackedVarint(2, tags);
            to.writeVarintField(3, one.type);
            to.writePackedVarint(4, [...one.geometry]);
          },
          feature,
        );
      }
      for (const one of names.list) out.writeStringField(3, one);
      for (const value of values.list) out.writeMessage(4, writeValue, value);
      out.writeVarintField(5, EXTENT);
    },
    undefined,
  );
  return Buffer.from(pbf.finish());
}

/** What a tile can hold of a mixture is its parts of the highest dimension. */
function highest(shapes: readonly ParsedGeometry[]): ParsedGeometry | undefined {
  return shapes.at(-1);
}

/** Each different one once, by its number. */
class Numbered<T> {
  readonly list: T[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (one: T) => string;

  constructor(keyOf: (one: T) => string) {
    this.#keyOf = keyOf;
  }

  numberOf(one: T): number {
    const key = this.#keyOf(one);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.list.push(one);
    this.#numbers.set(key, this.list.length - 1);
    return this.list.length - 1;
  }
}

/** The cells of a row, from the first column on, by the names of their columns. */
export function tagsOf(columns: readonly TileColumn[], row: Row, offset: number): TileFeature['tags'] {
  return columns.flatMap(({ name, type }, i) => {
    const cell = row[offset + i];
    return cell === null || cell === undefined ? [] : [[name, { type, text: cell.toString() }] as const];
  });
}

function writeValue({ type, text }: TileValue, pbf: PbfWriter): void {
  switch (type) {
    case 'integer': {
      const number = Number(text);
      // What a double cannot hold exactly is told as it is written.
      if (!Number.isSafeInteger(number)) pbf.writeStringField(1, text);
      else if (number < 0) pbf.writeSVarintField(6, number);
      else pbf.writeVarintField(5, number);
      return;
    }
    case 'number':
      pbf.writeDoubleField(3, Number(text));
      return;
    case 'boolean':
      pbf.writeBooleanField(7, text === 't');
      return;
    case 'text':
      pbf.writeStringField(1, text);
      return;
  }
}

function bytesOf(cell: Buffer | null | undefined): Buffer | undefined {
  return cell === null || cell === undefined ? undefined : Buffer.from(cell.subarray(2).toString('latin1'), 'hex');
}

const [MOVE, LINE, CLOSE] = [1, 2, 7];

/** Shapes in units of the tile's grid as commands; undefined: too small to be seen. */
export function drawShape(shape: ParsedGeometry): { type: number; geometry: number[] } | undefined {
  const pen = new Pen();
  switch (shape.kind) {
    case 'points': {
      pen.points(shape.points.map(snap));
      return { type: 1, geometry: pen.commands };
    }
    case 'lines':
      for (const line of shape.lines) pen.line(snapped(line));
      return pen.commands.length === 0 ? undefined : { type: 2, geometry: pen.commands };
    case 'polygons':
      for (const [outer, ...holes] of shape.polygons) {
        if (outer === undefined) continue;
        // Clockwise on the screen outside, the other way round inside.
        if (!pen.ring(snapped(outer), true)) continue;
        for (const hole of holes) pen.ring(snapped(hole), false);
      }
      return pen.commands.length === 0 ? undefined : { type: 3, geometry: pen.commands };
  }
}

type Spot = readonly [number, number];

/** Where the edge of the tile cuts a line, the cut is anywhere. */
function snap([x, y]: Position): Spot {
  return [Math.round(x), Math.round(y)];
}

function snapped(ring: Ring): Spot[] {
  const spots: Spot[] = [];
  for (const position of ring) {
    const spot = snap(position);
    const last = spots.at(-1);
    if (last === undefined || last[0] !== spot[0] || last[1] !== spot[1]) spots.push(spot);
  }
  return spots;
}

/** Draws in the tile's own units: every position is told as the step from the one before. */
class Pen {
  readonly commands: number[] = [];
  #x = 0;
  #y = 0;

  points(spots: readonly Spot[]): void {
    this.#command(MOVE, spots.length);
    for (const spot of spots) this.#step(spot);
  }

  line(spots: readonly Spot[]): void {
    const [first, ...rest] = spots;
    if (first === undefined || rest.length === 0) return;
    this.#command(MOVE, 1);
    this.#step(first);
    this.#command(LINE, rest.length);
    for (const spot of rest) this.#step(spot);
  }

  /** False: there is nothing left of it. */
  ring(closed: readonly Spot[], isOuter: boolean): boolean {
    const [start, end] = [closed[0], closed.at(-1)];
    const isClosed = start !== undefined && end !== undefined && start[0] === end[0] && start[1] === end[1];
    const open = isClosed ? closed.slice(0, -1) : closed;
    const area = signedArea(open);
    if (open.length < 3 || area === 0) return false;
    const [first, ...rest] = area > 0 === isOuter ? open : open.toReversed();
    if (first === undefined) return false;
    this.#command(MOVE, 1);
    this.#step(first);
    this.#command(LINE, rest.length);
    for (const spot of rest) this.#step(spot);
    this.#command(CLOSE, 1);
    return true;
  }

  #command(id: number | undefined, count: number): void {
    this.commands.push(((id ?? 0) & 7) | (count << 3));
  }

  #step([x, y]: Spot): void {
    this.commands.push(zigzag(x - this.#x), zigzag(y - this.#y));
    this.#x = x;
    this.#y = y;
  }
}

function zigzag(n: number): number {
  return ((n << 1) ^ (n >> 31)) >>> 0;
}

/** Positive: clockwise where y grows downwards. */
function signedArea(spots: readonly Spot[]): number {
  let twice = 0;
  let previous = spots.at(-1);
  for (const spot of spots) {
    if (previous !== undefined) twice += previous[0] * spot[1] - spot[0] * previous[1];
    previous = spot;
  }
  return twice;
}
