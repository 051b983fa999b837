// A filter of the Filter Encoding Standard (2.0, and 1.0 and 1.1 of OGC Filter, whose names differ a little) → the same filter that CQL2
// becomes. What is not understood is refused. Pure.

import {
  type Comparison,
  type Filter,
  isMoment,
  MAX_DEPTH,
  MAX_NODES,
  numeralOf,
  type Scalar,
  type SpatialRelation,
} from '../../../geo/cql/cql.ts';
import type { XmlElement } from '../../../geo/style/xml-tree.ts';
import { isDecimal, parseDecimal } from '../../../kernel/decimal.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { columnOfXmlName } from '../../xml-text.ts';
import { readGml } from './gml-geometry.ts';
import { elements, textOf, withoutPrefix } from './xml-elements.ts';

export type FesError = { readonly kind: 'bad-filter'; readonly said: string };

export type FesFilter = {
  /** Undefined: none but the ids. */
  readonly filter: Filter | undefined;
  /** Ids as services write them: `places.5`. */
  readonly ids: readonly string[];
  /** The system that the geometries are in, where they say one. */
  readonly crs: string | undefined;
};

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '<>',
  PropertyIsLessThan: '<',
  PropertyIsGreaterThan: '>',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThanOrEqualTo: '>=',
};

const RELATIONS: Readonly<Record<string, SpatialRelation>> = {
  Intersects: 's_intersects',
  // So the capabilities of 1.0 call it.
  Intersect: 's_intersects',
  Equals: 's_equals',
  Disjoint: 's_disjoint',
  Touches: 's_touches',
  Within: 's_within',
  Overlaps: 's_overlaps',
  Crosses: 's_crosses',
  Contains: 's_contains',
  BBOX: 's_intersects',
};

class Refused extends Error {}

type State = { nodes: number; crs: string | undefined; readonly ids: string[] };

/** `geometry`: the name of the layer's geometry, for filters that do not name it. */
export function parseFes(root: XmlElement, geometry: string): Result<FesFilter, FesError> {
  const state: State = { nodes: 0, crs: undefined, ids: [] };
  try {
    if (root.name !== 'Filter') throw new Refused('a filter begins with the element Filter');
    const parts = elements(root).flatMap((child) => {
      if (isId(child)) {
        state.ids.push(idOf(child));
        return [];
      }
      return [read(child, state, geometry, 0)];
    });
    if (parts.length > 1 || (parts.length === 1 && state.ids.length > 0))
      throw new Refused('a filter holds one condition, or ids');
    if (parts.length === 0 && state.ids.length === 0) throw new Refused('the filter is empty');
    return ok({ filter: parts[0], ids: state.ids, crs: state.crs });
  } catch (error) {
    if (error instanceof Refused) return err({ kind: 'bad-filter', said: error.message });
    throw error;
  }
}

function isId({ name }: XmlElement): boolean {
  return name === 'ResourceId' || name === 'FeatureId' || name === 'GmlObjectId';
}

function idOf({ attributes }: XmlElement): string {
  const id = attributes['rid'] ?? attributes['fid'] ?? attributes['id'];
  if (id === undefined) throw new Refused('an id is missing');
  return id;
}

function read(element: XmlElement, state: State, geometry: string, depth: number): Filter {
  state.nodes += 1;
  if (depth > MAX_DEPTH) throw new Refused('the filter is nested too deeply');
  if (state.nodes > MAX_NODES) throw new Refused('the filter has too many parts');
  const { name } = element;
  const children = elements(element);
  if (name === 'And' || name === 'Or') {
    if (children.length < 2) throw new Refused(`${name} joins at least two conditions`);
    const parts = children.map((child) => read(child, state, geometry, depth + 1));
    return { kind: name === 'And' ? 'and' : 'or', parts };
  }
  if (name === 'Not')
    return { kind: 'not', part: read(only(children, 1, name)[0] as XmlElement, state, geometry, depth + 1) };
  const comparison = COMPARISONS[name];
  if (comparison !== undefined) {
    const [left, right] = only(children, 2, name).map((child) => expression(child, state, depth + 1));
    const isLoose = element.attributes['matchCase'] === 'false';
    const fold = (scalar: Scalar): Scalar => (isLoose ? { kind: 'fold', what: 'case', of: scalar } : scalar);
    return { kind: 'compare', op: comparison, left: fold(left as Scalar), right: fold(right as Scalar) };
  }
  const relation = RELATIONS[name];
  if (relation !== undefined) return spatial(relation, children, state, geometry);
  switch (name) {
    case 'DWithin':
    case 'Beyond':
      return distance(name === 'DWithin', children, state, geometry);
    case 'PropertyIsLike':
      return like(element, children, state, depth);
    case 'PropertyIsNull':
    case 'PropertyIsNil':
      return { kind: 'null', value: expression(only(children, 1, name)[0] as XmlElement, state, depth + 1) };
    case 'PropertyIsBetween': {
      const [value, low, high] = only(children, 3, name);
      const bound = (edge: XmlElement | undefined): Scalar =>
        expression(
          (edge === undefined ? undefined : elements(edge)[0]) ?? fail('a bound is missing'),
          state,
          depth + 1,
        );
      return {
        kind: 'between',
        value: expression(value as XmlElement, state, depth + 1),
        low: bound(low),
        high: bound(high),
      };
    }
    default:
      throw new Refused(`${name.slice(0, 50)} is not known here`);
  }
}

