// Marking the words of a search in a text (highlighting). Pure, and linear in the text.

export type Marked = { readonly text: string; readonly isMatch: boolean };

const BEFORE = 60;
const EXCERPT = 220;

/** The piece of a text where the first of the words stands, with the words marked. */
export function excerptOf(text: string, words: readonly string[]): readonly Marked[] {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const space = first <= BEFORE ? -1 : text.indexOf(' ', first - BEFORE);
  const start = space < 0 || space > first ? Math.max(0, Math.min(first, first - BEFORE)) : space + 1;
  const piece = text.slice(start, start + EXCERPT);
  const marked = markWords(piece, words);
  return [
    ...(start > 0 ? [{ text: '… ', isMatch: false }] : []),
    ...marked,
    ...(start + EXCERPT < text.length ? [{ text: ' …', isMatch: false }] : []),
  ];
}

/** A text cut where the words begin and end. */
export function markWords(text: string, words: readonly string[]): readonly Marked[] {
  const lower = text.toLowerCase();
  // Letters that have another length in lower case would shift every place behind them.
  if (lower.length !== text.length) return text === '' ? [] : [{ text, isMatch: false }];
  const parts: Marked[] = [];
  let at = 0;
  while (at < text.length) {
    const next = nextMatch(lower, words, at);
    if (next === undefined) break;
    if (next.start > at) parts.push({ text: text.slice(at, next.start), isMatch: false });
    parts.push({ text: text.slice(next.start, next.end), isMatch: true });
    at = next.end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false });
  return parts;
}

function nextMatch(lower: string, words: readonly string[], from: number): { start: number; end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  for (const word of words) {
    const start = lower.indexOf(word, from);
    if (start < 0) continue;
    const end = start + word.length;
    if (best === undefined || start < best.start || (start === best.start && end > best.end)) best = { start, end };
  }
  return best;
}
