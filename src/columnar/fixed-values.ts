// The values of Arrow's columns of one width, as they lie in memory: little end first. Cells that are written in a rare way are read by `cell-value.ts`.

import { cellValue } from './cell-value.ts';
import type { ColumnType } from './column-type.ts';
import type { Put } from './fixed-cells.ts';
import { dateIn, decimalIn, floatIn, integerIn } from './number-cells.ts';

export const putInt16: Put = (view, at, bytes, from, to) => {
  view.setInt16(at, integerIn(bytes, from, to), true);
  return true;
};

export const putInt32: Put = (view, at, bytes, from, to) => {
  view.setInt32(at, integerIn(bytes, from, to), true);
  return true;
};

export const putFloat32: Put = (view, at, bytes, from, to) => {
  view.setFloat32(at, anyFloatIn(bytes, from, to), true);
  return true;
};

export const putFloat64: Put = (view, at, bytes, from, to) => {
  view.setFloat64(at, anyFloatIn(bytes, from, to), true);
  return true;
};

/** `NaN` and `Infinity` are written as JavaScript writes them. */
function anyFloatIn(bytes: Buffer, from: number, to: number): number {
  const value = floatIn(bytes, from, to);
  return Number.isNaN(value) ? Number(bytes.toString('latin1', from, to)) : value;
}

/** Of 64 bits. `read`: NaN where the cell is a rare one. */
export function putLong(type: ColumnType, read: (bytes: Uint8Array, from: number, to: number) => number): Put {
  return (view, at, bytes, from, to) => {
    const value = read(bytes, from, to);
    if (!Number.isNaN(value)) {
      setLong(view, at, value);
      return true;
    }
    const rare = cellValue(type, bytes, from, to);
    if (typeof rare !== 'bigint') return false;
    view.setBigInt64(at, rare, true);
    return true;
  };
}

export function putDate(type: ColumnType): Put {
  return (view, at, bytes, from, to) => {
    const days = dateIn(bytes, from, to);
    const any = Number.isNaN(days) ? cellValue(type, bytes, from, to) : days;
    if (typeof any !== 'number') return false;
    view.setInt32(at, any, true);
    return true;
  };
}

export function putDecimal(type: ColumnType, scale: number): Put {
  return (view, at, bytes, from, to) => {
    const value = decimalIn(bytes, from, to, scale);
    if (!Number.isNaN(value)) {
      setLong(view, at, value);
      setLong(view, at + 8, value < 0 ? -1 : 0);
      return true;
    }
    const rare = cellValue(type, bytes, from, to);
    if (typeof rare !== 'bigint') return false;
    view.setBigInt64(at, rare, true);
    view.setBigInt64(at + 8, rare >> 64n, true);
    return true;
  };
}

/** Of a whole number that is exact. Its lower half is what is left of it in 32 bits, of a negative one, too. */
function setLong(view: DataView, at: number, value: number): void {
  view.setUint32(at, value, true);
  view.setInt32(at + 4, Math.floor(value / 4_294_967_296), true);
}
