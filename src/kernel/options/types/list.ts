// Lists: a text with commas, or a list of the configuration file. Blanks around an element do not count, and neither do
// empty elements. A comma cannot be part of an element, since the printed form joins them with commas.

import { err, ok, type Result } from '../../result.ts';
import type { OptionType } from '../option.ts';
import { quoteText } from '../quote-text.ts';
import type { RawValue } from '../raw-value.ts';

/** A list with at least one element. */
export type Filled = readonly [string, ...string[]];

export type ListForm = {
  readonly accepts: string;
  /** What is wrong with this element, if anything. */
  readonly complaint?: (element: string) => string | undefined;
};

export function filledList(form: ListForm): OptionType<Filled> {
  return {
    accepts: form.accepts,
    parse(raw) {
      const items = readItems(raw, form);
      if (!items.ok) return items;
      const [first, ...rest] = items.value;
      return first === undefined ? err('names nothing') : ok([first, ...rest]);
    },
    print: (items) => quoteText(items.join(',')),
  };
}

/** A list where an empty text means "none", not "the default". */
export function listOrNone(form: ListForm): OptionType<readonly string[]> {
  return {
    accepts: form.accepts,
    emptyIsValue: true,
    parse: (raw) => readItems(raw, form),
    print: (items) => quoteText(items.join(',')),
  };
}

function readItems(raw: RawValue, form: ListForm): Result<readonly string[], string> {
  const parts = readParts(raw);
  if (!parts.ok) return parts;
  const items = parts.value.map((part) => part.trim()).filter((part) => part !== '');
  for (const item of items) {
    if (item.includes('\0')) return err('must not contain a zero character');
    const complaint = form.complaint?.(item);
    if (complaint !== undefined) return err(complaint);
  }
  return ok(items);
}

function readParts(raw: RawValue): Result<readonly string[], string> {
  switch (raw.kind) {
    case 'text':
    case 'number':
      return ok(raw.text.split(','));
    case 'truth':
      return err('must be a text with commas, or a list');
    case 'list': {
      const parts: string[] = [];
      for (const item of raw.items) {
        if (item.kind !== 'text' && item.kind !== 'number') return err('has an element that is not text');
        if (item.text.includes(',')) return err('has an element with a comma in it');
        parts.push(item.text);
      }
      return ok(parts);
    }
  }
}
