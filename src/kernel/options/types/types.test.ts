import { describe, expect, test } from 'vitest';
import type { OptionType } from '../option.ts';
import type { RawValue } from '../raw-value.ts';
import { byteSize } from './byte-size.ts';
import { filledList, listOrNone } from './list.ts';
import { oneOf } from './one-of.ts';
import { optional } from './optional.ts';
import { text } from './text.ts';
import { truth } from './truth.ts';
import { wholeNumber } from './whole-number.ts';

const t = (value: string): RawValue => ({ kind: 'text', text: value });
const n = (written: string): RawValue => ({ kind: 'number', text: written, value: Number(written) });
const b = (value: boolean): RawValue => ({ kind: 'truth', value });
const l = (...items: RawValue[]): RawValue => ({ kind: 'list', items });

/** The value, or the complaint after a bang. */
function outcome<T>(type: OptionType<T>, raw: RawValue): unknown {
  const parsed = type.parse(raw);
  return parsed.ok ? parsed.value : `! ${parsed.error}`;
}

function table<T>(
  name: string,
  type: OptionType<T>,
  rows: readonly (readonly [raw: RawValue, expected: unknown])[],
): void {
  describe(name, () => {
    test.each(rows)('%j → %j', (raw, expected) => {
      expect(outcome(type, raw)).toEqual(expected);
    });
  });
}

table('a whole number is a number or a numeric text within its range', wholeNumber({ min: 0, max: 65535 }), [
  [n('10'), 10],
  [n('10.0'), 10],
  [n('1e3'), 1000],
  [t('10'), 10],
  [t(' +10 '), 10],
  [t('007'), 7],
  [n('65535'), 65535],
  [n('65536'), '! is out of range'],
  [n('-1'), '! is out of range'],
  [n('1.5'), '! is not a whole number'],
  [n('1e400'), '! is not a whole number'],
  [t('abc'), '! is not a whole number'],
  [t('10s'), '! is not a whole number'],
  [t('0x10'), '! is not a whole number'],
  [t('1e3'), '! is not a whole number'],
  [t('9'.repeat(400)), '! is not a whole number'],
  [t('١٢'), '! is not a whole number'],
  [b(true), '! is not a whole number'],
  [l(n('1')), '! is not a whole number'],
]);

table('a switch is a word, a word with stray signs, or a number above zero', truth, [
  [b(true), true],
  [b(false), false],
  [t('true'), true],
  [t('TRUE'), true],
  [t('False'), false],
  [t('"true"'), true],
  [t(' true;'), true],
  [t('on'), true],
  [t('Off'), false],
  [t('1'), true],
  [t('0'), false],
  [t('-3'), false],
  [n('2'), true],
  [n('0'), false],
  [t('yes'), '! is neither true nor false'],
  [t('tru'), '! is neither true nor false'],
  [t('true false'), '! is neither true nor false'],
  [t('1.5'), '! is neither true nor false'],
  [t('trüe'), '! is neither true nor false'],
  [l(), '! is neither true nor false'],
]);

table('text is kept as it is, and a number as it was written', text(), [
  [t(' a "b" $c '), ' a "b" $c '],
  [n('0660'), '0660'],
  [t('a\0b'), '! must not contain a zero character'],
  [b(true), '! must be a text in double quotes'],
  [l(t('a')), '! must be a text in double quotes'],
]);

table('a word is one of the words, case and blanks included', oneOf(['crit', 'error']), [
  [t('crit'), 'crit'],
  [t('Crit'), '! is not one of the words'],
  [t('crit '), '! is not one of the words'],
  [t('toString'), '! is not one of the words'],
  [n('1'), '! is not one of the words'],
]);

table('a list is a text with commas or a list of texts', filledList({ accepts: 'names' }), [
  [t('a'), ['a']],
  [t(' a , b,c '), ['a', 'b', 'c']],
  [t('a,,b,'), ['a', 'b']],
  [t('a b'), ['a b']],
  [l(t('a'), t(' b '), n('1')), ['a', 'b', '1']],
  [t(' , '), '! names nothing'],
  [l(), '! names nothing'],
  [l(t('a,b')), '! has an element with a comma in it'],
  [l(l(t('a'))), '! has an element that is not text'],
  [l(b(true)), '! has an element that is not text'],
  [b(true), '! must be a text with commas, or a list'],
  [t('a,b\0'), '! must not contain a zero character'],
]);

table('a list that may be empty takes an empty text as none', listOrNone({ accepts: 'names' }), [
  [t(''), []],
  [l(), []],
  [t('a'), ['a']],
]);

table('a size is a number of bytes or a number with a unit', byteSize({ min: 1, max: 1e12 }), [
  [n('1048576'), 1_048_576],
  [t('1048576'), 1_048_576],
  [t('64MB'), 64_000_000],
  [t('64 MB'), 64_000_000],
  [t('64MiB'), 67_108_864],
  [t('64mib'), 67_108_864],
  [t('1.5kB'), 1500],
  [t('1GiB'), 2 ** 30],
  [t('0'), '! is out of range'],
  [t('2TB'), '! is not a size'],
  [t('9999GB'), '! is out of range'],
  [t('999999999999999GB'), '! is not a whole number of bytes'],
  [t('1.5'), '! is not a whole number of bytes'],
  [t('-1'), '! is not a size'],
  [t('64M'), '! is not a size'],
  [t('MB'), '! is not a size'],
  [t('1e6'), '! is not a size'],
  [b(true), '! is not a size'],
]);

test('an optional value prints as an empty text when it is unset', () => {
  const type = optional(wholeNumber({ min: 0 }));
  expect([type.print(undefined), type.print(5)]).toEqual(['""', '5']);
});
