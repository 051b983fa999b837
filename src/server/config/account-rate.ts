// `account-rate-limit`: `600/min`, `10/s`, `off`.

import type { OptionType } from '../../kernel/options/option.ts';
import { quoteText } from '../../kernel/options/quote-text.ts';
import { err } from '../../kernel/result.ts';
import { type RateLimit, rateLimit } from '../../rest/config/types/rate-limit.ts';

export type AccountRate = Pick<RateLimit, 'requests' | 'perSeconds'>;

export const accountRate: OptionType<AccountRate | undefined> = {
  accepts: 'off, or a number per s, min or h such as 10/s or 600/min',
  parse(raw) {
    // Who is counted is not to be chosen here.
    if (raw.kind === 'text' && /\bper\b/.test(raw.text)) return err('is not a rate');
    return rateLimit.parse(raw);
  },
  print(limit) {
    if (limit === undefined) return quoteText('off');
    const unit = { 1: 's', 60: 'min', 3600: 'h' }[limit.perSeconds] ?? 's';
    return quoteText(`${limit.requests}/${unit}`);
  },
};
