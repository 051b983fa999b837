// What a query parameter is about, by its name alone. Names carry no values and come again with every request, so the
// answer is remembered by the name as it stands in the URL, undecoded.

import type { Result } from '../../kernel/result.ts';
import { makeTextCache } from '../../kernel/text-cache.ts';
import type { EmbedPath, Field } from './api-request.ts';
import { decodeFormComponent } from './form-decoding.ts';
import { parseText } from './parse-text.ts';
import type { RequestError } from './request-error.ts';
import { measured } from './shape.ts';
import { logicPath, treePath } from './tree-path.ts';

type Path<T> = Result<T, RequestError>;

export type QueryKey =
  | { readonly kind: 'select' | 'columns' | 'on_conflict'; readonly name: string }
  | {
      readonly kind: 'order' | 'limit' | 'offset' | ReadingWord;
      readonly name: string;
      /** What the name says before its last word: equal for `a.limit` and `a.offset`, empty for the root. */
      readonly node: string;
      readonly path: Path<{ at: EmbedPath; field: Field }>;
    }
  | { readonly kind: 'logic'; readonly name: string; readonly path: Path<{ at: EmbedPath; word: string }> }
  | {
      readonly kind: 'filter';
      readonly name: string;
      readonly path: Path<{ at: EmbedPath; field: Field }>;
      readonly shape: string;
      /** Its last word, where that may mean something other than a column: its value tells. */
      readonly word?: ReadingWord;
    };

/** Names of parameters that a column may have, too: what reads as a filter is one. */
type ReadingWord = 'after' | 'distinct' | 'having';

const remembered = makeTextCache<QueryKey>(1024, 256);

export function queryKey(raw: string): QueryKey {
  const known = remembered.get(raw);
  if (known !== undefined) return known;
  const key = classify(decodeFormComponent(raw));
  remembered.set(raw, key);
  return key;
}

function classify(name: string): QueryKey {
  if (name === 'select' || name === 'columns' || name === 'on_conflict') return { kind: name, name };
  const lastDot = name.lastIndexOf('.');
  // The last word counts as written: a column called `limit` is reached by quoting it.
  const lastWord = name.slice(lastDot + 1);
  switch (lastWord) {
    case 'order':
    case 'limit':
    case 'offset':
      return {
        kind: lastWord,
        name,
        node: lastDot < 0 ? '' : name.slice(0, lastDot + 1),
        path: parseText('tree path', name, treePath),
      };
    case 'and':
    case 'or':
      return { kind: 'logic', name, path: parseText('logic path', name, logicPath) };
    default: {
      const path = parseText('tree path', name, treePath);
      const shape = `f${measured(name)}=`;
      const word = readingWord(name, lastWord);
      return word === undefined ? { kind: 'filter', name, path, shape } : { kind: 'filter', name, path, shape, word };
    }
  }
}

function readingWord(name: string, lastWord: string): ReadingWord | undefined {
  if (lastWord === 'distinct' || lastWord === 'having') return lastWord;
  return name === 'after' ? name : undefined;
}

/** `after=eq.5` is a filter of the column `after`; `after=` and what no filter can be are not. */
export function asWord(key: QueryKey, value: string): QueryKey {
  if (key.kind !== 'filter' || key.word === undefined || !WORD_VALUES[key.word](value)) return key;
  return { kind: key.word, name: key.name, node: key.name.slice(0, -key.word.length), path: key.path };
}

/** `eq.5`, `not.in.(1,2)`, `like(any).{a,b}` */
const FILTER = /^(?:not\.)?[a-z]+(?:\([^()]*\))?\./;
const HAVING = /^(?:not\.)?(?:and|or)?\(/;

const WORD_VALUES: Readonly<Record<ReadingWord, (value: string) => boolean>> = {
  after: (value) => !value.includes('.'),
  distinct: (value) => !FILTER.test(value),
  having: (value) => HAVING.test(value),
};
