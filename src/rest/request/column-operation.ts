// Operators beyond those of PostgREST: `gt(col).other`, `st_intersects.POINT(1 2)`, `st_dwithin(1000).{"type":"Point",…}`, `bbox.1,2,3,4`,
// `similar.text`. In: the cursor. Out: the operation, or nothing consumed. As parameters their values go to the end; in a group they may
// have brackets of their own, or quotes around them.

import type { CompareOperator, Operation, SpatialRelation } from './api-request.ts';
import { argumentText, type ValuePlace } from './call-argument.ts';
import type { Cursor } from './cursor.ts';
import { geometryValue } from './geometry-value.ts';
import { field } from './json-path.ts';

const OF_COLUMNS: readonly CompareOperator[] = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'isdistinct',
  'like',
  'ilike',
  'cs',
  'cd',
  'ov',
];
const SPATIAL: readonly SpatialRelation[] = [
  'st_intersects',
  'st_within',
  'st_contains',
  'st_covers',
  'st_coveredby',
  'st_touches',
  'st_crosses',
  'st_overlaps',
  'st_equals',
];

const HEAD = /(?:([a-z]+)\(col\)|(st_[a-z]+)(?:\((\d{1,12}(?:\.\d{1,12})?)\))?|(bbox|similar))\./y;

export function columnOperation(cursor: Cursor, values: string[], place: ValuePlace): Operation | undefined {
  HEAD.lastIndex = cursor.pos;
  const head = HEAD.exec(cursor.text);
  if (head === null) return undefined;
  const { pos } = cursor;
  const held = values.length;
  cursor.pos += head[0].length;
  const operation = operationBehind(head, cursor, values, place);
  if (operation === undefined) {
    cursor.pos = pos;
    values.length = held;
    return undefined;
  }
  // What was known to be wrong before is not.
  cursor.take(0);
  return operation;
}

function operationBehind(
  [, compared, relation, distance, word]: RegExpExecArray,
  cursor: Cursor,
  values: string[],
  place: ValuePlace,
): Operation | undefined {
  if (compared !== undefined) {
    const operator = OF_COLUMNS.find((one) => one === compared);
    const other = operator && field(cursor);
    if (operator === undefined || other === undefined || (place === 'parameter' && cursor.pos < cursor.text.length))
      return undefined;
    return { kind: 'column', operator, other };
  }
  const text = valueText(cursor, place);
  if (text === undefined || text === '') return undefined;
  if (word === 'similar') return { kind: 'similar', value: values.push(text) - 1 };
  if (word === 'bbox') return box(text, values);
  if (relation === 'st_dwithin')
    return distance === undefined
      ? undefined
      : { kind: 'dwithin', distance: values.push(distance) - 1, geometry: geometryValue(text, values) };
  const known = SPATIAL.find((one) => one === relation);
  return known === undefined || distance !== undefined
    ? undefined
    : { kind: 'spatial', relation: known, geometry: geometryValue(text, values) };
}

function valueText(cursor: Cursor, place: ValuePlace): string | undefined {
  if (place === 'group') return argumentText(cursor);
  const rest = cursor.text.slice(cursor.pos);
  cursor.pos = cursor.text.length;
  return rest;
}

const COORDINATE = /^ *-?\d{1,15}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})? *$/;

/** In a group the commas need brackets or quotes: `bbox."1,2,3,4"`, `bbox.(1,2,3,4)`. */
function box(text: string, values: string[]): Operation | undefined {
  const inside = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  const [minX, minY, maxX, maxY, srid, ...rest] = inside.split(',', 7);
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined || rest.length > 0)
    return undefined;
  if (![minX, minY, maxX, maxY].every((one) => COORDINATE.test(one))) return undefined;
  if (srid !== undefined && !/^ *\d{1,6} *$/.test(srid)) return undefined;
  const hold = (one: string): number => values.push(one.trim()) - 1;
  const bounds = [hold(minX), hold(minY), hold(maxX), hold(maxY)] as const;
  return { kind: 'bbox', bounds, ...(srid !== undefined && { srid: Number(srid) }) };
}
