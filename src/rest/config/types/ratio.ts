// A part of all: a number from 0 to 1.

import type { OptionType } from '../../../kernel/options/option.ts';
import { quoteText } from '../../../kernel/options/quote-text.ts';
import { err, ok } from '../../../kernel/result.ts';

const WRITTEN = /^[01](?:\.\d{0,9})?$|^\.\d{1,9}$/;

export const ratio: OptionType<number> = {
  accepts: 'a number from 0 to 1, such as 0.1',
  parse(raw) {
    if (raw.kind !== 'text' && raw.kind !== 'number') return err('is not a number from 0 to 1');
    const text = raw.text.trim();
    const value = Number(text);
    return WRITTEN.test(text) && value <= 1 ? ok(value) : err('is not a number from 0 to 1');
  },
  print: (value) => quoteText(String(value)),
};
