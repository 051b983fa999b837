// MapLibre expressions → filters and values of SLD. What SLD has no words for is undefined.

import { escapeXml } from '../../kernel/escape-xml.ts';
import type { Json } from './style-layer.ts';

const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'PropertyIsEqualTo',
  '!=': 'PropertyIsNotEqualTo',
  '<': 'PropertyIsLessThan',
  '<=': 'PropertyIsLessThanOrEqualTo',
  '>': 'PropertyIsGreaterThan',
  '>=': 'PropertyIsGreaterThanOrEqualTo',
};

const ARITHMETIC: Readonly<Record<string, string>> = { '+': 'Add', '-': 'Sub', '*': 'Mul', '/': 'Div' };
const DIMENSIONS: Readonly<Record<string, string>> = { Point: '0', LineString: '1', Polygon: '2' };
const MAX_DEPTH = 60;

/** The condition that stands inside `<ogc:Filter>`. */
export function writeCondition(raw: Json, depth = 0): string | undefined {
  if (!Array.isArray(raw) || depth > MAX_DEPTH) return undefined;
  const [name, ...rest] = raw as readonly Json[];
  if (typeof name !== 'string') return undefined;
  const comparison = COMPARISONS[name];
  if (comparison !== undefined && rest.length === 2) return writeComparison(comparison, rest, depth);
  const inside = (): string | undefined => joined(rest.map((one) => writeCondition(one, depth + 1)));
  switch (name) {
    case 'all':
    case 'any': {
      const parts = inside();
      if (parts === undefined || rest.length === 0) return undefined;
      const word = name === 'all' ? 'And' : 'Or';
      return rest.length === 1 ? parts : `<ogc:${word}>${parts}</ogc:${word}>`;
    }
    case '!': {
      const [inner] = rest;
      if (Array.isArray(inner) && inner[0] === 'has')
        return `<ogc:PropertyIsNull>${column(String(inner[1]))}</ogc:PropertyIsNull>`;
      const condition = inside();
      return condition === undefined ? undefined : `<ogc:Not>${condition}</ogc:Not>`;
    }
    case 'has':
      return `<ogc:Not><ogc:PropertyIsNull>${column(String(rest[0]))}</ogc:PropertyIsNull></ogc:Not>`;
    case 'in':
      return writeIn(rest, depth);
    case 'match':
      return writeMatch(rest, depth);
    default:
      return undefined;
  }
}

function writeComparison(name: string, [a, b]: readonly Json[], depth: number): string | undefined {
  if (Array.isArray(a) && a[0] === 'geometry-type' && typeof b === 'string') {
    const dimension = DIMENSIONS[b];
    if (dimension === undefined) return undefined;
    return `<ogc:${name}><ogc:Function name="dimension">${column('geom')}</ogc:Function><ogc:Literal>${dimension}</ogc:Literal></ogc:${name}>`;
  }
  if (b === null && name === 'PropertyIsEqualTo') return wrap('PropertyIsNull', writeValue(a ?? null, depth + 1));
  if (b === null && name === 'PropertyIsNotEqualTo')
    return wrap('Not', wrap('PropertyIsNull', writeValue(a ?? null, depth + 1)));
  const like = writeLike(a, b);
  if (like !== undefined && name === 'PropertyIsEqualTo') return like;
  return wrap(name, joined([writeValue(a ?? null, depth + 1), writeValue(b ?? null, depth + 1)]));
}

/** The beginning or the end of a word, as `read-filter.ts` writes patterns down. */
function writeLike(a: Json | undefined, b: Json | undefined): string | undefined {
  if (!Array.isArray(a) || a[0] !== 'slice' || typeof b !== 'string') return undefined;
  const [, word, from, to] = a as readonly Json[];
  const literal = b.replace(/[*?\\]/g, (char) => `\\${char}`);
  if (from === 0 && to === b.length) return like(word ?? null, `${literal}*`);
  return from === -b.length && to === undefined ? like(word ?? null, `*${literal}`) : undefined;
}

function like(word: Json, pattern: string): string | undefined {
  const [lower, plain] = Array.isArray(word) && word[0] === 'downcase' ? [true, word[1] ?? null] : [false, word];
  const value = writeValue(plain, 1);
  if (value === undefined) return undefined;
  return `<ogc:PropertyIsLike wildCard="*" singleChar="?" escapeChar="\\"${lower ? ' matchCase="false"' : ''}>${value}<ogc:Literal>${escapeXml(pattern)}</ogc:Literal></ogc:PropertyIsLike>`;
}

function writeIn([needle, hay]: readonly Json[], depth: number): string | undefined {
  if (typeof needle === 'string' && Array.isArray(hay))
    return like(hay, `*${needle.replace(/[*?\\]/g, (char) => `\\${char}`)}*`);
  if (!Array.isArray(hay) || hay[0] !== 'literal' || !Array.isArray(hay[1])) return undefined;
  const tests: Json[] = (hay[1] as readonly Json[]).map((one) => ['==', needle ?? null, one]);
  return writeCondition(['any', ...tests], depth + 1);
}

/** `["match", value, [labels], true, false]`, the way viewers write a long "in". */
function writeMatch([input, labels, yes, no]: readonly Json[], depth: number): string | undefined {
  if (typeof yes !== 'boolean' || yes === no) return undefined;
  const list = Array.isArray(labels) ? (labels as readonly Json[]) : [labels ?? null];
  const any: Json = ['any', ...list.map((one): Json => ['==', input ?? null, one])];
  return writeCondition(yes ? any : ['!', any], depth + 1);
}

/** A value inside a filter, a label or a parameter. */
export function writeValue(raw: Json, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (raw === null) return '<ogc:Literal/>';
  if (typeof raw !== 'object') return `<ogc:Literal>${escapeXml(String(raw))}</ogc:Literal>`;
  if (!Array.isArray(raw)) return undefined;
  const [name, ...rest] = raw as readonly Json[];
  if (typeof name !== 'string') return undefined;
  const inside = (): string | undefined => joined(rest.map((one) => writeValue(one, depth + 1)));
  const operator = ARITHMETIC[name];
  if (operator !== undefined && rest.length === 2) return wrap(operator, inside());
  switch (name) {
    case 'get':
      return column(String(rest[0]));
    case 'to-string':
    case 'to-number':
    case 'string':
    case 'number':
      return rest.length === 1 ? inside() : undefined;
    case 'concat':
      return call('Concatenate', inside());
    case 'upcase':
      return call('strToUpperCase', inside());
    case 'downcase':
      return call('strToLowerCase', inside());
    case 'round':
    case 'floor':
    case 'ceil':
    case 'abs':
    case 'sqrt':
    case 'min':
    case 'max':
      return call(name, inside());
    case 'interpolate': {
      const [, input, ...stops] = rest;
      const kind = stops.some((stop, i) => i % 2 === 1 && typeof stop === 'string') ? 'color' : 'numeric';
      return call(
        'Interpolate',
        joined([input ?? null, ...stops, 'linear', kind].map((one) => writeValue(one, depth + 1))),
      );
    }
    default:
      return undefined;
  }
}

function column(name: string): string {
  return `<ogc:PropertyName>${escapeXml(name)}</ogc:PropertyName>`;
}

function call(name: string, inside: string | undefined): string | undefined {
  return inside === undefined ? undefined : `<ogc:Function name="${name}">${inside}</ogc:Function>`;
}

function wrap(name: string, inside: string | undefined): string | undefined {
  return inside === undefined ? undefined : `<ogc:${name}>${inside}</ogc:${name}>`;
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts.join('');
}
