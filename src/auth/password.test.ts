import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

describe('passwords', () => {
  test('a hash is argon2id, salted, and verifies its password only', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'correct horse')).toBe(true);
    expect(await verifyPassword(one, 'correct horse ')).toBe(false);
    expect(await verifyPassword(one, '')).toBe(false);
  });

  test('composed and decomposed letters are the same password', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9'), 'cafe\u0301')).toBe(true);
  });

  test('passwords are not cut, neither at 72 bytes nor at a NUL', async () => {
    const long = 'x'.repeat(100);
    expect(await verifyPassword(await hashPassword(`${long}a`), `${long}b`)).toBe(false);
    expect(await verifyPassword(await hashPassword('a\0b'), 'a\0c')).toBe(false);
  });

  test.each(['', '!', 'pbkdf2_sha256$1$x$y', '$argon2id$v=19$m=19456,t=2,p=1$!!!$!!!'])(
    '%j is no hash: nothing verifies against it',
    async (stored) => {
      expect(await verifyPassword(stored, '')).toBe(false);
    },
  );

  test('an account that does not exist has no password, not even the empty one', async () => {
    expect(await verifyPassword(undefined, '')).toBe(false);
  });
});
