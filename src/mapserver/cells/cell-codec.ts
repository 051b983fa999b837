// The cells of a tile ⇄ bytes, as overviews store them: some ten bytes a cell. Positions are kept to a 255th of a cell, means as 32-bit
// floats. Pure.

import { PbfReader, PbfWriter } from 'pbf';
import { type Cell, type CellColumns, TILE_CELLS } from './cell.ts';

/** Raised whenever the form changes: overviews of another form are made anew. */
export const CELL_FORM = 1;

const PLACE = 1;
const COUNT = 2;
const MIDDLE_X = 3;
const MIDDLE_Y = 4;
const AREA = 5;
const HASH = 6;
const KEY = 7;
const WORD = 8;
const CATEGORY = 9;
const MEAN = 10;
const VALUES = 11;

/** Keys are kept of so many cells with one feature: who needs more of them looks at the rows. */
export function encodeCells(columns: CellColumns, cells: readonly Cell[]): Uint8Array {
  const sorted = cells.toSorted((a, b) => a.y - b.y || a.x - b.x);
  const writer = new PbfWriter();
  let before = 0;
  writer.writePackedVarint(
    PLACE,
    sorted.map(({ x, y }) => {
      const place = y * TILE_CELLS + x;
      const step = place - before;
      before = place;
      return step;
    }),
  );
  const list = (of: (cell: Cell) => number): number[] => sorted.map(of);
  writer.writePackedVarint(
    COUNT,
    list(({ n }) => n),
  );
  writer.writeBytesField(
    MIDDLE_X,
    Uint8Array.from(sorted, ({ px }) => Math.round(px * 255)),
  );
  writer.writeBytesField(
    MIDDLE_Y,
    Uint8Array.from(sorted, ({ py }) => Math.round(py * 255)),
  );
  writer.writePackedFloat(
    AREA,
    list(({ area }) => area),
  );
  writer.writePackedFixed32(
    HASH,
    list(({ hash }) => hash),
  );
  for (const { key } of sorted) writer.writeStringField(KEY, key ?? '');
  const words = new Map<string, number>();
  for (let i = 0; i < columns.categories.length; i++) {
    const used = sorted.map(({ categories }) => {
      const word = categories[i];
      if (word === null || word === undefined) return 0;
      const known = words.get(word) ?? words.size + 1;
      words.set(word, known);
      return known;
    });
    writer.writePackedVarint(CATEGORY, used);
  }
  for (const word of words.keys()) writer.writeStringField(WORD, word);
  for (let i = 0; i < columns.numbers.length; i++) {
    writer.writePackedFloat(
      MEAN,
      list(({ sums, counts }) => (sums[i] ?? 0) / Math.max(1, counts[i] ?? 0)),
    );
    writer.writePackedVarint(
      VALUES,
      list(({ counts }) => counts[i] ?? 0),
    );
  }
  return writer.finish();
}

export function decodeCells(bytes: Uint8Array): readonly Cell[] {
  const reader = new PbfReader(bytes);
  const read = {
    places: [] as number[],
    counts: [] as number[],
    x: new Uint8Array() as Uint8Array,
    y: new Uint8Array() as Uint8Array,
    areas: [] as number[],
    hashes: [] as number[],
    keys: [] as string[],
    words: [] as string[],
    categories: [] as number[][],
    means: [] as number[][],
    values: [] as number[][],
  };
  reader.readFields((tag) => {
    switch (tag) {
      case PLACE:
        return void reader.readPackedVarint(read.places);
      case COUNT:
        return void reader.readPackedVarint(read.counts);
      case MIDDLE_X:
        read.x = reader.readBytes();
        return;
      case MIDDLE_Y:
        read.y = reader.readBytes();
        return;
      case AREA:
        return void reader.readPackedFloat(read.areas);
      case HASH:
        return void reader.readPackedFixed32(read.hashes);
      case KEY:
        return void read.keys.push(reader.readString());
      case WORD:
        return void read.words.push(reader.readString());
      case CATEGORY:
        return void read.categories.push(reader.readPackedVarint());
      case MEAN:
        return void read.means.push(reader.readPackedFloat());
      case VALUES:
        return void read.values.push(reader.readPackedVarint());
    }
  }, undefined);
  let place = 0;
  return read.places.map((step, i) => {
    place += step;
    const counts = read.values.map((list) => list[i] ?? 0);
    return {
      x: place % TILE_CELLS,
      y: Math.floor(place / TILE_CELLS),
      n: read.counts[i] ?? 0,
      px: (read.x[i] ?? 0) / 255,
      py: (read.y[i] ?? 0) / 255,
      area: read.areas[i] ?? 0,
      hash: read.hashes[i] ?? 0,
      key: read.keys[i] === '' ? undefined : read.keys[i],
      categories: read.categories.map((list) => read.words[(list[i] ?? 0) - 1] ?? null),
      sums: read.means.map((list, column) => (list[i] ?? 0) * (counts[column] ?? 0)),
      counts,
    };
  });
}
