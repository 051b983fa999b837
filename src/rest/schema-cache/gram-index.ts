// Which names are most alike by the grams they are made of: runs of so many letters, with the end of the name as one.
// Names in, an index from grams to names out, so that a question touches only names that share a gram with it.

export type GramIndex = {
  readonly size: number;
  /** Grams are numbers to this base, a character a digit: strings would take three times as long to make. */
  readonly base: number;
  /** For each gram the names that have it, each as often as it has it. */
  readonly postings: ReadonlyMap<number, readonly number[]>;
  /** Length of each name's vector of counts. */
  readonly norms: Float64Array;
  /** Working space of a question, all zeros between two. */
  readonly products: Float64Array;
};

export function makeGramIndex(names: readonly string[], size: number): GramIndex {
  const wrapped = names.map(wrap);
  const base = wrapped.every(isAscii) ? ASCII_END : UTF16_END;
  const postings = new Map<number, number[]>();
  const norms = new Float64Array(names.length);
  wrapped.forEach((text, id) => {
    let squares = 0;
    for (let from = 0; from + size <= text.length; from++) {
      const gram = gramAt(text, from, size, base);
      const posting = postings.get(gram);
      let count = 1;
      if (posting === undefined) postings.set(gram, [id]);
      else {
        for (let i = posting.length - 1; posting[i] === id; i--) count++;
        posting.push(id);
      }
      // (count - 1)² becomes count².
      squares += 2 * count - 1;
    }
    norms[id] = Math.sqrt(squares);
  });
  return { size, base, postings, norms, products: new Float64Array(names.length) };
}

/** Names that share a gram with the text, by the cosine between the counts of grams; of two equal ones the earlier first. */
export function mostAlike(index: GramIndex, asked: string, most: number): readonly number[] {
  const { size, base, postings, norms, products } = index;
  const text = wrap(asked);
  const touched: number[] = [];
  // Both sides hold a gram as often as it occurs, so this adds up to the products of their counts.
  for (let from = 0; from + size <= text.length; from++) {
    const posting = postings.get(gramAt(text, from, size, base));
    if (posting === undefined) continue;
    for (const id of posting) {
      const before = products[id] ?? 0;
      if (before === 0) touched.push(id);
      products[id] = before + 1;
    }
  }
  // The question's own norm is the same for all and does not change their order.
  const best = new BestFew(most);
  for (const id of touched) {
    best.offer(id, (products[id] ?? 0) / (norms[id] ?? 1));
    products[id] = 0;
  }
  return best.ids;
}

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

function gramAt(text: string, from: number, size: number, base: number): number {
  let gram = 0;
  for (let i = from; i < from + size; i++) {
    const code = text.charCodeAt(i);
    // The last of the base is neither letter nor digit nor space: a character beyond it makes a gram that no name has.
    gram = gram * base + (code < base ? code : base - 1);
  }
  return gram;
}

/** Letters, digits, spaces and commas are left, between two dashes. */
function wrap(text: string): string {
  // Most names are of this kind, and the general expression takes ten times as long.
  const plain = text.replaceAll('_', '');
  return `-${/^[a-z0-9]*$/.test(plain) ? plain : plain.replace(/[^\p{L}\p{N}\s,]/gu, '')}-`;
}
