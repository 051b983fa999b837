// Runs a rule over a parameter's text. What comes out is the rule's value, or the two texts of a parse error:
// `"failed to parse <what> (<text>)" (line l, column c)` and `unexpected … expecting …`.

import { err, ok, type Result } from '../../kernel/result.ts';
import { Cursor, type Failure } from './cursor.ts';
import type { RequestError } from './request-error.ts';

export type ParsedParameter =
  | 'filter'
  | 'tree path'
  | 'order'
  | 'logic tree'
  | 'logic path'
  | 'distinct parameter'
  | 'having parameter'
  | 'select parameter'
  | 'columns parameter'
  | 'on_conflict parameter';

/** `shown` is the text the message names, where that is not all that is parsed. */
export function parseText<T>(
  what: ParsedParameter,
  text: string,
  rule: (cursor: Cursor) => T | undefined,
  shown: string = text,
  /** Takes the values that stand in the text. */
  values: string[] = [],
): Result<T, RequestError> {
  const value = rule(new Cursor(text, false, values));
  if (value !== undefined) return ok(value);
  return err(explainFailure(what, text, rule, shown));
}

/** Reads a text that is known to fail once more, now for the words. */
export function explainFailure(
  what: ParsedParameter,
  text: string,
  rule: (cursor: Cursor) => unknown,
  shown: string = text,
): RequestError {
  const cursor = new Cursor(text, true);
  rule(cursor);
  const { line, column } = placeOf(text, Math.max(cursor.err.at, 0));
  return {
    kind: 'query-unparsable',
    message: `"failed to parse ${what} (${shown})" (line ${line}, column ${column})`,
    details: describe(cursor.err),
  };
}

function describe(failure: Failure): string {
  const parts: string[] = [];
  if (failure.refused.length > 0) parts.push(`unexpected ${listed(failure.refused)}`);
  else if (failure.seen !== undefined) parts.push(`unexpected ${failure.seen || 'end of input'}`);
  if (failure.wanted.length > 0) parts.push(`expecting ${listed(failure.wanted)}`);
  return parts.length > 0 ? parts.join(' ') : 'unknown parse error';
}

function listed(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  const last = distinct.pop() ?? '';
  return distinct.length > 0 ? `${distinct.join(', ')} or ${last}` : last;
}

/** Columns count characters, not code units, and a tab goes to the next multiple of eight. */
function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (const char of text.slice(0, at)) {
    if (char === '\n') {
      line++;
      column = 1;
    } else if (char === '\t') {
      column += 8 - ((column - 1) % 8);
    } else {
      column++;
    }
  }
  return { line, column };
}
