// Aggregates as terms: `amount.sum()`, `amount.count(distinct)`, `count().filter(state.eq.paid)`. They stand in select, in order and in having. In: the cursor. Out: the term; its filters hold slots.

import type { Aggregate, AggregateCall, LogicTree, Value } from './api-request.ts';
import { columnCalls } from './column-functions.ts';
import type { Cursor } from './cursor.ts';
import { castType, field } from './json-path.ts';
import { logicFilter, logicTree } from './logic-parser.ts';

const COMMA = 0x2c;
const CLOSE = 0x29;
const DOT = 0x2e;

const AGGREGATES: readonly Aggregate[] = ['sum', 'avg', 'count'];

/** `.sum()`, with `distinct` between the parentheses; nothing is consumed where there is none. */
export function aggregateCall(cursor: Cursor): Pick<AggregateCall, 'fn' | 'distinct'> | undefined {
  const { pos, err } = cursor;
  if (cursor.char(DOT)) {
    const fn = aggregateName(cursor);
    if (fn !== undefined && cursor.text.startsWith('(distinct)', cursor.pos)) {
      cursor.take('(distinct)'.length);
      return { fn, distinct: true };
    }
    if (fn !== undefined && cursor.word('()')) return { fn };
  }
  cursor.backtrack(pos, err);
  return undefined;
}

function aggregateName(cursor: Cursor): Aggregate | undefined {
  const start = cursor.pos;
  for (const aggregate of AGGREGATES) {
    if (cursor.word(aggregate)) return aggregate;
    if (cursor.pos !== start) return undefined;
  }
  if (cursor.tryWord('max')) return 'max';
  return cursor.tryWord('min') ? 'min' : undefined;
}

/** `.filter(a.eq.1,b.gt.2)`; an empty list where there is none, undefined where one began and is wrong. */
export function aggregateFilter(cursor: Cursor): readonly LogicTree[] | undefined {
  if (!cursor.text.startsWith('.filter(', cursor.pos)) return NO_FILTER;
  cursor.take('.filter('.length);
  if (!cursor.descend()) return undefined;
  const trees: LogicTree[] = [];
  do {
    cursor.blanks();
    const tree = logicTree(cursor, cursor.values, logicFilter);
    if (tree === undefined) return undefined;
    trees.push(tree);
    cursor.fresh();
  } while (cursor.padded(COMMA));
  cursor.blanks();
  if (!cursor.char(CLOSE)) return undefined;
  cursor.ascend();
  return trees;
}

const NO_FILTER: readonly LogicTree[] = [];

/** `distinct=a,b`: to the end of the text. */
export function distinctValues(cursor: Cursor): readonly Value[] | undefined {
  const values = valueList(cursor);
  return values !== undefined && cursor.end() ? values : undefined;
}

export function valueList(cursor: Cursor): readonly Value[] | undefined {
  const values: Value[] = [];
  do {
    const one = valueTerm(cursor);
    if (one === undefined) return undefined;
    values.push(one);
    if (!cursor.within('orderTerms', values.length)) return undefined;
    cursor.fresh();
  } while (cursor.padded(COMMA));
  return values;
}

/** A column, cast and with functions of it. */
export function valueTerm(cursor: Cursor): Value | undefined {
  const own = field(cursor);
  if (own === undefined) return undefined;
  const type = castType(cursor);
  if (type === undefined) return undefined;
  const calls = columnCalls(cursor);
  return calls && { field: own, ...(type !== '' && { cast: type }), ...(calls.length > 0 && { calls }) };
}

/** `count()`, or an aggregate of a column; with its filter. */
export function measure(cursor: Cursor): { readonly value?: Value; readonly aggregate: AggregateCall } | undefined {
  if (cursor.tryWord('count()')) {
    const filter = aggregateFilter(cursor);
    return filter && { aggregate: { fn: 'rows', ...(filter.length > 0 && { filter }) } };
  }
  const value = valueTerm(cursor);
  if (value === undefined) return undefined;
  const call = aggregateCall(cursor);
  if (call === undefined) return undefined;
  const filter = aggregateFilter(cursor);
  return filter && { value, aggregate: { ...call, ...(filter.length > 0 && { filter }) } };
}
