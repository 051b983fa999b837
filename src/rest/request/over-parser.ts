// Window functions of select: `row_number().over(partition(a,b),order(c.desc))`, `amount.lag(2).over(order(day))`. In: the cursor. Out: the
// function, and the rows that it looks at.

import type { Neighbour, OrderTerm, Over, Value, WindowFunction } from './api-request.ts';
import type { Cursor } from './cursor.ts';
import { valueList } from './measure-parser.ts';
import { ownOrderTerms } from './order-parser.ts';

const COMMA = 0x2c;
const CLOSE = 0x29;

/** `.over(partition(a,b),order(c.desc))`, either of them or none; undefined where there is none, null where one began and is wrong. */
export function overClause(cursor: Cursor): Over | undefined | null {
  if (!cursor.text.startsWith('.over(', cursor.pos)) return undefined;
  cursor.take('.over('.length);
  if (!cursor.tally('windows') || !cursor.descend()) return null;
  let partition: readonly Value[] = [];
  let order: readonly OrderTerm[] = [];
  cursor.blanks();
  if (cursor.tryWord('partition(')) {
    const values = valueList(cursor);
    if (values === undefined || !cursor.char(CLOSE)) return null;
    partition = values;
    if (cursor.padded(COMMA) && !cursor.ahead('order(')) return null;
  }
  if (cursor.tryWord('order(')) {
    const terms = ownOrderTerms(cursor);
    if (terms === undefined || !cursor.char(CLOSE)) return null;
    order = terms;
  }
  cursor.blanks();
  if (!cursor.char(CLOSE)) return null;
  cursor.ascend();
  return { partition, order };
}

const WINDOW_FUNCTIONS: readonly WindowFunction[] = ['row_number', 'rank', 'dense_rank', 'percent_rank', 'cume_dist'];
const VALUE_FUNCTIONS = ['lag', 'lead', 'first_value', 'last_value'] as const;

/** `row_number()` and its like, which are about no column. */
export function windowHead(cursor: Cursor): WindowFunction | undefined {
  const fn = WINDOW_FUNCTIONS.find((one) => cursor.text.startsWith(`${one}().over(`, cursor.pos));
  if (fn !== undefined) cursor.take(fn.length + 2);
  return fn;
}

/** `.lag(2)`, `.lead()`, `.first_value()`, `.last_value()`; nothing is consumed where there is none. */
export function neighbourCall(cursor: Cursor): Neighbour | undefined {
  NEIGHBOUR.lastIndex = cursor.pos;
  const match = NEIGHBOUR.exec(cursor.text);
  if (match === null) return undefined;
  const fn = VALUE_FUNCTIONS.find((one) => one === match[1]);
  if (fn === undefined || (match[2] !== '' && fn !== 'lag' && fn !== 'lead')) return undefined;
  cursor.take(match[0].length);
  return match[2] === '' || match[2] === undefined ? { fn } : { fn, offset: Number(match[2]) };
}

const NEIGHBOUR = /\.(lag|lead|first_value|last_value)\((\d{0,4})\)(?=\.over\()/y;
