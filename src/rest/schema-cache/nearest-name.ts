// What was probably meant: names in, a lookup out that finds the name nearest to a misspelt one. Grams (runs of letters)
// find the candidates, the number of edits decides among them. An index from grams to names is made on the first question,
// so that a lookup touches only names that share a gram with it.

import { boundedMemo } from './bounded-memo.ts';
import { type GramIndex, makeGramIndex, mostAlike } from './gram-index.ts';
import { levenshtein } from './levenshtein.ts';
import type { NearestName } from './schema-cache.ts';

export type NameMatch = { readonly name: string /** 1: equal but for case. */; readonly score: number };

export type NameIndex = (asked: string) => NameMatch | undefined;

const LEAST_SCORE = 0.33;
/** So many of the names that share most grams are compared letter by letter. */
const CANDIDATES = 50;
/** Parameter lists can be long; comparing two takes the product of their lengths. */
const LONGEST_QUESTION = 1000;

export function makeNameIndex(names: readonly string[]): NameIndex {
  let index: Index | undefined;
  return (asked) => {
    index ??= makeIndex(names);
    return asked.length > index.longestUseful ? undefined : findNearest(index, asked.toLowerCase());
  };
}

/** For the many names of a schema: remembers what it was asked. */
export function makeNearestName(names: readonly string[]): NearestName {
  const find = makeNameIndex(names);
  return boundedMemo((asked) => find(asked)?.name);
}

/** For one question among a few names. */
export function nearestOf(names: readonly string[], asked: string): string | undefined {
  return makeNameIndex(names)(asked)?.name;
}

type Index = {
  readonly names: readonly string[];
  /** In lower case. */
  readonly lower: readonly string[];
  readonly exact: ReadonlyMap<string, number>;
  /** A longer question is too far from every name. */
  readonly longestUseful: number;
  readonly bySize: Map<number, GramIndex>;
};

function makeIndex(names: readonly string[]): Index {
  const lower = names.map((name) => name.toLowerCase());
  const exact = new Map<string, number>();
  lower.forEach((name, i) => {
    if (!exact.has(name)) exact.set(name, i);
  });
  const longest = lower.reduce((length, name) => Math.max(length, name.length), 0);
  const longestUseful = Math.min(Math.floor(longest / LEAST_SCORE), LONGEST_QUESTION);
  return { names, lower, exact, longestUseful, bySize: new Map() };
}

function findNearest(index: Index, asked: string): NameMatch | undefined {
  const exact = index.exact.get(asked);
  if (exact !== undefined) return { name: index.names[exact] ?? '', score: 1 };
  // Pairs of letters are many and mean little: they are asked only where triples found nothing.
  return findBySize(index, asked, 3) ?? findBySize(index, asked, 2);
}

function findBySize(index: Index, asked: string, size: number): NameMatch | undefined {
  let grams = index.bySize.get(size);
  if (grams === undefined) {
    grams = makeGramIndex(index.lower, size);
    index.bySize.set(size, grams);
  }
  let best: NameMatch | undefined;
  for (const candidate of mostAlike(grams, asked, CANDIDATES)) {
    const lower = index.lower[candidate] ?? '';
    const length = Math.max(lower.length, asked.length);
    const edits = levenshtein(asked, lower, Math.floor((1 - (best?.score ?? LEAST_SCORE)) * length));
    const score = edits === undefined ? 0 : 1 - edits / length;
    if (score >= LEAST_SCORE && score > (best?.score ?? 0)) best = { name: index.names[candidate] ?? '', score };
  }
  return best;
}
