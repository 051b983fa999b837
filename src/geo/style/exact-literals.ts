// Numbers in a style that JavaScript's numbers do not hold. MapLibre's language has no word for them but `["to-number", "…"]`: viewers read it
// as the nearest double, as they do with the data of tiles, and what is drawn here compares all digits.

import { asPlainNumbers, exactDigits, hasLongNumbers, parseExact } from '../../kernel/exact-numbers.ts';
import { exactNumber } from '../../kernel/long-number.ts';
import { modernFilter } from './expression.ts';
import type { Json, JsonObject } from './style-layer.ts';

/** A decimal numeral → a literal of an expression. */
export function numberLiteral(numeral: string): Json {
  const number = exactNumber(numeral);
  return typeof number === 'number' ? number : ['to-number', numeral];
}

/** `match`, whose labels can only be plain; with others, the same as comparisons. */
export function matchOf(input: Json, pairs: readonly (readonly [label: Json, output: Json])[], otherwise: Json): Json {
  if (!pairs.some(([label]) => hasLiteral(label))) return ['match', input, ...pairs.flat(), otherwise];
  return ['case', ...pairs.flatMap(([label, output]) => [isOneOf(input, label), output]), otherwise];
}

const isLiteral = (value: Json | undefined): boolean => Array.isArray(value) && value[0] === 'to-number';
const hasLiteral = (label: Json): boolean => isLiteral(label) || (Array.isArray(label) && label.some(isLiteral));

function isOneOf(input: Json, label: Json): Json {
  const labels: readonly Json[] = Array.isArray(label) && !isLiteral(label) ? label : [label];
  const tests = labels.map((one): Json => ['==', input, one]);
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : ['any', ...tests];
}

/** Of text that is known to be JSON: a style document, or a list of layers. */
export function parseStyleJson(text: string): unknown {
  return hasLongNumbers(text) ? exactStyle(parseExact(text)) : JSON.parse(text);
}

function exactStyle(style: unknown): unknown {
  if (Array.isArray(style)) return style.map(exactLayer);
  if (!isRecord(style)) return asPlainNumbers(style);
  const { layers, ...others } = style;
  return { ...(asPlainNumbers(others) as object), layers: Array.isArray(layers) ? layers.map(exactLayer) : layers };
}

function exactLayer(layer: unknown): unknown {
  if (!isRecord(layer)) return asPlainNumbers(layer);
  const { filter, paint, layout, ...others } = layer;
  return {
    ...(asPlainNumbers(others) as object),
    ...(filter === undefined ? {} : { filter: expression(modernFilter(filter) as Json, 0) }),
    ...(paint === undefined ? {} : { paint: exactLooks(paint) }),
    ...(layout === undefined ? {} : { layout: exactLooks(layout) }),
  };
}

function exactLooks(looks: unknown): unknown {
  if (!isRecord(looks)) return asPlainNumbers(looks);
  return Object.fromEntries(
    Object.entries(looks).map(([name, value]) => [
      name,
      Array.isArray(value) ? expression(value as Json, 0) : asPlainNumbers(value),
    ]),
  );
}

/** Deeper ones are refused by who compiles them. */
const MAX_DEPTH = 64;

function expression(raw: Json, depth: number): Json {
  if (!Array.isArray(raw) || depth > MAX_DEPTH) return asPlainNumbers(raw) as Json;
  const [name, ...args] = raw as readonly Json[];
  if (typeof name !== 'string') return asPlainNumbers(raw) as Json;
  const inside = (one: Json): Json => {
    const digits = exactDigits(one);
    return digits === undefined ? expression(one, depth + 1) : numberLiteral(digits);
  };
  switch (name) {
    case 'literal':
      return asPlainNumbers(raw) as Json;
    case 'in': {
      const [needle = null, hay] = args;
      const list = Array.isArray(hay) && hay[0] === 'literal' && Array.isArray(hay[1]) ? hay[1].map(inside) : [];
      return list.some(isLiteral) ? isOneOf(inside(needle), list) : [name, ...args.map(inside)];
    }
    case 'match': {
      const [input = null, ...rest] = args;
      const pairs: (readonly [Json, Json])[] = [];
      for (let i = 0; i + 1 < rest.length; i += 2) {
        const label = rest[i] ?? null;
        pairs.push([Array.isArray(label) ? label.map(inside) : inside(label), inside(rest[i + 1] ?? null)]);
      }
      return rest.length % 2 === 1
        ? matchOf(inside(input), pairs, inside(rest.at(-1) ?? null))
        : [name, ...args.map(inside)];
    }
    case 'step':
    case 'interpolate':
      // Stops are plain numbers, each larger than the one before.
      return [
        name,
        ...args.map((one) => (exactDigits(one) === undefined ? inside(one) : (asPlainNumbers(one) as Json))),
      ];
    default:
      return [name, ...args.map(inside)];
  }
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
