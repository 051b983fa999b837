// A part of something: a percentage of it, or a size in bytes.

import { err, ok } from '../../result.ts';
import type { OptionType } from '../option.ts';
import { byteSize } from './byte-size.ts';

export type ShareOrSize =
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'bytes'; readonly bytes: number };

const size = byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER });

export const shareOrSize: OptionType<ShareOrSize> = {
  accepts: 'a percentage such as 5%, or a size such as 2GB',
  parse(raw) {
    const [, percent] = (raw.kind === 'text' ? /^(\d{1,3}(?:\.\d{1,2})?)\s*%$/.exec(raw.text.trim()) : undefined) ?? [];
    if (percent !== undefined)
      return Number(percent) <= 100 ? ok({ kind: 'percent', percent: Number(percent) }) : err('is more than 100 %');
    const bytes = size.parse(raw);
    return bytes.ok ? ok({ kind: 'bytes', bytes: bytes.value }) : err('is neither a percentage nor a size');
  },
  print: (value) => (value.kind === 'percent' ? `"${value.percent}%"` : String(value.bytes)),
};
