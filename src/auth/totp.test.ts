import { describe, expect, test } from 'vitest';
import { base32, stepOfCode, totpAddress, totpCode } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('one-time passwords', () => {
  // RFC 6238, appendix B; the last six of its eight digits.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i seconds the code is %s', (seconds, code) => expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code));

  test('a code is known in its own half minute, and in those beside it', () => {
    const now = 1_111_111_111_000;
    const step = Math.floor(now / 30_000);
    for (const by of [-1, 0, 1]) expect(stepOfCode(SECRET, totpCode(SECRET, step + by), now)).toBe(step + by);
    for (const by of [-2, 2]) expect(stepOfCode(SECRET, totpCode(SECRET, step + by), now)).toBeUndefined();
    expect(stepOfCode(SECRET, '', now)).toBeUndefined();
    expect(stepOfCode(SECRET, '0504711', now)).toBeUndefined();
  });

  // RFC 4648, 10.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is %s in base 32', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded));

  test('the address for apps names site and account, whatever they are called', () => {
    expect(totpAddress('Maps & more', 'a:b', Buffer.from('foobar'))).toBe(
      'otpauth://totp/Maps%20%26%20more:a%3Ab?secret=MZXW6YTBOI&issuer=Maps%20%26%20more',
    );
  });
});
