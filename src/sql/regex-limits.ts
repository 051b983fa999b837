// Regular expressions of strangers: which ones PostgreSQL can be trusted with. Its engine is quick except for back references
// and look-around, which make it search, and for counted repetition, which it writes out.
//
// The time of a statement with one in it is limited as well, where the engine can do that.

/** What may stand in an expression; what makes PostgreSQL's engine search without end never may. */
export type RegexRules = {
  readonly maxLength: number;
  /** `(?=…)`, `(?i)`, `***=`: slow, but not without end. */
  readonly allowsExtras: boolean;
};

/** For a search by anybody. */
const STRICT: RegexRules = { maxLength: 200, allowsExtras: false };
/** For those who know the database: what clients of REST write, but for what can stop it. */
export const LENIENT: RegexRules = { maxLength: 1000, allowsExtras: true };

/** How often a part may be written out by counters, nested ones multiplied. */
const MAX_COPIES = 1000;
const MAX_DEPTH = 20;

/** A complaint, or undefined for an expression that is fine. */
export function regexComplaint(pattern: string, { maxLength, allowsExtras }: RegexRules = STRICT): string | undefined {
  if (pattern.length > maxLength) return `A regular expression may have ${maxLength} characters at most.`;
  // `***=`, `(?i)` and other directives would change what follows.
  if (!allowsExtras && pattern.startsWith('***')) return 'Directives are not allowed in regular expressions.';
  if (!allowsExtras && /\(\?(?!:)/.test(pattern))
    return 'Look-around and options are not allowed in regular expressions.';
  if (/\\[1-9]/.test(withoutEscapedBackslashes(pattern)))
    return 'Back references are not allowed in regular expressions.';
  if (depthOf(pattern) > MAX_DEPTH) return 'The regular expression is nested too deep.';
  if (copiesOf(pattern) > MAX_COPIES) return 'The regular expression repeats too much.';
  return undefined;
}

function withoutEscapedBackslashes(pattern: string): string {
  return pattern.replaceAll('\\\\', '');
}

function depthOf(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '(') deepest = Math.max(deepest, ++depth);
    else if (char === ')') depth--;
  }
  return deepest;
}

/** The product of all counters: more than they really multiply to, never less. */
function copiesOf(pattern: string): number {
  let copies = 1;
  for (const [, low = '', high = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    copies *= Math.max(1, Number(low), Number(high));
  }
  return copies;
}
