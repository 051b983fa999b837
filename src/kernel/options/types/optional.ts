// An option that may stay unset. An empty text unsets it, which is also how it is printed.

import type { OptionType } from '../option.ts';

export function optional<T>(type: OptionType<T>): OptionType<T | undefined> {
  return {
    accepts: type.accepts,
    parse: (raw) => type.parse(raw),
    print: (value) => (value === undefined ? '""' : type.print(value)),
  };
}
