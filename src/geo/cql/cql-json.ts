// CQL2 as JSON → a filter. What is not understood is refused by name, never passed over.

import { asPlainNumbers, exactDigits, hasLongNumbers, parseExact } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type GeoGeometry, parseGeometry } from '../geojson.ts';
import {
  type Arithmetic,
  type Comparison,
  type CqlError,
  type Filter,
  isMoment,
  MAX_DEPTH,
  MAX_NODES,
  MAX_TEXT,
  numeralOf,
  type Scalar,
  SPATIAL,
  type Spatial,
  type SpatialRelation,
  TEMPORAL,
  type TemporalRelation,
  type When,
} from './cql.ts';
import { arityComplaint, isFunctionName } from './functions.ts';

const COMPARISONS: ReadonlySet<string> = new Set<Comparison>(['=', '<>', '<', '>', '<=', '>=']);
const ARITHMETIC: ReadonlySet<string> = new Set<Arithmetic>(['+', '-', '*', '/', '%', 'div', '^']);

/** What a reader of one filter throws; it does not leave this folder. */
export class Refused extends Error {}

export function parseCqlJson(value: unknown): Result<Filter, CqlError> {
  return parseValue(() => readFilter(value, { nodes: 0 }, 0));
}

/** A value of a row: `{"op": "upper", "args": [{"property": "name"}]}`. */
export function parseExpressionJson(value: unknown): Result<Scalar, CqlError> {
  const parsed = parseValue(() => readScalar(value, { nodes: 0 }, 0));
  return parsed.ok ? parsed : err(ofExpression(parsed.error));
}

function parseValue<T>(read: () => T): Result<T, CqlError> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof Refused) return err({ kind: 'bad-filter', said: error.message });
    throw error;
  }
}

/** One grammar reads both, and calls what it reads a filter. */
export function ofExpression({ kind, said }: CqlError): CqlError {
  return { kind, said: said.replace(/^the filter/, 'the expression') };
}

export function parseCqlJsonText(text: string): Result<Filter, CqlError> {
  if (text.length > MAX_TEXT) return err({ kind: 'bad-filter', said: 'the filter is too long' });
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (hasLongNumbers(text)) value = parseExact(text);
  } catch {
    return err({ kind: 'bad-filter', said: 'the filter is not JSON' });
  }
  return parseCqlJson(value);
}

type Count = { nodes: number };

function enter(count: Count, depth: number): void {
  count.nodes += 1;
  if (depth > MAX_DEPTH) throw new Refused('the filter is nested too deeply');
  if (count.nodes > MAX_NODES) throw new Refused('the filter has too many parts');
}

function readFilter(value: unknown, count: Count, depth: number): Filter {
  enter(count, depth);
  if (typeof value === 'boolean') return { kind: 'truth', value };
  const { op, args } = operation(value);
  const scalar = (i: number): Scalar => readScalar(args[i], count, depth + 1);
  if (op === undefined) return { kind: 'holds', value: readScalar(value, count, depth + 1) };
  if (op === 'and' || op === 'or') {
    if (args.length < 2) throw new Refused(`"${op}" needs at least two arguments`);
    return { kind: op, parts: args.map((one) => readFilter(one, count, depth + 1)) };
  }
  if (op === 'not') {
    expectArgs(op, args, 1);
    return { kind: 'not', part: readFilter(args[0], count, depth + 1) };
  }
  if (COMPARISONS.has(op)) {
    expectArgs(op, args, 2);
    return { kind: 'compare', op: op as Comparison, left: scalar(0), right: scalar(1) };
  }
  if (SPATIAL.has(op)) {
    expectArgs(op, args, 2);
    return { kind: 'spatial', op: op as SpatialRelation, left: readSpatial(args[0]), right: readSpatial(args[1]) };
  }
  if (TEMPORAL.has(op)) {
    expectArgs(op, args, 2);
    return { kind: 'temporal', op: op as TemporalRelation, left: scalar(0), right: scalar(1) };
  }
  switch (op) {
    case 'like':
      expectArgs(op, args, 2);
      return { kind: 'like', left: scalar(0), pattern: scalar(1) };
    case 'between':
      expectArgs(op, args, 3);
      return { kind: 'between', value: scalar(0), low: scalar(1), high: scalar(2) };
    case 'in': {
      expectArgs(op, args, 2);
      const [, list] = args;
      if (!Array.isArray(list) || list.length === 0) throw new Refused('"in" needs a list of values');
      return { kind: 'in', value: scalar(0), list: list.map((one) => readScalar(one, count, depth + 1)) };
    }
    case 'isNull':
      expectArgs(op, args, 1);
      return { kind: 'null', value: scalar(0) };
    default:
      if (op === 'if' || isFunctionName(op)) return { kind: 'holds', value: readScalar(value, count, depth + 1) };
      throw new Refused(`"${op.slice(0, 50)}" is not an operator that is known here`);
  }
}

/** `op` undefined: not an operation. */
function operation(value: unknown): { readonly op: string | undefined; readonly args: readonly unknown[] } {
  if (typeof value !== 'object' || value === null) throw new Refused('a filter is an object with "op" and "args"');
  const { op, args } = value as Record<string, unknown>;
  if (op === undefined && 'property' in value) return { op: undefined, args: [] };
  if (typeof op !== 'string' || !Array.isArray(args)) throw new Refused('a filter is an object with "op" and "args"');
  return { op, args };
}

