import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimsJson } from './claims-json.ts';

describe('claimsJson', () => {
  test.each([
    ['{}', '{"role":"r"}'],
    [' { } ', '{"role":"r"}'],
    ['{"role":"other"}', '{"role":"r"}'],
    ['{"\\u0072ole":"other","a":1}', '{"role":"r","a":1}'],
    ['{"a": 1 , "b" :\n[1, {"c":"}"}]}', '{"a":1,"b":[1, {"c":"}"}],"role":"r"}'],
    ['{"a":"\\"},{\\\\"}', '{"a":"\\"},{\\\\","role":"r"}'],
    ['{"a":1,"a":2}', '{"a":2,"role":"r"}'],
    ['{"role":"x","role":"y"}', '{"role":"r"}'],
    ['{"__proto__":{"role":"x"}}', '{"__proto__":{"role":"x"},"role":"r"}'],
    ['{"a":"\\ud800","b":"\\u0000"}', '{"a":"\\ud800","b":"\\u0000","role":"r"}'],
  ])('%s becomes %s', (payload, text) => {
    expect(claimsJson(payload, 'r')).toBe(text);
  });

  test('numbers keep every digit', () => {
    expect(claimsJson('{"sub":9007199254740993,"x":1.10,"y":1e400}', 'r')).toBe(
      '{"sub":9007199254740993,"x":1.10,"y":1e400,"role":"r"}',
    );
  });

  test('a role cannot break out of its quotes', () => {
    expect(JSON.parse(claimsJson('{"a":1}', 'x","a":"2'))).toEqual({ a: 1, role: 'x","a":"2' });
  });

  test('deep and long payloads take linear time and no stack', () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(claimsJson(deep, 'r')).toBe(`${deep.slice(0, -1)},"role":"r"}`);
  });

  test('whatever the claims are, they read the same but for the role', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.constantFrom(0, 1, 2),
        (claims, role, indent) => {
          const expected = JSON.parse(JSON.stringify(claims));
          Object.defineProperty(expected, 'role', {
            value: role,
            enumerable: true,
            writable: true,
            configurable: true,
          });
          expect(JSON.parse(claimsJson(JSON.stringify(claims, null, indent), role))).toEqual(expected);
        },
      ),
    );
  });
});
