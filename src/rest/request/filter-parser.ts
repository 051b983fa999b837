// `not.eq.5`, `in.(1,"a,b")`, `like(any).{a*,b*}`, `plfts(german).text`: what stands right of a filter's `=`, or behind
// the field inside a group. In: the cursor, the field it is about, and the list that takes the values. Out: the
// condition, which holds slots of that list and nothing the client wrote but the language, made of identifier characters.

import type { CompareOperator, Field, Filter, IsWord, Operation, TextSearchOperator } from './api-request.ts';
import { arrayLiteral } from './array-literal.ts';
import type { ValuePlace } from './call-argument.ts';
import { columnOperation } from './column-operation.ts';
import type { Cursor } from './cursor.ts';
import { identifier, quotedText } from './field-name.ts';

const COMMA = 0x2c;
const OPEN = 0x28;
const CLOSE = 0x29;

const SEARCH: readonly TextSearchOperator[] = ['fts', 'plfts', 'phfts', 'wfts'];
const SIMPLE: readonly CompareOperator[] = ['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'];
// a word before the words it begins with
const QUANTIFIABLE: readonly CompareOperator[] = ['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'];
const IS_WORDS: readonly IsWord[] = ['null', 'not_null', 'true', 'false', 'unknown'];

const PLAIN: ReadonlyMap<string, CompareOperator> = new Map(
  [...QUANTIFIABLE, ...SIMPLE].map((operator) => [operator, operator]),
);

/** The common case, `eq.5` or `not.eq.5`, without a cursor; undefined when it is anything else, right or wrong. */
export function plainCondition(text: string, field: Field, values: string[]): Filter | undefined {
  const negated = text.startsWith('not.');
  const start = negated ? 4 : 0;
  const dot = text.indexOf('.', start);
  if (dot < start) return undefined;
  const operator = PLAIN.get(text.slice(start, dot));
  if (operator === undefined) return undefined;
  return { field, negated, operation: compare(operator, undefined, text.slice(dot + 1), values) };
}

export function condition(cursor: Cursor, field: Field, values: string[], place: ValuePlace): Filter | undefined {
  const negated = negation(cursor);
  const operation = operationOf(cursor, values, place);
  return operation && { field, negated, operation };
}

function negation(cursor: Cursor): boolean {
  const { pos, err } = cursor;
  if (cursor.word('not') && cursor.delimiter()) return true;
  cursor.backtrack(pos, err);
  return false;
}

function operationOf(cursor: Cursor, values: string[], place: ValuePlace): Operation | undefined {
  const start = cursor.pos;
  const before = cursor.fresh();
  const operation = anyOperation(cursor, values, place);
  cursor.label(start, before, 'operator (eq, gt, ...)', operation === undefined);
  return operation;
}

function anyOperation(cursor: Cursor, values: string[], place: ValuePlace): Operation | undefined {
  // Behind `in.` and `is.` there is no way back: what follows must fit.
  if (operatorWord(cursor, 'in')) return list(cursor, values);
  if (operatorWord(cursor, 'is')) return isWord(cursor);
  if (operatorWord(cursor, 'isdistinct')) return compare('isdistinct', undefined, value(cursor, place), values);
  return (
    search(cursor, values, place) ??
    simple(cursor, values, place) ??
    quantifiable(cursor, values, place) ??
    columnOperation(cursor, values, place)
  );
}

function operatorWord(cursor: Cursor, word: string): boolean {
  const { pos, err } = cursor;
  if (cursor.word(word) && cursor.delimiter()) return true;
  cursor.backtrack(pos, err);
  return false;
}

function search(cursor: Cursor, values: string[], place: ValuePlace): Operation | undefined {
  const { pos, err } = cursor;
  const operator = oneOf(cursor, SEARCH);
  if (operator !== undefined) {
    const language = inParentheses(cursor, identifier);
    if (cursor.delimiter()) {
      const slot = values.push(value(cursor, place)) - 1;
      return { kind: 'search', operator, ...(language !== undefined && { language }), value: slot };
    }
  }
  cursor.backtrack(pos, err);
  return undefined;
}

function simple(cursor: Cursor, values: string[], place: ValuePlace): Operation | undefined {
  const { pos, err } = cursor;
  const operator = oneOf(cursor, SIMPLE);
  if (operator !== undefined && cursor.delimiter()) return compare(operator, undefined, value(cursor, place), values);
  cursor.backtrack(pos, err);
  return undefined;
}

function quantifiable(cursor: Cursor, values: string[], place: ValuePlace): Operation | undefined {
  const { pos, err } = cursor;
  const operator = oneOf(cursor, QUANTIFIABLE);
  if (operator !== undefined) {
    const quantifier = inParentheses(cursor, quantifierWord);
    if (cursor.delimiter()) return compare(operator, quantifier, value(cursor, place), values);
  }
  cursor.backtrack(pos, err);
  return undefined;
}