function expectArgs(op: string, args: readonly unknown[], count: number): void {
  if (args.length !== count) throw new Refused(`"${op}" takes ${count} arguments`);
}

function readScalar(value: unknown, count: Count, depth: number): Scalar {
  enter(count, depth);
  const digits = typeof value === 'number' ? String(value) : exactDigits(value);
  if (digits !== undefined) return readNumber(digits);
  switch (typeof value) {
    case 'string':
      return { kind: 'text', value };
    case 'boolean':
      return { kind: 'truth', value };
    default:
  }
  if (typeof value !== 'object' || value === null) throw new Refused('a value was expected');
  const member = value as Record<string, unknown>;
  if (typeof member['property'] === 'string') return { kind: 'property', name: member['property'] };
  if ('date' in member || 'timestamp' in member || 'interval' in member)
    return { kind: 'when', value: readWhen(member) };
  const { op, args } = member;
  if (typeof op !== 'string' || !Array.isArray(args)) throw new Refused('a value was expected');
  if (ARITHMETIC.has(op)) {
    expectArgs(op, args, 2);
    const [left, right] = [readScalar(args[0], count, depth + 1), readScalar(args[1], count, depth + 1)];
    return { kind: 'arithmetic', op: op as Arithmetic, left, right };
  }
  if (op === 'casei' || op === 'accenti') {
    expectArgs(op, args, 1);
    const what = op === 'casei' ? 'case' : 'accent';
    return { kind: 'fold', what, of: readScalar(args[0], count, depth + 1) };
  }
  if (op === 'if') {
    if (args.length < 2 || args.length > 3) throw new Refused('"if" takes 2 to 3 arguments');
    const when = readFilter(args[0], count, depth + 1);
    const yes = readScalar(args[1], count, depth + 1);
    return { kind: 'if', when, yes, no: args.length === 3 ? readScalar(args[2], count, depth + 1) : undefined };
  }
  if (!isFunctionName(op)) throw new Refused(`"${op.slice(0, 50)}" is not a function that is known here`);
  const complaint = arityComplaint(op, args.length);
  if (complaint !== undefined) throw new Refused(complaint);
  return { kind: 'call', name: op, args: args.map((one) => readArgument(one, count, depth + 1)) };
}

/** A value, or a geometry as GeoJSON. */
function readArgument(value: unknown, count: Count, depth: number): Scalar {
  const isShape = typeof value === 'object' && value !== null && 'type' in value && !('op' in value);
  if (!isShape) return readScalar(value, count, depth);
  enter(count, depth);
  const shape = readSpatial(value);
  if (shape.kind !== 'geometry') throw new Refused('a geometry was expected');
  return { kind: 'shape', value: shape.value };
}

export function readNumber(text: string): Scalar {
  const value = numeralOf(text);
  if (value === undefined) throw new Refused('a number has 1000 digits at most');
  return { kind: 'number', value };
}

function readWhen({ date, timestamp, interval }: Record<string, unknown>): When {
  const moment = (value: unknown): string => {
    if (typeof value !== 'string' || !isMoment(value)) throw new Refused('a date or a timestamp in UTC was expected');
    return value;
  };
  if (interval === undefined) return { kind: 'instant', at: moment(date ?? timestamp) };
  if (!Array.isArray(interval) || interval.length !== 2) throw new Refused('an interval has two ends');
  const end = (value: unknown): string | undefined => (value === '..' || value === '' ? undefined : moment(value));
  return { kind: 'interval', from: end(interval[0]), to: end(interval[1]) };
}

function readSpatial(value: unknown): Spatial {
  if (typeof value === 'object' && value !== null) {
    const member = value as Record<string, unknown>;
    if (typeof member['property'] === 'string') return { kind: 'property', name: member['property'] };
    if (Array.isArray(member['bbox']))
      return { kind: 'geometry', value: boxGeometry(member['bbox'].map(asPlainNumbers)) };
  }
  const geometry = parseGeometry(asPlainNumbers(value));
  if (!geometry.ok) throw new Refused(geometry.error.said);
  return { kind: 'geometry', value: geometry.value };
}

export function boxGeometry(box: readonly unknown[]): GeoGeometry {
  const numbers = box.map(Number);
  const [xmin, ymin, xmax, ymax] = numbers.length === 6 ? numbers.filter((_, i) => i !== 2 && i !== 5) : numbers;
  const edges = [xmin, ymin, xmax, ymax];
  if ((numbers.length !== 4 && numbers.length !== 6) || !edges.every(Number.isFinite))
    throw new Refused('a box has four or six finite numbers');
  const [a = 0, b = 0, c = 0, d = 0] = edges;
  const isDegrees = Math.max(Math.abs(a), Math.abs(c)) <= 180;
  if (a <= c || !isDegrees) return { type: 'Polygon', coordinates: [rectangle(a, b, c, d)] };
  // From west to east across the line of 180°.
  return { type: 'MultiPolygon', coordinates: [[rectangle(a, b, 180, d)], [rectangle(-180, b, c, d)]] };
}

function rectangle(a: number, b: number, c: number, d: number): number[][] {
  return [
    [a, b],
    [c, b],
    [c, d],
    [a, d],
    [a, b],
  ];
}
