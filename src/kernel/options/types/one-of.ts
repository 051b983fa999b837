// Options with a closed set of words. Case matters, as it does in the model.

import { err, ok } from '../../result.ts';
import type { OptionType } from '../option.ts';
import { quoteText } from '../quote-text.ts';
import type { RawValue } from '../raw-value.ts';

export function oneOf<const W extends string>(
  words: readonly W[],
  complaint = 'is not one of the words',
): OptionType<W> {
  return {
    accepts: words.join(', '),
    parse(raw: RawValue) {
      const word = raw.kind === 'text' ? words.find((each) => each === raw.text) : undefined;
      return word === undefined ? err(complaint) : ok(word);
    },
    print: quoteText,
  };
}