function compare(
  operator: CompareOperator,
  quantifier: 'any' | 'all' | undefined,
  text: string,
  values: string[],
): Operation {
  const patterned = operator === 'like' || operator === 'ilike' ? text.replaceAll('*', '%') : text;
  const slot = values.push(patterned) - 1;
  return quantifier === undefined
    ? { kind: 'compare', operator, value: slot }
    : { kind: 'compare', operator, quantifier, value: slot };
}

function oneOf<Word extends string>(cursor: Cursor, words: readonly Word[]): Word | undefined {
  for (const word of words) if (cursor.tryWord(word)) return word;
  return undefined;
}

/** Something in parentheses, or nothing consumed. */
function inParentheses<T>(cursor: Cursor, rule: (cursor: Cursor) => T | undefined): T | undefined {
  const { pos, err } = cursor;
  if (cursor.char(OPEN)) {
    const found = rule(cursor);
    if (found !== undefined && cursor.char(CLOSE)) return found;
  }
  cursor.backtrack(pos, err);
  return undefined;
}

function quantifierWord(cursor: Cursor): 'any' | 'all' | undefined {
  if (cursor.tryWord('any')) return 'any';
  return cursor.word('all') ? 'all' : undefined;
}

/** In any letter case; text behind the word is left alone. */
function isWord(cursor: Cursor): Operation | undefined {
  const { text, pos } = cursor;
  const before = cursor.fresh();
  for (const word of IS_WORDS) {
    const same = sameLetters(text, pos, word);
    if (same === word.length) {
      cursor.take(same);
      return { kind: 'is', word };
    }
    cursor.missAt(pos + same);
  }
  cursor.label(pos, before, 'isVal: (null, not_null, true, false, unknown)', true);
  return undefined;
}

function sameLetters(text: string, at: number, word: string): number {
  let same = 0;
  while (same < word.length) {
    const wanted = word.charCodeAt(same);
    const code = text.charCodeAt(at + same);
    const isLetter = wanted >= 0x61 && wanted <= 0x7a;
    if (code !== wanted && !(isLetter && code === wanted - 0x20)) break;
    same++;
  }
  return same;
}

/** `(a,b)`. One element that is nothing at all is no element; `("")` is an empty one. */
function list(cursor: Cursor, values: string[]): Operation | undefined {
  cursor.blanks();
  if (!cursor.char(OPEN)) return undefined;
  cursor.blanks();
  const start = cursor.pos;
  const elements = [element(cursor)];
  const empty = cursor.pos === start && cursor.code() !== COMMA;
  while (cursor.char(COMMA)) {
    elements.push(element(cursor));
    cursor.fresh();
  }
  cursor.blanks();
  if (!cursor.char(CLOSE)) return undefined;
  cursor.blanks();
  const slot = values.push(empty ? '{}' : arrayLiteral(elements)) - 1;
  return { kind: 'in', values: slot, empty };
}

function element(cursor: Cursor): string {
  return quotedElement(cursor) ?? elementText(cursor);
}

/** Quotes count only around the whole element; in `"a"b` they are text. */
function quotedElement(cursor: Cursor): string | undefined {
  const { pos, err } = cursor;
  const text = quotedText(cursor, 'value');
  if (text !== undefined && cursor.elementEnds()) return text;
  cursor.backtrack(pos, err);
  return undefined;
}

function elementText(cursor: Cursor): string {
  const { text, pos } = cursor;
  let end = pos;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === CLOSE) break;
    end++;
  }
  if (end > pos) cursor.take(end - pos);
  cursor.miss([]);
  return text.slice(pos, end);
}

function value(cursor: Cursor, place: ValuePlace): string {
  if (place === 'group') return quotedElement(cursor) ?? arrayText(cursor) ?? elementText(cursor);
  const rest = cursor.text.slice(cursor.pos);
  if (rest.length > 0) cursor.take(rest.length);
  return rest;
}

/** `{1,2}` needs no quotes inside a group, as long as no braces stand inside. */
function arrayText(cursor: Cursor): string | undefined {
  const { text, pos, err } = cursor;
  if (!cursor.word('{')) return undefined;
  let end = cursor.pos;
  while (end < text.length && text[end] !== '{' && text[end] !== '}') end++;
  if (end > cursor.pos) cursor.take(end - cursor.pos);
  cursor.miss([]);
  if (cursor.word('}')) return text.slice(pos, end + 1);
  cursor.backtrack(pos, err);
  return undefined;
}
