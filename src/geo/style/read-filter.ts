// Filters and values of SLD → MapLibre expressions. SLD writes every literal as text; what kind it is follows from the column it
// is compared with, where that is known, and from its looks where not.

import { isDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { matchOf, numberLiteral } from './exact-literals.ts';
import type { Json } from './style-layer.ts';
import { childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

/** What is known of a layer's columns. */
export type ColumnHint = { readonly name: string; readonly kind: 'number' | 'text' | 'boolean' };

export type ReadContext = {
  /** Undefined: nothing is known of the layer. */
  readonly columns: readonly ColumnHint[] | undefined;
  /** What was read other than it was meant. */
  readonly warn: (message: string) => void;
};

type Read<T = Json> = Result<T, { readonly message: string }>;

const COMPARISONS: Readonly<Record<string, string>> = {
  PropertyIsEqualTo: '==',
  PropertyIsNotEqualTo: '!=',
  PropertyIsLessThan: '<',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThan: '>',
  PropertyIsGreaterThanOrEqualTo: '>=',
};

/** The condition inside `<Filter>`. */
export function readFilter(filter: XmlElement, context: ReadContext): Read {
  const conditions = childrenOf(filter);
  const [only] = conditions;
  if (only === undefined || conditions.length > 1) return refuse('a filter holds one condition');
  return readCondition(only, context);
}

function readCondition(element: XmlElement, context: ReadContext): Read {
  const { name } = element;
  const comparison = COMPARISONS[name];
  if (comparison !== undefined) return readComparison(element, comparison, context);
  switch (name) {
    case 'And':
    case 'Or':
      return readAll(childrenOf(element), (child) => readCondition(child, context), [name === 'And' ? 'all' : 'any']);
    case 'Not':
      return readAll(childrenOf(element).slice(0, 1), (child) => readCondition(child, context), ['!']);
    case 'PropertyIsNull': {
      const column = readValue(childrenOf(element)[0], context);
      return column.ok ? ok(['==', column.value, null]) : column;
    }
    case 'PropertyIsBetween':
      return readBetween(element, context);
    case 'PropertyIsLike':
      return readLike(element, context);
    default:
      return refuse(`the filter ${name} cannot be drawn`);
  }
}

function readAll(elements: readonly XmlElement[], read: (element: XmlElement) => Read, start: readonly Json[]): Read {
  const parts: Json[] = [...start];
  for (const element of elements) {
    const part = read(element);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  return ok(parts);
}

function readComparison(element: XmlElement, operator: string, context: ReadContext): Read {
  const [left, right] = childrenOf(element);
  const a = readValue(left, context);
  if (!a.ok) return a;
  const b = readValue(right, context);
  if (!b.ok) return b;
  const dimension = asGeometryType(a.value, b.value);
  if (dimension !== undefined) return ok([operator, ['geometry-type'], dimension]);
  const wanted = kindOf(a.value, context) ?? kindOf(b.value, context);
  const isOrder = operator !== '==' && operator !== '!=';
  const compared: Json[] = [operator, asKind(a.value, wanted, isOrder), asKind(b.value, wanted, isOrder)];
  return ok(element.attributes['matchCase'] === 'false' ? lowerCase(compared) : compared);
}

function lowerCase([operator, a, b]: readonly Json[]): Json {
  const lower = (value: Json | undefined): Json =>
    typeof value === 'string' ? value.toLowerCase() : ['downcase', ['to-string', value ?? '']];
  return [operator ?? '==', lower(a), lower(b)];
}

const DIMENSIONS: Readonly<Record<string, string>> = { '0': 'Point', '1': 'LineString', '2': 'Polygon' };

/** `dimension(geom) = 2` is how SLD asks for polygons. */
function asGeometryType(a: Json, b: Json): string | undefined {
  return Array.isArray(a) && a[0] === 'dimension' ? DIMENSIONS[String(b)] : undefined;
}

function readBetween(element: XmlElement, context: ReadContext): Read {
  const value = readValue(childrenOf(element)[0], context);
  const low = readValue(childrenOf(childOf(element, 'LowerBoundary'))[0], context);
  const high = readValue(childrenOf(childOf(element, 'UpperBoundary'))[0], context);
  if (!value.ok) return value;
  if (!low.ok) return low;
  if (!high.ok) return high;
  const wanted = kindOf(value.value, context);
  return ok([
    'all',
    ['>=', value.value, asKind(low.value, wanted, true)],
    ['<=', value.value, asKind(high.value, wanted, true)],
  ]);
}

/** MapLibre has no patterns, but the beginning, the end and the middle of a word can be asked for. */
function readLike(element: XmlElement, context: ReadContext): Read {
  const [column, literal] = childrenOf(element);
  const value = readValue(column, context);
  if (!value.ok) return value;
  const { wildCard = '*', singleChar = '?', matchCase, ...written } = element.attributes;
  const escapeChar = written['escapeChar'] ?? written['escape'] ?? '\\';
  const parts: string[] = [''];
  const pattern = textOf(literal);
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === escapeChar && i + 1 < pattern.length) parts.push((parts.pop() ?? '') + pattern.charAt(++i));
    else if (char === wildCard) parts.push('');
    else if (char === singleChar) return refuse('a pattern with a placeholder for one character cannot be drawn');
    else parts.push((parts.pop() ?? '') + char);
  }
  const ignoresCase = matchCase === 'false';
  const plain: Json = ['to-string', value.value];
  const word: Json = ignoresCase ? ['downcase', plain] : plain;
  const folded = parts.map((part) => (ignoresCase ? part.toLowerCase() : part));
  const [first = '', ...rest] = folded;
  const last = rest.pop();
  if (last === undefined) return ok(['==', word, first]);
  const conditions: Json[] = [];
  if (first !== '') conditions.push(['==', ['slice', word, 0, first.length], first]);
  for (const part of rest) if (part !== '') conditions.push(['in', part, word]);
  if (last !== '') conditions.push(['==', ['slice', word, -last.length], last]);
  const [only] = conditions;
  return ok(conditions.length === 1 && only !== undefined ? only : ['all', ...conditions]);
}

const ARITHMETIC: Readonly<Record<string, string>> = { Add: '+', Sub: '-', Mul: '*', Div: '/' };

/** A value: a literal (text), a column, arithmetic, or one of the functions that styles use. */
export function readValue(element: XmlElement | undefined, context: ReadContext): Read {
  if (element === undefined) return refuse('a value is missing');
  const { name } = element;
  const operator = ARITHMETIC[name];
  if (operator !== undefined)
    return readAll(childrenOf(element), (child) => numeric(readValue(child, context)), [operator]);
  switch (name) {
    case 'Literal':
      return ok(textOf(element));
    case 'PropertyName':
    case 'ValueReference':
      return ok(['get', columnName(textOf(element), context)]);
    case 'Function':
      return readFunction(element.attributes['name'] ?? '', childrenOf(element), context);
    case 'Recode':
    case 'Categorize':
    case 'Interpolate':
      return readClasses(name, flatArguments(element), context);
    default:
      return refuse(`the value ${name} cannot be drawn`);
  }
}

function readFunction(name: string, args: readonly XmlElement[], context: ReadContext): Read {
  const read = (child: XmlElement): Read => readValue(child, context);
  switch (name.toLowerCase()) {
    case 'recode':
    case 'categorize':
    case 'interpolate':
      return readClasses(name, args, context);
    case 'strconcat':
    case 'concatenate':
    case 'concat':
      return readAll(args, read, ['concat']);
    case 'strtouppercase':
      return readAll(args.slice(0, 1), read, ['upcase']);
    case 'strtolowercase':
      return readAll(args.slice(0, 1), read, ['downcase']);
    case 'round':
    case 'floor':
    case 'ceil':
    case 'abs':
    case 'sqrt':
      return readAll(args.slice(0, 1), (child) => numeric(read(child)), [name.toLowerCase()]);
    case 'min':
    case 'max':
      return readAll(args, (child) => numeric(read(child)), [name.toLowerCase()]);
    case 'dimension':
      return ok(['dimension']);
    default:
      return refuse(`the function ${name} cannot be drawn`);
  }
}

/** The arguments of the functions of Symbology Encoding, whose elements are named, as the plain list others write. */
function flatArguments(element: XmlElement): XmlElement[] {
  const list: XmlElement[] = [];
  for (const child of childrenOf(element)) {
    if (child.name === 'MapItem' || child.name === 'InterpolationPoint') {
      const data = childOf(child, 'Data');
      const value = childOf(child, 'Value');
      if (data !== undefined) list.push(data);
      if (value !== undefined) list.push(value);
    } else list.push(child);
  }
  return list;
}

/** Recode, Categorize and Interpolate → match, step and interpolate. */
function readClasses(name: string, args: readonly XmlElement[], context: ReadContext): Read {
  const [lookup, ...rest] = args;
  const inner = lookup !== undefined && lookup.name === 'LookupValue' ? childrenOf(lookup)[0] : lookup;
  if (inner !== undefined && (inner.name === 'Rasterdata' || textOf(inner) === 'Rasterdata'))
    return ok(['literal', []]);
  const input = readValue(inner, context);
  if (!input.ok) return input;
  const values: Json[] = [];
  for (const arg of rest) {
    const simple = childrenOf(arg)[0];
    const value = arg.name === 'Literal' || simple === undefined ? ok<Json>(textOf(arg)) : readValue(simple, context);
    if (!value.ok) return value;
    values.push(value.value);
  }
  // How it interpolates is said after the pairs; colours and numbers are told apart by themselves.
  while (
    typeof values.at(-1) === 'string' &&
    /^(linear|color|numeric|preceding|succeeding|cosine)$/i.test(String(values.at(-1)))
  )
    values.pop();
  switch (name.toLowerCase()) {
    case 'recode': {
      const wanted = kindOf(input.value, context);
      const pairs: (readonly [Json, Json])[] = [];
      for (let i = 0; i + 1 < values.length; i += 2)
        pairs.push([asKind(values[i] ?? null, wanted, false), guess(values[i + 1] ?? null)]);
      return ok(matchOf(input.value, pairs, '#808080'));
    }
    case 'categorize':
      return ok(['step', input.value, ...values.map(guess)]);
    default:
      return ok(['interpolate', ['linear'], input.value, ...values.map(guess)]);
  }
}

function numeric(read: Read): Read {
  return read.ok ? ok(guess(read.value)) : read;
}

const LOOKS_NUMERIC = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A literal that looks like a number is one. */
export function guess(value: Json): Json {
  return typeof value === 'string' && LOOKS_NUMERIC.test(value) ? Number(value) : value;
}

function kindOf(value: Json, context: ReadContext): ColumnHint['kind'] | undefined {
  if (!Array.isArray(value) || value[0] !== 'get') return undefined;
  return context.columns?.find((column) => column.name === value[1])?.kind;
}

function asKind(value: Json, wanted: ColumnHint['kind'] | undefined, isOrder: boolean): Json {
  if (typeof value !== 'string') return value;
  switch (wanted) {
    case 'text':
      return value;
    case 'boolean':
      return /^(true|t|1)$/i.test(value);
    case 'number': {
      return comparedNumber(value) ?? value;
    }
    case undefined:
      // Without a column, an order is one of numbers wherever it can be.
      return isOrder || LOOKS_NUMERIC.test(value) ? (comparedNumber(value) ?? value) : value;
  }
}

/** With all its digits. */
function comparedNumber(value: string): Json | undefined {
  const text = value.trim();
  if (isDecimal(text)) return numberLiteral(text);
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** Columns get other letters when files are imported; the style that came with the file still means them. */
function columnName(name: string, { columns }: ReadContext): string {
  const plain = name.slice(name.lastIndexOf(':') + 1).replace(/^.*\//, '');
  if (columns === undefined || columns.some((column) => column.name === plain)) return plain;
  const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
  return columns.find((column) => fold(column.name) === fold(plain))?.name ?? plain;
}

function refuse(message: string): Result<never, { readonly message: string }> {
  return err({ message });
}
