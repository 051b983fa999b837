// Cells off the wire → the buffers of an Arrow column, without a value or a string for each of them. Their memory serves batch after batch.
//
// A value for each cell, in arrays that a library made buffers of, took three to six times the processor time and let the first gigabyte that a process answered
// add 79 MB to its memory (docs/performance.md, Streaming).

import { assertNever } from '../kernel/assert-never.ts';
import type { ArrowCells } from './arrow-cells.ts';
import type { ColumnType } from './column-type.ts';
import { FixedCells } from './fixed-cells.ts';
import { putDate, putDecimal, putFloat32, putFloat64, putInt16, putInt32, putLong } from './fixed-values.ts';
import { hexInto } from './hex-bytes.ts';
import { longIn, timeIn, timestampIn } from './number-cells.ts';
import { plainWkbInto } from './plain-wkb.ts';
import { Bits, Presence } from './presence.ts';
import { TextCells } from './text-cells.ts';
import { type Decode, VariableCells } from './variable-cells.ts';

export function makeArrowCells(type: ColumnType): ArrowCells {
  switch (type.kind) {
    case 'boolean':
      return new BooleanCells();
    case 'int16':
      return new FixedCells(2, putInt16);
    case 'int32':
      return new FixedCells(4, putInt32);
    case 'int64':
      return new FixedCells(8, putLong(type, longIn));
    case 'float32':
      return new FixedCells(4, putFloat32);
    case 'float64':
      return new FixedCells(8, putFloat64);
    case 'date':
      return new FixedCells(4, putDate(type));
    case 'time':
      return new FixedCells(8, putLong(type, timeIn));
    case 'timestamp':
      return new FixedCells(8, putLong(type, timestampIn));
    case 'decimal':
      return new FixedCells(16, putDecimal(type, type.scale));
    case 'text':
    case 'json':
      return new TextCells();
    case 'bytes':
      return new VariableCells(byteaInto);
    case 'geometry':
      return new VariableCells(plainWkbInto);
    default:
      return assertNever(type);
  }
}

/** Behind \x. */
const byteaInto: Decode = (target, at, bytes, from, to) => {
  hexInto(target, at, bytes, from + 2, to);
  return at + ((to - from - 2) >> 1);
};

const TRUE = 0x74;

class BooleanCells implements ArrowCells {
  readonly presence: Presence = new Presence();
  readonly #values = new Bits();

  add(bytes: Buffer, from: number): void {
    this.presence.push(true);
    this.#values.push(bytes[from] === TRUE);
  }

  addNull(): void {
    this.presence.push(false);
    this.#values.push(false);
  }

  buffers(): readonly Uint8Array[] {
    return [this.#values.written()];
  }

  clear(): void {
    this.presence.clear();
    this.#values.clear();
  }
}
