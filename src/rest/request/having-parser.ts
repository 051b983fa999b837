// `having=(amount.sum().gt.100,or(count().gte.2,total.lt.5))`: conditions on groups. In: the cursor over a group, as in `and=`. Out: the tree,
// whose conditions are on aggregates, or on what select shows under a name.

import type { HavingFilter, LogicTree, Operation } from './api-request.ts';
import type { Cursor } from './cursor.ts';
import { fieldName } from './field-name.ts';
import { condition } from './filter-parser.ts';
import { logicGroup } from './logic-parser.ts';
import { measure } from './measure-parser.ts';

/** As `and=` has its operator in its name, a bare group here is one of them. */
export function havingText(value: string): string {
  return value.startsWith('(') ? `and${value}` : value;
}

export function havingTree(cursor: Cursor): LogicTree<HavingFilter> | undefined {
  const tree = logicGroup(cursor, cursor.values, havingFilter);
  return tree !== undefined && cursor.end() ? tree : undefined;
}

const OF_GROUPS: ReadonlySet<Operation['kind']> = new Set(['compare', 'in', 'is', 'search']);
const NO_FIELD = { name: '', path: [] };

function havingFilter(cursor: Cursor, values: string[]): HavingFilter | undefined {
  cursor.blanks();
  const { pos, err } = cursor;
  const held = values.length;
  let of: HavingFilter['of'] | undefined = measure(cursor);
  if (of === undefined) {
    cursor.backtrack(pos, err);
    values.length = held;
    const name = fieldName(cursor);
    of = name === undefined ? undefined : { name };
  }
  if (of === undefined || !cursor.delimiter()) return undefined;
  const found = condition(cursor, NO_FIELD, values, 'group');
  // Groups have no column to compare with, and no geometry.
  if (found === undefined || !OF_GROUPS.has(found.operation.kind)) return undefined;
  return { of, negated: found.negated, operation: found.operation };
}
