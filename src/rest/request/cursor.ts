// A place in a parameter's text, shared by all its parsing rules, and what could have stood there instead.
//
// A rule is a plain function: it moves `pos` and returns what it read, or returns undefined (false). A rule that fails
// where it began leaves the choice to the next one; a rule that fails further on is final, unless its caller goes back
// with `backtrack`. The messages clients see come from Parsec, so `err` follows its arithmetic: it is what is known to be
// wrong at or beyond this point; whatever consumes text forgets it, whatever does not adds to it, and of two places the
// further one wins. Texts are parsed without that bookkeeping first; only a text that fails is read again with it.

import { LIMITS, type Limit } from './limits.ts';
import { shownInDoubleQuotes, shownInSingleQuotes } from './shown-char.ts';

export type Failure = {
  readonly at: number;
  /** The character that stood there, as shown; empty at the end of the text; undefined when no rule looked. */
  readonly seen: string | undefined;
  /** What a look-ahead refused, as shown; takes the place of `seen`. */
  readonly refused: readonly string[];
  readonly wanted: readonly string[];
};

export const NO_FAILURE: Failure = { at: -1, seen: undefined, refused: [], wanted: [] };

function mergeFailures(a: Failure, b: Failure): Failure {
  if (b === NO_FAILURE) return a;
  if (a === NO_FAILURE) return b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  const seen = a.seen ?? b.seen;
  return { at: a.at, seen, refused: [...a.refused, ...b.refused], wanted: [...a.wanted, ...b.wanted] };
}

const SPACE = 0x20;
const TAB = 0x09;
const DOT = 0x2e;
const COMMA = 0x2c;
const CLOSE = 0x29;

export class Cursor {
  readonly text: string;
  pos = 0;
  err: Failure = NO_FAILURE;
  /** Takes the values that stand in the text. */
  readonly values: string[];
  private readonly explaining: boolean;
  private depth = 0;
  private readonly counts: Partial<Record<Limit, number>> = {};

  constructor(text: string, explaining = false, values: string[] = []) {
    this.text = text;
    this.values = values;
    this.explaining = explaining;
  }

  /** The code unit here, NaN at the end. */
  code(): number {
    return this.text.charCodeAt(this.pos);
  }

  /** Consumes `count` code units that the caller has looked at. */
  take(count: number): void {
    this.pos += count;
    this.err = NO_FAILURE;
  }

  /** This character, or a failure that wants it. */
  char(code: number): boolean {
    if (this.text.charCodeAt(this.pos) === code) {
      this.take(1);
      return true;
    }
    if (this.explaining) this.miss([shownInDoubleQuotes(String.fromCharCode(code))]);
    return false;
  }

  /** The dot between names, operators and values. */
  delimiter(): boolean {
    if (this.text.charCodeAt(this.pos) === DOT) {
      this.take(1);
      return true;
    }
    if (this.explaining) this.miss(['delimiter (.)']);
    return false;
  }

  /** This word. One that only begins right is a failure further on, although it is reported where the word begins. */
  word(word: string): boolean {
    const { text, pos } = this;
    let same = 0;
    while (same < word.length && text.charCodeAt(pos + same) === word.charCodeAt(same)) same++;
    if (same === word.length) {
      this.take(same);
      return true;
    }
    if (this.explaining) {
      const failure = { at: pos, seen: this.shownAt(pos + same), refused: [], wanted: [`"${word}"`] };
      this.err = same === 0 ? mergeFailures(this.err, failure) : failure;
    }
    this.pos = pos + same;
    return false;
  }

  /** This word, or nothing consumed. */
  tryWord(word: string): boolean {
    if (this.text.startsWith(word, this.pos)) {
      this.take(word.length);
      return true;
    }
    const { pos, err } = this;
    if (this.explaining) {
      this.word(word);
      this.backtrack(pos, err);
    }
    return false;
  }

  /** Whether this word comes next; consumes nothing. */
  ahead(word: string): boolean {
    if (this.text.startsWith(word, this.pos)) return true;
    const { pos, err } = this;
    if (this.explaining) {
      this.word(word);
      this.backtrack(pos, err);
    }
    return false;
  }

  /** Nothing comes next. */
  end(): boolean {
    const atEnd = this.pos >= this.text.length;
    if (this.explaining) {
      const refused = atEnd ? [] : [shownInSingleQuotes(this.charAt(this.pos))];
      this.add({ at: this.pos, seen: atEnd ? '' : undefined, refused, wanted: ['end of input'] });
    }
    return atEnd;
  }

