// `server-rate-limit`: `100/s per role`, `5000/h`, `off`.

import type { OptionType } from '../../../kernel/options/option.ts';
import { quoteText } from '../../../kernel/options/quote-text.ts';
import { err, ok } from '../../../kernel/result.ts';

export type RateLimit = {
  readonly requests: number;
  readonly perSeconds: number;
  /** Who is counted together: everyone with the same role, or everyone behind the same address. */
  readonly by: 'role' | 'address';
};

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['min', 60],
  ['h', 3600],
]);

const FORM = /^\s*([1-9]\d{0,8})\s*\/\s*(s|min|h)(?:\s+per\s+(role|address))?\s*$/;

export const rateLimit: OptionType<RateLimit | undefined> = {
  accepts: 'off, or a number per s, min or h such as 100/s per role or 5000/h per address (address when not said)',
  parse(raw) {
    if (raw.kind === 'truth' && !raw.value) return ok(undefined);
    if (raw.kind !== 'text') return err('is not a rate');
    if (raw.text === 'off') return ok(undefined);
    const [, requests, unit, by] = FORM.exec(raw.text) ?? [];
    const perSeconds = SECONDS.get(unit ?? '');
    if (requests === undefined || perSeconds === undefined) return err('is not a rate');
    return ok({ requests: Number(requests), perSeconds, by: by === 'role' ? 'role' : 'address' });
  },
  print(limit) {
    if (limit === undefined) return quoteText('off');
    const unit = [...SECONDS].find(([, seconds]) => seconds === limit.perSeconds)?.[0] ?? 's';
    return quoteText(`${limit.requests}/${unit} per ${limit.by}`);
  },
};
