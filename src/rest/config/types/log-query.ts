// `log-query`: a word, or, as later versions of the model have it, a switch.

import type { OptionType } from '../../../kernel/options/option.ts';
import { oneOf } from '../../../kernel/options/types/one-of.ts';
import { ok } from '../../../kernel/result.ts';

const words = oneOf(['disabled', 'main-query'], 'Invalid SQL logging value. Check your configuration.');

export const logQuery: OptionType<'disabled' | 'main-query'> = {
  accepts: `${words.accepts}, true or false`,
  parse(raw) {
    const value = raw.kind === 'truth' ? String(raw.value) : raw.kind === 'text' ? raw.text.toLowerCase() : '';
    if (value === 'true') return ok('main-query');
    return value === 'false' ? ok('disabled') : words.parse(raw);
  },
  print: words.print,
};
