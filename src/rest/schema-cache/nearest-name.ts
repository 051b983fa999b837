// What was probably meant: names in, a lookup out that finds the name nearest to a misspelt one. Grams (runs of letters)
// find the candidates, the number of edits decides among them. An index from grams to names is made on the first question,
// so that a lookup touches only names that share a gram with it.

import { boundedMemo } from './bounded-memo.ts';
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
  for (const candidate of mostAlike(grams, asked)) {
    const lower = index.lower[candidate] ?? '';
    const length = Math.max(lower.length, asked.length);
    const edits = levenshtein(asked, lower, Math.floor((1 - (best?.score ?? LEAST_SCORE)) * length));
    const score = edits === undefined ? 0 : 1 - edits / length;
    if (score >= LEAST_SCORE && score > (best?.score ?? 0)) best = { name: index.names[candidate] ?? '', score };
  }
  return best;
}

type GramIndex = {
  readonly size: number;
  /** Grams are numbers to this base, a character a digit: making strings of them would take three times as long. */
  readonly base: number;
  /** For each gram the names that have it, each as often as it has it. */
  readonly postings: ReadonlyMap<number, readonly number[]>;
  /** Length of each name's vector of counts. */
  readonly norms: Float64Array;
  /** Working space of a lookup, all zeros between two. */
  readonly products: Float64Array;
};

function makeGramIndex(names: readonly string[], size: number): GramIndex {
  const normal = names.map(normalise);
  const base = normal.every(isAscii) ? ASCII_END : UTF16_END;
  const postings = new Map<number, number[]>();
  const norms = new Float64Array(names.length);
  normal.forEach((name, id) => {
    for (const gram of gramsOf(name, size, base)) {
      const posting = postings.get(gram);
      let count = 1;
      if (posting === undefined) postings.set(gram, [id]);
      else {
        for (let i = posting.length - 1; posting[i] === id; i--) count++;
        posting.push(id);
      }
      // Squares of the counts: (n - 1)² becomes n².
      norms[id] = (norms[id] ?? 0) + 2 * count - 1;
    }
  });
  return { size, base, postings, norms: norms.map(Math.sqrt), products: new Float64Array(names.length) };
}

/** Names that share a gram, by the cosine between the counts of grams; the earlier name first where two are equal. */
function mostAlike(index: GramIndex, asked: string): readonly number[] {
  const { postings, norms, products } = index;
  const touched: number[] = [];
  // Both sides hold a gram as often as it occurs, so this adds up to the products of their counts.
  for (const gram of gramsOf(normalise(asked), index.size, index.base)) {
    for (const id of postings.get(gram) ?? NO_NAMES) {
      const before = products[id] ?? 0;
      if (before === 0) touched.push(id);
      products[id] = before + 1;
    }
  }
  // The question's own norm is the same for all and does not change their order.
  const best = new BestFew(CANDIDATES);
  for (const id of touched) {
    best.offer(id, (products[id] ?? 0) / (norms[id] ?? 1));
    products[id] = 0;
  }
  return best.ids;
}

const NO_NAMES: readonly number[] = [];

/** Keeps the few with the highest scores, in order. */
class BestFew {
  readonly ids: number[] = [];
  readonly #scores: number[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  offer(id: number, score: number): void {
    let at = this.ids.length;
    while (at > 0 && this.#isBehind(at - 1, id, score)) at--;
    if (at === this.#most) return;
    this.ids.splice(at, 0, id);
    this.#scores.splice(at, 0, score);
    if (this.ids.length > this.#most) {
      this.ids.pop();
      this.#scores.pop();
    }
  }

  #isBehind(at: number, id: number, score: number): boolean {
    const other = this.#scores[at] ?? 0;
    return other < score || (other === score && (this.ids[at] ?? 0) > id);
  }
}

const ASCII_END = 128;
const UTF16_END = 65_536;

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= ASCII_END) return false;
  return true;
}

function gramsOf(text: string, size: number, base: number): number[] {
  const wrapped = `-${text}-`;
  const grams: number[] = [];
  for (let from = 0; from + size <= wrapped.length; from++) {
    let gram = 0;
    for (let i = from; i < from + size; i++) {
      const code = wrapped.charCodeAt(i);
      // A character that no name has makes a gram that no name has.
      gram = gram * base + (code < base ? code : Number.NaN);
    }
    grams.push(gram);
  }
  return grams;
}

/** Letters, digits, spaces and commas are left. */
function normalise(text: string): string {
  // Most names are of this kind, and the general expression takes ten times as long.
  const plain = text.replaceAll('_', '');
  return /^[a-z0-9]*$/.test(plain) ? plain : plain.replace(/[^\p{L}\p{N}\s,]/gu, '');
}
