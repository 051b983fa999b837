// A filter of the Filter Encoding Specification 1.1, as catalogue clients send it → the same filter that CQL becomes. Bounded in parts
// and depth; what is not understood is refused. Pure.

import {
  type Comparison,
  type Filter,
  MAX_DEPTH,
  MAX_NODES,
  type Scalar,
  type SpatialRelation,
} from '../../geo/cql/cql.ts';
import { boxGeometry } from '../../geo/cql/cql-json.ts';
import type { GeoGeometry } from '../../geo/geojson.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../../geo/style/xml-tree.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';

class Refused extends Error {}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '<>',
  PropertyIsLessThan: '<',
  PropertyIsGreaterThan: '>',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThanOrEqualTo: '>=',
};

const RELATIONS: Readonly<Record<string, SpatialRelation>> = {
  BBOX: 's_intersects',
  Intersects: 's_intersects',
  Within: 's_within',
  Contains: 's_contains',
  Disjoint: 's_disjoint',
  Equals: 's_equals',
};

export function parseOgcFilter(root: XmlElement): Result<Filter, { readonly said: string }> {
  let nodes = 0;
  const read = (element: XmlElement, depth: number): Filter => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new Refused(`A filter has ${MAX_NODES} parts at most.`);
    if (depth > MAX_DEPTH) throw new Refused(`A filter is ${MAX_DEPTH} parts deep at most.`);
    const { name } = element;
    const children = childrenOf(element);
    if (name === 'And' || name === 'Or')
      return { kind: name === 'And' ? 'and' : 'or', parts: children.map((child) => read(child, depth + 1)) };
    if (name === 'Not') return { kind: 'not', part: read(required(children[0], name), depth + 1) };
    const op = COMPARISONS[name];
    if (op !== undefined) return { kind: 'compare', op, left: propertyOf(element), right: literalOf(element) };
    const relation = RELATIONS[name];
    if (relation !== undefined) {
      const property = childOf(element, 'PropertyName', 'ValueReference');
      const left = { kind: 'property', name: property === undefined ? 'BoundingBox' : textOf(property) } as const;
      return { kind: 'spatial', op: relation, left, right: { kind: 'geometry', value: boxOf(element) } };
    }
    switch (name) {
      case 'PropertyIsLike':
        return { kind: 'like', left: propertyOf(element), pattern: { kind: 'text', value: likePattern(element) } };
      case 'PropertyIsNull':
        return { kind: 'null', value: propertyOf(element) };
      case 'PropertyIsBetween': {
        const bound = (side: string): Scalar => ({ kind: 'text', value: textOf(childOf(element, side)) });
        return {
          kind: 'between',
          value: propertyOf(element),
          low: bound('LowerBoundary'),
          high: bound('UpperBoundary'),
        };
      }
      default:
        throw new Refused(`${name.slice(0, 50)} is not understood in a filter.`);
    }
  };
  try {
    if (root.name !== 'Filter') throw new Refused('A filter begins with the element Filter.');
    const parts = childrenOf(root).map((child) => read(child, 0));
    const [only] = parts;
    if (only === undefined) throw new Refused('The filter is empty.');
    return ok(parts.length === 1 ? only : { kind: 'and', parts });
  } catch (error) {
    if (error instanceof Refused) return err({ said: error.message });
    throw error;
  }
}

function required(element: XmlElement | undefined, inside: string): XmlElement {
  if (element === undefined) throw new Refused(`${inside} has nothing in it.`);
  return element;
}

function propertyOf(element: XmlElement): Scalar {
  return { kind: 'property', name: textOf(required(childOf(element, 'PropertyName', 'ValueReference'), element.name)) };
}

function literalOf(element: XmlElement): Scalar {
  return { kind: 'text', value: textOf(required(childOf(element, 'Literal'), element.name)) };
}

/** With the signs of the request → with `%` and `_`. */
function likePattern(element: XmlElement): string {
  const { wildCard = '%', singleChar = '_', escapeChar } = element.attributes;
  const mark = escapeChar ?? element.attributes['escape'] ?? '\\';
  let pattern = '';
  let isEscaped = false;
  for (const char of textOf(childOf(element, 'Literal'))) {
    if (isEscaped) {
      pattern += /[\\%_]/.test(char) ? `\\${char}` : char;
      isEscaped = false;
    } else if (char === mark) isEscaped = true;
    else if (char === wildCard) pattern += '%';
    else if (char === singleChar) pattern += '_';
    else pattern += /[\\%_]/.test(char) ? `\\${char}` : char;
  }
  return pattern;
}

/** North first where the system is named by a urn, as it is where none is named. */
function boxOf(element: XmlElement): GeoGeometry {
  const envelope = required(childOf(element, 'Envelope', 'Box'), element.name);
  const corners = childrenOf(envelope, 'lowerCorner', 'upperCorner', 'coord', 'coordinates');
  const numbers = corners
    .flatMap((corner) => textOf(corner).split(/[\s,]+/))
    .slice(0, 5)
    .map((one) => parseDecimal(one) ?? Number.NaN);
  if (numbers.length !== 4 || numbers.some((one) => Number.isNaN(one) || Math.abs(one) > 1e6))
    throw new Refused('A box has two corners of two numbers each.');
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  const srs = envelope.attributes['srsName'] ?? '';
  const isNorthFirst =
    envelope.name === 'Envelope' && /^(?:urn:.*:EPSG:|https?:.*\/EPSG\/0\/)/i.test(srs.slice(0, 100));
  const [west, south, east, north] = isNorthFirst ? [b, a, d, c] : [a, b, c, d];
  if (south > north) throw new Refused('A box has its lower corner first.');
  return boxGeometry([west, south, east, north]);
}
