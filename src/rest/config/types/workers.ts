// `server-workers`: how many processes, or as many as there are processors.

import type { OptionType } from '../../../kernel/options/option.ts';
import { quoteText } from '../../../kernel/options/quote-text.ts';
import { wholeNumber } from '../../../kernel/options/types/whole-number.ts';
import { ok } from '../../../kernel/result.ts';

const count = wholeNumber({ min: 1, max: 256 });

export const workers: OptionType<number | 'auto'> = {
  accepts: `${count.accepts}, or auto`,
  parse: (raw) => (raw.kind === 'text' && raw.text === 'auto' ? ok('auto') : count.parse(raw)),
  print: (value) => (value === 'auto' ? quoteText(value) : count.print(value)),
};
