// The way into a value: `->key`, `->>"quoted key"`, `->-1`. In: the cursor behind a name. Out: the steps, none if there
// is no arrow.

import type { Field, JsonStep } from './api-request.ts';
import type { Cursor } from './cursor.ts';
import { fieldName, identifier, jsonKeyName } from './field-name.ts';

const DASH = 0x2d;
const CLOSE = 0x29;
const NO_STEPS: readonly JsonStep[] = [];

/** PostgreSQL's index type; past it there is no element anyway. */
const LAST_INDEX = 2147483647;

/** A name and its path, blanks around. */
export function field(cursor: Cursor): Field | undefined {
  cursor.blanks();
  const name = fieldName(cursor);
  if (name === undefined) return undefined;
  const path = jsonPath(cursor);
  if (path === undefined) return undefined;
  cursor.blanks();
  return { name, path };
}

/** `::type`; empty when there is none, undefined when there is half of one. */
export function castType(cursor: Cursor): string | undefined {
  const start = cursor.pos;
  if (!cursor.word('::')) return cursor.pos === start ? '' : undefined;
  return identifier(cursor);
}

export function jsonPath(cursor: Cursor): readonly JsonStep[] | undefined {
  let steps: JsonStep[] | undefined;
  for (;;) {
    const arrow = cursor.tryWord('->>') ? '->>' : cursor.tryWord('->') ? '->' : undefined;
    if (arrow === undefined) return steps ?? NO_STEPS;
    const operand = jsonOperand(cursor);
    if (operand === undefined) return undefined;
    steps ??= [];
    steps.push({ arrow, operand });
    if (!cursor.within('jsonSteps', steps.length)) return undefined;
    cursor.fresh();
  }
}

function jsonOperand(cursor: Cursor): JsonStep['operand'] | undefined {
  const { pos, err } = cursor;
  const index = jsonIndex(cursor);
  if (index !== undefined) return { kind: 'index', index };
  cursor.backtrack(pos, err);
  const reached = cursor.err;
  const key = jsonKeyName(cursor);
  if (key !== undefined) return { kind: 'key', key };
  cursor.backtrack(pos, reached);
  return undefined;
}

/** Digits are an index only where nothing follows that could belong to a key: `0xy1` and `23-xy` are keys. */
function jsonIndex(cursor: Cursor): number | undefined {
  const negative = cursor.char(DASH);
  const { text, pos } = cursor;
  let end = pos;
  while (isDigit(text.charCodeAt(end))) end++;
  if (end > pos) cursor.take(end - pos);
  cursor.miss(DIGIT);
  if (end === pos || !indexEnds(cursor)) return undefined;
  const size = Math.min(Number(text.slice(pos, end)), LAST_INDEX);
  return negative && size > 0 ? -size : size;
}

const DIGIT: readonly string[] = ['digit'];

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function indexEnds(cursor: Cursor): boolean {
  if (cursor.code() === CLOSE) return true;
  return cursor.ahead('->') || cursor.ahead('::') || cursor.ahead('.') || cursor.ahead(',') || cursor.end();
}
