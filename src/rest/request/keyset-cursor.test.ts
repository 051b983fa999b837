import { describe, expect, test } from 'vitest';
import { cursorKey, openCursor, sealCursor } from './keyset-cursor.ts';

const KEY = cursorKey(['secret', 'postgres://a']);

describe('a cursor', () => {
  test('opens for its question to the texts that it was made of', () => {
    for (const texts of [['1'], ['2024-01-01 00:00:00+00', null, 'ä"\\'], ['']]) {
      const cursor = sealCursor(texts, 'q', KEY) ?? '';
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(openCursor(cursor, 'q', KEY)).toEqual(texts);
    }
  });

  test('is the same from every copy with the same secrets, and from none with others', () => {
    expect(sealCursor(['1'], 'q', cursorKey(['secret', 'postgres://a']))).toBe(sealCursor(['1'], 'q', KEY));
    const foreign = sealCursor(['1'], 'q', cursorKey(['other', 'postgres://a'])) ?? '';
    expect(openCursor(foreign, 'q', KEY)).toBeUndefined();
  });

  test('means nothing to another question, changed in any character, cut or padded', () => {
    const cursor = sealCursor(['1', 'b'], 'q', KEY) ?? '';
    expect(openCursor(cursor, 'q2', KEY)).toBeUndefined();
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      expect(openCursor(changed, 'q', KEY)).toBeUndefined();
      expect(openCursor(cursor.slice(0, i), 'q', KEY)).toBeUndefined();
    }
    for (const more of [`${cursor}A`, `${cursor}=`, `${cursor} `, 'x'.repeat(100_000)])
      expect(openCursor(more, 'q', KEY)).toBeUndefined();
  });

  test('is not made of what no header holds', () => {
    expect(sealCursor(['x'.repeat(5000)], 'q', KEY)).toBeUndefined();
  });
});
