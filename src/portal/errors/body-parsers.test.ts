import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedValues } from '../../http/form-values.ts';
import { formFields, parseJson } from './body-parsers.ts';

test('every JSON value is itself', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('__proto__'));
      expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('no text is no value', () => {
  expect(parseJson('')).toEqual({ ok: true, value: undefined });
});

test.each(['{"a":{"__proto__":{"b":1}},"c":2}', '{"a":{"\\u005f\\u005fproto__":{"b":1}},"c":2}'])(
  'the prototype is no member: %s',
  (text) => {
    const parsed = parseJson(text);
    expect(parsed).toEqual({ ok: true, value: { a: {}, c: 2 } });
    expect(parsed.ok && Object.assign({}, (parsed.value as { a: object }).a)).not.toHaveProperty('b');
  },
);

test('what is wrong is told without the text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, unit: fc.constantFrom('s', 'e', 'c') }), (secret) => {
      for (const text of [secret, `{"password":"${secret}`, `{"password":${secret}}`, `["${secret}"]${secret}`]) {
        expect(JSON.stringify(parseJson(text))).not.toContain(secret);
      }
    }),
  );
});

test('a form has one value per name, whatever the names, and the others beside it', () => {
  const fields = formFields('a=1&a=2&__proto__=x&constructor=y&b=%C3%A4+%26&c');
  expect(Object.fromEntries(Object.entries(fields))).toEqual({
    a: '2',
    ['__proto__']: 'x',
    constructor: 'y',
    b: 'ä &',
    c: '',
  });
  expect(Object.getPrototypeOf(fields)).toBeNull();
  expect(repeatedValues({ ...fields }, 'a')).toEqual(['1', '2']);
  expect(repeatedValues(fields, 'b')).toBeUndefined();
});
