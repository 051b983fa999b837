// Searching the documentation in the browser: words → the sections that have all of them, the best first, each with a piece of its text in
// which the words are marked. Pure, and linear in the text.

import { excerptOf, type Marked, markWords } from '../mark-words.ts';
import type { DocSection } from './doc-page.ts';

export type DocHit = {
  readonly section: DocSection;
  /** Title and heading. */
  readonly label: readonly Marked[];
  readonly excerpt: readonly Marked[];
};

const MAX_WORDS = 8;
const MAX_HITS = 30;

export function searchDocs(sections: readonly DocSection[], asked: string): readonly DocHit[] {
  const words = wordsOf(asked);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ section }) => ({
      section,
      label: markWords(labelOf(section), words),
      excerpt: excerptOf(section.text, words),
    }));
}

/** What is to be searched: sections of the reader's language, and those in English of which there are none. */
export function inLanguage(english: readonly DocSection[], own: readonly DocSection[]): readonly DocSection[] {
  const placeOf = ({ page, heading }: DocSection): string => `${page}#${heading?.id ?? ''}`;
  const places = new Set(own.map(placeOf));
  return [...own, ...english.filter((section) => !places.has(placeOf(section)))];
}

const labelOf = ({ title, heading }: DocSection): string =>
  heading === undefined ? title : `${title}: ${heading.text}`;

function wordsOf(asked: string): readonly string[] {
  return [...new Set(asked.toLowerCase().split(/[\s,]+/))].filter((word) => word !== '').slice(0, MAX_WORDS);
}

/** Nought: a word is missing. The heading counts most, then the title, then where in the text a word first stands. */
function scoreOf({ title, heading, text }: DocSection, words: readonly string[]): number {
  const [inTitle, inHeading, inText] = [title.toLowerCase(), heading?.text.toLowerCase() ?? '', text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    const at = inText.indexOf(word);
    const found =
      (startsWord(inHeading, word) ? 12 : inHeading.includes(word) ? 6 : 0) +
      (startsWord(inTitle, word) ? 5 : inTitle.includes(word) ? 2 : 0) +
      (at < 0 ? 0 : 2 + (startsWord(inText, word) ? 1 : 0) + 1 / (1 + at / 500));
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}
