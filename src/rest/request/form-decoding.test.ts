import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFormComponent, decodePathSegment, encodeUrlComponent, parseFormFields } from './form-decoding.ts';

describe('names and values of a query', () => {
  test.each([
    ['plain', 'plain'],
    ['a+b%20c', 'a b c'],
    ['%2B', '+'],
    ['caf%C3%A9', 'café'],
    ['%F0%9F%98%80', '😀'],
    ['%d8%b9', 'ع'],
    // what is no escape stands for itself
    ['100%', '100%'],
    ['%zz%4', '%zz%4'],
    ['%%41', '%A'],
    ['%e9+x', '\ufffd x'],
    ['%ed%a0%80', '\ufffd\ufffd\ufffd'],
    ['%00', '\0'],
    ['', ''],
    // unescaped bytes of UTF-8, as Node's request line has them, and text that is text already
    ['caf\u00c3\u00a9%20x', 'café x'],
    ['café', 'café'],
    ['日本%41', '日本A'],
  ])('%j is %j', (raw, text) => {
    expect(decodeFormComponent(raw)).toBe(text);
  });

  test('any text comes back after being escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeFormComponent(encodeUrlComponent(text))).toBe(text);
        expect(decodePathSegment(encodeUrlComponent(text))).toBe(text);
      }),
    );
  });

  test('no text throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('%', 'c', '3', 'a', '+', '\u00e9', '\ud800') }),
    );
    fc.assert(
      fc.property(
        text,
        (raw) => typeof decodeFormComponent(raw) === 'string' && typeof encodeUrlComponent(raw) === 'string',
      ),
    );
  });
});

test('a plus in a path is a plus', () => {
  expect(decodePathSegment('a+b%20c')).toBe('a+b c');
});

test('everything but letters, digits and -_.~ is escaped', () => {
  expect(encodeUrlComponent("a-b_c.d~e f*(g)'!,é")).toBe('a-b_c.d~e%20f%2A%28g%29%27%21%2C%C3%A9');
});

test('form fields keep their order and their repetitions', () => {
  expect(parseFormFields('a=1&b=x+y&a=2&c&&d=&=e')).toEqual([
    ['a', '1'],
    ['b', 'x y'],
    ['a', '2'],
    ['c', ''],
    ['d', ''],
    ['', 'e'],
  ]);
  expect(parseFormFields('')).toEqual([]);
});
