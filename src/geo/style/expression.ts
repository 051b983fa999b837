// Expressions of MapLibre styles → functions. What is not understood is said at once, before anything is drawn; what fails on a
// feature (a word where a number is wanted) is undefined, and the property's default is taken, as in the viewer.
// The operators themselves are in `operators.ts`.

import { isExactNumber, LongNumber, orderOf } from '../../kernel/long-number.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { formatColor, mixColors, parseColor, type Rgba } from './color.ts';
import { OPERATORS } from './operators.ts';

export type GeometryType = 'Point' | 'LineString' | 'Polygon';

/** What an expression is asked about. */
export type Scope = {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: GeometryType;
  readonly zoom: number;
  readonly id?: unknown;
  /** Of a heatmap, 0 to 1, at the place that is coloured. */
  readonly density?: number;
};

type Run = (scope: Scope) => unknown;

export type Compiled = {
  readonly run: Run;
  /** Columns it looks at. */
  readonly columns: ReadonlySet<string>;
  readonly usesZoom: boolean;
  /** The same for every feature and zoom. */
  readonly isConstant: boolean;
};

export type ExpressionFault = { readonly path: string; readonly message: string };

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

export function compileExpression(raw: unknown, path = ''): Result<Compiled, ExpressionFault> {
  const compiler = new Compiler();
  try {
    const run = compiler.compile(raw, path, 0);
    const { columns, usesZoom, usesFeature } = compiler;
    const isConstant = !usesZoom && !usesFeature;
    if (!isConstant) return ok({ run, columns, usesZoom, isConstant });
    const value = run(NOWHERE);
    return ok({ run: () => value, columns, usesZoom, isConstant });
  } catch (fault) {
    if (fault instanceof Refused) return err({ path: fault.path, message: fault.message });
    throw fault;
  }
}

/** A condition, also in the older form `["==", "column", value]`. */
export function compileFilter(raw: unknown, path = 'filter'): Result<Compiled, ExpressionFault> {
  return compileExpression(modernFilter(raw), path);
}

const NOWHERE: Scope = { properties: {}, geometry: 'Point', zoom: 0 };

/** Leaves the recursion at once; never leaves this file. */
class Refused extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

class Compiler {
  readonly columns: Set<string> = new Set();
  usesZoom = false;
  usesFeature = false;
  private nodes = 0;

  compile(raw: unknown, path: string, depth: number): Run {
    this.nodes++;
    if (depth > MAX_DEPTH) throw new Refused(path, 'the expression is nested too deeply');
    if (this.nodes > MAX_NODES) throw new Refused(path, 'the expression is too long');
    if (raw === null || typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean')
      return () => raw ?? undefined;
    if (!Array.isArray(raw)) return this.compile(stopsToExpression(raw, path), path, depth + 1);
    const [name, ...rest] = raw as unknown[];
    if (typeof name !== 'string')
      throw new Refused(
        path,
        'an expression begins with the name of its operator; write ["literal", […]] for an array',
      );
    const inside = (i: number): Run => this.compile(rest[i], `${path}[${i + 1}]`, depth + 1);
    const need = (least: number, most = least): void => {
      if (rest.length < least || rest.length > most)
        throw new Refused(path, `"${name}" takes ${least === most ? least : `${least} or more`} arguments`);
    };
    switch (name) {
      case 'literal': {
        need(1);
        const [value] = rest;
        return () => value;
      }
      case 'get':
      case 'has': {
        need(1, 2);
        const [column] = rest;
        if (typeof column !== 'string' || rest.length > 1)
          throw new Refused(path, `"${name}" takes the name of a column`);
        this.columns.add(column);
        this.usesFeature = true;
        return name === 'get'
          ? ({ properties }) => properties[column] ?? undefined
          : ({ properties }) => properties[column] !== undefined && properties[column] !== null;
      }
      case 'id':
        this.usesFeature = true;
        return ({ id }) => id;
      case 'geometry-type':
        this.usesFeature = true;
        return ({ geometry }) => geometry;
      case 'heatmap-density':
        need(0);
        this.usesFeature = true;
        return ({ density }) => density ?? 0;
      case 'zoom':
        this.usesZoom = true;
        return ({ zoom }) => zoom;
      case 'case':
        return this.branches(rest, inside, need);
      case 'match':
        return this.match(rest, inside, need, path);
      case 'step':
        return this.step(rest, inside, need, path);
      case 'interpolate':
      case 'interpolate-hcl':
      case 'interpolate-lab':
        return this.interpolate(rest, inside, need, path);
      case 'coalesce': {
        const options = rest.map((_, i) => inside(i));
        return (scope) => {
          for (const option of options) {
            const value = option(scope);
            if (value !== undefined && value !== null) return value;
          }
          return undefined;
        };
      }
      case 'all':
      case 'any': {
        const conditions = rest.map((_, i) => inside(i));
        return name === 'all'
          ? (scope) => conditions.every((condition) => condition(scope) === true)
          : (scope) => conditions.some((condition) => condition(scope) === true);
      }
      default:
        return this.operator(name, rest, inside, path);
    }
  }

  private operator(name: string, rest: readonly unknown[], inside: (i: number) => Run, path: string): Run {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) throw new Refused(path, `"${name}" is not an operator we know`);
    const { least, most, run } = operator;
    if (rest.length < least || rest.length > most)
      throw new Refused(path, `"${name}" does not take ${rest.length} arguments`);
    // "format" has objects that describe looks between its words; they are no values.
    const args = rest.flatMap((arg, i) => (isPlainObject(arg) ? [] : [inside(i)]));
    const [a, b] = args;
    if (args.length === 1 && a !== undefined) return (scope) => run([a(scope)]);
    if (args.length === 2 && a !== undefined && b !== undefined) return (scope) => run([a(scope), b(scope)]);
    return (scope) => run(args.map((arg) => arg(scope)));
  }