function like(element: XmlElement, children: readonly XmlElement[], state: State, depth: number): Filter {
  const [left, pattern] = only(children, 2, element.name).map((child) => expression(child, state, depth + 1));
  if (pattern?.kind !== 'text') throw new Refused('a pattern is a text');
  const {
    wildCard = '*',
    singleChar = '?',
    escapeChar = '!',
    escape: escaping = escapeChar,
    matchCase,
  } = element.attributes;
  const sql = [...pattern.value];
  let text = '';
  for (let i = 0; i < sql.length; i += 1) {
    const char = sql[i] ?? '';
    if (char === escaping && i + 1 < sql.length) {
      i += 1;
      text += escaped(sql[i] ?? '');
    } else if (char === wildCard) text += '%';
    else if (char === singleChar) text += '_';
    else text += escaped(char);
  }
  const folded = (scalar: Scalar): Scalar =>
    matchCase === 'false' ? { kind: 'fold', what: 'case', of: scalar } : scalar;
  return { kind: 'like', left: folded(left as Scalar), pattern: folded({ kind: 'text', value: text }) };
}

function escaped(char: string): string {
  return char === '%' || char === '_' || char === '\\' ? `\\${char}` : char;
}

function expression(element: XmlElement, state: State, depth: number): Scalar {
  state.nodes += 1;
  if (depth > MAX_DEPTH) throw new Refused('the filter is nested too deeply');
  switch (element.name) {
    case 'ValueReference':
    case 'PropertyName':
      return { kind: 'property', name: columnOfXmlName(withoutPrefix(textOf(element))) };
    case 'Literal': {
      const text = textOf(element);
      // A moment is one in whatever zone the database stands.
      return isMoment(text) && text.includes('T')
        ? { kind: 'when', value: { kind: 'instant', at: text } }
        : { kind: 'text', value: text };
    }
    case 'Add':
    case 'Sub':
    case 'Mul':
    case 'Div': {
      const [left, right] = only(elements(element), 2, element.name).map((child) => operand(child, state, depth + 1));
      return { kind: 'arithmetic', op: ARITHMETIC[element.name], left: left as Scalar, right: right as Scalar };
    }
    default:
      throw new Refused(`${element.name.slice(0, 50)} is not known here`);
  }
}

const ARITHMETIC = { Add: '+', Sub: '-', Mul: '*', Div: '/' } as const;

/** In a calculation a literal is a number. */
function operand(element: XmlElement, state: State, depth: number): Scalar {
  if (element.name !== 'Literal') return expression(element, state, depth);
  const text = textOf(element).trim();
  const value = isDecimal(text) ? numeralOf(text) : undefined;
  return value === undefined ? fail('a calculation is made with numbers') : { kind: 'number', value };
}

function spatial(
  op: SpatialRelation,
  children: readonly XmlElement[],
  state: State,
  geometry: string,
): Extract<Filter, { kind: 'spatial' }> {
  const named = children.find(({ name }) => name === 'ValueReference' || name === 'PropertyName');
  const shapes = children.filter((child) => child !== named);
  const [shape] = shapes;
  if (shape === undefined || shapes.length !== 1) throw new Refused('a spatial condition has one geometry');
  const property = named === undefined ? geometry : columnOfXmlName(withoutPrefix(textOf(named)));
  const value = readGml(shape);
  if (!value.ok) throw new Refused(value.error.said);
  const { crs } = value.value;
  if (crs !== undefined && state.crs !== undefined && state.crs !== crs)
    throw new Refused('geometries in several systems');
  state.crs ??= crs;
  return {
    kind: 'spatial',
    op,
    left: { kind: 'property', name: property },
    right: { kind: 'geometry', value: value.value.geometry },
  };
}

/** Units of length in metres, by the names that clients have for them. What is in no unit is in those of the type's system. */
const METRES: Readonly<Record<string, number>> = {
  m: 1,
  meter: 1,
  meters: 1,
  metre: 1,
  metres: 1,
  km: 1000,
  kilometers: 1000,
  kilometres: 1000,
  ft: 0.3048,
  feet: 0.3048,
  mi: 1609.344,
  'statute miles': 1609.344,
  'nautical miles': 1852,
};

function distance(isWithin: boolean, children: readonly XmlElement[], state: State, geometry: string): Filter {
  const said = children.find(({ name }) => name === 'Distance') ?? fail('a distance is missing');
  const far = parseDecimal(textOf(said).trim());
  if (far === undefined || far < 0) throw new Refused('a distance is a number from 0 on');
  // `urn:ogc:def:uom:EPSG::m` and `http://…/units.xml#m` are `m`.
  const unit = (said.attributes['uom'] ?? said.attributes['units'] ?? '').toLowerCase().split(/[#:]/).at(-1) ?? '';
  const metres = Object.hasOwn(METRES, unit) ? METRES[unit] : undefined;
  if (metres === undefined && !/^(?:|deg|degree|degrees|unity|crs)$/.test(unit))
    throw new Refused(`"${unit.slice(0, 50)}" is no unit that is known here`);
  const rest = children.filter((child) => child !== said);
  const { left, right } = spatial('s_intersects', rest, state, geometry);
  return metres === undefined
    ? { kind: 'distance', isWithin, left, right, distance: far, unit: undefined }
    : { kind: 'distance', isWithin, left, right, distance: far * metres, unit: 'metre' };
}

function only(children: readonly XmlElement[], count: number, name: string): readonly XmlElement[] {
  if (children.length !== count) throw new Refused(`${name} has ${count} parts`);
  return children;
}

function fail(said: string): never {
  throw new Refused(said);
}
