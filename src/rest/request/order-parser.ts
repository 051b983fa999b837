// `order=name.desc.nullslast,embed(name),amount.sum().desc,items(count)`. In: the cursor. Out: the terms, in order.

import type { AggregateCall, OrderTerm, Value } from './api-request.ts';
import { columnCalls } from './column-functions.ts';
import type { Cursor } from './cursor.ts';
import { fieldName } from './field-name.ts';
import { castType, field } from './json-path.ts';
import { aggregateCall, aggregateFilter, measure, valueTerm } from './measure-parser.ts';

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

/** Terms of the rows themselves, up to the parenthesis around them. */
export function ownOrderTerms(cursor: Cursor): readonly OrderTerm[] | undefined {
  const terms: OrderTerm[] = [];
  do {
    const value = valueTerm(cursor);
    const term = value && withDirection(cursor, value, {}, true);
    if (term === undefined) return undefined;
    terms.push(term);
    if (!cursor.within('orderTerms', terms.length)) return undefined;
    cursor.fresh();
  } while (cursor.char(COMMA));
  return terms;
}

function orderTerm(cursor: Cursor): OrderTerm | undefined {
  cursor.blanks();
  const { pos, err } = cursor;
  if (cursor.text.startsWith('count()', pos)) {
    const rows = measure(cursor);
    return rows && withDirection(cursor, { field: NO_FIELD }, { aggregate: rows.aggregate });
  }
  const related = relatedTerm(cursor);
  if (related !== undefined) return related;
  cursor.backtrack(pos, err);
  const own = field(cursor);
  if (own === undefined) return undefined;
  if (!AGGREGATE_AHEAD.test(cursor.text.slice(cursor.pos, cursor.pos + 2)))
    return withDirection(cursor, { field: own }, {});
  return calledTerm(cursor, { field: own });
}

const NO_FIELD = { name: '', path: [] };
/** A cast or a call; what else may follow a column is a direction. */
const AGGREGATE_AHEAD = /^(?:::|\.)/;

function calledTerm(cursor: Cursor, own: Value): OrderTerm | undefined {
  const { pos, err } = cursor;
  const type = cursor.text.startsWith('::', pos) ? castType(cursor) : '';
  if (type === undefined) return undefined;
  const calls = columnCalls(cursor);
  if (calls === undefined) return undefined;
  const value = { ...own, ...(type !== '' && { cast: type }), ...(calls.length > 0 && { calls }) };
  if (!/^\.(?:sum|avg|count|max|min)\(/.test(cursor.text.slice(cursor.pos, cursor.pos + 8))) {
    if (cursor.pos === pos) cursor.backtrack(pos, err);
    return withDirection(cursor, value, {});
  }
  const call = aggregateCall(cursor);
  const filter = call && aggregateFilter(cursor);
  if (call === undefined || filter === undefined) return undefined;
  return withDirection(cursor, value, { aggregate: { ...call, ...(filter.length > 0 && { filter }) } });
}

/** `embed(name)`: by a column of a to-one embed; `embed(count)`: by the number of rows of a to-many one. */
function relatedTerm(cursor: Cursor): OrderTerm | undefined {
  const relation = fieldName(cursor);
  if (relation === undefined || !cursor.char(OPEN)) return undefined;
  const inner = field(cursor);
  if (inner?.name === 'count' && cursor.text.startsWith('())', cursor.pos)) cursor.take(2);
  if (inner === undefined || !cursor.char(CLOSE)) return undefined;
  return withDirection(cursor, { field: inner }, { relation });
}

function withDirection(
  cursor: Cursor,
  own: Value,
  more: { readonly relation?: string; readonly aggregate?: AggregateCall },
  isInside = false,
): OrderTerm | undefined {
  const direction = suffix(cursor, 'asc') ? 'asc' : suffix(cursor, 'desc') ? 'desc' : undefined;
  const nulls = suffix(cursor, 'nullsfirst') ? 'first' : suffix(cursor, 'nullslast') ? 'last' : undefined;
  cursor.blanks();
  if (isInside ? !cursor.ahead(',') && !cursor.ahead(')') : !cursor.ahead(',') && !cursor.end()) return undefined;
  return { ...own, ...more, ...(direction && { direction }), ...(nulls && { nulls }) };
}

function suffix(cursor: Cursor, word: string): boolean {
  const { pos, err } = cursor;
  if (cursor.delimiter() && cursor.word(word)) return true;
  cursor.backtrack(pos, err);
  return false;
}
