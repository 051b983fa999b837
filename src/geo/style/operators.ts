// The operators of expressions that look at nothing but their arguments. An argument of the wrong kind gives undefined, never an
// exception: a style is drawn with whatever the data hold.

import { isDecimal } from '../../kernel/decimal.ts';
import { type ExactNumber, exactNumber, isExactNumber, LongNumber, orderOf } from '../../kernel/long-number.ts';
import { formatColor, parseColor } from './color.ts';

type Operator = {
  readonly least: number;
  readonly most: number;
  readonly run: (args: readonly unknown[]) => unknown;
};

const MANY = Number.POSITIVE_INFINITY;

const numeric = (least: number, most: number, run: (...args: number[]) => number): Operator => ({
  least,
  most,
  run: (args) => {
    for (const arg of args) if (!isExactNumber(arg)) return undefined;
    const value = run(...args.map(Number));
    return Number.isNaN(value) ? undefined : value;
  },
});

/** Numbers with numbers, words with words; anything else is not comparable. */
const ordered = (holds: (order: number) => boolean): Operator => ({
  least: 2,
  most: 2,
  run: ([a, b]) => {
    if (isExactNumber(a) && isExactNumber(b)) return holds(orderOf(a, b));
    if (typeof a === 'string' && typeof b === 'string') return holds(a < b ? -1 : a > b ? 1 : 0);
    return undefined;
  },
});

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof LongNumber && isExactNumber(b)) return orderOf(a, b) === 0;
  return (a ?? undefined) === (b ?? undefined);
}

/** The first argument that is of the kind; undefined where none is. */
const assertion = (kind: 'number' | 'string' | 'boolean'): Operator => ({
  least: 1,
  most: MANY,
  run: (args) => args.find((arg) => (kind === 'number' ? isExactNumber(arg) : typeof arg === kind)),
});

const MAX_TEXT = 10_000;

function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && !(value instanceof LongNumber) ? JSON.stringify(value) : String(value);
}

function toNumber(value: unknown): ExactNumber | undefined {
  if (value === undefined || value === null) return 0;
  if (isExactNumber(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (isDecimal(value)) return exactNumber(value);
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

export const OPERATORS: Readonly<Record<string, Operator>> = {
  '==': { least: 2, most: 3, run: ([a, b]) => isSame(a, b) },
  '!=': { least: 2, most: 3, run: ([a, b]) => !isSame(a, b) },
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '!': { least: 1, most: 1, run: ([a]) => a !== true },
  in: {
    least: 2,
    most: 2,
    run: ([needle, hay]) => {
      if (Array.isArray(hay)) return hay.includes(needle);
      return typeof hay === 'string' && typeof needle === 'string' && hay.includes(needle);
    },
  },
  at: { least: 2, most: 2, run: ([i, list]) => (Array.isArray(list) && typeof i === 'number' ? list[i] : undefined) },
  length: {
    least: 1,
    most: 1,
    run: ([a]) => (typeof a === 'string' || Array.isArray(a) ? a.length : undefined),
  },
  '+': numeric(1, MANY, (...args) => args.reduce((sum, arg) => sum + arg, 0)),
  '*': numeric(1, MANY, (...args) => args.reduce((product, arg) => product * arg, 1)),
  '-': numeric(1, 2, (a = 0, b) => (b === undefined ? -a : a - b)),
  '/': numeric(2, 2, (a = 0, b = 0) => a / b),
  '%': numeric(2, 2, (a = 0, b = 0) => a % b),
  '^': numeric(2, 2, (a = 0, b = 0) => a ** b),
  min: numeric(1, MANY, Math.min),
  max: numeric(1, MANY, Math.max),
  abs: numeric(1, 1, Math.abs),
  round: numeric(1, 1, Math.round),
  floor: numeric(1, 1, Math.floor),
  ceil: numeric(1, 1, Math.ceil),
  sqrt: numeric(1, 1, Math.sqrt),
  ln: numeric(1, 1, Math.log),
  log10: numeric(1, 1, Math.log10),
  log2: numeric(1, 1, Math.log2),
  sin: numeric(1, 1, Math.sin),
  cos: numeric(1, 1, Math.cos),
  tan: numeric(1, 1, Math.tan),
  pi: { least: 0, most: 0, run: () => Math.PI },
  e: { least: 0, most: 0, run: () => Math.E },
  number: assertion('number'),
  string: assertion('string'),
  boolean: assertion('boolean'),
  'to-number': {
    least: 1,
    most: MANY,
    run: (args) => {
      for (const arg of args) {
        const number = toNumber(arg);
        if (number !== undefined) return number;
      }
      return undefined;
    },
  },
  'to-string': { least: 1, most: 1, run: ([a]) => textOfValue(a) },
  'to-boolean': { least: 1, most: 1, run: ([a]) => a !== undefined && a !== '' && a !== 0 && a !== false },
  'to-color': {
    least: 1,
    most: MANY,
    run: (args) => args.find((arg) => typeof arg === 'string' && parseColor(arg) !== undefined),
  },
  concat: { least: 0, most: MANY, run: (args) => args.map(textOfValue).join('').slice(0, MAX_TEXT) },
  upcase: { least: 1, most: 1, run: ([a]) => (typeof a === 'string' ? a.toUpperCase() : undefined) },
  downcase: { least: 1, most: 1, run: ([a]) => (typeof a === 'string' ? a.toLowerCase() : undefined) },
  // Letters of every script are drawn with the fonts of the machine.
  'is-supported-script': { least: 1, most: 1, run: ([a]) => (typeof a === 'string' ? true : undefined) },
  slice: {
    least: 2,
    most: 3,
    run: ([a, from, to]) =>
      typeof a === 'string' && typeof from === 'number'
        ? a.slice(from, typeof to === 'number' ? to : undefined)
        : undefined,
  },
  rgb: { least: 3, most: 3, run: ([r, g, b]) => colorOf(r, g, b, 1) },
  rgba: { least: 4, most: 4, run: ([r, g, b, a]) => colorOf(r, g, b, a) },
  // Text with parts of different looks is drawn with one.
  format: { least: 1, most: MANY, run: (args) => args.map(textOfValue).join('').slice(0, MAX_TEXT) },
  // Which digits and separators is said by an object that the browser's language decides on.
  'number-format': { least: 1, most: 2, run: ([a]) => (isExactNumber(a) ? String(a) : undefined) },
};

function colorOf(...parts: readonly unknown[]): string | undefined {
  const [red, green, blue, alpha] = parts;
  if (typeof red !== 'number' || typeof green !== 'number' || typeof blue !== 'number' || typeof alpha !== 'number')
    return undefined;
  return formatColor([red, green, blue, Math.min(1, Math.max(0, alpha))]);
}
