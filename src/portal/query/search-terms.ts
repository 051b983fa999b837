// `search` and `search_fields` → words and where they are looked for.

import { err, ok, type Result } from '../../kernel/result.ts';
import { regexComplaint } from '../../sql/regex-limits.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { RecordType } from '../fields/field.ts';
import type { Condition, SearchField } from './condition.ts';
import { findPath } from './field-path.ts';
import { valueTypeOf } from './filter-value.ts';
import type { QueryParams } from './query-params.ts';

const PREFIXES: Readonly<Record<string, SearchField['how']>> = {
  '^': 'startswith',
  '=': 'exact',
  $: 'regex',
  '@': 'words',
};

export const MAX_WORDS = 32;
/** PostgreSQL keeps 32 compiled ones; where there are more, each is compiled again for every row. */
const MAX_EXPRESSIONS = 20;
const MAX_FIELDS = 32;

/** Each field is compared with each word, ignoring case, which has PostgreSQL read the word again for every row. */
const MAX_COMPARED = 4000;

export function searchWords(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** Undefined: nothing to search for. `usual`: where to look when the client does not say. */
export function parseSearch(
  params: QueryParams,
  recordType: RecordType,
  usual: readonly string[],
): Result<Condition | undefined, PortalError> {
  const words = searchWords(params.first('search') ?? '');
  if (words.length > MAX_WORDS) return wrong(`A search takes ${MAX_WORDS} words at most.`);
  const named = [...params.all('search_fields'), ...params.all('search_fields[]')].filter((name) => name !== '');
  if (named.length > MAX_FIELDS) return wrong(`A search takes ${MAX_FIELDS} fields at most.`);
  const fields: SearchField[] = [];
  for (const name of named.length > 0 ? named : usual) {
    const field = parseSearchField(name, recordType);
    if (field === undefined) return wrong(`Invalid search field: ${name}`);
    fields.push(field);
  }
  if (words.length === 0) return ok(undefined);
  if (words.reduce((sum, word) => sum + word.length, 0) * fields.length > MAX_COMPARED)
    return wrong(
      `A search in ${fields.length} fields takes ${Math.floor(MAX_COMPARED / fields.length)} characters at most.`,
    );
  if (fields.some(({ how }) => how === 'regex')) {
    if (words.length > MAX_EXPRESSIONS) return wrong(`A search takes ${MAX_EXPRESSIONS} regular expressions at most.`);
    for (const word of words) {
      const complaint = regexComplaint(word);
      if (complaint !== undefined) return wrong(complaint);
    }
  }
  return ok({ kind: 'search', words, fields, isUsual: named.length === 0 });
}

/** `^owner__username`: how, and the way to the field. */
function parseSearchField(text: string, recordType: RecordType): SearchField | undefined {
  const prefix = PREFIXES[text.slice(0, 1)];
  const found = findPath(recordType, (prefix === undefined ? text : text.slice(1)).split(/__|\./));
  if (!found.ok || found.value.target.kind !== 'field') return undefined;
  // Only what can be read as text; whether a date or an id "contains" something is no question.
  if (valueTypeOf(found.value.target.field.type) === undefined) return undefined;
  return { path: found.value, how: prefix ?? 'contains' };
}

function wrong(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-request', messages: [message] });
}
