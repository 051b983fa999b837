// Plain text that people wrote, with line breaks, and web addresses in it as links. The whole address is shown: nobody is led elsewhere than
// it says.

import { linkedText } from '../lib/linked-text.ts';

export function LinkedText({ text }: { readonly text: string }) {
  return (
    <p className="linked-text">
      {linkedText(text).map(({ kind, text: piece }, n) =>
        kind === 'link' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text do not move.
          <a key={n} href={piece} target="_blank" rel="noopener noreferrer nofollow ugc">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </p>
  );
}
