// Options whose value is text, taken as it is, with an optional check of its form.

import { err, ok } from '../../result.ts';
import type { OptionType } from '../option.ts';
import { quoteText } from '../quote-text.ts';

export type TextForm = {
  readonly accepts: string;
  /** What is wrong with this text, if anything. */
  readonly complaint?: (text: string) => string | undefined;
};

export function text(form: TextForm = { accepts: 'text' }): OptionType<string> {
  return {
    accepts: form.accepts,
    parse(raw) {
      // A number is kept as it was written, so that `server-unix-socket-mode = 660` needs no quotes.
      if (raw.kind !== 'text' && raw.kind !== 'number') return err('must be a text in double quotes');
      // PostgreSQL, file names and headers all end at a zero character.
      if (raw.text.includes('\0')) return err('must not contain a zero character');
      const complaint = form.complaint?.(raw.text);
      return complaint === undefined ? ok(raw.text) : err(complaint);
    },
    print: quoteText,
  };
}