  private branches(rest: readonly unknown[], inside: (i: number) => Run, need: (n: number, m: number) => void): Run {
    need(1, Number.POSITIVE_INFINITY);
    const runs = rest.map((_, i) => inside(i));
    const last = runs.length % 2 === 1 ? runs[runs.length - 1] : undefined;
    return (scope) => {
      for (let i = 0; i + 1 < runs.length; i += 2) if (runs[i]?.(scope) === true) return runs[i + 1]?.(scope);
      return last?.(scope);
    };
  }

  private match(
    rest: readonly unknown[],
    inside: (i: number) => Run,
    need: (n: number, m: number) => void,
    path: string,
  ): Run {
    need(2, Number.POSITIVE_INFINITY);
    const input = inside(0);
    const otherwise = rest.length % 2 === 0 ? inside(rest.length - 1) : undefined;
    const outputs = new Map<unknown, Run>();
    for (let i = 1; i + 1 < rest.length; i += 2) {
      const labels = Array.isArray(rest[i]) ? (rest[i] as unknown[]) : [rest[i]];
      const output = inside(i + 1);
      this.nodes += labels.length;
      for (const label of labels) {
        if (typeof label !== 'string' && typeof label !== 'number' && typeof label !== 'boolean')
          throw new Refused(`${path}[${i + 1}]`, 'the labels of "match" are numbers or words');
        if (!outputs.has(label)) outputs.set(label, output);
      }
    }
    return (scope) => {
      const value = input(scope);
      // Labels are doubles.
      return (outputs.get(value instanceof LongNumber ? Number(value) : value) ?? otherwise)?.(scope);
    };
  }

  private step(
    rest: readonly unknown[],
    inside: (i: number) => Run,
    need: (n: number, m: number) => void,
    path: string,
  ): Run {
    need(2, Number.POSITIVE_INFINITY);
    const input = inside(0);
    const stops = ascending(rest, 2, path);
    const outputs = [inside(1), ...stops.map((_, i) => inside(3 + i * 2))];
    return (scope) => {
      const value = input(scope);
      if (!isExactNumber(value)) return undefined;
      let i = 0;
      while (i < stops.length && orderOf(value, stops[i] ?? Number.POSITIVE_INFINITY) >= 0) i++;
      return outputs[i]?.(scope);
    };
  }

