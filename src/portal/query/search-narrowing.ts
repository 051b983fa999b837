// What a search by words is asked besides, as far as it stands beside the words of an item: hits that have none of it need not be ranked or looked up. The
// conditions themselves are asked all the same; this only leaves out what they would.

import { raw, sql } from '../../sql/index.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import type { Condition } from './condition.ts';

/** The values that a condition wants of a field, `category.identifier` for one of a related record, if it asks for nothing else. */
export function valuesAsked(condition: Condition | undefined, field: string): readonly string[] | undefined {
  if (condition?.kind !== 'filter' || condition.isNegated || condition.path.target.kind !== 'field') return undefined;
  const { path, test } = condition;
  const name = [...path.through.map((step) => step.name), condition.path.target.field.name].join('.');
  if (name !== field) return undefined;
  if (test.op === 'eq') return [test.value];
  if (test.op !== 'in') return undefined;
  return [...new Set(test.foldCase === true ? test.values.map((value) => value.toLowerCase()) : test.values)];
}

/** Types, categories and boxes, as `portal.search_hits` takes them; all of the conditions have to hold. */
export function searchNarrowing(conditions: readonly Condition[]): readonly [types: Sql, categories: Sql, boxes: Sql] {
  const extent = conditions.find((condition) => condition.kind === 'extent');
  return [
    arrayOrNull(firstOf(conditions, 'resource_type'), 'text'),
    arrayOrNull(firstOf(conditions, 'category.identifier'), 'text'),
    arrayOrNull(extent?.boxes.flat(), 'double precision'),
  ];
}

function firstOf(conditions: readonly Condition[], field: string): readonly string[] | undefined {
  return conditions.flatMap((condition) =>
    [valuesAsked(condition, field) ?? []].filter((values) => values.length > 0),
  )[0];
}

function arrayOrNull(values: readonly (string | number)[] | undefined, type: string): Sql {
  const value = values === undefined ? raw('null') : bound(arrayText(values));
  return sql<BoundValue>`${value}::${raw(type)}[]`;
}
