// `and(a.eq.1,not.or(b.is.null,c.in.(1,2)))`. In: the cursor over operator and group, and the list that takes the
// values. Out: the tree. Further closing parentheses behind it are ignored, as the interface has it.

import type { Filter, LogicTree } from './api-request.ts';
import { type Cursor, NO_FAILURE } from './cursor.ts';
import { condition } from './filter-parser.ts';
import { field } from './json-path.ts';

const COMMA = 0x2c;
const OPEN = 0x28;
const CLOSE = 0x29;

/** Reads one condition of a tree. */
export type LeafRule<Leaf> = (cursor: Cursor, values: string[]) => Leaf | undefined;

export function logicTree<Leaf>(cursor: Cursor, values: string[], leaf: LeafRule<Leaf>): LogicTree<Leaf> | undefined {
  const { pos, err } = cursor;
  const filter = leaf(cursor, values);
  if (filter !== undefined) return cursor.tally('conditions') ? { kind: 'filter', filter } : undefined;
  cursor.backtrack(pos, err);
  return logicGroup(cursor, values, leaf);
}

export function logicFilter(cursor: Cursor, values: string[]): Filter | undefined {
  const own = field(cursor);
  if (own === undefined || !cursor.delimiter()) return undefined;
  return condition(cursor, own, values, 'group');
}

/** What a parameter holds is a group. A bare condition would run together with the operator before it: `or` and `id.eq.1`. */
export function logicGroup<Leaf>(cursor: Cursor, values: string[], leaf: LeafRule<Leaf>): LogicTree<Leaf> | undefined {
  const negated = negation(cursor);
  const operator = groupOperator(cursor);
  if (operator === undefined) return undefined;
  cursor.blanks();
  if (!cursor.char(OPEN) || !cursor.descend()) return undefined;
  cursor.blanks();
  const first = logicTree(cursor, values, leaf);
  if (first === undefined) return undefined;
  const children = [first];
  while (cursor.padded(COMMA)) {
    const next = logicTree(cursor, values, leaf);
    if (next === undefined) return undefined;
    children.push(next);
    cursor.fresh();
  }
  cursor.blanks();
  if (!cursor.char(CLOSE)) return undefined;
  cursor.blanks();
  cursor.ascend();
  return { kind: 'group', operator, negated, children };
}

function negation(cursor: Cursor): boolean {
  const start = cursor.pos;
  const before = cursor.fresh();
  const negated = cursor.word('not') && cursor.delimiter();
  if (!negated) cursor.backtrack(start, NO_FAILURE);
  cursor.label(start, before, 'negation operator (not)', false);
  return negated;
}

function groupOperator(cursor: Cursor): 'and' | 'or' | undefined {
  const start = cursor.pos;
  const before = cursor.fresh();
  const operator = cursor.tryWord('and') ? 'and' : cursor.word('or') ? 'or' : undefined;
  cursor.label(start, before, 'logic operator (and, or)', operator === undefined);
  return operator;
}
