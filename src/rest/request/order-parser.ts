// `order=name.desc.nullslast,embed(name)`. In: the cursor. Out: the terms, in order.

import type { Field, OrderTerm } from './api-request.ts';
import type { Cursor } from './cursor.ts';
import { fieldName } from './field-name.ts';
import { field } from './json-path.ts';

const COMMA = 0x2c;
const OPEN = 0x28;
const CLOSE = 0x29;

export function orderTerms(cursor: Cursor): readonly OrderTerm[] | undefined {
  const first = orderTerm(cursor);
  if (first === undefined) return undefined;
  const terms = [first];
  while (cursor.char(COMMA)) {
    const next = orderTerm(cursor);
    if (next === undefined) return undefined;
    terms.push(next);
    if (!cursor.within('orderTerms', terms.length)) return undefined;
    cursor.fresh();
  }
  return terms;
}

function orderTerm(cursor: Cursor): OrderTerm | undefined {
  cursor.blanks();
  const { pos, err } = cursor;
  const related = relatedTerm(cursor);
  if (related !== undefined) return related;
  cursor.backtrack(pos, err);
  const own = field(cursor);
  return own && withDirection(cursor, own);
}

/** `embed(name)`: by a column of a to-one embed. */
function relatedTerm(cursor: Cursor): OrderTerm | undefined {
  const relation = fieldName(cursor);
  if (relation === undefined || !cursor.char(OPEN)) return undefined;
  const inner = field(cursor);
  if (inner === undefined || !cursor.char(CLOSE)) return undefined;
  return withDirection(cursor, inner, relation);
}

function withDirection(cursor: Cursor, own: Field, relation?: string): OrderTerm | undefined {
  const direction = suffix(cursor, 'asc') ? 'asc' : suffix(cursor, 'desc') ? 'desc' : undefined;
  const nulls = suffix(cursor, 'nullsfirst') ? 'first' : suffix(cursor, 'nullslast') ? 'last' : undefined;
  cursor.blanks();
  if (!cursor.ahead(',') && !cursor.end()) return undefined;
  return {
    field: own,
    ...(relation !== undefined && { relation }),
    ...(direction && { direction }),
    ...(nulls && { nulls }),
  };
}

function suffix(cursor: Cursor, word: string): boolean {
  const { pos, err } = cursor;
  if (cursor.delimiter() && cursor.word(word)) return true;
  cursor.backtrack(pos, err);
  return false;
}
