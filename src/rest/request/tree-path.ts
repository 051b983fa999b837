// The name of a parameter: `name`, `embed.inner.name->>key`, `embed.not.or`. In: the decoded name. Out: which embed it
// is about and what of it. Text behind a complete path is ignored, as the interface has it.

import type { EmbedPath, Field } from './api-request.ts';
import type { Cursor } from './cursor.ts';
import { fieldName } from './field-name.ts';
import { jsonPath } from './json-path.ts';

const ROOT: EmbedPath = [];

/** A field of the node at `at`. */
export function treePath(cursor: Cursor): { at: EmbedPath; field: Field } | undefined {
  const names = dottedNames(cursor);
  if (names === undefined) return undefined;
  const path = jsonPath(cursor);
  if (path === undefined) return undefined;
  const name = names.pop() ?? '';
  return { at: names.length > 0 ? names : ROOT, field: { name, path } };
}

/** The node, and the word its group begins with: `and`, `or`, or one of them behind `not.`. */
export function logicPath(cursor: Cursor): { at: EmbedPath; word: string } | undefined {
  const names = dottedNames(cursor);
  if (names === undefined) return undefined;
  const negated = names.includes('not');
  const operator = names.pop() ?? '';
  const at = names.filter((name) => name !== 'not');
  return { at: at.length > 0 ? at : ROOT, word: negated ? `not.${operator}` : operator };
}

function dottedNames(cursor: Cursor): string[] | undefined {
  const first = fieldName(cursor);
  if (first === undefined) return undefined;
  const names = [first];
  while (cursor.delimiter()) {
    const next = fieldName(cursor);
    if (next === undefined) return undefined;
    names.push(next);
    cursor.fresh();
  }
  return names;
}
