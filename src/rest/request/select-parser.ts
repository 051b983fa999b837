// `select=id,alias:data->>key::text,embed!hint!inner(*),...spread(a),amount.sum()`. In: the cursor. Out: the items as
// written; whether columns and embeds exist is the planner's question. A cast is made of identifier characters only,
// which is what lets it stand in SQL unquoted.

import type { Aggregate, JoinType, SelectItem } from './api-request.ts';
import { columnCalls } from './column-functions.ts';
import type { Cursor } from './cursor.ts';
import { fieldName, identifierGoesOn } from './field-name.ts';
import { castType, field } from './json-path.ts';
import { aggregateCall, aggregateFilter } from './measure-parser.ts';
import { neighbourCall, overClause, windowHead } from './over-parser.ts';

const COMMA = 0x2c;
const OPEN = 0x28;
const CLOSE = 0x29;
const COLON = 0x3a;
const BANG = 0x21;

/** What stands before an embed's parenthesis. */
type EmbedHead = { name: string; alias?: string; hint?: string; join?: JoinType };

/** Items up to whatever is none; an empty list is legal. */
export function selectItems(cursor: Cursor): readonly SelectItem[] | undefined {
  const start = cursor.pos;
  const first = selectItem(cursor);
  if (first === undefined) return cursor.pos === start ? [] : undefined;
  const items = [first];
  while (cursor.padded(COMMA)) {
    const next = selectItem(cursor);
    if (next === undefined) return undefined;
    items.push(next);
    cursor.fresh();
  }
  return items;
}

function selectItem(cursor: Cursor): SelectItem | undefined {
  if (!cursor.tally('selectItems')) return undefined;
  const { pos, err } = cursor;
  const spread = spreadHead(cursor);
  if (spread !== undefined) {
    const items = embeddedItems(cursor);
    return items && { kind: 'spread', ...spread, items };
  }
  cursor.backtrack(pos, err);
  const beforeEmbed = cursor.err;
  const embed = embedHead(cursor);
  if (embed !== undefined) {
    const items = embeddedItems(cursor);
    return items && { kind: 'embed', ...embed, items };
  }
  cursor.backtrack(pos, beforeEmbed);
  return column(cursor);
}

function embeddedItems(cursor: Cursor): readonly SelectItem[] | undefined {
  if (!cursor.char(OPEN) || !cursor.descend() || !cursor.tally('embeds')) return undefined;
  cursor.dropBlanksBefore(CLOSE);
  const items = selectItems(cursor);
  if (items === undefined || !cursor.padded(CLOSE)) return undefined;
  cursor.ascend();
  return items;
}

function spreadHead(cursor: Cursor): EmbedHead | undefined {
  cursor.blanks();
  if (!cursor.word('...')) return undefined;
  const name = fieldName(cursor);
  return name === undefined ? undefined : embedParameters(cursor, { name });
}

function embedHead(cursor: Cursor): EmbedHead | undefined {
  cursor.blanks();
  const given = alias(cursor);
  const name = fieldName(cursor);
  // `count(` begins the aggregate, `rank().over(` a window function
  if (name === undefined || name === 'count' || cursor.text.startsWith('().over(', cursor.pos)) return undefined;
  return embedParameters(cursor, given === undefined ? { name } : { name, alias: given });
}

function embedParameters(cursor: Cursor, head: EmbedHead): EmbedHead | undefined {
  if (!embedParameter(cursor, head) || !embedParameter(cursor, head)) return undefined;
  return cursor.ahead('(') ? head : undefined;
}

/** `!inner`, `!left` or `!hint`, the first of each counting. False only when a `!` has nothing usable behind it. */
function embedParameter(cursor: Cursor, head: EmbedHead): boolean {
  if (!cursor.char(BANG)) return true;
  const join = joinWord(cursor, 'left') ?? joinWord(cursor, 'inner');
  if (join !== undefined) {
    head.join ??= join;
    return true;
  }
  const hint = fieldName(cursor);
  if (hint === undefined) return false;
  head.hint ??= hint;
  return true;
}

/** `left` and `inner` as whole words: `!left_fkey` is a hint. */
function joinWord(cursor: Cursor, word: JoinType): JoinType | undefined {
  const { pos, err } = cursor;
  if (cursor.tryWord(word) && !identifierGoesOn(cursor)) return word;
  cursor.backtrack(pos, err);
  return undefined;
}

function column(cursor: Cursor): SelectItem | undefined {
  cursor.blanks();
  const { pos, err } = cursor;
  if (cursor.word('*') && itemEnds(cursor)) return { kind: 'star' };
  cursor.backtrack(pos, err);
  const beforeCount = cursor.err;
  const count = rowCount(cursor);
  if (count !== undefined) return count;
  cursor.backtrack(pos, beforeCount);
  return plainColumn(cursor);
}

function rowCount(cursor: Cursor): SelectItem | undefined {
  const name = alias(cursor);
  const ranked = windowHead(cursor);
  if (ranked === undefined && !cursor.word('count()')) return undefined;
  const filter = ranked === undefined ? aggregateFilter(cursor) : [];
  const over = filter && overClause(cursor);
  if (filter === undefined || over === null) return undefined;
  const type = castType(cursor);
  if (type === undefined || !itemEnds(cursor)) return undefined;
  const named = { ...(name !== undefined && { alias: name }), ...(type !== '' && { cast: type }) };
  if (ranked !== undefined) return over && { kind: 'window', fn: ranked, over, ...named };
  return { kind: 'count', ...named, ...(filter.length > 0 && { filter }), ...(over && { over }) };
}

function plainColumn(cursor: Cursor): SelectItem | undefined {
  const name = alias(cursor);
  const own = field(cursor);
  if (own === undefined) return undefined;
  const type = castType(cursor);
  if (type === undefined) return undefined;
  const calls = columnCalls(cursor);
  if (calls === undefined) return undefined;
  const neighbour = neighbourCall(cursor);
  const aggregate = neighbour === undefined ? aggregateCall(cursor) : undefined;
  const filter = aggregate === undefined ? [] : aggregateFilter(cursor);
  if (filter === undefined) return undefined;
  const over = aggregate === undefined && neighbour === undefined ? undefined : overClause(cursor);
  if (over === null) return undefined;
  const lastType = castType(cursor);
  if (lastType === undefined || !itemEnds(cursor)) return undefined;
  const isCalled = aggregate !== undefined || neighbour !== undefined || calls.length > 0;
  return {
    kind: 'field',
    field: own,
    ...(name !== undefined && { alias: name }),
    ...(type !== '' && { cast: type }),
    ...(calls.length > 0 && { calls }),
    ...(aggregate && { aggregate: aggregate.fn as Aggregate, ...(aggregate.distinct && { distinct: true }) }),
    ...(filter.length > 0 && { filter }),
    ...(neighbour && { neighbour }),
    ...(over && { over }),
    ...(isCalled && lastType !== '' && { aggregateCast: lastType }),
  };
}

/** `name:`, but not the `name::` of a cast. */
function alias(cursor: Cursor): string | undefined {
  const { pos, err } = cursor;
  const name = fieldName(cursor);
  if (name !== undefined && cursor.char(COLON) && cursor.notNext(COLON)) return name;
  cursor.backtrack(pos, err);
  return undefined;
}

function itemEnds(cursor: Cursor): boolean {
  cursor.blanks();
  return cursor.ahead(')') || cursor.ahead(',') || cursor.end();
}
