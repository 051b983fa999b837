// `server-unix-socket-mode`: file permissions, written in octal.

import type { OptionType } from '../../../kernel/options/option.ts';
import { quoteText } from '../../../kernel/options/quote-text.ts';
import { err, ok } from '../../../kernel/result.ts';

export const socketMode: OptionType<number> = {
  accepts: 'an octal number from 600 to 777',
  parse(raw) {
    const written = raw.kind === 'text' || raw.kind === 'number' ? raw.text : '';
    if (!/^[0-7]{1,6}$/.test(written)) return err('Invalid server-unix-socket-mode: not an octal');
    const mode = Number.parseInt(written, 8);
    if (mode < 0o600 || mode > 0o777) return err('Invalid server-unix-socket-mode: needs to be between 600 and 777');
    return ok(mode);
  },
  print: (mode) => quoteText(mode.toString(8)),
};
