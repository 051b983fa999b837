// Switches. The words are those a configuration file of the model may hold: true and false in any case, also with stray
// signs around them, on and off, and numbers, of which those above zero are true.

import { err, ok } from '../../result.ts';
import type { OptionType } from '../option.ts';
import type { RawValue } from '../raw-value.ts';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

export const truth: OptionType<boolean> = {
  accepts: 'true, false, on, off, 1 or 0',
  parse(raw) {
    const value = readTruth(raw);
    return value === undefined ? err('is neither true nor false') : ok(value);
  },
  print: String,
};

function readTruth(raw: RawValue): boolean | undefined {
  switch (raw.kind) {
    case 'truth':
      return raw.value;
    case 'number':
      return raw.value > 0;
    case 'list':
      return undefined;
    case 'text':
      return /^\s*[+-]?\d{1,20}\s*$/.test(raw.text)
        ? Number(raw.text) > 0
        : WORDS.get(raw.text.replace(/[^\p{L}]/gu, '').toLowerCase());
  }
}
