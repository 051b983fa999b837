// Records of items that were made before, by the stamp of what they follow from: a list asks the database which items there are for the
// caller and what their stamps are, and only for those records that it does not have. A key holds everything that a record follows from, so
// nothing in here is ever out of date, and nobody gets from here what the database did not just say is theirs.

import { type ByteCache, makeByteCache } from '../../kernel/byte-cache.ts';

export type Stamped = {
  readonly id: number;
  readonly stamp: string;
  /** Where it is, if that follows from other items. */
  readonly extent: string | null;
};

export type RecordCache = {
  /** Number of a shape: the columns of a record, and the address that its links begin with. */
  shapeOf(columns: string, base: string): number;
  get(shape: number, item: Stamped): Buffer | undefined;
  set(shape: number, item: Stamped, record: Buffer): void;
};

/** A record has some five kilobytes: a dozen thousand of them. */
const MAX_BYTES = 64 << 20;
/** Clients ask for few selections of fields; a flood of them begins the book anew, and no number is given twice. */
const MAX_SHAPES = 500;

export function makeRecordCache(records: ByteCache<Buffer> = makeByteCache(MAX_BYTES)): RecordCache {
  const shapes = new Map<string, number>();
  let made = 0;
  return {
    shapeOf(columns, base) {
      const key = `${base} ${columns}`;
      let shape = shapes.get(key);
      if (shape === undefined) {
        if (shapes.size >= MAX_SHAPES) shapes.clear();
        made += 1;
        shape = made;
        shapes.set(key, shape);
      }
      return shape;
    },
    get: (shape, item) => records.get(keyOf(shape, item)),
    set(shape, item, record) {
      // A copy: what came off the wire is a piece of something larger.
      records.set(keyOf(shape, item), Buffer.from(record), record.length);
    },
  };
}

function keyOf(shape: number, { id, stamp, extent }: Stamped): string {
  return `${shape} ${id} ${extent ?? ''} ${stamp}`;
}