  /** This character does not come next; consumes nothing. */
  notNext(code: number): boolean {
    if (this.text.charCodeAt(this.pos) === code) {
      if (this.explaining) this.refuse();
      return false;
    }
    if (this.explaining) this.miss([shownInDoubleQuotes(String.fromCharCode(code))]);
    return true;
  }

  /** A comma, a closing parenthesis or the end comes next; consumes nothing. */
  elementEnds(): boolean {
    const code = this.code();
    const ends = code === COMMA || code === CLOSE || Number.isNaN(code);
    if (this.explaining) {
      if (ends) this.miss([]);
      else this.refuse();
    }
    return ends;
  }

  /** Blanks, if there are any. */
  blanks(): void {
    const { text, pos } = this;
    let next = pos;
    let code = text.charCodeAt(next);
    while (code === SPACE || code === TAB) code = text.charCodeAt(++next);
    if (next > pos) this.take(next - pos);
    if (this.explaining) this.miss([]);
  }

  /** Goes over blanks if this character follows them; adds nothing to what is wanted here. */
  dropBlanksBefore(code: number): void {
    let next = this.pos;
    while (this.text.charCodeAt(next) === SPACE || this.text.charCodeAt(next) === TAB) next++;
    if (next > this.pos && this.text.charCodeAt(next) === code) this.take(next - this.pos);
  }

  /** This character with blanks around it; blanks without it are left for whoever comes next. */
  padded(code: number): boolean {
    const { pos, err } = this;
    this.blanks();
    if (!this.char(code)) {
      this.backtrack(pos, err);
      return false;
    }
    this.blanks();
    return true;
  }

  /** After a failed attempt from `start`: nothing was consumed, but what was learned stays known. */
  backtrack(start: number, before: Failure): void {
    if (this.pos === start) return;
    this.pos = start;
    this.err = mergeFailures(before, this.err);
  }

  /** Begins a rule with a name of its own, or a further round of a repetition; the answer goes to `label`. */
  fresh(): Failure {
    const before = this.err;
    this.err = NO_FAILURE;
    return before;
  }

  /** Ends what `fresh` began: where nothing was consumed, the rule's name stands for all that it wanted. */
  label(start: number, before: Failure, name: string, failed: boolean): void {
    if (!this.explaining || this.pos !== start) return;
    const own = this.err;
    if (own !== NO_FAILURE) this.err = { ...own, wanted: [name] };
    else if (failed) this.err = { at: start, seen: undefined, refused: [], wanted: [name] };
    this.err = mergeFailures(before, this.err);
  }

  /** What stands here is not what was wanted. */
  miss(wanted: readonly string[]): void {
    if (this.explaining) this.add({ at: this.pos, seen: this.shownAt(this.pos), refused: [], wanted });
  }

  /** As `miss`, for a place ahead that an attempt reached. */
  missAt(at: number): void {
    if (this.explaining) this.add({ at, seen: this.shownAt(at), refused: [], wanted: [] });
  }

  /** One level deeper, unless that is too deep. */
  descend(): boolean {
    return this.within('nesting', ++this.depth);
  }

  /** One more of something that a text may hold so many of. */
  tally(of: Limit): boolean {
    const count = (this.counts[of] ?? 0) + 1;
    this.counts[of] = count;
    return this.within(of, count);
  }

  /** Whether a number of things is still allowed; the error says how many are. */
  within(of: Limit, count: number): boolean {
    const limit = LIMITS[of];
    if (count <= limit.most) return true;
    this.err = { at: this.pos, seen: undefined, refused: [`more than ${limit.most} ${limit.of}`], wanted: [] };
    return false;
  }

  ascend(): void {
    this.depth--;
  }

  /** A look-ahead found what must not come; it is reported behind the character, where the look ended. */
  private refuse(): void {
    const char = this.charAt(this.pos);
    this.add({ at: this.pos + char.length, seen: undefined, refused: [shownInSingleQuotes(char)], wanted: [] });
  }

  private add(failure: Failure): void {
    this.err = mergeFailures(this.err, failure);
  }

  private charAt(at: number): string {
    const code = this.text.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  private shownAt(at: number): string {
    const char = this.charAt(at);
    return char === '' ? '' : shownInDoubleQuotes(char);
  }
}
