import { expect, test } from 'vitest';
import { consistencyToken, readConsistencyToken } from './consistency-token.ts';

test('a token brings back the position it was made of, and nothing else is one', () => {
  for (const lsn of [0n, 0x16b374d848n, 2n ** 64n - 1n]) expect(readConsistencyToken(consistencyToken(lsn))).toBe(lsn);
  for (const text of ['', 'v1.', 'v2.AAAAAAAAAAA', 'v1.AAAA', `v1.${'A'.repeat(1000)}`])
    expect(readConsistencyToken(text)).toBeUndefined();
});
