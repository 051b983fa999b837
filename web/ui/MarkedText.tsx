// A text in which the words of a search are marked.

import type { Marked } from '../lib/mark-words.ts';

export function MarkedText({ parts }: { readonly parts: readonly Marked[] }) {
  return parts.map(({ text, isMatch }, i) => {
    const key = `${i}`;
    return isMatch ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
  });
}
