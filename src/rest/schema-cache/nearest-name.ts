// Fuzzy search for "Perhaps you meant …": names in, a lookup out that finds the name most similar to a misspelt one. Grams
// (runs of letters) find the candidates, the edit distance decides among them. An index from grams to names is made on the
// first question, so that a lookup touches only names that share a gram with it.

import { boundedMemo } from './bounded-memo.ts';
import { type GramIndex, makeGramIndex, mostAlike } from './gram-index.ts';
import { levenshtein } from './levenshtein.ts';
import type { NearestName } from './schema-cache.ts';

type NameMatch = { readonly name: string /** 1: equal but for case. */; readonly score: number };

export type NameIndex = (asked: string) => NameMatch | undefined;

/**
 * How similar a name has to be, 1 being equal. Among all the names of a schema a loose match is misleading, and tells of
 * objects that nobody asked about; among the few that belong to a known table or function it helps.
 */
export const SIMILAR = { amongAll: 0.75, amongFew: 0.33 } as const;

/** So many of the names that share most grams are compared letter by letter. */
const CANDIDATES = 50;
/** Parameter lists can be long; comparing two takes the product of their lengths. */
const LONGEST_QUESTION = 1000;

export function makeNameIndex(names: readonly string[], leastScore: number = SIMILAR.amongFew): NameIndex {
  let index: Index | undefined;
  return (asked) => {
    index ??= makeIndex(names, leastScore);
    return asked.length > index.longestUseful ? undefined : findNearest(index, asked);
  };
}

/** For the many names of a schema: remembers what it was asked. */
export function makeNearestName(names: readonly string[], leastScore?: number): NearestName {
  const find = makeNameIndex(names, leastScore);
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
  /** The names that are equal but for case. */
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly leastScore: number;
  /** A longer question is too far from every name. */
  readonly longestUseful: number;
  readonly bySize: Map<number, GramIndex>;
};

function makeIndex(names: readonly string[], leastScore: number): Index {
  const lower = names.map((name) => name.toLowerCase());
  const exact = new Map<string, number[]>();
  lower.forEach((name, i) => {
    const same = exact.get(name);
    if (same === undefined) exact.set(name, [i]);
    else same.push(i);
  });
  const longest = lower.reduce((length, name) => Math.max(length, name.length), 0);
  const longestUseful = Math.min(Math.floor(longest / leastScore), LONGEST_QUESTION);
  return { names, lower, exact, leastScore, longestUseful, bySize: new Map() };
}

function findNearest(index: Index, asked: string): NameMatch | undefined {
  const lower = asked.toLowerCase();
  const exact = index.exact.get(lower);
  if (exact !== undefined) return { name: spelledMostAlike(index, exact, asked), score: 1 };
  // Pairs of letters are many and mean little: they are asked only where triples found nothing.
  const found = findBySize(index, lower, 3) ?? findBySize(index, lower, 2);
  return found === undefined ? undefined : { name: spelledMostAlike(index, found.ids, asked), score: found.score };
}

/** Of names that are equally near without regard to case, the one whose case fits best; the first of several. */
function spelledMostAlike(index: Index, ids: readonly number[], asked: string): string {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const id of ids) {
    const name = index.names[id] ?? '';
    const edits = levenshtein(asked, name, LONGEST_QUESTION) ?? LONGEST_QUESTION;
    if (best === undefined || edits < best.edits) best = { name, edits };
  }
  return best?.name ?? '';
}

function findBySize(index: Index, asked: string, size: number): { ids: number[]; score: number } | undefined {
  let grams = index.bySize.get(size);
  if (grams === undefined) {
    grams = makeGramIndex(index.lower, size);
    index.bySize.set(size, grams);
  }
  let best: { ids: number[]; score: number } | undefined;
  for (const candidate of mostAlike(grams, asked, CANDIDATES)) {
    const lower = index.lower[candidate] ?? '';
    const length = Math.max(lower.length, asked.length);
    // As many edits as leave the score as good as the best; the little more is for fractions that are not exact.
    const edits = levenshtein(asked, lower, Math.floor((1 - (best?.score ?? index.leastScore)) * length + 1e-9));
    if (edits === undefined) continue;
    const score = 1 - edits / length;
    if (score < index.leastScore) continue;
    if (best === undefined || score > best.score) best = { ids: [candidate], score };
    else if (score === best.score) best.ids.push(candidate);
  }
  return best;
}