  private interpolate(
    rest: readonly unknown[],
    inside: (i: number) => Run,
    need: (n: number, m: number) => void,
    path: string,
  ): Run {
    need(4, Number.POSITIVE_INFINITY);
    const base = baseOf(rest[0], path);
    const input = inside(1);
    const stops = ascending(rest, 2, path);
    const outputs = stops.map((_, i) => inside(3 + i * 2));
    return (scope) => {
      const found = input(scope);
      const value = found instanceof LongNumber ? Number(found) : found;
      if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
      let i = 0;
      while (i < stops.length && value >= (stops[i] ?? Number.POSITIVE_INFINITY)) i++;
      if (i === 0) return outputs[0]?.(scope);
      if (i === stops.length) return outputs[i - 1]?.(scope);
      const [low, high] = [stops[i - 1] ?? 0, stops[i] ?? 0];
      const share =
        base === 1 ? (value - low) / (high - low) : (base ** (value - low) - 1) / (base ** (high - low) - 1);
      return between(outputs[i - 1]?.(scope), outputs[i]?.(scope), share);
    };
  }
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ascending(rest: readonly unknown[], from: number, path: string): number[] {
  if ((rest.length - from) % 2 !== 0) throw new Refused(path, 'every stop needs its output');
  const stops: number[] = [];
  for (let i = from; i < rest.length; i += 2) {
    const stop = rest[i];
    if (typeof stop !== 'number' || Number.isNaN(stop) || stop <= (stops.at(-1) ?? Number.NEGATIVE_INFINITY))
      throw new Refused(`${path}[${i + 1}]`, 'stops are numbers, each larger than the one before');
    stops.push(stop);
  }
  return stops;
}

function baseOf(curve: unknown, path: string): number {
  if (Array.isArray(curve)) {
    const [kind, base] = curve as unknown[];
    if (kind === 'linear') return 1;
    if (kind === 'exponential' && typeof base === 'number' && base > 0) return base;
    // Drawn as straight lines: the difference is not seen between two stops of a style.
    if (kind === 'cubic-bezier') return 1;
  }
  throw new Refused(`${path}[1]`, 'the curve is ["linear"] or ["exponential", base]');
}

/** Numbers, colours and arrays of numbers have something between them; of anything else, the lower one. */
export function between(low: unknown, high: unknown, share: number): unknown {
  if (typeof low === 'number' && typeof high === 'number') return low + (high - low) * share;
  if (typeof low === 'string' && typeof high === 'string') {
    const colors: [Rgba | undefined, Rgba | undefined] = [parseColor(low), parseColor(high)];
    if (colors[0] !== undefined && colors[1] !== undefined) return formatColor(mixColors(colors[0], colors[1], share));
  }
  if (Array.isArray(low) && Array.isArray(high) && low.length === high.length)
    return low.map((value, i) => between(value, high[i], share));
  return low;
}

/** The older form of a value that follows the zoom or a column: `{"stops": [[5, 1], [10, 4]]}`. */
function stopsToExpression(raw: unknown, path: string): unknown {
  if (typeof raw !== 'object' || raw === null) throw new Refused(path, 'this is not a value of a style');
  const { stops, base, property, type } = raw as Readonly<Record<string, unknown>>;
  if (!Array.isArray(stops) || !stops.every((stop) => Array.isArray(stop) && stop.length === 2))
    throw new Refused(path, 'an object is a value only as {"stops": [[zoom, value], …]}');
  const input = typeof property === 'string' ? ['get', property] : ['zoom'];
  const pairs = (stops as unknown[][]).flat();
  if (type === 'categorical') return ['match', input, ...pairs, null];
  const outputs = (stops as unknown[][]).map((stop) => stop[1]);
  const isSmooth = outputs.every((value) => typeof value === 'number' || parseColor(String(value)) !== undefined);
  if (type === 'interval' || !isSmooth) return ['step', input, outputs[0], ...pairs.slice(2)];
  return ['interpolate', typeof base === 'number' ? ['exponential', base] : ['linear'], input, ...pairs];
}

const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Conditions of the older form, in which a column is named by a bare word, as expressions. */
export function modernFilter(raw: unknown, depth = 0): unknown {
  if (!Array.isArray(raw) || depth > MAX_DEPTH) return raw;
  const [name, ...rest] = raw as unknown[];
  const [column] = rest;
  const input = column === '$type' ? ['geometry-type'] : column === '$id' ? ['id'] : ['get', column];
  if (typeof name !== 'string') return raw;
  if (name === 'none') return ['!', ['any', ...rest.map((one) => modernFilter(one, depth + 1))]];
  if (name === 'all' || name === 'any') return [name, ...rest.map((one) => modernFilter(one, depth + 1))];
  if (name === '!' && rest.length === 1) return [name, modernFilter(column, depth + 1)];
  if (typeof column !== 'string') return raw;
  if (COMPARISONS.has(name) && rest.length === 2 && !Array.isArray(rest[1])) return [name, input, rest[1]];
  if (name === '!has') return ['!', ['has', column]];
  // A modern "in" has two arguments, the second an expression.
  if ((name === 'in' && !Array.isArray(rest[1])) || name === '!in') {
    const test = ['in', input, ['literal', rest.slice(1)]];
    return name === 'in' ? test : ['!', test];
  }
  return raw;
}
